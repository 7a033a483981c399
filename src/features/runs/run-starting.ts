import type { Model } from 'mongoose';
import type { Actor } from '../../platform/access/actor';
import type { Clock } from '../../platform/clock/clock';
import type { EventBus } from '../../platform/events/bus';
import { insertRecord } from '../../platform/store/records';
import type { Store, Tx } from '../../platform/store/store';
import type { AuditService } from '../audit/audit.service';
import type { WorkflowContent } from '../workflows/workflow-content';
import type { WorkflowDocument } from '../workflows/workflow.document';
import type { WorkflowService } from '../workflows/workflow.service';
import type { HeldSnapshot } from '../workflows/versions/workflow-snapshots';
import type { InTurn } from './in-turn';
import { publishChange } from './run-endings';
import type { RunLine } from './run-line';
import type { RunRecord } from './run.model';
import type { RunOwners } from './run-owners';

/** A run that is about to be queued. */
interface NewRun {
  readonly test: boolean;
  readonly logging: boolean;
  /** Keeps the snapshot it will execute. */
  readonly hold: (runId: number, tx: Tx) => Promise<HeldSnapshot>;
}

export interface RunStartingDependencies {
  readonly store: Store;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly audit: AuditService;
  readonly workflows: WorkflowService;
  readonly runs: Model<RunRecord>;
  readonly owners: RunOwners;
  readonly line: RunLine;
  /** Beginnings and ends of runs touch the same workflows and counters. */
  readonly inTurn: InTurn;
}

/** Starts runs: each is stored as QUEUED together with the hold on its snapshot, and gets in line after the commit. */
export function createRunStarting({ store, bus, clock, audit, workflows, runs, owners, line, inTurn }: RunStartingDependencies) {
  async function enqueue(actor: Actor, { test, logging, hold }: NewRun): Promise<RunRecord> {
    line.requireRoom(actor.userId);
    const id = await store.nextId('runs');
    return inTurn(() => store.transaction(async (tx) => {
      // Others may have taken the last place while this one waited for its turn.
      line.requireRoom(actor.userId);
      const held = await hold(id, tx);
      const run = await insertRecord<RunRecord>(runs, {
        _id: id, workflowId: held.workflowId, workflowTitle: held.title, content: held.content, test: test || held.test, temporary: held.temporary, trigger: test || held.test ? 'TEST' : 'MANUAL', logging,
        state: 'QUEUED', queuedAt: clock.now(), startedAt: null, finishedAt: null, durationMs: null, startedBy: { userId: actor.userId, email: actor.email },
        steps: null, error: null, lastSequence: null, depth: (actor.runDepth ?? 0) + 1, ...owners.ofNew(test || held.test),
      }, tx);
      const facts = { workflowId: run.workflowId, title: run.workflowTitle, snapshotId: held.snapshotId, test: run.test, logging };
      await audit.record(actor, 'run.start', { type: 'Run', id }, null, facts, tx);
      tx.afterCommit(() => {
        publishChange(bus, run);
        owners.hold(run);
        line.add(run);
      });
      return run;
    }));
  }

  return {
    /**
     * Queues a run of the current version of a workflow. With `logging` its events carry requests and responses.
     * @throws NotFound    CONNECTION_NOT_FOUND
     * @throws Unavailable stopping, or too many runs wait
     */
    run: (actor: Actor, workflowId: number, { logging }: { logging: boolean }): Promise<RunRecord> =>
      enqueue(actor, { test: false, logging, hold: (id, tx) => workflows.holdSnapshot(workflowId, { id, test: false }, tx) }),

    /**
     * Queues a test run of the current version of a workflow.
     * @throws NotFound    CONNECTION_NOT_FOUND
     * @throws Unavailable stopping, or too many runs wait
     */
    test: (actor: Actor, workflowId: number): Promise<RunRecord> =>
      enqueue(actor, { test: true, logging: false, hold: (id, tx) => workflows.holdSnapshot(workflowId, { id, test: true }, tx) }),

    /**
     * Queues a test run of a workflow that is not saved. It is kept as a hidden workflow until the run has ended.
     * @throws Refused     it cannot be read as a workflow
     * @throws Unavailable stopping, or too many runs wait
     */
    async testContent(actor: Actor, content: WorkflowContent): Promise<{ run: RunRecord; document: WorkflowDocument }> {
      line.requireRoom(actor.userId);
      const prepared = await workflows.prepareTest(actor, content);
      const run = await enqueue(actor, { test: true, logging: false, hold: (_id, tx) => workflows.holdTest(actor, prepared, tx) });
      return { run, document: prepared.shown };
    },
  };
}
