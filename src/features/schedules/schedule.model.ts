import { orMissing, orNull, partOf, schemaOf } from '../../platform/store/schema';
import type { Store } from '../../platform/store/store';
import type { Author } from '../workflows/workflow.model';
import type { MissedFiresName } from './missed-fires';
import type { OverlapPolicyName } from './overlap-policy';

/** An ended run of a schedule. */
export interface ScheduleExecution {
  readonly runId: number;
  readonly startedAt: Date;
  readonly finishedAt: Date;
  readonly durationMs: number;
}

/** Runs a workflow at its due times, and on demand. */
export interface ScheduleRecord {
  readonly _id: number;
  readonly title: string;
  /** Folded; unique. */
  readonly titleKey: string;
  readonly workflowId: number;
  /** In Quartz syntax; empty if it never fires by itself. */
  readonly cron: string;
  /** IANA name of the time zone of `cron`. */
  readonly timeZone: string;
  /** False: it does not fire by itself. */
  readonly enabled: boolean;
  /** Whether events of its runs contain requests and responses. */
  readonly logging: boolean;
  /** Policy for due times at which no process was running. */
  readonly missedFires: MissedFiresName;
  /** Policy for due times at which another run of the schedule has not ended. */
  readonly overlapPolicy: OverlapPolicyName;
  /**
   * Next due time; null if it is never due, or disabled. The transaction that advances it fires the
   * schedule, so that only one can.
   */
  readonly nextFireAt: Date | null;
  /** Its newest run, however that was started. */
  readonly lastRunId: number | null;
  /** The newest run that was due: while it is queued, later due times start no run. */
  readonly lastDueRunId: number | null;
  readonly lastSuccess: ScheduleExecution | null;
  readonly lastFailure: ScheduleExecution | null;
  /** Number of its runs that ended by themselves, and their total duration, ms. */
  readonly executions: number;
  readonly executionsMs: number;
  readonly createdAt: Date;
  readonly createdBy: Author;
  readonly updatedAt: Date;
  readonly updatedBy: Author;
  /**
   * Counts webhooks added and removed: this writes the record, so that a concurrent deletion
   * conflicts (docs/adr/0010). Missing if there were none.
   */
  readonly claims?: number;
  /** Counts changes by users, for optimistic locking. */
  readonly version: number;
}

const author = partOf<Author>({ userId: Number, email: String });
const execution = partOf<ScheduleExecution>({
  runId: Number,
  startedAt: Date,
  finishedAt: Date,
  durationMs: Number,
});

const scheduleSchema = schemaOf<ScheduleRecord>({
  _id: Number,
  title: String,
  titleKey: String,
  workflowId: Number,
  cron: String,
  timeZone: String,
  enabled: Boolean,
  logging: Boolean,
  missedFires: String,
  overlapPolicy: String,
  nextFireAt: orNull(Date),
  lastRunId: orNull(Number),
  lastDueRunId: orNull(Number),
  lastSuccess: orNull(execution),
  lastFailure: orNull(execution),
  executions: Number,
  executionsMs: Number,
  createdAt: Date,
  createdBy: author,
  updatedAt: Date,
  updatedBy: author,
  claims: orMissing(Number),
  version: Number,
});
scheduleSchema.index({ titleKey: 1 }, { unique: true });
// For finding due schedules, which happens all the time.
scheduleSchema.index({ nextFireAt: 1, _id: 1 });
for (const field of ['workflowId', 'enabled', 'nextFireAt'])
  scheduleSchema.index({ [field]: 1, titleKey: 1, _id: 1 });

export const scheduleModel = (store: Store) =>
  store.model<ScheduleRecord>('Schedule', scheduleSchema, 'schedules');
