import { setImmediate } from 'node:timers/promises';
import type { Outcome } from '../operations/error-format';
import { SharedTimeSlice } from '../../event-loop';

/**
 * Shared by all GraphQL subscriptions: many events for many subscribers would delay other callers
 * for too long.
 */
export const SUBSCRIPTION_TIME_SLICE = new SharedTimeSlice();

/** Errors of the root field that end a subscription: the permission is lost. */
const FINAL_CODES: ReadonlySet<string> = new Set(['UNAUTHENTICATED', 'TOKEN_EXPIRED', 'FORBIDDEN']);

const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined };

/**
 * The results of one subscription: one per event, each made when the reader requests the next, so
 * that events for a slow reader wait in the bounded queue of the source. Leaving does not wait for
 * the source: the abort signal ends it.
 */
export class SubscriptionResults implements AsyncIterableIterator<Outcome, undefined> {
  private readonly source: AsyncIterator<unknown>;
  private isFinished = false;
  /** The last result, for a reader that was not waiting when the subscription ended. */
  private last: Outcome | null = null;
  /** True from an event until the reader requests the next one. */
  private isBusy = false;
  private idleListeners: (() => void)[] = [];
  private pending: ((result: IteratorResult<Outcome, undefined>) => void) | null = null;

  constructor(
    source: AsyncIterable<unknown>,
    private readonly abort: AbortController,
    private readonly execute: (event: unknown) => Promise<Outcome>,
    private readonly formatError: (error: Error) => Outcome,
    /** Reports the end of the session, so that the end of the session waits for it. */
    readonly reportsSessionEnd = false,
  ) {
    this.source = source[Symbol.asyncIterator]();
    const leave = (): void => {
      // Not if it is closed already: a last result may be on its way to the reader.
      if (!this.isFinished) void this.return();
    };
    abort.signal.addEventListener('abort', leave, { once: true });
    if (abort.signal.aborted) leave();
  }

  next(): Promise<IteratorResult<Outcome, undefined>> {
    this.markIdle();
    const last = this.last;
    this.last = null;
    if (last) return Promise.resolve({ done: false, value: last });
    if (this.isFinished) return Promise.resolve(DONE);
    return new Promise((resolve) => {
      this.pending = resolve;
      void this.produce().then((result) => {
        if (this.pending === resolve) this.pending = null;
        resolve(result);
      });
    });
  }

  /** Ends with this result, without waiting for an event. */
  end(last: Outcome): void {
    if (this.isFinished) return;
    this.close();
    if (this.pending) this.pending({ done: false, value: last });
    else this.last = last;
    this.pending = null;
  }

  /**
   * Resolves when the reader has received what was published before, or the subscription has ended.
   * Published events are already in the queue of the source, and come from there within one event
   * loop iteration.
   */
  async untilIdle(): Promise<void> {
    await setImmediate();
    while (this.isBusy) {
      await new Promise<void>((resolve) => this.idleListeners.push(resolve));
      await setImmediate();
    }
  }

  return(): Promise<IteratorReturnResult<undefined>> {
    this.close();
    this.markIdle();
    this.pending?.(DONE);
    this.pending = null;
    return Promise.resolve(DONE);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Errors of the source are ignored: it is not read any more. */
  private close(): void {
    if (this.isFinished) return;
    this.isFinished = true;
    if (this.pending === null) this.markIdle();
    this.abort.abort();
    void this.source.return?.().catch(() => undefined);
  }

  private markIdle(): void {
    this.isBusy = false;
    for (const resolve of this.idleListeners.splice(0)) resolve();
  }

  private async produce(): Promise<IteratorResult<Outcome, undefined>> {
    try {
      const event = await this.source.next();
      if (event.done) this.close();
      if (this.isFinished) return DONE;
      this.isBusy = true;
      for (
        let wait = SUBSCRIPTION_TIME_SLICE.over();
        wait !== null;
        wait = SUBSCRIPTION_TIME_SLICE.over()
      )
        await wait;
      if (this.isFinished) return DONE;
      const value = await this.execute(event.value);
      if (
        value.errors?.some(
          ({ path, extensions }) => path?.length === 1 && FINAL_CODES.has(extensions.code),
        )
      )
        this.close();
      return { done: false, value };
    } catch (error) {
      this.close();
      const failure = error instanceof Error ? error : new Error(String(error));
      return { done: false, value: this.formatError(failure) };
    }
  }
}
