import { setImmediate } from 'node:timers/promises';
import { GraphQLError } from 'graphql';
import { LIVE_TIME_SLICE } from './live-time-slice';
import type { Outcome } from './error-format';

/** Errors of the root field that end a subscription: the permission is lost. */
const FINAL: ReadonlySet<string> = new Set(['UNAUTHENTICATED', 'TOKEN_EXPIRED', 'FORBIDDEN']);

const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined };

/**
 * The results of one subscription: one per event, each made when the reader requests the next, so
 * that events for a slow reader wait in the bounded queue of the source. Leaving does not wait for
 * the source: the abort signal ends it.
 */
export class LiveResults implements AsyncGenerator<Outcome, undefined, undefined> {
  private readonly source: AsyncIterator<unknown>;
  private finished = false;
  /** The last result, for a reader that was not waiting when the subscription ended. */
  private last: Outcome | null = null;
  /** True from an event until the reader requests the next one. */
  private busy = false;
  private onQuiet: (() => void)[] = [];
  private pending: ((result: IteratorResult<Outcome, undefined>) => void) | null = null;

  constructor(
    source: AsyncIterable<unknown>,
    private readonly ended: AbortController,
    private readonly answer: (event: unknown) => Promise<Outcome>,
    private readonly failure: (error: GraphQLError) => Outcome,
    /** Reports the end of the session, so that the end of the session waits for it. */
    readonly saysLastWords = false,
  ) {
    this.source = source[Symbol.asyncIterator]();
    const leave = (): void => {
      // Not if it is closed already: a last result may be on its way to the reader.
      if (!this.finished) void this.return();
    };
    ended.signal.addEventListener('abort', leave, { once: true });
    if (ended.signal.aborted) leave();
  }

  next(): Promise<IteratorResult<Outcome, undefined>> {
    this.quiet();
    const last = this.last;
    this.last = null;
    if (last) return Promise.resolve({ done: false, value: last });
    if (this.finished) return Promise.resolve(DONE);
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
    if (this.finished) return;
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
  async settled(): Promise<void> {
    await setImmediate();
    while (this.busy) {
      await new Promise<void>((resolve) => this.onQuiet.push(resolve));
      await setImmediate();
    }
  }

  return(): Promise<IteratorReturnResult<undefined>> {
    this.close();
    this.quiet();
    this.pending?.(DONE);
    this.pending = null;
    return Promise.resolve(DONE);
  }

  throw(): Promise<IteratorReturnResult<undefined>> {
    return this.return();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  /** Errors of the source are ignored: it is not read any more. */
  private close(): void {
    if (this.finished) return;
    this.finished = true;
    if (this.pending === null) this.quiet();
    this.ended.abort();
    void this.source.return?.().catch(() => undefined);
  }

  private quiet(): void {
    this.busy = false;
    for (const resolve of this.onQuiet.splice(0)) resolve();
  }

  private async produce(): Promise<IteratorResult<Outcome, undefined>> {
    try {
      const event = await this.source.next();
      if (event.done) this.close();
      if (this.finished) return DONE;
      this.busy = true;
      for (let wait = LIVE_TIME_SLICE.over(); wait !== null; wait = LIVE_TIME_SLICE.over())
        await wait;
      if (this.finished) return DONE;
      const value = await this.answer(event.value);
      if (
        value.errors?.some(
          ({ path, extensions }) => path?.length === 1 && FINAL.has(extensions.code),
        )
      )
        this.close();
      return { done: false, value };
    } catch (error) {
      this.close();
      const original = error instanceof Error ? error : new Error(String(error));
      return {
        done: false,
        value: this.failure(
          original instanceof GraphQLError
            ? original
            : new GraphQLError(original.message, { originalError: original }),
        ),
      };
    }
  }
}
