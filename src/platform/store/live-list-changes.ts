/** Ids one reader may have missed before he looks through the whole list instead. */
const MOST_NOTED = 1_000;

/** Which records of a list have changed since a reader looked last: a set of ids of bounded size, whatever he is doing meanwhile. */
export class NotedChanges {
  private ids = new Set<number>();
  private overflown = false;
  private wake = (): void => undefined;

  readonly note = (ids: readonly number[]): void => {
    for (const id of ids) this.ids.add(id);
    if (this.ids.size > MOST_NOTED) {
      this.ids.clear();
      this.overflown = true;
    }
    this.wake();
  };

  /** What was noted, which is forgotten here; null when it was too much to remember. */
  take(): ReadonlySet<number> | null {
    const [ids, overflown] = [this.ids, this.overflown];
    this.ids = new Set();
    this.overflown = false;
    return overflown ? null : ids;
  }

  /** Resolves when something is noted, the time is over, or the signal aborts; at once when something was. */
  next(signal: AbortSignal, ms: number): Promise<void> {
    if (this.ids.size > 0 || this.overflown) return Promise.resolve();
    return resolvedAfter(signal, ms, (done) => { this.wake = done; });
  }
}

/** Resolves when the time is over or the signal aborts, or earlier when whoever is given `done` calls it. */
export function resolvedAfter(signal: AbortSignal, ms: number, early: (done: () => void) => void = () => undefined): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms).unref();
    signal.addEventListener('abort', done, { once: true });
    early(done);
  });
}
