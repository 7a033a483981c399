import type { Core } from '../../../platform/core';
import type { Collection, Filter } from '../../../platform/store/collection';
import type { Tx } from '../../../platform/store/store';
import { isKnownDead } from '../../../platform/store/process-name';
import type { StepPlace } from '../execution/run-engine';
import { runCollection, UNFINISHED } from '../run.model';
import type { RunRecord } from '../run.model';
import { BOTH_KINDS } from '../run.policy';

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
  /** Interval for looking for queued runs, and for runs that other processes execute. */
  readonly queueMs: number;
  /** Maximum clock difference of two machines: other processes wait that much longer. */
  readonly skewMs: number;
}

/** Cancelling takes at most a second: one check, and 500 ms for a run that does not react. */
export const LEASE_TIMES: LeaseTimes = {
  leaseMs: 30_000,
  beatMs: 10_000,
  lookMs: 250,
  queueMs: 1_000,
  skewMs: 10_000,
};

/**
 * Maximum number of starts of a run that never sends anything: it may be what crashes its
 * processes.
 */
const MAX_STARTS = 10;

const NO_STEP: StepPlace = { step: null, index: '', loopIndex: [], attempt: 1 };

const sentAt = (place: StepPlace | null) => ({ unsent: false, firstSend: place ?? NO_STEP });

type LeasedRun = Pick<RunRecord, '_id' | 'state' | 'owner' | 'leaseUntil' | 'fence'>;

/** A run whose process seems to be gone. */
export interface Orphan {
  readonly run: LeasedRun;
  /** False if the process may be alive, but has not renewed its lease in time. */
  readonly isDead: boolean;
}

/** Another process has taken over or ended the run. */
export class RunLost extends Error {}

/**
 * Which runs this process holds, according to the store. Each run has one owner.
 * All writes for a run check the owner and fence of its claim, so that a process that was
 * considered dead changes nothing when it returns.
 */
export class RunLeases {
  private readonly runs: Collection<RunRecord>;
  /**
   * Own runs with the end of their leases, monotonic ms. Other processes use the stored time and
   * wait longer.
   */
  private readonly held = new Map<number, number>();

  constructor(
    private readonly core: Pick<Core, 'store' | 'clock'>,
    private readonly options: {
      /** Name of this process, the owner of its runs. */
      readonly me: string;
      /** Whether this process executes runs. */
      readonly isWorker: boolean;
      /** Maximum number of concurrent runs of a workflow, in all processes. */
      readonly concurrentOfWorkflow: number;
    },
    readonly times: LeaseTimes = LEASE_TIMES,
  ) {
    this.runs = runCollection(core.store);
  }

  /** Whether another process may execute the run, now or later. */
  isElsewhere({ state, owner }: Pick<RunRecord, 'state' | 'owner'>): boolean {
    return !this.core.store.isExclusive && UNFINISHED.includes(state) && owner !== this.options.me;
  }

  /** Filter for the runs that other processes execute. */
  filterElsewhere(): Filter<RunRecord> {
    return { test: BOTH_KINDS, state: 'RUNNING', owner: { $ne: this.options.me } };
  }

  /**
   * Lease of a new run: a test belongs to this process if it executes runs, any other run to none
   * yet.
   */
  initialLease(
    test: boolean,
  ): Pick<RunRecord, 'owner' | 'leaseUntil' | 'fence' | 'cancelRequested'> {
    const isOwn = test && this.options.isWorker;
    return {
      owner: isOwn ? this.options.me : null,
      leaseUntil: isOwn ? this.newLease().leaseUntil : null,
      fence: 0,
      cancelRequested: false,
    };
  }

  /** Holds a new run, if it is stored with this process as owner. */
  hold({ _id, owner, leaseUntil }: LeasedRun): void {
    const { clock } = this.core;
    if (owner === this.options.me && leaseUntil !== null)
      this.held.set(_id, clock.elapsedMs() + leaseUntil.getTime() - clock.now().getTime());
  }

  release(id: number): void {
    this.held.delete(id);
  }

