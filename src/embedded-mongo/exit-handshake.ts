/**
 * A process that exits while the worker is inside the native library aborts or hangs. Two shared cells prevent it: the worker marks the
 * turns of its event loop in which it uses the library, the main thread says stop when it exits and waits until the mark is gone.
 */
export class ExitHandshake {
  private readonly cells: Int32Array;
  private marked = false;

  constructor(readonly memory = new SharedArrayBuffer(8)) {
    this.cells = new Int32Array(memory);
  }

  /**
   * In the worker, before anything native; costs nothing again in the same turn. What would begin after the stop never does: the
   * process is ending, and nothing that was not begun was acknowledged.
   */
  readonly enter = (): void => {
    if (this.marked) return;
    Atomics.store(this.cells, IN_LIBRARY, 1);
    if (Atomics.load(this.cells, STOPPED) === 1) {
      this.unmark();
      Atomics.wait(this.cells, STOPPED, 1);
    }
    this.marked = true;
    setImmediate(this.leave);
  };

  /** In the main thread, from its `exit` event. */
  readonly stop = (): void => {
    Atomics.store(this.cells, STOPPED, 1);
    while (Atomics.load(this.cells, IN_LIBRARY) === 1)
      Atomics.wait(this.cells, IN_LIBRARY, 1, 1_000);
  };

  private readonly leave = (): void => {
    this.marked = false;
    this.unmark();
  };

  private unmark(): void {
    Atomics.store(this.cells, IN_LIBRARY, 0);
    Atomics.notify(this.cells, IN_LIBRARY);
  }
}

const IN_LIBRARY = 0;
const STOPPED = 1;
