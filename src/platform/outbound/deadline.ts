import { OutboundError } from './outbound-error';

const LONGEST_TIMER = 2 ** 31 - 1;

/** The one signal of a call: aborted when its time is over or when the caller gives up. */
export class Deadline implements Disposable {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private readonly giveUp = () => this.controller.abort(this.caller.reason);

  constructor(private readonly caller: AbortSignal, timeoutMs: number) {
    if (caller.aborted) this.giveUp();
    else caller.addEventListener('abort', this.giveUp, { once: true });
    this.timer = setTimeout(() => this.expire(timeoutMs), Math.min(timeoutMs, LONGEST_TIMER));
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  private expire(timeoutMs: number): void {
    this.controller.abort(new OutboundError('OUTBOUND_TIMEOUT', `No complete answer within ${timeoutMs} ms.`));
  }

  [Symbol.dispose](): void {
    clearTimeout(this.timer);
    this.caller.removeEventListener('abort', this.giveUp);
  }
}
