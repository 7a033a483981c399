import type { RecordedExchange, RunError } from '../events';

/** Maximum delay of setTimeout; longer ones fire at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** Ends the run because a step or operator failed. */
export class StepFailed extends Error {
  constructor(
    readonly failure: RunError,
    cause: unknown,
    /** What the step sent and received, as far as it is kept. */
    readonly exchange: RecordedExchange | null = null,
  ) {
    super(failure.message, { cause });
    this.name = 'StepFailed';
  }
}

/** Ends the run because it was cancelled or timed out. */
export class RunStopped extends Error {
  constructor(readonly reason: 'CANCELLED' | 'TIMEOUT') {
    super(reason);
    this.name = 'RunStopped';
  }
}

/** The port refused an event, so nothing more of the run can be reported. */
export class EventsRefused extends Error {
  constructor(cause: unknown) {
    super('An event of the run could not be stored.', { cause });
    this.name = 'EventsRefused';
  }
}

/** Combines cancellation and timeout of a run in one signal. */
export class StopSwitch implements Disposable {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout | undefined;
  private readonly cancel = () => this.stop('CANCELLED');
  private onStop: ((reason: RunStopped) => void) | null = null;

  constructor(
    private readonly outer: AbortSignal,
    runTimeoutMs: number | undefined,
  ) {
    if (outer.aborted) this.cancel();
    else outer.addEventListener('abort', this.cancel, { once: true });
    if (runTimeoutMs !== undefined && runTimeoutMs <= LONGEST_TIMER) {
      this.timer = setTimeout(() => this.stop('TIMEOUT'), runTimeoutMs);
    }
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /**
   * Sets the callback for a stop (called at once if the run is already stopped); null removes it.
   * There is one callback, since a run waits for one thing at a time, and a listener per step is
   * slow.
   */
  watch(onStop: ((reason: RunStopped) => void) | null): void {
    this.onStop = onStop;
    if (this.signal.aborted) onStop?.(this.signal.reason as RunStopped);
  }

  private stop(reason: RunStopped['reason']): void {
    if (this.signal.aborted) return;
    const stopped = new RunStopped(reason);
    this.controller.abort(stopped);
    this.onStop?.(stopped);
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
