import { BadInput } from '../../platform/errors/errors';
import type { Problem } from '../../platform/errors/errors';
import { pick } from '../../platform/pick';
import { orMissing, orNull, partOf, schemaOf } from '../../platform/store/schema';
import type { Store } from '../../platform/store/store';
import { hasMoreCharacters, isVisible } from '../../platform/text/characters';
import { fold } from '../../platform/text/fold';
import type { Author } from '../workflows/workflow.model';
import { cronProblems, neverDueProblems } from '../../platform/clock/cron';
import { MAX_TITLE_LENGTH } from './schedule-options';
import type { MissedFiresName, OverlapPolicyName } from './schedule-options';

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

/** Fields of a schedule without runs. */
export const NEVER_RUN = {
  lastRunId: null,
  lastDueRunId: null,
  lastSuccess: null,
  lastFailure: null,
  executions: 0,
  executionsMs: 0,
} as const;

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

export const scheduleCollection = (store: Store) =>
  store.collection<ScheduleRecord>('Schedule', scheduleSchema, 'schedules');

/** Fields recorded in the audit: those that users set. */
export const auditedFields = (record: ScheduleRecord): object =>
  pick(
    record,
    'title',
    'workflowId',
    'cron',
    'timeZone',
    'enabled',
    'logging',
    'missedFires',
    'overlapPolicy',
    'version',
  );

/** A change of a schedule; missing fields stay unchanged. */
export interface ScheduleChange {
  readonly title?: string | null;
  readonly workflowId?: number;
  /** Empty if it never fires by itself. */
  readonly cron?: string;
  readonly timeZone?: string;
  readonly enabled?: boolean;
  readonly logging?: boolean;
  readonly missedFires?: MissedFiresName;
  readonly overlapPolicy?: OverlapPolicyName;
}

/** The timing of a schedule after a change. */
interface ScheduleTiming {
  readonly timeZone: string;
  readonly now: Date;
  /**
   * Whether `cron` changes. Clients send all fields with any change, and an unchanged expression
   * may have no times left.
   */
  readonly isNew: boolean;
}

/** Checks everything that needs no store. */
export function checkScheduleChange(
  { title, cron, timeZone }: ScheduleChange,
  timing: ScheduleTiming,
): BadInput[] {
  const timeProblems = cronProblems(cron, timeZone);
  if (cron !== undefined && timing.isNew && timeProblems.length === 0)
    timeProblems.push(...neverDueProblems(cron, timing.timeZone, timing.now));
  const problems = [...(title === undefined ? [] : titleProblems(title ?? '')), ...timeProblems];
  const [first] = problems;
  return first === undefined
    ? []
    : [new BadInput(first.code, 'The schedule is not valid.', { problems })];
}

function titleProblems(input: string): Problem[] {
  const title = input.trim();
  const problem = (message: string): Problem[] => [
    { code: 'TITLE_INVALID', path: ['title'], message },
  ];
  if (hasMoreCharacters(title, MAX_TITLE_LENGTH))
    return problem(`The title of a schedule has at most ${MAX_TITLE_LENGTH} characters.`);
  if (fold(title) === '') return problem('A schedule needs a title.');
  return isVisible(title) ? [] : problem('The title contains invisible characters.');
}
