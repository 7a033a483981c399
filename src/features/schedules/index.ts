import { createScheduleEnds } from './schedule-ends';
import type { ScheduleEnds } from './schedule-ends';
import { schedulePolicy } from './schedule.policy';
import { createScheduleService } from './schedule.service';
import { createTestSchedules } from './test-schedules';
import type { TestSchedules } from './test-schedules';
import type { Feature } from '../../feature';
import {
  LinksOfScheduleResolver,
  ScheduleOfRunResolver,
  SchedulesOfWorkflowResolver,
} from './schedule-links.graphql';
import { ScheduleResolver } from './schedule.graphql';
import { documentedSchedules } from './schedule.presenter';
import { scheduleRoutes } from './schedule.rest';
import { SchedulesChangedResolver } from './schedules-changed.graphql';

declare module '../../platform/context' {
  interface Services {
    scheduleEnds: ScheduleEnds;
    testSchedules: TestSchedules;
  }
}

export const schedulesFeature: Feature = {
  services: {
    scheduleEnds: ({ core: { store } }) => createScheduleEnds(store),
    schedules: ({
      core: { store, bus, clock, log },
      config,
      services: { audit, testSchedules, scheduledRuns, workflows, webhookRecords },
      scheduleTickMs,
    }) =>
      createScheduleService({
        store,
        bus,
        clock,
        audit,
        timeZone: config.timeZone,
        tests: testSchedules,
        runs: scheduledRuns,
        workflows,
        webhooks: webhookRecords,
        tickMs: scheduleTickMs,
        onFault: (error, scheduleId) =>
          log.error(
            { err: error, scheduleId },
            'A due schedule failed because of an internal error.',
          ),
      }),
    testSchedules: ({ core: { store, clock } }) => createTestSchedules({ store, clock }),
  },
  search: ({ schedules }) => ({
    type: 'Schedule',
    need: schedulePolicy.read,
    find: (...of) => schedules.searchTitles(...of),
  }),
  start: ({ services }) => services.schedules.start(),
  stop: ({ services }) => services.schedules.stop(),
  tags: {
    Schedules:
      'What runs workflows: at the times they say, or on demand. The schedule of a test goes with it.',
  },
  resolvers: [
    LinksOfScheduleResolver,
    ScheduleOfRunResolver,
    ScheduleResolver,
    SchedulesChangedResolver,
    SchedulesOfWorkflowResolver,
  ],
  presenters: { schedules: documentedSchedules },
  routes: ({ services, presenters }) => scheduleRoutes(services, presenters),
};
