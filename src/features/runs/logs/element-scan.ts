import { Turns } from '../../../platform/event-loop';
import type { RunRecord } from '../run.model';
import type { ElementLine } from './element-line';
import { readLine } from './element-line';
import type { LogElement } from './log-element';
import { elementOf } from './log-element';

/** Lines of one event record. */
export interface ElementPart {
  readonly last: number;
  readonly elements: string;
  /** Sequences of the events whose bodies match the search; missing if there are none. */
  readonly inBodies?: ReadonlySet<number>;
}

/**
 * An element and its lines. A method has two consecutive lines: a run executes one step at a time.
 */
export interface FoundElement {
  readonly begin: ElementLine;
  readonly end: ElementLine | null;
  /** Whether the search matches the request or response. */
  readonly inBodies?: boolean;
}

/** A line, and whether the body of its event matches the search. */
interface SeenLine {
  readonly line: ElementLine;
  readonly inBodies: boolean;
}

const seen = (from: number, line: ElementLine, { inBodies }: ElementPart): SeenLine[] =>
  line.sequence >= from ? [{ line, inBodies: inBodies?.has(line.sequence) ?? false }] : [];

/** Lines of parts in order, from a sequence on. */
async function* linesOf(
  parts: AsyncIterable<ElementPart>,
  from: number,
  mayHold: (part: ElementPart) => boolean,
): AsyncGenerator<SeenLine, void, undefined> {
  const turns = new Turns();
  for await (const part of parts) {
    const { elements } = part;
    if (!mayHold(part)) {
      // A method may begin in one part and end in the next.
      const [first = '', last = ''] = [
        elements.slice(0, (elements.indexOf('\n') + 1 || elements.length + 1) - 1),
        elements.slice(elements.lastIndexOf('\n') + 1),
      ];
      if (first.startsWith('s ')) yield* seen(from, readLine(first), part);
      if (last.startsWith('S ')) yield* seen(from, readLine(last), part);
      continue;
    }
    for (let at = 0; at < elements.length;) {
      if (turns.over) await turns.next();
      const end = elements.indexOf('\n', at);
      const upTo = end < 0 ? elements.length : end;
      yield* seen(from, readLine(elements.slice(at, upTo)), part);
      at = upTo + 1;
    }
  }
}

/**
 * Elements of parts in order, from the sequence at which one of them begins. Stops at the first
 * line for which `leaves` returns true.
 */
export async function* elementsIn(
  parts: AsyncIterable<ElementPart>,
  from: number,
  {
    mayHold = () => true,
    leaves = () => false,
    loopEnds = () => undefined,
  }: {
    readonly mayHold?: (part: ElementPart) => boolean;
    readonly leaves?: (line: ElementLine) => boolean;
    /** Called at the end of each loop, also of loops that began earlier. */
    readonly loopEnds?: (line: ElementLine) => void;
  } = {},
): AsyncGenerator<FoundElement, void, undefined> {
  let begun: ElementLine | null = null;
  for await (const { line, inBodies } of linesOf(parts, from, mayHold)) {
    if (line.kind === 's') {
      if (begun !== null) yield { begin: begun, end: line, inBodies };
      begun = null;
      continue;
    }
    if (begun !== null) yield { begin: begun, end: null };
    begun = null;
    if (leaves(line)) return;
    if (line.kind === 'S') begun = line;
    else if (line.kind === 'l') loopEnds(line);
    else yield { begin: line, end: null };
  }
  if (begun !== null) yield { begin: begun, end: null };
}

const ends = (line: ElementLine, { kind, index, turns }: ElementLine): boolean =>
  kind === 'L' && line.index === index && line.turns === turns;

/** Returns the loop with its duration if the line ends it, otherwise null. */
export const endedLoop = (
  element: LogElement,
  begin: ElementLine,
  line: ElementLine,
): LogElement | null => (ends(line, begin) ? { ...element, durationMs: line.at - begin.at } : null);

/** Whether one place is inside another: its index and iterations continue those of the other. */
export function isWithin(
  inner: Pick<ElementLine, 'index' | 'turns'>,
  outer: Pick<ElementLine, 'index' | 'turns'>,
): boolean {
  return (
    inner.index.startsWith(`${outer.index}_`) &&
    (outer.turns === '' || inner.turns === outer.turns || inner.turns.startsWith(`${outer.turns},`))
  );
}

/**
 * Builds an element. Only an element that contains `last`, the last line of the log, is still open.
 */
export function shownElement(
  run: RunRecord,
  { begin, end }: FoundElement,
  last: ElementLine | null,
): LogElement {
  const isOpen = last !== null && (last.sequence === begin.sequence || isWithin(last, begin));
  return elementOf(run, begin, end, isOpen);
}
