import { encodeValue } from '../storage/keys';
import { compareValues } from '../values/compare';
import type { Doc } from '../values/values';
import { compileFilter, isOperators } from './filter';

/** Conditions of a filter on one field that an index can use. */
export interface Predicate {
  readonly equals: readonly unknown[];
  /** `$in` lists without arrays and regular expressions. */
  readonly anyOf: ReadonlyArray<readonly unknown[]>;
  readonly above: readonly Bound[];
  readonly below: readonly Bound[];
  /** The field must exist; with `notNull`, it must also have a value. */
  readonly exists: boolean;
  readonly notNull: boolean;
}

export interface Bound {
  readonly value: unknown;
  readonly inclusive: boolean;
}

/** Alternative conditions of a filter; all predicates must hold. */
export interface Branch {
  readonly predicates: ReadonlyMap<string, Predicate>;
  /** The predicates express the whole filter. */
  readonly complete: boolean;
}

const emptyPredicate = () => ({
  equals: [] as unknown[],
  anyOf: [] as unknown[][],
  above: [] as Bound[],
  below: [] as Bound[],
  exists: false,
  notNull: false,
});

type MutablePredicate = ReturnType<typeof emptyPredicate>;

/** With more alternatives, the filter checks the `$or`. */
const MAX_BRANCHES = 256;

/**
 * Returns the alternatives of a filter: one, or one per combination of `$or` branches (as in the
 * filter of a page after a cursor). The alternatives never exclude a match.
 */
export function branchesOf(filter: Doc): readonly Branch[] {
  return conjunctionsOf(filter).map(({ conditions, complete }) => branchOf(conditions, complete));
}

/** Conditions that must hold together. */
interface Conjunction {
  readonly conditions: ReadonlyArray<readonly [path: string, condition: unknown]>;
  readonly complete: boolean;
}

function conjunctionsOf(filter: Doc): readonly Conjunction[] {
  let conjunctions: readonly Conjunction[] = [{ conditions: [], complete: true }];
  for (const [path, condition] of Object.entries(filter))
    conjunctions = combine(conjunctions, conjunctionsOfField(path, condition));
  return conjunctions;
}

function conjunctionsOfField(path: string, condition: unknown): readonly Conjunction[] {
  if (path === '$comment') return [{ conditions: [], complete: true }];
  if (path === '$and' && Array.isArray(condition))
    return (condition as Doc[]).reduce<readonly Conjunction[]>(
      (all, part) => combine(all, conjunctionsOf(part)),
      [{ conditions: [], complete: true }],
    );
  if (path === '$or' && Array.isArray(condition))
    return (condition as Doc[]).flatMap(conjunctionsOf);
  if (path.startsWith('$')) return [NOT_INDEXABLE];
  return [{ conditions: [[path, condition]], complete: true }];
}

const NOT_INDEXABLE: Conjunction = { conditions: [], complete: false };

function combine(
  some: readonly Conjunction[],
  others: readonly Conjunction[],
): readonly Conjunction[] {
  if (some.length * others.length > MAX_BRANCHES)
    return some.map((one) => ({ ...one, complete: false }));
  return some.flatMap((one) =>
    others.map((other) => ({
      conditions: [...one.conditions, ...other.conditions],
      complete: one.complete && other.complete,
    })),
  );
}

function branchOf(conditions: Conjunction['conditions'], complete: boolean): Branch {
  const predicates = new Map<string, MutablePredicate>();
  let isComplete = complete;
  for (const [path, condition] of conditions) {
    const draft = predicates.get(path) ?? emptyPredicate();
    predicates.set(path, draft);
    const operators = isOperators(condition)
      ? Object.entries(condition)
      : [['$eq', condition] as const];
    for (const [operator, operand] of operators)
      isComplete = add(draft, operator, operand) && isComplete;
  }
  return { predicates, complete: isComplete };
}

/** Returns whether the draft expresses the whole condition. */
function add(draft: MutablePredicate, operator: string, operand: unknown): boolean {
  if (operator === '$in' && Array.isArray(operand)) {
    if (operand.every(isIndexable)) draft.anyOf.push(operand);
    return operand.every(isIndexable);
  }
  if (operator === '$exists' && isTrue(operand)) draft.exists = true;
  if (operator === '$ne' && operand === null) {
    draft.notNull = true;
    return true;
  }
  if (!isIndexable(operand)) return false;
  switch (operator) {
    case '$eq':
      draft.equals.push(operand);
      return true;
    case '$gt':
    case '$gte':
      draft.above.push({ value: operand, inclusive: operator === '$gte' });
      return true;
    case '$lt':
    case '$lte':
      draft.below.push({ value: operand, inclusive: operator === '$lte' });
      return true;
    default:
      return false;
  }
}

/**
 * Arrays match a whole field or an element, regular expressions are tests, and NaN has special
 * comparisons: the filter checks these.
 */
const isIndexable = (value: unknown): boolean =>
  !Array.isArray(value) &&
  !(value instanceof RegExp) &&
  !Number.isNaN(value) &&
  !isUnsupported(value);

/** Rejects truthy values that are interpreted differently elsewhere. */
const isTrue = (operand: unknown): boolean => operand === true || operand === 1;

const SUPPORTED = new Set(['ObjectId', 'Long', 'Binary', 'UUID']);

function isUnsupported(value: unknown): boolean {
  const type = (value as { _bsontype?: unknown } | null | undefined)?._bsontype;
  return typeof type === 'string' && !SUPPORTED.has(type);
}

/** Whether two values have the same key. */
export const sameKey = (a: unknown, b: unknown): boolean => encodeValue(a).equals(encodeValue(b));

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
