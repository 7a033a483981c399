import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Log } from './dispatch';
import { ExitHandshake } from './exit-handshake';
import type { RunningStore, StoreOptions } from './running';
import { StoreError } from './semantics/errors';
import type { Answer, Request } from './worker-protocol';

interface Waiting {
  resolve(): void;
  reject(error: Error): void;
}

/**
 * Runs the store in a worker, closed by message: terminating it during a commit crashes the
 * process.
 */
export async function runStoreInWorker(options: StoreOptions, log: Log): Promise<RunningStore> {
  const handshake = new ExitHandshake();
  const worker = new Worker(join(__dirname, 'worker.js'), {
    workerData: { options, exitMemory: handshake.memory },
  });
  const calls = new Calls(worker);
  process.on('exit', handshake.stop);
  const ended = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      process.off('exit', handshake.stop);
      calls.end(
        new StoreError(91, 'ShutdownInProgress', 'the worker of the embedded store has ended'),
      );
      resolve();
    });
  });
  const uri = await started(worker, calls, log);
  let closing: Promise<void> | undefined;
  const failed = failureOf(worker, log, () => closing !== undefined);
  const askedToClose = (): Promise<void> =>
    calls.send({ call: 'close' }).catch((error: unknown) => {
      // Closing a dead worker is not an error.
      if (!calls.ended) throw error;
    });
  return {
    uri,
    backup: (targetDir) => calls.send({ call: 'backup', targetDir }),
    close: () => (closing ??= askedToClose().then(() => ended)),
    failed,
  };
}

/** Rejects when the worker reports a failure or ends unexpectedly. */
function failureOf(worker: Worker, log: Log, closing: () => boolean): Promise<never> {
  return new Promise((_, reject) => {
    let cause: Error | undefined;
    worker.on('message', (answer: Answer) => {
      if (answer.kind === 'lost') reject(new StoreError(20, 'IllegalOperation', answer.message));
    });
    worker.on('error', (error) => (cause = error));
    worker.once('exit', (code) => {
      if (closing()) return;
      const message = `the worker of the embedded store ended unexpectedly with code ${code}${cause === undefined ? '' : `: ${cause.message}`}; restart the service: nothing that was acknowledged is lost`;
      log('error', message);
      reject(new StoreError(91, 'ShutdownInProgress', message));
    });
  });
}

function started(worker: Worker, calls: Calls, log: Log): Promise<string> {
  return new Promise((resolve, reject) => {
    worker.on('message', (answer: Answer) => {
      if (answer.kind === 'ready') resolve(answer.uri);
      if (answer.kind === 'failed')
        reject(
          new StoreError(answer.code ?? 1, answer.codeName ?? 'InternalError', answer.message),
        );
      if (answer.kind === 'log') log(answer.level, answer.message, answer.detail);
      if (answer.kind === 'done') calls.settle(answer.id, answer.error);
    });
    worker.on('error', (error) => {
      log('error', 'the worker of the embedded store failed', { error: error.stack });
      reject(
        new Error(
          `the embedded store could not be started (on Linux it needs glibc 2.34 or later): ${error.message}`,
          { cause: error },
        ),
      );
    });
  });
}

/** Pending requests to the worker. */
class Calls {
  private readonly waiting = new Map<number, Waiting>();
  private lastId = 0;
  private over: Error | undefined;

  constructor(private readonly worker: Worker) {}

  send(
    request: { readonly call: 'backup'; readonly targetDir: string } | { readonly call: 'close' },
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.over !== undefined) {
        reject(this.over);
        return;
      }
      const id = ++this.lastId;
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage({ ...request, id } satisfies Request);
    });
  }

  settle(id: number, error: string | undefined): void {
    const call = this.waiting.get(id);
    this.waiting.delete(id);
    if (error === undefined) call?.resolve();
    else call?.reject(new Error(error));
  }

  get ended(): boolean {
    return this.over !== undefined;
  }

  /** Rejects all pending requests after the end of the worker. */
  end(error: Error): void {
    this.over = error;
    for (const call of this.waiting.values()) call.reject(error);
    this.waiting.clear();
  }
}
