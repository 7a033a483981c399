import { isDocument } from './semantics/values';
import type { Doc } from './semantics/values';

/** What a filter demands of one field, as far as an index can use it. The filter itself is always tested on the document again. */
export interface Predicate {
  readonly equals: readonly unknown[];
  /** `$in` lists without arrays and regular expressions. */
  readonly anyOf: ReadonlyArray<readonly unknown[]>;
  readonly above: readonly Bound[];
  readonly below: readonly Bound[];
  readonly exists: boolean;
}

export interface Bound {
  readonly value: unknown;
  readonly inclusive: boolean;
}

interface Draft {
  equals: unknown[];
  anyOf: unknown[][];
  above: Bound[];
  below: Bound[];
  exists: boolean;
}

/** The demands that every matching document meets: the top level of the filter and its `$and` branches. */
export function predicatesOf(filter: Doc): Map<string, Predicate> {
  const predicates = new Map<string, Draft>();
  collect(filter, predicates);
  return predicates;
}

function collect(filter: Doc, predicates: Map<string, Draft>): void {
  for (const [path, condition] of Object.entries(filter)) {
    if (path === '$and' && Array.isArray(condition)) for (const branch of condition) collect(branch as Doc, predicates);
    if (path.startsWith('$')) continue;
    const draft = predicates.get(path) ?? { equals: [], anyOf: [], above: [], below: [], exists: false };
    predicates.set(path, draft);
    if (isOperators(condition)) for (const [operator, operand] of Object.entries(condition)) add(draft, operator, operand);
    else add(draft, '$eq', condition);
  }
}

function add(draft: Draft, operator: string, operand: unknown): void {
  if (operator === '$in' && Array.isArray(operand)) {
    if (operand.every(isIndexable)) draft.anyOf.push(operand);
    return;
  }
  if (operator === '$exists' && isTrue(operand)) draft.exists = true;
  if (!isIndexable(operand)) return;
  if (operator === '$eq') draft.equals.push(operand);
  if (operator === '$gt' || operator === '$gte') draft.above.push({ value: operand, inclusive: operator === '$gte' });
  if (operator === '$lt' || operator === '$lte') draft.below.push({ value: operand, inclusive: operator === '$lte' });
}

/**
 * An array equals a whole field or one element of it, a regular expression is a test, NaN compares like nothing else:
 * such conditions are left to the filter.
 */
const isIndexable = (value: unknown): boolean => !Array.isArray(value) && !(value instanceof RegExp) && !Number.isNaN(value) && !isForeign(value);

/** Says no to values whose truth another reader could see differently. */
export const isTrue = (operand: unknown): boolean => operand === true || operand === 1;

const SUPPORTED = new Set(['ObjectId', 'Long', 'Binary', 'UUID']);

function isForeign(value: unknown): boolean {
  const type = (value as { _bsontype?: unknown } | null | undefined)?._bsontype;
  return typeof type === 'string' && !SUPPORTED.has(type);
}

export function isOperators(condition: unknown): condition is Doc {
  if (!isDocument(condition)) return false;
  return Object.keys(condition)[0]?.startsWith('$') ?? false;
}
