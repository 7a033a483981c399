import type { CancelSignal } from './cancel-signal';

/** Running work, which can learn that its time is up or its caller gone. */
export interface RunningOperation {
  /** Created at first use: most operations never read it. */
  readonly signal: AbortSignal;
}

class Work implements RunningOperation {
  private controller: AbortController | null = null;
  private isGivenUp = false;
  onGivenUp: (() => void) | null = null;

  constructor(readonly dueAt: number) {}

  get signal(): AbortSignal {
    this.controller ??= new AbortController();
    if (this.isGivenUp) this.controller.abort();
    return this.controller.signal;
  }

  giveUp(): void {
    if (this.isGivenUp) return;
    this.isGivenUp = true;
    this.controller?.abort();
    this.onGivenUp?.();
  }
}

/**
 * Stops waiting for work that takes too long or whose caller is gone. All work has the same time
 * limit, so that one timer for the oldest is enough.
 */
export class TimeLimiter {
  private readonly running = new Set<Work>();
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly timeMs: number) {}

  /**
   * Runs `start`. Returns null if its time is up or its caller cancels first; `late` gets the
   * result that comes after that. Rejects if `start` rejects.
   */
  async run<T>(
    cancelSignal: CancelSignal,
    start: (running: RunningOperation) => T | Promise<T>,
    late?: (result: T) => void,
  ): Promise<T | null> {
    const work = new Work(performance.now() + this.timeMs);
    const giveUp = (): void => work.giveUp();
    cancelSignal.onCancel(giveUp);
    this.running.add(work);
    this.startTimer();
    try {
      const result = start(work);
      if (!(result instanceof Promise)) return result;
      return await new Promise<T | null>((resolve, reject) => {
        work.onGivenUp = () => {
          this.running.delete(work);
          resolve(null);
          if (late) result.then(late, () => undefined);
        };
        if (cancelSignal.isCancelled) work.onGivenUp();
        else result.then(resolve, reject);
      });
    } finally {
      this.running.delete(work);
      cancelSignal.offCancel(giveUp);
    }
  }

  private startTimer(): void {
    const [oldest] = this.running;
    if (this.timer !== null || !oldest) return;
    const ms = Math.max(1, Math.ceil(oldest.dueAt - performance.now()));
    this.timer = setTimeout(() => this.onTimer(), ms).unref();
  }

  private onTimer(): void {
    this.timer = null;
    const now = performance.now();
    for (const work of this.running) {
      if (work.dueAt > now) break;
      work.giveUp();
    }
    this.startTimer();
  }
}
