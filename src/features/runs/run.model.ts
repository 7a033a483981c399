import { randomUUID } from 'node:crypto';
import type { AggregatedValue } from '../../engine';
import type { RunError } from '../../engine/events';
import { authorOf } from '../../platform/access/actor';
import type { Actor } from '../../platform/access/actor';
import type { Collection } from '../../platform/store/collection';
import { orMissing, orNull, partOf, schemaOf } from '../../platform/store/schema';
import type { Store } from '../../platform/store/store';
import type { HeldSnapshot } from '../workflows/versions/workflow-snapshots';
import type { Author, ContentRef } from '../workflows/workflow.model';
import type { StepPlace } from './execution/run-engine';
import type { RunStateName, RunTriggerName } from './run.events';

/** One execution of a workflow. */
export interface RunRecord {
  readonly _id: number;
  readonly workflowId: number;
  /** The title when the run was queued. */
  readonly workflowTitle: string;
  /** The version snapshot it executes. */
  readonly content: ContentRef;
  /**
   * A test run: listed only on request, not counted, and its events contain requests and responses.
   */
  readonly test: boolean;
  /** The workflow exists for this run only and is deleted when it ends. */
  readonly temporary: boolean;
  readonly trigger: RunTriggerName;
  /** Whether its events contain requests and responses. */
  readonly logging: boolean;
  readonly state: RunStateName;
  readonly queuedAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  /** From its start to its end, ms, set at the end; 0 if it never began. */
  readonly durationMs: number | null;
  /** The schedule that started it, or through which a user started it. */
  readonly scheduleId?: number;
  /** The time at which the schedule was due. */
  readonly dueAt?: Date;
  /**
   * The same as `scheduleId` until the run has ended: a small index finds the open runs of a
   * schedule.
   */
  readonly openOfSchedule?: number;
  /** True if it must wait until the other runs of its schedule have ended; otherwise missing. */
  readonly isBlocked?: boolean;
  /** Null if no user started it, for example for a schedule or webhook. */
  readonly startedBy: Author | null;
  /** Number of executed methods, set at the end. */
  readonly steps: number | null;
  /** Number of warnings in its events; missing if there are none. */
  readonly warnings?: number;
  readonly error: RunError | null;
  /** Results of its aggregators; missing if there are none. */
  readonly values?: readonly AggregatedValue[];
  /** Sequence of the last event, set at the end. */
  readonly lastSequence: number | null;
  /**
   * Position in a chain of runs that started each other, from 1; missing in runs of earlier
   * versions.
   */
  readonly depth?: number;
  /** `traceparent` of the request that started it; missing without tracing. */
  readonly trace?: string;
  /** The run that it retries; for a retry of a retry, the first run. */
  readonly retryOf?: number;
  /** The run whose failure started it. */
  readonly errorOf?: number;
  /** Workflows whose failures led to this run: its failure starts none of them. */
  readonly failedWorkflows?: readonly number[];
  /** The run of the error workflow that its failure started. */
  readonly errorRunId?: number;
  /**
   * Log key of its events: that of the workflow (`testKeyOf`), or for a test of an unsaved workflow
   * one of its title and user. Missing if it has no log, or no longer.
   */
  readonly logOf?: string;
  /** Log key of its removed log. */
  readonly logGone?: string;
  /** Its log is gone, and its events are being removed. */
  readonly eventsGoing?: boolean;
  /** The step after which the test ends. */
  readonly until?: string;
  /** The only step that the test executes. Its samples are its parameters. */
  readonly only?: string;
  /** It was started with parameters, which are stored sealed in a separate collection. */
  readonly hasParameters?: boolean;
  /**
   * The process that executes it, or that has queued it if it is a test. Null while any process may
   * take it, and at the end.
   */
  readonly owner: string | null;
  /** No other process ends it before this time. */
  readonly leaseUntil: Date | null;
  /** Grows with each claim: a process with a smaller number has lost the run. */
  readonly fence: number;
  /**
   * True from its start until its first request is sent: until then it may be restarted. Missing in
   * runs that earlier versions began.
   */
  readonly unsent?: boolean;
  /** The step that sent its first request. */
  readonly firstSend?: Omit<StepPlace, 'name'>;
  /**
   * Its idempotency keys derive from it. Missing: no other process can go on with it. See
   * `run-journals.ts`.
   */
  readonly journalKey?: string;
  /** Its journal has reached its maximum and is removed. */
  readonly journalFull?: boolean;
  /** How often it has gone on, as its events show. Missing: it has not. */
  readonly resumes?: number;
  /** It failed at a step that may have sent something, and whose answer is not known. */
  readonly hasOpenStep?: boolean;
  /** Until when its journal is kept. Missing: it is not, or the run has not ended. */
  readonly journalUntil?: Date;
  /** The run whose journal it began with. */
  readonly continues?: number;
  /** Asks its owner to cancel it. */
  readonly cancelRequested: boolean;
}

