import type { Model, QueryFilter } from 'mongoose';
import type { Clock } from '../../platform/clock/clock';
import { isKnownDead, processName } from '../../platform/store/process-name';
import type { Store } from '../../platform/store/store';
import type { StepPlace } from './execution/run-engine';
import type { RunStateName } from './run.events';
import type { RunRecord } from './run.model';
import { BOTH_KINDS } from './run.policy';

/** How long the ownership of a run holds, ms. A process that dies leaves none RUNNING for longer than `leaseMs`, `skewMs` and `beatMs` together. */
export interface LeaseTimes {
  readonly leaseMs: number;
  /** How often leases are renewed, and those of others looked at. */
  readonly beatMs: number;
  /** How often the runs that are executed here are looked at for the wish of another process to cancel them. */
  readonly lookMs: number;
  /** By how much the clocks of two machines may differ: others wait that much longer. */
  readonly skewMs: number;
}

/** A cancel is promised within a second: a look, and half a second for a run that does not come back. */
export const LEASE_TIMES: LeaseTimes = {
  leaseMs: 30_000,
  beatMs: 10_000,
  lookMs: 250,
  skewMs: 10_000,
};

/** The two a run can leave. */
export const UNFINISHED: readonly RunStateName[] = ['QUEUED', 'RUNNING'];

/** A run that was begun so often and has never sent anything is not begun again: it may be what ends its processes. */
const MAX_BEGINNINGS = 10;

/** A request that no step is known to have made. */
const NO_STEP: StepPlace = { step: null, index: '', loopIndex: [], attempt: 1 };

export type Owned = Pick<RunRecord, '_id' | 'state' | 'owner' | 'leaseUntil' | 'fence'>;

/** A run whose process is gone, as far as this one can tell. */
export interface Orphan {
  readonly run: Owned;
  /** False: its process may live, and has not renewed its lease in time. */
  readonly isDead: boolean;
}

/** Another process has taken the run over, or ended it. */
export class RunLost extends Error {}

export interface OwnersDependencies {
  readonly store: Store;
  readonly clock: Clock;
  readonly runs: Model<RunRecord>;
  readonly times: LeaseTimes;
}

export type RunOwners = ReturnType<typeof createRunOwners>;

/**
 * Which runs are this process's, as the store says. A run has one owner; what is written for it is written under the owner and the fence it was
 * claimed with, so that a process that was taken for dead changes nothing when it comes back.
 */
