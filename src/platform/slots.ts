/** Executes what comes next, at most so many at once. */
export class Slots<T> {
  private readonly working = new Set<Promise<void>>();
  /** How many of those have given their place away for a while. */
  private apart = 0;
  private readonly returning: (() => void)[] = [];
  private closed = false;

  /**
   * @param next takes what comes next from where it waits; undefined: nothing may begin now
   * @param execute never rejects
   */
  constructor(
    private readonly atOnce: number,
    private readonly next: () => T | undefined,
    private readonly execute: (entry: T) => Promise<void>,
  ) {}

  get free(): number {
    return this.atOnce - this.working.size + this.apart;
  }

  /** To be called when something has come to wait. */
  fill(): void {
    while (this.free > 0) {
      const comesBack = this.returning.shift();
      if (comesBack !== undefined) {
        comesBack();
        continue;
      }
      const entry = this.closed ? undefined : this.next();
      if (entry === undefined) return;
      const work = this.execute(entry).finally(() => {
        this.working.delete(work);
        this.fill();
      });
      this.working.add(work);
    }
  }

  /**
   * For something that is being executed and waits for others: its place is theirs meanwhile, and it goes on when there is one again, before
   * what has not begun. What fails comes back at once: it has only to end.
   */
  async aside<R>(wait: () => Promise<R>): Promise<R> {
    this.apart += 1;
    this.fill();
    try {
      const waited = await wait();
      await new Promise<void>((resolve) => {
        this.returning.push(() => {
          this.apart -= 1;
          resolve();
        });
        this.fill();
      });
      return waited;
    } catch (error) {
      this.apart -= 1;
      throw error;
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
