/** Work that runs when it is requested, never twice at once. */
interface OnDemand {
  /**
   * Runs the work; if it is running already, once more after that. Resolves when all requested work
   * is done. Never rejects.
   */
  run(): Promise<void>;
  /** Resolves when nothing is running. */
  idle(): Promise<void>;
}

/** @param onFault called with an error of the work; until it is requested again, it does not run */
export function createOnDemand(
  work: () => Promise<void>,
  onFault: (error: unknown) => void,
): OnDemand {
  let isRequested = false;
  let running: Promise<void> | null = null;

  async function runWhileRequested(): Promise<void> {
    try {
      while (isRequested) {
        isRequested = false;
        await work();
      }
    } catch (error) {
      onFault(error);
    } finally {
      running = null;
    }
  }

  return {
    run() {
      isRequested = true;
      running ??= runWhileRequested();
      return running;
    },
    idle: () => running ?? Promise.resolve(),
  };
}
