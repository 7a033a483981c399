import type { AggregatedValue } from '../../engine';
import type { RunError } from '../../engine/events';
import type { Actor } from '../../platform/access/actor';
import type { Clock } from '../../platform/clock/clock';
import type { EventBus } from '../../platform/events/bus';
import { changeRecord } from '../../platform/store/records';
import type { SharedTransactions } from '../../platform/store/shared-transactions';
import type { Tx } from '../../platform/store/store';
import type { Model, QueryFilter } from 'mongoose';
import type { AuditService } from '../audit/audit.service';
import type { ScheduleEnds } from '../schedules/schedule-ends';
import type { TestSchedules } from '../schedules/test-schedules';
import type { RunCounters } from '../widgets/run-counters.service';
import type { WorkflowService } from '../workflows/workflow.service';
import type { BlockedRuns } from './blocked-runs';
import type { ErrorRuns } from './error-runs';
import type { EventRow } from './execution/run-engine';
import type { FinalState, RunChanged, RunStateName } from './run.events';
import { RUN_TOPIC } from './run.events';
import type { RunRecord } from './run.model';
import type { RunEventLog } from './run-event-log';
import { FAILURES } from './run-repair.rules';
import type { LogRetention } from './logs/log-retention';
import type { RunOwners } from './run-owners';

/** Duration of a run that ends now, ms; 0 if it never began. */
const durationUntil = (finishedAt: Date, { startedAt }: Pick<RunRecord, 'startedAt'>): number =>
  startedAt ? finishedAt.getTime() - startedAt.getTime() : 0;

export interface Ending {
  readonly state: FinalState;
  readonly error: RunError | null;
  readonly steps: number;
  /** Results of its aggregators, if it succeeded. */
  readonly values?: readonly AggregatedValue[];
  /** Last events, which are not stored yet. */
  readonly rest?: readonly EventRow[];
  /** Sequence of the `RunFinished` event: one more than that of the last other event. */
  readonly sequence: number;
  /** Who cancelled it, for the audit. */
  readonly cancelledBy?: Actor | null;
}

/** Called within the transaction, with the current record of the run. */
export type EndingOf = (run: RunRecord, tx: Tx) => Ending | Promise<Ending>;

export interface EndingDependencies {
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly audit: AuditService;
  readonly workflows: WorkflowService;
  readonly counters: RunCounters;
  readonly tests: Pick<TestSchedules, 'end'>;
  readonly schedules: ScheduleEnds;
  readonly runs: Model<RunRecord>;
  readonly owners: Pick<RunOwners, 'release'>;
  readonly log: RunEventLog;
  readonly errorRuns: ErrorRuns;
  readonly blocked: Pick<BlockedRuns, 'ended'>;
  readonly logs: Pick<LogRetention, 'ended'>;
  /** Serialises starts and ends of runs, which write the same workflows and counters. */
  readonly turns: SharedTransactions;
}

/** Fields of open runs only. */
const OPEN_FIELDS = ['openOfSchedule', 'isBlocked'] as const;

export function publishChange(bus: EventBus, { _id, workflowId, test, state }: RunRecord): void {
  bus.publish<RunChanged>(RUN_TOPIC, { runId: _id, workflowId, test, state });
}

export type RunEndings = ReturnType<typeof createRunEndings>;

/**
 * Ends a run: final state, last events, counters and its use of the snapshot, in one transaction,
 * so that it ends and is counted exactly once.
 * Returns null if it does not match `when`: it has ended, or another process holds it.
 */
