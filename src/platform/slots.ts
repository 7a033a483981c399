/** Executes entries with limited concurrency. */
export class Slots<T> {
  private readonly working = new Set<Promise<void>>();
  /** How many of `working` have given up their slots for a while. */
  private apart = 0;
  private readonly returning: (() => void)[] = [];
  private closed = false;

  /**
   * @param next removes and returns the next waiting entry; undefined if none may start now
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

  /** Starts waiting entries. Called when one is added. */
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
   * For an entry that is executing and waits for others: frees its slot while it waits, and takes
   * one again before new entries start. If `wait` rejects, it goes on at once, since it only has to
   * end.
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
