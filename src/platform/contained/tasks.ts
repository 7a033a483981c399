import type { PlainError } from '../errors/carried-error';

export interface ContainedLimits {
  /** Memory that a task may use in addition to the baseline of its process. */
  readonly memoryBytes: number;
  /** How long a task may block the event loop of its process, ms of CPU time. */
  readonly stallMs: number;
}

export type ToContained =
  | { readonly kind: 'open'; readonly limits: ContainedLimits }
  | { readonly kind: 'work'; readonly task: string; readonly input: unknown };

/** `keptBytes`: memory that the process retains in addition to its size before the first task. */
export type FromContained =
  | { readonly kind: 'ready' }
  | { readonly kind: 'report'; readonly value: unknown }
  | { readonly kind: 'done'; readonly output: unknown; readonly keptBytes: number }
  | { readonly kind: 'refused'; readonly error: PlainError; readonly keptBytes: number };
/** Sends progress to the caller while the task runs. */
export type Report = (value: unknown) => void | Promise<void>;

/**
 * Work on input of unknown cost: a function of plain data, executed in a separate process. Throws a
 * `DomainError` if the input is invalid.
 */
type ContainedTask = (input: never, report: Report) => Promise<unknown>;

export type ContainedTasks = Readonly<Record<string, ContainedTask>>;

export interface TaskOptions {
  /** Size of the input in bytes; small inputs are processed within the service. */
  readonly size: number;
  /** Waits in the queue without limit; for callers that are limited themselves, such as jobs. */
  readonly isPatient?: boolean;
  /** Receives the reports of the task. An error thrown here ends the task and is rethrown. */
  readonly onReport?: Report;
  readonly signal?: AbortSignal;
}

/** Executes tasks with a memory limit and limited concurrency. */
export interface Contained<T extends ContainedTasks> {
  /**
   * @throws TooLarge    INPUT_TOO_COMPLEX the task exceeds its memory limit or blocks its process
   * @throws Unavailable INPUT_QUEUE_FULL the queue is full
   * @throws what the task throws, and the reason of the signal
   */
  run<K extends keyof T & string>(
    task: K,
    input: Parameters<T[K]>[0],
    options: TaskOptions,
  ): Promise<Awaited<ReturnType<T[K]>>>;
}
