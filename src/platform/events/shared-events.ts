/** How events that are the same for many are read. */
export interface SharedEventsParts<E> {
  /** Sources of one name tell the same, whatever they were asked with; who may hear it is judged elsewhere. */
  readonly channel: string;
  /** The place of whoever has seen nothing yet. */
  readonly start: number;
  /** The place of whoever has seen this event: it rises from one to the next. */
  readonly placeOf: (event: E) => number;
  /** All that comes after a place, in order, until the signal aborts. */
  readonly open: (place: number, signal: AbortSignal) => AsyncIterableIterator<E>;
  /** Least time between two events of one reader, ms. The source keeps to it; whoever goes on with others keeps to it at their next event. Default: 0. */
  readonly pauseMs?: number;
}

/**
 * The source of a subscription that many may have in common: whoever has read as far as others goes on with them, and whoever falls behind goes
 * on by himself from the place where he stands. What the root field answers depends on the event and on who asks, not on its arguments.
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
