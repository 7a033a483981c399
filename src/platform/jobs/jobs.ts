import type { Actor } from '../access/actor';
import { isAdmin } from '../access/actor';
import type { Need } from '../access/need';
import { BoundedQueue } from '../queues';
import type { Clock } from '../clock/clock';
import { Forbidden, Unavailable } from '../errors/errors';
import type { EventBus } from '../events/bus';
import { insertRecord } from '../store/records';
import type { Store, Tx } from '../store/store';
import { asTask, shareOfUser } from '../event-loop';
import { createJobEnds } from './job-ends';
import type { JobEnd } from './job-ends';
import {
  INTERRUPTED,
  JobCancelled,
  jobErrorOf,
  jobFinished,
  JobInterrupted,
  jobNotFound,
} from './job-errors';
import { createJobLives } from './job-lives';
import { createJobProgress } from './job-progress';
import { jobTopic, UNFINISHED } from './job-topic';
import type { JobKind } from './job.kinds';
import { jobSchema } from './job.model';
import type { JobRecord } from './job.model';

/** Concurrent jobs of this process. */
const AT_ONCE = 2;
/** Maximum number of jobs in `aside`, which do not occupy a slot. */
const MOST_ASIDE = 10;
/** Queue length; queued jobs may hold an uploaded file in memory. */
const MOST_WAITING = 10;
const DAY_MS = 24 * 60 * 60 * 1_000;
/** How long a stop waits for running jobs, ms. */
const LET_GO_MS = 4_000;

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

export interface JobsDependencies {
  readonly store: Store;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly config: { readonly jobs: { readonly keepDays: number } };
  /** Rechecks the permission of the actor. */
  readonly mayStill: (actor: Actor, needs: Need) => Promise<boolean>;
  /** Called for internal errors; the owner of the job only sees that one occurred. */
  readonly onFault: (error: unknown, jobId: number) => void;
}

interface Entry {
  readonly id: number;
  readonly ownerId: number;
  readonly work: JobWork;
  readonly abort: AbortController;
  /** @throws Forbidden the user no longer has the permission */
  readonly requireRight: () => Promise<void>;
}

export type Jobs = ReturnType<typeof createJobs>;

/** A job is visible to, and can be cancelled by, its owner and administrators. */
export const maySeeJob = (actor: Actor, { owner }: Pick<JobRecord, 'owner'>): boolean =>
  isAdmin(actor) || owner.userId === actor.userId;

/**
 * Runs long work in the background of this process, with limited concurrency and queue length.
 * Progress and outcome are stored. Jobs of a process that died end as JOB_INTERRUPTED; their work
 * changes the store in one transaction, so nothing is left half done.
 */
