import type { EventBus } from '../events/bus';
import type { Clock } from '../clock/clock';
import { orNull, schemaOf } from '../store/schema';
import type { Store, Tx } from '../store/store';
import { jobTopic, UNFINISHED } from './job-topic';
import type { JobRecord } from './job.model';

/**
 * Progress and heartbeat of an unfinished job. A record of its own: these writes happen while the transaction that ends the job is open, and on
 * the row of the job they would conflict with it.
 */
export interface JobProgressRecord {
  /** The id of the job. */
  readonly _id: number;
  readonly percent: number;
  readonly message: string | null;
  /** Without a later heartbeat the process of the job counts as dead from then on. */
  readonly aliveUntil: Date;
}

const jobProgressSchema = schemaOf<JobProgressRecord>({
  _id: Number,
  percent: Number,
  message: orNull(String),
  aliveUntil: Date,
});
// What a process that died could not remove.
jobProgressSchema.index({ aliveUntil: 1 }, { expireAfterSeconds: 24 * 60 * 60 });

const MAX_MESSAGE_LENGTH = 200;
/** 100 is written with the end. */
const MAX_PERCENT = 99;
const HEARTBEAT_TTL_MS = 30_000;

export interface JobProgressDependencies {
  readonly store: Store;
  readonly bus: EventBus;
  readonly clock: Clock;
}

export type JobProgress = ReturnType<typeof createJobProgress>;

/** Reads and writes how far jobs are, and which of them have a living process. */
export function createJobProgress({ store, bus, clock }: JobProgressDependencies) {
  const records = store.model<JobProgressRecord>('JobProgress', jobProgressSchema, 'job_progress');
  const aliveUntil = (): Date => new Date(clock.now().getTime() + HEARTBEAT_TTL_MS);

  return {
    /** To be called before the job is stored: a job without this record counts as dead. */
    async begin(id: number): Promise<void> {
      await records.create([{ _id: id, percent: 0, message: null, aliveUntil: aliveUntil() }]);
    },

    /** Writes the progress of a job: once for each percent, whatever is reported in between. */
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
        // Reports may overlap: an earlier one that is written later must not take the progress back.
        const { matchedCount } = await records.updateOne(
          { _id: id, percent: { $lt: reached } },
          { $set: set },
        );
        if (matchedCount > 0) bus.publish(jobTopic(id), {});
      };
    },

    /** Renews the heartbeats of these jobs in one write. */
    async beat(ids: readonly number[]): Promise<void> {
      await records.updateMany({ _id: { $in: [...ids] } }, { $set: { aliveUntil: aliveUntil() } });
    },

    /** Of these jobs those whose process has given no heartbeat in time. */
    async silentOf(ids: readonly number[]): Promise<number[]> {
      const alive = await records
        .find({ _id: { $in: [...ids] }, aliveUntil: { $gte: clock.now() } }, { _id: 1 })
        .lean<Pick<JobProgressRecord, '_id'>[]>();
      const known = new Set(alive.map(({ _id }) => _id));
      return ids.filter((id) => !known.has(id));
    },

    /** The same jobs, unfinished ones with their current progress. */
    async currentOf(jobs: readonly JobRecord[], tx?: Tx): Promise<JobRecord[]> {
      const ids = jobs.flatMap(({ _id, state }) => (UNFINISHED.includes(state) ? [_id] : []));
      if (ids.length === 0) return [...jobs];
      const found = await records
        .find({ _id: { $in: ids } }, null, { session: tx?.session })
        .lean<JobProgressRecord[]>();
      const byId = new Map(found.map((record) => [record._id, record]));
      return jobs.map((job) => {
        const { percent, message } = byId.get(job._id) ?? job;
        return UNFINISHED.includes(job.state) ? { ...job, percent, message } : job;
      });
    },

    /** The job has ended: its row has the last progress. */
    async remove(id: number): Promise<void> {
      await records.deleteOne({ _id: id });
    },
  };
}
