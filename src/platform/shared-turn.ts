/** How long those who share a turn of the event loop may use it, ms. What else is due waits for so long at most, but for the last piece of work. */
const MOST_MS = 5;

/**
 * A turn of the event loop that many share: promises that are kept at once go on without end before anything else has its turn, be it one reader
 * with much to read or a thousand with little.
 */
export class SharedTurn {
  private begunAt: number | null = null;
  private next: Promise<void> | null = null;

  /**
   * Until the next turn, when this one has been used for long enough; null: go on, without a pause between the question and the work. Many wait for
   * the same turn, so whoever has waited asks again.
   */
  over(): Promise<void> | null {
    if (this.begunAt === null) {
      this.begunAt = performance.now();
      setImmediate(() => {
        this.begunAt = null;
      });
      return null;
    }
    if (performance.now() - this.begunAt < MOST_MS) return null;
    this.next ??= new Promise((resolve) =>
      setImmediate(() => {
        this.next = null;
        resolve();
      }),
    );
    return this.next;
  }
}
