import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { SpaceReport } from '../directory/space-report';
import { StoreError } from '../errors';
import type { Log } from '../log';
import type { EmbeddedStore, StoreOptions } from '../open-store';
import { ChangeCounters } from '../storage/change-counters';
import { ExitGuard } from './exit-guard';
import type { Answer, Call, Request, WorkerStart } from './worker-protocol';

/**
 * Runs the store in a worker, closed by message: terminating it during a commit crashes the
 * process.
 */
export async function openStoreInWorker(options: StoreOptions, log: Log): Promise<EmbeddedStore> {
  const exitGuard = new ExitGuard();
  const changes = new ChangeCounters();
  const space = new SpaceReport();
  const worker = new Worker(join(__dirname, 'worker.js'), {
    workerData: {
      options,
      exitMemory: exitGuard.memory,
      changeMemory: changes.memory,
      spaceMemory: space.memory,
    } satisfies WorkerStart,
  });
  const calls = new WorkerCalls(worker);
  process.on('exit', exitGuard.stop);
  const ended = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      process.off('exit', exitGuard.stop);
      calls.end(new StoreError('ShutdownInProgress', 'the worker of the embedded store has ended'));
      resolve();
    });
  });
  const uri = await started(worker, calls, log);
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await calls.send({ call: 'close' }).catch((error: unknown) => {
      // Closing a dead worker is not an error.
      if (!calls.hasEnded) throw error;
    });
    await ended;
  };
  return {
    uri,
    backup: (targetDir) => calls.send({ call: 'backup', targetDir }),
    close: () => (closing ??= close()),
    failed: failureOf(worker, log, () => closing !== undefined),
    changes,
    space: () => space.read(),
  };
}

/** Rejects when the worker reports a failure or ends unexpectedly. */
function failureOf(worker: Worker, log: Log, isClosing: () => boolean): Promise<never> {
  return new Promise((_, reject) => {
    let cause = '';
    worker.on('message', (answer: Answer) => {
      if (answer.kind === 'lost') reject(new StoreError('IllegalOperation', answer.message));
    });
    worker.on('error', (error) => (cause = `: ${error.message}`));
    worker.once('exit', (code) => {
      if (isClosing()) return;
      const message = `the worker of the embedded store ended unexpectedly with code ${code}${cause}; restart the service: no acknowledged write is lost`;
      log('error', message);
      reject(new StoreError('ShutdownInProgress', message));
    });
  });
}

/** Resolves with the connection string. */
function started(worker: Worker, calls: WorkerCalls, log: Log): Promise<string> {
  return new Promise((resolve, reject) => {
    worker.on('message', (answer: Answer) => {
      if (answer.kind === 'ready') resolve(answer.uri);
      if (answer.kind === 'failed') reject(new StoreError(answer.code ?? 1, answer.message));
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
class WorkerCalls {
  private readonly pending = new Map<
    number,
    { readonly resolve: () => void; readonly reject: (error: Error) => void }
  >();
  private lastId = 0;
  private endError: Error | undefined;

  constructor(private readonly worker: Worker) {}

  async send(call: Call): Promise<void> {
    if (this.endError !== undefined) throw this.endError;
    const id = ++this.lastId;
    await new Promise<void>((resolve, reject) => {
      this.pending.set(id, { resolve, reject });
      this.worker.postMessage({ ...call, id } satisfies Request);
    });
  }

  settle(id: number, error: string | undefined): void {
    const call = this.pending.get(id);
    this.pending.delete(id);
    if (error === undefined) call?.resolve();
    else call?.reject(new Error(error));
  }

  get hasEnded(): boolean {
    return this.endError !== undefined;
  }

  /** Rejects all pending requests after the end of the worker. */
  end(error: Error): void {
    this.endError = error;
    for (const call of this.pending.values()) call.reject(error);
    this.pending.clear();
  }
}
