import { EngineError } from '../errors';
import { isList, isMap, kindOf, toText } from '../value';
import type { Value } from '../value';
import { isLike, matchesWhole } from './patterns';
import type { RelationName, UnaryName } from './tree';
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

type Relation = (left: Value, right: Value) => boolean;

const not =
  (relation: Relation): Relation =>
  (left, right) =>
    !relation(left, right);

const contains: Relation = (left, right) =>
  elements(left, 'Contains').some((element) => equals(element, right));

/** Searches in a list of texts or in one text. */
const containsSubStr: Relation = (left, right) => {
  if (right === null) return false;
  const part = scalarText(right, 'ContainsSubStr');
  const texts =
    left === null || isList(left)
      ? elements(left, 'ContainsSubStr')
      : [scalarText(left, 'ContainsSubStr')];
  return texts.some(
    (text) => text !== null && typeof text !== 'object' && String(text).includes(part),
  );
};

/** Tests for a key of an object or an element of a list. */
const propertyExists: Relation = (left, right) => {
  if (left === null || right === null) return false;
  if (isMap(left)) return Object.hasOwn(left, scalarText(right, 'PropertyExists'));
  return elements(left, 'PropertyExists').some((element) => equals(element, right));
};

const like: Relation = (left, right) =>
  left !== null && right !== null && isLike(scalarText(left, 'Like'), scalarText(right, 'Like'));

const matches: Relation = (left, right) =>
  left !== null &&
  right !== null &&
  matchesWhole(scalarText(left, 'Matches'), scalarText(right, 'Matches'));

/** Entries are separated by commas or line breaks (blanks count), or a list; each is a `Like`. */
const allowList: Relation = (left, right) => {
  if (left === null || right === null) return false;
  const text = scalarText(left, 'AllowList');
  const entries = isList(right)
    ? right.map((entry) => scalarText(entry, 'AllowList'))
    : scalarText(right, 'AllowList').split(/\r\n|[,\r\n]/);
  return entries.some((entry) => isLike(text, entry));
};

const TYPE_NAMES = {
  NUM: 'number',
  STR: 'text',
  BOOL: 'boolean',
  ARR: 'list',
  OBJ: 'object',
} as const;

const isTypeOf: Relation = (left, right) => {
  const name = toText(right).toUpperCase();
  if (!Object.hasOwn(TYPE_NAMES, name))
    throw mismatch('IsTypeOf', 'NUM, STR, BOOL, ARR or OBJ', right);
  return kindOf(left) === TYPE_NAMES[name as keyof typeof TYPE_NAMES];
};

export const relations: Readonly<Record<RelationName, Relation>> = {
  '=': equals,
  '!=': not(equals),
  '<': (left, right) => order(left, right) < 0,
  '<=': (left, right) => order(left, right) <= 0,
  '>': (left, right) => order(left, right) > 0,
  '>=': (left, right) => order(left, right) >= 0,
  Contains: contains,
  NotContains: not(contains),
  ContainsSubStr: containsSubStr,
  NotContainsSubStr: not(containsSubStr),
  PropertyExists: propertyExists,
  PropertyNotExists: not(propertyExists),
  Like: like,
  NotLike: not(like),
  Matches: matches,
  IsTypeOf: isTypeOf,
  AllowList: allowList,
  DenyList: not(allowList),
};

export const unaries: Readonly<Record<UnaryName, (value: Value) => boolean>> = {
  IsNull: (value) => value === null,
  NotNull: (value) => value !== null,
  IsEmpty: (value) => sizeOf(value, 'IsEmpty') === 0,
  NotEmpty: (value) => sizeOf(value, 'NotEmpty') > 0,
};

function sizeOf(value: Value, name: string): number {
  if (value === null) return 0;
  if (typeof value === 'string' || isList(value)) return value.length;
  if (isMap(value)) return Object.keys(value).length;
  throw mismatch(name, 'a list, an object or a text', value);
}

/** Null counts as an empty list. */
function elements(value: Value, name: string): readonly Value[] {
  if (value === null) return [];
  if (isList(value)) return value;
  throw mismatch(name, 'a list', value);
}

function scalarText(value: Value, name: string): string {
  if (value !== null && typeof value !== 'object') return String(value);
  throw mismatch(name, 'a text', value);
}

/** Names the type only: the value may be a secret. */
function mismatch(name: string, expected: string, value: Value): EngineError {
  return new EngineError(
    'EXPRESSION_TYPE_MISMATCH',
    `${name} needs ${expected}, found a value of kind ${kindOf(value)}.`,
  );
}
