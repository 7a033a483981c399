import type { Clock } from '../../platform/clock/clock';
import type { EventBus } from '../../platform/events/bus';
import type { Store } from '../../platform/store/store';
import type { AuditService } from '../audit/audit.service';
import type { RunService } from '../runs/run.service';
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
import { NOTHING } from '../../platform/store/conjuncts';
import { createLiveList } from '../../platform/store/live-list';
import type { ListChange } from '../../platform/store/live-list';
import type { SchedulesChanged } from './schedule.events';
import type { ScheduleRecord } from './schedule.model';
import { schedulePolicy } from './schedule.policy';

/** Follows lists of schedules. */
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
     * What changes in a list of schedules, as far as the actor may see it at each moment, until the signal is aborted.
     * @throws BadInput while iterating: what no index serves in a long list
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
  /** The zone of schedules that say none. */
  readonly timeZone: string;
  readonly tests: TestSchedules;
  readonly runs: RunService;
  readonly workflows: WorkflowService;
  readonly webhooks: WebhookRecords;
  /** How often is looked for what is due, ms. */
  readonly tickMs?: number;
  /** Faults while what is due was started; 0: none of a schedule. */
  readonly onFault: (error: unknown, scheduleId: number) => void;
}

export type ScheduleService = ReturnType<typeof createScheduleService>;

/** The rules of schedules, one file each: finding, following, saving, deleting, showing, and starting what they run. */
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

    /** Starts everything that is due now. */
    fireDue,

    /** From now on what is due is started. */
    start: (): void => firing.start(),

    /** Resolves when what was begun is done. */
    stop: (): Promise<void> => firing.stop(),
  };
}
