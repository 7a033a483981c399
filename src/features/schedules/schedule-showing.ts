import type { Actor } from '../../platform/access/actor';
import { allows } from '../../platform/access/need';
import type { Clock } from '../../platform/clock/clock';
import { Forbidden, Refused } from '../../platform/errors/errors';
import type { ScheduledRuns } from '../runs/queue/scheduled-runs';
import type { WebhookRecord } from '../webhooks/webhook.model';
import type { WebhookRecords } from '../webhooks/webhook-records';
import type { WorkflowDocument } from '../workflows/workflow.document';
import { workflowPolicy } from '../workflows/workflow.policy';
import type { WorkflowService } from '../workflows/workflow.service';
import { nextFires } from './cron';
import type { ScheduleReads } from './schedule-reads';
import type { ScheduleStarting } from './schedule-starting';
import type { ScheduleRecord } from './schedule.model';
import { schedulePolicy } from './schedule.policy';
import { scheduleNotFound } from './schedule.rules';
import type { TestScheduleRecord } from './test-schedule.model';
import type { TestSchedules } from './test-schedules';

/**
 * The workflow of a schedule, as far as the actor may see it: without the permission to read
 * workflows, only its title.
 */
export interface ScheduledWorkflow {
  readonly title: string;
  readonly document: ShownParts | null;
}

/**
 * The parts of a document that lists keep while others are read: a whole document may have 20 MiB.
 */
type ShownParts = Pick<WorkflowDocument, 'description' | 'fieldBinding'> & {
  readonly icon?: unknown;
  readonly categoryId?: unknown;
};

/** The schedule of a test, which is deleted with it. */
export interface ShownTest {
  readonly kind: 'test';
  readonly schedule: TestScheduleRecord;
  readonly workflow: ScheduledWorkflow;
}

/** A webhook, with the token that starts the schedule. */
export interface ShownWebhook {
  readonly _id: number;
  readonly token: string;
}

export interface ShownLasting {
  readonly kind: 'lasting';
  readonly schedule: ScheduleRecord;
  readonly workflow: ScheduledWorkflow;
  readonly nextFireTimes: readonly Date[];
  /**
   * Null if there is none, or if the actor may not start the schedule: the token would let them.
   */
  readonly webhook: ShownWebhook | null;
}

export type ShownSchedule = ShownTest | ShownLasting;

export interface ScheduleShowingDependencies {
  readonly clock: Clock;
  readonly tests: TestSchedules;
  readonly reads: ScheduleReads;
  readonly starting: Pick<ScheduleStarting, 'stopRuns'>;
  readonly runs: Pick<ScheduledRuns, 'cancel'>;
  readonly workflows: Pick<WorkflowService, 'byIds' | 'withDocuments'>;
  readonly webhooks: Pick<WebhookRecords, 'ofSchedules' | 'tokenOf'>;
}

const maySeeLasting = (actor: Actor): boolean => allows(schedulePolicy.read, actor);

