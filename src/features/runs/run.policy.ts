import type { Actor } from '../../platform/access/actor';
import { isAdmin } from '../../platform/access/actor';
import type { Need } from '../../platform/access/need';
import { allows } from '../../platform/access/need';
import { Forbidden } from '../../platform/errors/errors';
import { NOTHING } from '../../platform/store/conjuncts';
import type { RunRecord } from './run.model';

/** Who may do what with runs. Which runs somebody may read, `maySee` says: whoever may start a test sees that test. */
export const runPolicy = {
  read: { any: ['CONNECTION:READ', 'CONNECTION:UPDATE'] },
  start: 'CONNECTION:UPDATE',
  cancel: 'CONNECTION:UPDATE',
} as const satisfies Record<string, Need>;

const READ_RUNS = 'CONNECTION:READ' satisfies Need;

/** Test runs carry requests and answers: they are for whoever started them and for administrators. Other runs are for who may read workflows. */
export function maySee(
  actor: Actor,
  { test, startedBy }: Pick<RunRecord, 'test' | 'startedBy'>,
): boolean {
  return test ? isAdmin(actor) || startedBy?.userId === actor.userId : allows(READ_RUNS, actor);
}

/**
 * Refuses everything but their own tests to actors who may not read workflows, whether there is such a run or not.
 * @throws Forbidden
 */
export function requireVisible(
  actor: Actor,
  run: Pick<RunRecord, 'test' | 'startedBy'> | null,
): void {
  if (!allows(READ_RUNS, actor) && !(run && maySee(actor, run))) throw forbidden();
}

/**
 * Refuses lists of runs to actors who may not read workflows; a list that asks for tests has their own.
 * @throws Forbidden
 */
export function requireListVisible(
  actor: Actor,
  { includeTest }: { readonly includeTest: boolean },
): void {
  if (!includeTest && !allows(READ_RUNS, actor)) throw forbidden();
}

const forbidden = (): Forbidden =>
  new Forbidden(`Runs that are not tests of your own need ${READ_RUNS}.`);

/** Runs that are tests and runs that are none: what every index of runs begins with. */
export const BOTH_KINDS = { $in: [false, true] };

/** The same rule as a MongoDB filter. */
export function visibleRuns(
  actor: Actor,
  { includeTest }: { readonly includeTest: boolean },
): Record<string, unknown> {
  const others = allows(READ_RUNS, actor);
  if (!includeTest) return others ? { test: false } : NOTHING;
  if (isAdmin(actor)) return { test: others ? BOTH_KINDS : true };
  const ownTests = { test: true, 'startedBy.userId': actor.userId };
  // The kinds once more, for an index to begin with.
  return others ? { test: BOTH_KINDS, $or: [{ test: false }, ownTests] } : ownTests;
}
