import type { QueryFilter } from 'mongoose';
import { BadInput, Refused } from '../../platform/errors/errors';
import { workflowOfKey } from '../workflows/test-key.service';
import type { PublishedRunEvent, RunStateName } from './run.events';
import type { RunRecord } from './run.model';

/** Maximum age of the log of a test, ms. */
export const TEST_LOG_MS = 7 * 24 * 60 * 60 * 1000;

/** Tests queued up to this time have no log, even if it is not removed yet. */
export const testsGoneAt = (now: Date): Date => new Date(now.getTime() - TEST_LOG_MS);

/** Whether the log of a run can be read, also while it is running. */
export const hasLog = (
  { logOf, test, queuedAt }: Pick<RunRecord, 'logOf' | 'test' | 'queuedAt'>,
  now: Date,
): boolean => logOf !== undefined && !(test && queuedAt <= testsGoneAt(now));

/** The same as a filter for runs with `logOf`. */
export const logThere = (now: Date): QueryFilter<RunRecord> & Record<string, unknown> => ({
  $or: [{ test: false }, { queuedAt: { $gt: testsGoneAt(now) } }],
});

/** Log key of the current or removed log of a run. */
export const logKeyOf = ({
  logOf,
  logGone,
}: Pick<RunRecord, 'logOf' | 'logGone'>): string | undefined => logOf ?? logGone;

/** The workflow of a log: for the test of a draft, the saved workflow. */
export const workflowOfLog = (run: Pick<RunRecord, 'logOf' | 'logGone' | 'workflowId'>): number =>
  workflowOfKey(logKeyOf(run) ?? '') ?? run.workflowId;

/** Final states other than success: the number of their logs is limited separately. */
export const ENDED_BADLY: readonly RunStateName[] = ['FAILED', 'CANCELLED', 'INTERRUPTED'];

/** The error for a run without a readable log. */
export function noLog({
  _id,
  logOf,
  logGone,
}: Pick<RunRecord, '_id' | 'logOf' | 'logGone'>): Refused {
  const isGone = logOf !== undefined || logGone !== undefined;
  return new Refused(
    'RUN_LOG_GONE',
    isGone
      ? `The log of run ${_id} has been removed: the newest of each workflow are kept, those of tests for 7 days.`
      : `Run ${_id} has no log: none was asked for.`,
  );
}

/** The error for missing events of a run. */
export const eventsGone = (runId: number): Refused =>
  new Refused('RUN_LOG_GONE', `The events of run ${runId} are no longer kept.`);

/** @throws BadInput if it is not a valid sequence */
export function requireSequence(afterSequence: number): void {
  if (Number.isInteger(afterSequence) && afterSequence >= 0) return;
  throw new BadInput(
    'BAD_REQUEST',
    '`afterSequence` is 0 or more: the last sequence that was seen.',
    { path: ['afterSequence'] },
  );
}

/**
 * Returns RUN_LOG_GONE if events after a sequence are missing: the first must be the next one, and
 * there may be none only if the run has none after it or has not ended.
 * Read the run before its events: once it has ended, all of them are stored.
 */
export function gapIn(
  { _id, lastSequence }: Pick<RunRecord, '_id' | 'lastSequence'>,
  after: number,
  [first]: readonly PublishedRunEvent[],
): Refused | null {
  const isGapless = first
    ? first.sequence === after + 1
    : lastSequence === null || lastSequence <= after;
  return isGapless ? null : eventsGone(_id);
}
