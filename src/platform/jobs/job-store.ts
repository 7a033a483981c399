import type { Actor } from '../access/actor';
import type { Core } from '../core';
import { ChangeCounter } from '../events/change-counter';
import type { Collection } from '../store/collection';
import type { Tx } from '../store/store';
import { INTERRUPTED } from './job-errors';
import { JobProgress } from './job-progress';
import { jobTopic, UNFINISHED } from './job.kinds';
import type { JobKind, JobState } from './job.kinds';
import { jobSchema } from './job.model';
import type { JobError, JobRecord } from './job.model';

/** Interval at which a followed job is read in case the bus lost an event, ms. */
const REREAD_MS = 15_000;

export type JobEnd =
  | { readonly state: 'SUCCEEDED'; readonly result: string }
  | { readonly state: 'FAILED'; readonly error: JobError }
  | { readonly state: 'CANCELLED' };

/** Reads and writes the records of jobs. */
export class JobStore {
  readonly collection: Collection<JobRecord>;
  readonly progress: JobProgress;

  /** @param keepMs retention of ended jobs */
  constructor(
    private readonly core: Omit<Core, 'log'>,
    private readonly keepMs: number,
  ) {
    this.collection = core.store.collection<JobRecord>('Job', jobSchema, 'jobs');
    this.progress = new JobProgress(core);
  }

  /** Returns the job with its current progress, or null. */
  async find(id: number, tx?: Tx): Promise<JobRecord | null> {
    const job = await this.collection.byId(id, tx);
    return job && (await this.progress.currentOf([job], tx))[0];
  }

  /**
   * Yields a job now and after each change, until it has ended or was deleted. A slow reader gets
   * only the latest state.
   */
  async *follow(id: number, signal: AbortSignal): AsyncGenerator<JobRecord, void, undefined> {
    const changes = new ChangeCounter();
    const stop = this.core.bus.subscribe<object>(jobTopic(id), changes.increment);
    try {
      for (let last = ''; ;) {
        const { count } = changes;
        const job = await this.find(id);
        if (!job || signal.aborted) return;
        const current = JSON.stringify([job.state, job.percent, job.message]);
        if (current !== last) yield job;
        last = current;
        if (!UNFINISHED.includes(job.state)) return;
        await changes.next(count, signal, REREAD_MS);
      }
    } finally {
      stop();
    }
  }

  async insert(actor: Actor, kind: JobKind): Promise<JobRecord> {
    const id = await this.core.store.nextId('jobs');
    await this.progress.begin(id);
    return this.collection.insert({
      _id: id,
      kind,
      state: 'QUEUED',
      percent: 0,
      message: null,
      result: null,
      error: null,
      owner: { userId: actor.userId, email: actor.email },
      createdAt: this.core.clock.now(),
      startedAt: null,
      finishedAt: null,
      cancelRequested: false,
      expiresAt: null,
    });
  }

  /** Marks a queued job as running. Returns false if it is no longer queued. */
  async setRunning(id: number): Promise<boolean> {
    const matched = await this.collection.updateOne(
      { _id: id, state: 'QUEUED' },
      { $set: { state: 'RUNNING', startedAt: this.core.clock.now() } },
    );
    if (matched > 0) this.core.bus.publish(jobTopic(id), {});
    return matched > 0;
  }

  async requestCancel(id: number, tx: Tx): Promise<void> {
    const set = { $set: { cancelRequested: true } };
    await this.collection.updateOne({ _id: id }, set, tx);
  }

  /**
   * Ends a job and returns it, or null if it is in none of the states `from`. Only the first end of
   * a job takes effect.
   */
  async end(id: number, from: readonly JobState[], end: JobEnd, tx: Tx): Promise<JobRecord | null> {
    const job = await this.find(id, tx);
    if (!job || !from.includes(job.state)) return null;
    const { percent, message } = job;
    const finishedAt = this.core.clock.now();
    const set = {
      ...end,
      percent: end.state === 'SUCCEEDED' ? 100 : percent,
      message,
      finishedAt,
      expiresAt: new Date(finishedAt.getTime() + this.keepMs),
    };
    const ended = await this.collection.change(id, set, tx);
    tx.afterCommit(async () => {
      this.core.bus.publish(jobTopic(id), {});
      await this.progress.remove(id).catch(() => undefined);
    });
    return ended;
  }

  /** `end` in a transaction of its own. */
  endNow(id: number, from: readonly JobState[], end: JobEnd): Promise<JobRecord | null> {
    return this.core.store.transaction((tx) => this.end(id, from, end, tx));
  }

  /** Renews the heartbeats of these jobs. Returns those whose cancellation was requested. */
  async renewHeartbeats(ids: readonly number[]): Promise<number[]> {
    if (ids.length === 0) return [];
    await this.progress.renewHeartbeats(ids);
    const cancelled = await this.collection.find<Pick<JobRecord, '_id'>>(
      { _id: { $in: [...ids] }, cancelRequested: true },
      { fields: { _id: 1 } },
    );
    return cancelled.map(({ _id }) => _id);
  }

  /**
   * Ends the jobs of processes without heartbeat; with an exclusive store, those of all other
   * processes. Returns their number.
   * @param own ids of the jobs of this process
   */
  async endDead(own: ReadonlySet<number>): Promise<number> {
    const unfinished = await this.collection.find<Pick<JobRecord, '_id'>>(
      { state: { $in: [...UNFINISHED] } },
      { fields: { _id: 1 } },
    );
    const others = unfinished.flatMap(({ _id }) => (own.has(_id) ? [] : [_id]));
    const dead = this.core.store.isExclusive ? others : await this.progress.silentOf(others);
    for (const id of dead)
      await this.endNow(id, UNFINISHED, { state: 'FAILED', error: INTERRUPTED });
    return dead.length;
  }
}
