import { ProcessStartFailed } from '../run-engine';
import type { RunEngine, RunOutcome, RunSeat, RunTask, Supervision } from '../run-engine';
import { ChildStartError, outcomeOfDeath, outcomeOfStart } from './child-death';
import { EngineChild } from './engine-child';
import type { ChildOptions } from './engine-child';

export interface PoolOptions extends ChildOptions {
  readonly most: number;
  /** Number of children kept ready while there are no runs. */
  readonly warm: number;
  /** Idle time after which a surplus child, or one that runs have left large, is stopped, ms. */
  readonly idleMs: number;
}

/** Processor demand can be measured on Linux only. */
const IS_MEASURABLE = process.platform === 'linux';
/** More concurrent starts would hold up the service and slow each other down. */
const MAX_STARTING = 2;
/** A run fails when this many processes in a row have exited at start while it waited. */
const MAX_FAILED_STARTS = 5;
/** Pause after a failed start, ms; doubles each time. */
const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 2_000;
/** The system lacks resources for a process: not a fault of the program. */
const NO_ROOM_NOW: ReadonlySet<unknown> = new Set(['EAGAIN', 'ENOMEM', 'EMFILE', 'ENFILE']);

/** A run that waits for a child. */
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

const stopping = (): Error => new Error('The service is stopping.');

/**
 * Executes each run in its own process, so that a run which exhausts memory or never returns ends
 * alone.
 * A child executes one run at a time and is reused only after a clean end. Children are started
 * ahead of need.
 */
export class PooledEngine implements RunEngine {
  private readonly children = new Set<EngineChild>();
  /** The most recently used child is last. */
  private readonly idle: EngineChild[] = [];
  private readonly waiting: Waiting[] = [];
  private readonly retirements = new Map<EngineChild, NodeJS.Timeout>();
  /** Pending starts with their begin, monotonic ms. */
  private readonly starts = new Set<{ readonly since: number }>();
  private failedInRow = 0;
  private lastFailure: unknown = null;
  private pausing: NodeJS.Timeout | null = null;
  private isClosed = false;

  constructor(private readonly options: PoolOptions) {}

  async reserve(signal: AbortSignal): Promise<RunSeat> {
    let child = await this.take(signal);
    return {
      execute: async (task, supervision) => {
        const done = await this.executeIn(child, task, supervision);
        child = done.child;
        return done.outcome;
      },
      release: () => {
        // Start the replacement of an unusable child now, so that it is warm for the next run.
        if (!child.isUsable) void child.exit.then(() => this.grow());
        this.offer(child);
      },
    };
  }

  startState(): string {
    if (this.failedInRow > 0)
      return `The last ${this.failedInRow} processes for runs did not start: ${messageOf(this.lastFailure)} The service tries again.`;
    const [oldest] = this.starts;
    if (oldest === undefined) return 'The process of the run is starting.';
    const seconds = Math.round((performance.now() - oldest.since) / 1_000);
    return `The process of the run has been starting for ${seconds} s.`;
  }

  demands(): readonly number[] | null {
    return IS_MEASURABLE
      ? [...this.children].map((child) => child.demand).filter((demand) => demand !== null)
      : null;
  }