/** States that are not final. */
export const UNFINISHED: readonly RunStateName[] = ['QUEUED', 'RUNNING'];
/** States of runs that failed without being cancelled. */
export const FAILURES: readonly RunStateName[] = ['FAILED', 'INTERRUPTED'];

/** Maximum number of runs in a chain of runs that start each other. */
export const MAX_DEPTH = 10;

/** Position of a run in a chain of runs that started each other, from 1. */
export const depthOf = ({ depth = 1 }: Pick<RunRecord, 'depth'>): number => depth;

export interface NewRunFields {
  readonly id: number;
  readonly held: Pick<HeldSnapshot, 'workflowId' | 'title' | 'content' | 'temporary' | 'resume'>;
  readonly test: boolean;
  readonly trigger: RunTriggerName;
  readonly logging: boolean;
  /** Log key, if the run has a log. */
  readonly logKey: string;
  /** Null if no user starts it. */
  readonly actor: Actor | null;
  readonly queuedAt: Date;
  readonly lease: Pick<RunRecord, 'owner' | 'leaseUntil' | 'fence' | 'cancelRequested'>;
  /** Fields that only some runs have. */
  readonly more: Pick<
    RunRecord,
    | 'scheduleId'
    | 'dueAt'
    | 'isBlocked'
    | 'hasParameters'
    | 'until'
    | 'only'
    | 'retryOf'
    | 'errorOf'
    | 'failedWorkflows'
    | 'depth'
    | 'trace'
    | 'journalKey'
    | 'continues'
  >;
}

export const createQueuedRun = ({
  id,
  held: { workflowId, title: workflowTitle, content, temporary, resume },
  test,
  trigger,
  logging,
  logKey,
  actor,
  queuedAt,
  lease,
  more,
}: NewRunFields): RunRecord => ({
  _id: id,
  workflowId,
  workflowTitle,
  content,
  test,
  temporary,
  trigger,
  logging: test || logging,
  ...((test || logging) && { logOf: logKey }),
  state: 'QUEUED',
  queuedAt,
  startedAt: null,
  finishedAt: null,
  durationMs: null,
  startedBy: actor && authorOf(actor),
  steps: null,
  error: null,
  lastSequence: null,
  depth: (actor?.runDepth ?? 0) + 1,
  ...(actor?.trace !== undefined && { trace: actor.trace }),
  ...(resume && !test && { journalKey: randomUUID() }),
  ...more,
  ...(more.scheduleId !== undefined && { openOfSchedule: more.scheduleId }),
  ...lease,
});

const author = partOf<Author>({ userId: Number, email: String });
const content = partOf<ContentRef>({ id: String, parts: Number, hash: String });
const error = partOf<RunError>({
  step: orNull(String),
  name: orMissing(String),
  index: orNull(String),
  loopIndex: orMissing([Number]),
  attempt: Number,
  code: String,
  message: String,
});

const place = partOf<Omit<StepPlace, 'name'>>({
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

const runSchema = schemaOf<RunRecord>({
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
  warnings: orMissing(Number),
  error: orNull(error),
  values: orMissing([value]),
  lastSequence: orNull(Number),
  depth: orMissing(Number),
  trace: orMissing(String),
  retryOf: orMissing(Number),
  errorOf: orMissing(Number),
  failedWorkflows: orMissing([Number]),
  errorRunId: orMissing(Number),
  logOf: orMissing(String),
  logGone: orMissing(String),
  eventsGoing: orMissing(Boolean),
  until: orMissing(String),
  only: orMissing(String),
  hasParameters: orMissing(Boolean),
  owner: orNull(String),
  leaseUntil: orNull(Date),
  fence: Number,
  unsent: orMissing(Boolean),
  firstSend: orMissing(place),
  journalKey: orMissing(String),
  journalFull: orMissing(Boolean),
  resumes: orMissing(Number),
  hasOpenStep: orMissing(Boolean),
  journalUntil: orMissing(Date),
  continues: orMissing(Number),
  cancelRequested: Boolean,
});
// Lists exclude test runs or merge both kinds, so each index begins with `test`. Those for filters
// end with the default order of lists.
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

// Only the few runs that have a log.
const WITH_LOG = { partialFilterExpression: { logOf: { $exists: true } } };
// Used as hints: conditions on `test` would select an index of all runs.
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

export const runCollection = (store: Store): Collection<RunRecord> =>
  store.collection<RunRecord>('Run', runSchema, 'runs');
