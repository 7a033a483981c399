import type { Collection } from './catalog';
import type { Doc } from './semantics/values';
import { CUT_AT, NULL_KEY, UNDEFINED_KEY, afterPrefix, descending, documentKey, encodeValue, indexPrefix, wholeCollection } from './keys';
import { implies, impliesPresence } from './implication';
import type { Direction, Index } from './index-keys';
import { hasTrait } from './index-entries';
import { predicatesOf } from './predicates';
import type { Predicate } from './predicates';
import type { Range, ReadView } from './views';

/** Where to look: ranges of document keys, or of one index's keys, read one after the other. */
export interface Plan {
  readonly ranges: readonly PlannedRange[];
  /** Absent: the ranges are of documents. */
  readonly index?: Index;
  /** One document may turn up more than once. */
  readonly repeats: boolean;
  /** The documents come in the order that was asked for. */
  readonly sorted: boolean;
}

export interface PlannedRange extends Range {
  /** There is at most one key in it: `start`. */
  readonly exact?: boolean;
}

/** More intervals than this and the rest of an `$in` is left to the filter. */
const MOST_INTERVALS = 5_000;

/** Chooses the index that narrows the search most, or spares a sort. Any plan finds every match; the choice is only about time. */
export function planQuery(view: ReadView, collection: Collection, filter: Doc, sort: Doc | undefined): Plan {
  const predicates = predicatesOf(filter);
  const order = Object.entries(sort ?? {});
  const candidates = [byId(collection, predicates, order)];
  for (const index of collection.indexes) {
    if (isUsable(index, predicates)) candidates.push(byIndex(view, index, predicates, order));
  }
  return candidates.reduce((best, one) => (one.score > best.score ? one : best)).plan;
}

interface Candidate {
  readonly plan: Plan;
  readonly score: number;
}

/** A narrower search counts for more than a spared sort; an exact field for more than a range. */
const SCORE = { id: 1_000, unique: 500, field: 10, range: 6, sorted: 4 } as const;

function isUsable(index: Index, predicates: Map<string, Predicate>): boolean {
  if (index.partial !== undefined && !implies(predicates, index.partial)) return false;
  return !index.sparse || impliesPresence(predicates.get(index.key[0][0]));
}

function byId(collection: Collection, predicates: Map<string, Predicate>, order: Array<[string, unknown]>): Candidate {
  const intervals = intervalsOf(predicates.get('_id'), 1, false);
  const reverse = order[0]?.[1] === -1;
  const sorted = order.length === 0 || (order[0][0] === '_id' && (intervals?.length ?? 1) === 1);
  if (intervals === undefined) {
    return { plan: { ranges: [{ ...wholeCollection(collection.id), reverse }], repeats: false, sorted }, score: sorted && order.length > 0 ? SCORE.sorted : 0 };
  }
  const points = intervals.every((one) => one.point);
  const ranges = intervals.map((one) => ({
    start: documentKey(collection.id, one.start.subarray(0, CUT_AT)),
    end: documentKey(collection.id, endOf(one.end)),
    reverse: reverse && sorted,
    exact: one.point && one.start.length <= CUT_AT,
  }));
  return { plan: { ranges, repeats: false, sorted }, score: points ? SCORE.id : SCORE.range };
}

function byIndex(view: ReadView, index: Index, predicates: Map<string, Predicate>, order: Array<[string, unknown]>): Candidate {
  const multikey = hasTrait(view, index, 'multikey');
  const bounds = boundsOf(index, predicates, multikey);
  const direction = multikey || bounds.prefixes.length > 1 || hasTrait(view, index, 'cut') ? undefined : sortDirection(index, bounds.exact, order);
  const prefix = indexPrefix(index.id);
  const complete = index.unique && bounds.exact === index.key.length;
  const ranges = bounds.prefixes.map(({ start, end }) => ({
    start: Buffer.concat([prefix, start.subarray(0, CUT_AT)]),
    end: end.length === 0 ? afterPrefix(prefix) : Buffer.concat([prefix, endOf(end)]),
    reverse: direction === -1,
    exact: complete && start.length <= CUT_AT,
  }));
  const sorted = order.length === 0 || direction !== undefined;
  // Two long values that begin alike are cut to one range.
  const overlaps = bounds.prefixes.length > 1 && bounds.prefixes.some(({ start }) => start.length > CUT_AT);
  const score = bounds.exact * SCORE.field + (bounds.ranged ? SCORE.range : 0) + (complete ? SCORE.unique : 0)
    + (order.length > 0 && sorted ? SCORE.sorted : 0);
  return { plan: { index, ranges, repeats: multikey || overlaps, sorted }, score: score === 0 ? -1 : score };
}

/** A bound beyond the cut of long keys must take in everything that was cut at the same place. */
const endOf = (end: Buffer): Buffer => (end.length > CUT_AT ? afterPrefix(end.subarray(0, CUT_AT)) : end);

