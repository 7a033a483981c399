import type { RunLog } from '../../../engine';
import { NotFound } from '../../../platform/errors/errors';
import type { RunRecord } from '../run.model';
import type { ElementLine } from './element-line';

/** Names fixed by the released API. */
export const ELEMENT_TYPES = ['EXECUTION', 'FLOWCHART', 'LOOP', 'IF', 'OPERATION'] as const;
export type ElementTypeName = (typeof ELEMENT_TYPES)[number];

export const ELEMENT_STATES = ['PENDING', 'COMPLETE', 'FAIL'] as const;
export type ElementStateName = (typeof ELEMENT_STATES)[number];

/** A node in the log tree of a run. */
export interface LogElement {
  readonly run: RunRecord;
  /** Sequence of its first event; 0 for the run, 1 for its flowchart. */
  readonly sequence: number;
  readonly type: ElementTypeName;
  readonly state: ElementStateName;
  /** Null for the run and its flowchart. */
  readonly index: string | null;
  /** Iterations, from 0, of the enclosing loops, outermost first. */
  readonly turns: readonly number[];
  readonly startedAt: Date | null;
  /**
   * Null while it is running, for conditions, for loops that did not finish, and in search results
   * for loops.
   */
  readonly durationMs: number | null;
  readonly stepId: string | null;
  readonly name: string | null;
  readonly label: string | null;
  readonly connector: { readonly id: number; readonly title: string } | null;
  readonly methodType: string | null;
  readonly attempt: number | null;
  readonly statusCode: number | null;
  readonly expression: string | null;
  /** Not shown by GraphQL and the documented dialect. */
  readonly loopExpression: string | null;
  /** Of a finished method whose request was recorded. */
  readonly request: { readonly url: string; readonly method: string } | null;
  readonly result: boolean | null;
  readonly iterator: string | null;
  readonly size: number | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  /** Of a step; live lines of a test have none. */
  readonly warnings: readonly LogWarning[];
}

/** Fields as in `RunLog`. */
export interface LogWarning {
  readonly code: string | null;
  readonly message: string;
  readonly path: string | null;
  readonly keys: readonly string[] | null;
}

const NONE = {
  index: null,
  turns: [],
  durationMs: null,
  stepId: null,
  name: null,
  label: null,
  connector: null,
  methodType: null,
  attempt: null,
  statusCode: null,
  expression: null,
  loopExpression: null,
  request: null,
  result: null,
  iterator: null,
  size: null,
  error: null,
  warnings: [],
} as const;

const STATES: Readonly<Record<RunRecord['state'], ElementStateName>> = {
  QUEUED: 'PENDING',
  RUNNING: 'PENDING',
  SUCCEEDED: 'COMPLETE',
  FAILED: 'FAIL',
  CANCELLED: 'FAIL',
  INTERRUPTED: 'FAIL',
};

/** State of an element without an end: pending as long as its run is. */
const openState = (run: RunRecord): ElementStateName =>
  STATES[run.state] === 'PENDING' ? 'PENDING' : 'FAIL';

/** State of a method, from the line that ends it. */
export const stateOf = ({ facts: [state] }: ElementLine): ElementStateName =>
  state === 'SUCCEEDED' ? 'COMPLETE' : 'FAIL';

export const executionOf = (run: RunRecord): LogElement => ({
  ...NONE,
  run,
  sequence: 0,
  type: 'EXECUTION',
  state: STATES[run.state],
  startedAt: run.startedAt,
  durationMs: run.durationMs,
  name: run.workflowTitle,
  error: run.error && { code: run.error.code, message: run.error.message },
});

/** The only child of the run: it contains all steps of the workflow. */
export const flowchartOf = (run: RunRecord): LogElement => ({
  ...executionOf(run),
  sequence: 1,
  type: 'FLOWCHART',
});

export const turnsOf = (turns: string): number[] =>
  turns === '' ? [] : turns.split(',').map(Number);
const numberOf = (fact: string): number | null => (fact === '' ? null : Number(fact));
const textOf = (text: string | undefined): string | null => text || null;
const textsOf = ({ texts }: ElementLine): readonly string[] => JSON.parse(texts) as string[];

