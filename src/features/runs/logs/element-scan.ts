import type { Collection } from '../../../platform/store/collection';
import { TimeSlices } from '../../../platform/event-loop';
import type { RunEventBatchRecord } from '../events/run-event-batches';
import type { RunRecord } from '../run.model';
import { readLine } from './element-line';
import type { ElementLine, ElementPart, FoundElement } from './element-line';
import { elementOf, warningOf } from './log-element';
import type { LogElement } from './log-element';
import type { BodySearch, EventsPart } from './log-search';

/** Records read at once: some hundred kilobytes, however long the log is. */
const PARTS_AT_ONCE = 32;

/** The last line of a log, and the last sequence of its record. */
interface LogEnd {
  readonly line: ElementLine;
  readonly last: number;
}

/** Up to this depth, single values are looked up in the index instead of a range. */
const FEW_DEPTHS = 8;
const upToDepth = (depth: number): object =>
  depth < FEW_DEPTHS
    ? { $in: Array.from({ length: depth + 1 }, (_, one) => one) }
    : { $gte: 0, $lte: depth };

interface WantedParts {
  /** Only parts with an element that is at most this deep. */
  readonly depth?: number;
  /** Marks the events whose bodies contain this text. */
  readonly bodies?: BodySearch | null;
}

interface Portion {
  readonly parts: readonly ElementPart[];
  /** The records whose events may match the search; null without a search. */
  readonly matches: Promise<readonly EventsPart[]> | null;
  /** Start of the next portion; null for the last one. */
  readonly next: number | null;
}

/** Prevents an unhandled rejection if the promise is never awaited. */
function ignoreRejection<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

async function* withBodies(
  parts: readonly ElementPart[],
  matches: readonly EventsPart[],
  bodies: BodySearch,
): AsyncGenerator<ElementPart, void, undefined> {
  const byLast = new Map(matches.map((part) => [part.last, part]));
  const slices = new TimeSlices();
  for (const part of parts) {
    if (slices.over) await slices.next();
    const match = byLast.get(part.last);
    yield match === undefined ? part : { ...part, inBodies: bodies.in(match) };
  }
}

/** Reads the stored lines of logs. */
export class ElementParts {
  constructor(private readonly events: Collection<RunEventBatchRecord>) {}

  /** Returns null if the log shows nothing yet. */
  async end(runId: number): Promise<LogEnd | null> {
    const newest = await this.events.findOne<ElementPart>(
      { runId, shallowest: { $gte: 0 } },
      { fields: { last: 1, elements: 1 }, sort: { last: -1 } },
    );
    return (
      newest && {
        line: readLine(newest.elements.slice(newest.elements.lastIndexOf('\n') + 1)),
        last: newest.last,
      }
    );
  }

  /** Parts from one sequence up to another, in order. */
  async *parts(
    runId: number,
    from: number,
    upTo: number,
    query: WantedParts = {},
  ): AsyncGenerator<ElementPart, void, undefined> {
    const { bodies = null } = query;
    let isFirst = true;
    for (
      let coming: Promise<Portion> | null = this.portion(runId, from, upTo, query);
      coming !== null;
      isFirst = false
    ) {
      const { parts, matches, next }: Portion = await coming;
      const following = (): Promise<Portion> | null =>
        next === null ? null : ignoreRejection(this.portion(runId, next, upTo, query));
      // Read ahead while these parts are processed. Without a search, most callers need only the
      // first.
      const ahead = isFirst && bodies === null ? null : following();
      yield* bodies === null || matches === null ? parts : withBodies(parts, await matches, bodies);
      coming = ahead ?? following();
    }
  }

  private async portion(
    runId: number,
    from: number,
    upTo: number,
    { depth = Infinity, bodies = null }: WantedParts,
  ): Promise<Portion> {
    const parts = await this.events.find<ElementPart>(
      { runId, last: { $gte: from, $lte: upTo }, shallowest: upToDepth(depth) },
      { fields: { last: 1, elements: 1 }, sort: { last: 1 }, limit: PARTS_AT_ONCE },
    );
    const next = (parts.at(-1)?.last ?? upTo) + 1;
    return {
      parts,
      matches:
        bodies === null || parts.length === 0
          ? null
          : ignoreRejection(this.eventsWith(runId, parts, bodies)),
      next: parts.length < PARTS_AT_ONCE || next > upTo ? null : next,
    };
  }

