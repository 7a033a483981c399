import { orMissing, orNull, partOf, schemaOf } from '../../platform/store/schema';
import type { Store } from '../../platform/store/store';
import type { Author } from '../workflows/workflow.model';
import type { MissedFiresName } from './missed-fires';
import type { OverlapPolicyName } from './overlap-policy';

/** A run of a schedule that has ended. */
export interface ScheduleExecution {
  readonly runId: number;
  readonly startedAt: Date;
  readonly finishedAt: Date;
  readonly durationMs: number;
}

/** What runs a workflow by itself, and on demand. */
export interface ScheduleRecord {
  readonly _id: number;
  readonly title: string;
  /** Folded; unique. */
  readonly titleKey: string;
  readonly workflowId: number;
  /** In the syntax of Quartz; empty: never by itself. */
  readonly cron: string;
  /** IANA name of the zone it is meant in. */
  readonly timeZone: string;
  /** False: it does not fire by itself. */
  readonly enabled: boolean;
  /** Events of its runs carry requests and responses. */
  readonly logging: boolean;
  /** What becomes of times at which nobody was there to fire it. */
  readonly missedFires: MissedFiresName;
  /** What happens at a time that is due while another run of the schedule has not ended. */
  readonly overlapPolicy: OverlapPolicyName;
  /** When it is due next; null: never, or not enabled. Whoever moves it on has fired it: no two can. */
  readonly nextFireAt: Date | null;
  /** Its newest run, however that was started. */
  readonly lastRunId: number | null;
  /** The newest run that was due: while it waits to start, no other time that is due is queued. */
  readonly lastDueRunId: number | null;
  readonly lastSuccess: ScheduleExecution | null;
  readonly lastFailure: ScheduleExecution | null;
  /** Of its runs that ended by themselves: how many, and how long they took together, ms. */
  readonly executions: number;
  readonly executionsMs: number;
  readonly createdAt: Date;
  readonly createdBy: Author;
  readonly updatedAt: Date;
  readonly updatedBy: Author;
  /** Counts how often something was hung on it or taken off, a webhook: that writes it, so that a deletion beside it conflicts (docs/adr/0010). Missing: never. */
  readonly claims?: number;
  /** Counts changes by people, for optimistic locking. */
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
// What is due is looked for all the time.
scheduleSchema.index({ nextFireAt: 1, _id: 1 });
for (const field of ['workflowId', 'enabled', 'nextFireAt'])
  scheduleSchema.index({ [field]: 1, titleKey: 1, _id: 1 });

export const scheduleModel = (store: Store) =>
  store.model<ScheduleRecord>('Schedule', scheduleSchema, 'schedules');
