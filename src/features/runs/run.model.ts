import { orMissing, orNull, partOf, schemaOf } from '../../platform/store/schema';
import type { AggregatedValue } from '../../engine';
import type { RunError } from '../../engine/events';
import type { StepPlace } from './execution/run-engine';
import type { Author, ContentRef } from '../workflows/workflow.model';
import type { RunStateName } from './run.events';
import type { RunTriggerName } from './run-triggers';

/** One execution of a workflow. */
export interface RunRecord {
  readonly _id: number;
  readonly workflowId: number;
  /** As it was when the run was queued. */
  readonly workflowTitle: string;
  /** The version snapshot it executes. */
  readonly content: ContentRef;
  /** A test run: hidden from lists unless asked for, never counted, its events carry requests and responses. */
  readonly test: boolean;
  /** The workflow exists for this run only, and goes with its end. */
  readonly temporary: boolean;
  readonly trigger: RunTriggerName;
  /** Its events carry requests and responses. */
  readonly logging: boolean;
  readonly state: RunStateName;
  readonly queuedAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  /** From its beginning to its end, known at the end; 0 when it never began. */
  readonly durationMs: number | null;
  /** The schedule that started it, or that somebody started it by. */
  readonly scheduleId?: number;
  /** The time at which that was due. */
  readonly dueAt?: Date;
  /** The same as `scheduleId` until the run has ended: an index of these few runs finds what a schedule has in progress. */
  readonly openOfSchedule?: number;
  /** It may not start before the other runs of its schedule have ended. Missing otherwise. */
  readonly isBlocked?: boolean;
  /** Null when nobody did: a schedule, or a webhook. */
  readonly startedBy: Author | null;
  /** Methods that were executed, known at the end. */
  readonly steps: number | null;
  readonly error: RunError | null;
  /** What its aggregators left; missing where they left nothing. */
  readonly values?: readonly AggregatedValue[];
  /** Sequence of the last event, known at the end. */
  readonly lastSequence: number | null;
  /** The how many-th it is of runs that started each other; runs of earlier versions do not have it. */
  readonly depth?: number;
  /** It runs again what this one has executed: the first, where that was run again more than once. */
  readonly retryOf?: number;
  /** The run whose failure started it. */
  readonly errorOf?: number;
  /** The workflows that failed one after the other until it was started: none of them is started by its failure. */
  readonly failedWorkflows?: readonly number[];
  /** The run that its failure started. */
  readonly errorRunId?: number;
  /** Whose log its events are: the workflow's, as `testKeyOf` names it, or of a test of what is not saved its title's and user's. Missing where it has none, or none any more. */
  readonly logOf?: string;
  /** Whose log it was, where it is gone. */
  readonly logGone?: string;
  /** Its log is gone, and the events of it are being removed. */
  readonly eventsGoing?: boolean;
  /** It was started with parameters, which are kept sealed beside it. */
  readonly hasParameters?: boolean;
  /** The process that answers for it: that executes it, or has it in line where it is a test. Null while any may take it, and at the end. */
  readonly owner: string | null;
  /** Until then no other process ends it. */
  readonly leaseUntil: Date | null;
  /** Grows with each claim: whoever knows an older one has lost the run. */
  readonly fence: number;
  /** Set when it is begun, and taken back before its first request leaves: until then it may be begun again. Runs that earlier versions began have none. */
  readonly unsent?: boolean;
  /** The step that made its first request. */
  readonly firstSend?: StepPlace;
  /** Somebody wants its owner to cancel it. */
  readonly cancelRequested: boolean;
}

/**
 * Events of a run that were stored together, in order. As text, since names of headers may have dots and dollars, and since whoever stores
 * them looks at none of them; together, since a record for each would cost more than the step it tells of.
 */
export interface RunEventBatchRecord {
  /** Run and first sequence: of two that write events for one run, only one can write the next. */
  readonly _id: string;
  readonly runId: number;
  /** Sequences of the first and the last of them, without gaps. */
  readonly first: number;
  readonly last: number;
  /** Steps of which they say for the first time that they ended. */
  readonly steps: number;
  /** A line for each: its moment in ms since 1970, a space, its own fields as JSON text. */
  readonly events: string;
  /** A line for each event of a recorded run that its log shows: see `element-line.ts`. Missing where there is none. */
  readonly elements?: string;
  /** How many loops and conditions the least deep of them stands in, by its index. */
  readonly shallowest?: number;
  /** Null: kept as long as the run. */
  readonly expiresAt: Date | null;
}

