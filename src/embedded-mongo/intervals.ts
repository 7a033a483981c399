import { CUT_AT, NULL_KEY, UNDEFINED_KEY, afterPrefix, descending, encodeValue } from './keys';
import type { Direction } from './index-keys';
import type { Bound, Predicate } from './predicates';

/** Encoded keys of one index field, `end` exclusive. */
export interface Interval {
  readonly start: Buffer;
  readonly end: Buffer;
  /** Contains a single value only. */
  readonly point: boolean;
}

/** Intervals of an index field that a predicate allows. */
export interface Narrowed {
  readonly intervals: readonly Interval[];
  /** The intervals contain no other values. */
  readonly exact: boolean;
}

/** Maximum number of intervals; the filter checks the rest of a longer `$in`. */
export const MOST_INTERVALS = 5_000;

/** Returns `undefined` without restriction. On a multikey index, only one condition can be used. */
export function narrow(
  predicate: Predicate | undefined,
  direction: Direction,
  multikey: boolean,
): Narrowed | undefined {
  if (predicate === undefined) return undefined;
  const {
    equals,
    anyOf,
    above: [above],
    below: [below],
  } = predicate;
  const demands =
    equals.length +
    anyOf.length +
    predicate.above.length +
    predicate.below.length +
    Number(predicate.notNull);
  const only = (used: number): boolean => !multikey && demands === used;
  if (equals.length > 0) {
    const bounds = [...predicate.above, ...predicate.below];
    if (multikey || equals[0] === null || bounds.some(({ value }) => value === null))
      return { intervals: [pointOf(equals[0], direction, multikey)], exact: only(1) };
    const within =
      predicate.above.every((bound) => isBeyond(equals[0], bound, 1)) &&
      predicate.below.every((bound) => isBeyond(equals[0], bound, -1));
    return {
      intervals: within ? [pointOf(equals[0], direction, multikey)] : [],
      exact: only(1 + bounds.length + Number(predicate.notNull)),
    };
  }
  if (anyOf.length > 0) {
    const intervals = distinctPoints(anyOf[0], direction, multikey);
    return intervals && { intervals, exact: only(1) };
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
      exact: only(used + Number(predicate.notNull)),
    };
  }
  if (anchor === undefined && predicate.notNull && !multikey)
    return { intervals: [turned(afterPrefix(NULL_KEY), LAST, direction)], exact: only(1) };
  return undefined;
}

/** Only values of the same type are comparable. */
function isBeyond(value: unknown, bound: Bound, sign: 1 | -1): boolean {
  const [own, limit] = [encodeValue(value), encodeValue(bound.value)];
  const order = sign * Buffer.compare(own, limit);
  return own[0] === limit[0] && (order > 0 || (order === 0 && bound.inclusive));
}

const LAST = Buffer.from([0xff]);

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
  return turned(low, high, direction);
}

/**
 * Interval between two ascending encodings. For a descending field, "from low, below high" becomes
 * "after everything that starts with ~high, up to everything that starts with ~low".
 */
function turned(low: Buffer, high: Buffer, direction: Direction): Interval {
  if (direction === 1) return { start: low, end: high, point: false };
  return { start: afterPrefix(descending(high)), end: afterPrefix(descending(low)), point: false };
}

function pointOf(value: unknown, direction: Direction, multikey: boolean): Interval {
  const encoded =
    (value === null || value === undefined) && multikey ? undefined : encodeValue(value);
  // Missing is indexed as null, and an empty array next to null.
  if (encoded === undefined)
    return direction === 1
      ? span(UNDEFINED_KEY, NULL_KEY)
      : span(descending(NULL_KEY), descending(UNDEFINED_KEY));
  const bytes = direction === 1 ? encoded : descending(encoded);
  return { start: bytes, end: afterPrefix(bytes), point: true };
}

const span = (first: Buffer, last: Buffer): Interval => ({
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
  if (points.size > MOST_INTERVALS) return undefined;
  return [...points.values()].sort((a, b) => Buffer.compare(a.start, b.start));
}

/** Appends an interval to a prefix. Long keys are truncated, so bounds beyond that are widened. */
export function behind(
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
