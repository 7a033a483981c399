import type { WorkQueue } from '../queues';
import { createWorkQueue } from '../queues';

/**
 * Serialises work on the same key; work on different keys runs concurrently.
 */
interface RecordLocks {
  /** @throws Unavailable the queue of this key is full */
  of<R>(thing: string, work: () => Promise<R>): Promise<R>;
}

/** Queue length for each key. */
const CAPACITY = 1_000;

/**
 * Serialises transactions of this process that write the same record: waiting costs less than
 * conflicts, which restart the transaction. Correctness must not depend on it: other processes do
 * not share the queue.
 */
export function createRecordLocks(limits = { concurrency: 1, capacity: CAPACITY }): RecordLocks {
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
