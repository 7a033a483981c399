import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isNativeError } from 'node:util/types';
import { Worker } from 'node:worker_threads';
import type { FromSandbox, SandboxAnswer, SandboxLimits, SandboxTask } from './sandbox-messages';
import type { Script } from './script';
import { outOfMemory, ScriptError, timedOut } from './script-error';

export interface SandboxOptions extends SandboxLimits {
  /** The compiled thread of a sandbox, where it is not beside this file. */
  readonly program?: string;
}

const PROGRAM = join(__dirname, 'sandbox-worker.js');
/** A script ends itself in time; this much later it is taken for unable to. */
const GRACE_MS = 500;
/** What goes in is text twice before it is a value. */
const OF_ALL_VALUES = 1 / 4;
/** A script fails when this many threads in a row have ended at start. */
const MAX_FAILED_STARTS = 5;
/** From a failed start to the next, ms: twice as long each time. */
const FIRST_PAUSE_MS = 50;
/** Deep calls of a script are deep calls of the thread. */
const STACK_MEBIBYTES = 8;

/**
 * JavaScript in a sandbox: QuickJS in WebAssembly, without any object of this process, in a thread of its own that begins with the first
 * script and ends with the run.
 */
export class Sandbox {
  private thread: Promise<Worker> | null = null;

  constructor(private readonly options: SandboxOptions) {}

  /** Resolves when the thread is there, or cannot be started: then a script says why. */
  async ready(signal: AbortSignal): Promise<void> {
    if (!signal.aborted)
      await orAborted((this.thread ??= this.start(signal)), signal).catch(() => undefined);
  }

  async evaluate({ code, variables }: Script, signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    const { memoryBytes } = this.options;
    const bytes = [code, ...variables.map(([, json]) => json)].reduce(
      (sum, text) => sum + Buffer.byteLength(text),
      0,
    );
    if (bytes > memoryBytes * OF_ALL_VALUES) throw outOfMemory();
    const thread = await orAborted((this.thread ??= this.start(signal)), signal);
    const answer = await this.ask(thread, { code, variables }, signal);
    if ('json' in answer) return answer.json;
    throw new ScriptError(answer.code, answer.message);
  }

  [Symbol.dispose](): void {
    const { thread } = this;
    this.thread = null;
    thread?.then(
      (worker) => worker.terminate(),
      () => undefined,
    );
  }

  /** A thread that is slow to start is waited for; one that ends at start is started again, a few times. */
  private async start(signal: AbortSignal): Promise<Worker> {
    for (let failed = 1; ; failed += 1) {
      try {
        return await this.startOnce(signal);
      } catch (error) {
        signal.throwIfAborted();
        if (failed === MAX_FAILED_STARTS)
          throw new Error(
            `The sandbox for scripts could not be started: ${failed} threads in a row ended at start. ${causeOf(error).message}`,
            { cause: error },
          );
        await pause(FIRST_PAUSE_MS * 2 ** (failed - 1), undefined, { signal });
      }
    }
  }

  private async startOnce(signal: AbortSignal): Promise<Worker> {
    const { program = PROGRAM, timeoutMs, memoryBytes } = this.options;
    const workerData: SandboxLimits = { timeoutMs, memoryBytes };
    const worker = new Worker(program, {
      workerData,
      env: {},
      execArgv: [],
      argv: [],
      stdin: false,
      resourceLimits: { stackSizeMb: STACK_MEBIBYTES },
    });
    const stop = (): void => void worker.terminate();
    signal.addEventListener('abort', stop, { once: true });
    try {
      await new Promise<void>((resolve, reject) => {
        worker
          .once('message', () => resolve())
          .once('error', reject)
          .once('exit', (code) => reject(new Error(`The thread ended with ${code}.`)));
      });
    } finally {
      signal.removeEventListener('abort', stop);
      worker.removeAllListeners('error').removeAllListeners('exit');
      worker.on('error', () => undefined);
    }
    return worker;
  }

  /** Waits no longer than a script may take, and not a moment after the run was stopped: what does not come back ends with its thread. */
  private ask(worker: Worker, task: SandboxTask, signal: AbortSignal): Promise<SandboxAnswer> {
    return new Promise((resolve, reject) => {
      const settle = (finish: () => void): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
        worker.off('message', hear).off('error', fail).off('exit', exit);
        finish();
      };
      const abandon = (finish: () => void): void =>
        settle(() => {
          this[Symbol.dispose]();
          finish();
        });
      const hear = (message: FromSandbox): void => {
        if (message.kind === 'answer') settle(() => resolve(message.answer));
      };
      const stop = (): void => abandon(() => reject(signal.reason as Error));
      const fail = (error: unknown): void => abandon(() => reject(causeOf(error)));
      const exit = (): void => fail(new Error('The thread of a script ended.'));
      const timer = setTimeout(
        () => abandon(() => reject(timedOut())),
        this.options.timeoutMs + GRACE_MS,
      );
      signal.addEventListener('abort', stop, { once: true });
      worker.on('message', hear).on('error', fail).on('exit', exit);
      worker.postMessage(task);
    });
  }
}

/** @throws the reason of the signal, also where the work goes on */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

function causeOf(error: unknown): Error {
  if (isNativeError(error) && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
    return outOfMemory();
  return isNativeError(error) ? error : new Error(String(error));
}
