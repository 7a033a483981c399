import { Unavailable } from '../errors/errors';
import { ChildPool } from '../child-process/child-pool';
import { ContainedProcess } from './contained-process';
import type { ContainedProgram } from './contained-process';
import type { Contained, ContainedTasks, TaskOptions } from './tasks';

/**
 * Inputs up to this size are read in the process of the service: at worst they allocate a few
 * megabytes (`npm run bench inputs`), which costs less than a process of their own.
 */
const INLINE_BYTES = 64 * 1024;
const RETRY_SECONDS = 5;

interface ContainedOptions<T extends ContainedTasks> extends ContainedProgram {
  readonly tasks: T;
  /** Maximum number of concurrent tasks, and so of processes. */
  readonly atOnce: number;
  /** Maximum number of queued tasks. */
  readonly waiting: number;
  /** How long an idle process is kept, ms. */
  readonly idleMs: number;
}

/**
 * Executes tasks on untrusted input in processes with a memory limit: an input that needs too much
 * memory ends that process and not the service. Worker threads do not suffice: exceeding the heap
 * limit of a worker often aborts the whole process.
 */
export class ContainedPool<T extends ContainedTasks> implements Contained<T> {
  private readonly pool: ChildPool<ContainedProcess>;
  /** Number of tasks that are queued or executed in processes. */
  private accepted = 0;

  constructor(private readonly options: ContainedOptions<T>) {
    const { atOnce, idleMs } = options;
    this.pool = new ChildPool({
      start: () => new ContainedProcess(options),
      most: atOnce,
      warm: 0,
      idleMs,
      purpose: 'for an input',
    });
  }

  run<K extends keyof T & string>(
    task: K,
    input: Parameters<T[K]>[0],
    options: TaskOptions,
  ): Promise<Awaited<ReturnType<T[K]>>> {
    return this.execute(task, input, options) as Promise<Awaited<ReturnType<T[K]>>>;
  }

  /** Ends all processes. */
  close(): Promise<void> {
    return this.pool.close();
  }

  private async execute(
    task: keyof T & string,
    input: unknown,
    { size, isPatient = false, onReport = () => undefined, signal }: TaskOptions,
  ): Promise<unknown> {
    const { tasks, atOnce, waiting } = this.options;
    if (size <= INLINE_BYTES) return tasks[task](input as never, onReport);
    if (!isPatient && this.accepted >= atOnce + waiting) {
      throw new Unavailable(
        'As many large inputs are waiting to be read as may. Try again.',
        RETRY_SECONDS,
        'INPUT_QUEUE_FULL',
      );
    }
    this.accepted += 1;
    try {
      const child = await this.pool.take(signal);
      try {
        return await child.execute(task, input, onReport, signal);
      } finally {
        this.pool.release(child);
      }
    } finally {
      this.accepted -= 1;
    }
  }
}
