import type { Model } from 'mongoose';
import type { Actor } from '../../platform/access/actor';
import type { Clock } from '../../platform/clock/clock';
import type { EventBus } from '../../platform/events/bus';
import { insertRecord } from '../../platform/store/records';
import type { SharedTransactions } from '../../platform/store/shared-transactions';
import type { Store, Tx } from '../../platform/store/store';
import type { AuditService } from '../audit/audit.service';
import type { TestScheduleRecord } from '../schedules/test-schedule.model';
import type { TestSchedules } from '../schedules/test-schedules';
import type { WorkflowContent } from '../workflows/workflow-content';
import type { WorkflowDocument } from '../workflows/workflow.document';
import type { WorkflowService } from '../workflows/workflow.service';
import type { HeldSnapshot } from '../workflows/versions/workflow-snapshots';
import { recordedStart } from './run.audit';
import { publishChange } from './run-endings';
import { notRepeatable, ofRetry } from './run-repair.rules';
import { queuedRun } from './queued-run';
import type { RunLine } from './run-line';
import type { RunRecord } from './run.model';
import type { RunParameters } from './run-parameters';
import type { RunOwners } from './run-owners';
import type { RunTriggerName } from './run-triggers';
import type { TestChannels } from './test-channels';

/** A run that is about to be queued. */
interface NewRun {
  readonly test: boolean;
  /** What starts it, where it is no test. */
  readonly trigger?: RunTriggerName;
  readonly scheduleId?: number;
  /** What only some have, beside. */
  readonly more?: Pick<RunRecord, 'retryOf' | 'failedWorkflows' | 'depth'>;
  /** Of a test: what is tested, one test of it at a time. */
  readonly testKey?: string;
  readonly logging: boolean;
  /** What it is started with, a JSON object as text: `${name}` in the workflow. */
  readonly parameters?: string;
  /** Keeps the snapshot it will execute. */
  readonly hold: (runId: number, tx: Tx) => Promise<HeldSnapshot>;
}

/** A test that is queued, with the schedule it has meanwhile. */
export interface StartedTest {
  readonly run: RunRecord;
  readonly schedule: TestScheduleRecord;
}

type NewTest = Omit<NewRun, 'test'> & {
  /** What is tested: one test of it at a time. */
  readonly testKey: string;
  /** Where the user's client listens for its events, if it said so. */
  readonly channelId?: string;
};

/** How a schedule starts a run on demand. */
export interface StartOfSchedule {
  readonly scheduleId: number;
  readonly trigger: RunTriggerName;
  readonly logging: boolean;
  /** What it is started with, a JSON object as text. */
  readonly parameters?: string;
  readonly more?: Pick<RunRecord, 'depth'>;
  readonly beside: (run: RunRecord, tx: Tx) => Promise<void>;
}

export type RunStarting = ReturnType<typeof createRunStarting>;

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
  readonly channels: Pick<TestChannels, 'note'>;
  readonly line: RunLine;
  /** Beginnings and ends of runs touch the same workflows and counters. */
  readonly turns: SharedTransactions;
}

