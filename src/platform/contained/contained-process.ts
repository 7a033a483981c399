import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { saysOutOfMemory, STALLED } from '../child-process/last-words';
import { CarriedError } from '../errors/carried-error';
import { TooLarge } from '../errors/errors';
import { passedEnvironment } from '../child-process/inherited-files';
import type { ContainedLimits, FromContained, Report, ToContained } from './tasks';

/** Required environment variables: the time zone, and one that Windows needs to start a process. */
const NEEDED = ['TZ', 'SystemRoot'] as const;
const MEBIBYTE = 1024 * 1024;
/** Bytes of stderr that are kept to explain why the process ended. */
const LAST_WORDS = 4_096;
/** Share of the memory of a task. A process that retains more after a task is replaced. */
const MAX_KEPT = 1 / 2;

export interface ContainedProgram extends ContainedLimits {
  /** The compiled program: it calls `serveTasks`. */
  readonly program: string;
}

interface Current {
  readonly onReport: Report;
  readonly settle: (error: unknown, output?: unknown) => void;
}

/** A child process that executes tasks one at a time, as seen by the service. */
export class ContainedProcess {
  /** Resolves when the process accepts tasks; rejects if it ends before. There is no timeout. */
  readonly ready: Promise<void>;
  /** Resolves when the process has exited. */
  readonly exit: Promise<void>;
  isUsable = true;
  private readonly process: ChildProcess;
  private current: Current | null = null;
  private lastWords = '';
  private isReady: () => void = () => undefined;

  constructor(private readonly options: ContainedProgram) {
    const { program, memoryBytes, stallMs } = options;
    this.process = fork(program, [], {
      serialization: 'advanced',
      env: passedEnvironment(NEEDED),
      execArgv: [`--max-old-space-size=${Math.floor(memoryBytes / MEBIBYTE)}`],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.exit = new Promise((resolve) =>
      this.process
        .once('close', resolve)
        .once('error', () => this.process.pid === undefined && resolve()),
    );
    this.ready = this.untilReady();
    this.ready.catch(() => this.kill());
    this.process.on('message', (message) => this.handleMessage(message as FromContained));
    this.process.stderr?.on('data', (chunk: Buffer) => {
      this.lastWords = (this.lastWords + chunk.toString('utf8')).slice(-LAST_WORDS);
    });
    void this.exit.then(() => this.handleExit());
    // Do not keep the service alive.
    this.process.unref();
    this.process.channel?.unref();
    (this.process.stderr as unknown as { unref(): void } | null)?.unref();
    this.send({ kind: 'open', limits: { memoryBytes, stallMs } });
  }

  get pid(): number | undefined {
    return this.process.pid;
  }

  /**
   * @throws what the task threw; or the error of `onReport` or the reason of the signal, both of
   *   which end the process
   */
  async execute(
    task: string,
    input: unknown,
    onReport: Report,
    signal?: AbortSignal,
  ): Promise<unknown> {
    const abandon = (): void => this.abandon(signal?.reason);
    try {
      return await new Promise((resolve, reject) => {
        const settle: Current['settle'] = (error, output) => {
          this.current = null;
          if (error === null) resolve(output);
          else
            reject(
              error instanceof Error
                ? error
                : new Error('The task was abandoned.', { cause: error }),
            );
        };
        this.current = { onReport, settle };
        if (signal?.aborted) return abandon();
        signal?.addEventListener('abort', abandon, { once: true });
        this.send({ kind: 'work', task, input });
      });
    } finally {
      signal?.removeEventListener('abort', abandon);
    }
  }

  kill(): void {
    this.isUsable = false;
    this.process.kill('SIGKILL');
  }

  async stop(): Promise<void> {
    this.process.ref();
    this.kill();
    await this.exit;
  }

  private abandon(reason: unknown): void {
    this.kill();
    this.current?.settle(reason);
  }

  /** Ignores errors: the exit of the process is handled elsewhere. */
  private send(message: ToContained): void {
    if (this.process.connected) this.process.send(message, () => undefined);
  }

  private handleMessage(message: FromContained): void {
    if (message.kind === 'ready') return this.isReady();
    const { current } = this;
    if (current === null) return;
    if (message.kind === 'report') {
      Promise.resolve(message.value)
        .then(current.onReport)
        .catch((error: unknown) => {
          if (this.current === current) this.abandon(error);
        });
      return;
    }
    this.isUsable &&= message.keptBytes < this.options.memoryBytes * MAX_KEPT;
    if (message.kind === 'done') current.settle(null, message.output);
    else current.settle(new CarriedError(message.error));
  }

  private handleExit(): void {
    this.isUsable = false;
    this.current?.settle(this.causeOfDeath());
  }

  private causeOfDeath(): Error {
    if (saysOutOfMemory(this.lastWords))
      return new TooLarge(
        `The input takes more than ${Math.floor(this.options.memoryBytes / MEBIBYTE)} MiB of memory to read.`,
        'INPUT_TOO_COMPLEX',
      );
    if (this.lastWords.includes(STALLED))
      return new TooLarge('The input takes too long to read.', 'INPUT_TOO_COMPLEX');
    const { signalCode, exitCode } = this.process;
    return new Error(
      `The process that read an input ended with ${signalCode ?? exitCode ?? 'no exit code'}. ${this.lastWords}`.trim(),
    );
  }

  private untilReady(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.isReady = resolve;
      void this.exit.then(() => reject(this.causeOfDeath()));
    });
  }
}
