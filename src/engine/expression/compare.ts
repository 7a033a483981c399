import { EngineError } from '../errors';
import { isList, isMap, kindOf } from '../value';
import type { Value } from '../value';

const NUMERIC = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/;

/**
 * Equality of the grammar: null only equals null, numbers compare as numbers, two scalars of different types as text,
 * lists and objects by value.
 */
export function equals(left: Value, right: Value): boolean {
  if (left === null || right === null) return left === right;
  if (isList(left)) return isList(right) && left.length === right.length && left.every((element, index) => equals(element, right[index]));
  if (isMap(left)) return isMap(right) && sameFields(left, right);
  if (typeof right === 'object') return false;
  if (isNumber(left) && isNumber(right)) return compareNumbers(left, right) === 0;
  return typeof left === typeof right ? left === right : String(left) === String(right);
}

function sameFields(left: { readonly [name: string]: Value }, right: { readonly [name: string]: Value }): boolean {
  const names = Object.keys(left);
  return names.length === Object.keys(right).length
    && names.every((name) => Object.hasOwn(right, name) && equals(left[name], right[name]));
}

/**
 * Below zero, zero or above zero; numbers and numeric text as numbers, ISO dates as instants (UTC when they name no zone).
 * @throws EngineError EXPRESSION_TYPE_MISMATCH
 */
export function order(left: Value, right: Value): number {
  if (isNumber(left) && isNumber(right)) return compareNumbers(left, right);
  const numbers = both(left, right, asNumber) ?? both(left, right, asInstant);
  if (numbers === null) {
    throw new EngineError('EXPRESSION_TYPE_MISMATCH', `${describe(left)} cannot be ordered against ${describe(right)}.`);
  }
  return numbers[0] - numbers[1];
}

const isNumber = (value: Value): value is number | bigint => typeof value === 'number' || typeof value === 'bigint';

/** Exact, also between an integer that does not fit into a double and a double. */
const compareNumbers = (left: number | bigint, right: number | bigint): number => (left < right ? -1 : left > right ? 1 : 0);

/** The number a number or a numeric text stands for, else null. */
export function asNumber(value: Value): number | null {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'string' && NUMERIC.test(value) ? Number(value) : null;
}

function asInstant(value: Value): number | null {
  if (typeof value !== 'string') return null;
  const parts = INSTANT.exec(value);
  if (parts === null) return null;
  const time = parts[1] === undefined ? '00:00' : parts[1];
  const instant = Date.parse(`${value.slice(0, 10)}T${time}${normalZone(parts[2])}`);
  return Number.isNaN(instant) ? null : instant;
}

function normalZone(zone: string | undefined): string {
  if (zone === undefined || zone === 'Z') return 'Z';
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  return `${zone.charAt(0)}${digits.slice(0, 2)}:${digits.slice(2)}`;
}

function both(left: Value, right: Value, read: (value: Value) => number | null): [number, number] | null {
  const [first, second] = [read(left), read(right)];
  return first === null || second === null ? null : [first, second];
}

/** The kind of a value with what it lacks to be comparable; never the value itself, which may be a secret. */
function describe(value: Value): string {
  const kind = kindOf(value);
  return kind === 'text' ? 'a text that is neither a number nor an ISO date' : `a value of kind ${kind}`;
}
