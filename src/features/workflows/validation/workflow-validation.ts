import { validateWithReads } from '../../../engine';
import type { Actor } from '../../../platform/access/actor';
import { Findings } from '../../../platform/errors/findings';
import { inCurrentShape } from '../document/legacy-document';
import { inCategoryOf } from '../document/stored-document';
import { DEEPEST, isJsonObject, nestsDeeperThan } from '../document/json';
import type { JsonObject } from '../document/json';
import { idOf } from '../document/record-id';
import type { WorkflowChange } from '../document/workflow-content';
import { documentMeant } from '../document/workflow-content';
import { readDocument } from '../document/workflow-document';
import type { WorkflowRecord } from '../workflow.model';
import type { ReferencedRecords } from '../references/referenced-records';
import { workflowNotFound } from '../workflow-reader';
import type { WorkflowReader } from '../workflow-reader';
import { bindingProblems } from './binding-problems';
import { aggregatorOf, connectorOf, secretsOf } from './step-references';
import {
  inWalkingOrder,
  nameOfStep,
  NO_STEP,
  objectsIn,
  placed,
  problemAt,
  WORKFLOW_PROBLEM_CODES,
} from './problem';
import type { UnplacedProblem, WorkflowProblem, WorkflowProblemCode } from './problem';
import { referenceProblems } from './reference-problems';
import type { DocumentReferences } from './step-references';
import type { ErrorCode } from '../../../platform/errors/codes';
import { DomainError, reasonsOf } from '../../../platform/errors/errors';
import type { InputPath } from '../../../platform/errors/errors';

declare module '../../../platform/context' {
  interface Services {
    workflowValidation: WorkflowValidation;
  }
}

/** The problems found in a document alone, and its references to other records. */
interface CheckedDocument {
  readonly document: JsonObject;
  readonly problems: readonly UnplacedProblem[];
  readonly references: DocumentReferences;
  /** Indexes of the steps that are skipped. */
  readonly disabled: ReadonlySet<string>;
}

const EMPTY: CheckedDocument = {
  document: {},
  problems: [],
  disabled: new Set(),
  references: { connectors: [], secrets: [], aggregators: [], categoryId: null, reads: [] },
};

/** The fields of a workflow row that a validation needs. */
export type SavedRow = Pick<WorkflowRecord, '_id' | 'content' | 'categoryId'>;

/**
 * Validates workflows. Never throws for an invalid one, because unfinished workflows may be saved.
 */
export class WorkflowValidation {
  constructor(
    private readonly reading: WorkflowReader,
    private readonly records: ReferencedRecords,
    private readonly workflowBytes: number,
  ) {}

  /** The problems of a document of the 5.0 or 4.x shape, in execution order. */
  async validate(input: unknown): Promise<WorkflowProblem[]> {
    const findings = new Findings();
    readDocument(input, findings);
    const checked = checkInput(input, findings);
    const [problems = []] = await this.withReferences([checked]);
    return problems;
  }

  /**
   * The problems of a draft, in execution order.
   * @param draftOf the saved workflow that the draft changes; null: a new workflow
   * @throws NotFound CONNECTION_NOT_FOUND
   * @throws TooLarge the workflow is larger than allowed
   */
  async validateDraft(
    actor: Actor,
    change: WorkflowChange,
    draftOf: number | null,
  ): Promise<WorkflowProblem[]> {
    const saved = draftOf === null ? null : await this.reading.current(actor, draftOf);
    if (draftOf !== null && saved === null) throw workflowNotFound(draftOf, ['draftOf']);
    return this.validate(documentMeant({ change }, saved?.document ?? {}, this.workflowBytes));
  }

  /**
   * The problems of saved workflows, in the given order; null for those deleted since their row was
   * read. A workflow saved since then is validated in its current version. Validates the document
   * as the actor may see it, so that messages contain no secrets.
   */
  async validateSaved(
    actor: Actor,
    rows: readonly SavedRow[],
  ): Promise<(WorkflowProblem[] | null)[]> {
    const documents = await this.reading.documents(
      actor,
      rows.map(({ content }) => content),
    );
    const checked: (CheckedDocument | null)[] = [];
    for (const row of rows) {
      const read = documents.get(row.content.id);
      const document = read
        ? inCategoryOf(row, read)
        : (await this.reading.current(actor, row._id))?.document;
      checked.push(document ? checkDocument(document) : null);
    }
    const problems = await this.withReferences(checked.map((each) => each ?? EMPTY));
    return checked.map((each, position) => each && (problems[position] ?? []));
  }

