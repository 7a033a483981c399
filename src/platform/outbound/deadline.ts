import { isNativeError } from 'node:util/types';
import { OutboundError } from './outbound-error';

const LONGEST_TIMER = 2 ** 31 - 1;

/** Calls in progress by caller signal. One listener per signal: adding one per call is slow. */
const calls = new WeakMap<AbortSignal, Set<Deadline>>();

function callsOf(caller: AbortSignal): Set<Deadline> {
  const known = calls.get(caller);
  if (known !== undefined) return known;
  const going = new Set<Deadline>();
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
 * Timeout of a call combined with the signal of the caller; one timer for all redirects. Creating a
 * signal per call (`AbortSignal.any`) would cost a third of the call, and the caller's signal,
 * which lives as long as the run, would keep it in memory.
 */
export class Deadline {
  private ended: Error | null = null;
  private onEnd: ((reason: Error) => void) | null = null;
  private readonly timer: NodeJS.Timeout;
  private readonly going: Set<Deadline>;

  constructor(caller: AbortSignal, timeoutMs: number) {
    this.going = callsOf(caller);
    this.going.add(this);
    this.timer = setTimeout(
      () =>
        this.end(
          new OutboundError('OUTBOUND_TIMEOUT', `No complete answer within ${timeoutMs} ms.`),
        ),
      Math.min(timeoutMs, LONGEST_TIMER),
    );
  }

  /** Null until the deadline has passed or the caller has aborted. */
  get reason(): Error | null {
    return this.ended;
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
    this.going.delete(this);
    this.onEnd = null;
  }
}

const asError = (reason: unknown): Error =>
  isNativeError(reason) ? reason : new Error(String(reason));
