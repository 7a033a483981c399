import type { Model, QueryFilter } from 'mongoose';
import type { Clock } from '../../platform/clock/clock';
import { isKnownDead, processName } from '../../platform/store/lease';
import type { Store } from '../../platform/store/store';
import type { StepPlace } from './execution/run-engine';
import type { RunStateName } from './run.events';
import type { RunRecord } from './run.model';
import { BOTH_KINDS } from './run.policy';

/**
 * Times of run leases, ms. A run of a dead process stays RUNNING for at most `leaseMs`, `skewMs`
 * and `beatMs` together.
 */
export interface LeaseTimes {
  readonly leaseMs: number;
  /** Interval for renewing own leases and checking those of others. */
  readonly beatMs: number;
  /** Interval for checking whether another process wants to cancel runs of this one. */
  readonly lookMs: number;
  /** Maximum clock difference of two machines: other processes wait that much longer. */
  readonly skewMs: number;
}

/** Cancelling takes at most a second: one check, and 500 ms for a run that does not react. */
export const LEASE_TIMES: LeaseTimes = {
  leaseMs: 30_000,
  beatMs: 10_000,
  lookMs: 250,
  skewMs: 10_000,
};

/** States that are not final. */
export const UNFINISHED: readonly RunStateName[] = ['QUEUED', 'RUNNING'];

/**
 * Maximum number of starts of a run that never sends anything: it may be what crashes its
 * processes.
 */
const MAX_BEGINNINGS = 10;

/** Place of a request without a known step. */
const NO_STEP: StepPlace = { step: null, index: '', loopIndex: [], attempt: 1 };

export type Owned = Pick<RunRecord, '_id' | 'state' | 'owner' | 'leaseUntil' | 'fence'>;

/** A run whose process seems to be gone. */
export interface Orphan {
  readonly run: Owned;
  /** False if the process may be alive, but has not renewed its lease in time. */
  readonly isDead: boolean;
}

/** Another process has taken over or ended the run. */
export class RunLost extends Error {}

export interface OwnersDependencies {
  readonly store: Store;
  readonly clock: Clock;
  readonly runs: Model<RunRecord>;
  readonly times: LeaseTimes;
}

export type RunOwners = ReturnType<typeof createRunOwners>;

/**
 * Which runs this process holds, according to the store. Each run has one owner.
 * All writes for a run check the owner and fence of its claim, so that a process that was
 * considered dead changes nothing when it returns.
 */
export function createRunOwners({ store, clock, runs, times }: OwnersDependencies) {
  const me = processName();
  /**
   * Own runs with the end of their leases, monotonic ms. Other processes use the stored time and
   * wait longer.
   */
  const held = new Map<number, number>();

  /**
   * End of a lease that is written now, stored and monotonic. Taken before the write, so never too
   * late.
   */
  const newLease = (): { readonly leaseUntil: Date; readonly until: number } => ({
    leaseUntil: new Date(clock.now().getTime() + times.leaseMs),
    until: clock.elapsedMs() + times.leaseMs,
  });

  /** Filter for a run that no other process has taken. */
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

  /** Renews the lease of one run, with other changes in the same write. @throws RunLost */
  async function renewOne(run: Owned, set: Partial<RunRecord> = {}): Promise<void> {
    const { leaseUntil, until } = newLease();
    const renewed = await runs.updateOne(as(run), { $set: { leaseUntil, ...set } });
    if (renewed.matchedCount === 0)
      throw new RunLost(`Run ${run._id} was taken over or ended by another process.`);
    if (held.has(run._id)) held.set(run._id, until);
  }

  return {
    as,

    /** Whether another process may execute the run, now or later. */
    isElsewhere: ({ state, owner }: Pick<RunRecord, 'state' | 'owner'>): boolean =>
      !store.isExclusive && UNFINISHED.includes(state) && owner !== me,

    /** Owner fields of a new run: a test belongs to this process, any other run to none yet. */
    ofNew: (
      test: boolean,
    ): Pick<RunRecord, 'owner' | 'leaseUntil' | 'fence' | 'cancelRequested'> => ({
      owner: test ? me : null,
      leaseUntil: test ? newLease().leaseUntil : null,
      fence: 0,
      cancelRequested: false,
    }),

    /** Holds a run that is stored with this process as owner. */
    hold({ _id, owner, leaseUntil }: Owned): void {
      if (owner === me && leaseUntil !== null)
        held.set(_id, clock.elapsedMs() + leaseUntil.getTime() - clock.now().getTime());
    },

    /** Whether this process certainly holds the run. An embedded store has only one process. */
    isHeld: (id: number): boolean =>
      held.has(id) && (store.isExclusive || (held.get(id) ?? 0) > clock.elapsedMs()),

    /**
     * Claims a queued run and begins it. Returns null if it is not queued any more, or another
     * process owns it.
     */
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

    /** Stops holding a run that has ended or is given up. */
    release: (id: number): void => void held.delete(id),

    /**
     * Call before each write for an own run: renews an expired lease unless another process has
     * taken the run.
     * @throws RunLost
     */
    async require(run: Owned): Promise<void> {
      if ((held.get(run._id) ?? 0) <= clock.elapsedMs()) await renewOne(run);
    },

    /** Call before the first request of a run: after that it is never restarted. @throws RunLost */
    markSent: (run: Owned, place: StepPlace | null): Promise<void> =>
      renewOne(run, { unsent: false, firstSend: place ?? NO_STEP }),

    /**
     * Filter for a run that may be restarted: no other process has taken it, and it has sent
     * nothing.
     */
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

    /**
     * Renews all leases in one write, also expired ones that no process has claimed. Returns the
     * ids of lost runs.
     */
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
      // Runs that have ended in between are no longer held.
      for (const id of ids) if (kept.has(id) && held.has(id)) held.set(id, until);
      return ids.filter((id) => !kept.has(id) && held.has(id));
    },

    /** Returns which of these runs another process wants to cancel, in one query. */
    async cancelled(ids: readonly number[]): Promise<number[]> {
      if (ids.length === 0) return [];
      const asked = await runs
        .find({ _id: { $in: ids }, owner: me, cancelRequested: true }, { _id: 1 })
        .lean<Pick<RunRecord, '_id'>[]>();
      return asked.map(({ _id }) => _id);
    },

    /** Runs whose process is gone: running ones, and queued tests. */
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
