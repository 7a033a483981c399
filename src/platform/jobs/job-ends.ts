import type { Model } from 'mongoose';
import type { Clock } from '../clock/clock';
import type { EventBus } from '../events/bus';
import { changeRecord } from '../store/records';
import type { Store, Tx } from '../store/store';
import type { JobState } from './job.kinds';
import type { JobError, JobRecord } from './job.model';
import type { JobProgress } from './job-progress';
import { jobTopic } from './job-topic';

export type JobEnd =
  | { readonly state: 'SUCCEEDED'; readonly result: string }
  | { readonly state: 'FAILED'; readonly error: JobError }
  | { readonly state: 'CANCELLED' };

export interface JobEndsDependencies {
  readonly store: Store;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly jobs: Model<JobRecord>;
  readonly progress: Pick<JobProgress, 'currentOf' | 'remove'>;
  /** Retention of finished jobs, ms. */
  readonly keepMs: number;
}

export type JobEnds = ReturnType<typeof createJobEnds>;

/** Ends jobs. The first call for a job takes effect; later ones do not. */
export function createJobEnds({ store, bus, clock, jobs, progress, keepMs }: JobEndsDependencies) {
  /** Returns null if the job is in none of the states `from`. */
  async function endWithin(
    id: number,
    from: readonly JobState[],
    end: JobEnd,
    tx: Tx,
  ): Promise<JobRecord | null> {
    const found = await jobs
      .findOne({ _id: id, state: { $in: [...from] } }, null, { session: tx.session })
      .lean<JobRecord>();
    if (!found) return null;
    const [{ percent, message } = found] = await progress.currentOf([found], tx);
    const finishedAt = clock.now();
    const set = {
      ...end,
      percent: end.state === 'SUCCEEDED' ? 100 : percent,
      message,
      finishedAt,
      expiresAt: new Date(finishedAt.getTime() + keepMs),
    };
    const ended = await changeRecord(jobs, id, set, tx);
    tx.afterCommit(async () => {
      bus.publish(jobTopic(id), {});
      await progress.remove(id).catch(() => undefined);
    });
    return ended;
  }

  return {
    endWithin,
    end: (id: number, from: readonly JobState[], end: JobEnd): Promise<JobRecord | null> =>
      store.transaction((tx) => endWithin(id, from, end, tx)),
  };
}
