import { allows } from '../../platform/access/need';
import type { GraphqlContext } from '../../platform/context';
import type { ScheduleRecord } from './schedule.model';
import { schedulePolicy } from './schedule.policy';

/** Schedules by id, read together with all others the request asks for. */
export function scheduleLoader(context: GraphqlContext) {
  return context.loader<number, ScheduleRecord>('schedules', (ids) =>
    context.services.schedules.byIds(ids),
  );
}

/** The schedule behind a link; null when there is none, when it is deleted, and when the signed-in user may not read it. */
export async function linkedSchedule(
  context: GraphqlContext,
  id: number | undefined,
): Promise<ScheduleRecord | null> {
  return id !== undefined && allows(schedulePolicy.read, context.actor)
    ? scheduleLoader(context).load(id)
    : null;
}
