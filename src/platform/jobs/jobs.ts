import type { Actor } from '../access/actor';
import { isAdmin } from '../access/actor';
import type { Need } from '../access/need';
import { settledWithin, WorkQueue } from '../queues';
import type { Core } from '../core';
import { Forbidden, Unavailable } from '../errors/errors';
import { createRepeating } from '../repeating';
import type { Collection } from '../store/collection';
import type { Tx } from '../store/store';
import { asTask, shareOfUser } from '../event-loop';
import {
  INTERRUPTED,
  JobCancelled,
  jobErrorOf,
  jobFinished,
  JobInterrupted,
  jobNotFound,
} from './job-errors';
import { JobStore } from './job-store';
import type { JobEnd } from './job-store';
import { UNFINISHED } from './job.kinds';
import type { JobKind } from './job.kinds';
import type { JobRecord } from './job.model';

/** Concurrent jobs of this process. */
const MAX_RUNNING = 2;
/** Maximum number of jobs in `aside`, which do not occupy a slot. */
const MAX_ASIDE = 10;
/** Queue length; queued jobs may hold an uploaded file in memory. */
const MAX_QUEUED = 10;
const DAY_MS = 24 * 60 * 60 * 1_000;
const HEARTBEAT_MS = 5_000;
/** How long a stop waits for running jobs, ms. */
const STOP_TIMEOUT_MS = 4_000;

/** Passed to the work of a job. */
export interface JobInHand {
  readonly jobId: number;
  /**
   * Reports progress, 0 to 99. A value that is not higher than the last one is not written.
   * @throws JobCancelled, JobInterrupted the work must end
   */
  readonly progress: (percent: number, message?: string) => Promise<void>;
  /** Aborted when the work must end; the reason is the error to throw. */
  readonly signal: AbortSignal;
  /** Waits for something external and lets another job use the slot. */
  readonly aside: <R>(wait: () => Promise<R>) => Promise<R>;
  /**
   * Ends the job as succeeded within the transaction of the work, so that both commit or neither
   * does. Work that does not call it succeeds when it resolves.
   * @throws JobInterrupted the job was declared dead: the transaction must not commit
   */
  readonly succeed: (result: unknown, tx: Tx) => Promise<void>;
}

/** Work of a job. Resolves to the result, which is stored as JSON. */
export type JobWork = (job: JobInHand) => Promise<unknown>;

interface Entry {
  readonly id: number;
  readonly work: JobWork;
  readonly signal: AbortSignal;
  /** @throws Forbidden the user no longer has the permission */
  readonly requirePermission: () => Promise<void>;
}

/** A job is visible to, and can be cancelled by, its owner and administrators. */
export const maySeeJob = (actor: Actor, { owner }: Pick<JobRecord, 'owner'>): boolean =>
  isAdmin(actor) || owner.userId === actor.userId;

/**
 * Runs long work in the background of this process, with limited concurrency and queue length.
 * Progress and outcome are stored. Jobs of a process that died end as JOB_INTERRUPTED; their work
 * changes the store in one transaction, so nothing is left half done.
 */
export class Jobs {
  readonly collection: Collection<JobRecord>;
  private readonly records: JobStore;
  private readonly queue = new WorkQueue({ concurrency: MAX_RUNNING, capacity: MAX_QUEUED });
  /** Jobs of this process that have not ended, by id. */
  private readonly entries = new Map<
    number,
    { readonly abort: AbortController; readonly ended: Promise<void> }
  >();
  private readonly heartbeat = createRepeating(() => this.beat(), {
    firstMs: HEARTBEAT_MS,
    thenMs: HEARTBEAT_MS,
  });
  private isStopping = false;
  /** Number of jobs that are accepted but not stored yet. */
  private accepted = 0;
  private aside = 0;

  constructor(
    private readonly deps: {
      readonly core: Core;
      readonly config: { readonly jobs: { readonly keepDays: number } };
      /** Rechecks the permission of the actor. */
      readonly isStillAllowed: (actor: Actor, needs: Need) => Promise<boolean>;
    },
  ) {
    this.records = new JobStore(deps.core, deps.config.jobs.keepDays * DAY_MS);
    this.collection = this.records.collection;
  }

  /** Returns the job with its current progress, or null. */
  find(id: number): Promise<JobRecord | null> {
    return this.records.find(id);
  }

  /** Returns the same jobs; unfinished ones with their current progress. */
  currentOf(jobs: readonly JobRecord[]): Promise<JobRecord[]> {
    return this.records.progress.currentOf(jobs);
  }

  /** Returns null if the job does not exist or is not visible to the actor. */
  async byId(actor: Actor, id: number): Promise<JobRecord | null> {
    const job = await this.find(id);
    return job && maySeeJob(actor, job) ? job : null;
  }

  /**
   * Stores a job and returns it; the work starts when a slot is free. The caller must have checked
   * the permission; it is checked again when the work starts and before its result is committed.
   * @param needs the required permission
   * @throws Unavailable stopping, or the queue is full
   */
  async start(actor: Actor, kind: JobKind, needs: Need, work: JobWork): Promise<JobRecord> {
    if (this.isStopping) throw new Unavailable('The service is stopping.');
    const { running, waiting } = this.queue;
    if (running + waiting + this.accepted >= MAX_RUNNING + MAX_QUEUED)
      throw new Unavailable(`The job queue is full: ${MAX_QUEUED} jobs are waiting.`, 10);
    this.accepted += 1;
    try {
      const job = await this.records.insert(actor, kind);
      const abort = new AbortController();
      const entry: Entry = {
        id: job._id,
        work,
        signal: abort.signal,
        requirePermission: async () => {
          if (!(await this.deps.isStillAllowed(actor, needs)))
            throw new Forbidden('The user no longer has the permission. Nothing was changed.');
        },
      };
      if (this.isStopping) abort.abort(new JobInterrupted());
      const ended = asTask(shareOfUser(actor.userId), () => this.perform(entry));
      this.entries.set(job._id, { abort, ended });
      return job;
    } finally {
      this.accepted -= 1;
    }
  }

