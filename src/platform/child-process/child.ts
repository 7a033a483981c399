import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { passedEnvironment } from './inherited-files';

const MEBIBYTE = 1024 * 1024;
/** Bytes of stderr that are kept to explain why the process ended. */
const LAST_WORDS = 4_096;
/** A process that is not ready by then hangs, even on a busy machine, and is replaced. */
const START_MS = 300_000;
/**
 * Share of the memory limit that may stay resident after a task: a heap does not always return
 * memory, and the next task would have less.
 */
const MOST_KEPT = 1 / 2;
/** The same for an idle process: a new one takes less. */
const MOST_KEPT_AT_REST = 1 / 8;

interface ChildProgram {
  /** The compiled program: it calls `startProgram` and answers the first message with `ready`. */
  readonly program: string;
  /** Memory that a task may use in addition to the baseline of its process. */
  readonly memoryBytes: number;
  /** Environment variables that are passed on. */
  readonly variables: readonly string[];
  readonly execArgv?: readonly string[];
}

export class ChildStartError extends Error {
  constructor(
    message: string,
    readonly reason: 'slow' | 'exited',
  ) {
    super(message);
  }
}

/** A process with a memory limit that executes tasks one at a time, as seen by the service. */
export abstract class Child<Sent, Received extends { readonly kind: string }> {
  /** Resolves when it can execute a task; rejects if it never will. */
  readonly ready: Promise<void>;
  /** Resolves when the process has ended and all its output is read. */
  readonly exit: Promise<void>;
  isUsable = true;
  protected readonly process: ChildProcess;
  protected lastWords = '';
  /** Memory growth since before its first task. */
  protected keptBytes = 0;
  /** The system error if the process could not be started. */
  private refusal: Error | null = null;
  private isReady: () => void = () => undefined;

  /** @param opening the first message */
  constructor(
    private readonly child: ChildProgram,
    opening: Sent,
  ) {
    const { program, memoryBytes, variables, execArgv = [] } = child;
    this.process = fork(program, [], {
      serialization: 'advanced',
      env: passedEnvironment(variables),
      execArgv: [`--max-old-space-size=${Math.floor(memoryBytes / MEBIBYTE)}`, ...execArgv],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.exit = this.untilGone();
    this.ready = this.untilReady();
    this.ready.catch(() => this.kill());
    this.process.on('message', (message) => {
      if ((message as Received).kind === 'ready') this.isReady();
      else this.handleMessage(message as Received);
    });
    this.process.stderr?.on('data', (chunk: Buffer) => {
      this.lastWords = (this.lastWords + chunk.toString('utf8')).slice(-LAST_WORDS);
    });
    void this.exit.then(() => {
      this.isUsable = false;
      this.handleExit();
    });
    // Do not keep the service alive.
    this.process.unref();
    this.process.channel?.unref();
    (this.process.stderr as unknown as { unref(): void } | null)?.unref();
    this.send(opening);
  }

  /** Signal or code that it ended with. */
  protected get end(): string | number {
    return this.process.signalCode ?? this.process.exitCode ?? 'no exit code';
  }

  get isLight(): boolean {
    return this.keepsLess(MOST_KEPT_AT_REST);
  }

  kill(): void {
    this.isUsable = false;
    this.process.kill('SIGKILL');
  }

  /** Kills the process, and keeps the service alive until it is gone. */
  async stop(): Promise<void> {
    this.process.ref();
    this.kill();
    await this.exit;
  }

  /** Receives all messages but `ready`. */
  protected abstract handleMessage(message: Received): void;
  protected abstract handleExit(): void;

  /** Messages to a dead process are dropped: its exit is handled elsewhere. */
  protected send(message: Sent): void {
    if (this.process.connected) this.process.send(message as object, () => undefined);
  }

  /** A process that retains too much after a task is not used again. */
  protected keeps(bytes: number): void {
    this.keptBytes = bytes;
    this.isUsable &&= this.keepsLess(MOST_KEPT);
  }

  private keepsLess(share: number): boolean {
    return this.keptBytes < this.child.memoryBytes * share;
  }

  private async untilReady(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve, reject) => {
      this.isReady = resolve;
      timer = setTimeout(
        () => reject(new ChildStartError(`It was not ready within ${START_MS / 1_000} s.`, 'slow')),
        START_MS,
      ).unref();
      void this.exit.then(() => {
        const reason = `It ended with ${this.end}. ${this.lastWords}`.trim();
        reject(this.refusal ?? new ChildStartError(reason, 'exited'));
      });
    }).finally(() => clearTimeout(timer));
  }

  /** Messages may arrive after the exit: wait until the channel and stderr are closed. */
  private async untilGone(): Promise<void> {
    await new Promise<void>((resolve) => {
      let open = 2;
      const end = (): void => {
        open -= 1;
        if (open === 0) resolve();
      };
      this.process.once('close', end).once('disconnect', end);
      this.process.once('error', (error) => {
        if (this.process.pid !== undefined) return;
        this.refusal = error;
        resolve();
      });
    });
  }
}