/** Both kinds of schedules, with their workflows, for REST. */
export function createScheduleShowing({
  clock,
  tests,
  reads,
  starting,
  runs,
  workflows,
  webhooks,
}: ScheduleShowingDependencies) {
  async function workflowsOf(
    actor: Actor,
    schedules: readonly { readonly workflowId: number }[],
    showsDocuments: boolean,
  ): Promise<ReadonlyMap<number, ScheduledWorkflow>> {
    const found = (
      await workflows.byIds([...new Set(schedules.map(({ workflowId }) => workflowId))])
    ).filter((record) => record !== null);
    if (!showsDocuments)
      return new Map(found.map(({ _id, title }) => [_id, { title, document: null }]));
    const known = new Map<number, ScheduledWorkflow>();
    for await (const workflow of workflows.withDocuments(actor, found)) {
      if (!workflow) continue;
      const {
        record,
        document: { title, description, icon, categoryId, fieldBinding },
      } = workflow;
      known.set(record._id, { title, document: { description, icon, categoryId, fieldBinding } });
    }
    return known;
  }

  /** Skips tests that have ended in the meantime. */
  async function testsShown(
    actor: Actor,
    schedules: readonly TestScheduleRecord[],
  ): Promise<ShownTest[]> {
    const known = await workflowsOf(actor, schedules, true);
    return schedules.flatMap((schedule) => {
      const workflow = known.get(schedule.workflowId);
      return workflow ? [{ kind: 'test', schedule, workflow }] : [];
    });
  }

  const shownWebhook = (record: WebhookRecord | undefined): ShownWebhook | null =>
    record ? { _id: record._id, token: webhooks.tokenOf(record) } : null;

  /** Skips schedules that were deleted with their workflow in the meantime. */
  async function lastingShown(
    actor: Actor,
    schedules: readonly ScheduleRecord[],
  ): Promise<ShownLasting[]> {
    const known = await workflowsOf(actor, schedules, allows(workflowPolicy.read, actor));
    const called = allows(schedulePolicy.start, actor)
      ? await webhooks.ofSchedules(schedules.map(({ _id }) => _id))
      : null;
    return schedules.flatMap((schedule) => {
      const workflow = known.get(schedule.workflowId);
      return workflow
        ? [
            {
              kind: 'lasting',
              schedule,
              workflow,
              nextFireTimes: nextFiresOf(schedule),
              webhook: shownWebhook(called?.get(schedule._id)),
            },
          ]
        : [];
    });
  }

  const nextFiresOf = ({ cron, timeZone, enabled }: ScheduleRecord): Date[] =>
    enabled ? nextFires(cron, timeZone, clock.now()) : [];

  return {
    /** The next due times, earliest first; none if it is disabled. */
    nextFiresOf,

    /** All schedules that the actor may see, those of tests first, while they are read. */
    async *all(actor: Actor): AsyncGenerator<ShownSchedule, void, void> {
      yield* await testsShown(actor, await tests.all(actor));
      if (!maySeeLasting(actor)) return;
      for await (const batch of reads.batches()) yield* await lastingShown(actor, batch);
    },

    /** Those of the schedules that exist, in the order of the ids. */
    async some(actor: Actor, ids: readonly number[]): Promise<ShownSchedule[]> {
      const unique = [...new Set(ids)];
      const ofTests = await testsShown(
        actor,
        (await tests.all(actor)).filter(({ _id }) => unique.includes(_id)),
      );
      const lasting = maySeeLasting(actor)
        ? await lastingShown(
            actor,
            (await reads.byIds(unique)).filter((record) => record !== null),
          )
        : [];
      const known = new Map([...ofTests, ...lasting].map((shown) => [shown.schedule._id, shown]));
      return unique.flatMap((id) => known.get(id) ?? []);
    },

    /** A schedule that was just read or changed. */
    async shown(actor: Actor, schedule: ScheduleRecord): Promise<ShownLasting> {
      const [one] = await lastingShown(actor, [schedule]);
      if (!one) throw scheduleNotFound(schedule._id);
      return one;
    },

    /** @throws NotFound SCHEDULER_NOT_FOUND, also for tests of other users */
    async get(actor: Actor, id: number): Promise<ShownSchedule> {
      const lasting = maySeeLasting(actor) ? await reads.byId(id) : null;
      const [one] = lasting
        ? await lastingShown(actor, [lasting])
        : await testsShown(actor, [await tests.get(actor, id)]);
      if (!one) throw scheduleNotFound(id);
      return one;
    },

    /**
     * Cancels the open runs of a schedule; succeeds if there are none.
     * @throws NotFound  SCHEDULER_NOT_FOUND, also for tests of other users
     * @throws Forbidden if it is not a test, and the actor may not change schedules
     */
    async terminate(actor: Actor, id: number): Promise<void> {
      const isLasting = (await reads.byId(id)) !== null;
      if (isLasting && allows(schedulePolicy.terminate, actor))
        return void (await starting.stopRuns(actor, id));
      if (isLasting && maySeeLasting(actor))
        throw new Forbidden(`This needs ${schedulePolicy.terminate}.`);
      const { runId } = await tests.get(actor, id);
      await runs.cancel(actor, runId).catch((error: unknown) => {
        if (!(error instanceof Refused && error.code === 'EXECUTION_ALREADY_FINISHED')) throw error;
      });
    },
  };
}
