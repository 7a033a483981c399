import { AsyncResource } from 'node:async_hooks';
import PQueue from 'p-queue';
import { Unavailable } from './errors/errors';
import { whileHolding } from './time-slices';

/** Runs expensive work a few at a time and refuses more than it can hold, so that a flood costs waiting and never memory. */
export interface WorkQueue {
  /**
   * Runs `work` when its turn comes.
   * @throws Unavailable as many are waiting as the queue holds
   */
  run<R>(work: () => Promise<R>): Promise<R>;
  /** Waiting now, those being worked on apart. */
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
      // Bound to the caller's task: the end of other work starts it.
      return turns.add(AsyncResource.bind(() => whileHolding(work)));
    },
  };
}
