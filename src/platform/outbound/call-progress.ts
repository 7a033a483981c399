import { isNativeError } from 'node:util/types';
import type { NameLookups } from './name-lookups';
import { OutboundError } from './outbound-error';
import type { Target } from './target';

const LONGEST_TIMER = 2 ** 31 - 1;

/** Calls in progress by caller signal. One listener per signal: adding one per call is slow. */
const calls = new WeakMap<AbortSignal, Set<CallProgress>>();

function callsOf(caller: AbortSignal): Set<CallProgress> {
  const existing = calls.get(caller);
  if (existing !== undefined) return existing;
  const going = new Set<CallProgress>();
  calls.set(caller, going);
  caller.addEventListener(
    'abort',
    () => {
      for (const call of [...going]) call.end(asError(caller.reason));
    },
    { once: true },
  );
  return going;
}

/**
 * How far a call has got, with its timeout combined with the signal of the caller; one timer for
 * all redirects. It begins when the first request is sent, and does not pass while the name of its
 * host is resolved. Creating a signal per call (`AbortSignal.any`) would cost a third of the call, and the caller's
 * signal, which lives as long as the run, would keep it in memory.
 */
export class CallProgress {
  /** Whether the headers of the response to the current request have arrived. */
  hasHeaders = false;
  private ended: Error | null = null;
  private onEnd: ((reason: Error) => void) | null = null;
  private timer: NodeJS.Timeout | undefined;
  private readonly going: Set<CallProgress>;
  private startedAt: number | null = null;
  /** Time for the names of earlier requests of the call, ms. */
  private waitedMs = 0;
  /** For how long the name had been resolved before the current request, ms; null if connected. */
  private resolvedMs: number | null = null;

  /**
   * @param target of the current request
   * @param timeoutText for the message of the error
   */
  constructor(
    public target: Target,
    caller: AbortSignal,
    private readonly lookups: NameLookups,
    private readonly timeoutMs: number,
    private readonly timeoutText: string,
  ) {
    this.going = callsOf(caller);
    this.going.add(this);
  }

  /** Null until the deadline has passed or the caller has aborted. */
  get reason(): Error | null {
    return this.ended;
  }

  /** Time that counts towards the timeout so far, ms; 0 if nothing was sent. */
  get spentMs(): number {
    return this.startedAt === null
      ? 0
      : performance.now() - this.startedAt - this.waitedMs - this.waitingMs;
  }

  /** Call when a request of the call is about to be sent. */
  open(target: Target): void {
    this.target = target;
    this.hasHeaders = false;
    this.resolvedMs = this.lookups.durationOf(target.hostname);
    if (this.startedAt !== null) return;
    this.startedAt = performance.now();
    this.schedule(this.timeoutMs);
  }

  /** Call when the request has a connection. */
  opened(): void {
    this.waitedMs += this.waitingMs;
    this.resolvedMs = null;
  }

  /**
   * Calls `onEnd` on timeout or abort, or at once if it happened already; replaces the last one.
   */
  watch(onEnd: (reason: Error) => void): void {
    this.onEnd = onEnd;
    if (this.ended !== null) onEnd(this.ended);
  }

  end(reason: Error): void {
    this.ended ??= reason;
    this.onEnd?.(this.ended);
  }

  /** Call when the request is complete. */
  dispose(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.going.delete(this);
    this.onEnd = null;
  }

  private get waitingMs(): number {
    const { resolvedMs, lookups } = this;
    if (resolvedMs === null) return 0;
    // Less if the time of the name was forgotten.
    return Math.max(lookups.durationOf(this.target.hostname) - resolvedMs, 0);
  }

  private schedule(milliseconds: number): void {
    // Timers run before sockets are read: after a pause of this process, read what has arrived.
    this.timer = setTimeout(
      () => setImmediate(() => this.check()),
      Math.min(milliseconds, LONGEST_TIMER),
    );
  }

  private check(): void {
    if (this.timer === undefined || this.ended !== null) return;
    const leftMs = this.timeoutMs - this.spentMs;
    // Timers may fire almost a millisecond early.
    if (leftMs > 1) this.schedule(leftMs);
    else
      this.end(
        new OutboundError('OUTBOUND_TIMEOUT', `No complete answer within ${this.timeoutText}.`),
      );
  }
}

const asError = (reason: unknown): Error =>
  isNativeError(reason) ? reason : new Error(String(reason));
