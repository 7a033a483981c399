import type { Direction, Index } from './index-keys';
import { behind, MOST_INTERVALS, narrow } from './intervals';
import type { Interval } from './intervals';
import { PREFIX_LENGTH, afterPrefix } from './keys';
import type { Branch } from './predicates';

/** What can be read in order: an index, or the documents themselves, which are in the order of `_id`. */
export interface Source {
  /** Begins every key of it. */
  readonly prefix: Buffer;
  readonly key: Index['key'];
  readonly unique: boolean;
  readonly multikey: boolean;
  /** Some keys are cut: they are not quite in order. */
  readonly cut: boolean;
}

export interface Bounds {
  /** In the order of the keys, none of them overlapping another. */
  readonly intervals: readonly Interval[];
  /** How many leading fields have one value in each interval. */
  readonly exact: number;
  /** The field after those is narrowed as well. */
  readonly ranged: boolean;
  /** What is in the intervals is what matches: neither more nor less. */
  readonly covering: boolean;
  /** By a number of leading exact fields: how the keys of the intervals begin. */
  readonly beginnings: ReadonlyArray<readonly Buffer[]>;
}

/** Where in a source the matches of a filter are. */
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

/** The fields in the order of the keys; an index that is not unique ends with the `_id`. */
export const fieldsOf = ({ key, unique }: Source): Index['key'] =>
  unique || key.some(([path]) => path === '_id') ? key : [...key, ['_id', 1] as const];

/** Follows the fields as long as the branch pins them down; a range ends it. */
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
 * Two fields below one array (`items.a`, `items.b`) may be satisfied by different elements, while an entry holds one element:
 * of such an index only the leading field narrows the search.
 */
function usableFields(source: Source): ReadonlyArray<readonly [string, Direction]> {
  const roots = source.key.map(([path]) => path.split('.')[0]);
  return source.multikey && new Set(roots).size < roots.length
    ? source.key.slice(0, 1)
    : fieldsOf(source);
}

/** The same keys in order, each once. */
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
