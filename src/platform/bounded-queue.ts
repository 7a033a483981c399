import { Slots } from './slots';

/**
 * First in, first out, with limited concurrency. Kept in memory only: the caller persists what
 * waits.
 */
export class BoundedQueue<T> {
  private waiting: T[] = [];
  private readonly slots: Slots<T>;

  /** @param execute never rejects */
  constructor(
    atOnce: number,
    private readonly most: number,
    execute: (entry: T) => Promise<void>,
  ) {
    this.slots = new Slots(atOnce, () => this.waiting.shift(), execute);
  }

  /**
   * Returns whether the queue is full, counting `coming` entries that are accepted but not added
   * yet.
   */
  isFullWith(coming: number): boolean {
    return this.waiting.length + Math.max(0, coming - this.slots.free) >= this.most;
  }

  add(entry: T): void {
    this.waiting.push(entry);
    this.slots.fill();
  }

  /** See `Slots.aside`. */
  aside<R>(wait: () => Promise<R>): Promise<R> {
    return this.slots.aside(wait);
  }

  /** Removes the waiting entries that match. */
  withdraw(matches: (entry: T) => boolean): void {
    this.waiting = this.waiting.filter((entry) => !matches(entry));
  }

  /** Starts nothing more. Returns the entries that were still waiting. */
  close(): T[] {
    this.slots.close();
    return this.waiting.splice(0);
  }

  /** Resolves when nothing is being executed. */
  idle(): Promise<void> {
    return this.slots.idle();
  }
}
