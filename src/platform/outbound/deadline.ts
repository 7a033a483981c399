import { isNativeError } from 'node:util/types';
import { OutboundError } from './outbound-error';

const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * The end of a call: when its time is over or when the caller gives up. One timer and one listener for all its redirects, gone with it: a
 * signal made for each call (`AbortSignal.any`) would cost a third of the call, and be held by a caller's signal that lives for a whole run.
 */
export class Deadline implements Disposable {
  private ended: Error | null = null;
  private onEnd: ((reason: Error) => void) | null = null;
  private readonly timer: NodeJS.Timeout;
  private readonly giveUp = () => this.end(asError(this.caller.reason));

  constructor(private readonly caller: AbortSignal, timeoutMs: number) {
    this.caller.addEventListener('abort', this.giveUp, { once: true });
    this.timer = setTimeout(() => this.end(new OutboundError('OUTBOUND_TIMEOUT', `No complete answer within ${timeoutMs} ms.`)), Math.min(timeoutMs, LONGEST_TIMER));
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

  private end(reason: Error): void {
    this.ended ??= reason;
    this.onEnd?.(this.ended);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.timer);
    this.caller.removeEventListener('abort', this.giveUp);
    this.onEnd = null;
  }
}

const asError = (reason: unknown): Error => (isNativeError(reason) ? reason : new Error(String(reason)));
