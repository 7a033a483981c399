import type { HeldSnapshot } from '../workflows/versions/workflow-snapshots';
import type { RunRecord } from './run.model';

/** Fields that the audit records for the start of a run. */
export const recordedStart = (
  { workflowId, workflowTitle: title, scheduleId, retryOf, test, logging }: RunRecord,
  { snapshotId }: Pick<HeldSnapshot, 'snapshotId'>,
): object => ({
  workflowId,
  title,
  snapshotId,
  scheduleId: scheduleId ?? null,
  ...(retryOf !== undefined && { retryOf }),
  test,
  logging,
});
