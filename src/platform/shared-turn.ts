/**
 * Time per event loop iteration that all users of a `SharedTurn` have together, ms. Other work
 * waits that long at most, plus the last piece of work.
 */
const MOST_MS = 5;

/**
 * A time slice of each event loop iteration that many pieces of work share. Without it, promises
 * that resolve at once would go on without end before other work runs, be it one reader with much
 * to read or a thousand with little.
 */
export class SharedTurn {
  private begunAt: number | null = null;
  private next: Promise<void> | null = null;

  /**
   * Returns null if the work may go on, without a pause in between; otherwise a promise for the
   * next iteration. Call it again after waiting: many wait for the same iteration.
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
