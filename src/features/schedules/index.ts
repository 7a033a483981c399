import { RunningSchedules } from './running-schedules';
import { ScheduleOverview } from './schedule-overview.service';
import { ScheduleRecords } from './schedule-records';
import { ScheduleRemoval } from './schedule-removal';
import { ScheduleRuns } from './schedule-runs.service';
import { schedulePolicy } from './schedule.policy';
import { ScheduleService } from './schedule.service';
import { TestSchedules } from './test-schedules';
import type { Feature } from '../../feature';
import {
  LinksOfScheduleResolver,
  ScheduleOfRunResolver,
  SchedulesOfWorkflowResolver,
  SchedulesChangedResolver,
} from './schedule-links.graphql';
import {
  NotificationsOfScheduleResolver,
  ScheduleOfNotificationResolver,
  ScheduleOfWebhookResolver,
  WebhookOfScheduleResolver,
} from './schedule-parts.graphql';
import { ScheduleResolver } from './schedule.graphql';
import { documentedSchedules, releasedSchedules } from './schedule.presenter';
import { scheduleListRoutes } from './schedule-lists.rest';
import { scheduleRoutes } from './schedule.rest';
import { scheduleDestinations } from './schedule.stomp';

declare module '../../platform/context' {
  interface Services {
    scheduleRecords: ScheduleRecords;
    scheduleRemoval: ScheduleRemoval;
    testSchedules: TestSchedules;
  }
}

export const schedulesFeature: Feature = {
  services: {
    runningSchedules: ({ core, services }) =>
      new RunningSchedules({
        core,
        runs: services.scheduledRuns,
        records: services.scheduleRecords,
      }),
    scheduleOverview: ({ services }) =>
      new ScheduleOverview({
        records: services.scheduleRecords,
        tests: services.testSchedules,
        workflows: services.workflows,
        lists: services.workflowLists,
        webhooks: services.webhooks,
        notifications: services.notifications,
      }),
    scheduleRecords: ({ core }) => new ScheduleRecords(core),
    scheduleRemoval: ({ services }) =>
      new ScheduleRemoval({
        audit: services.audit,
        records: services.scheduleRecords,
        webhooks: services.webhookRecords,
        notifications: services.notificationRecords,
      }),
    scheduleRuns: ({ core, services, scheduleTickMs }) =>
      new ScheduleRuns({
        core,
        records: services.scheduleRecords,
        tests: services.testSchedules,
        runs: services.scheduledRuns,
        tickMs: scheduleTickMs,
      }),
    schedules: ({ core, config, services }) =>
      new ScheduleService({
        core,
        audit: services.audit,
        records: services.scheduleRecords,
        removal: services.scheduleRemoval,
        workflows: services.workflows,
        timeZone: config.timeZone,
      }),
    testSchedules: ({ core }) => new TestSchedules(core),
  },
  search: ({ scheduleRecords }) => ({
    type: 'Schedule',
    need: schedulePolicy.read,
    find: (...of) => scheduleRecords.searchTitles(...of),
  }),
  startRecurring: ({ services }) => services.scheduleRuns.start(),
  stop: ({ services }) => services.scheduleRuns.stop(),
  tags: {
    Schedules:
      'Run workflows at their due times, or on demand. The schedule of a test is deleted when it ends.',
  },
  resolvers: [
    LinksOfScheduleResolver,
    NotificationsOfScheduleResolver,
    ScheduleOfNotificationResolver,
    ScheduleOfRunResolver,
    ScheduleOfWebhookResolver,
    ScheduleResolver,
    SchedulesChangedResolver,
    SchedulesOfWorkflowResolver,
    WebhookOfScheduleResolver,
  ],
  presenters: { schedules: documentedSchedules },
  releasedPresenters: { schedules: releasedSchedules },
  routes: ({ services, presenters }) => [
    ...scheduleListRoutes(services, presenters),
    ...scheduleRoutes(services, presenters),
  ],
  destinations: ({ services, presenters }) => scheduleDestinations(services, presenters),
};
