import { Child } from '../child-process/child';
import { saysOutOfMemory, STALLED } from '../child-process/last-words';
import { CarriedError } from '../errors/carried-error';
import { TooLarge } from '../errors/errors';
import type { ContainedLimits, FromContained, Report, ToContained } from './tasks';

/** Required environment variables: the time zone, and one that Windows needs to start a process. */
const NEEDED = ['TZ', 'SystemRoot'] as const;
const MEBIBYTE = 1024 * 1024;

export interface ContainedProgram extends ContainedLimits {
  /** The compiled program: it calls `serveTasks`. */
  readonly program: string;
}

interface Current {
  readonly onReport: Report;
  readonly settle: (error: unknown, output?: unknown) => void;
}

/** A child process that executes tasks one at a time, as seen by the service. */
export class ContainedProcess extends Child<ToContained, FromContained> {
  private current: Current | null = null;

  constructor(private readonly options: ContainedProgram) {
    const { program, memoryBytes, stallMs } = options;
    super(
      { program, memoryBytes, variables: NEEDED },
      { kind: 'open', limits: { memoryBytes, stallMs } },
    );
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

  private abandon(reason: unknown): void {
    this.kill();
    this.current?.settle(reason);
  }

  protected handleMessage(message: FromContained): void {
    const { current } = this;
    if (current === null || message.kind === 'ready') return;
    if (message.kind === 'report') {
      Promise.resolve(message.value)
        .then(current.onReport)
        .catch((error: unknown) => {
          if (this.current === current) this.abandon(error);
        });
      return;
    }
    this.keeps(message.keptBytes);
    if (message.kind === 'done') current.settle(null, message.output);
    else current.settle(new CarriedError(message.error));
  }

  protected handleExit(): void {
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
    return new Error(
      `The process that read an input ended with ${this.end}. ${this.lastWords}`.trim(),
    );
  }
}
