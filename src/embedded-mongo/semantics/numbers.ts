import { Long } from 'bson';
import type { Double } from 'bson';
import { doubleOf, isDouble, isInt32, isLong, isNumeric } from './values';

/** A JS number (int32 or double), a double that could be an int32, or an int64. */
export type Numeric = number | Long | Double;

const two63 = 2 ** 63;
const int64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };

/** BSON order of two numbers: by exact value, NaN below everything and equal to itself. */
export function compareNumbers(a: Numeric, b: Numeric): number {
  if (isLong(a)) return isLong(b) ? a.compare(b) : compareLongToDouble(a, toDouble(b));
  return isLong(b)
    ? 0 - compareLongToDouble(b, toDouble(a))
    : compareDoubles(toDouble(a), toDouble(b));
}

function compareDoubles(a: number, b: number): number {
  if (a < b) return -1;
  if (a > b) return 1;
  if (a === b) return 0;
  return Number(Number.isNaN(b)) - Number(Number.isNaN(a));
}

function compareLongToDouble(long: Long, double: number): number {
  if (Number.isNaN(double)) return 1;
  if (double >= two63) return -1;
  if (double < -two63) return 1;
  const whole = Math.trunc(double);
  const byWhole = long.compare(Long.fromBigInt(BigInt(whole)));
  return byWhole !== 0 ? byWhole : compareDoubles(whole, double);
}

/** Sum in the widest operand type, int32 growing to int64; undefined on int64 overflow. */
export const add = (a: Numeric, b: Numeric): Numeric | undefined =>
  combine(
    a,
    b,
    (x, y) => x + y,
    (x, y) => x + y,
  );

/** Difference by the same rules as `add`. */
export const subtract = (a: Numeric, b: Numeric): Numeric | undefined =>
  combine(
    a,
    b,
    (x, y) => x - y,
    (x, y) => x - y,
  );

function combine(
  a: Numeric,
  b: Numeric,
  doubles: (x: number, y: number) => number,
  integers: (x: bigint, y: bigint) => bigint,
): Numeric | undefined {
  if (isOfDouble(a) || isOfDouble(b)) return doubleOf(doubles(toDouble(a), toDouble(b)));
  const exact = integers(toBigInt(a), toBigInt(b));
  if (exact < int64.min || exact > int64.max) return undefined;
  const fitsInt32 = typeof a === 'number' && typeof b === 'number' && isInt32(Number(exact));
  return fitsInt32 ? Number(exact) : Long.fromBigInt(exact);
}

const isOfDouble = (value: Numeric): boolean =>
  isDouble(value) || (typeof value === 'number' && !isInt32(value));

/** The nearest double. */
export function toDouble(value: Numeric): number {
  if (typeof value === 'number') return value;
  return isDouble(value) ? value.value : value.toNumber();
}

const toBigInt = (value: Numeric): bigint =>
  isLong(value) ? value.toBigInt() : BigInt(toDouble(value));

/** Returns a safe integer, or undefined if the value has a fraction or is too large. */
export function exactInteger(value: unknown): number | undefined {
  if (!isNumeric(value)) return undefined;
  const double = toDouble(value);
  return Number.isSafeInteger(double) ? double : undefined;
}