/** Starts runs: each is stored as QUEUED together with the hold on its snapshot, and gets in line after the commit. */
export function createRunStarting({
  store,
  bus,
  clock,
  audit,
  workflows,
  runs,
  parameters,
  owners,
  tests,
  channels,
  line,
  turns,
}: RunStartingDependencies) {
  /** `beside` is stored with the run. */
  async function enqueue<B>(
    actor: Actor | null,
    {
      test: isTest,
      trigger = 'MANUAL',
      scheduleId,
      more,
      testKey,
      logging,
      parameters: given,
      hold,
    }: NewRun,
    beside: (run: RunRecord, tx: Tx) => Promise<B>,
  ): Promise<{ readonly run: RunRecord; readonly stored: B }> {
    const userId = actor?.userId ?? null;
    line.requireRoom(userId);
    const id = await store.nextId('runs');
    const sealed = given === undefined ? null : parameters.seal(id, given);
    return turns.together(async (tx) => {
      // Others may have taken the last place while this one waited for its turn.
      line.takeRoom(userId, tx);
      const held = await hold(id, tx);
      const test = isTest || held.test;
      const run = await insertRecord<RunRecord>(
        runs,
        queuedRun({
          id,
          held,
          test,
          trigger: test ? 'TEST' : trigger,
          logging,
          logKey: testKey ?? workflows.testKeyOf(held.workflowId),
          actor,
          queuedAt: clock.now(),
          owned: owners.ofNew(test),
          more: {
            ...(scheduleId !== undefined && { scheduleId }),
            ...more,
            ...(sealed && { hasParameters: true }),
          },
        }),
        tx,
      );
      if (sealed) await parameters.write(sealed, tx);
      const stored = await beside(run, tx);
      // What nobody started is told by the run itself.
      if (actor)
        await audit.record(
          actor,
          'run.start',
          { type: 'Run', id },
          null,
          recordedStart(run, held),
          tx,
        );
      tx.afterCommit(() => {
        publishChange(bus, run);
        owners.hold(run);
        line.add(run);
      });
      return { run, stored };
    });
  }

  async function enqueueTest(
    actor: Actor,
    { testKey, channelId, ...test }: NewTest,
  ): Promise<StartedTest> {
    const scheduleId = await tests.nextId();
    try {
      const { run, stored } = await enqueue(
        actor,
        { ...test, testKey, test: true },
        async ({ _id: runId, workflowId, workflowTitle }, tx) => {
          if (channelId !== undefined) await channels.note(actor, channelId, runId, tx);
          return tests.begin(
            actor,
            scheduleId,
            {
              runId,
              workflowId,
              title: workflows.titleOfTestSchedule(workflowTitle, clock.now()),
              testKey,
            },
            tx,
          );
        },
      );
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
    run: async (
      actor: Actor,
      workflowId: number,
      { logging, parameters: given }: { readonly logging: boolean; readonly parameters?: string },
    ): Promise<RunRecord> =>
      (
        await enqueue(
          actor,
          {
            test: false,
            logging,
            parameters: given,
            hold: (id, tx) => workflows.holdSnapshot(workflowId, { id, test: false }, tx),
          },
          () => Promise.resolve(),
        )
      ).run,

    /**
     * The same, started by a schedule: `beside` is done in the transaction that stores the run. Without an actor nobody started it.
     * @throws what `run` and `beside` throw
     */
    runOfSchedule: async (
      actor: Actor | null,
      workflowId: number,
      { beside, ...of }: StartOfSchedule,
    ): Promise<RunRecord> =>
      (
        await enqueue(
          actor,
          {
            ...of,
            test: false,
            hold: (id, tx) => workflows.holdSnapshot(workflowId, { id, test: false }, tx),
          },
          beside,
        )
      ).run,

    /**
     * Queues once more what a run has executed, with the parameters it was started with; what was a test is one again.
     * @throws Refused     RUN_NOT_REPEATABLE what it executed is gone
     * @throws Conflict    CONCURRENT_TEST_IS_FORBIDDEN
     * @throws Unavailable stopping, or too many runs wait
     */
    async again(actor: Actor, run: RunRecord, given: string | undefined): Promise<RunRecord> {
      const again = {
        more: ofRetry(run),
        logging: run.logging,
        parameters: given,
        async hold(id: number, tx: Tx): Promise<HeldSnapshot> {
          const held = await workflows.holdAgain(run, { id, test: run.test }, tx);
          if (!held) throw notRepeatable(run);
          return held;
        },
      };
      if (run.test)
        return (
          await enqueueTest(actor, { ...again, testKey: workflows.testKeyOf(run.workflowId) })
        ).run;
      return (
        await enqueue(actor, { ...again, test: false, trigger: 'RETRY' }, () => Promise.resolve())
      ).run;
    },

    /**
     * Queues a test run of the current version of a workflow.
     * @throws NotFound    CONNECTION_NOT_FOUND
     * @throws Conflict    CONCURRENT_TEST_IS_FORBIDDEN
     * @throws Unavailable stopping, or too many runs wait
     */
    test: async (actor: Actor, workflowId: number): Promise<RunRecord> =>
      (
        await enqueueTest(actor, {
          testKey: workflows.testKeyOf(workflowId),
          logging: false,
          hold: (id, tx) => workflows.holdSnapshot(workflowId, { id, test: true }, tx),
        })
      ).run,

    /**
     * Queues a test run of a workflow that is not saved. It is kept as a hidden workflow until the run has ended. Its events are also for the
     * channel, if there is one. A draft of a saved workflow counts for that, whose masking rules hold.
     * @throws NotFound    CONNECTION_NOT_FOUND it is to be a draft of
     * @throws Refused     it cannot be read as a workflow
     * @throws Conflict    CONCURRENT_TEST_IS_FORBIDDEN
     * @throws Unavailable stopping, or too many runs wait
     */
    async testContent(
      actor: Actor,
      content: WorkflowContent,
      { channelId, draftOf }: { readonly channelId?: string; readonly draftOf?: number } = {},
    ): Promise<StartedTest & { readonly document: WorkflowDocument }> {
      line.requireRoom(actor.userId);
      const prepared = await workflows.prepareTest(actor, content, draftOf);
      const started = await enqueueTest(actor, {
        testKey: prepared.testKey,
        channelId,
        logging: false,
        hold: (_id, tx) => workflows.holdTest(actor, prepared, tx),
      });
      return { ...started, document: prepared.shown };
    },
  };
}