  private async withReferences(checked: readonly CheckedDocument[]): Promise<WorkflowProblem[][]> {
    const problemsOfReferences = await referenceProblems(
      checked.map(({ references }) => references),
      this.records,
    );
    return checked.map(({ document, problems, disabled }, position) => {
      const ofReferences = (problemsOfReferences[position] ?? []).filter(
        ({ index }) => index === null || !disabled.has(index),
      );
      return inWalkingOrder([...problems, ...ofReferences]).map((problem) =>
        placed(problem, document),
      );
    });
  }
}

/** Combines the errors of a save with the problems of the steps that can be read. */
function checkInput(input: unknown, findings: Findings): CheckedDocument {
  const isReadable = isJsonObject(input) && !nestsDeeperThan(input, DEEPEST);
  const shape = inCurrentShape(isReadable ? input : {});
  const checked = isReadable ? checkDocument(shape) : EMPTY;
  return { ...checked, problems: [...shapeProblems(findings, shape), ...checked.problems] };
}

function checkDocument(document: JsonObject): CheckedDocument {
  const container = isJsonObject(document.fromConnector) ? document.fromConnector : {};
  const methods = objectsIn(container.methods);
  const snapshot = {
    ...document,
    fromConnector: {
      ...container,
      methods: methods.map(withId),
      operators: objectsIn(container.operators).map(withId),
    },
  };
  const { problems: planProblems, reads, disabled } = validateWithReads(snapshot);
  const problems = planProblems.map(
    ({ index, stepId, field, code, message, line = null, column = null }): UnplacedProblem => ({
      index,
      stepId,
      field,
      code,
      message,
      line,
      column,
    }),
  );
  for (const problem of bindingProblems(document, methods))
    if (problem.index === null || !disabled.has(problem.index)) problems.push(problem);
  const secrets = [];
  for (const method of methods) for (const use of secretsOf(method)) secrets.push(use);
  return {
    document,
    problems,
    disabled,
    references: {
      connectors: methods.flatMap((method) => connectorOf(method, container) ?? []),
      secrets,
      aggregators: methods.flatMap((method) => aggregatorOf(method) ?? []),
      categoryId: idOf(document.categoryId),
      reads,
    },
  };
}

const withId = (step: JsonObject): JsonObject => ({ ...step, id: nameOfStep(step).stepId });

/**
 * Converts the errors of a save to problems of steps. Empty expressions are skipped: the engine
 * reports them in execution order.
 */
function shapeProblems(findings: Findings, shape: JsonObject): UnplacedProblem[] {
  return reasonsIn(findings).flatMap(({ code, path, message }) => {
    if (code === 'OPERATOR_EXPRESSION_IS_EMPTY') return [];
    const [container, list, position, ...rest] = path;
    const step =
      container === 'fromConnector' && typeof position === 'number'
        ? stepAt(shape, String(list), position)
        : undefined;
    const field = step === undefined || rest.length === 0 ? path : rest;
    return [
      problemAt(
        step === undefined ? NO_STEP : nameOfStep(step),
        fieldOf(field),
        problemCodeOf(code),
        message,
      ),
    ];
  });
}

function reasonsIn(findings: Findings): ReturnType<typeof reasonsOf> {
  try {
    findings.refuse();
    return [];
  } catch (error) {
    if (error instanceof DomainError) return reasonsOf(error);
    throw error;
  }
}

function stepAt({ fromConnector }: JsonObject, list: string, position: number): unknown {
  const steps = isJsonObject(fromConnector) ? fromConnector[list] : undefined;
  return Array.isArray(steps) ? steps[position] : undefined;
}

const fieldOf = (path: InputPath): string | null => (path.length === 0 ? null : path.join('.'));

const problemCodeOf = (code: ErrorCode): WorkflowProblemCode =>
  code in WORKFLOW_PROBLEM_CODES ? (code as WorkflowProblemCode) : 'WORKFLOW_INVALID';