  /** Whether this process certainly holds the run. An embedded store has only one process. */
  isHeld(id: number): boolean {
    const until = this.held.get(id);
    return (
      until !== undefined && (this.core.store.isExclusive || until > this.core.clock.elapsedMs())
    );
  }

  /**
   * Claims a queued run and begins it. Returns null if it is not queued any more, or another
   * process owns it.
   * @param firstSend see `markSent`; undefined: it sends nothing yet
   */
  async claim(id: number, firstSend?: StepPlace | null): Promise<RunRecord | null> {
    const { set, until } = this.newClaim(firstSend);
    const claimed = await this.runs.findOneAndUpdate(
      {
        _id: id,
        state: 'QUEUED',
        owner: { $in: [null, this.options.me] },
        isBlocked: { $exists: false },
      },
      { $set: set, $inc: { fence: 1 } },
    );
    if (claimed) this.held.set(id, until);
    return claimed;
  }

  /**
   * Gives a run that was just claimed back to the queue if too many runs of its workflow are
   * executed. Two processes that claim at the same time may both give theirs back, but never both
   * go on. Returns whether it did.
   */
  async giveBackIfTooMany(run: RunRecord): Promise<boolean> {
    const { concurrentOfWorkflow: most } = this.options;
    const { workflowId } = run;
    if (this.core.store.isExclusive || most === Infinity) return false;
    const running: Filter<RunRecord> = { test: BOTH_KINDS, workflowId, state: 'RUNNING' };
    if ((await this.runs.count(running)) <= most) return false;
    this.release(run._id);
    await this.runs.updateOne(this.filterOwned(run), {
      $set: { state: 'QUEUED', owner: null, leaseUntil: null, startedAt: null, unsent: false },
      // It was not begun.
      $inc: { fence: -1 },
    });
    return true;
  }

  /**
   * As `claim`, at the latest with the commit, which fails with `RecordChanged` if the run is not as
   * it was queued.
   */
  claimLater(queued: RunRecord, firstSend: StepPlace | null | undefined, tx: Tx): RunRecord {
    const { set, until } = this.newClaim(firstSend);
    const { _id, state, owner, fence, cancelRequested, isBlocked } = queued;
    const changes = { ...set, fence: fence + 1 };
    this.runs.changeLater({ _id, state, owner, fence, cancelRequested, isBlocked }, changes, tx);
    tx.afterCommit(() => void this.held.set(_id, until));
    return { ...queued, ...changes };
  }

  /**
   * Call before each write for an own run: renews an expired lease unless another process has taken
   * the run.
   * @throws RunLost
   */
  async require(run: LeasedRun): Promise<void> {
    if ((this.held.get(run._id) ?? 0) <= this.core.clock.elapsedMs()) await this.renewOne(run);
  }

  /** Call before the first request of a run: after that it is never restarted. @throws RunLost */
  markSent(run: LeasedRun, place: StepPlace | null): Promise<void> {
    return this.renewOne(run, sentAt(place));
  }

  /** Filter for a run that no other process has taken. */
  filterOwned({ _id, state, owner, fence }: LeasedRun): Filter<RunRecord> {
    return { _id, state, owner, fence };
  }

  /**
   * Filter for a run that may be restarted: no other process has taken it, and it has sent nothing.
   * A run that goes on has sent something before.
   */
  filterUnsent(run: LeasedRun): Filter<RunRecord> {
    return {
      $and: [
        this.filterOwned(run),
        {
          test: false,
          state: 'RUNNING',
          cancelRequested: false,
          unsent: true,
          fence: { $lt: MAX_STARTS },
          resumes: { $exists: false },
        },
      ],
    };
  }

  /**
   * Renews all leases in one write, also expired ones that no process has claimed. Returns the ids
   * of lost runs.
   */
  async renew(): Promise<number[]> {
    const ids = [...this.held.keys()];
    if (ids.length === 0) return [];
    const { leaseUntil, until } = this.newLease();
    const filter = { _id: { $in: ids }, owner: this.options.me };
    const matched = await this.runs.updateMany(
      { ...filter, state: { $in: UNFINISHED } },
      { $set: { leaseUntil } },
    );
    const ownIds = new Set(matched === ids.length ? ids : await this.idsOf(filter));
    // Runs that have ended in between are no longer held.
    for (const id of ids) if (ownIds.has(id) && this.held.has(id)) this.held.set(id, until);
    return ids.filter((id) => !ownIds.has(id) && this.held.has(id));
  }

