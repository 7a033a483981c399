import type { RunError, RunEvent, RunFinished, RunLog, StepStarted } from '../../engine/events';
import { describeStep, nameField } from '../../engine';
import type { EventRow, StepPlace } from './execution/run-engine';
import { wholeRunError } from './run-error-codes';

/** QUEUED and RUNNING are not final. */
export const RUN_STATES = [
  'QUEUED',
  'RUNNING',
  'SUCCEEDED',
  'FAILED',
  'CANCELLED',
  'INTERRUPTED',
] as const;
export type RunStateName = (typeof RUN_STATES)[number];
export type FinalState = Exclude<RunStateName, 'QUEUED' | 'RUNNING'>;

export const RUN_TRIGGERS = {
  MANUAL: 'A user ran the workflow.',
  TEST: 'A user tested the workflow.',
  SCHEDULE: 'A schedule was due.',
  WEBHOOK: 'A webhook was called.',
  ERROR: 'A run failed, and its workflow has this one as error workflow.',
  RETRY: 'A user retried a run.',
} as const;
export type RunTriggerName = keyof typeof RUN_TRIGGERS;

/** Why runs are QUEUED. */
export const WAIT_REASONS = {
  CAPACITY: 'The run is in the queue and starts as soon as the limits of concurrent runs allow it.',
  OTHER_RUNS: 'The run starts when the other runs of its schedule have ended.',
  PROCESS_START: 'The process that will execute the run is starting.',
} as const satisfies Record<string, string>;
export type WaitReason = keyof typeof WAIT_REASONS;

export interface RunWait {
  readonly reason: WaitReason;
  /** A sentence for users. */
  readonly message: string;
}

/** A `RunFinished` event as it is stored: unlike in the engine, the state may be INTERRUPTED. */
type RunEnd = Omit<RunFinished, 'state'> & { state: FinalState };

/**
 * An event of a run as it is stored, replayed and published: sequences count from 1 without gaps.
 */
export type PublishedRunEvent = (Exclude<RunEvent, RunFinished> | RunEnd) & {
  runId: number;
  sequence: number;
  at: Date;
};

/** The same as it is stored and sent over the bus: only subscribers of the run parse it. */
export type PublishedRunEventRow = EventRow & { readonly runId: number };

export const eventOf = ({
  runId,
  sequence,
  at,
  body,
}: Omit<PublishedRunEventRow, 'kind'>): PublishedRunEvent =>
  ({ ...(JSON.parse(body) as object), runId, sequence, at }) as PublishedRunEvent;

/**
 * Bus topic within a process: a list of `PublishedRunEventRow`s of one run, in order, after they were
 * stored.
 */
export const runEventsTopic = (runId: number): string => `run.events.${runId}`;
/** Bus topic: events of a run were stored. */
export const runEventsStoredTopic = (runId: number): string => `run.events.stored.${runId}`;

/** Bus topic: a `RunQueued` of a process that executes no runs. */
export const RUN_QUEUED_TOPIC = 'run.queued';
export interface RunQueued {
  readonly runId: number;
}

/** Bus topic: a `RunChanged` after each change of a run's state. */
export const RUN_TOPIC = 'run.changed';
export interface RunChanged {
  readonly runId: number;
  readonly workflowId: number;
  readonly test: boolean;
  readonly state: RunStateName;
}

/** Bus topic: a `RunsRemoved` after old runs were removed. */
export const RUNS_REMOVED_TOPIC = 'run.removed';
export interface RunsRemoved {
  readonly runIds: readonly number[];
}

/** Bus topic: a `RunLogsGone` after runs lost their logs. */
export const RUN_LOGS_GONE_TOPIC = 'run.logs-gone';
export interface RunLogsGone {
  readonly runIds: readonly number[];
}

/** Bus topic: a `RunCancelAsked` for the process that executes the run. */
export const RUN_CANCEL_TOPIC = 'run.cancel';
export interface RunCancelAsked {
  readonly runId: number;
}

const INTERRUPTIONS = {
  crashed: 'The process that executed the run ended unexpectedly',
  stopped: 'The service was stopped while the run was going on',
  waiting: 'The service was stopped while the test was waiting',
  died: 'The service process that executed the run ended unexpectedly',
  silent:
    'The service process that executed the run did not renew its lease in time, and another process ended the run',
} as const;

export type Interruption = keyof typeof INTERRUPTIONS;

/**
 * The error of a run that its process left unfinished.
 * @param place the step it was at, if its events show it
 */
export function interruptedError(reason: Interruption, place: StepPlace | null = null): RunError {
  if (place === null) return wholeRunError('RUN_INTERRUPTED', `${INTERRUPTIONS[reason]}.`);
  const step = describeStep(place);
  return {
    ...place,
    code: 'RUN_INTERRUPTED',
    message: `${INTERRUPTIONS[reason]}, at ${step.charAt(0).toLowerCase()}${step.slice(1)}. What that step sent may have arrived.`,
  };
}

/** The error of a run whose process was lost before it knew the answer of a step. */
export function openStepError(place: StepPlace): RunError {
  return {
    ...place,
    code: 'RUN_INTERRUPTED',
    message: `${describeStep(place)}: the process of the run was lost while this step waited for its answer. What it sent may have arrived. Decide whether the run goes on as if it had succeeded, or sends it again.`,
  };
}

/** The event of a run that is queued again to go on. */
export function resumedEvent(reason: Interruption, place: StepPlace | null): RunLog {
  return {
    kind: 'RunLog',
    level: 'INFO',
    stepId: place?.step ?? null,
    index: place?.index ?? null,
    ...(place && { loopIndex: [...place.loopIndex] }),
    message: `${INTERRUPTIONS[reason]}. The run goes on where it was.`,
  };
}

/** The step that started last in these events; null if none did. */
export function lastStepIn(rows: readonly Pick<EventRow, 'kind' | 'body'>[]): StepPlace | null {
  const started = rows.findLast(({ kind }) => kind === 'StepStarted');
  if (started === undefined) return null;
  const { stepId, name, label, index, loopIndex, attempt } = JSON.parse(
    started.body,
  ) as StepStarted;
  return { step: stepId, ...nameField({ name, label }), index, loopIndex, attempt };
}
