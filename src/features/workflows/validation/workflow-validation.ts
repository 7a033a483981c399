import { validateInTurns } from '../../../engine';
import type { Actor } from '../../../platform/access/actor';
import { Findings } from '../../../platform/errors/findings';
import { inTurns } from '../../../platform/event-loop';
import type { Steps, Turn } from '../../../platform/event-loop';
import { inCurrentShape } from '../conversion/current-shape';
import { DEEPEST, isJsonObject, nestsDeeperThan } from '../json';
import type { JsonObject } from '../json';
import { inCategoryOf } from '../references/category-of-document';
import { idOf } from '../references/record-id';
import { readDocument } from '../workflow.document';
import type { WorkflowDocument } from '../workflow.document';
import type { WorkflowRecord } from '../workflow.model';
import type { WorkflowPorts } from '../workflow.ports';
import type { WorkflowReading } from '../workflow-reading';
import { bindingProblems } from './binding-problems';
import { aggregatorOf, connectorOf, secretsOf } from './named-things';
import {
  inWalkingOrder,
  nameOfStep,
  NO_STEP,
  objectsIn,
  problemAt,
  WORKFLOW_PROBLEM_CODES,
} from './problem';
import type { WorkflowProblem, WorkflowProblemCode } from './problem';
import { referenceProblems } from './reference-problems';
import type { NamedThings } from './reference-problems';
import type { ErrorCode } from '../../../platform/errors/codes';
import { DomainError, reasonsOf } from '../../../platform/errors/errors';
import type { InputPath } from '../../../platform/errors/errors';

/**
 * Converts the errors of a save to problems of steps. Empty expressions are skipped: the engine
 * reports them in execution order.
 */
function shapeProblems(found: Findings, shape: JsonObject): WorkflowProblem[] {
  return reasonsAmong(found).flatMap(({ code, path, message }) => {
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
        knownCode(code),
        message,
      ),
    ];
  });
}

function reasonsAmong(found: Findings): ReturnType<typeof reasonsOf> {
  try {
    found.refuse();
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

const knownCode = (code: ErrorCode): WorkflowProblemCode =>
  code in WORKFLOW_PROBLEM_CODES ? (code as WorkflowProblemCode) : 'WORKFLOW_INVALID';

export interface WorkflowValidationDependencies {
  readonly reading: WorkflowReading;
  readonly ports: WorkflowPorts;
}

/** The problems found in a document alone, and its references to other things. */
interface Judged {
  readonly problems: readonly WorkflowProblem[];
  readonly named: NamedThings;
}

const NOTHING: NamedThings = { connectors: [], secrets: [], aggregators: [], categoryId: null };
const NOTHING_JUDGED: Judged = { problems: [], named: NOTHING };

/** The fields of a workflow row that a validation needs. */
export type SavedRow = Pick<WorkflowRecord, '_id' | 'content' | 'categoryId'>;

/**
 * Validates workflows. Never throws for an invalid one, because unfinished workflows may be saved.
 */
export function createWorkflowValidation({ reading, ports }: WorkflowValidationDependencies) {
  async function told(judged: readonly Judged[]): Promise<WorkflowProblem[][]> {
    const named = await referenceProblems(
      judged.map((each) => each.named),
      ports,
    );
    return judged.map(({ problems }, position) =>
      inWalkingOrder([...problems, ...(named[position] ?? [])]),
    );
  }

  return {
    /** The problems of a document of the 5.0 or 4.x shape, in execution order. */
    async validate(input: unknown): Promise<WorkflowProblem[]> {
      const found = new Findings();
      await inTurns((turn) => readDocument(input, found, turn));
      const judged = await inTurns((turn) => judgeSent(input, found, turn));
      const [problems = []] = await told([judged]);
      return problems;
    },

    /**
     * The problems of saved workflows, in the given order; null for those deleted since their row
     * was read. A workflow saved since then is validated in its current version. Validates the
     * document as the actor may see it, so that messages contain no secrets.
     */
    async validationOf(
      actor: Actor,
      rows: readonly SavedRow[],
    ): Promise<(WorkflowProblem[] | null)[]> {
      const documents = await reading.documents(
        actor,
        rows.map(({ content }) => content),
      );
      const judged: (Judged | null)[] = [];
      for (const row of rows) {
        const read = documents.get(row.content.id);
        const document = read
          ? inCategoryOf(row, read)
          : (await reading.current(actor, row._id))?.document;
        judged.push(document ? await inTurns((turn) => judge(document, turn)) : null);
      }
      const problems = await told(judged.map((each) => each ?? NOTHING_JUDGED));
      return judged.map((each, position) => each && (problems[position] ?? []));
    },
  };
}

/** Combines the errors of a save with the problems of the steps that can be read. */
function* judgeSent(input: unknown, found: Findings, turn: Turn): Steps<Judged> {
  const sent = isJsonObject(input) && !(yield* nestsDeeperThan(input, DEEPEST, turn)) ? input : {};
  const shape = yield* inCurrentShape(sent, turn);
  const judged = sent === input ? yield* judge(shape, turn) : { problems: [], named: NOTHING };
  return { ...judged, problems: [...shapeProblems(found, shape), ...judged.problems] };
}

function* judge(document: JsonObject | WorkflowDocument, turn: Turn): Steps<Judged> {
  const container = isJsonObject(document.fromConnector) ? document.fromConnector : {};
  const methods = objectsIn(container.methods);
  const snapshot = {
    ...document,
    fromConnector: {
      ...container,
      methods: methods.map(identified),
      operators: objectsIn(container.operators).map(identified),
    },
  };
  const steps = yield* validateInTurns(snapshot, turn);
  const problems = steps.map(
    ({ index, stepId, field, code, message, line = null, column = null }): WorkflowProblem => ({
      index,
      stepId,
      field,
      code,
      message,
      line,
      column,
    }),
  );
  for (const problem of yield* bindingProblems(document, methods, turn)) problems.push(problem);
  const secrets = [];
  for (const method of methods) for (const use of yield* secretsOf(method, turn)) secrets.push(use);
  const connectors = methods.flatMap((method) => connectorOf(method, container) ?? []);
  const aggregators = methods.flatMap((method) => aggregatorOf(method) ?? []);
  return {
    problems,
    named: { connectors, secrets, aggregators, categoryId: idOf(document.categoryId) },
  };
}

const identified = (step: JsonObject): JsonObject => ({ ...step, id: nameOfStep(step).stepId });
