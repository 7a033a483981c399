import type { Services } from '../../platform/context';
import type { Presenters } from '../../platform/http/presenters';
import { route } from '../../platform/http/route';
import type { Route } from '../../platform/http/route';
import { IdParams } from '../../platform/http/scalars';
import { schedulePolicy } from './schedule.policy';

/** Schedules over REST: as yet those of tests. */
export function scheduleRoutes({ schedules }: Pick<Services, 'schedules'>, { schedules: shown }: Presenters): Route[] {
  const tag = 'Schedules';
  return [
    route({
      method: 'get', path: '/scheduler/all', needs: schedulePolicy.read, tag, success: 200, summary: 'All schedules',
      description: 'Those of your tests that go on; administrators see all.', answer: shown.list.answer,
      handle: async ({ actor }) => shown.list(await schedules.all(actor)),
    }),
    route({
      method: 'get', path: '/scheduler/:id', needs: schedulePolicy.read, tag, success: 200, summary: 'One schedule', params: IdParams, answer: shown.one.answer, errors: ['SCHEDULER_NOT_FOUND'],
      handle: async ({ actor, params }) => shown.one(await schedules.get(actor, params.id)),
    }),
    route({
      method: 'get', path: '/scheduler/terminate/:id', needs: schedulePolicy.terminate, tag, success: 200, changesOnGet: true, summary: 'Cancels the run of a schedule',
      description: 'The schedule of a test goes with its run.', params: IdParams, errors: ['SCHEDULER_NOT_FOUND'],
      handle: async ({ actor, params }) => schedules.terminate(actor, params.id),
    }),
  ];
}