  /** Filters in the store, without reading events: most records do not match. */
  private eventsWith(
    runId: number,
    parts: readonly ElementPart[],
    { pattern }: BodySearch,
  ): Promise<readonly EventsPart[]> {
    return this.events.find<EventsPart>(
      {
        runId,
        last: { $gte: parts[0]?.last, $lte: parts.at(-1)?.last },
        events: { $regex: pattern, $options: 'i' },
      },
      { fields: { first: 1, last: 1, events: 1 } },
    );
  }
}

interface ScannedLine {
  readonly line: ElementLine;
  readonly inBodies: boolean;
}

const scan = (from: number, line: ElementLine, { inBodies }: ElementPart): ScannedLine[] =>
  line.sequence >= from ? [{ line, inBodies: inBodies?.has(line.sequence) ?? false }] : [];

/**
 * Lines of a part that may belong to an element of the previous or the next part: the warnings and
 * the end of one that began before, and the beginning and the warnings of the last one.
 */
function outermostLines(elements: string): string[] {
  const first: string[] = [];
  let begin = 0;
  while (begin < elements.length && (elements[begin] === 'W' || elements[begin] === 's')) {
    const end = elements.indexOf('\n', begin);
    const upTo = end < 0 ? elements.length : end;
    first.push(elements.slice(begin, upTo));
    begin = upTo + 1;
  }
  const last: string[] = [];
  for (let upTo = elements.length; upTo > begin;) {
    const at = elements.lastIndexOf('\n', upTo - 1) + 1;
    last.push(elements.slice(at, upTo));
    if (elements[at] !== 'W') break;
    upTo = at - 1;
  }
  return [...first, ...last.reverse()];
}

/** Lines of parts in order, from a sequence on. */
async function* linesOf(
  parts: AsyncIterable<ElementPart>,
  from: number,
  mayHold: (part: ElementPart) => boolean,
): AsyncGenerator<ScannedLine, void, undefined> {
  const slices = new TimeSlices();
  for await (const part of parts) {
    const { elements } = part;
    if (!mayHold(part)) {
      for (const line of outermostLines(elements)) yield* scan(from, readLine(line), part);
      continue;
    }
    for (let at = 0; at < elements.length;) {
      if (slices.over) await slices.next();
      const end = elements.indexOf('\n', at);
      const upTo = end < 0 ? elements.length : end;
      yield* scan(from, readLine(elements.slice(at, upTo)), part);
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
  let begun: (FoundElement & { readonly warnings: ElementLine[] }) | null = null;
  for await (const { line, inBodies } of linesOf(parts, from, mayHold)) {
    // Parts in between may have been left out: the line may belong to another element.
    const own = begun !== null && isAt(line, begun.begin) ? begun : null;
    if (line.kind === 'W') {
      own?.warnings.push(line);
      continue;
    }
    if (line.kind === 's' && own?.begin.kind === 'S') yield { ...own, end: line, inBodies };
    else if (begun !== null) yield begun;
    begun = null;
    if (line.kind === 's') continue;
    if (leaves(line)) return;
    if (line.kind === 'l') loopEnds(line);
    else begun = { begin: line, warnings: [], end: null };
  }
  if (begun !== null) yield begun;
}

const isAt = (line: ElementLine, { index, turns }: ElementLine): boolean =>
  line.index === index && line.turns === turns;

const ends = (line: ElementLine, begin: ElementLine): boolean =>
  begin.kind === 'L' && isAt(line, begin);

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
  { begin, warnings, end }: FoundElement,
  last: ElementLine | null,
): LogElement {
  const isOpen =
    last !== null &&
    (last.sequence === begin.sequence ||
      (last.kind === 'W' && isAt(last, begin)) ||
      isWithin(last, begin));
  return { ...elementOf(run, begin, end, isOpen), warnings: warnings.map(warningOf) };
}
