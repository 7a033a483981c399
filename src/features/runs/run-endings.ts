import type { RunError } from '../../engine/events';
import type { Actor } from '../../platform/access/actor';
import type { Clock } from '../../platform/clock/clock';
import type { EventBus } from '../../platform/events/bus';
import { changeRecord } from '../../platform/store/records';
import type { Store, Tx } from '../../platform/store/store';
import type { Model } from 'mongoose';
import type { AuditService } from '../audit/audit.service';
import type { RunCounters } from '../widgets/run-counters.service';
import type { WorkflowService } from '../workflows/workflow.service';
import type { InTurn } from './in-turn';
import { durationUntil } from './run-duration';
import type { FinalState, RunChanged, RunStateName } from './run.events';
import { RUN_TOPIC } from './run.events';
import type { RunRecord } from './run.model';
import type { RunEventLog } from './run-event-log';

/** How a run ends. */
export interface Ending {
  readonly state: FinalState;
  readonly error: RunError | null;
  readonly steps: number;
  /** Of the `RunFinished` event: one more than the last that is stored. */
  readonly sequence: number;
  /** Who cancelled it, for the audit. */
  readonly cancelledBy?: Actor | null;
}

export interface EndingDependencies {
  readonly store: Store;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly audit: AuditService;
  readonly workflows: WorkflowService;
  readonly counters: RunCounters;
  readonly runs: Model<RunRecord>;
  readonly log: RunEventLog;
  /** Beginnings and ends of runs touch the same workflows and counters. */
  readonly inTurn: InTurn;
}

const FAILURES: ReadonlySet<RunStateName> = new Set(['FAILED', 'INTERRUPTED']);

export function publishChange(bus: EventBus, { _id, workflowId, test, state }: RunRecord): void {
  bus.publish<RunChanged>(RUN_TOPIC, { runId: _id, workflowId, test, state });
}

export type EndRun = ReturnType<typeof createRunEndings>['end'];

/**
 * Brings a run to its end: final state, last event, counters, the hold on its snapshot, all in one transaction, so a run ends exactly
 * once whoever tries, and is counted once. Null when it is in none of the states `from`.
 */
export function createRunEndings({ store, bus, clock, audit, workflows, counters, runs, log, inTurn }: EndingDependencies) {
  async function endWithin(id: number, from: readonly RunStateName[], { state, error, steps, sequence, cancelledBy }: Ending, tx: Tx): Promise<RunRecord | null> {
    const finishedAt = clock.now();
    const before = await runs.findOne({ _id: id, state: { $in: from } }, null, { session: tx.session }).lean<RunRecord>();
    if (!before) return null;
    const durationMs = durationUntil(finishedAt, before);
    const run = await changeRecord(runs, id, { state, error, steps, finishedAt, durationMs, lastSequence: sequence }, tx);
    await log.append(run, { kind: 'RunFinished', runId: id, sequence, at: finishedAt, state, error, steps, durationMs }, tx);
    await workflows.releaseSnapshot(run, tx);
    if (!run.test) {
      await counters.count({ workflowId: run.workflowId, startedAt: run.startedAt ?? run.queuedAt, failed: FAILURES.has(state) }, tx);
    }
    if (cancelledBy) await audit.record(cancelledBy, 'run.cancel', { type: 'Run', id }, { workflowId: run.workflowId, title: run.workflowTitle }, { state }, tx);
    tx.afterCommit(() => publishChange(bus, run));
    return run;
  }

  return {
    endWithin,
    /** `ending` is asked when the turn has come: what happened until then counts. */
    end: (id: number, from: readonly RunStateName[], ending: () => Ending): Promise<RunRecord | null> => inTurn(() => store.transaction((tx) => endWithin(id, from, ending(), tx))),
  };
}
