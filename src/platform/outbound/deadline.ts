import { isNativeError } from 'node:util/types';
import { OutboundError } from './outbound-error';

const LONGEST_TIMER = 2 ** 31 - 1;

/** The calls that end with each signal: one listener serves all that a run makes, since to add and drop one costs as much as all else here. */
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
 * The end of a call: when its time is over or when the caller gives up. One timer for all its redirects, gone with it: a signal made for each
 * call (`AbortSignal.any`) would cost a third of the call, and be held by a caller's signal that lives for a whole run.
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

  /** Null until it is over. */
  get reason(): Error | null {
    return this.ended;
  }

  /** Calls back when it is over, at once when it is already; whoever watched before is let go. */
  watch(onEnd: (reason: Error) => void): void {
    this.onEnd = onEnd;
    if (this.ended !== null) onEnd(this.ended);
  }

  end(reason: Error): void {
    this.ended ??= reason;
    this.onEnd?.(this.ended);
  }

  /** The call has been made. */
  dispose(): void {
    clearTimeout(this.timer);
    this.going.delete(this);
    this.onEnd = null;
  }
}

const asError = (reason: unknown): Error =>
  isNativeError(reason) ? reason : new Error(String(reason));
