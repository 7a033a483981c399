import type { QueryFilter } from 'mongoose';
import { BadInput, Refused } from '../../platform/errors/errors';
import { workflowOfKey } from '../workflows/test-key.service';
import type { PublishedRunEvent } from './run.events';
import type { RunRecord } from './run.model';
import type { RunStateName } from './run.events';

/** The log of a test goes after so long at the latest. */
export const TEST_LOG_MS = 7 * 24 * 60 * 60 * 1000;

/** Tests that were asked for by then have no log any more, whether or not it has been removed yet. */
export const testsGoneAt = (now: Date): Date => new Date(now.getTime() - TEST_LOG_MS);

/** Can the log of a run be read? Also while it goes on. */
export const hasLog = (
  { logOf, test, queuedAt }: Pick<RunRecord, 'logOf' | 'test' | 'queuedAt'>,
  now: Date,
): boolean => logOf !== undefined && !(test && queuedAt <= testsGoneAt(now));

/** The same, asked of the store of the runs with `logOf`. */
export const logThere = (now: Date): QueryFilter<RunRecord> & Record<string, unknown> => ({
  $or: [{ test: false }, { queuedAt: { $gt: testsGoneAt(now) } }],
});

/** Whose log a run's is or was. */
export const logKeyOf = ({
  logOf,
  logGone,
}: Pick<RunRecord, 'logOf' | 'logGone'>): string | undefined => logOf ?? logGone;

/** The workflow that a log is of: that of a test is of the saved one that was tested, as far as it was saved. */
export const workflowOfLog = (run: Pick<RunRecord, 'logOf' | 'logGone' | 'workflowId'>): number =>
  workflowOfKey(logKeyOf(run) ?? '') ?? run.workflowId;

/** States of runs that have ended and not ended well: their logs are kept for themselves. */
export const ENDED_BADLY: readonly RunStateName[] = ['FAILED', 'CANCELLED', 'INTERRUPTED'];

/** Why there is none. */
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

/** What is said where events of a run were, or would come. */
export const eventsGone = (runId: number): Refused =>
  new Refused('RUN_LOG_GONE', `The events of run ${runId} are no longer kept.`);

/** @throws BadInput no sequence that somebody can have seen */
export function requireSequence(afterSequence: number): void {
  if (Number.isInteger(afterSequence) && afterSequence >= 0) return;
  throw new BadInput(
    'BAD_REQUEST',
    '`afterSequence` is 0 or more: the last sequence that was seen.',
    { path: ['afterSequence'] },
  );
}

/**
 * Events that are read after a sequence begin with the next one; none are there only when the run has none after it, or has not ended.
 * Otherwise some in between are no longer kept: RUN_LOG_GONE. The run must have been read before its events: when it has ended by then, all of
 * them are stored.
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
