import type { Model } from 'mongoose';
import type { Actor } from '../../platform/access/actor';
import type { Clock } from '../../platform/clock/clock';
import type { EventBus } from '../../platform/events/bus';
import { insertRecord } from '../../platform/store/records';
import type { SharedTransactions } from '../../platform/store/shared-transactions';
import type { Store, Tx } from '../../platform/store/store';
import type { AuditService } from '../audit/audit.service';
import type { ScheduleRecord } from '../schedules/schedule.model';
import type { TestSchedules } from '../schedules/test-schedules';
import type { WorkflowContent } from '../workflows/workflow-content';
import type { WorkflowDocument } from '../workflows/workflow.document';
import type { WorkflowService } from '../workflows/workflow.service';
import type { HeldSnapshot } from '../workflows/versions/workflow-snapshots';
import { publishChange } from './run-endings';
import type { RunLine } from './run-line';
import type { RunRecord } from './run.model';
import type { RunParameters } from './run-parameters';
import type { RunOwners } from './run-owners';

/** A run that is about to be queued. */
interface NewRun {
  readonly test: boolean;
  readonly logging: boolean;
  /** What it is started with, a JSON object as text: `${name}` in the workflow. */
  readonly parameters?: string;
  /** Keeps the snapshot it will execute. */
  readonly hold: (runId: number, tx: Tx) => Promise<HeldSnapshot>;
}

/** A test that is queued, with the schedule it has meanwhile. */
export interface StartedTest {
  readonly run: RunRecord;
  readonly schedule: ScheduleRecord;
}

type NewTest = Omit<NewRun, 'test'> & {
  /** What is tested: one test of it at a time. */
  readonly testKey: string;
};

export interface RunStartingDependencies {
  readonly store: Store;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly audit: AuditService;
  readonly workflows: WorkflowService;
  readonly runs: Model<RunRecord>;
  readonly parameters: Pick<RunParameters, 'seal' | 'write'>;
  readonly owners: RunOwners;
  readonly tests: Pick<TestSchedules, 'nextId' | 'begin' | 'refusal'>;
  readonly line: RunLine;
  /** Beginnings and ends of runs touch the same workflows and counters. */
  readonly turns: SharedTransactions;
}

/** Starts runs: each is stored as QUEUED together with the hold on its snapshot, and gets in line after the commit. */
export function createRunStarting({ store, bus, clock, audit, workflows, runs, parameters, owners, tests, line, turns }: RunStartingDependencies) {
  /** `beside` is stored with the run. */
  async function enqueue<B>(actor: Actor, { test: isTest, logging, parameters: given, hold }: NewRun, beside: (run: RunRecord, tx: Tx) => Promise<B>): Promise<{ readonly run: RunRecord; readonly stored: B }> {
    line.requireRoom(actor.userId);
    const id = await store.nextId('runs');
    const sealed = given === undefined ? null : parameters.seal(id, given);
    return turns.together(async (tx) => {
      // Others may have taken the last place while this one waited for its turn.
      line.takeRoom(actor.userId, tx);
      const held = await hold(id, tx);
      const test = isTest || held.test;
      const run = await insertRecord<RunRecord>(runs, {
        _id: id, workflowId: held.workflowId, workflowTitle: held.title, content: held.content, test, temporary: held.temporary, trigger: test ? 'TEST' : 'MANUAL', logging,
        state: 'QUEUED', queuedAt: clock.now(), startedAt: null, finishedAt: null, durationMs: null, startedBy: { userId: actor.userId, email: actor.email },
        steps: null, error: null, lastSequence: null, depth: (actor.runDepth ?? 0) + 1, ...(sealed && { hasParameters: true }), ...owners.ofNew(test),
      }, tx);
      if (sealed) await parameters.write(sealed, tx);
      const stored = await beside(run, tx);
      const facts = { workflowId: run.workflowId, title: run.workflowTitle, snapshotId: held.snapshotId, test: run.test, logging };
      await audit.record(actor, 'run.start', { type: 'Run', id }, null, facts, tx);
      tx.afterCommit(() => {
        publishChange(bus, run);
        owners.hold(run);
        line.add(run);
      });
      return { run, stored };
    });
  }

  async function enqueueTest(actor: Actor, { testKey, ...test }: NewTest): Promise<StartedTest> {
    const scheduleId = await tests.nextId();
    try {
      const { run, stored } = await enqueue(actor, { ...test, test: true }, ({ _id: runId, workflowId, workflowTitle }, tx) =>
        tests.begin(actor, scheduleId, { runId, workflowId, title: workflows.titleOfTestSchedule(workflowTitle), testKey }, tx));
      return { run, schedule: stored };
    } catch (error) {
      throw tests.refusal(error);
    }
  }

  return {
    /**
     * Queues a run of the current version of a workflow. With `logging` its events carry requests and responses. `parameters` is a JSON object,
     * as text, so that no number in it is rounded on the way.
     * @throws NotFound    CONNECTION_NOT_FOUND
     * @throws TooLarge    the parameters are
     * @throws Unavailable stopping, or too many runs wait
     */
    run: async (actor: Actor, workflowId: number, { logging, parameters: given }: { readonly logging: boolean; readonly parameters?: string }): Promise<RunRecord> =>
      (await enqueue(actor, { test: false, logging, parameters: given, hold: (id, tx) => workflows.holdSnapshot(workflowId, { id, test: false }, tx) }, () => Promise.resolve())).run,

    /**
     * Queues a test run of the current version of a workflow.
     * @throws NotFound    CONNECTION_NOT_FOUND
     * @throws Conflict    CONCURRENT_TEST_IS_FORBIDDEN
     * @throws Unavailable stopping, or too many runs wait
     */
    test: async (actor: Actor, workflowId: number): Promise<RunRecord> =>
      (await enqueueTest(actor, { testKey: workflows.testKeyOf(workflowId), logging: false, hold: (id, tx) => workflows.holdSnapshot(workflowId, { id, test: true }, tx) })).run,

    /**
     * Queues a test run of a workflow that is not saved. It is kept as a hidden workflow until the run has ended.
     * @throws Refused     it cannot be read as a workflow
     * @throws Conflict    CONCURRENT_TEST_IS_FORBIDDEN
     * @throws Unavailable stopping, or too many runs wait
     */
    async testContent(actor: Actor, content: WorkflowContent): Promise<StartedTest & { readonly document: WorkflowDocument }> {
      line.requireRoom(actor.userId);
      const prepared = await workflows.prepareTest(actor, content);
      const started = await enqueueTest(actor, { testKey: prepared.testKey, logging: false, hold: (_id, tx) => workflows.holdTest(actor, prepared, tx) });
      return { ...started, document: prepared.shown };
    },
  };
}
