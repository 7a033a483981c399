import { allows } from '../../platform/access/need';
import type { GraphqlContext } from '../../platform/context';
import type { ScheduleRecord } from './schedule.model';
import { schedulePolicy } from './schedule.policy';

/** Loads schedules by id, batched per request. */
export function scheduleLoader(context: GraphqlContext) {
  return context.loader<number, ScheduleRecord>('schedules', (ids) =>
    context.services.scheduleRecords.byIds(ids),
  );
}

/** A linked schedule; null if there is none, if it is deleted, or if the user may not read it. */
export async function linkedSchedule(
  context: GraphqlContext,
  id: number | undefined,
): Promise<ScheduleRecord | null> {
  return id !== undefined && allows(schedulePolicy.read, context.actor)
    ? scheduleLoader(context).load(id)
    : null;
}
