/** Work that is done again and again while the service is there. */
export interface Repeating {
  start(): void;
  /** Resolves when what was begun is done. */
  stop(): Promise<void>;
}

export interface RepeatingTimes {
  /** From the start to the first time, ms. */
  readonly firstMs: number;
  /** From the end of one to the next, ms, or what says it then: no two of them overlap. */
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
