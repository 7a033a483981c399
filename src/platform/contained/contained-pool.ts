import PQueue from 'p-queue';
import { Unavailable } from '../errors/errors';
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

export interface ContainedPool<T extends ContainedTasks> extends Contained<T> {
  /** Ends all processes. */
  close(): Promise<void>;
}

/**
 * Executes tasks on untrusted input in processes with a memory limit: an input that needs too much
 * memory ends that process and not the service. Worker threads do not suffice: exceeding the heap
 * limit of a worker often aborts the whole process.
 */
export function createContainedPool<T extends ContainedTasks>({
  tasks,
  atOnce,
  waiting,
  idleMs,
  ...program
}: ContainedOptions<T>): ContainedPool<T> {
  const queue = new PQueue({ concurrency: atOnce });
  const processes = new Set<ContainedProcess>();
  const idle = new Map<ContainedProcess, NodeJS.Timeout>();
  let isClosed = false;

  async function started(): Promise<ContainedProcess> {
    for (let attempt = 1; ; attempt += 1) {
      if (isClosed) throw new Unavailable('The service is stopping.');
      const child = new ContainedProcess(program);
      processes.add(child);
      void child.gone.then(() => leave(child));
      try {
        await child.ready;
        return child;
      } catch (error) {
        if (attempt >= MAX_STARTS) throw error;
      }
    }
  }

  function leave(child: ContainedProcess): void {
    processes.delete(child);
    clearTimeout(idle.get(child));
    idle.delete(child);
  }

  async function taken(): Promise<ContainedProcess> {
    const child = [...idle.keys()].at(-1);
    if (child === undefined) return started();
    clearTimeout(idle.get(child));
    idle.delete(child);
    return child.isUsable ? child : taken();
  }

  function giveBack(child: ContainedProcess): void {
    if (!child.isUsable || isClosed) child.kill();
    else idle.set(child, setTimeout(() => child.kill(), idleMs).unref());
  }

  async function execute(
    task: keyof T & string,
    input: unknown,
    { size, isPatient = false, onReport = () => undefined, signal }: TaskOptions,
  ): Promise<unknown> {
    if (size <= INLINE_BYTES) return tasks[task](input as never, onReport);
    if (!isPatient && queue.pending >= atOnce && queue.size >= waiting) {
      throw new Unavailable(
        'As many large inputs are waiting to be read as may. Try again.',
        RETRY_SECONDS,
        'INPUT_QUEUE_FULL',
      );
    }
    return queue.add(async () => {
      signal?.throwIfAborted();
      const child = await taken();
      try {
        return await child.execute(task, input, onReport, signal);
      } finally {
        giveBack(child);
      }
    });
  }

  return {
    run: (task, input, options) =>
      execute(task, input, options) as Promise<Awaited<ReturnType<T[typeof task]>>>,

    async close() {
      isClosed = true;
      await Promise.all([...processes].map((child) => child.stop()));
    },
  };
}
