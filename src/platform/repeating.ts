/** Work that repeats while the service runs. */
export interface Repeating {
  start(): void;
  /** Resolves when the current run is done. */
  stop(): Promise<void>;
}

interface RepeatingTimes {
  /** From `start` to the first run, ms. */
  readonly firstMs: number;
  /**
   * From the end of one run to the start of the next, ms, or a function that returns it then. Runs
   * never overlap.
   */
  readonly thenMs: number | (() => number);
}

/** @param work never rejects; ends early when the signal is aborted */
export function createRepeating(
  work: (signal: AbortSignal) => Promise<void>,
  { firstMs, thenMs }: RepeatingTimes,
): Repeating {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let working = Promise.resolve();

  function after(ms: number): void {
    if (stopping.signal.aborted) return;
    timer = setTimeout(() => {
      working = work(stopping.signal).then(() =>
        after(typeof thenMs === 'number' ? thenMs : thenMs()),
      );
    }, ms).unref();
  }

  return {
    start: () => after(firstMs),
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await working;
    },
  };
}
