import type { GraphqlContext } from '../../context';
import { Unavailable } from '../../errors/errors';

/** Maximum number of waiting events. */
const CAPACITY = 1_000;

/**
 * A bounded queue of events for one reader. If it is full, it ends with an error: the reader
 * subscribes again from what it saw last.
 */
class EventQueue<T> implements AsyncIterableIterator<T> {
  private readonly waiting: T[] = [];
  private reader: {
    resolve(result: IteratorResult<T>): void;
    reject(error: unknown): void;
  } | null = null;
  private ended: { readonly error?: Error } | null = null;
  private readonly endings: (() => void)[] = [];

  /** @param signal ends the queue */
  constructor(signal: AbortSignal) {
    if (signal.aborted) this.end();
    const onAbort = (): void => this.end();
    signal.addEventListener('abort', onAbort, { once: true });
    this.onEnd(() => signal.removeEventListener('abort', onAbort));
  }

  /** Passes an event to the reader, or queues it. */
  push(event: T): void {
    if (this.ended) return;
    const reader = this.reader;
    if (reader) {
      this.reader = null;
      reader.resolve({ done: false, value: event });
      return;
    }
    if (this.waiting.length < CAPACITY) this.waiting.push(event);
    else
      this.end(
        new Unavailable(
          'This subscriber reads too slowly. Subscribe again from the last event it saw.',
          0,
        ),
      );
  }

  /** Ends the queue: waiting events are dropped, and the reader gets the error if there is one. */
  end(error?: Error): void {
    if (this.ended) return;
    this.ended = { error };
    this.waiting.length = 0;
    const reader = this.reader;
    this.reader = null;
    for (const ending of this.endings.splice(0)) ending();
    if (!reader) return;
    if (error) reader.reject(error);
    else reader.resolve({ done: true, value: undefined });
  }

  /** Calls `ending` when the queue ends, at once if it has ended. */
  onEnd(ending: () => void): void {
    if (this.ended) ending();
    else this.endings.push(ending);
  }

  next(): Promise<IteratorResult<T>> {
    const event = this.waiting.shift();
    if (event !== undefined) return Promise.resolve({ done: false, value: event });
    if (this.ended) {
      const { error } = this.ended;
      this.ended = {};
      return error ? Promise.reject(error) : Promise.resolve({ done: true, value: undefined });
    }
    return new Promise((resolve, reject) => {
      this.reader = { resolve, reject };
    });
  }

  return(): Promise<IteratorResult<T>> {
    this.end();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

export interface SubscriptionRequest {
  readonly context: GraphqlContext;
  readonly args: Readonly<Record<string, unknown>>;
}

/**
 * The `subscribe` of a field that passes on published events, in order, from now on:
 * `@Subscription(() => AuditEvent, { subscribe: events(AUDIT_TOPIC) })`.
 */
export const events =
  <T>(
    topic: string,
    accepts: (event: T, request: SubscriptionRequest) => boolean = () => true,
  ): ((request: SubscriptionRequest) => AsyncIterableIterator<T>) =>
  (request) => {
    const { signal, services } = request.context;
    const queue = new EventQueue<T>(signal);
    queue.onEnd(
      services.bus.subscribe<T>(topic, (event) => {
        if (accepts(event, request)) queue.push(event);
      }),
    );
    return queue;
  };
