import type { EventBus } from '../../platform/events/bus';
import type { Tx } from '../../platform/store/store';

/** Bus topic: a `SchedulesChanged`, after the change was committed. */
export const SCHEDULES_TOPIC = 'schedules.changed';

/** Schedules that were made, changed or deleted, are due at another time, or got or lost what hangs on them. */
export interface SchedulesChanged {
  readonly scheduleIds: readonly number[];
}

/** To be called in the transaction that writes these schedules. */
export type NoteSchedules = (scheduleIds: readonly number[], tx: Pick<Tx, 'afterCommit'>) => void;

/** Tells of them when they are written. */
export const notingSchedules =
  (bus: EventBus): NoteSchedules =>
  (scheduleIds, tx) => {
    if (scheduleIds.length > 0)
      tx.afterCommit(() => bus.publish<SchedulesChanged>(SCHEDULES_TOPIC, { scheduleIds }));
  };
