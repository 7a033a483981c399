import type { Model } from 'mongoose';
import type { Actor } from '../../platform/access/actor';
import type { Clock } from '../../platform/clock/clock';
import type { EventBus } from '../../platform/events/bus';
import type { SharedTransactions } from '../../platform/store/shared-transactions';
import type { Store, Tx } from '../../platform/store/store';
import type { AuditService } from '../audit/audit.service';
import type { WorkflowService } from '../workflows/workflow.service';
import type { BlockedRuns, OpenRun } from './blocked-runs';
import { recordedStart } from './run.audit';
import { publishChange } from './run-endings';
import { queuedRun } from './queued-run';
import type { RunLine } from './run-line';
import type { RunRecord } from './run.model';
import type { RunOwners } from './run-owners';

export interface ScheduledStart {
  /** Id of the new run, from `newIds`. */
  readonly runId: number;
  readonly scheduleId: number;
  readonly workflowId: number;
  readonly logging: boolean;
  /** The time at which it was due; missing if a user starts it. */
  readonly dueAt?: Date;
  /** Whether it must wait until the other runs of the schedule have ended. */
  readonly isBlocked?: boolean;
}

export interface RunsOfSchedulesDependencies {
  readonly store: Store;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly audit: AuditService;
  readonly workflows: Pick<WorkflowService, 'holdSnapshots' | 'testKeyOf'>;
  readonly runs: Model<RunRecord>;
  readonly owners: Pick<RunOwners, 'ofNew'>;
  readonly blocked: Pick<BlockedRuns, 'findOpen' | 'release'>;
  readonly line: RunLine;
  readonly turns: SharedTransactions;
}

/** Starts runs of many schedules at once, and reads their open runs. */
export function createRunsOfSchedules({
  store,
  bus,
  clock,
  audit,
  workflows,
  runs,
  owners,
  blocked,
  line,
  turns,
}: RunsOfSchedulesDependencies) {
  /** Queues all of them in a few writes; skips those whose workflow is gone. */
  async function queue(
    actor: Actor | null,
    starts: readonly ScheduledStart[],
    tx: Tx,
  ): Promise<RunRecord[]> {
    const held = await workflows.holdSnapshots(
      starts.map(({ runId, workflowId }) => ({ id: runId, workflowId })),
      tx,
    );
    const queued = starts.flatMap(({ runId, scheduleId, logging, dueAt, isBlocked }, at) => {
      const snapshot = held[at];
      return snapshot
        ? [
            {
              snapshot,
              run: queuedRun({
                id: runId,
                held: snapshot,
                test: false,
                trigger: actor ? 'MANUAL' : 'SCHEDULE',
                logging,
                logKey: workflows.testKeyOf(snapshot.workflowId),
                actor,
                queuedAt: clock.now(),
                owned: owners.ofNew(false),
                more: { scheduleId, ...(dueAt && { dueAt }), ...(isBlocked && { isBlocked }) },
              }),
            },
          ]
        : [];
    });
    const records = queued.map(({ run }) => run);
    if (records.length === 0) return [];
    // `lean`: creating documents first would cost more than everything else.
    await runs.insertMany(records, { session: tx.session, lean: true });
    if (actor) {
      for (const { run, snapshot } of queued)
        await audit.record(
          actor,
          'run.start',
          { type: 'Run', id: run._id },
          null,
          recordedStart(run, snapshot),
          tx,
        );
    }
    tx.afterCommit(() => {
      for (const run of records) {
        publishChange(bus, run);
        if (!run.isBlocked) line.offer(run);
      }
    });
    return records;
  }

  return {
    /** Reserves ids for runs that will be started. */
    newIds: (count: number): Promise<number[]> => store.nextIds('runs', count),

    /**
     * Queues due runs: `claim` selects them in the transaction, and stores there that they were
     * due.
     * The queue limit does not apply: there is no client that could retry. Returns false if the
     * service is stopping.
     */
    queueDue: async (claim: (tx: Tx) => Promise<readonly ScheduledStart[]>): Promise<boolean> => {
      if (line.isClosing()) return false;
      await turns.alone(async (tx) => queue(null, await claim(tx), tx));
      return true;
    },

    /**
     * Queues runs that a user wants now, all or none, if there is room for one; those beyond the
     * limit of the user wait in the store. `claim` as for `queueDue`.
     * @throws Unavailable if the service is stopping or too many runs are queued
     */
    queueAll: (
      actor: Actor,
      claim: (tx: Tx) => Promise<readonly ScheduledStart[]>,
    ): Promise<RunRecord[]> =>
      turns.alone(async (tx) => {
        line.requireRoom(actor.userId);
        return queue(actor, await claim(tx), tx);
      }),

    /** The open runs by schedule, oldest first. */
    async openOfSchedules(
      scheduleIds: readonly number[],
      tx: Tx,
    ): Promise<ReadonlyMap<number, readonly OpenRun[]>> {
      const bySchedule = new Map<number, OpenRun[]>();
      for (const run of await blocked.findOpen(scheduleIds, tx)) {
        const scheduleId = run.openOfSchedule ?? 0;
        bySchedule.set(scheduleId, [...(bySchedule.get(scheduleId) ?? []), run]);
      }
      return bySchedule;
    },

    releaseBlocked: blocked.release,

    /** Schedules with a running run, each once, ordered by their oldest run. */
    async runningSchedules(): Promise<number[]> {
      const going = await runs
        .find({ test: false, state: 'RUNNING', scheduleId: { $gt: 0 } }, { scheduleId: 1 })
        .sort({ queuedAt: 1, _id: 1 })
        .lean<Pick<RunRecord, 'scheduleId'>[]>();
      return [...new Set(going.flatMap(({ scheduleId }) => scheduleId ?? []))];
    },

    /** Cancels the open runs of a schedule. Resolves when they have ended, or take too long. */
    async cancelOfSchedule(actor: Actor, scheduleId: number): Promise<void> {
      const left = await runs
        .find({ openOfSchedule: scheduleId }, { isBlocked: 1 })
        .lean<Pick<RunRecord, '_id' | 'isBlocked'>[]>();
      // Blocked runs first: they would start when the others have ended.
      for (const run of left.filter(({ isBlocked }) => isBlocked))
        await line.cancel(run._id, actor);
      await Promise.all(
        left.filter(({ isBlocked }) => !isBlocked).map(({ _id }) => line.cancel(_id, actor)),
      );
    },
  };
}
