import { EngineError } from '../errors';
import { isList, isMap, kindOf } from '../value';
import type { Value } from '../value';
import { compareNumeric, isNumeric } from './numbers';

const INSTANT =
  /^\d{4}-\d{2}-\d{2}(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/;

/**
 * Equality of the expression language: null equals only null, numbers compare numerically, scalars
 * of different types as text, lists and objects by value.
 */
export function equals(left: Value, right: Value): boolean {
  if (left === null || right === null) return left === right;
  if (isList(left))
    return (
      isList(right) &&
      left.length === right.length &&
      left.every((element, index) => equals(element, right[index]))
    );
  if (isMap(left)) return isMap(right) && sameFields(left, right);
  if (typeof left === 'object' || typeof right === 'object') return false;
  if (isNumber(left) && isNumber(right)) return compareNumeric(left, right) === 0;
  return typeof left === typeof right ? left === right : String(left) === String(right);
}

function sameFields(
  left: { readonly [name: string]: Value },
  right: { readonly [name: string]: Value },
): boolean {
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && equals(left[name], right[name]))
  );
}

/**
 * Negative, zero or positive. Numbers and numeric texts compare exactly, ISO dates as instants (UTC
 * without a zone).
 * @throws EngineError EXPRESSION_TYPE_MISMATCH
 */
export function order(left: Value, right: Value): number {
  if (isNumeric(left) && isNumeric(right)) return compareNumeric(left, right);
  const [first, second] = [asInstant(left), asInstant(right)];
  if (first === null || second === null) {
    throw new EngineError(
      'EXPRESSION_TYPE_MISMATCH',
      `${describe(left)} cannot be ordered against ${describe(right)}.`,
    );
  }
  return first - second;
}

const isNumber = (value: Value): value is number | bigint =>
  typeof value === 'number' || typeof value === 'bigint';

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

/** Describes the type of a value for an error; never the value, which may be a secret. */
function describe(value: Value): string {
  const kind = kindOf(value);
  return kind === 'text'
    ? 'a text that is neither a number nor an ISO date'
    : `a value of kind ${kind}`;
}
