/** How a stream of events is read that is the same for many readers. */
interface SharedEventsParts<E> {
  /**
   * Sources with the same name yield the same events, regardless of arguments. Authorization is
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
   * Minimum time between two events of one reader, ms. The source enforces it; a reader that joins
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
  readonly channel: string;
  readonly start: number;
  readonly placeOf: (event: E) => number;
  readonly open: (place: number, signal: AbortSignal) => AsyncIterableIterator<E>;
  readonly pauseMs: number;

  constructor(
    { channel, start, placeOf, open, pauseMs = 0 }: SharedEventsParts<E>,
    private readonly signal: AbortSignal,
  ) {
    [this.channel, this.start, this.placeOf, this.open, this.pauseMs] = [
      channel,
      start,
      placeOf,
      open,
      pauseMs,
    ];
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<E> {
    return this.open(this.start, this.signal);
  }
}
