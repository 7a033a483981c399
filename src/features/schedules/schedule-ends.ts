import type { Store, Tx } from '../../platform/store/store';
import type { RunRecord } from '../runs/run.model';
import type { ScheduleExecution } from './schedule.model';
import { scheduleModel } from './schedule.model';

export type ScheduleEnds = ReturnType<typeof createScheduleEnds>;

/** Where the last run of a schedule that ended well is kept, and that of the last one that did not. Who cancels a run ends it neither well nor badly. */
const KEPT_AS: Partial<Record<RunRecord['state'], 'lastSuccess' | 'lastFailure'>> = { SUCCEEDED: 'lastSuccess', FAILED: 'lastFailure', INTERRUPTED: 'lastFailure' };

/** Keeps with a schedule how its last runs ended. */
export function createScheduleEnds(store: Store) {
  const schedules = scheduleModel(store);
  return {
    /** To be called in the transaction that ends a run, with the run as it is then. */
    async ended({ _id: runId, scheduleId, state, startedAt, finishedAt, durationMs }: RunRecord, tx: Tx): Promise<void> {
      const field = KEPT_AS[state];
      if (scheduleId === undefined || field === undefined || startedAt === null || finishedAt === null) return;
      const execution: ScheduleExecution = { runId, startedAt, finishedAt, durationMs: durationMs ?? 0 };
      await schedules.updateOne({ _id: scheduleId }, { $set: { [field]: execution }, $inc: { executions: 1, executionsMs: execution.durationMs } }, { session: tx.session });
    },
  };
}
