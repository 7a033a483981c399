import { Unavailable } from '../errors/errors';
import { ChildStartError } from './child';

interface PooledChild {
  readonly ready: Promise<void>;
  readonly exit: Promise<void>;
  readonly isUsable: boolean;
  /** It keeps little memory of what it has executed. */
  readonly isLight: boolean;
  kill(): void;
  stop(): Promise<void>;
}

interface PoolOptions<T> {
  readonly start: () => T;
  readonly most: number;
  /** Number of processes kept ready while there is no work. */
  readonly warm: number;
  /** Idle time after which a surplus process, or one that work has left large, is stopped, ms. */
  readonly idleMs: number;
  /** What the processes are for, in the message of a failure: `for the run`. */
  readonly purpose: string;
}

/** More concurrent starts would hold up the service and slow each other down. */
const MAX_STARTING = 2;
/** Work fails when this many processes in a row have exited at start while it waited. */
const MAX_FAILED_STARTS = 5;
/** Pause after a failed start, ms; doubles each time. */
const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 2_000;
/** The system lacks resources for a process: not a fault of the program. */
const NO_ROOM_NOW: ReadonlySet<unknown> = new Set(['EAGAIN', 'ENOMEM', 'EMFILE', 'ENFILE']);

interface Waiting<T> {
  readonly take: (child: T) => void;
  readonly fail: (error: unknown) => void;
  /** Processes that exited at start, in a row, while it waited. */
  failedStarts: number;
}

/** Several processes in a row have exited at start. */
export class ProcessStartFailed extends Error {
  override readonly name = 'ProcessStartFailed';
}

/** Slow starts and missing resources are retried without limit; exits are not. */
const isExit = (error: unknown): boolean =>
  error instanceof ChildStartError
    ? error.reason === 'exited'
    : !NO_ROOM_NOW.has((error as { code?: unknown } | null)?.code);

/** Processes that are used by one piece of work at a time, and again only if they are usable. */
export class ChildPool<T extends PooledChild> {
  private readonly processes = new Set<T>();
  /** The most recently used process is last. */
  private readonly idle: T[] = [];
  private readonly waiting: Waiting<T>[] = [];
  private readonly retirements = new Map<T, NodeJS.Timeout>();
  /** Pending starts with their begin, monotonic ms. */
  private readonly starts = new Set<{ readonly since: number }>();
  private failedInRow = 0;
  private lastFailure: unknown = null;
  private pausing: NodeJS.Timeout | null = null;
  private closed = false;

  constructor(private readonly options: PoolOptions<T>) {}

  get isClosed(): boolean {
    return this.closed;
  }

  /** Number of processes that work, or are about to end. */
  private get used(): number {
    return this.processes.size - this.idle.length - this.starts.size;
  }

  /** The processes that are starting or ready. */
  get all(): readonly T[] {
    return [...this.processes];
  }

  /** Failed starts in a row with the last error, and the begin of the oldest pending start. */
  get startState(): { failedInRow: number; lastFailure: unknown; startingSince: number | null } {
    const [oldest] = this.starts;
    const { failedInRow, lastFailure } = this;
    return { failedInRow, lastFailure, startingSince: oldest?.since ?? null };
  }

  /**
   * Resolves with a process that is ready; there is no time limit.
   * @throws ProcessStartFailed, the reason of the signal; Unavailable if the pool is closed
   */
  async take(signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (this.closed) throw stopping();
    const child = this.idle.findLast(({ isUsable }) => isUsable);
    if (child !== undefined) {
      this.leaveIdle(child);
      this.grow();
      return child;
    }
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.waiting.splice(this.waiting.indexOf(entry), 1);
        reject(signal?.reason as Error);
      };
      const settle =
        <V>(done: (value: V) => void) =>
        (value: V): void => {
          signal?.removeEventListener('abort', leave);
          done(value);
        };
      const entry: Waiting<T> = { take: settle(resolve), fail: settle(reject), failedStarts: 0 };
      signal?.addEventListener('abort', leave, { once: true });
      this.waiting.push(entry);
      this.grow();
    });
  }

  /** Gives a process back. */
  release(child: T): void {
    // Start the replacement of an unusable process now, so that it is ready for the next work.
    if (!child.isUsable) void child.exit.then(() => this.grow());
    this.offer(child);
  }

  /** Starts the processes that are needed. */
  grow(): void {
    const { waiting, starts, processes, options } = this;
    // While there is work, one more than it needs.
    const ahead = Math.min(options.warm, 1);
    const isNeeded = (): boolean =>
      waiting.length > starts.size ||
      processes.size < Math.max(options.warm, this.used + waiting.length + ahead);
    while (
      !this.closed &&
      this.pausing === null &&
      isNeeded() &&
      starts.size < MAX_STARTING &&
      processes.size < options.most
    )
      this.start();
  }

  /** Ends all processes. */
  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.pausing ?? undefined);
    for (const { fail } of this.waiting.splice(0)) fail(stopping());
    await Promise.all([...this.processes].map((child) => child.stop()));
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
  private async startChild(): Promise<T> {
    const child = this.options.start();
    this.processes.add(child);
    void child.exit.then(() => {
      this.processes.delete(child);
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

  private countFailedStart(entry: Waiting<T>, error: unknown): void {
    entry.failedStarts += 1;
    if (entry.failedStarts < MAX_FAILED_STARTS) return;
    this.waiting.splice(this.waiting.indexOf(entry), 1);
    entry.fail(
      new ProcessStartFailed(
        `No process could be started ${this.options.purpose}: ${MAX_FAILED_STARTS} in a row ended at start. See the log of the service for why.`,
        { cause: error },
      ),
    );
  }

  private offer(child: T): void {
    if (!child.isUsable || this.closed) return child.kill();
    const next = this.waiting.shift();
    if (next) return next.take(child);
    this.idle.push(child);
    this.retirements.set(child, setTimeout(() => this.retire(child), this.options.idleMs).unref());
  }

  private retire(child: T): void {
    if (this.idle.length <= this.options.warm && child.isLight) return;
    child.kill();
    void child.exit.then(() => this.grow());
  }

  private leaveIdle(child: T): void {
    clearTimeout(this.retirements.get(child));
    this.retirements.delete(child);
    const place = this.idle.indexOf(child);
    if (place >= 0) this.idle.splice(place, 1);
  }
}

const stopping = (): Error => new Unavailable('The service is stopping.');
