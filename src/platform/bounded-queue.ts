/** First come, first served; at most so many at once. Kept in memory: whoever adds to it stores what waits, too. */
export class BoundedQueue<T> {
  private waiting: T[] = [];
  private readonly working = new Set<Promise<void>>();
  private closed = false;

  /** `execute` never rejects. */
  constructor(private readonly atOnce: number, private readonly most: number, private readonly execute: (entry: T) => Promise<void>) {}

  /** When `coming` more are let in already. */
  isFullWith(coming: number): boolean {
    return this.waiting.length + Math.max(0, coming - (this.atOnce - this.working.size)) >= this.most;
  }

  add(entry: T): void {
    this.waiting.push(entry);
    this.next();
  }

  /** Makes room: what matches need not wait any more. */
  withdraw(matches: (entry: T) => boolean): void {
    this.waiting = this.waiting.filter((entry) => !matches(entry));
  }

  /** Starts nothing more. Resolves with what was still waiting. */
  close(): T[] {
    this.closed = true;
    return this.waiting.splice(0);
  }

  /** Resolves when nothing is being executed. */
  async idle(): Promise<void> {
    while (this.working.size > 0) await Promise.all(this.working);
  }

  private next(): void {
    while (!this.closed && this.working.size < this.atOnce) {
      const entry = this.waiting.shift();
      if (entry === undefined) return;
      const work = this.execute(entry).finally(() => {
        this.working.delete(work);
        this.next();
      });
      this.working.add(work);
    }
  }
}
