import type { Actor } from '../../../platform/access/actor';
import type { Tx } from '../../../platform/store/store';
import type { WorkflowSnapshots } from '../../workflows/versions/workflow-snapshots';
import type { RunRecords } from '../run-records';
import type { RunTriggerName } from '../run.events';
import type { RunRecord } from '../run.model';
import type { RunCancellation } from './run-cancellation';
import type { RunQueue } from './run-queue';
import type { RunStarter } from './run-starter';

export interface ScheduledStart {
  readonly runId: number;
  readonly scheduleId: number;
  readonly workflowId: number;
  readonly logging: boolean;
  /** The time at which it was due; missing if a user starts it. */
  readonly dueAt?: Date;
  /** Whether it must wait until the other runs of the schedule have ended. */
  readonly isBlocked?: boolean;
}

interface StartOfSchedule {
  readonly scheduleId: number;
  readonly trigger: RunTriggerName;
  readonly logging: boolean;
  /** Start parameters: a JSON object as text. */
  readonly parameters?: string;
  readonly more?: Pick<RunRecord, 'depth' | 'trace'>;
  /** Runs in the transaction that stores the run. */
  readonly alongside: (run: RunRecord, tx: Tx) => Promise<void>;
}

/** A run of a schedule that has not ended. */
export type OpenRun = Pick<RunRecord, '_id' | 'state' | 'isBlocked' | 'openOfSchedule'>;

/**
 * Runs that wait until the other runs of their schedule have ended. Adding or ending a run of a
 * schedule writes the schedule in the same transaction, so that two processes cannot decide from
 * different sets of open runs.
 */
export class BlockedRuns {
  constructor(
    private readonly records: Pick<RunRecords, 'collection'>,
    private readonly starter: Pick<RunStarter, 'announce'>,
  ) {}

  async findOpen(scheduleIds: readonly number[], tx: Tx): Promise<OpenRun[]> {
    return this.records.collection.find<OpenRun>(
      { openOfSchedule: { $in: [...scheduleIds] } },
      { tx, fields: { state: 1, isBlocked: 1, openOfSchedule: 1 }, sort: { _id: 1 } },
    );
  }

  /** Releases the blocked run of a schedule if no other run of the schedule is open. */
  async release(open: readonly OpenRun[], tx: Tx): Promise<void> {
    const [first] = open;
    if (first === undefined || open.some(({ isBlocked }) => isBlocked !== true)) return;
    const released = await this.records.collection.findOneAndUpdate(
      { _id: first._id, isBlocked: true },
      { $unset: { isBlocked: 1 } },
      { tx },
    );
    if (released) tx.afterCommit(() => this.starter.announce(released));
  }

  /**
   * Call in the transaction that ends a run, with the run as it was before. Looks before the commit
   * which runs are open.
   */
  releaseAfter({ openOfSchedule }: RunRecord, tx: Tx): void {
    if (openOfSchedule !== undefined)
      tx.later.beforeCommit(`blocked runs of schedule ${openOfSchedule}`, async () =>
        this.release(await this.findOpen([openOfSchedule], tx), tx),
      );
  }
}

type RunningRun = Pick<RunRecord, '_id' | 'scheduleId' | 'workflowId' | 'startedAt' | 'queuedAt'>;

/** Starts the runs of schedules, many at once, and reads and cancels their open runs. */
export class ScheduledRuns {
  constructor(
    private readonly deps: {
      readonly snapshots: Pick<WorkflowSnapshots, 'hold' | 'holdAll'>;
      readonly records: RunRecords;
      readonly starter: RunStarter;
      readonly blocked: BlockedRuns;
      readonly queue: RunQueue;
      readonly cancellation: RunCancellation;
    },
  ) {}

  newIds(count: number): Promise<number[]> {
    return this.deps.records.reserveIds(count);
  }

  /**
   * Queues a run of a schedule. `actor` is null if no user started it.
   * @throws NotFound    CONNECTION_NOT_FOUND
   * @throws TooLarge    if the parameters are too large
   * @throws Unavailable if the service is stopping or too many runs are queued
   */
  async start(
    actor: Actor | null,
    workflowId: number,
    { scheduleId, more, alongside, ...start }: StartOfSchedule,
  ): Promise<RunRecord> {
    const { run } = await this.deps.starter.start(
      actor,
      {
        ...start,
        more: { scheduleId, ...more },
        hold: (id, ...within) =>
          this.deps.snapshots.hold(workflowId, { id, test: false }, ...within),
      },
      alongside,
    );
    return run;
  }

