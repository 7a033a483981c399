import { outcomeOfDeath, outcomeOfStart } from './child-death';
import { ChildStartError, EngineChild } from './engine-child';
import type { ChildOptions } from './engine-child';
import { ProcessStartFailed } from '../run-engine';
import type { RunEngine, RunOutcome, RunSeat, RunTask, Supervision } from '../run-engine';

export interface PoolOptions extends ChildOptions {
  /** Maximum number of children, and so of concurrent runs. */
  readonly most: number;
  /** Number of children kept ready while there are no runs. */
  readonly warm: number;
  /** Idle time after which a surplus child, or one that runs have left large, is stopped, ms. */
  readonly idleMs: number;
}

/** Processor demand can be measured on Linux only. */
const MEASURED = process.platform === 'linux';
/** More concurrent starts would hold up the service and slow each other down. */
const STARTING_AT_ONCE = 2;
/** A run fails when this many processes in a row have exited at start while it waited. */
const MAX_FAILED_STARTS = 5;
/** Pause after a failed start, ms; doubles each time. */
const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 2_000;
/** The system lacks resources for a process: not a fault of the program. */
const NO_ROOM_NOW: ReadonlySet<unknown> = new Set(['EAGAIN', 'ENOMEM', 'EMFILE', 'ENFILE']);

interface Waiting {
  readonly take: (child: EngineChild) => void;
  readonly fail: (error: unknown) => void;
  /** Processes that exited at start, in a row, while it waited. */
  failedStarts: number;
}

/** Slow starts and missing resources are retried without limit; exits are not. */
const isExit = (error: unknown): boolean =>
  error instanceof ChildStartError
    ? error.reason === 'exited'
    : !NO_ROOM_NOW.has((error as { code?: unknown } | null)?.code);

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/**
 * Executes each run in its own process, so that a run which exhausts memory or never returns ends
 * alone.
 * A child executes one run at a time and is reused only after a clean end. Children are started
 * ahead of need.
 */
