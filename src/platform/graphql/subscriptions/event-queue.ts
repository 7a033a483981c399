import type { GraphqlContext } from '../../context';
import { Unavailable } from '../../errors/errors';
import type { EventBus } from '../../events/bus';

/**
 * What happens to a slow reader: `close` ends it with an error, and it subscribes again from what
 * it saw last; `coalesce` keeps only the newest event.
 */
type WhenFull = 'close' | 'coalesce';

interface QueueOptions {
  /**
   * Ends the queue. Pass the `signal` of the context, so that it ends when the subscriber leaves.
   */
  readonly signal: AbortSignal;
  readonly whenFull?: WhenFull;
  /** Maximum number of waiting events. Default: 1,000, or 1 for `coalesce`. */
  readonly capacity?: number;
}

/** A bounded queue of events for one reader. */
export class EventQueue<T> implements AsyncIterableIterator<T> {
  private readonly waiting: T[] = [];
  private reader: {
    resolve(result: IteratorResult<T>): void;
    reject(error: unknown): void;
  } | null = null;
  private ended: { readonly error?: Error } | null = null;
  private readonly endings: (() => void)[] = [];
  private readonly whenFull: WhenFull;
  private readonly capacity: number;

  constructor({
    signal,
    whenFull = 'close',
    capacity = whenFull === 'coalesce' ? 1 : 1_000,
  }: QueueOptions) {
    this.whenFull = whenFull;
    this.capacity = capacity;
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
    if (this.waiting.length < this.capacity) this.waiting.push(event);
    else if (this.whenFull === 'coalesce') this.waiting.splice(0, this.waiting.length, event);
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

/**
 * The events of a bus topic for one subscription, in order, from now on. An async generator that
 * replays stored events first must create the queue before it reads the store, or events in between
 * are lost.
 */
export function busEvents<T>(
  bus: EventBus,
  topic: string,
  options: QueueOptions & { readonly accepts?: (event: T) => boolean },
): EventQueue<T> {
  const queue = new EventQueue<T>(options);
  const { accepts } = options;
  queue.onEnd(
    bus.subscribe<T>(topic, (event) => {
      if (!accepts || accepts(event)) queue.push(event);
    }),
  );
  return queue;
}

export interface SubscriptionRequest {
  readonly context: GraphqlContext;
  readonly args: Readonly<Record<string, unknown>>;
}

interface EventsOptions<T> {
  readonly whenFull?: WhenFull;
  readonly capacity?: number;
  readonly accepts?: (event: T, request: SubscriptionRequest) => boolean;
}

/**
 * The `subscribe` of a field that passes on published events: `@Subscription(() => AuditEvent, {
 * subscribe: events(AUDIT_TOPIC) })`.
 */
export function events<T>(
  topic: string,
  { accepts, ...options }: EventsOptions<T> = {},
): (request: SubscriptionRequest) => EventQueue<T> {
  return (request) =>
    busEvents<T>(request.context.services.bus, topic, {
      ...options,
      signal: request.context.signal,
      accepts: accepts && ((event) => accepts(event, request)),
    });
}
