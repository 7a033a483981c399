import { cronProblems, neverDueProblems, nextFires, tidyCron } from '../../platform/clock/cron';
import { cronWords } from '../../platform/clock/cron-words';
import { zoneName } from '../../platform/clock/time-zone';
import { BadInput } from '../../platform/errors/errors';
import type { Problem } from '../../platform/errors/errors';

/** Maximum number of due times that are computed for an expression. */
export const MAX_NEXT_RUNS = 20;

/** When an expression is due. */
export interface NextRuns {
  readonly times: readonly Date[];
  /** In English; empty if there is a problem. */
  readonly words: string;
  readonly problem: Problem | null;
}

/**
 * The next due times of an expression, by the rules of a new schedule.
 * @throws BadInput `count` is not 1 to MAX_NEXT_RUNS
 */
export function computeNextRuns(
  cron: string,
  timeZone: string,
  count: number,
  now: Date,
): NextRuns {
  if (count < 1 || count > MAX_NEXT_RUNS)
    throw new BadInput('BAD_REQUEST', `count is a number from 1 to ${MAX_NEXT_RUNS}.`, {
      path: ['count'],
    });
  const invalid = cronProblems(cron, timeZone);
  const [problem = null] = invalid.length > 0 ? invalid : neverDueProblems(cron, timeZone, now);
  if (problem !== null) return { times: [], words: '', problem };
  const tidy = tidyCron(cron);
  return {
    times: nextFires(tidy, zoneName(timeZone), now, count),
    words: cronWords(tidy),
    problem,
  };
}
