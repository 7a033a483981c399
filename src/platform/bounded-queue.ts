import { Slots } from './slots';

/** First come, first served; at most so many at once. Kept in memory: whoever adds to it stores what waits, too. */
export class BoundedQueue<T> {
  private waiting: T[] = [];
  private readonly slots: Slots<T>;

  /** `execute` never rejects. */
  constructor(
    atOnce: number,
    private readonly most: number,
    execute: (entry: T) => Promise<void>,
  ) {
    this.slots = new Slots(atOnce, () => this.waiting.shift(), execute);
  }

  /** When `coming` more are let in already. */
  isFullWith(coming: number): boolean {
    return this.waiting.length + Math.max(0, coming - this.slots.free) >= this.most;
  }

  add(entry: T): void {
    this.waiting.push(entry);
    this.slots.fill();
  }

  /** As `Slots.aside`. */
  aside<R>(wait: () => Promise<R>): Promise<R> {
    return this.slots.aside(wait);
  }

  /** Makes room: what matches need not wait any more. */
  withdraw(matches: (entry: T) => boolean): void {
    this.waiting = this.waiting.filter((entry) => !matches(entry));
  }

  /** Starts nothing more. Resolves with what was still waiting. */
  close(): T[] {
    this.slots.close();
    return this.waiting.splice(0);
  }

  /** Resolves when nothing is being executed. */
  idle(): Promise<void> {
    return this.slots.idle();
  }
}
