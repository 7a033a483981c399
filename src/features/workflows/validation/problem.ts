import { STEP_PROBLEM_CODES } from '../../../engine';
import type { StepProblemCode } from '../../../engine';
import { isJsonObject } from '../document/json';
import type { JsonObject } from '../document/json';
import { partIdOf } from '../document/part-ids';
import { sortByIndex } from '../editing/step-tree';

/** Problem codes in addition to those of the engine, with descriptions. */
const MORE_CODES = {
  AGGREGATOR_NOT_FOUND: 'A method refers to an aggregator that does not exist.',
  BINDING_FIELD_UNKNOWN:
    'A field binding writes into a field that the body of its method does not have.',
  BINDING_INCOMPLETE: 'A field binding does not say what it writes to.',
  BINDING_TYPE_UNKNOWN:
    'A field binding names a part of a request or response that does not exist.',
  CATEGORY_NOT_FOUND: 'The category of the workflow does not exist.',
  CONNECTOR_NOT_FOUND: 'A step calls no connector, or one that does not exist.',
  INVOKER_NOT_FOUND: 'The invoker of a connector does not exist.',
  LIST_TOO_LONG: 'A list has too many entries.',
  OPERATION_NOT_FOUND: 'The invoker of a connector has no operation of that name.',
  SECRET_NOT_FOUND: 'A step uses a named secret that does not exist.',
  TEXT_TOO_LONG: 'A text has too many characters.',
  TITLE_INVALID: 'The title is blank or too long.',
  WORKFLOW_INVALID: 'A value has an invalid type; the workflow cannot be saved.',
} as const;

export type WorkflowProblemCode = StepProblemCode | keyof typeof MORE_CODES;

export const WORKFLOW_PROBLEM_CODES = {
  ...STEP_PROBLEM_CODES,
  ...MORE_CODES,
} satisfies Record<WorkflowProblemCode, string>;

export interface WorkflowProblem {
  /** Null if the problem is not about a step, or the step has no index. */
  readonly index: string | null;
  readonly stepId: string | null;
  readonly bindingId: string | null;
  /** Path within the step, or else within the document: names joined with dots. */
  readonly field: string | null;
  /** Path within the field binding, or else within the step or the document. */
  readonly path: readonly string[];
  readonly code: WorkflowProblemCode;
  readonly message: string;
  /** Position in the text, from 1; null unless the text does not parse. */
  readonly line: number | null;
  readonly column: number | null;
}

/** Maximum number of problems reported for one workflow. */
export const MAX_PROBLEMS = 10_000;

export type StepName = Pick<WorkflowProblem, 'index' | 'stepId'>;

export const NO_STEP: StepName = { index: null, stepId: null };

/** The id of a step is `nodeId` in the 4.x line. */
export function nameOfStep(step: unknown): StepName {
  if (!isJsonObject(step)) return NO_STEP;
  return { index: textOf(step.index), stepId: textOf(step.id) ?? textOf(step.nodeId) };
}

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

/** A problem whose path is not split yet. */
export type UnplacedProblem = Omit<WorkflowProblem, 'bindingId' | 'path'>;

export const problemAt = (
  step: StepName,
  field: string | null,
  code: WorkflowProblemCode,
  message: string,
): UnplacedProblem => ({
  index: step.index,
  stepId: step.stepId,
  field,
  code,
  message,
  line: null,
  column: null,
});

/** Places whose entries have names that may contain dots. */
const NAMED_ENTRIES = /^(request)\.(header|body)\.(.+)$/s;

/** Splits `field`, and finds the field binding that a problem is about. */
export function placed(problem: UnplacedProblem, document: JsonObject): WorkflowProblem {
  const field = problem.field ?? '';
  const named = NAMED_ENTRIES.exec(field);
  const path = field === '' ? [] : (named?.slice(1) ?? field.split('.'));
  const { fieldBinding } = document;
  if (path[0] !== 'fieldBinding' || path.length < 2 || !Array.isArray(fieldBinding))
    return { ...problem, bindingId: null, path };
  const binding: unknown = fieldBinding[Number(path[1])];
  return {
    ...problem,
    bindingId: isJsonObject(binding) ? partIdOf(binding) : null,
    path: path.slice(2),
  };
}

/** In execution order; problems that are not about a step come last. */
export const inWalkingOrder = (problems: readonly UnplacedProblem[]): UnplacedProblem[] =>
  sortByIndex(problems.slice(0, MAX_PROBLEMS), ({ index }) => index);

export const objectsIn = (value: unknown): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];
