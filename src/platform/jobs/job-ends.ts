import type { Model } from 'mongoose';
import type { Clock } from '../clock/clock';
import type { EventBus } from '../events/bus';
import type { Store, Tx } from '../store/store';
import type { JobState } from './job.kinds';
import type { JobError, JobRecord } from './job.model';

/** How a job ends. */
export type JobEnd =
  | { readonly state: 'SUCCEEDED'; readonly result: string }
  | { readonly state: 'FAILED'; readonly error: JobError }
  | { readonly state: 'CANCELLED' };

/** Bus topic: something, whatever it is, after each change of a job. */
export const jobTopic = (id: number): string => `job.changed.${id}`;

export const UNFINISHED: readonly JobState[] = ['QUEUED', 'RUNNING'];

export interface JobEndsDependencies {
  readonly store: Store;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly jobs: Model<JobRecord>;
  /** How long a job that has ended is kept, ms. */
  readonly keepMs: number;
}

export type JobEnds = ReturnType<typeof createJobEnds>;

/** Brings jobs to their end: once, whoever tries. */
export function createJobEnds({ store, bus, clock, jobs, keepMs }: JobEndsDependencies) {
  /** Null when it is in none of the states `from`. */
  async function endWithin(id: number, from: readonly JobState[], end: JobEnd, tx: Tx): Promise<JobRecord | null> {
    const finishedAt = clock.now();
    const set = { ...end, ...(end.state === 'SUCCEEDED' && { percent: 100 }), finishedAt, expiresAt: new Date(finishedAt.getTime() + keepMs) };
    const ended = await jobs.findOneAndUpdate({ _id: id, state: { $in: [...from] } }, { $set: set }, { session: tx.session, returnDocument: 'after' }).lean<JobRecord>();
    if (ended) tx.afterCommit(() => bus.publish(jobTopic(id), {}));
    return ended;
  }

  return { endWithin, end: (id: number, from: readonly JobState[], end: JobEnd): Promise<JobRecord | null> => store.transaction((tx) => endWithin(id, from, end, tx)) };
}
