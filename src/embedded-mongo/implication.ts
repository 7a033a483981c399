import { compileFilter } from './semantics/match';
import { isOperators } from './semantics/match/conditions';
import { compareValues } from './semantics/order';
import type { Doc } from './semantics/values';
import { encodeValue } from './keys';
import { isTrue } from './predicates';
import type { Bound, Predicate } from './predicates';

/**
 * Returns whether each document that meets the predicates also meets the filter of a partial index.
 * False negatives are allowed (the index is not used), false positives are not.
 */
export function implies(predicates: ReadonlyMap<string, Predicate>, partial: Doc): boolean {
  return Object.entries(partial).every(([path, condition]) => {
    if (path === '$and')
      return (
        Array.isArray(condition) && condition.every((branch) => implies(predicates, branch as Doc))
      );
    const predicate = predicates.get(path);
    if (path.startsWith('$') || predicate === undefined) return false;
    const operators = isOperators(condition)
      ? Object.entries(condition)
      : [['$eq', condition] as const];
    return operators.every(([operator, operand]) => impliesOne(predicate, operator, operand));
  });
}

/** Whether the field exists in every match; required to use a sparse index. */
export function impliesPresence(predicate: Predicate | undefined): boolean {
  if (predicate === undefined) return false;
  return (
    predicate.exists ||
    predicate.notNull ||
    predicate.equals.some((value) => value != null) ||
    predicate.anyOf.some((values) => values.every((value) => value != null)) ||
    [...predicate.above, ...predicate.below].some(({ value }) => value != null)
  );
}

function impliesOne(predicate: Predicate, operator: string, operand: unknown): boolean {
  if (operator === '$exists') return isTrue(operand) && impliesPresence(predicate);
  const meets = (value: unknown): boolean =>
    value != null && compileFilter({ v: { [operator]: operand } }).test({ v: value });
  if (operator === '$ne' || operator === '$nin' || operator === '$not') return false;
  if (predicate.equals.some(meets)) return true;
  if (predicate.anyOf.some((values) => values.length > 0 && values.every(meets))) return true;
  if (operator === '$gt' || operator === '$gte')
    return predicate.above.some((bound) => within(bound, operand, operator === '$gte', 1));
  if (operator === '$lt' || operator === '$lte')
    return predicate.below.some((bound) => within(bound, operand, operator === '$lte', -1));
  return false;
}

/** Whether the bound is at least as tight as that of the index, and of the same type. */
function within(bound: Bound, limit: unknown, inclusive: boolean, sign: 1 | -1): boolean {
  if (encodeValue(bound.value)[0] !== encodeValue(limit)[0]) return false;
  const difference = sign * compareValues(bound.value, limit);
  return difference > 0 || (difference === 0 && (inclusive || !bound.inclusive));
}
