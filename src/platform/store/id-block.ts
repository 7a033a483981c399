/** The largest block. What a process that stops leaves of it is never given to anybody. */
const LARGEST = 32;

/** Ids that this process took ahead, so that most creations need no write for theirs. */
export class IdBlock {
  private upcoming = 0;
  private last = -1;
  private size = 1;
  private taking: Promise<void> | null = null;

  /** @param take takes so many ids and answers the last of them */
  constructor(private readonly take: (count: number) => Promise<number>) {}

  async next(): Promise<number> {
    while (this.upcoming > this.last) {
      this.taking ??= this.refill().finally(() => { this.taking = null; });
      await this.taking;
    }
    return this.upcoming++;
  }

  /** Blocks grow with use: a process that makes one record leaves no gap of thirty. */
  private async refill(): Promise<void> {
    const { size } = this;
    const last = await this.take(size);
    [this.upcoming, this.last] = [last - size + 1, last];
    this.size = Math.min(size * 2, LARGEST);
  }
}
