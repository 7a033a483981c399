import type { Direction, Index } from './index-keys';
import { behind, MOST_INTERVALS, narrow } from './intervals';
import type { Interval } from './intervals';
import { PREFIX_LENGTH, afterPrefix } from './keys';
import type { Branch } from './predicates';

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
  readonly beginnings: ReadonlyArray<readonly Buffer[]>;
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
    beginnings: Array.from({ length: exact + 1 }, (_, fields) =>
      distinct(each.flatMap(({ beginnings }) => beginnings[fields])),
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
  const beginnings = [points.map(({ start }) => start)];
  const result = (intervals: readonly Interval[], ranged: boolean): Bounds => ({
    intervals,
    exact,
    ranged,
    beginnings,
    covering: complete && covered === predicates.size && !source.multikey && !source.cut,
  });
  for (const [path, direction] of usableFields(source)) {
    const narrowed = narrow(predicates.get(path), direction, source.multikey && path !== '_id');
    if (narrowed === undefined || narrowed.intervals.length * points.length > MOST_INTERVALS) break;
    const within = points.flatMap((point) =>
      narrowed.intervals.map((one) => behind(point.start, one, PREFIX_LENGTH)),
    );
    if (narrowed.exact) covered++;
    if (!within.every(({ point }) => point)) return result(union(within), true);
    points = within;
    beginnings.push(points.map(({ start }) => start));
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
