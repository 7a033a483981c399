import type { Actor } from '../../platform/access/actor';
import { isAdmin } from '../../platform/access/actor';
import type { Need } from '../../platform/access/need';
import { allows } from '../../platform/access/need';
import { Forbidden } from '../../platform/errors/errors';
import { NOTHING } from '../../platform/store/lists/filter';
import type { RunRecord } from './run.model';

/**
 * Permissions for runs. `maySee` decides which runs a user may read: users who may start tests see
 * their own.
 */
export const runPolicy = {
  read: { any: ['CONNECTION:READ', 'CONNECTION:UPDATE'] },
  start: 'CONNECTION:UPDATE',
  cancel: 'CONNECTION:UPDATE',
} as const satisfies Record<string, Need>;

export const READ_RUNS = 'CONNECTION:READ' satisfies Need;

/**
 * Test runs contain requests and responses: only administrators and the user who started them may
 * see them. Other runs require the permission to read workflows.
 */
export function maySee(
  actor: Actor,
  { test, startedBy }: Pick<RunRecord, 'test' | 'startedBy'>,
): boolean {
  return test ? isAdmin(actor) || startedBy?.userId === actor.userId : allows(READ_RUNS, actor);
}

/**
 * Rejects everything but their own tests for actors who may not read workflows, whether the run
 * exists or not.
 * @throws Forbidden
 */
export function requireVisible(
  actor: Actor,
  run: Pick<RunRecord, 'test' | 'startedBy'> | null,
): void {
  if (!allows(READ_RUNS, actor) && !(run && maySee(actor, run))) throw forbidden();
}

/**
 * Rejects lists of runs for actors who may not read workflows, unless they ask for tests: these
 * contain their own.
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

/** Matches tests and other runs: each index of runs begins with `test`. */
export const BOTH_KINDS = { $in: [false, true] };

/** `maySee` as a MongoDB filter. */
export function visibleRuns(
  actor: Actor,
  { includeTest }: { readonly includeTest: boolean },
): Record<string, unknown> {
  const others = allows(READ_RUNS, actor);
  if (!includeTest) return others ? { test: false } : NOTHING;
  if (isAdmin(actor)) return { test: others ? BOTH_KINDS : true };
  const ownTests = { test: true, 'startedBy.userId': actor.userId };
  // Repeats `test`, so that an index can be used.
  return others ? { test: BOTH_KINDS, $or: [{ test: false }, ownTests] } : ownTests;
}