  /**
   * Queues due runs: `claim` selects them in the transaction, and stores there that they were due.
   * The queue limit does not apply: there is no client that could retry. Returns false if the
   * service is stopping.
   */
  async queueDue(claim: (tx: Tx) => Promise<readonly ScheduledStart[]>): Promise<boolean> {
    if (this.deps.queue.isClosing) return false;
    await this.deps.records.transactions.alone(async (tx) =>
      this.startAll(null, await claim(tx), tx),
    );
    return true;
  }

  /**
   * Queues runs that a user wants now, all or none, if there is room for one; those beyond the
   * limit of the user wait in the store. `claim` as for `queueDue`.
   * @throws Unavailable if the service is stopping or too many runs are queued
   */
  queueAll(
    actor: Actor,
    claim: (tx: Tx) => Promise<readonly ScheduledStart[]>,
  ): Promise<RunRecord[]> {
    return this.deps.records.transactions.alone(async (tx) => {
      this.deps.queue.requireRoom(actor.userId);
      return this.startAll(actor, await claim(tx), tx);
    });
  }

  /** The open runs by schedule, oldest first. */
  async openOfSchedules(
    scheduleIds: readonly number[],
    tx: Tx,
  ): Promise<ReadonlyMap<number, readonly OpenRun[]>> {
    const bySchedule = new Map<number, OpenRun[]>();
    for (const run of await this.deps.blocked.findOpen(scheduleIds, tx)) {
      const scheduleId = run.openOfSchedule ?? 0;
      bySchedule.set(scheduleId, [...(bySchedule.get(scheduleId) ?? []), run]);
    }
    return bySchedule;
  }

  /** Releases the blocked run of a schedule if none of its other open runs is left. */
  releaseBlocked(open: readonly OpenRun[], tx: Tx): Promise<void> {
    return this.deps.blocked.release(open, tx);
  }

  /** Schedules with a running run, each once, ordered by their oldest run. */
  async runningSchedules(): Promise<number[]> {
    return [...new Set((await this.running()).flatMap(({ scheduleId }) => scheduleId ?? []))];
  }

  /** Running runs of schedules without tests, oldest first. */
  running(): Promise<RunningRun[]> {
    return this.deps.records.collection.find<RunningRun>(
      { test: false, state: 'RUNNING', scheduleId: { $gt: 0 } },
      {
        fields: { scheduleId: 1, workflowId: 1, startedAt: 1, queuedAt: 1 },
        sort: { queuedAt: 1, _id: 1 },
      },
    );
  }

  /** Cancels the run of a test schedule. @throws as `RunCancellation.cancel` */
  cancel(actor: Actor, runId: number): Promise<RunRecord> {
    return this.deps.cancellation.cancel(actor, runId);
  }

  /** Cancels the open runs of a schedule. Resolves when they have ended, or take too long. */
  cancelOfSchedule(actor: Actor, scheduleId: number): Promise<void> {
    return this.deps.cancellation.cancelOfSchedule(actor, scheduleId);
  }

  /** Queues all of them in a few writes; skips those whose workflow is gone. */
  private async startAll(
    actor: Actor | null,
    starts: readonly ScheduledStart[],
    tx: Tx,
  ): Promise<RunRecord[]> {
    const snapshots = await this.deps.snapshots.holdAll(starts, tx);
    const trigger: RunTriggerName = actor ? 'MANUAL' : 'SCHEDULE';
    const newRuns = starts.flatMap(({ runId: id, scheduleId, logging, dueAt, isBlocked }, nth) => {
      const held = snapshots[nth];
      const more = { scheduleId, ...(dueAt && { dueAt }), ...(isBlocked && { isBlocked }) };
      return held ? [{ id, held, trigger, logging, more }] : [];
    });
    return this.deps.starter.startAll(actor, newRuns, tx);
  }
}
