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
  unread: 'not read',
  gone: 'not kept',
  'let-go': 'not shown',
};

export const SENTENCES: Readonly<Record<Exclude<Missing, 'reading'>, string>> = {
  'not-run': 'This step has not run in this turn.',
  unread: 'What this step did could not be read.',
  gone: 'What this step did is no longer kept.',
  'let-go':
    'What this step did in this turn is no longer shown: of so many the newest are, and what failed.',
};
