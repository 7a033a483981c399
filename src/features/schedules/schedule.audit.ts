import type { ScheduleRecord } from './schedule.model';

/** What the audit keeps of a schedule: what people decide. */
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