  warm(): void {
    this.grow();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.pausing ?? undefined);
    for (const { fail } of this.waiting.splice(0)) fail(stopping());
    await Promise.all([...this.children].map((child) => child.stop()));
  }

  private grow(): void {
    const { waiting, starts, idle, children, options } = this;
    const isNeeded = (): boolean =>
      waiting.length > starts.size || idle.length + starts.size < waiting.length + options.warm;
    while (
      !this.isClosed &&
      this.pausing === null &&
      isNeeded() &&
      starts.size < MAX_STARTING &&
      children.size < options.most
    )
      this.start();
  }

  private start(): void {
    const begun = { since: performance.now() };
    this.starts.add(begun);
    this.startChild().then(
      (child) => {
        this.starts.delete(begun);
        this.failedInRow = 0;
        for (const entry of this.waiting) entry.failedStarts = 0;
        this.offer(child);
        this.grow();
      },
      (error: unknown) => {
        this.starts.delete(begun);
        this.startFailed(error);
      },
    );
  }

  /** Rejects if the system refuses the process, or it exits or hangs before it is ready. */
  private async startChild(): Promise<EngineChild> {
    const child = new EngineChild(this.options);
    this.children.add(child);
    void child.exit.then(() => {
      this.children.delete(child);
      this.leaveIdle(child);
    });
    await child.ready;
    void child.exit.then(() => {
      if (this.waiting.length > 0) this.grow();
    });
    return child;
  }

  private startFailed(error: unknown): void {
    this.failedInRow += 1;
    this.lastFailure = error;
    if (isExit(error)) for (const entry of [...this.waiting]) this.countFailedStart(entry, error);
    this.pausing ??= setTimeout(
      () => {
        this.pausing = null;
        // Do not start again without need: it would probably fail again.
        if (this.waiting.length > 0) this.grow();
      },
      Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.failedInRow - 1)),
    ).unref();
  }

  private countFailedStart(entry: Waiting, error: unknown): void {
    entry.failedStarts += 1;
    if (entry.failedStarts < MAX_FAILED_STARTS) return;
    this.waiting.splice(this.waiting.indexOf(entry), 1);
    entry.fail(
      new ProcessStartFailed(
        `No process could be started for the run: ${MAX_FAILED_STARTS} in a row ended at start. See the log of the service for why.`,
        { cause: error },
      ),
    );
  }

  private offer(child: EngineChild): void {
    if (!child.isUsable || this.isClosed) return child.kill();
    const next = this.waiting.shift();
    if (next) return next.take(child);
    this.idle.push(child);
    this.retirements.set(child, setTimeout(() => this.retire(child), this.options.idleMs).unref());
  }

  private retire(child: EngineChild): void {
    if (this.idle.length <= this.options.warm && child.isLight) return;
    child.kill();
    void child.exit.then(() => this.grow());
  }

  private leaveIdle(child: EngineChild): void {
    clearTimeout(this.retirements.get(child));
    this.retirements.delete(child);
    const place = this.idle.indexOf(child);
    if (place >= 0) this.idle.splice(place, 1);
  }

  private take(signal: AbortSignal): Promise<EngineChild> {
    if (signal.aborted) return Promise.reject(signal.reason as Error);
    if (this.isClosed) return Promise.reject(stopping());
    const child = this.idle.findLast(({ isUsable }) => isUsable);
    if (child !== undefined) {
      this.leaveIdle(child);
      this.grow();
      return Promise.resolve(child);
    }
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.waiting.splice(this.waiting.indexOf(entry), 1);
        reject(signal.reason as Error);
      };
      const settle =
        <T>(done: (value: T) => void) =>
        (value: T): void => {
          signal.removeEventListener('abort', leave);
          done(value);
        };
      const entry: Waiting = { take: settle(resolve), fail: settle(reject), failedStarts: 0 };
      signal.addEventListener('abort', leave, { once: true });
      this.waiting.push(entry);
      this.grow();
    });
  }

  /** If the child is gone before the run begins, another one is awaited. */
  private async executeIn(
    reserved: EngineChild,
    task: RunTask,
    supervision: Supervision,
  ): Promise<{ child: EngineChild; outcome: RunOutcome }> {
    const { signal } = supervision;
    let child = reserved;
    try {
      signal.throwIfAborted();
      if (!child.isUsable) child = await this.take(signal);
    } catch (error) {
      if (signal.aborted) return { child, outcome: outcomeOfDeath({ code: 'CANCELLED' }, 0) };
      const outcome = this.isClosed
        ? outcomeOfDeath({ code: 'RUN_INTERRUPTED' }, 0)
        : outcomeOfStart(error);
      return { child, outcome };
    }
    return { child, outcome: await child.execute(task, supervision) };
  }
}
