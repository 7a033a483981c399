import type { Store, Tx } from '../../platform/store/store';
import type { RunRecord } from '../runs/run.model';
import type { ScheduleExecution } from './schedule.model';
import { scheduleModel } from './schedule.model';

export type ScheduleEnds = ReturnType<typeof createScheduleEnds>;

/**
 * Field that stores the last run, by its final state. CANCELLED counts as failure: the released
 * frontend, which cancels a test, polls the schedule until one of the two fields is set.
 */
const KEPT_AS: Partial<Record<RunRecord['state'], 'lastSuccess' | 'lastFailure'>> = {
  SUCCEEDED: 'lastSuccess',
  FAILED: 'lastFailure',
  INTERRUPTED: 'lastFailure',
  CANCELLED: 'lastFailure',
};

/** Stores with a schedule how its last runs ended. */
export function createScheduleEnds(store: Store) {
  const schedules = scheduleModel(store);
  return {
    /** Call in the transaction that ends a run, with the updated run. */
    async ended(
      { _id: runId, scheduleId, state, startedAt, finishedAt, durationMs }: RunRecord,
      tx: Tx,
    ): Promise<void> {
      const field = KEPT_AS[state];
      if (scheduleId === undefined || field === undefined || finishedAt === null) return;
      const execution: ScheduleExecution = {
        runId,
        startedAt: startedAt ?? finishedAt,
        finishedAt,
        durationMs: durationMs ?? 0,
      };
      // The average duration excludes runs that were cancelled or interrupted, or never began.
      const counted = (state === 'SUCCEEDED' || state === 'FAILED') && startedAt !== null;
      await schedules.updateOne(
        { _id: scheduleId },
        {
          $set: { [field]: execution },
          ...(counted && { $inc: { executions: 1, executionsMs: execution.durationMs } }),
        },
        { session: tx.session },
      );
    },
  };
}
