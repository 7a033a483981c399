import type { Model } from 'mongoose';
import { Turns } from '../../../platform/event-loop';
import type { RunEventBatchRecord } from '../run.model';
import type { ElementLine } from './element-line';
import { readLine } from './element-line';
import type { ElementPart } from './element-scan';
import type { BodySearch, EventsPart } from './log-bodies';

/** Records read at once: some hundred kilobytes, however long the log is. */
const AT_ONCE = 32;
/** The same for searches in bodies, where the store returns the events of few records. */
const LOOKED_INTO_AT_ONCE = 32;

/** The last line of a log, and the last sequence of its record. */
export interface LogEnd {
  readonly line: ElementLine;
  readonly last: number;
}

/** Up to this depth, single values are looked up in the index instead of a range. */
const FEW = 8;
const upToDepth = (depth: number): object =>
  depth < FEW
    ? { $in: Array.from({ length: depth + 1 }, (_, one) => one) }
    : { $gte: 0, $lte: depth };

interface WantedParts {
  /** Only parts with an element that is at most this deep. */
  readonly depth?: number;
  /** Marks the events whose bodies contain this text. */
  readonly bodies?: BodySearch | null;
}

/** Consecutive records. */
interface Portion {
  readonly parts: readonly ElementPart[];
  /** The records whose events may match the search; null without a search. */
  readonly found: Promise<readonly EventsPart[]> | null;
  /** Start of the next portion; null for the last one. */
  readonly next: number | null;
}

/** Prevents an unhandled rejection if the promise is never awaited. */
function unheard<T>(answer: Promise<T>): Promise<T> {
  answer.catch(() => undefined);
  return answer;
}

/** Adds to each part the events whose bodies match. */
async function* withBodies(
  parts: readonly ElementPart[],
  found: readonly EventsPart[],
  bodies: BodySearch,
): AsyncGenerator<ElementPart, void, undefined> {
  const byLast = new Map(found.map((part) => [part.last, part]));
  const turns = new Turns();
  for (const part of parts) {
    if (turns.over) await turns.next();
    const inIt = byLast.get(part.last);
    yield inIt === undefined ? part : { ...part, inBodies: bodies.in(inIt) };
  }
}

/** Reads the stored lines of logs. */
export function createElementParts(events: Model<RunEventBatchRecord>) {
  /** Filters in the store, without reading events: most records do not match. */
  const eventsWith = (
    runId: number,
    parts: readonly ElementPart[],
    { pattern }: BodySearch,
  ): Promise<readonly EventsPart[]> =>
    events
      .find(
        {
          runId,
          last: { $gte: parts[0]?.last, $lte: parts.at(-1)?.last },
          events: { $regex: pattern, $options: 'i' },
        },
        { first: 1, last: 1, events: 1 },
      )
      .lean<EventsPart[]>()
      .exec();

  async function portion(
    runId: number,
    from: number,
    upTo: number,
    { depth = Infinity, bodies = null }: WantedParts,
  ): Promise<Portion> {
    const atOnce = bodies === null ? AT_ONCE : LOOKED_INTO_AT_ONCE;
    const parts = await events
      .find(
        { runId, last: { $gte: from, $lte: upTo }, shallowest: upToDepth(depth) },
        { last: 1, elements: 1 },
      )
      .sort({ last: 1 })
      .limit(atOnce)
      .lean<ElementPart[]>();
    const next = (parts.at(-1)?.last ?? upTo) + 1;
    return {
      parts,
      found:
        bodies === null || parts.length === 0 ? null : unheard(eventsWith(runId, parts, bodies)),
      next: parts.length < atOnce || next > upTo ? null : next,
    };
  }

  return {
    /** Returns null if the log shows nothing yet. */
    async end(runId: number): Promise<LogEnd | null> {
      const newest = await events
        .findOne({ runId, shallowest: { $gte: 0 } }, { last: 1, elements: 1 })
        .sort({ last: -1 })
        .lean<ElementPart>();
      return (
        newest && {
          line: readLine(newest.elements.slice(newest.elements.lastIndexOf('\n') + 1)),
          last: newest.last,
        }
      );
    },

    /** Parts from one sequence up to another, in order. */
    async *parts(
      runId: number,
      from: number,
      upTo: number,
      wanted: WantedParts = {},
    ): AsyncGenerator<ElementPart, void, undefined> {
      const { bodies = null } = wanted;
      let isFirst = true;
      for (
        let coming: Promise<Portion> | null = portion(runId, from, upTo, wanted);
        coming !== null;
        isFirst = false
      ) {
        const { parts, found, next }: Portion = await coming;
        const following = (): Promise<Portion> | null =>
          next === null ? null : unheard(portion(runId, next, upTo, wanted));
        // Read ahead while these parts are processed. Without a search, most callers need only the
        // first.
        const ahead = isFirst && bodies === null ? null : following();
        yield* bodies === null || found === null ? parts : withBodies(parts, await found, bodies);
        coming = ahead ?? following();
      }
    },
  };
}

export type ElementParts = ReturnType<typeof createElementParts>;
