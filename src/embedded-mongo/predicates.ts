import { encodeValue } from './keys';
import { isOperators } from './semantics/match/conditions';
import type { Doc } from './semantics/values';

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

interface Draft {
  equals: unknown[];
  anyOf: unknown[][];
  above: Bound[];
  below: Bound[];
  exists: boolean;
  notNull: boolean;
}

/** With more alternatives, the filter checks the `$or`. */
const MOST_BRANCHES = 256;

/**
 * Returns the alternatives of a filter: one, or one per combination of `$or` branches (as in the
 * filter of a page after a cursor). The alternatives never exclude a match.
 */
export function branchesOf(filter: Doc): readonly Branch[] {
  return ways(filter).map(({ conditions, complete }) => branchOf(conditions, complete));
}

/** Conditions that must hold together. */
interface Way {
  readonly conditions: ReadonlyArray<readonly [path: string, condition: unknown]>;
  readonly complete: boolean;
}

function ways(filter: Doc): readonly Way[] {
  let found: readonly Way[] = [{ conditions: [], complete: true }];
  for (const [path, condition] of Object.entries(filter))
    found = combined(found, waysOf(path, condition));
  return found;
}

function waysOf(path: string, condition: unknown): readonly Way[] {
  if (path === '$comment') return [{ conditions: [], complete: true }];
  if (path === '$and' && Array.isArray(condition))
    return (condition as Doc[]).reduce<readonly Way[]>(
      (all, part) => combined(all, ways(part)),
      [{ conditions: [], complete: true }],
    );
  if (path === '$or' && Array.isArray(condition)) return (condition as Doc[]).flatMap(ways);
  if (path.startsWith('$')) return [UNKNOWN];
  return [{ conditions: [[path, condition]], complete: true }];
}

const UNKNOWN: Way = { conditions: [], complete: false };

function combined(some: readonly Way[], others: readonly Way[]): readonly Way[] {
  if (some.length * others.length > MOST_BRANCHES)
    return some.map((one) => ({ ...one, complete: false }));
  return some.flatMap((one) =>
    others.map((other) => ({
      conditions: [...one.conditions, ...other.conditions],
      complete: one.complete && other.complete,
    })),
  );
}

function branchOf(conditions: Way['conditions'], complete: boolean): Branch {
  const predicates = new Map<string, Draft>();
  let whole = complete;
  for (const [path, condition] of conditions) {
    const draft = predicates.get(path) ?? {
      equals: [],
      anyOf: [],
      above: [],
      below: [],
      exists: false,
      notNull: false,
    };
    predicates.set(path, draft);
    const operators = isOperators(condition)
      ? Object.entries(condition)
      : [['$eq', condition] as const];
    for (const [operator, operand] of operators) whole = add(draft, operator, operand) && whole;
  }
  return { predicates, complete: whole };
}

/** Returns whether the draft expresses the whole condition. */
function add(draft: Draft, operator: string, operand: unknown): boolean {
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
  !Array.isArray(value) && !(value instanceof RegExp) && !Number.isNaN(value) && !isForeign(value);

/** Rejects truthy values that are interpreted differently elsewhere. */
export const isTrue = (operand: unknown): boolean => operand === true || operand === 1;

const SUPPORTED = new Set(['ObjectId', 'Long', 'Binary', 'UUID']);

function isForeign(value: unknown): boolean {
  const type = (value as { _bsontype?: unknown } | null | undefined)?._bsontype;
  return typeof type === 'string' && !SUPPORTED.has(type);
}

/** Whether two values have the same key. */
export const sameKey = (a: unknown, b: unknown): boolean => encodeValue(a).equals(encodeValue(b));
