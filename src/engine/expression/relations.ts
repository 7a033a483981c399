import { EngineError } from '../errors';
import { isList, isMap, kindOf, toText } from '../value';
import type { Value } from '../value';
import { equals, order } from './compare';
import { isLike, matchesWhole } from './patterns';
import type { RelationName, UnaryName } from './tree';

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
