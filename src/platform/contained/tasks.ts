/** Sends a value to the caller while the task goes on: how far it is. */
export type Report = (value: unknown) => void | Promise<void>;

/**
 * Work on input of unknown cost: a function of plain data, which is executed in a process of its own.
 * It throws a `DomainError` for what is wrong with the input.
 */
export type ContainedTask = (input: never, report: Report) => Promise<unknown>;

/** Tasks by name. */
export type ContainedTasks = Readonly<Record<string, ContainedTask>>;

export interface TaskOptions {
  /** Bytes of the input: a small one is read in the process of the service, where nothing it can build is large. */
  readonly size: number;
  /** The task waits as long as it takes, for callers that are limited themselves: jobs. */
  readonly isPatient?: boolean;
  /** What the task reports. An error thrown here ends the task, and is thrown to the caller. */
  readonly onReport?: Report;
  /** Ends the task. */
  readonly signal?: AbortSignal;
}

/** Executes tasks in bounded memory, a few at a time. */
export interface Contained<T extends ContainedTasks> {
  /**
   * @throws TooLarge    INPUT_TOO_COMPLEX the task takes more memory than it may, or does not come back
   * @throws Unavailable INPUT_QUEUE_FULL as many tasks are waiting as may
   * @throws what the task throws, and the reason of the signal
   */
  run<K extends keyof T & string>(
    task: K,
    input: Parameters<T[K]>[0],
    options: TaskOptions,
  ): Promise<Awaited<ReturnType<T[K]>>>;
}