const author = partOf<Author>({ userId: Number, email: String });
const content = partOf<ContentRef>({ id: String, parts: Number, hash: String });
const error = partOf<RunError>({
  step: orNull(String),
  index: orNull(String),
  loopIndex: orMissing([Number]),
  attempt: Number,
  code: String,
  message: String,
});

const place = partOf<StepPlace>({
  step: orNull(String),
  index: String,
  loopIndex: [Number],
  attempt: Number,
});
const value = partOf<AggregatedValue>({
  aggregatorId: Number,
  argumentId: Number,
  name: String,
  stepId: orNull(String),
  index: String,
  value: String,
});

export const runSchema = schemaOf<RunRecord>({
  _id: Number,
  workflowId: Number,
  workflowTitle: String,
  content,
  test: Boolean,
  temporary: Boolean,
  trigger: String,
  logging: Boolean,
  state: String,
  queuedAt: Date,
  startedAt: orNull(Date),
  finishedAt: orNull(Date),
  durationMs: orNull(Number),
  scheduleId: orMissing(Number),
  dueAt: orMissing(Date),
  openOfSchedule: orMissing(Number),
  isBlocked: orMissing(Boolean),
  startedBy: orNull(author),
  steps: orNull(Number),
  error: orNull(error),
  values: orMissing([value]),
  lastSequence: orNull(Number),
  depth: orMissing(Number),
  retryOf: orMissing(Number),
  errorOf: orMissing(Number),
  failedWorkflows: orMissing([Number]),
  errorRunId: orMissing(Number),
  logOf: orMissing(String),
  logGone: orMissing(String),
  eventsGoing: orMissing(Boolean),
  hasParameters: orMissing(Boolean),
  owner: orNull(String),
  leaseUntil: orNull(Date),
  fence: Number,
  unsent: orMissing(Boolean),
  firstSend: orMissing(place),
  cancelRequested: Boolean,
});
// Lists leave test runs out or merge both kinds, so every index begins with them; those of filters end with the order lists have by themselves.
for (const field of ['queuedAt', 'startedAt', 'finishedAt', 'durationMs', 'state'])
  runSchema.index({ test: 1, [field]: 1, _id: 1 });
runSchema.index({ test: 1, _id: 1 });
for (const field of [
  'state',
  'workflowId',
  'scheduleId',
  'startedBy.userId',
  'error.code',
  'trigger',
  'retryOf',
])
  runSchema.index({ test: 1, [field]: 1, queuedAt: 1, _id: 1 });
runSchema.index({ test: 1, workflowId: 1, state: 1, queuedAt: 1, _id: 1 });
for (const field of ['openOfSchedule', 'isBlocked'])
  runSchema.index({ [field]: 1 }, { partialFilterExpression: { [field]: { $exists: true } } });

// Of the few that have a log.
const WITH_LOG = { partialFilterExpression: { logOf: { $exists: true } } };
// Named where logs are looked for: conditions on tests would lead to an index of all runs.
export const LOGS_OF_WORKFLOW = { logOf: 1, queuedAt: -1, _id: -1 } as const;
export const LOGS_OF_SCHEDULE = { scheduleId: 1, queuedAt: -1, _id: -1 } as const;
export const ALL_LOGS = { queuedAt: -1, _id: -1 } as const;
for (const index of [LOGS_OF_WORKFLOW, LOGS_OF_SCHEDULE, ALL_LOGS])
  runSchema.index(index, WITH_LOG);
runSchema.index({ logOf: 1, finishedAt: -1, _id: -1 }, WITH_LOG);
runSchema.index(
  { eventsGoing: 1 },
  { partialFilterExpression: { eventsGoing: { $exists: true } } },
);

export const runEventBatchSchema = schemaOf<RunEventBatchRecord>({
  _id: String,
  runId: Number,
  first: Number,
  last: Number,
  steps: Number,
  elements: orMissing(String),
  shallowest: orMissing(Number),
  events: String,
  expiresAt: orNull(Date),
});
runEventBatchSchema.index({ runId: 1, last: 1 });
// The few records of a long log in which something stands that is not deep.
runEventBatchSchema.index(
  { runId: 1, shallowest: 1, last: 1 },
  { partialFilterExpression: { shallowest: { $exists: true } } },
);
runEventBatchSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
