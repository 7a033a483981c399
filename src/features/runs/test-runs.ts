import type { Actor } from '../../platform/access/actor';
import { testKeyOf, workflowOfKey } from '../workflows/testing/test-key.service';
import type { WorkflowContent } from '../workflows/document/workflow-content';
import type { WorkflowDocument } from '../workflows/document/workflow-document';
import { titleOfTestSchedule } from '../workflows/testing/test-key.service';
import type { TestSnapshots } from '../workflows/testing/test-snapshots';
import type { WorkflowSnapshots } from '../workflows/versions/workflow-snapshots';
import type { TestChannels } from './events/test-channels.service';
import type { RunStart, RunStarter } from './queue/run-starter';
import type { RunRecord } from './run.model';
import type { TestPart, TestParts } from './samples/test-parts';
import type { SchedulesOfTests, TestScheduleRecord } from './run.ports';

interface StartedTest {
  readonly run: RunRecord;
  readonly schedule: TestScheduleRecord;
}

interface NewTest extends Pick<RunStart, 'hold' | 'parameters' | 'more'> {
  /** Key of what is tested: one test per key at a time. */
  readonly testKey: string;
  /** Channel on which the user's client listens for its events, if given. */
  readonly channelId?: string;
}

/**
 * Starts tests of workflows.
 *
 * Each method throws Conflict CONCURRENT_TEST_IS_FORBIDDEN, and Unavailable if the service is
 * stopping or too many runs are queued.
 */
export class TestRuns {
  constructor(
    private readonly deps: {
      readonly snapshots: Pick<WorkflowSnapshots, 'hold'>;
      readonly testSnapshots: TestSnapshots;
      readonly schedules: SchedulesOfTests;
      readonly channels: Pick<TestChannels, 'record' | 'recordSchedule'>;
      readonly starter: RunStarter;
      readonly parts: TestParts;
    },
  ) {}

  /**
   * Queues a test run of the current version of a workflow, or of a part of it.
   * @throws NotFound CONNECTION_NOT_FOUND; the errors of `TestParts.prepare`
   */
  async start(actor: Actor, workflowId: number, part: TestPart = {}): Promise<RunRecord> {
    const prepared = await this.deps.parts.prepareSaved(actor, workflowId, part);
    const { run } = await this.enqueue(actor, {
      ...prepared,
      testKey: testKeyOf(workflowId),
      hold: (id, ...within) => this.deps.snapshots.hold(workflowId, { id, test: true }, ...within),
    });
    return run;
  }

  /**
   * Queues a test run of an unsaved workflow, which is stored as a hidden workflow until the run
   * has ended. Its events are also sent to the channel, if given.
   * A draft of a saved workflow counts as a test of that, and uses its masking rules.
   * @throws NotFound CONNECTION_NOT_FOUND if the workflow of `draftOf` is missing
   * @throws Refused  if it is not a valid workflow
   */
  async startContent(
    actor: Actor,
    content: WorkflowContent,
    {
      channelId,
      draftOf,
      ...part
    }: { readonly channelId?: string; readonly draftOf?: number } & TestPart = {},
  ): Promise<StartedTest & { readonly document: WorkflowDocument }> {
    const { starter, testSnapshots, parts } = this.deps;
    starter.requireRoom(actor);
    const prepared = await testSnapshots.prepare(actor, content, draftOf);
    const savedId = workflowOfKey(prepared.testKey);
    const started = await this.enqueue(actor, {
      ...(await parts.prepare(actor, savedId, prepared.packed.document, part)),
      testKey: prepared.testKey,
      channelId,
      hold: (_id, tx) => testSnapshots.hold(actor, prepared, tx),
    });
    return { ...started, document: prepared.shown };
  }

  async retry(
    actor: Actor,
    run: RunRecord,
    retry: Pick<NewTest, 'hold' | 'parameters' | 'more'>,
  ): Promise<RunRecord> {
    return (await this.enqueue(actor, { ...retry, testKey: testKeyOf(run.workflowId) })).run;
  }

  private async enqueue(
    actor: Actor,
    { testKey, channelId, ...start }: NewTest,
  ): Promise<StartedTest> {
    const { schedules, channels, starter } = this.deps;
    const scheduleId = await schedules.nextId();
    try {
      const { run, result: schedule } = await starter.start(
        actor,
        { ...start, trigger: 'TEST', logging: false, logKey: testKey },
        async ({ _id: runId, workflowId, workflowTitle, queuedAt }, tx) => {
          if (channelId !== undefined) await channels.record(actor, channelId, runId, tx);
          await channels.recordSchedule(actor, scheduleId, runId, tx);
          const title = titleOfTestSchedule(workflowTitle, queuedAt);
          return schedules.begin(actor, scheduleId, { runId, workflowId, title, testKey }, tx);
        },
      );
      return { run, schedule };
    } catch (error) {
      throw schedules.refusal(error);
    }
  }
}
