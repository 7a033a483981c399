import type { Model } from 'mongoose';
import type { Store } from '../store/store';
import type { JobEnds } from './job-ends';
import { INTERRUPTED } from './job-errors';
import type { JobRecord } from './job.model';
import type { JobProgress } from './job-progress';
import { UNFINISHED } from './job-topic';

const HEARTBEAT_MS = 5_000;

export interface JobLivesDependencies {
  readonly store: Store;
  readonly jobs: Model<JobRecord>;
  readonly ends: JobEnds;
  readonly progress: Pick<JobProgress, 'beat' | 'silentOf'>;
  readonly onFault: (error: unknown) => void;
  /** Ids of the jobs of this process. */
  readonly mine: () => readonly number[];
  /** Called with jobs of this process whose cancellation was requested in another process. */
  readonly cancel: (ids: readonly number[]) => void;
}

/** Renews the heartbeats of this process's jobs and ends jobs of processes without heartbeat. */
export function createJobLives({
  store,
  jobs,
  ends,
  progress,
  onFault,
  mine,
  cancel,
}: JobLivesDependencies) {
  let timer: NodeJS.Timeout | null = null;

  async function renewHeartbeats(): Promise<void> {
    const ids = mine();
    if (ids.length === 0) return;
    await progress.beat(ids);
    const cancelled = await jobs
      .find({ _id: { $in: [...ids] }, cancelRequested: true }, { _id: 1 })
      .lean<Pick<JobRecord, '_id'>[]>();
    cancel(cancelled.map(({ _id }) => _id));
  }

  /** With an exclusive store, all jobs of other processes are dead. */
  async function endDead(): Promise<number> {
    const known = new Set(mine());
    const left = await jobs
      .find({ state: { $in: [...UNFINISHED] } }, { _id: 1 })
      .lean<Pick<JobRecord, '_id'>[]>();
    const others = left.flatMap(({ _id }) => (known.has(_id) ? [] : [_id]));
    const dead = store.isExclusive ? others : await progress.silentOf(others);
    for (const id of dead) await ends.end(id, UNFINISHED, { state: 'FAILED', error: INTERRUPTED });
    return dead.length;
  }

  return {
    endDead,
    /** Starts the heartbeat. */
    watch(): void {
      timer ??= setInterval(() => {
        renewHeartbeats()
          .then(() => (store.isExclusive ? undefined : endDead()))
          .catch(onFault);
      }, HEARTBEAT_MS).unref();
    },
    stop(): void {
      if (timer) clearInterval(timer);
      timer = null;
    },
  };
}
