const IN_LIBRARY = 0;
const STOPPED = 1;

/**
 * Prevents a crash or hang when the process exits while the worker is inside LMDB. With two shared
 * cells, the worker marks event loop iterations that use LMDB, and on exit the main thread sets a
 * stop flag and waits until the mark is cleared.
 */
export class ExitGuard {
  private readonly cells: Int32Array;
  private marked = false;

  constructor(readonly memory = new SharedArrayBuffer(8)) {
    this.cells = new Int32Array(memory);
  }

  /**
   * Call in the worker before using LMDB; repeated calls in an iteration are cheap. Blocks after
   * the stop: the process is ending, and what has not started was not acknowledged.
   */
  readonly enter = (): void => {
    if (this.marked) return;
    Atomics.store(this.cells, IN_LIBRARY, 1);
    if (Atomics.load(this.cells, STOPPED) === 1) {
      this.clearMark();
      Atomics.wait(this.cells, STOPPED, 1);
    }
    this.marked = true;
    setImmediate(() => {
      this.marked = false;
      this.clearMark();
    });
  };

  /** Call in the main thread on `exit`. */
  readonly stop = (): void => {
    Atomics.store(this.cells, STOPPED, 1);
    while (Atomics.load(this.cells, IN_LIBRARY) === 1)
      Atomics.wait(this.cells, IN_LIBRARY, 1, 1_000);
  };

  private clearMark(): void {
    Atomics.store(this.cells, IN_LIBRARY, 0);
    Atomics.notify(this.cells, IN_LIBRARY);
  }
}