export function createPooledEngine({ most, warm, idleMs, ...options }: PoolOptions): RunEngine {
  const children = new Set<EngineChild>();
  /** The most recently used child is last. */
  const idle: EngineChild[] = [];
  const waiting: Waiting[] = [];
  const retirements = new Map<EngineChild, NodeJS.Timeout>();
  /** Pending starts with their begin, monotonic ms. */
  const starts = new Set<{ readonly since: number }>();
  let failedInRow = 0;
  let lastFailure: unknown = null;
  let pausing: NodeJS.Timeout | null = null;
  let isClosed = false;

  function grow(): void {
    const needed = (): boolean =>
      waiting.length > starts.size || idle.length + starts.size < waiting.length + warm;
    while (
      !isClosed &&
      pausing === null &&
      needed() &&
      starts.size < STARTING_AT_ONCE &&
      children.size < most
    )
      start();
  }

  function start(): void {
    const begun = { since: performance.now() };
    starts.add(begun);
    startedChild().then(
      (child) => {
        starts.delete(begun);
        failedInRow = 0;
        for (const entry of waiting) entry.failedStarts = 0;
        offer(child);
        grow();
      },
      (error: unknown) => {
        starts.delete(begun);
        startFailed(error);
      },
    );
  }

  function startFailed(error: unknown): void {
    failedInRow += 1;
    lastFailure = error;
    if (isExit(error)) for (const entry of [...waiting]) failLate(entry, error);
    pausing ??= setTimeout(
      () => {
        pausing = null;
        // Do not start again without need: it would probably fail again.
        if (waiting.length > 0) grow();
      },
      Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failedInRow - 1)),
    ).unref();
  }

  function failLate(entry: Waiting, error: unknown): void {
    entry.failedStarts += 1;
    if (entry.failedStarts < MAX_FAILED_STARTS) return;
    waiting.splice(waiting.indexOf(entry), 1);
    entry.fail(
      new ProcessStartFailed(
        `No process could be started for the run: ${MAX_FAILED_STARTS} in a row ended at start. See the log of the service for why.`,
        { cause: error },
      ),
    );
  }

  /** Rejects if the system refuses the process, or it exits or hangs before it is ready. */
  async function startedChild(): Promise<EngineChild> {
    const child = new EngineChild(options);
    children.add(child);
    void child.gone.then(() => forget(child));
    await child.ready;
    void child.gone.then(() => {
      if (waiting.length > 0) grow();
    });
    return child;
  }

  function offer(child: EngineChild): void {
    if (!child.isUsable || isClosed) return child.kill();
    const next = waiting.shift();
    if (next) return next.take(child);
    idle.push(child);
    retirements.set(child, setTimeout(() => retire(child), idleMs).unref());
  }

  function retire(child: EngineChild): void {
    if (idle.length <= warm && child.isLight) return;
    child.kill();
    void child.gone.then(grow);
  }

  function leaveIdle(child: EngineChild): void {
    clearTimeout(retirements.get(child));
    retirements.delete(child);
    const place = idle.indexOf(child);
    if (place >= 0) idle.splice(place, 1);
  }

  function forget(child: EngineChild): void {
    children.delete(child);
    leaveIdle(child);
  }

  /** @throws the reason of the signal; ProcessStartFailed; Error if the pool is closed */
  function take(signal: AbortSignal): Promise<EngineChild> {
    if (signal.aborted) return Promise.reject(signal.reason as Error);
    if (isClosed) return Promise.reject(new Error('The service is stopping.'));
    const child = idle.findLast(({ isUsable }) => isUsable);
    if (child !== undefined) {
      leaveIdle(child);
      grow();
      return Promise.resolve(child);
    }
    return new Promise((resolve, reject) => {
      const entry: Waiting = { take: settled(resolve), fail: settled(reject), failedStarts: 0 };
      const leave = (): void => {
        waiting.splice(waiting.indexOf(entry), 1);
        reject(signal.reason as Error);
      };
      function settled<T>(settle: (value: T) => void) {
        return (value: T): void => {
          signal.removeEventListener('abort', leave);
          settle(value);
        };
      }
      signal.addEventListener('abort', leave, { once: true });
      waiting.push(entry);
      grow();
    });
  }

  /** If the child is gone before the run begins, another one is awaited. */
  async function executeIn(
    reserved: EngineChild,
    task: RunTask,
    supervision: Supervision,
  ): Promise<{ child: EngineChild; outcome: RunOutcome }> {
    const { signal } = supervision;
    let child = reserved;
    try {
      signal.throwIfAborted();
      if (!child.isUsable) child = await take(signal);
    } catch (error) {
      if (signal.aborted) return { child, outcome: outcomeOfDeath({ code: 'CANCELLED' }, 0) };
      return {
        child,
        outcome: isClosed ? outcomeOfDeath({ code: 'RUN_INTERRUPTED' }, 0) : outcomeOfStart(error),
      };
    }
    return { child, outcome: await child.execute(task, supervision) };
  }

  function seatOf(reserved: EngineChild): RunSeat {
    let child = reserved;
    return {
      async execute(task, supervision) {
        const done = await executeIn(child, task, supervision);
        child = done.child;
        return done.outcome;
      },
      release() {
        // Start the replacement of an unusable child now, so that it is warm for the next run.
        if (!child.isUsable) void child.gone.then(grow);
        offer(child);
      },
    };
  }

  return {
    reserve: async (signal) => seatOf(await take(signal)),

    startState() {
      if (failedInRow > 0)
        return `The last ${failedInRow} processes for runs did not start: ${messageOf(lastFailure)} It is tried again.`;
      const [oldest] = starts;
      if (oldest === undefined) return 'Its process is starting.';
      return `Its process is starting, for ${Math.round((performance.now() - oldest.since) / 1_000)} s now.`;
    },

    demands() {
      return MEASURED
        ? [...children].map((child) => child.demand).filter((demand) => demand !== null)
        : null;
    },

    warm: grow,

    async close() {
      isClosed = true;
      clearTimeout(pausing ?? undefined);
      for (const { fail } of waiting.splice(0)) fail(new Error('The service is stopping.'));
      await Promise.all([...children].map((child) => child.stop()));
    },
  };
}
