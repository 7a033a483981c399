import type { Store, Tx } from '../../platform/store/store';
import type { RunRecord } from '../runs/run.model';
import type { ScheduleExecution } from './schedule.model';
import { scheduleModel } from './schedule.model';

export type ScheduleEnds = ReturnType<typeof createScheduleEnds>;

/**
 * Where the last run of a schedule that ended well is kept, and that of the last one that did not. One that was cancelled did not: the released
 * frontend, which cancels a test, reads the schedule until it is told of either.
 */
const KEPT_AS: Partial<Record<RunRecord['state'], 'lastSuccess' | 'lastFailure'>> = {
  SUCCEEDED: 'lastSuccess',
  FAILED: 'lastFailure',
  INTERRUPTED: 'lastFailure',
  CANCELLED: 'lastFailure',
};

/** Keeps with a schedule how its last runs ended. */
export function createScheduleEnds(store: Store) {
  const schedules = scheduleModel(store);
  return {
    /** To be called in the transaction that ends a run, with the run as it is then. */
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
      // How long runs take is not told by those that were stopped, whose process was, or that never began.
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
