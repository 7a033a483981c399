import type { Services } from '../../platform/context';
import type { Presenters } from '../../platform/http/presenters';
import type { Destination } from '../../platform/http/dialects/destination';
import { schedulePolicy } from './schedule.policy';

/** The running schedules, complete after each change. */
export const scheduleDestinations = (
  { runningSchedules }: Pick<Services, 'runningSchedules'>,
  { schedules: shown }: Presenters,
): Destination[] => [
  {
    path: '/scheduler/running/all',
    needs: schedulePolicy.read,
    async *messages({ signal }) {
      for await (const list of runningSchedules.follow(signal)) yield shown.runningNow(list);
    },
  },
];
