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
const LOOKED_INTO_AT_ONCE = 64;

/** The last line of a log, and how far the log went then. */
export interface LogEnd {
  readonly line: ElementLine;
  readonly last: number;
}

/** Few values are looked up in the index, one by one. */
const FEW = 8;
const upToDepth = (depth: number): object => (depth < FEW ? { $in: Array.from({ length: depth + 1 }, (_, one) => one) } : { $gte: 0, $lte: depth });

/** Which parts of a log are read. */
interface WantedParts {
  /** Those alone in which something stands that is no deeper. */
  readonly depth?: number;
  /** They say what of them has a body with this in it. */
  readonly bodies?: BodySearch | null;
}

/** The lines of logs as they are stored. */
export function createElementParts(events: Model<RunEventBatchRecord>) {
  /** The same parts, with what is in their bodies: most have nothing of it, which the store says without handing their events on. */
  async function withBodies(runId: number, parts: readonly ElementPart[], bodies: BodySearch): Promise<ElementPart[]> {
    const [from, upTo] = [parts[0]?.last ?? 0, parts.at(-1)?.last ?? 0];
    const found = await events.find({ runId, last: { $gte: from, $lte: upTo }, events: { $regex: bodies.pattern, $options: 'i' } }, { first: 1, last: 1, events: 1 }).lean<EventsPart[]>();
    const byLast = new Map(found.map((part) => [part.last, part]));
    const turns = new Turns();
    const looked: ElementPart[] = [];
    for (const part of parts) {
      if (turns.over) await turns.next();
      const inIt = byLast.get(part.last);
      looked.push(inIt === undefined ? part : { ...part, inBodies: bodies.in(inIt) });
    }
    return looked;
  }

  return {
    /** Null: the log shows nothing yet. */
    async end(runId: number): Promise<LogEnd | null> {
      const newest = await events.findOne({ runId, shallowest: { $gte: 0 } }, { last: 1, elements: 1 }).sort({ last: -1 }).lean<ElementPart>();
      return newest && { line: readLine(newest.elements.slice(newest.elements.lastIndexOf('\n') + 1)), last: newest.last };
    },

    /** Those from a sequence on and up to another, in order. */
    async *parts(runId: number, from: number, upTo: number, { depth = Infinity, bodies = null }: WantedParts = {}): AsyncGenerator<ElementPart, void, undefined> {
      const atOnce = bodies === null ? AT_ONCE : LOOKED_INTO_AT_ONCE;
      for (let next = from; next <= upTo;) {
        const found = await events.find({ runId, last: { $gte: next, $lte: upTo }, shallowest: upToDepth(depth) }, { last: 1, elements: 1 })
          .sort({ last: 1 }).limit(atOnce).lean<ElementPart[]>();
        yield* bodies === null || found.length === 0 ? found : await withBodies(runId, found, bodies);
        if (found.length < atOnce) return;
        next = (found.at(-1)?.last ?? upTo) + 1;
      }
    },
  };
}

export type ElementParts = ReturnType<typeof createElementParts>;
