/** Executes what comes next, at most so many at once. */
export class Slots<T> {
  private readonly working = new Set<Promise<void>>();
  private closed = false;

  /**
   * @param next takes what comes next from where it waits; undefined: nothing may begin now
   * @param execute never rejects
   */
  constructor(private readonly atOnce: number, private readonly next: () => T | undefined, private readonly execute: (entry: T) => Promise<void>) {}

  get free(): number {
    return this.atOnce - this.working.size;
  }

  /** To be called when something has come to wait. */
  fill(): void {
    while (!this.closed && this.free > 0) {
      const entry = this.next();
      if (entry === undefined) return;
      const work = this.execute(entry).finally(() => {
        this.working.delete(work);
        this.fill();
      });
      this.working.add(work);
    }
  }

  /** Starts nothing more. */
  close(): void {
    this.closed = true;
  }

  /** Resolves when nothing is being executed. */
  async idle(): Promise<void> {
    while (this.working.size > 0) await Promise.all(this.working);
  }
}
