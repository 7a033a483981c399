import { encodeValue } from '../storage/keys';
import { StoreError, unsupported } from '../errors';
import { compareValues, toDouble, typeRank, valuesEqual } from '../values/compare';
import { topLevel, visitPath } from '../values/paths';
import { isDocument, isNumeric, requireSupported } from '../values/values';
import type { Doc } from '../values/values';
import { compileRegex, regexLiteral, regexOperands } from './regex';

/** A compiled query. */
export interface Filter {
  readonly test: (doc: Doc) => boolean;
  /** Top-level fields that the test reads; the other fields do not affect the result. */
  readonly fields: ReadonlySet<string>;
}

type Node = (doc: Doc) => boolean;

/** Maximum nesting of queries. */
const maximumDepth = 100;

/**
 * Compiles a MongoDB query.
 * @throws StoreError 2 (BadValue) unknown operator or malformed operand, 115 operator or type that
 *   is not supported
 */
export function compileFilter(filter: Doc): Filter {
  const fields = new Set<string>();
  return { test: compileNode(filter, 0, fields), fields };
}

function compileNode(filter: Doc, depth: number, fields: Set<string>): Node {
  if (depth > maximumDepth)
    throw new StoreError('BadValue', `exceeded maximum query tree depth of ${maximumDepth}`);
  const nodes = Object.entries(filter).flatMap(([key, value]) =>
    compileEntry(key, value, depth, fields),
  );
  if (nodes.length === 1) return nodes[0];
  return (doc) => nodes.every((node) => node(doc));
}

function compileEntry(key: string, value: unknown, depth: number, fields: Set<string>): Node[] {
  if (key === '$and' || key === '$or' || key === '$nor')
    return [compileLogical(key, value, depth, fields)];
  if (key.startsWith('$')) throw topLevelOperatorError(key);
  fields.add(topLevel(key));
  return [conditionsAtPath(fieldConditions(value), key)];
}

function compileLogical(
  operator: '$and' | '$or' | '$nor',
  operand: unknown,
  depth: number,
  fields: Set<string>,
): Node {
  if (!Array.isArray(operand) || operand.length === 0)
    throw new StoreError('BadValue', '$and/$or/$nor must be a nonempty array');
  const nodes = (operand as unknown[]).map((clause) => {
    if (!isDocument(clause))
      throw new StoreError('BadValue', '$or/$and/$nor entries need to be full objects');
    return compileNode(clause, depth + 1, fields);
  });
  if (operator === '$and') return (doc) => nodes.every((node) => node(doc));
  if (operator === '$or') return (doc) => nodes.some((node) => node(doc));
  return (doc) => !nodes.some((node) => node(doc));
}

/** One condition on a field: tests the values found at its path; undefined means missing. */
interface Condition {
  /** Whether an array at the end of the path is also tested element by element. */
  readonly expand: boolean;
  readonly test: (value: unknown) => boolean;
  /** Holds if no value at the path passes. */
  readonly negated?: true;
}

type Ordering = '$gt' | '$gte' | '$lt' | '$lte';

/** MongoDB operators that are not supported. */
const UNSUPPORTED_OPERATORS = new Set(
  `$not $type $size $mod $all $elemMatch $geoWithin $geoIntersects $near $nearSphere $within
   $maxDistance $minDistance $uniqueDocs $geoNear $bitsAllSet $bitsAllClear $bitsAnySet $bitsAnyClear
   $expr`.split(/\s+/),
);

/** Whether the value of a field is a set of operators: its first key decides. */
export const isOperators = (value: unknown): value is Doc =>
  isDocument(value) && (Object.keys(value)[0] ?? '').startsWith('$');

/** Truthiness as in MongoDB for options of any type. */
export const isTruthy = (value: unknown): boolean =>
  isNumeric(value)
    ? toDouble(value) !== 0
    : value !== false && value !== null && value !== undefined;

/**
 * The conditions a filter sets for one field: operators, a regular expression, or a value to equal.
 * @throws StoreError 2 for unknown operators and malformed operands, 115 for unsupported ones
 */
function fieldConditions(value: unknown): Condition[] {
  if (isOperators(value))
    return Object.keys(value).flatMap((name) => operatorConditions(name, value));
  const regex = regexLiteral(value);
  return [
    regex === undefined ? equalTo(supported(value)) : { expand: true, test: compileRegex(regex) },
  ];
}

/** Whether a document satisfies the conditions at a path. */
function conditionsAtPath(conditions: readonly Condition[], path: string): (doc: Doc) => boolean {
  const parts = path.split('.');
  return (doc) =>
    conditions.every(
      ({ expand, test, negated }) => visitPath(doc, parts, 0, expand, test) !== (negated === true),
    );
}

const not = (condition: Condition): Condition => ({ ...condition, negated: true });

