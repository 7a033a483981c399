import { Unavailable } from '../errors/errors';

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
export function createWorkQueue({ concurrency, capacity }: { concurrency: number; capacity: number }): WorkQueue {
  const turns: (() => void)[] = [];
  let running = 0;

  const turn = async (): Promise<void> => {
    if (running < concurrency) {
      running += 1;
      return;
    }
    if (turns.length >= capacity) throw new Unavailable('Too many requests are waiting for their turn. Try again.', 2);
    // The one who leaves hands his place over, so `running` stays as it is.
    await new Promise<void>((resolve) => turns.push(resolve));
  };
  const leave = (): void => {
    const next = turns.shift();
    if (next) next();
    else running -= 1;
  };

  return {
    get waiting() {
      return turns.length;
    },
    async run(work) {
      await turn();
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