interface Bounds {
  readonly prefixes: ReadonlyArray<{ readonly start: Buffer; readonly end: Buffer }>;
  /** How many leading fields have exactly one value in each prefix. */
  readonly exact: number;
  readonly ranged: boolean;
}

/** Follows the fields of the index as long as the filter pins them down; a range ends it. */
function boundsOf(index: Index, predicates: Map<string, Predicate>, multikey: boolean): Bounds {
  let points: Buffer[] = [Buffer.alloc(0)];
  let exact = 0;
  for (const [path, direction] of usableFields(index, multikey)) {
    const intervals = intervalsOf(predicates.get(path), direction, multikey);
    if (intervals === undefined || intervals.length * points.length > MOST_INTERVALS) break;
    const combined = points.flatMap((point) => intervals.map((one) => ({ start: Buffer.concat([point, one.start]), end: Buffer.concat([point, one.end]) })));
    if (!intervals.every((one) => one.point)) return { prefixes: combined, exact, ranged: true };
    points = combined.map((one) => one.start);
    exact++;
  }
  return { prefixes: points.map((start) => ({ start, end: start.length === 0 ? start : afterPrefix(start) })), exact, ranged: false };
}

/**
 * Two fields below one array (`items.a`, `items.b`) may be satisfied by different elements, while an entry holds one element:
 * of such an index only the leading field narrows the search.
 */
function usableFields(index: Index, multikey: boolean): Index['key'] {
  const roots = index.key.map(([path]) => path.split('.')[0]);
  return multikey && new Set(roots).size < roots.length ? index.key.slice(0, 1) : index.key;
}

interface Interval {
  readonly start: Buffer;
  /** Excluded. */
  readonly end: Buffer;
  readonly point: boolean;
}

/** `undefined` when the field is not narrowed. On a multikey index two conditions may be met by two elements: only one is used. */
function intervalsOf(predicate: Predicate | undefined, direction: Direction, multikey: boolean): readonly Interval[] | undefined {
  if (predicate === undefined) return undefined;
  if (predicate.equals.length > 0) return [pointOf(predicate.equals[0], direction)];
  if (predicate.anyOf.length > 0) return distinctPoints(predicate.anyOf[0], direction);
  const [above] = predicate.above;
  const [below] = predicate.below;
  if (above === undefined && below === undefined) return undefined;
  const anchor = (above ?? below).value;
  if (anchor === null || anchor === undefined) return undefined;
  const tag = encodeValue(anchor)[0];
  const useBelow = below !== undefined && (above === undefined || (!multikey && encodeValue(below.value)[0] === tag));
  let low: Buffer = Buffer.from([tag]);
  let high: Buffer = Buffer.from([tag + 1]);
  if (above !== undefined) low = above.inclusive ? encodeValue(above.value) : afterPrefix(encodeValue(above.value));
  if (useBelow) high = below.inclusive ? afterPrefix(encodeValue(below.value)) : encodeValue(below.value);
  return [interval(low, high, direction)];
}

/**
 * Between two ascending encodings, turned round for a descending field: "from low, below high" becomes "after everything that starts
 * with ~high, up to everything that starts with ~low".
 */
function interval(low: Buffer, high: Buffer, direction: Direction): Interval {
  if (direction === 1) return { start: low, end: high, point: false };
  return { start: afterPrefix(descending(high)), end: afterPrefix(descending(low)), point: false };
}

function pointOf(value: unknown, direction: Direction): Interval {
  const encoded = value === null || value === undefined ? undefined : encodeValue(value);
  // Null also means missing, and an empty array is indexed beside it.
  if (encoded === undefined) return direction === 1 ? span(UNDEFINED_KEY, NULL_KEY) : span(descending(NULL_KEY), descending(UNDEFINED_KEY));
  const bytes = direction === 1 ? encoded : descending(encoded);
  return { start: bytes, end: afterPrefix(bytes), point: true };
}

const span = (first: Buffer, last: Buffer): Interval => ({ start: first, end: afterPrefix(last), point: false });

function distinctPoints(values: readonly unknown[], direction: Direction): readonly Interval[] | undefined {
  const points = new Map<string, Interval>();
  for (const value of values) {
    const point = pointOf(value, direction);
    points.set(point.start.toString('latin1'), point);
  }
  if (points.size > MOST_INTERVALS) return undefined;
  return [...points.values()].sort((a, b) => Buffer.compare(a.start, b.start));
}

/** 1 or -1 when reading the index forward or backward gives the order; a trailing `_id` is in every index that is not unique. */
function sortDirection(index: Index, exact: number, order: Array<[string, unknown]>): Direction | undefined {
  if (order.length === 0) return undefined;
  const fields: Array<readonly [string, number]> = index.unique ? [...index.key] : [...index.key, ['_id', 1]];
  for (let skipped = exact; skipped >= 0; skipped--) {
    const rest = fields.slice(skipped);
    for (const direction of [1, -1] as const) {
      if (order.length <= rest.length && order.every(([path, wanted], at) => rest[at][0] === path && rest[at][1] * direction === wanted)) return direction;
    }
  }
  return undefined;
}
