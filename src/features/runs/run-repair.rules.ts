import { Refused } from '../../platform/errors/errors';
import type { RunRecord } from './run.model';
import type { RunStateName } from './run.events';

/** What ended badly by itself: nobody wanted it. */
export const FAILURES: readonly RunStateName[] = ['FAILED', 'INTERRUPTED'];

/** The run that all retries are linked to. */
export const firstOf = ({ _id, retryOf }: Pick<RunRecord, '_id' | 'retryOf'>): number =>
  retryOf ?? _id;

/** What a retry has of the run that it repeats. Of an error workflow it may start no more than that did. */
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
