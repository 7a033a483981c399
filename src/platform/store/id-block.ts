/** The largest block. What a process that stops leaves of it is never used. */
const MAX_BLOCK = 32;

/**
 * Ids that this process took ahead, so that most creations need no write for theirs. Every id of a sequence that this process uses comes
 * from one block, so its ids grow with time.
 */
export class IdBlock {
  private upcoming = 0;
  private last = -1;
  private size = 1;
  private taking: Promise<void> | null = null;

  /** @param take takes so many ids and returns the last of them */
  constructor(private readonly take: (count: number) => Promise<number>) {}

  async next(): Promise<number> {
    const [id = 0] = await this.nextMany(1);
    return id;
  }

  /** So many ids, each greater than the one before it. */
  async nextMany(count: number): Promise<number[]> {
    const ids: number[] = [];
    while (ids.length < count) {
      await this.fill(count - ids.length);
      // Another caller may have used up the block before this one continues.
      while (ids.length < count && this.upcoming <= this.last) ids.push(this.upcoming++);
    }
    return ids;
  }

  /** Resolves when there is an id. Concurrent callers share one block, so the loop checks again. */
  private async fill(wanted: number): Promise<void> {
    while (this.upcoming > this.last) {
      this.taking ??= this.refill(wanted).finally(() => { this.taking = null; });
      await this.taking;
    }
  }

  /** Blocks grow with use: a process that makes one record leaves no gap of thirty. */
  private async refill(wanted: number): Promise<void> {
    const size = Math.max(this.size, wanted);
    const last = await this.take(size);
    [this.upcoming, this.last] = [last - size + 1, last];
    this.size = Math.min(this.size * 2, MAX_BLOCK);
  }
}
