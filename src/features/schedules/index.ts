import type { Feature } from '../../platform/feature';
import {
  LinksOfScheduleResolver,
  ScheduleOfRunResolver,
  SchedulesOfWorkflowResolver,
} from './schedule-links.graphql';
import { ScheduleResolver } from './schedule.graphql';
import { documentedSchedules } from './schedule.presenter';
import { scheduleRoutes } from './schedule.rest';
import { SchedulesChangedResolver } from './schedules-changed.graphql';

export const schedulesFeature: Feature = {
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