  /**
   * Requests the end of a job and returns it: CANCELLED if it was queued, still RUNNING if its work
   * has not stopped yet (it may also complete).
   * @param also stores more in the same transaction
   * @throws NotFound JOB_NOT_FOUND, also if the job is not visible to the actor
   * @throws Refused JOB_ALREADY_FINISHED
   */
  async cancel(
    actor: Actor,
    id: number,
    also: (before: JobRecord, after: JobRecord, tx: Tx) => Promise<void>,
  ): Promise<JobRecord> {
    const cancelled = await this.deps.core.store.transaction(async (tx) => {
      const before = await this.records.find(id, tx);
      if (!before || !maySeeJob(actor, before)) throw jobNotFound(id);
      if (!UNFINISHED.includes(before.state)) throw jobFinished(before);
      const ended = await this.records.end(id, ['QUEUED'], { state: 'CANCELLED' }, tx);
      if (!ended) await this.records.requestCancel(id, tx);
      const after = ended ?? { ...before, cancelRequested: true };
      await also(before, after, tx);
      return after;
    });
    this.abort(id);
    return cancelled;
  }

  /**
   * Yields a job now and after each change, until it has ended or was deleted. A slow reader gets
   * only the latest state.
   */
  follow(id: number, signal: AbortSignal): AsyncGenerator<JobRecord, void, undefined> {
    return this.records.follow(id, signal);
  }

  /**
   * Ends the jobs left by dead processes and starts the heartbeat; call before serving requests.
   * Returns the number of jobs that were ended.
   */
  async recover(): Promise<number> {
    const ended = await this.records.endDead(new Set(this.entries.keys()));
    this.heartbeat.start();
    return ended;
  }

  /** Starts no more jobs; queued and running ones end as JOB_INTERRUPTED unless they complete. */
  async stop(): Promise<void> {
    this.isStopping = true;
    const entries = [...this.entries];
    for (const [, { abort }] of entries) abort.abort(new JobInterrupted());
    for (const [id] of entries)
      await this.records.endNow(id, ['QUEUED'], { state: 'FAILED', error: INTERRUPTED });
    await settledWithin(Promise.all(entries.map(([, { ended }]) => ended)), STOP_TIMEOUT_MS);
    await this.heartbeat.stop();
  }

  private abort(id: number): void {
    this.entries.get(id)?.abort.abort(new JobCancelled());
  }

  private async beat(): Promise<void> {
    try {
      const cancelled = await this.records.renewHeartbeats([...this.entries.keys()]);
      for (const id of cancelled) this.abort(id);
      if (!this.deps.core.store.isExclusive)
        await this.records.endDead(new Set(this.entries.keys()));
    } catch (err) {
      this.deps.core.log.error({ err }, 'heartbeats of jobs could not be written');
    }
  }

  /** Never rejects: if a job cannot be ended, `recover` does it at the next start. */
  private async perform(entry: Entry): Promise<void> {
    const { id, signal } = entry;
    try {
      await this.queue.run(async () => {
        if (!(await this.records.setRunning(id))) return;
        const end = await this.execute(entry);
        if (end) await this.records.endNow(id, ['RUNNING'], end);
      }, signal);
    } catch (error) {
      if (error !== signal.reason) this.logInternalError(error, id);
    } finally {
      this.entries.delete(id);
    }
  }

  /** Executes the work of a job. Returns its end, or null if the work itself has stored it. */
  private async execute(entry: Entry): Promise<JobEnd | null> {
    const { id, work, signal, requirePermission } = entry;
    const write = this.records.progress.writer(id);
    let isEnded = false;
    try {
      signal.throwIfAborted();
      await requirePermission();
      const result = await work({
        jobId: id,
        signal,
        progress: async (percent, message) => {
          signal.throwIfAborted();
          await write(percent, message);
        },
        aside: (wait) => this.waitAside(wait),
        succeed: async (value, tx) => {
          signal.throwIfAborted();
          await requirePermission();
          if (!(await this.records.end(id, ['RUNNING'], succeeded(value), tx)))
            throw new JobInterrupted();
          tx.afterCommit(() => {
            isEnded = true;
          });
        },
      });
      return isEnded ? null : succeeded(result);
    } catch (error) {
      if (isEnded) throw error;
      if (signal.aborted && error === signal.reason && error instanceof JobCancelled)
        return { state: 'CANCELLED' };
      const reason = jobErrorOf(error);
      if (reason.code === 'INTERNAL_SERVER_ERROR') this.logInternalError(error, id);
      return { state: 'FAILED', error: reason };
    }
  }

  private async waitAside<R>(wait: () => Promise<R>): Promise<R> {
    if (this.aside >= MAX_ASIDE) return wait();
    this.aside += 1;
    try {
      return await this.queue.aside(wait);
    } finally {
      this.aside -= 1;
    }
  }

  /** The owner of the job only sees that an internal error occurred. */
  private logInternalError(err: unknown, jobId: number): void {
    this.deps.core.log.error({ err, jobId }, 'internal error in a job');
  }
}

const succeeded = (result: unknown): JobEnd => ({
  state: 'SUCCEEDED',
  result: JSON.stringify(result ?? null),
});
