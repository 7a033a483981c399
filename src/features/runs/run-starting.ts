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

/** A run to be queued. */
interface NewRun {
  readonly test: boolean;
  /** What starts it, if it is not a test. */
  readonly trigger?: RunTriggerName;
  readonly scheduleId?: number;
  /** Fields that only some runs have. */
  readonly more?: Pick<RunRecord, 'retryOf' | 'failedWorkflows' | 'depth'>;
  /** Key of what is tested: one test per key at a time. Only for tests. */
  readonly testKey?: string;
  readonly logging: boolean;
  /** Start parameters: a JSON object as text, for `${name}` in the workflow. */
  readonly parameters?: string;
  /** Holds the snapshot to execute. */
  readonly hold: (runId: number, tx: Tx) => Promise<HeldSnapshot>;
}

/** A queued test, with its temporary schedule. */
export interface StartedTest {
  readonly run: RunRecord;
  readonly schedule: TestScheduleRecord;
}

type NewTest = Omit<NewRun, 'test'> & {
  /** Key of what is tested: one test per key at a time. */
  readonly testKey: string;
  /** Channel on which the user's client listens for its events, if given. */
  readonly channelId?: string;
};

/** How a schedule starts a run on demand. */
export interface StartOfSchedule {
  readonly scheduleId: number;
  readonly trigger: RunTriggerName;
  readonly logging: boolean;
  /** Start parameters: a JSON object as text. */
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
  /** Serialises starts and ends of runs, which write the same workflows and counters. */
  readonly turns: SharedTransactions;
}

/**
 * Starts runs: each is stored as QUEUED together with its use of the snapshot, and queued after the
 * commit.
 */
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
  /** Stores and queues a run; the callback writes more in the same transaction. */
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
      // Check again: the queue may have filled up while this run waited for the transaction.
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
      // Runs without an actor are not audited: the record of the run shows what started them.
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
     * Queues a run of the current version of a workflow.
     * `logging` records requests and responses in its events. `parameters` is a JSON object as
     * text, so that its numbers are not rounded.
     * @throws NotFound    CONNECTION_NOT_FOUND
     * @throws TooLarge    if the parameters are too large
     * @throws Unavailable if the service is stopping or too many runs are queued
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
     * The same for a schedule; the callback runs in the transaction that stores the run. `actor` is
     * null if no user started it.
     * @throws the errors of `run` and of the callback
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
     * Queues a retry of a run, with the given parameters; the retry of a test is a test.
     * @throws Refused     RUN_NOT_REPEATABLE if what the run executed is gone
     * @throws Conflict    CONCURRENT_TEST_IS_FORBIDDEN
     * @throws Unavailable if the service is stopping or too many runs are queued
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
     * @throws Unavailable if the service is stopping or too many runs are queued
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
     * Queues a test run of an unsaved workflow, which is stored as a hidden workflow until the run
     * has ended. Its events are also sent to the channel, if given.
     * A draft of a saved workflow counts as a test of that, and uses its masking rules.
     * @throws NotFound    CONNECTION_NOT_FOUND if the workflow of `draftOf` is missing
     * @throws Refused     if it is not a valid workflow
     * @throws Conflict    CONCURRENT_TEST_IS_FORBIDDEN
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
