/** A stream of events that is the same for many readers. */
export interface Topic<E> {
  /**
   * Topics with the same name yield the same events, regardless of arguments. Authorization is
   * checked elsewhere.
   */
  readonly channel: string;
  /** Position of a reader that has not seen any event. */
  readonly start: number;
  /** Position after this event; increases from event to event. */
  readonly placeOf: (event: E) => number;
  /** Yields all events after a position, in order, until the signal aborts. */
  readonly open: (place: number, signal: AbortSignal) => AsyncIterableIterator<E>;
  /**
   * Minimum time between two events of one reader, ms. The topic enforces it; a reader that joins
   * others is subject to it from the next event on. Default: 0.
   */
  readonly pauseMs?: number;
}

/**
 * Source of a subscription that readers share: a reader at the same position as others shares their
 * stream; a reader that falls behind continues with a stream of its own. The result of the root
 * field must depend on the event and the caller only, not on its arguments.
 */
export class SharedEvents<E> implements AsyncIterable<E> {
  constructor(
    readonly topic: Topic<E>,
    private readonly signal: AbortSignal,
  ) {}

  [Symbol.asyncIterator](): AsyncIterableIterator<E> {
    return this.topic.open(this.topic.start, this.signal);
  }
}
