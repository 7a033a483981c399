/**
 * A process that exits while the worker is inside a native commit aborts or hangs. Two shared cells prevent it: the worker marks that
 * it is committing, the main thread says stop when it exits and waits until the mark is gone.
 */
export class ExitHandshake {
  private readonly cells: Int32Array;

  constructor(readonly memory = new SharedArrayBuffer(8)) {
    this.cells = new Int32Array(memory);
  }

  /** In the worker. A commit that would begin after the stop never does: the process is ending and nothing was acknowledged. */
  readonly aroundCommit = (commit: () => void): void => {
    Atomics.store(this.cells, COMMITTING, 1);
    if (Atomics.load(this.cells, STOPPED) === 1) {
      this.leave();
      Atomics.wait(this.cells, STOPPED, 1);
    }
    try {
      commit();
    } finally {
      this.leave();
    }
  };

  /** In the main thread, from its `exit` event. */
  readonly stop = (): void => {
    Atomics.store(this.cells, STOPPED, 1);
    while (Atomics.load(this.cells, COMMITTING) === 1) Atomics.wait(this.cells, COMMITTING, 1, 1_000);
  };

  private leave(): void {
    Atomics.store(this.cells, COMMITTING, 0);
    Atomics.notify(this.cells, COMMITTING);
  }
}

const COMMITTING = 0;
const STOPPED = 1;