  /** Returns which of these runs another process wants to cancel, in one query. */
  async findCancelled(ids: readonly number[]): Promise<number[]> {
    return ids.length === 0
      ? []
      : this.idsOf({ _id: { $in: ids }, owner: this.options.me, cancelRequested: true });
  }

  /** Runs whose process is gone: running ones, and queued tests. */
  async findOrphans(): Promise<Orphan[]> {
    const find = (filter: Filter<RunRecord>): Promise<LeasedRun[]> =>
      this.runs.find<LeasedRun>(filter, {
        fields: { state: 1, owner: 1, leaseUntil: 1, fence: 1 },
        sort: { queuedAt: 1, _id: 1 },
      });
    const unfinished = [
      ...(await find({ test: BOTH_KINDS, state: 'RUNNING' })),
      ...(await find({ test: true, state: 'QUEUED', owner: { $ne: null } })),
    ];
    const dead = new Map<string, boolean>();
    const isDead = (owner: string): boolean => {
      const isDeadOwner = dead.get(owner) ?? isKnownDead(owner);
      dead.set(owner, isDeadOwner);
      return isDeadOwner;
    };
    return unfinished.flatMap((run) => this.asOrphan(run, isDead));
  }

  private asOrphan(run: LeasedRun, isKnown: (owner: string) => boolean): Orphan[] {
    const { _id, owner, leaseUntil } = run;
    if (this.held.has(_id)) return [];
    const isDead =
      owner !== null &&
      owner !== this.options.me &&
      (this.core.store.isExclusive || isKnown(owner));
    const isSilent =
      leaseUntil === null ||
      leaseUntil.getTime() + this.times.skewMs < this.core.clock.now().getTime();
    return isDead || isSilent ? [{ run, isDead }] : [];
  }

  /** Returns the number of running runs by owner. */
  async countByOwner(): Promise<ReadonlyMap<string, number>> {
    const running = await this.runs.find<Pick<RunRecord, '_id' | 'owner'>>(
      { test: BOTH_KINDS, state: 'RUNNING' },
      { fields: { owner: 1 } },
    );
    const counts = new Map<string, number>();
    for (const { owner } of running)
      if (owner !== null) counts.set(owner, (counts.get(owner) ?? 0) + 1);
    return counts;
  }

  /** Renews the lease of one run, with other changes in the same write. @throws RunLost */
  private async renewOne(run: LeasedRun, set: Partial<RunRecord> = {}): Promise<void> {
    const { leaseUntil, until } = this.newLease();
    const renewed = await this.runs.updateOne(this.filterOwned(run), {
      $set: { leaseUntil, ...set },
    });
    if (renewed === 0)
      throw new RunLost(`Run ${run._id} was taken over or ended by another process.`);
    if (this.held.has(run._id)) this.held.set(run._id, until);
  }

  private newClaim(firstSend: StepPlace | null | undefined) {
    const { leaseUntil, until } = this.newLease();
    const set = {
      state: 'RUNNING',
      startedAt: this.core.clock.now(),
      owner: this.options.me,
      leaseUntil,
      ...(firstSend === undefined ? { unsent: true } : sentAt(firstSend)),
    } as const;
    return { set, until };
  }

  /**
   * End of a lease that is written now, stored and monotonic. Taken before the write, so never too
   * late.
   */
  private newLease(): { readonly leaseUntil: Date; readonly until: number } {
    const { clock } = this.core;
    return {
      leaseUntil: new Date(clock.now().getTime() + this.times.leaseMs),
      until: clock.elapsedMs() + this.times.leaseMs,
    };
  }

  private async idsOf(filter: Filter<RunRecord>): Promise<number[]> {
    const runs = await this.runs.find<Pick<RunRecord, '_id'>>(filter, { fields: { _id: 1 } });
    return runs.map(({ _id }) => _id);
  }
}
