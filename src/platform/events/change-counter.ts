import { resolvedAfter } from '../store/lists/live-list';

/** Counts changes and wakes readers that wait for the next one. */
export class ChangeCounter {
  count = 0;
  private readonly waiting = new Set<() => void>();

  readonly increment = (): void => {
    this.count += 1;
    for (const wake of [...this.waiting]) wake();
    this.waiting.clear();
  };

  /** Resolves when there is a change after the given count, on abort, or on timeout. */
  async next(count: number, signal: AbortSignal, ms: number): Promise<void> {
    if (this.count !== count) return;
    let wake = (): void => undefined;
    await resolvedAfter(signal, ms, (done) => {
      wake = done;
      this.waiting.add(done);
    });
    this.waiting.delete(wake);
  }
}
