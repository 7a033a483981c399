import type { EventBus } from '../../platform/events/bus';
import type { Tx } from '../../platform/store/store';

/** Bus topic: a `SchedulesChanged`, after the change was committed. */
export const SCHEDULES_TOPIC = 'schedules.changed';

/**
 * Schedules that were created, changed or deleted, are due at another time, or got or lost a
 * webhook.
 */
export interface SchedulesChanged {
  readonly scheduleIds: readonly number[];
}

/** Call in the transaction that writes these schedules. */
export type NoteSchedules = (scheduleIds: readonly number[], tx: Pick<Tx, 'afterCommit'>) => void;

/** Publishes the schedules after the commit. */
export const notingSchedules =
  (bus: EventBus): NoteSchedules =>
  (scheduleIds, tx) => {
    if (scheduleIds.length > 0)
      tx.afterCommit(() => bus.publish<SchedulesChanged>(SCHEDULES_TOPIC, { scheduleIds }));
  };
