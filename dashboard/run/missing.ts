import type { Failure } from '../api/failure';
import type { RunFacts } from './run-facts';

/**
 * Why a step has no data. `gone`: the service deleted it; `let-go`: the page dropped it because
 * there was too much.
 */
export type Missing = 'not-run' | 'reading' | 'unread' | 'gone' | 'let-go';

/** Returns the reason for a step in these iterations. */
export function missingOf(
  facts: RunFacts,
  index: string,
  turns: readonly number[],
  {
    failure,
    reading,
  }: { readonly failure: Pick<Failure, 'code'> | null; readonly reading: string | null },
): Missing {
  if (failure !== null) return failure.code === 'RUN_LOG_GONE' ? 'gone' : 'unread';
  if (reading !== null) return 'reading';
  return facts.hasLetGo(index, turns) ? 'let-go' : 'not-run';
}

export const MARKS: Readonly<Record<Missing, string>> = {
  'not-run': '–',
  reading: '…',
  unread: 'not loaded',
  gone: 'not stored',
  'let-go': 'not shown',
};

export const SENTENCES: Readonly<Record<Exclude<Missing, 'reading'>, string>> = {
  'not-run': 'This step did not run in this iteration.',
  unread: 'The result of this step could not be loaded.',
  gone: 'The result of this step is no longer stored.',
  'let-go':
    'The result of this iteration is not shown: only the newest iterations and failures are kept in the page.',
};
