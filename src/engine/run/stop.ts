import type { RunError } from '../events';

/** Returns the time left until a deadline, ms; a positive integer even if it has passed. */
export const timeLeft = (deadline: number): number =>
  Math.max(Math.ceil(deadline - performance.now()), 1);

/** Maximum delay of setTimeout; longer ones fire at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * Timeout for what the run currently waits for. Reuses one timer, which is set again when it fires
 * early: setting and clearing a timer per step would take 5 % of the engine's time for it.
 */
export class Alarm implements Disposable {
  private timer: NodeJS.Timeout | null = null;
  /** When the timer fires; never after `dueAt`. */
  private wakesAt = Infinity;
  private dueAt = Infinity;
  private ring: (() => void) | null = null;

  set(milliseconds: number, ring: () => void): void {
    this.dueAt = performance.now() + milliseconds;
    this.ring = ring;
    if (this.dueAt < this.wakesAt) this.sleep(milliseconds);
  }

  off(): void {
    this.ring = null;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.timer ?? undefined);
  }

  private sleep(milliseconds: number): void {
    clearTimeout(this.timer ?? undefined);
    this.wakesAt = performance.now() + milliseconds;
    this.timer = setTimeout(() => this.wake(), Math.min(milliseconds, LONGEST_TIMER));
  }

  private wake(): void {
    this.wakesAt = Infinity;
    const left = this.dueAt - performance.now();
    const { ring } = this;
    if (ring === null) return;
    if (left > 0) this.sleep(left);
    else ring();
  }
}

/** Ends the run because a step or operator failed. */
export class StepFailed extends Error {
  constructor(
    readonly failure: RunError,
    cause: unknown,
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
  /** Timeout for what the run currently waits for. */
  readonly alarm = new Alarm();
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
    this.alarm[Symbol.dispose]();
    this.outer.removeEventListener('abort', this.cancel);
  }
}
