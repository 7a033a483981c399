import type { Failure } from '../api/failure';
import type { RunResults } from './run-results';

/**
 * Why a step has no data. `deleted`: the service deleted it; `dropped`: the page dropped it because
 * there was too much.
 */
export type MissingReason = 'not-run' | 'loading' | 'failed' | 'deleted' | 'dropped';

/** Returns the reason for a step in these iterations. */
export function missingReason(
  results: RunResults,
  index: string,
  iterations: readonly number[],
  {
    failure,
    progress,
  }: { readonly failure: Pick<Failure, 'code'> | null; readonly progress: string | null },
): MissingReason {
  if (failure !== null) return failure.code === 'RUN_LOG_GONE' ? 'deleted' : 'failed';
  if (progress !== null) return 'loading';
  return results.isDropped(index, iterations) ? 'dropped' : 'not-run';
}

export const MISSING_MARKS: Readonly<Record<MissingReason, string>> = {
  'not-run': '–',
  loading: '…',
  failed: 'not loaded',
  deleted: 'not stored',
  dropped: 'not shown',
};

export const MISSING_TEXTS: Readonly<Record<Exclude<MissingReason, 'loading'>, string>> = {
  'not-run': 'This step did not run in this iteration.',
  failed: 'The result of this step could not be loaded.',
  deleted: 'The result of this step is no longer stored.',
  dropped:
    'The result of this iteration is not shown: only the newest iterations and failures are kept in the page.',
};