function supported<T>(value: T): T {
  requireSupported(value);
  return value;
}

function operatorConditions(name: string, operators: Doc): Condition[] {
  const operand = operators[name];
  switch (name) {
    case '$eq':
      return [equalTo(supported(operand))];
    case '$ne':
      return [not(equalTo(notARegex(name, operand)))];
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      return [compared(name satisfies Ordering, notARegex(name, operand))];
    case '$in':
      return [anyOf(inOperands(name, operand))];
    case '$nin':
      return [not(anyOf(inOperands(name, operand)))];
    case '$exists':
      return [isTruthy(operand) ? present : not(present)];
    case '$regex':
      return [{ expand: true, test: compileRegex(regexOperands(operand, operators.$options)) }];
    case '$options':
      if (!Object.hasOwn(operators, '$regex'))
        throw new StoreError('BadValue', '$options needs a $regex');
      return [];
    default:
      throw UNSUPPORTED_OPERATORS.has(name)
        ? unsupported(`the query operator ${name} is`)
        : new StoreError('BadValue', `unknown operator: ${name}`);
  }
}

function notARegex(name: string, operand: unknown): unknown {
  if (regexLiteral(operand) !== undefined)
    throw new StoreError(
      'BadValue',
      name === '$ne'
        ? "Can't have regex as arg to $ne."
        : `Can't have RegEx as arg to predicate over field with ${name}.`,
    );
  return supported(operand);
}

function inOperands(name: string, operand: unknown): unknown[] {
  if (!Array.isArray(operand)) throw new StoreError('BadValue', `${name} needs an array`);
  for (const element of operand as unknown[]) {
    if (isOperators(element)) throw new StoreError('BadValue', `cannot nest $ under ${name}`);
    if (regexLiteral(element) === undefined) requireSupported(element);
  }
  return operand;
}

const present: Condition = { expand: false, test: (value) => value !== undefined };

/** Equality; null also matches missing. */
function equalTo(operand: unknown): Condition {
  if (operand === null)
    return { expand: true, test: (value) => value === null || value === undefined };
  if (typeof operand === 'string' || typeof operand === 'boolean')
    return { expand: true, test: (value) => value === operand };
  return { expand: true, test: (value) => value !== undefined && valuesEqual(value, operand) };
}

/** Order comparison within the operand's type; values of other types never match. */
function compared(operator: Ordering, operand: unknown): Condition {
  const withEquality = operator === '$gte' || operator === '$lte';
  if (operand === null)
    return {
      expand: true,
      test: (value) => withEquality && (value === null || value === undefined),
    };
  if (Number.isNaN(operand))
    return { expand: true, test: (value) => withEquality && Number.isNaN(value) };
  const rank = typeRank(operand);
  const accepts = acceptedOrder[operator];
  return {
    expand: true,
    test: (value) =>
      value !== undefined &&
      !Number.isNaN(value) &&
      typeRank(value) === rank &&
      accepts(compareValues(value, operand)),
  };
}

const acceptedOrder: Readonly<Record<Ordering, (order: number) => boolean>> = {
  $gt: (order) => order > 0,
  $gte: (order) => order >= 0,
  $lt: (order) => order < 0,
  $lte: (order) => order <= 0,
};

/** `$in`: any of the values or regular expressions. */
function anyOf(operands: readonly unknown[]): Condition {
  const patterns = operands.flatMap((operand) => regexLiteral(operand) ?? []).map(compileRegex);
  const values = operands.filter((operand) => regexLiteral(operand) === undefined);
  const isValue = memberOf(values);
  const takesMissing = values.includes(null);
  return {
    expand: true,
    test: (value) =>
      value === undefined
        ? takesMissing
        : isValue(value) || patterns.some((matches) => matches(value)),
  };
}

/** Long lists, as from `populate`, use a set of keys. */
function memberOf(values: readonly unknown[]): (value: unknown) => boolean {
  if (values.length <= 8) return (value) => values.some((other) => valuesEqual(value, other));
  const keys = new Set(values.map(keyOf));
  return (value) => keys.has(keyOf(value));
}

/** Equal values have equal keys. */
const keyOf = (value: unknown): string => encodeValue(value).toString('latin1');

const UNSUPPORTED_TOP_LEVEL = new Set(
  '$comment $expr $where $text $jsonSchema $alwaysTrue $alwaysFalse $sampleRate $_internalExprEq'.split(
    ' ',
  ),
);

/** Error for top-level operators of MongoDB. */
const topLevelOperatorError = (name: string): Error => {
  if (UNSUPPORTED_TOP_LEVEL.has(name)) return unsupported(`the query operator ${name} is`);
  return new StoreError(
    'BadValue',
    `unknown top level operator: ${name}. If you have a field name that starts with a '$' symbol, consider using $getField or $setField.`,
  );
};
