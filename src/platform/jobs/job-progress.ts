import type { Core } from '../core';
import type { Collection } from '../store/collection';
import { orNull, schemaOf } from '../store/schema';
import type { Tx } from '../store/store';
import { jobTopic, UNFINISHED } from './job.kinds';
import type { JobRecord } from './job.model';

/**
 * Progress and heartbeat of an unfinished job. A separate record: these writes happen during the
 * transaction that ends the job and would conflict with it on the job's own record.
 */
interface JobProgressRecord {
  readonly _id: number;
  readonly percent: number;
  readonly message: string | null;
  /** If no later heartbeat arrives, the process of the job counts as dead after this. */
  readonly aliveUntil: Date;
}

const jobProgressSchema = schemaOf<JobProgressRecord>({
  _id: Number,
  percent: Number,
  message: orNull(String),
  aliveUntil: Date,
});
// Removes records left by processes that died.
jobProgressSchema.index({ aliveUntil: 1 }, { expireAfterSeconds: 24 * 60 * 60 });

const MAX_MESSAGE_LENGTH = 200;
/** 100 is written when the job ends. */
const MAX_PERCENT = 99;
const HEARTBEAT_TTL_MS = 30_000;

/** Reads and writes the progress and heartbeats of jobs. */
export class JobProgress {
  private readonly records: Collection<JobProgressRecord>;

  constructor(private readonly core: Omit<Core, 'log'>) {
    this.records = core.store.collection<JobProgressRecord>(
      'JobProgress',
      jobProgressSchema,
      'job_progress',
    );
  }

  /** Call before the job is stored: a job without this record counts as dead. */
  async begin(id: number): Promise<void> {
    await this.records.insert({
      _id: id,
      percent: 0,
      message: null,
      aliveUntil: this.aliveUntil(),
    });
  }

  /** Returns a function that writes progress, at most once per percent. */
  writer(id: number): (percent: number, message?: string) => Promise<void> {
    let written = 0;
    return async (percent, message) => {
      const reached = Math.min(MAX_PERCENT, Math.floor(percent));
      if (!(reached > written)) return;
      written = reached;
      const set = {
        percent: reached,
        ...(message !== undefined && {
          message: message.slice(0, MAX_MESSAGE_LENGTH).toWellFormed(),
        }),
      };
      // Writes may overlap: progress must never decrease.
      const matched = await this.records.updateOne(
        { _id: id, percent: { $lt: reached } },
        { $set: set },
      );
      if (matched > 0) this.core.bus.publish(jobTopic(id), {});
    };
  }

  async renewHeartbeats(ids: readonly number[]): Promise<void> {
    const set = { $set: { aliveUntil: this.aliveUntil() } };
    await this.records.updateMany({ _id: { $in: [...ids] } }, set);
  }

  /** Returns those of these jobs whose heartbeat has expired. */
  async silentOf(ids: readonly number[]): Promise<number[]> {
    const alive = await this.records.find<Pick<JobProgressRecord, '_id'>>(
      { _id: { $in: [...ids] }, aliveUntil: { $gte: this.core.clock.now() } },
      { fields: { _id: 1 } },
    );
    const aliveIds = new Set(alive.map(({ _id }) => _id));
    return ids.filter((id) => !aliveIds.has(id));
  }

  /** Returns the same jobs; unfinished ones with their current progress. */
  async currentOf(jobs: readonly JobRecord[], tx?: Tx): Promise<JobRecord[]> {
    const ids = jobs.flatMap(({ _id, state }) => (UNFINISHED.includes(state) ? [_id] : []));
    if (ids.length === 0) return [...jobs];
    const records = await this.records.find({ _id: { $in: ids } }, { tx });
    const byId = new Map(records.map((record) => [record._id, record]));
    return jobs.map((job) => {
      const { percent, message } = byId.get(job._id) ?? job;
      return UNFINISHED.includes(job.state) ? { ...job, percent, message } : job;
    });
  }

  /** Call when the job has ended; its own record has the final progress. */
  async remove(id: number): Promise<void> {
    await this.records.deleteOne({ _id: id });
  }

  private aliveUntil(): Date {
    return new Date(this.core.clock.now().getTime() + HEARTBEAT_TTL_MS);
  }
}
