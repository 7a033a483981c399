import { encodeValue } from './keys';
import { isOperators } from './semantics/match/conditions';
import { compareValues } from './semantics/order';
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

type Drafts = Map<string, Draft>;

/**
 * The demands that every matching document meets: the top level of the filter, its `$and` branches, and what all branches of an `$or`
 * have in common (which is how a page that continues after a sort key says where it begins).
 */
export function predicatesOf(filter: Doc): Map<string, Predicate> {
  const predicates: Drafts = new Map();
  collect(filter, predicates);
  return predicates;
}

function collect(filter: Doc, predicates: Drafts): void {
  for (const [path, condition] of Object.entries(filter)) {
    if (path === '$and' && Array.isArray(condition)) for (const branch of condition) collect(branch as Doc, predicates);
    if (path === '$or' && Array.isArray(condition)) collectCommon(condition as Doc[], predicates);
    if (path.startsWith('$')) continue;
    const draft = draftOf(path, predicates);
    if (isOperators(condition)) for (const [operator, operand] of Object.entries(condition)) add(draft, operator, operand);
    else add(draft, '$eq', condition);
  }
}

function draftOf(path: string, predicates: Drafts): Draft {
  const draft = predicates.get(path) ?? { equals: [], anyOf: [], above: [], below: [], exists: false };
  predicates.set(path, draft);
  return draft;
}

/** A field that every branch bounds from one side, by values of one type, is bounded by the widest of them. */
function collectCommon(branches: readonly Doc[], predicates: Drafts): void {
  const collected = branches.map((branch) => {
    const own: Drafts = new Map();
    collect(branch, own);
    return own;
  });
  for (const path of collected[0]?.keys() ?? []) {
    const lowest = widest(collected.map((own) => own.get(path)), 'above', -1);
    const highest = widest(collected.map((own) => own.get(path)), 'below', 1);
    if (lowest !== undefined) draftOf(path, predicates).above.push(lowest);
    if (highest !== undefined) draftOf(path, predicates).below.push(highest);
  }
}

function widest(drafts: ReadonlyArray<Draft | undefined>, side: 'above' | 'below', sign: 1 | -1): Bound | undefined {
  const values = drafts.map((draft) => (draft === undefined ? undefined : [draft[side][0]?.value, draft.equals[0]].find((value) => value != null)));
  const [first] = values;
  if (first == null || values.some((value) => value == null || encodeValue(value)[0] !== encodeValue(first)[0])) return undefined;
  return { value: values.reduce((a, b) => (sign * compareValues(b, a) > 0 ? b : a)), inclusive: true };
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