/** Texts may be shortened, as in every line. */
export function warningOf(line: ElementLine): LogWarning {
  const [message = '', path, ...keys] = textsOf(line);
  const reference = textOf(path);
  return {
    code: textOf(line.facts[0]),
    message,
    path: reference,
    keys: reference === null ? null : keys,
  };
}

export const warningOfEvent = ({ code, message, path, keys }: RunLog): LogWarning => ({
  code: code ?? null,
  message,
  path: path ?? null,
  keys: keys ?? null,
});

/** The fields of a method, from the lines that begin and end it. */
function methodOf(begin: ElementLine, end: ElementLine | null): Partial<LogElement> {
  const [attempt, connector] = begin.facts;
  const [, name, label, title, methodType] = textsOf(begin);
  const started = {
    attempt: numberOf(attempt),
    name: textOf(name),
    label: textOf(label),
    methodType: textOf(methodType),
    connector: connector === '' ? null : { id: Number(connector), title: title ?? '' },
  };
  if (end === null) return started;
  const [url, httpMethod, code, message] = textsOf(end);
  return {
    ...started,
    state: stateOf(end),
    durationMs: numberOf(end.facts[1]),
    statusCode: numberOf(end.facts[2]),
    request: url ? { url, method: httpMethod ?? '' } : null,
    error: code ? { code, message: message ?? '' } : null,
  };
}

/**
 * Builds the element that begins with a line.
 * @param end    the line that ends it, for a finished method
 * @param isOpen for other elements: whether it has not ended
 */
export function elementOf(
  run: RunRecord,
  begin: ElementLine,
  end: ElementLine | null,
  isOpen: boolean,
): LogElement {
  const [stepId, ...texts] = textsOf(begin);
  const about = {
    ...NONE,
    run,
    sequence: begin.sequence,
    index: begin.index,
    turns: turnsOf(begin.turns),
    startedAt: new Date(begin.at),
    stepId: textOf(stepId),
  };
  switch (begin.kind) {
    case 'I':
      return {
        ...about,
        type: 'IF',
        state: 'COMPLETE',
        expression: textOf(texts[0]),
        result: begin.facts[0] === 'true',
      };
    case 'F': {
      const [shown, code = '', message = '', loopExpression] = texts;
      const failed = { ...about, state: 'FAIL', error: { code, message } } as const;
      return begin.facts[0] === 'if'
        ? { ...failed, type: 'IF', expression: textOf(shown) }
        : {
            ...failed,
            type: 'LOOP',
            iterator: textOf(shown),
            loopExpression: textOf(loopExpression),
          };
    }
    case 'L':
      return {
        ...about,
        type: 'LOOP',
        state: isOpen ? openState(run) : 'COMPLETE',
        iterator: textOf(texts[0]),
        loopExpression: textOf(texts[1]),
        size: numberOf(begin.facts[0]),
      };
    default:
      return { ...about, type: 'OPERATION', state: openState(run), ...methodOf(begin, end) };
  }
}

/** The run of an element and the sequence of the event it begins with. */
interface ElementPlace {
  readonly runId: number;
  /** 0: the run itself; 1: its flowchart. */
  readonly sequence: number;
}

export const elementNotFound = (id: string, path: 'id' | 'parentId' | 'after' = 'id'): NotFound =>
  new NotFound(
    'LOG_ELEMENT_NOT_FOUND',
    `There is no element ${id.slice(0, 30)} in the log of a run.`,
    { path: [path] },
  );

/** `4711-3`; for the run itself, its id. */
export const elementIdOf = ({ runId, sequence }: ElementPlace): string =>
  sequence === 0 ? String(runId) : `${runId}-${sequence}`;

const FORM = /^([1-9]\d{0,9})(?:-([1-9]\d{0,9}))?$/;
export function readElementId(id: string, path?: 'id' | 'parentId' | 'after'): ElementPlace {
  const [, runId, sequence = '0'] = FORM.exec(id) ?? [];
  if (runId === undefined) throw elementNotFound(id, path);
  return { runId: Number(runId), sequence: Number(sequence) };
}
