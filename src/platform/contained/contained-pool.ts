import { Unavailable } from '../errors/errors';
import { WorkQueue } from '../queues';
import { ContainedProcess } from './contained-process';
import type { ContainedProgram } from './contained-process';
import type { Contained, ContainedTasks, TaskOptions } from './tasks';

/**
 * Inputs up to this size are read in the process of the service: at worst they allocate a few
 * megabytes (`npm run bench inputs`), which costs less than a process of their own.
 */
const INLINE_BYTES = 64 * 1024;
/** After this many failed starts in a row, the task is rejected. */
const MAX_STARTS = 3;
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
  private readonly queue: WorkQueue;
  private readonly processes = new Set<ContainedProcess>();
  private readonly idle = new Map<ContainedProcess, NodeJS.Timeout>();
  private isClosed = false;

  constructor(private readonly options: ContainedOptions<T>) {
    this.queue = new WorkQueue({ concurrency: options.atOnce, capacity: Infinity });
  }

  run<K extends keyof T & string>(
    task: K,
    input: Parameters<T[K]>[0],
    options: TaskOptions,
  ): Promise<Awaited<ReturnType<T[K]>>> {
    return this.execute(task, input, options) as Promise<Awaited<ReturnType<T[K]>>>;
  }

  /** Ends all processes. */
  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all([...this.processes].map((child) => child.stop()));
  }

  private async execute(
    task: keyof T & string,
    input: unknown,
    { size, isPatient = false, onReport = () => undefined, signal }: TaskOptions,
  ): Promise<unknown> {
    const { queue } = this;
    const { tasks, atOnce, waiting } = this.options;
    if (size <= INLINE_BYTES) return tasks[task](input as never, onReport);
    if (!isPatient && queue.running >= atOnce && queue.waiting >= waiting) {
      throw new Unavailable(
        'As many large inputs are waiting to be read as may. Try again.',
        RETRY_SECONDS,
        'INPUT_QUEUE_FULL',
      );
    }
    return queue.run(async () => {
      const child = await this.acquire();
      try {
        return await child.execute(task, input, onReport, signal);
      } finally {
        this.release(child);
      }
    }, signal);
  }

  private async acquire(): Promise<ContainedProcess> {
    const child = [...this.idle.keys()].at(-1);
    if (child === undefined) return this.start();
    clearTimeout(this.idle.get(child));
    this.idle.delete(child);
    return child.isUsable ? child : this.acquire();
  }

  private release(child: ContainedProcess): void {
    if (!child.isUsable || this.isClosed) child.kill();
    else this.idle.set(child, setTimeout(() => child.kill(), this.options.idleMs).unref());
  }

  private async start(): Promise<ContainedProcess> {
    for (let attempt = 1; ; attempt += 1) {
      if (this.isClosed) throw new Unavailable('The service is stopping.');
      const child = new ContainedProcess(this.options);
      this.processes.add(child);
      void child.exit.then(() => this.remove(child));
      try {
        await child.ready;
        return child;
      } catch (error) {
        if (attempt >= MAX_STARTS) throw error;
      }
    }
  }

  private remove(child: ContainedProcess): void {
    this.processes.delete(child);
    clearTimeout(this.idle.get(child));
    this.idle.delete(child);
  }
}
