import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isNativeError } from 'node:util/types';
import { Worker } from 'node:worker_threads';
import type { FromSandbox, SandboxAnswer, SandboxLimits, SandboxTask } from './sandbox-messages';
import type { Script } from './script';
import { outOfMemory, ScriptError, timedOut } from './script';

interface SandboxOptions extends SandboxLimits {
  /** Path of the compiled worker. Default: next to this file. */
  readonly program?: string;
}

const PROGRAM = join(__dirname, 'sandbox-worker.js');
/** Extra time after the timeout before the thread is terminated. */
const GRACE_MS = 500;
/** Share of the memory for input values: they exist twice as text before they are parsed. */
const OF_ALL_VALUES = 1 / 4;
/** A script fails after this many failed thread starts in a row. */
const MAX_FAILED_STARTS = 5;
/** Delay after a failed start, ms; doubled each time. */
const FIRST_PAUSE_MS = 50;
/** Stack of the thread: recursion of a script recurses in the thread. */
const STACK_MEBIBYTES = 8;

/**
 * JavaScript sandbox: QuickJS in WebAssembly, without access to objects of this process, in a
 * thread that starts with the first script and ends with the run.
 */
export class Sandbox {
  private thread: Promise<Worker> | null = null;

  constructor(private readonly options: SandboxOptions) {}

  /** Resolves when the thread runs or cannot be started; `evaluate` then reports the error. */
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

  /** Starts the thread without a timeout; retries if it ends during start. */
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

  /** Waits at most for the script timeout, or until the run is stopped; then ends the thread. */
  private ask(worker: Worker, task: SandboxTask, signal: AbortSignal): Promise<SandboxAnswer> {
    return new Promise((resolve, reject) => {
      const settle = (finish: () => void): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
        worker.off('message', onMessage).off('error', fail).off('exit', exit);
        finish();
      };
      const abandon = (finish: () => void): void =>
        settle(() => {
          this[Symbol.dispose]();
          finish();
        });
      const onMessage = (message: FromSandbox): void => {
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
      worker.on('message', onMessage).on('error', fail).on('exit', exit);
      worker.postMessage(task);
    });
  }
}

/** @throws the reason of the signal as soon as it aborts, even if the work continues */
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