export function createJobs({ store, bus, clock, config, mayStill, onFault }: JobsDependencies) {
  const jobs = store.model<JobRecord>('Job', jobSchema, 'jobs');
  const progress = createJobProgress({ store, bus, clock });
  const ends = createJobEnds({
    store,
    bus,
    clock,
    jobs,
    progress,
    keepMs: config.jobs.keepDays * DAY_MS,
  });
  const queue = new BoundedQueue<Entry>(AT_ONCE, MOST_WAITING, (entry) =>
    asTask(shareOfUser(entry.ownerId), () => perform(entry)),
  );
  const mine = new Map<number, Entry>();
  const lives = createJobLives({
    store,
    jobs,
    ends,
    progress,
    onFault: (error) => onFault(error, 0),
    mine: () => [...mine.keys()],
    cancel: (ids) => ids.forEach(letGo),
  });
  let closing = false;
  /** Jobs that are accepted but not stored yet. */
  let coming = 0;
  let waitingAside = 0;

  function letGo(id: number): void {
    mine.get(id)?.abort.abort(new JobCancelled());
  }

  async function aside<R>(wait: () => Promise<R>): Promise<R> {
    if (waitingAside >= MOST_ASIDE) return wait();
    waitingAside += 1;
    try {
      return await queue.aside(wait);
    } finally {
      waitingAside -= 1;
    }
  }

  async function outcomeOf({
    id,
    work,
    abort: { signal },
    requireRight,
  }: Entry): Promise<JobEnd | null> {
    const write = progress.writer(id);
    let isEnded = false;
    try {
      signal.throwIfAborted();
      await requireRight();
      const result = await work({
        jobId: id,
        signal,
        async progress(percent, message) {
          signal.throwIfAborted();
          await write(percent, message);
        },
        aside,
        async succeed(value, tx) {
          signal.throwIfAborted();
          await requireRight();
          const ended = await ends.endWithin(
            id,
            ['RUNNING'],
            { state: 'SUCCEEDED', result: JSON.stringify(value ?? null) },
            tx,
          );
          if (!ended) throw new JobInterrupted();
          tx.afterCommit(() => {
            isEnded = true;
          });
        },
      });
      return isEnded ? null : { state: 'SUCCEEDED', result: JSON.stringify(result ?? null) };
    } catch (error) {
      if (isEnded) throw error;
      return signal.aborted && error === signal.reason && error instanceof JobCancelled
        ? { state: 'CANCELLED' }
        : failed(id, error);
    }
  }

  function failed(id: number, error: unknown): JobEnd {
    const reason = jobErrorOf(error);
    if (reason.code === 'INTERNAL_SERVER_ERROR') onFault(error, id);
    return { state: 'FAILED', error: reason };
  }

  /** Never rejects: if a job cannot be ended, `recover` does it at the next start. */
  async function perform(entry: Entry): Promise<void> {
    const { id } = entry;
    try {
      const started = await jobs.updateOne(
        { _id: id, state: 'QUEUED' },
        { $set: { state: 'RUNNING', startedAt: clock.now() } },
      );
      if (started.matchedCount === 0) return;
      bus.publish(jobTopic(id), {});
      const end = await outcomeOf(entry);
      if (end) await ends.end(id, ['RUNNING'], end);
    } catch (error) {
      onFault(error, id);
    } finally {
      mine.delete(id);
    }
  }

  async function stored(actor: Actor, kind: JobKind): Promise<JobRecord> {
    const id = await store.nextId('jobs');
    await progress.begin(id);
    return insertRecord<JobRecord>(jobs, {
      _id: id,
      kind,
      state: 'QUEUED',
      percent: 0,
      message: null,
      result: null,
      error: null,
      owner: { userId: actor.userId, email: actor.email },
      createdAt: clock.now(),
      startedAt: null,
      finishedAt: null,
      cancelRequested: false,
      expiresAt: null,
    });
  }

  /** Returns the job with its current progress, or null. */
  async function find(id: number): Promise<JobRecord | null> {
    const found = await jobs.findById(id).lean<JobRecord>();
    return found && current(found);
  }

  async function current(job: JobRecord, tx?: Tx): Promise<JobRecord> {
    const [known = job] = await progress.currentOf([job], tx);
    return known;
  }

  return {
    model: jobs,

    find,

    /** Returns the same jobs; unfinished ones with their current progress. */
    currentOf: (found: readonly JobRecord[]): Promise<JobRecord[]> => progress.currentOf(found),

    /**
     * Stores a job and returns it; the work starts when a slot is free. The caller must have
     * checked the permission; it is checked again when the work starts and before its result is
     * committed.
     * @param needs the required permission
     * @throws Unavailable stopping, or the queue is full
     */
    async start(actor: Actor, kind: JobKind, needs: Need, work: JobWork): Promise<JobRecord> {
      if (closing) throw new Unavailable('The service is stopping.');
      if (queue.isFullWith(coming))
        throw new Unavailable(`${MOST_WAITING} jobs are waiting already.`, 10);
      coming += 1;
      try {
        const job = await stored(actor, kind);
        const entry: Entry = {
          id: job._id,
          ownerId: actor.userId,
          work,
          abort: new AbortController(),
          async requireRight() {
            if (!(await mayStill(actor, needs)))
              throw new Forbidden('Who asked for it may not do it any more. Nothing was changed.');
          },
        };
        mine.set(job._id, entry);
        queue.add(entry);
        return job;
      } finally {
        coming -= 1;
      }
    },

    /** Returns null if the job does not exist or is not visible to the actor. */
    async byId(actor: Actor, id: number): Promise<JobRecord | null> {
      const job = await find(id);
      return job && maySeeJob(actor, job) ? job : null;
    },

    /**
     * Requests the end of a job and returns it: CANCELLED if it was queued, still RUNNING if its
     * work has not stopped yet (it may also complete).
     * @param also stores more in the same transaction
     * @throws NotFound JOB_NOT_FOUND, also if the job is not visible to the actor
     * @throws Refused JOB_ALREADY_FINISHED
     */
    async cancel(
      actor: Actor,
      id: number,
      also: (before: JobRecord, after: JobRecord, tx: Tx) => Promise<void>,
    ): Promise<JobRecord> {
      const cancelled = await store.transaction(async (tx) => {
        const found = await jobs.findById(id, null, { session: tx.session }).lean<JobRecord>();
        if (!found || !maySeeJob(actor, found)) throw jobNotFound(id);
        const before = await current(found, tx);
        if (!UNFINISHED.includes(before.state)) throw jobFinished(before);
        const after =
          (await ends.endWithin(id, ['QUEUED'], { state: 'CANCELLED' }, tx)) ??
          (await jobs
            .findOneAndUpdate(
              { _id: id },
              { $set: { cancelRequested: true } },
              { session: tx.session, returnDocument: 'after' },
            )
            .lean<JobRecord>());
        if (!after) throw jobNotFound(id);
        await also(before, after, tx);
        return current(after, tx);
      });
      if (cancelled.state === 'CANCELLED') {
        queue.withdraw((entry) => entry.id === id);
        mine.delete(id);
      } else letGo(id);
      return cancelled;
    },

    /**
     * Ends the jobs left by dead processes and starts the heartbeat; call before serving requests.
     * Returns the number of jobs that were ended.
     */
    async recover(): Promise<number> {
      const left = await lives.endDead();
      lives.watch();
      return left;
    },

    /** Starts no more jobs; queued and running ones end as JOB_INTERRUPTED unless they complete. */
    async stop(): Promise<void> {
      closing = true;
      for (const { id } of queue.close())
        await ends.end(id, ['QUEUED'], { state: 'FAILED', error: INTERRUPTED });
      for (const { abort } of mine.values()) abort.abort(new JobInterrupted());
      let timer: NodeJS.Timeout | undefined;
      await Promise.race([
        queue.idle(),
        new Promise<void>((resolve) => {
          timer = setTimeout(resolve, LET_GO_MS).unref();
        }),
      ]);
      clearTimeout(timer);
      lives.stop();
    },
  };
}
