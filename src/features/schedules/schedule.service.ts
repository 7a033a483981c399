import type { Clock } from '../../platform/clock/clock';
import type { EventBus } from '../../platform/events/bus';
import type { Store } from '../../platform/store/store';
import type { AuditService } from '../audit/audit.service';
import type { ScheduledRuns } from '../runs/queue/scheduled-runs';
import type { WorkflowService } from '../workflows/workflow.service';
import type { WebhookRecords } from '../webhooks/webhook-records';
import { createScheduleDeletion } from './schedule-deletion';
import { createScheduleFiring } from './schedule-firing';
import { createScheduleReads } from './schedule-reads';
import { createScheduleSaving } from './schedule-saving';
import { createScheduleShowing } from './schedule-showing';
import { createScheduleStarting } from './schedule-starting';
import { notingSchedules, SCHEDULES_TOPIC } from './schedule.events';
import { scheduleModel } from './schedule.model';
import type { TestSchedules } from './test-schedules';
import type { Model } from 'mongoose';
import type { Actor } from '../../platform/access/actor';
import { allows } from '../../platform/access/need';
import { NOTHING } from '../../platform/store/filter';
import { createLiveList } from '../../platform/store/live-list';
import type { ListChange } from '../../platform/store/live-list';
import type { SchedulesChanged } from './schedule.events';
import type { ScheduleRecord } from './schedule.model';
import { schedulePolicy } from './schedule.policy';

function createSchedulesChanging({
  store,
  bus,
  schedules,
}: {
  readonly store: Store;
  readonly bus: EventBus;
  readonly schedules: Model<ScheduleRecord>;
}) {
  const list = createLiveList<ScheduleRecord>({
    model: schedules,
    isExclusive: store.isExclusive,
    listen: (note) =>
      bus.subscribe<SchedulesChanged>(SCHEDULES_TOPIC, ({ scheduleIds }) => note(scheduleIds)),
    revision: ['version', 'claims', 'nextFireAt'],
    order: { field: 'titleKey', direction: 'asc' },
  });

  return {
    /**
     * Changes of a list of schedules, as far as the actor may see them at each moment, until the
     * signal aborts.
     * @throws BadInput while iterating, if no index supports the filter and the list is long
     */
    changes: (
      actor: () => Promise<Actor>,
      filter: Record<string, unknown>,
      { most, signal }: { readonly most: number; readonly signal: AbortSignal },
    ): AsyncGenerator<ListChange<ScheduleRecord>, void, undefined> =>
      list({
        filter,
        most,
        signal,
        within: async () => (allows(schedulePolicy.read, await actor()) ? {} : NOTHING),
      }),
  };
}

declare module '../../platform/context' {
  interface Services {
    schedules: ScheduleService;
  }
}

export interface ScheduleDependencies {
  readonly store: Store;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly audit: AuditService;
  /** Time zone of schedules that specify none. */
  readonly timeZone: string;
  readonly tests: TestSchedules;
  readonly runs: ScheduledRuns;
  readonly workflows: WorkflowService;
  readonly webhooks: WebhookRecords;
  /** Interval for checking what is due, ms. */
  readonly tickMs?: number;
  /**
   * Called with errors while due schedules are started; `scheduleId` is 0 if no single schedule is
   * concerned.
   */
  readonly onFault: (error: unknown, scheduleId: number) => void;
}

export type ScheduleService = ReturnType<typeof createScheduleService>;

/** Schedules. Reading, saving, deleting, showing, firing and starting have a file each. */
export function createScheduleService({
  store,
  bus,
  clock,
  audit,
  timeZone,
  tests,
  runs,
  workflows,
  webhooks,
  tickMs,
  onFault,
}: ScheduleDependencies) {
  const schedules = scheduleModel(store);
  const note = notingSchedules(bus);
  const reads = createScheduleReads(schedules);
  const starting = createScheduleStarting({ schedules, reads, runs });
  const { firing, fireDue } = createScheduleFiring({
    clock,
    note,
    schedules,
    runs,
    tickMs,
    onFault,
  });
  return {
    byId: reads.byId,
    byIds: reads.byIds,
    page: reads.page,
    pagesOfWorkflows: reads.pagesOfWorkflows,
    searchTitles: reads.searchTitles,
    ...createSchedulesChanging({ store, bus, schedules }),
    ...createScheduleSaving({ store, clock, audit, note, timeZone, schedules, reads, workflows }),
    ...createScheduleDeletion({ store, audit, note, schedules, reads, webhooks }),
    ...starting,
    ...createScheduleShowing({ clock, tests, reads, starting, runs, workflows, webhooks }),

    /** Starts all schedules that are due now. */
    fireDue,

    /** Starts due schedules periodically. */
    start: (): void => firing.start(),

    /** Resolves when the current check is done. */
    stop: (): Promise<void> => firing.stop(),
  };
}
