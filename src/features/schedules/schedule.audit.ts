import type { ScheduleRecord } from './schedule.model';

/** Fields recorded in the audit: those that users set. */
export const recorded = ({
  title,
  workflowId,
  cron,
  timeZone,
  enabled,
  logging,
  missedFires,
  overlapPolicy,
  version,
}: ScheduleRecord): object => ({
  title,
  workflowId,
  cron,
  timeZone,
  enabled,
  logging,
  missedFires,
  overlapPolicy,
  version,
});
