import type { Model } from 'mongoose';
import { Turns } from '../../../platform/json/turns';
import type { RunEventBatchRecord } from '../run.model';
import type { ElementLine } from './element-line';
import { readLine } from './element-line';
import type { ElementPart } from './element-scan';
import type { BodySearch, EventsPart } from './log-bodies';

/** Records whose lines are read at once: some hundred kilobytes, whatever the log is. */
const AT_ONCE = 32;
/** The same where the store looks into their events: it hands on few of these. */
const LOOKED_INTO_AT_ONCE = 32;

/** The last line of a log, and how far the log went then. */
export interface LogEnd {
  readonly line: ElementLine;
  readonly last: number;
}

/** Few values are looked up in the index, one by one. */
const FEW = 8;
const upToDepth = (depth: number): object =>
  depth < FEW
    ? { $in: Array.from({ length: depth + 1 }, (_, one) => one) }
    : { $gte: 0, $lte: depth };

/** Which parts of a log are read. */
interface WantedParts {
  /** Those alone in which something stands that is no deeper. */
  readonly depth?: number;
  /** They say what of them has a body with this in it. */
  readonly bodies?: BodySearch | null;
}

/** Records in a row. */
interface Portion {
  readonly parts: readonly ElementPart[];
  /** Those of them whose events may hold what is looked for. Null: nothing is. */
  readonly found: Promise<readonly EventsPart[]> | null;
  /** Where the next one begins. Null: this is the last. */
  readonly next: number | null;
}

/** When it fails and nobody waits for it any more, nobody hears of it. */
function unheard<T>(answer: Promise<T>): Promise<T> {
  answer.catch(() => undefined);
  return answer;
}

/** Parts with what is in their bodies. */
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

/** The lines of logs as they are stored. */
export function createElementParts(events: Model<RunEventBatchRecord>) {
  /** Most have nothing of what is looked for in their bodies, which the store says without handing their events on. */
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
    /** Null: the log shows nothing yet. */
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

    /** Those from a sequence on and up to another, in order. */
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
        // The store reads on while these are looked at. Most who do not search need no more than the first.
        const ahead = isFirst && bodies === null ? null : following();
        yield* bodies === null || found === null ? parts : withBodies(parts, await found, bodies);
        coming = ahead ?? following();
      }
    },
  };
}

export type ElementParts = ReturnType<typeof createElementParts>;
