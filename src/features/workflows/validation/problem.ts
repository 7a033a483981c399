import { STEP_PROBLEM_CODES } from '../../../engine';
import type { StepProblemCode } from '../../../engine';
import { isJsonObject } from '../json';
import type { JsonObject } from '../json';
import { inIndexOrder } from '../steps/step-order';

/** What may be wrong with a workflow beside what the engine finds in its steps, with what each means. */
const MORE_CODES = {
  AGGREGATOR_NOT_FOUND: 'A method names an aggregator that does not exist.',
  BINDING_FIELD_UNKNOWN:
    'A field binding writes into a field that the body of its method does not have.',
  BINDING_INCOMPLETE: 'A field binding does not say what it writes to.',
  BINDING_TYPE_UNKNOWN: 'A field binding names a part of a request or answer that there is not.',
  CATEGORY_NOT_FOUND: 'The category of the workflow does not exist.',
  CONNECTOR_NOT_FOUND: 'A step calls no connector, or one that does not exist.',
  INVOKER_NOT_FOUND: 'The invoker of a connector does not exist.',
  LIST_TOO_LONG: 'A list has more entries than are allowed.',
  OPERATION_NOT_FOUND: 'The invoker of a connector has no operation of that name.',
  SECRET_NOT_FOUND: 'A step uses a named secret that does not exist.',
  TEXT_TOO_LONG: 'A text has more characters than are allowed.',
  TITLE_INVALID: 'The title is blank or too long.',
  WORKFLOW_INVALID: 'Something is of a kind that it cannot be; such a workflow is not saved.',
} as const;

export type WorkflowProblemCode = StepProblemCode | keyof typeof MORE_CODES;

/** Every code a problem can have, with what it means. */
export const WORKFLOW_PROBLEM_CODES = {
  ...STEP_PROBLEM_CODES,
  ...MORE_CODES,
} satisfies Record<WorkflowProblemCode, string>;

/** What is wrong with a workflow, and where. */
export interface WorkflowProblem {
  /** Null: it is about no step, or about one without an index. */
  readonly index: string | null;
  readonly stepId: string | null;
  /** Within the step, else within the document: names joined with dots. */
  readonly field: string | null;
  readonly code: WorkflowProblemCode;
  readonly message: string;
  /** Where in the text, from 1; only for what does not parse. */
  readonly line: number | null;
  readonly column: number | null;
}

/** Problems of one workflow that are told. */
export const MOST_TOLD = 10_000;

/** Which step it is. */
export type StepName = Pick<WorkflowProblem, 'index' | 'stepId'>;

export const NO_STEP: StepName = { index: null, stepId: null };

/** Clients of the 4.x line call the id of a step `nodeId`. */
export function nameOfStep(step: unknown): StepName {
  if (!isJsonObject(step)) return NO_STEP;
  return { index: textOf(step.index), stepId: textOf(step.id) ?? textOf(step.nodeId) };
}

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

export const problemAt = (
  step: StepName,
  field: string | null,
  code: WorkflowProblemCode,
  message: string,
): WorkflowProblem => ({
  index: step.index,
  stepId: step.stepId,
  field,
  code,
  message,
  line: null,
  column: null,
});

/** In the order in which steps run; what is about none comes last. */
export const inWalkingOrder = (problems: readonly WorkflowProblem[]): WorkflowProblem[] =>
  inIndexOrder(problems.slice(0, MOST_TOLD), ({ index }) => index);

export const objectsIn = (value: unknown): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];
