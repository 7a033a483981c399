import { Refused } from '../../platform/errors/errors';
import type { RunRecord } from './run.model';
import type { RunStateName } from './run.events';

/** States of runs that failed without being cancelled. */
export const FAILURES: readonly RunStateName[] = ['FAILED', 'INTERRUPTED'];

/** The first run, which all its retries are linked to. */
export const firstOf = ({ _id, retryOf }: Pick<RunRecord, '_id' | 'retryOf'>): number =>
  retryOf ?? _id;

/**
 * Fields that a retry takes from its run. `failedWorkflows` limits which error workflows it may
 * start.
 */
export const ofRetry = (
  run: Pick<RunRecord, '_id' | 'retryOf' | 'failedWorkflows'>,
): Pick<RunRecord, 'retryOf' | 'failedWorkflows'> => ({
  retryOf: firstOf(run),
  ...(run.failedWorkflows && { failedWorkflows: run.failedWorkflows }),
});

export const notRepeatable = ({ _id }: Pick<RunRecord, '_id'>): Refused =>
  new Refused('RUN_NOT_REPEATABLE', `What run ${_id} executed, or was started with, is gone.`, {
    path: ['id'],
  });
