import type { Model } from 'mongoose';
import type { Clock } from '../clock/clock';
import type { Store } from '../store/store';
import type { JobEnds } from './job-ends';
import { UNFINISHED } from './job-ends';
import { INTERRUPTED } from './job-errors';
import type { JobRecord } from './job.model';

/** How long a job is taken for alive without a sign of its process, ms. */
const ALIVE_MS = 30_000;
const SIGN_MS = 5_000;

export interface JobLivesDependencies {
  readonly store: Store;
  readonly clock: Clock;
  readonly jobs: Model<JobRecord>;
  readonly ends: JobEnds;
  readonly onFault: (error: unknown) => void;
  /** What this process is at. */
  readonly mine: () => readonly number[];
  /** Another process was asked to cancel them. */
  readonly cancel: (ids: readonly number[]) => void;
}

/** Tells dead jobs from live ones: each process gives a sign for its own, and ends those for which nobody does. */
export function createJobLives({ store, clock, jobs, ends, onFault, mine, cancel }: JobLivesDependencies) {
  let timer: NodeJS.Timeout | null = null;

  async function giveSigns(): Promise<void> {
    const ids = mine();
    if (ids.length === 0) return;
    await jobs.updateMany({ _id: { $in: [...ids] }, state: { $in: [...UNFINISHED] } }, { $set: { aliveUntil: aliveUntil() } });
    const cancelled = await jobs.find({ _id: { $in: [...ids] }, cancelRequested: true }, { _id: 1 }).lean<Pick<JobRecord, '_id'>[]>();
    cancel(cancelled.map(({ _id }) => _id));
  }

  /** Where no other process can be at the store, all that are not mine are dead. */
  async function endDead(): Promise<number> {
    const known = new Set(mine());
    const silent = store.isExclusive ? {} : { aliveUntil: { $lt: clock.now() } };
    const left = await jobs.find({ state: { $in: [...UNFINISHED] }, ...silent }, { _id: 1 }).lean<Pick<JobRecord, '_id'>[]>();
    const dead = left.filter(({ _id }) => !known.has(_id));
    for (const { _id } of dead) await ends.end(_id, UNFINISHED, { state: 'FAILED', error: INTERRUPTED });
    return dead.length;
  }

  const aliveUntil = (): Date => new Date(clock.now().getTime() + ALIVE_MS);

  return {
    aliveUntil,
    endDead,
    /** From now on. */
    watch(): void {
      timer ??= setInterval(() => {
        giveSigns().then(() => (store.isExclusive ? undefined : endDead())).catch(onFault);
      }, SIGN_MS).unref();
    },
    stop(): void {
      if (timer) clearInterval(timer);
      timer = null;
    },
  };
}
