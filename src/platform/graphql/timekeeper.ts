import type { Departure } from './departure';

/** What is running, and how it hears that nobody waits for it any more. */
export interface RunningWork {
  /** Made when it is first asked for: most operations never look. */
  readonly signal: AbortSignal;
}

/** Ends the waiting for work that takes too long or that nobody waits for. */
export interface Timekeeper {
  /**
   * Runs `work`; null when its time was up or its caller was gone first. `late` is given what it brings after that. Rejects as it does.
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

/** Everything gets the same time, ms, so one timer for the oldest serves all. */
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
