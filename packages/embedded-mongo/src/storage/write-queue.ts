import { StoreError } from '../errors';
import { TimeSlice } from '../time-slices';
import { isDiskError, isFatal, diskFullError, writeFailedError } from '../directory/disk-space';
import { ReserveUse } from '../directory/necessary-writes';
import type { NecessaryWrites } from '../directory/necessary-writes';
import type { SpaceLevel } from '../directory/space-report';
import type { WriteView } from './views';

export interface WriteOptions<T> {
  /** Runs alone in its commit. */
  readonly exclusive?: boolean;
  /**
   * Allowed when the disk is nearly full: `always`, since it frees space or is small and necessary,
   * or if its documents permit it.
   */
  readonly reserve?: 'always' | NecessaryWrites;
  /** Overwrites keys locked by open transactions, which then cannot commit. */
  readonly overridesLocks?: boolean;
  /** Runs right after the commit, before any later writer; for changes in memory. */
  readonly committed?: (result: T) => void;
}

interface Job extends WriteOptions<never> {
  readonly run: (view: WriteView) => unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** How long writes are rejected after a disk error. */
const DISK_RETRY_MS = 1_000;

type Outcome = { readonly result: unknown } | { readonly error: unknown };

/** Environment that the queue writes to. */
interface QueueTarget {
  readonly view: WriteView;
  /** Runs in one transaction that is durable when it returns. */
  commit(write: () => void): void;
  /** Returns which writes the space allows; called before each transaction. */
  checkSpace(): SpaceLevel;
  /** Called at the start of each transaction; throws if writes are not allowed. */
  fence(): void;
  /** Called when no more writes are possible until a restart. */
  onFatalError(error: StoreError): void;
}

/**
 * Queue of writers that share commits.
 *
 * All writes of an event loop iteration go into one synchronous transaction with one fsync. LMDB's
 * asynchronous transactions are not used: they crash the process when the disk is full.
 */
export class WriteQueue {
  private queue: Job[] = [];
  private scheduled = false;
  private diskError: { readonly error: StoreError; readonly until: number } | undefined;

  constructor(private readonly target: QueueTarget) {}

  add<T>(run: (view: WriteView) => T, options: WriteOptions<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.queue.push({ ...options, run, resolve: resolve as Job['resolve'], reject });
      this.schedule();
    });
  }

  /** Runs all queued writers now. */
  finish(): void {
    while (this.queue.length > 0) this.drain();
  }

  /** Runs a transaction; rejects for a while after a disk error. */
  commit(write: () => void): void {
    if (this.diskError !== undefined && performance.now() < this.diskError.until)
      throw this.diskError.error;
    this.target.commit(write);
    this.diskError = undefined;
  }

  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    setImmediate(() => this.drain());
  }

  /** Runs queued writers for a time slice; the rest continues in a later event loop iteration. */
  private drain(): void {
    this.scheduled = false;
    const slice = new TimeSlice();
    while (this.queue.length > 0) {
      this.runGroup(this.nextGroup());
      if (slice.isOver() && this.queue.length > 0) {
        this.schedule();
        return;
      }
    }
  }

  private nextGroup(): Job[] {
    const size = this.queue[0].exclusive ? 1 : this.queue.findIndex((job) => job.exclusive);
    return this.queue.splice(0, size === -1 ? this.queue.length : size);
  }

  /**
   * When the time slice is over, commits what has run; the other writers wait for the next group.
   */
  private runGroup(group: readonly Job[]): void {
    let outcomes: Outcome[];
    try {
      outcomes = this.commitGroup(group);
    } catch (error) {
      const diskError = this.diskErrorOf(error);
      if (diskError === undefined && group.length > 1)
        for (const job of group) this.runGroup([job]);
      else for (const job of group) job.reject(diskError ?? error);
      return;
    }
    this.queue.unshift(...group.slice(outcomes.length));
    outcomes.forEach((outcome, index) => settle(group[index], outcome));
  }

  /**
   * Returns the error for writers after a disk error. What failed was not acknowledged;
   * acknowledged writes are on disk. The next attempt is made after a delay, to not retry
   * continuously.
   */
  private diskErrorOf(error: unknown): StoreError | undefined {
    const lastError = this.diskError?.error;
    if (lastError !== undefined && error === lastError) return lastError;
    if (!isDiskError(error)) return undefined;
    this.diskError = {
      error: writeFailedError(error.message),
      until: performance.now() + DISK_RETRY_MS,
    };
    if (isFatal(error)) this.target.onFatalError(this.diskError.error);
    return this.diskError.error;
  }

  private commitGroup(group: readonly Job[]): Outcome[] {
    const outcomes: Outcome[] = [];
    const level = this.target.checkSpace();
    const refuses = ({ reserve }: Job): boolean =>
      level === 'exhausted' || (level !== 'enough' && reserve === undefined);
    const slice = new TimeSlice();
    this.commit(() => {
      this.target.fence();
      for (const job of group) {
        outcomes.push(
          refuses(job)
            ? { error: diskFullError(level === 'exhausted') }
            : runJob(job, this.target.view, level),
        );
        if (slice.isOver()) break;
      }
    });
    return outcomes;
  }
}

/** A StoreError is returned to the writer; other errors are unexpected and roll back the commit. */
function runJob(job: Job, view: WriteView, level: SpaceLevel): Outcome {
  let hasWritten = false;
  const use =
    level === 'enough' || job.reserve === undefined || job.reserve === 'always'
      ? null
      : new ReserveUse(job.reserve);
  const watched: WriteView = {
    ...view,
    lock: (key) => {
      if (!job.overridesLocks) view.lock(key);
    },
    put: (key, value) => {
      hasWritten = true;
      use?.record(key, view.get(key), value);
      view.put(key, value);
    },
    remove: (key) => {
      hasWritten = true;
      use?.record(key, view.get(key), undefined);
      view.remove(key);
    },
  };
  try {
    const result = job.run(watched);
    if (use?.isAcceptedAt(level) === false) throw diskFullError();
    return { result };
  } catch (error) {
    if (error instanceof StoreError && !hasWritten) return { error };
    throw error;
  }
}

function settle(job: Job, outcome: Outcome): void {
  if ('error' in outcome) {
    job.reject(outcome.error);
    return;
  }
  job.committed?.(outcome.result as never);
  job.resolve(outcome.result);
}