export function createRunOwners({ store, clock, runs, times }: OwnersDependencies) {
  const me = processName();
  /** Own runs, with the end of their leases by the monotonic clock of this process. Other processes judge by the time that is stored, and wait longer. */
  const held = new Map<number, number>();

  /** Of a lease that is written now: as it is stored, and by the monotonic clock. Counted from before the write, so never too long. */
  const newLease = (): { readonly leaseUntil: Date; readonly until: number } => ({
    leaseUntil: new Date(clock.now().getTime() + times.leaseMs),
    until: clock.elapsedMs() + times.leaseMs,
  });

  /** What the record of a run is that nobody took meanwhile. */
  const as = ({ _id, state, owner, fence }: Owned): QueryFilter<RunRecord> => ({
    _id,
    state,
    owner,
    fence,
  });

  function asOrphan(run: Owned, isKnown: (owner: string) => boolean): Orphan[] {
    const { _id, owner, leaseUntil } = run;
    if (held.has(_id)) return [];
    const isDead = owner !== null && owner !== me && (store.isExclusive || isKnown(owner));
    const isSilent =
      leaseUntil === null || leaseUntil.getTime() + times.skewMs < clock.now().getTime();
    return isDead || isSilent ? [{ run, isDead }] : [];
  }

  /** Renews the lease of one run, and sets what else is to be written with it. @throws RunLost */
  async function renewOne(run: Owned, set: Partial<RunRecord> = {}): Promise<void> {
    const { leaseUntil, until } = newLease();
    const renewed = await runs.updateOne(as(run), { $set: { leaseUntil, ...set } });
    if (renewed.matchedCount === 0)
      throw new RunLost(`Run ${run._id} was taken over or ended by another process.`);
    if (held.has(run._id)) held.set(run._id, until);
  }

  return {
    as,

    /** May another process execute it, now or when it has a place? */
    isElsewhere: ({ state, owner }: Pick<RunRecord, 'state' | 'owner'>): boolean =>
      !store.isExclusive && UNFINISHED.includes(state) && owner !== me,

    /** What a new run says: a test is its process's from the beginning, any other run is for whoever has a place for it. */
    ofNew: (
      test: boolean,
    ): Pick<RunRecord, 'owner' | 'leaseUntil' | 'fence' | 'cancelRequested'> => ({
      owner: test ? me : null,
      leaseUntil: test ? newLease().leaseUntil : null,
      fence: 0,
      cancelRequested: false,
    }),

    /** The run is stored, and this process answers for it. */
    hold({ _id, owner, leaseUntil }: Owned): void {
      if (owner === me && leaseUntil !== null)
        held.set(_id, clock.elapsedMs() + leaseUntil.getTime() - clock.now().getTime());
    },

    /** Is the run certainly this process's? No other one can be at an embedded store. */
    isHeld: (id: number): boolean =>
      held.has(id) && (store.isExclusive || (held.get(id) ?? 0) > clock.elapsedMs()),

    /** Takes a run that waits and begins it. Null: it does not wait any more, or is another process's. */
    async claim(id: number): Promise<RunRecord | null> {
      const { leaseUntil, until } = newLease();
      const claimed = await runs
        .findOneAndUpdate(
          { _id: id, state: 'QUEUED', owner: { $in: [null, me] }, isBlocked: { $exists: false } },
          {
            $set: { state: 'RUNNING', startedAt: clock.now(), owner: me, leaseUntil, unsent: true },
            $inc: { fence: 1 },
          },
          { returnDocument: 'after' },
        )
        .lean<RunRecord>();
      if (claimed) held.set(id, until);
      return claimed;
    },

    /** It has ended, or is given up. */
    release: (id: number): void => void held.delete(id),

    /**
     * To be called before something is written for an own run: a process whose lease is over asks the store, and takes the run back if no other one has it.
     * @throws RunLost
     */
    async require(run: Owned): Promise<void> {
      if ((held.get(run._id) ?? 0) <= clock.elapsedMs()) await renewOne(run);
    },

    /** To be called before the first request of a run leaves: from then on the run is never begun again. @throws RunLost */
    markSent: (run: Owned, place: StepPlace | null): Promise<void> =>
      renewOne(run, { unsent: false, firstSend: place ?? NO_STEP }),

    /** What the record of a run is that may be begun once more: nobody took it meanwhile, and it has sent nothing. */
    asUnsent: (run: Owned): QueryFilter<RunRecord> => ({
      $and: [
        as(run),
        {
          test: false,
          state: 'RUNNING',
          cancelRequested: false,
          unsent: true,
          fence: { $lt: MAX_BEGINNINGS },
        },
      ],
    }),

    /** Renews all leases in one write, also those that are over and nobody has claimed. Answers which runs are lost. */
    async renew(): Promise<number[]> {
      const ids = [...held.keys()];
      if (ids.length === 0) return [];
      const { leaseUntil, until } = newLease();
      const mine = { _id: { $in: ids }, owner: me };
      const { matchedCount } = await runs.updateMany(
        { ...mine, state: { $in: UNFINISHED } },
        { $set: { leaseUntil } },
      );
      const kept = new Set(
        matchedCount === ids.length
          ? ids
          : (await runs.find(mine, { _id: 1 }).lean<Pick<RunRecord, '_id'>[]>()).map(
              ({ _id }) => _id,
            ),
      );
      // Those that have ended meanwhile are held no more.
      for (const id of ids) if (kept.has(id) && held.has(id)) held.set(id, until);
      return ids.filter((id) => !kept.has(id) && held.has(id));
    },

    /** Which of these another process wants to be cancelled: one query for all of them, and none for none. */
    async cancelled(ids: readonly number[]): Promise<number[]> {
      if (ids.length === 0) return [];
      const asked = await runs
        .find({ _id: { $in: ids }, owner: me, cancelRequested: true }, { _id: 1 })
        .lean<Pick<RunRecord, '_id'>[]>();
      return asked.map(({ _id }) => _id);
    },

    /** Runs whose process is gone: those that went on, and tests that waited. */
    async orphans(): Promise<Orphan[]> {
      const find = (filter: QueryFilter<RunRecord>): Promise<Owned[]> =>
        runs
          .find(filter, { state: 1, owner: 1, leaseUntil: 1, fence: 1 })
          .sort({ queuedAt: 1, _id: 1 })
          .lean<Owned[]>();
      const going = [
        ...(await find({ test: BOTH_KINDS, state: 'RUNNING' })),
        ...(await find({ test: true, state: 'QUEUED' })),
      ];
      const dead = new Map<string, boolean>();
      const isDead = (owner: string): boolean => {
        const known = dead.get(owner) ?? isKnownDead(owner);
        dead.set(owner, known);
        return known;
      };
      return going.flatMap((run) => asOrphan(run, isDead));
    },
  };
}
