import type { Actor } from '../../platform/access/actor';
import { allows } from '../../platform/access/need';
import type { NotificationService, NotificationView } from '../notifications/notification.service';
import type { ShownWebhook } from '../webhooks/webhook.model';
import type { WebhookService } from '../webhooks/webhook.service';
import type { WorkflowDocument } from '../workflows/document/workflow-document';
import type { WorkflowLists } from '../workflows/lists/workflow-lists';
import { workflowPolicy } from '../workflows/workflow.policy';
import type { WorkflowService } from '../workflows/workflow.service';
import { scheduleNotFound } from './schedule-records';
import type { ScheduleRecords } from './schedule-records';
import type { ScheduleRecord } from './schedule.model';
import { schedulePolicy } from './schedule.policy';
import type { TestScheduleRecord } from '../runs/run.ports';
import type { TestSchedules } from './test-schedules';

declare module '../../platform/context' {
  interface Services {
    scheduleOverview: ScheduleOverview;
  }
}

/**
 * The workflow of a schedule, as far as the actor may see it: without the permission to read
 * workflows, only its title.
 */
export interface ScheduledWorkflow {
  readonly title: string;
  readonly document: DocumentExcerpt | null;
}

/** The shown parts of a document: keeping whole documents of a list would need 4 MiB each. */
type DocumentExcerpt = Pick<WorkflowDocument, 'description' | 'fieldBinding'> & {
  readonly icon?: unknown;
  readonly categoryId?: unknown;
};

/** The schedule of a test, which is deleted with it. */
interface TestScheduleView {
  readonly kind: 'test';
  readonly schedule: TestScheduleRecord;
  readonly workflow: ScheduledWorkflow;
}

interface SavedScheduleView {
  readonly kind: 'saved';
  readonly schedule: ScheduleRecord;
  readonly workflow: ScheduledWorkflow;
  readonly nextFireTimes: readonly Date[];
  /**
   * Null if there is none, or if the actor may not start the schedule: the token would let them.
   */
  readonly webhook: ShownWebhook | null;
  readonly notifications: readonly NotificationView[];
}

export type ScheduleView = TestScheduleView | SavedScheduleView;

/** Titles of the source and target connectors; null for a deleted one, fewer if there are none. */
type WorkflowSides = readonly (string | null)[];

/** Reads what only the released dialect shows of running schedules. */
export interface RunningReader {
  /** The schedules of open tests. */
  tests(): Promise<readonly TestScheduleRecord[]>;
  /**
   * The titles of the source and target connectors of the workflows, by workflow id; none without
   * the permission to read workflows.
   */
  sidesOf(
    schedules: readonly Pick<ScheduleRecord, 'workflowId'>[],
  ): Promise<ReadonlyMap<number, WorkflowSides>>;
}

const mayReadSaved = (actor: Actor): boolean => allows(schedulePolicy.read, actor);

/** Both kinds of schedules, with their workflows, for REST. */
export class ScheduleOverview {
  constructor(
    private readonly deps: {
      readonly records: ScheduleRecords;
      readonly tests: TestSchedules;
      readonly workflows: WorkflowService;
      readonly lists: Pick<WorkflowLists, 'metadataOf'>;
      readonly webhooks: WebhookService;
      readonly notifications: Pick<NotificationService, 'ofSchedules'>;
    },
  ) {}

  /** All schedules that the actor may see, those of tests first, while they are read. */
  async *all(actor: Actor): AsyncGenerator<ScheduleView, void, void> {
    yield* await this.viewTests(actor, await this.deps.tests.all(actor));
    if (!mayReadSaved(actor)) return;
    for await (const batch of this.deps.records.batches())
      yield* await this.viewSaved(actor, batch);
  }

  /** Those of the schedules that exist, in the order of the ids. */
  async some(actor: Actor, ids: readonly number[]): Promise<ScheduleView[]> {
    const unique = [...new Set(ids)];
    const tests = (await this.deps.tests.all(actor)).filter(({ _id }) => unique.includes(_id));
    const saved = mayReadSaved(actor)
      ? (await this.deps.records.byIds(unique)).filter((record) => record !== null)
      : [];
    const views = [
      ...(await this.viewTests(actor, tests)),
      ...(await this.viewSaved(actor, saved)),
    ];
    const viewOf = new Map(views.map((view) => [view.schedule._id, view]));
    return unique.flatMap((id) => viewOf.get(id) ?? []);
  }