export function createRunEndings({
  bus,
  clock,
  audit,
  workflows,
  counters,
  tests,
  schedules,
  runs,
  owners,
  log,
  errorRuns,
  blocked,
  logs,
  turns,
}: EndingDependencies) {
  async function endWithin(
    when: QueryFilter<RunRecord>,
    given: Ending | EndingOf,
    tx: Tx,
  ): Promise<RunRecord | null> {
    const before = await runs.findOne(when, null, { session: tx.session }).lean<RunRecord>();
    if (!before) return null;
    const {
      state,
      error,
      steps,
      values = [],
      rest = [],
      sequence,
      cancelledBy,
    } = asWanted(before, typeof given === 'function' ? await given(before, tx) : given);
    const { _id: id } = before;
    const finishedAt = clock.now();
    const durationMs = durationUntil(finishedAt, before);
    const changed = await changeRecord(
      runs,
      id,
      {
        state,
        error,
        steps,
        finishedAt,
        durationMs,
        lastSequence: sequence,
        owner: null,
        leaseUntil: null,
        ...(state === 'SUCCEEDED' && values.length > 0 && { values }),
      },
      tx,
      before.openOfSchedule === undefined ? [] : OPEN_FIELDS,
    );
    const run = await logs.ended(changed, tx);
    await log.append(
      run,
      rest,
      { kind: 'RunFinished', runId: id, sequence, at: finishedAt, state, error, steps, durationMs },
      tx,
    );
    await workflows.snapshotExecuted(run, tx);
    await schedules.ended(run, tx);
    await blocked.ended(before, tx);
    if (run.test) await tests.end(id, tx);
    else
      await counters.count(
        {
          workflowId: run.workflowId,
          startedAt: run.startedAt ?? run.queuedAt,
          failed: FAILURES.includes(state),
        },
        tx,
      );
    await errorRuns.startFor(run, tx);
    if (cancelledBy) await auditCancel(cancelledBy, run, state, tx);
    tx.afterCommit(() => {
      owners.release(id);
      publishChange(bus, run);
    });
    return run;
  }

  const auditCancel = (
    by: Actor,
    { _id: id, workflowId, workflowTitle: title }: RunRecord,
    state: RunStateName,
    tx: Tx,
  ): Promise<void> =>
    audit.record(by, 'run.cancel', { type: 'Run', id }, { workflowId, title }, { state }, tx);

  return {
    endWithin,
    /**
     * Puts a run that has sent nothing back into the queue and removes its events, since it starts
     * over.
     * Returns null if it does not match `when`, which must be `asUnsent`.
     */
    requeue: (when: QueryFilter<RunRecord>): Promise<RunRecord | null> =>
      turns.together(async (tx) => {
        const set = {
          state: 'QUEUED',
          startedAt: null,
          owner: null,
          leaseUntil: null,
          unsent: false,
        } as const;
        const run = await runs
          .findOneAndUpdate(when, { $set: set }, { session: tx.session, returnDocument: 'after' })
          .lean<RunRecord>();
        if (!run) return null;
        await log.removeOf([run._id], tx);
        tx.afterCommit(() => {
          owners.release(run._id);
          publishChange(bus, run);
        });
        return run;
      }),

    end: (when: QueryFilter<RunRecord>, ending: Ending | EndingOf): Promise<RunRecord | null> =>
      turns.together((tx) => endWithin(when, ending, tx)),

    /**
     * Asks the process that executes a run to cancel it; the run then ends as CANCELLED even if
     * that process dies. Returns false if it is not running.
     */
    async askOwner(id: number, by: Actor | null, tx: Tx): Promise<boolean> {
      const before = await runs
        .findOneAndUpdate(
          { _id: id, state: 'RUNNING' },
          { $set: { cancelRequested: true } },
          { session: tx.session },
        )
        .lean<RunRecord>();
      if (before && by && !before.cancelRequested) await auditCancel(by, before, 'CANCELLED', tx);
      return before !== null;
    },
  };
}

/**
 * A run whose cancellation was requested before its end was stored ends as CANCELLED, however far
 * it came.
 */
const asWanted = ({ cancelRequested }: RunRecord, ending: Ending): Ending =>
  cancelRequested && ending.state !== 'CANCELLED'
    ? { ...ending, state: 'CANCELLED', error: null }
    : ending;
