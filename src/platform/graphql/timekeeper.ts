import type { Departure } from './asker';

/** Running work, which can learn that its time is up or its caller gone. */
export interface RunningWork {
  /** Created at first use: most operations never read it. */
  readonly signal: AbortSignal;
}

/** Stops waiting for work that takes too long or whose caller is gone. */
interface Timekeeper {
  /**
   * Runs `work`. Returns null if its time is up or its caller leaves first; `late` gets the result
   * that comes after that. Rejects if `work` rejects.
   */
  run<T>(
    departure: Departure,
    work: (running: RunningWork) => T | Promise<T>,
    late?: (result: T) => void,
  ): Promise<T | null>;
}

class Work implements RunningWork {
  private controller: AbortController | null = null;
  private givenUp = false;
  onGivenUp: (() => void) | null = null;

  constructor(readonly dueAt: number) {}

  get signal(): AbortSignal {
    this.controller ??= new AbortController();
    if (this.givenUp) this.controller.abort();
    return this.controller.signal;
  }

  giveUp(): void {
    if (this.givenUp) return;
    this.givenUp = true;
    this.controller?.abort();
    this.onGivenUp?.();
  }
}

/** All work has the same time limit, ms, so that one timer for the oldest is enough. */
export function createTimekeeper(timeMs: number): Timekeeper {
  const running = new Set<Work>();
  let timer: NodeJS.Timeout | null = null;

  const look = (): void => {
    timer = null;
    const now = performance.now();
    for (const work of running) {
      if (work.dueAt > now) break;
      work.giveUp();
    }
    arm();
  };
  const arm = (): void => {
    const [oldest] = running;
    if (timer === null && oldest)
      timer = setTimeout(look, Math.max(1, Math.ceil(oldest.dueAt - performance.now()))).unref();
  };

  return {
    async run(departure, start, late) {
      const work = new Work(performance.now() + timeMs);
      const giveUp = (): void => work.giveUp();
      departure.onGone(giveUp);
      running.add(work);
      arm();
      try {
        const result = start(work);
        if (!(result instanceof Promise)) return result;
        const givenUp = new Promise<null>((resolve) => {
          work.onGivenUp = () => {
            running.delete(work);
            resolve(null);
            if (late) result.then(late, () => undefined);
          };
        });
        if (departure.gone) work.onGivenUp?.();
        return await Promise.race([result, givenUp]);
      } finally {
        running.delete(work);
        departure.offGone(giveUp);
      }
    },
  };
}