  /** A schedule that was just read or changed. */
  async view(actor: Actor, schedule: ScheduleRecord): Promise<SavedScheduleView> {
    const [view] = await this.viewSaved(actor, [schedule]);
    if (!view) throw scheduleNotFound(schedule._id);
    return view;
  }

  /** @throws NotFound SCHEDULER_NOT_FOUND, also for tests of other users */
  async get(actor: Actor, id: number): Promise<ScheduleView> {
    const saved = mayReadSaved(actor) ? await this.deps.records.byId(id) : null;
    if (saved) return this.view(actor, saved);
    const [view] = await this.viewTests(actor, [await this.deps.tests.get(actor, id)]);
    if (!view) throw scheduleNotFound(id);
    return view;
  }

  /** Reads more about running schedules, as far as the actor may see it. */
  readerFor(actor: Actor): RunningReader {
    return {
      tests: () => this.deps.tests.all(actor),
      sidesOf: (schedules) => this.sidesOf(actor, schedules),
    };
  }

  private async sidesOf(
    actor: Actor,
    schedules: readonly Pick<ScheduleRecord, 'workflowId'>[],
  ): Promise<ReadonlyMap<number, WorkflowSides>> {
    const sides = new Map<number, WorkflowSides>();
    if (schedules.length === 0 || !allows(workflowPolicy.read, actor)) return sides;
    const ids = schedules.map(({ workflowId }) => workflowId);
    for await (const { record, containers } of this.deps.lists.metadataOf(ids, {
      includeTest: true,
    }))
      sides.set(
        record._id,
        containers.map(({ title }) => title),
      );
    return sides;
  }

  /** Skips tests that have ended in the meantime. */
  private async viewTests(
    actor: Actor,
    schedules: readonly TestScheduleRecord[],
  ): Promise<TestScheduleView[]> {
    const workflows = await this.workflowsOf(actor, schedules, true);
    return schedules.flatMap((schedule) => {
      const workflow = workflows.get(schedule.workflowId);
      return workflow ? [{ kind: 'test', schedule, workflow }] : [];
    });
  }

  /** Skips schedules that were deleted with their workflow in the meantime. */
  private async viewSaved(
    actor: Actor,
    schedules: readonly ScheduleRecord[],
  ): Promise<SavedScheduleView[]> {
    const workflows = await this.workflowsOf(actor, schedules, allows(workflowPolicy.read, actor));
    const ids = schedules.map(({ _id }) => _id);
    const webhooks = allows(schedulePolicy.start, actor)
      ? await this.deps.webhooks.shownOfSchedules(ids)
      : null;
    const notifications = await this.deps.notifications.ofSchedules(actor, ids);
    return schedules.flatMap((schedule) => {
      const workflow = workflows.get(schedule.workflowId);
      if (!workflow) return [];
      return {
        kind: 'saved',
        schedule,
        workflow,
        nextFireTimes: this.deps.records.nextFiresOf(schedule),
        webhook: webhooks?.get(schedule._id) ?? null,
        notifications: notifications.get(schedule._id) ?? [],
      };
    });
  }

  private async workflowsOf(
    actor: Actor,
    schedules: readonly { readonly workflowId: number }[],
    showsDocuments: boolean,
  ): Promise<ReadonlyMap<number, ScheduledWorkflow>> {
    const ids = [...new Set(schedules.map(({ workflowId }) => workflowId))];
    const records = (await this.deps.workflows.byIds(ids)).filter((record) => record !== null);
    if (!showsDocuments)
      return new Map(records.map(({ _id, title }) => [_id, { title, document: null }]));
    const workflowOf = new Map<number, ScheduledWorkflow>();
    for await (const workflow of this.deps.workflows.withDocuments(actor, records)) {
      if (!workflow) continue;
      const { title, description, icon, categoryId, fieldBinding } = workflow.document;
      workflowOf.set(workflow.record._id, {
        title,
        document: { description, icon, categoryId, fieldBinding },
      });
    }
    return workflowOf;
  }
}
