import type { HeldSnapshot } from '../workflows/versions/workflow-snapshots';
import type { RunRecord } from './run.model';

/** What the audit keeps of the start of a run, whoever started it and however many at a time. */
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
