import { randomUUID } from 'node:crypto';
import { Refused } from '../../platform/errors/errors';
import { UNFINISHED } from './run.model';
import type { RunRecord } from './run.model';

/** The first run, which all its retries are linked to. */
export const firstOf = ({ _id, retryOf }: Pick<RunRecord, '_id' | 'retryOf'>): number =>
  retryOf ?? _id;

/**
 * Fields that a retry takes from its run. `failedWorkflows` limits which error workflows it may
 * start.
 */
export const retryFields = (
  run: Pick<RunRecord, '_id' | 'retryOf' | 'failedWorkflows' | 'until' | 'only'>,
): Pick<RunRecord, 'retryOf' | 'failedWorkflows' | 'until' | 'only'> => ({
  retryOf: firstOf(run),
  ...(run.until !== undefined && { until: run.until }),
  ...(run.only !== undefined && { only: run.only }),
  ...(run.failedWorkflows && { failedWorkflows: run.failedWorkflows }),
});

/** Where a retry of a run begins. */
export const RETRY_FROM = {
  START: 'From the start: every step is executed again.',
  STEP: 'At the step that failed, with the answers of the steps before it. If it is open, what it sent may be sent a second time.',
  AFTER_STEP:
    'After the open step, as if it had succeeded with an empty answer, with the answers of the steps before it.',
} as const;
export type RetryFrom = keyof typeof RETRY_FROM;
export type ContinueFrom = Exclude<RetryFrom, 'START'>;

/** Whether another process can go on with a run. */
export const isResumable = ({
  journalKey,
  journalFull = false,
}: Pick<RunRecord, 'journalKey' | 'journalFull'>): boolean =>
  journalKey !== undefined && !journalFull;

/** Where a retry of a run can begin. */
export const retryFromOf = (run: RunRecord, now: Date): RetryFrom[] =>
  UNFINISHED.includes(run.state) ? [] : ['START', ...continuationsOf(run, now)];

/** Where a retry of a run can begin, other than at the start. */
function continuationsOf(
  { journalUntil, hasOpenStep }: Pick<RunRecord, 'journalUntil' | 'hasOpenStep'>,
  now: Date,
): ContinueFrom[] {
  if (journalUntil === undefined || journalUntil <= now) return [];
  return hasOpenStep ? ['STEP', 'AFTER_STEP'] : ['STEP'];
}

/**
 * Returns where a run is continued; null: it begins at the start.
 * @throws Refused RUN_NOT_REPEATABLE
 */
export function requireContinuation(
  run: RunRecord,
  from: RetryFrom,
  now: Date,
): ContinueFrom | null {
  if (from === 'START') return null;
  if (continuationsOf(run, now).includes(from)) return from;
  throw new Refused(
    'RUN_NOT_REPEATABLE',
    `Run ${run._id} cannot go on there: what its steps received is not kept, or it has no open step.`,
    { path: ['from'] },
  );
}

/**
 * An open call is repeated with its idempotency key. A failed one gets another key: its system may
 * remember the failure.
 */
export const continuingFields = ({ _id, journalKey, hasOpenStep }: RunRecord) => ({
  continues: _id,
  journalKey: hasOpenStep && journalKey !== undefined ? journalKey : randomUUID(),
});
