import type { RunError } from '../events';

/** setTimeout fires at once for anything longer. */
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * Rings when what a run waits for takes too long. One timer serves all that it waits for, one after the other, and sleeps on when it wakes and nothing is due: to set and
 * clear one for each step takes a twentieth of what the engine takes for it.
 */
export class Alarm implements Disposable {
  private timer: NodeJS.Timeout | null = null;
  /** When the timer wakes, which is never after it is due. */
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

/** Ends the walk because a step or operator failed. */
export class StepFailed extends Error {
  constructor(
    readonly failure: RunError,
    cause: unknown,
  ) {
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

/** One signal for the two ways a run is stopped from outside: cancel and the time-out of the run. */
export class StopSwitch implements Disposable {
  /** For what takes longer than it may, one thing at a time. */
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
   * Calls back when the run is stopped, at once when it is already; null lets go. A run waits for one thing at a time, so there is one to call:
   * a listener for each step would cost more than the rest of its waiting.
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
