import type { RunError } from '../events';

/** Ends the walk because a step or operator failed. */
export class StepFailed extends Error {
  constructor(readonly failure: RunError, cause: unknown) {
    super(failure.message, { cause });
    this.name = 'StepFailed';
  }
}

/** Ends the walk from outside. */
export class RunStopped extends Error {
  constructor(readonly reason: 'CANCELLED' | 'TIMEOUT') {
    super(reason);
    this.name = 'RunStopped';
  }
}

/** The sink of events refused one, so nothing of the run could be told any more. */
export class EventsRefused extends Error {
  constructor(cause: unknown) {
    super('An event of the run could not be stored.', { cause });
    this.name = 'EventsRefused';
  }
}

/** setTimeout fires at once for anything longer. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** One signal for the two ways a run is stopped from outside: cancel and the time-out of the run. */
export class StopSwitch implements Disposable {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout | undefined;
  private readonly cancel = () => this.controller.abort(new RunStopped('CANCELLED'));

  constructor(private readonly outer: AbortSignal, runTimeoutMs: number | undefined) {
    if (outer.aborted) this.cancel();
    else outer.addEventListener('abort', this.cancel, { once: true });
    if (runTimeoutMs !== undefined && runTimeoutMs <= LONGEST_TIMER) {
      this.timer = setTimeout(() => this.controller.abort(new RunStopped('TIMEOUT')), runTimeoutMs);
    }
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** @throws RunStopped */
  check(): void {
    this.controller.signal.throwIfAborted();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.timer);
    this.outer.removeEventListener('abort', this.cancel);
  }
}
