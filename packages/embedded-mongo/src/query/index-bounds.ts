import type { Direction, Index } from '../catalog/index-entries';
import {
  CUT_AT,
  NULL_KEY,
  PREFIX_LENGTH,
  UNDEFINED_KEY,
  afterPrefix,
  descending,
  encodeValue,
} from '../storage/keys';
import type { Bound, Branch, Predicate } from './predicates';

/** A key range in order: an index, or the documents in the order of `_id`. */
export interface Source {
  /** Common prefix of all keys. */
  readonly prefix: Buffer;
  readonly key: Index['key'];
  readonly unique: boolean;
  readonly multikey: boolean;
  /** Some keys are truncated, so the order is not exact. */
  readonly cut: boolean;
}

export interface Bounds {
  /** In key order, without overlaps. */
  readonly intervals: readonly Interval[];
  /** Number of leading fields with a single value in each interval. */
  readonly exact: number;
  /** Whether the next field is restricted too. */
  readonly ranged: boolean;
  /** Whether the intervals contain exactly the matches. */
  readonly covering: boolean;
  /** Key prefixes of the intervals, by number of leading exact fields. */
  readonly prefixes: ReadonlyArray<readonly Buffer[]>;
}

/** Returns the intervals of a source that contain the matches of a filter. */
export function boundsOf(source: Source, branches: readonly Branch[]): Bounds {
  const each = branches.map((branch) => boundsOfBranch(source, branch));
  if (each.length === 1) return each[0];
  const exact = Math.min(...each.map((one) => one.exact));
  return {
    intervals: union(each.flatMap(({ intervals }) => intervals)),
    exact,
    ranged: each.every((one) => one.ranged || one.exact > exact),
    covering: each.every(({ covering }) => covering),
    prefixes: Array.from({ length: exact + 1 }, (_, fields) =>
      distinct(each.flatMap(({ prefixes }) => prefixes[fields])),
    ),
  };
}

/** Fields in key order; a non-unique index ends with `_id`. */
export const fieldsOf = ({ key, unique }: Source): Index['key'] =>
  unique || key.some(([path]) => path === '_id') ? key : [...key, ['_id', 1] as const];

/** Uses fields as long as they have exact values; a range is the last one. */
function boundsOfBranch(source: Source, { predicates, complete }: Branch): Bounds {
  let points: readonly Interval[] = [
    { start: source.prefix, end: afterPrefix(source.prefix), point: true },
  ];
  let exact = 0;
  let covered = 0;
  const prefixes = [points.map(({ start }) => start)];
  const result = (intervals: readonly Interval[], ranged: boolean): Bounds => ({
    intervals,
    exact,
    ranged,
    prefixes,
    covering: complete && covered === predicates.size && !source.multikey && !source.cut,
  });
  for (const [path, direction] of usableFields(source)) {
    const allowed = intervalsOf(predicates.get(path), direction, source.multikey && path !== '_id');
    if (allowed === undefined || allowed.intervals.length * points.length > MAX_INTERVALS) break;
    const within = points.flatMap((point) =>
      allowed.intervals.map((one) => appendInterval(point.start, one, PREFIX_LENGTH)),
    );
    if (allowed.exact) covered++;
    if (!within.every(({ point }) => point)) return result(union(within), true);
    points = within;
    prefixes.push(points.map(({ start }) => start));
    exact++;
  }
  return result(points, false);
}

/**
 * In a multikey index, two fields below one array (`items.a`, `items.b`) may match in different
 * elements, but an entry has one element: only the leading field can be used.
 */
function usableFields(source: Source): ReadonlyArray<readonly [string, Direction]> {
  const roots = source.key.map(([path]) => path.split('.')[0]);
  return source.multikey && new Set(roots).size < roots.length
    ? source.key.slice(0, 1)
    : fieldsOf(source);
}

/** Sorts and merges intervals. */
function union(intervals: readonly Interval[]): readonly Interval[] {
  const sorted = [...intervals].sort((a, b) => Buffer.compare(a.start, b.start));
  const merged: Interval[] = [];
  for (const one of sorted) {
    const last = merged.at(-1);
    if (last === undefined || Buffer.compare(one.start, last.end) >= 0) merged.push(one);
    else if (Buffer.compare(one.end, last.end) > 0)
      merged[merged.length - 1] = { start: last.start, end: one.end, point: false };
  }
  return merged;
}

const distinct = (keys: readonly Buffer[]): Buffer[] => [
  ...new Map(keys.map((key) => [key.toString('latin1'), key])).values(),
];

/** Encoded keys of one index field, `end` exclusive. */
export interface Interval {
  readonly start: Buffer;
  readonly end: Buffer;
  /** Contains a single value only. */
  readonly point: boolean;
}

/** Intervals of an index field that a predicate allows. */
interface FieldIntervals {
  readonly intervals: readonly Interval[];
  /** The intervals contain no other values. */
  readonly exact: boolean;
}

/** Maximum number of intervals; the filter checks the rest of a longer `$in`. */
const MAX_INTERVALS = 5_000;

