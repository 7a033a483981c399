import type { Model } from 'mongoose';
import type { RunEventBatchRecord } from '../run.model';
import type { ElementLine } from './element-line';
import { readLine } from './element-line';
import type { ElementPart } from './element-scan';

/** Records whose lines are read at once: some hundred kilobytes, whatever the log is. */
const AT_ONCE = 16;

/** The last line of a log, and how far the log went then. */
export interface LogEnd {
  readonly line: ElementLine;
  readonly last: number;
}

/** Few values are looked up in the index, one by one. */
const FEW = 8;
const upToDepth = (depth: number): object => (depth < FEW ? { $in: Array.from({ length: depth + 1 }, (_, one) => one) } : { $gte: 0, $lte: depth });

/** The lines of logs as they are stored. */
export function createElementParts(events: Model<RunEventBatchRecord>) {
  return {
    /** Null: the log shows nothing yet. */
    async end(runId: number): Promise<LogEnd | null> {
      const newest = await events.findOne({ runId, shallowest: { $gte: 0 } }, { last: 1, elements: 1 }).sort({ last: -1 }).lean<ElementPart>();
      return newest && { line: readLine(newest.elements.slice(newest.elements.lastIndexOf('\n') + 1)), last: newest.last };
    },

    /** Those from a sequence on and up to another, in order; with `depth` those alone in which something stands that is no deeper. */
    async *parts(runId: number, from: number, upTo: number, depth = Infinity): AsyncGenerator<ElementPart, void, undefined> {
      for (let next = from; next <= upTo;) {
        const found = await events.find({ runId, last: { $gte: next, $lte: upTo }, shallowest: upToDepth(depth) }, { last: 1, elements: 1 })
          .sort({ last: 1 }).limit(AT_ONCE).lean<ElementPart[]>();
        yield* found;
        if (found.length < AT_ONCE) return;
        next = (found.at(-1)?.last ?? upTo) + 1;
      }
    },
  };
}

export type ElementParts = ReturnType<typeof createElementParts>;
