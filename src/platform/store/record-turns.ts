import type { WorkQueue } from '../work-queue';
import { createWorkQueue } from '../work-queue';

/**
 * Does what is done to one thing one after the other, and what is done to different things at the same time. Transactions wait here; the
 * turns of the event loop, which long work is divided into, are `Turns` of `platform/json/turns.ts`.
 */
export interface RecordTurns {
  /** @throws Unavailable too many wait for their turn at this thing */
  of<R>(thing: string, work: () => Promise<R>): Promise<R>;
}

/** Waiting at one thing. */
const CAPACITY = 1_000;

/**
 * Turns in this process, for transactions that write the same record: taking turns costs them less than conflicting, since each conflict
 * means starting again. What must hold does not depend on it: other processes take turns of their own.
 */
export function createRecordTurns(limits = { concurrency: 1, capacity: CAPACITY }): RecordTurns {
  const queues = new Map<string, { readonly queue: WorkQueue; users: number }>();
  return {
    async of(thing, work) {
      const entry = queues.get(thing) ?? { queue: createWorkQueue(limits), users: 0 };
      queues.set(thing, entry);
      entry.users += 1;
      try {
        return await entry.queue.run(work);
      } finally {
        entry.users -= 1;
        if (entry.users === 0) queues.delete(thing);
      }
    },
  };
}