/** Returns `undefined` without restriction. On a multikey index, only one condition can be used. */
function intervalsOf(
  predicate: Predicate | undefined,
  direction: Direction,
  multikey: boolean,
): FieldIntervals | undefined {
  if (predicate === undefined) return undefined;
  const {
    equals,
    anyOf,
    above: [above],
    below: [below],
  } = predicate;
  const conditions =
    equals.length +
    anyOf.length +
    predicate.above.length +
    predicate.below.length +
    Number(predicate.notNull);
  const isExact = (used: number): boolean => !multikey && conditions === used;
  if (equals.length > 0) {
    const bounds = [...predicate.above, ...predicate.below];
    if (multikey || equals[0] === null || bounds.some(({ value }) => value === null))
      return { intervals: [pointOf(equals[0], direction, multikey)], exact: isExact(1) };
    const within =
      predicate.above.every((bound) => isWithin(equals[0], bound, 1)) &&
      predicate.below.every((bound) => isWithin(equals[0], bound, -1));
    return {
      intervals: within ? [pointOf(equals[0], direction, multikey)] : [],
      exact: isExact(1 + bounds.length + Number(predicate.notNull)),
    };
  }
  if (anyOf.length > 0) {
    const intervals = distinctPoints(anyOf[0], direction, multikey);
    return intervals && { intervals, exact: isExact(1) };
  }
  const anchor = (above ?? below)?.value;
  if (anchor !== null && anchor !== undefined) {
    const useBelow =
      below !== undefined &&
      (above === undefined ||
        (!multikey && encodeValue(below.value)[0] === encodeValue(anchor)[0]));
    const used = Number(above !== undefined) + Number(useBelow);
    const interval = between(above, useBelow ? below : undefined, direction);
    return {
      intervals: Buffer.compare(interval.start, interval.end) < 0 ? [interval] : [],
      exact: isExact(used + Number(predicate.notNull)),
    };
  }
  if (anchor === undefined && predicate.notNull && !multikey)
    return {
      intervals: [inDirection(afterPrefix(NULL_KEY), HIGHEST, direction)],
      exact: isExact(1),
    };
  return undefined;
}

/** Only values of the same type are comparable. */
function isWithin(value: unknown, bound: Bound, sign: 1 | -1): boolean {
  const [own, limit] = [encodeValue(value), encodeValue(bound.value)];
  const order = sign * Buffer.compare(own, limit);
  return own[0] === limit[0] && (order > 0 || (order === 0 && bound.inclusive));
}

const HIGHEST = Buffer.from([0xff]);

/** NaN is the lowest number; it is not comparable with others. */
const NAN_KEY = encodeValue(NaN);

function between(
  above: Bound | undefined,
  below: Bound | undefined,
  direction: Direction,
): Interval {
  const anchor = encodeValue((above ?? below)?.value);
  const tag = anchor[0];
  let low: Buffer = tag === NAN_KEY[0] ? afterPrefix(NAN_KEY) : Buffer.from([tag]);
  let high: Buffer = Buffer.from([tag + 1]);
  if (above !== undefined) low = above.inclusive ? anchor : afterPrefix(anchor);
  if (below !== undefined) {
    const bound = encodeValue(below.value);
    high = below.inclusive ? afterPrefix(bound) : bound;
  }
  return inDirection(low, high, direction);
}

/**
 * Interval between two ascending encodings. For a descending field, "from low, below high" becomes
 * "after everything that starts with ~high, up to everything that starts with ~low".
 */
function inDirection(low: Buffer, high: Buffer, direction: Direction): Interval {
  if (direction === 1) return { start: low, end: high, point: false };
  return { start: afterPrefix(descending(high)), end: afterPrefix(descending(low)), point: false };
}

function pointOf(value: unknown, direction: Direction, multikey: boolean): Interval {
  const encoded =
    (value === null || value === undefined) && multikey ? undefined : encodeValue(value);
  // Missing is indexed as null, and an empty array next to null.
  if (encoded === undefined)
    return direction === 1
      ? spanOf(UNDEFINED_KEY, NULL_KEY)
      : spanOf(descending(NULL_KEY), descending(UNDEFINED_KEY));
  const bytes = direction === 1 ? encoded : descending(encoded);
  return { start: bytes, end: afterPrefix(bytes), point: true };
}

const spanOf = (first: Buffer, last: Buffer): Interval => ({
  start: first,
  end: afterPrefix(last),
  point: false,
});

function distinctPoints(
  values: readonly unknown[],
  direction: Direction,
  multikey: boolean,
): readonly Interval[] | undefined {
  const points = new Map<string, Interval>();
  for (const value of values) {
    const point = pointOf(value, direction, multikey);
    points.set(point.start.toString('latin1'), point);
  }
  if (points.size > MAX_INTERVALS) return undefined;
  return [...points.values()].sort((a, b) => Buffer.compare(a.start, b.start));
}

/** Appends an interval to a prefix. Long keys are truncated, so bounds beyond that are widened. */
function appendInterval(
  prefix: Buffer,
  { start, end, point }: Interval,
  encodedFrom: number,
): Interval {
  const cut = encodedFrom + CUT_AT;
  const first = Buffer.concat([prefix, start]);
  const last = Buffer.concat([prefix, end]);
  return {
    start: first.subarray(0, cut),
    end: last.length > cut ? afterPrefix(last.subarray(0, cut)) : last,
    point: point && first.length <= cut,
  };
}
