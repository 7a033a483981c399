import { Binary, Long, ObjectId } from 'bson';
import type { Double } from 'bson';
import { unsupported } from '../errors';
import { doubleOf, isDocument, isDouble, isInt32, isLong, isNumeric, typeName } from './values';
import type { Doc } from './values';

/** A JS number (int32 or double), a double that could be an int32, or an int64. */
type Numeric = number | Long | Double;

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
  const integer = Math.trunc(double);
  const byInteger = long.compare(Long.fromBigInt(BigInt(integer)));
  return byInteger !== 0 ? byInteger : compareDoubles(integer, double);
}

/** Sum in the widest operand type, int32 growing to int64; undefined on int64 overflow. */
export function add(a: Numeric, b: Numeric): Numeric | undefined {
  if (isOfDouble(a) || isOfDouble(b)) return doubleOf(toDouble(a) + toDouble(b));
  const exact = toBigInt(a) + toBigInt(b);
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

/**
 * Rank of a type in BSON order. `undefined` ranks below null, where MongoDB sorts an empty array.
 * @throws StoreError 115 unsupported type
 */
export function typeRank(value: unknown): number {
  switch (typeof value) {
    case 'undefined':
      return 0;
    case 'number':
      return 10;
    case 'string':
      return 15;
    case 'boolean':
      return 40;
    default:
      return value === null ? 5 : objectRank(value);
  }
}

function objectRank(value: unknown): number {
  if (Array.isArray(value)) return 25;
  if (isDocument(value)) return 20;
  if (value instanceof ObjectId) return 35;
  if (value instanceof Date) return 45;
  if (isNumeric(value)) return 10;
  if (value instanceof Binary) return 30;
  throw unsupported(`comparing values of type ${typeName(value)} is`);
}

/**
 * BSON order: by type, then by value. Numbers of all types compare by exact value, strings by code
 * point, documents by field (type, name, value), arrays by element, binary by length, subtype and
 * bytes.
 */
export function compareValues(a: unknown, b: unknown): number {
  const rank = typeRank(a);
  return rank - typeRank(b) || compareSameRank(rank, a, b);
}

/** Equality in BSON order: 1 equals int64 1; documents must have the same field order. */
export const valuesEqual = (a: unknown, b: unknown): boolean => compareValues(a, b) === 0;

function compareSameRank(rank: number, a: unknown, b: unknown): number {
  switch (rank) {
    case 10:
      return compareNumbers(a as number, b as number);
    case 15:
      return compareStrings(a as string, b as string);
    case 20:
      return compareDocuments(a as Doc, b as Doc);
    case 25:
      return compareArrays(a as unknown[], b as unknown[]);
    case 30:
      return compareBinaries(a as Binary, b as Binary);
    case 35:
      return compareBytes((a as ObjectId).id, (b as ObjectId).id);
    case 40:
      return Number(a) - Number(b);
    case 45:
      return (a as Date).getTime() - (b as Date).getTime();
    default:
      return 0;
  }
}

/** Compares by code point, like UTF-8 bytes; UTF-16 order would sort surrogates too low. */
export function compareStrings(a: string, b: string): number {
  if (a === b) return 0;
  const shorter = Math.min(a.length, b.length);
  for (let index = 0; index < shorter; index++) {
    const x = a.charCodeAt(index);
    const y = b.charCodeAt(index);
    if (x === y) continue;
    const oneIsSurrogate = isSurrogate(x) !== isSurrogate(y);
    return oneIsSurrogate && x >= 0xd800 && y >= 0xd800
      ? Number(isSurrogate(x)) - Number(isSurrogate(y))
      : x - y;
  }
  return a.length - b.length;
}

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff;

function compareDocuments(a: Doc, b: Doc): number {
  const namesOfA = Object.keys(a);
  const namesOfB = Object.keys(b);
  const shorter = Math.min(namesOfA.length, namesOfB.length);
  for (let index = 0; index < shorter; index++) {
    const nameOfA = namesOfA[index];
    const nameOfB = namesOfB[index];
    const rank = typeRank(a[nameOfA]);
    const order =
      rank - typeRank(b[nameOfB]) ||
      compareStrings(nameOfA, nameOfB) ||
      compareSameRank(rank, a[nameOfA], b[nameOfB]);
    if (order !== 0) return order;
  }
  return namesOfA.length - namesOfB.length;
}

function compareArrays(a: readonly unknown[], b: readonly unknown[]): number {
  const shorter = Math.min(a.length, b.length);
  for (let index = 0; index < shorter; index++) {
    const order = compareValues(a[index], b[index]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareBinaries(a: Binary, b: Binary): number {
  return a.position - b.position || a.sub_type - b.sub_type || compareBytes(a.value(), b.value());
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  for (let index = 0; index < a.length && index < b.length; index++) {
    if (a[index] !== b[index]) return a[index] - b[index];
  }
  return a.length - b.length;
}
