import { AsyncResource } from 'node:async_hooks';
import PQueue from 'p-queue';
import { Unavailable } from './errors/errors';
import { whileHolding } from './time-slices';

/**
 * Runs expensive work a few at a time and rejects more than it can hold, so that a flood costs time
 * but not memory.
 */
export interface WorkQueue {
  /**
   * Runs `work` when a slot is free.
   * @throws Unavailable the queue is full
   */
  run<R>(work: () => Promise<R>): Promise<R>;
  /** Number of waiting entries, without those that are running. */
  readonly waiting: number;
}

/** `concurrency` pieces of work at once, at most `capacity` waiting. */
export function createWorkQueue({
  concurrency,
  capacity,
}: {
  concurrency: number;
  capacity: number;
}): WorkQueue {
  const turns = new PQueue({ concurrency });
  return {
    get waiting() {
      return turns.size;
    },
    async run(work) {
      if (turns.pending >= concurrency && turns.size >= capacity)
        throw new Unavailable('Too many requests are waiting for their turn. Try again.', 2);
      // Keeps the caller's task: the end of other work starts this one.
      return turns.add(AsyncResource.bind(() => whileHolding(work)));
    },
  };
}
