import type { EventPlace, Place, RunEvent } from '../../../engine';

/**
 * A line of the log: an event that begins or ends an element. Lines are stored next to the events,
 * so that a log is paged and searched without reading requests and responses.
 * Fields are separated by spaces; texts written by users are a JSON list at the end.
 */
export interface ElementLine {
  /**
   * S, s: a method begins, ends; I: an `if`; L, l: a loop begins, ends; F: an `if` or a loop that
   * could not be evaluated; W: a warning, which follows the beginning of its element.
   */
  readonly kind: 'S' | 's' | 'I' | 'L' | 'l' | 'F' | 'W';
  readonly sequence: number;
  readonly index: string;
  /** Iterations of the enclosing loops, outermost first; empty for none. */
  readonly turns: string;
  readonly at: number;
  /**
   * By kind: S attempt, connector; s state, duration (ms), status; I result; L size; l iterations;
   * F operator; W code. Missing values are empty.
   */
  readonly facts: readonly [string, string, string];
  readonly texts: string;
}

/** Lines of one event record. */
export interface ElementPart {
  readonly last: number;
  readonly elements: string;
  /** Sequences of the events whose bodies match the search; missing if there are none. */
  readonly inBodies?: ReadonlySet<number>;
}

/**
 * An element and its lines, which are consecutive except for the end of a loop: a run executes one
 * step at a time.
 */
export interface FoundElement {
  readonly begin: ElementLine;
  readonly warnings: readonly ElementLine[];
  readonly end: ElementLine | null;
  /** Whether the search matches the request or response. */
  readonly inBodies?: boolean;
}

/**
 * Maximum characters of a text in a line; longer ones end with `…`. The event has the full text.
 */
const MAX_TEXT = 300;
const cut = (text: string | null | undefined): string =>
  (text == null || text.length <= MAX_TEXT
    ? (text ?? '')
    : `${text.slice(0, MAX_TEXT)}…`
  ).toWellFormed();

type Facts = readonly [
  string | number | null,
  (string | number | null)?,
  (string | number | null)?,
];

function line(
  kind: ElementLine['kind'],
  { sequence, at }: EventPlace,
  { index, loopIndex }: Pick<Place, 'index' | 'loopIndex'>,
  [a, b = '', c = '']: Facts,
  texts: readonly (string | null | undefined)[],
): string {
  return `${kind} ${sequence} ${index} ${loopIndex.join(',')} ${at.getTime()} ${a ?? ''} ${b ?? ''} ${c ?? ''} ${JSON.stringify(texts.map(cut))}`;
}

/** Returns null if the log does not show the event. */
export function elementLine(event: RunEvent, place: EventPlace): string | null {
  switch (event.kind) {
    case 'StepStarted':
      return line(
        'S',
        place,
        event,
        [event.attempt, event.connector?.id ?? null],
        [event.stepId, event.name, event.label, event.connector?.title, event.methodType],
      );
    case 'StepFinished':
      return line(
        's',
        place,
        event,
        [event.state, event.durationMs, event.statusCode],
        [event.request?.url, event.request?.method, event.error?.code, event.error?.message],
      );
    case 'ConditionEvaluated':
      return line('I', place, event, [String(event.result)], [event.stepId, event.expression]);
    case 'OperatorFailed':
      return line(
        'F',
        place,
        event,
        [event.operator],
        [
          event.stepId,
          event.operator === 'if' ? event.expression : event.iterator,
          event.error.code,
          event.error.message,
          event.operator === 'if' ? null : event.expression,
        ],
      );
    case 'LoopStarted':
      return line(
        'L',
        place,
        event,
        [event.size],
        [event.stepId, event.iterator, event.expression],
      );
    case 'LoopFinished':
      return line('l', place, event, [event.turns], []);
    case 'RunLog': {
      const { level, index, loopIndex, code, message, path, keys } = event;
      return level === 'WARN' && index !== null && loopIndex !== undefined
        ? line('W', place, { index, loopIndex }, [code ?? null], [message, path, ...(keys ?? [])])
        : null;
    }
    default:
      return null;
  }
}

const FIELDS = 8;

export function readLine(text: string): ElementLine {
  let from = 0;
  const fields: string[] = [];
  for (let nth = 0; nth < FIELDS; nth += 1) {
    const to = text.indexOf(' ', from);
    fields.push(text.slice(from, to));
    from = to + 1;
  }
  const [kind, sequence, index, turns, at, a, b, c] = fields as [
    ElementLine['kind'],
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  return {
    kind,
    sequence: Number(sequence),
    index,
    turns,
    at: Number(at),
    facts: [a, b, c],
    texts: text.slice(from),
  };
}

/** Number of operators that enclose an index. */
export const depthOf = (index: string): number => index.split('_').length - 1;

/** The same for the index in a line. */
export function depthOfLine(text: string): number {
  const from = text.indexOf(' ', 2) + 1;
  return depthOf(text.slice(from, text.indexOf(' ', from)));
}
