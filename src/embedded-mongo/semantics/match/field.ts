import { badValue, unsupported } from '../errors';
import { exactInteger } from '../numbers';
import { visitPath } from '../paths';
import { isDocument, isNumeric, requireSupported } from '../values';
import type { Doc } from '../values';
import { anyOf, compared, equalTo, moduloOf } from './leaf';
import type { Hit, Leaf, Ordering } from './leaf';
import { compileRegex, regexLiteral, regexOperands } from './regex';
import { compileType } from './type-alias';

/** One condition on a field: a leaf, or the negation of several conditions together. */
export type Condition = { readonly leaf: Leaf } | { readonly not: readonly Condition[] };

/** Compiles a whole filter; handed in by the caller, since `$elemMatch` holds filters again. */
export type CompileDocument = (filter: Doc) => (doc: Doc, hit?: Hit) => boolean;

const refused = new Set([
  '$geoWithin', '$geoIntersects', '$near', '$nearSphere', '$within', '$maxDistance', '$minDistance', '$uniqueDocs', '$geoNear',
  '$bitsAllSet', '$bitsAllClear', '$bitsAnySet', '$bitsAnyClear', '$expr',
]);

/** Whether the value of a field is a set of operators: its first key decides. */
export const isOperators = (value: unknown): value is Doc =>
  isDocument(value) && (Object.keys(value)[0] ?? '').startsWith('$');

/**
 * The conditions a filter sets for one field: operators, a regular expression, or a value to equal.
 * @throws StoreError 2 for unknown operators and malformed operands, 115 for what is refused
 */
export function fieldConditions(value: unknown, compile: CompileDocument): Condition[] {
  if (isOperators(value)) return Object.keys(value).flatMap((name) => operatorConditions(name, value, compile));
  return [leaf(equalityOrRegex(value))];
}

/** Whether a document satisfies the conditions at a path. */
export function conditionsAtPath(conditions: readonly Condition[], path: string): (doc: Doc, hit?: Hit) => boolean {
  const parts = path.split('.');
  const holds = (condition: Condition, doc: Doc, hit?: Hit): boolean => {
    if ('not' in condition) return !condition.not.every((inner) => holds(inner, doc));
    const { expand, test } = condition.leaf;
    return visitPath(doc, parts, 0, expand, (value, index) => {
      if (!test(value, hit)) return false;
      if (hit !== undefined && index !== undefined) hit.index = index;
      return true;
    });
  };
  return (doc, hit) => conditions.every((condition) => holds(condition, doc, hit));
}

/** Whether a single value, such as an element under `$elemMatch`, satisfies the conditions. Arrays are not gone into. */
export function conditionsOnValue(conditions: readonly Condition[], value: unknown): boolean {
  return conditions.every((condition) =>
    ('not' in condition ? !conditionsOnValue(condition.not, value) : condition.leaf.test(value)));
}

const leaf = (of: Leaf): Condition => ({ leaf: of });
const not = (...conditions: Condition[]): Condition => ({ not: conditions });

function equalityOrRegex(value: unknown): Leaf {
  const regex = regexLiteral(value);
  return regex === undefined ? equalTo(operandOf(value)) : { expand: true, test: compileRegex(regex) };
}

function operandOf<T>(value: T): T {
  requireSupported(value);
  return value;
}

function operatorConditions(name: string, operators: Doc, compile: CompileDocument): Condition[] {
  const operand = operators[name];
  switch (name) {
    case '$eq': return [leaf(equalTo(operandOf(operand)))];
    case '$ne': return [not(leaf(equalTo(notARegex(name, operand))))];
    case '$gt': case '$gte': case '$lt': case '$lte': return [leaf(compared(name satisfies Ordering, notARegex(name, operand)))];
    case '$in': return [leaf(anyOf(inOperands(name, operand)))];
    case '$nin': return [not(leaf(anyOf(inOperands(name, operand))))];
    case '$exists': return [exists(operand)];
    case '$type': return [leaf({ expand: true, test: compileType(operand) })];
    case '$size': return [leaf(sizeOf(operand))];
    case '$mod': return [leaf(moduloOf(operand))];
    case '$all': return allOf(operand, compile);
    case '$elemMatch': return [leaf(elementMatch(operand, compile))];
    case '$not': return [negated(operand, compile)];
    case '$regex': return [leaf({ expand: true, test: compileRegex(regexOperands(operand, operators.$options)) })];
    case '$options':
      if (!Object.hasOwn(operators, '$regex')) throw badValue('$options needs a $regex');
      return [];
    default: throw refused.has(name) ? unsupported(`the query operator ${name} is`) : badValue(`unknown operator: ${name}`);
  }
}

function notARegex(name: string, operand: unknown): unknown {
  if (regexLiteral(operand) !== undefined) throw badValue(name === '$ne' ? "Can't have regex as arg to $ne." : `Can't have RegEx as arg to predicate over field with ${name}.`);
  return operandOf(operand);
}

function inOperands(name: string, operand: unknown): unknown[] {
  if (!Array.isArray(operand)) throw badValue(`${name} needs an array`);
  for (const element of operand as unknown[]) {
    if (isOperators(element)) throw badValue(`cannot nest $ under ${name}`);
    if (regexLiteral(element) === undefined) requireSupported(element);
  }
  return operand;
}

/** What counts as true where MongoDB takes any value for a switch. */
export const isTruthy = (value: unknown): boolean =>
  (isNumeric(value) ? (typeof value === 'number' ? value !== 0 : !value.isZero()) : value !== false && value !== null && value !== undefined);

function exists(operand: unknown): Condition {
  const present = leaf({ expand: false, test: (value) => value !== undefined });
  return isTruthy(operand) ? present : not(present);
}

function sizeOf(operand: unknown): Leaf {
  if (!isNumeric(operand)) throw badValue('Failed to parse $size. Expected a number');
  const size = exactInteger(operand);
  if (size === undefined) throw badValue('Failed to parse $size. Expected an integer');
  if (size < 0) throw badValue('Failed to parse $size. Expected a non-negative number');
  return { expand: false, test: (value) => Array.isArray(value) && value.length === size };
}

function allOf(operand: unknown, compile: CompileDocument): Condition[] {
  if (!Array.isArray(operand)) throw badValue('$all needs an array');
  if (operand.length === 0) return [leaf({ expand: false, test: () => false })];
  return (operand as unknown[]).map((element) => {
    if (!isOperators(element)) return leaf(equalityOrRegex(element));
    if (Object.keys(element)[0] !== '$elemMatch') throw badValue('no $ expressions in $all');
    if (Object.keys(element).length > 1) throw badValue('$all/$elemMatch has to be consistent');
    return leaf(elementMatch(element.$elemMatch, compile));
  });
}

function elementMatch(operand: unknown, compile: CompileDocument): Leaf {
  if (!isDocument(operand)) throw badValue('$elemMatch needs an Object');
  const matches = elementTest(operand, compile);
  return {
    expand: false,
    test: (value, hit) => {
      const index = Array.isArray(value) ? value.findIndex(matches) : -1;
      if (index >= 0 && hit !== undefined) hit.index = index;
      return index >= 0;
    },
  };
}

/** Operators test the element itself, anything else is a filter on an element that is a document (or an array, read as one). */
function elementTest(operand: Doc, compile: CompileDocument): (element: unknown) => boolean {
  const [first] = Object.keys(operand);
  if (isOperators(operand) && !['$and', '$or', '$nor'].includes(first)) {
    const conditions = fieldConditions(operand, compile);
    return (element) => conditionsOnValue(conditions, element);
  }
  const filter = compile(operand);
  return (element) => {
    if (isDocument(element)) return filter(element);
    return Array.isArray(element) && filter({ ...(element as unknown[]) });
  };
}

function negated(operand: unknown, compile: CompileDocument): Condition {
  if (regexLiteral(operand) !== undefined) return not(leaf(equalityOrRegex(operand)));
  if (!isDocument(operand)) throw badValue('$not needs a regex or a document');
  if (Object.keys(operand).length === 0) throw badValue('$not cannot be empty');
  if (!isOperators(operand)) throw badValue(`unknown operator: ${Object.keys(operand)[0]}`);
  return not(...fieldConditions(operand, compile));
}

/** Operators MongoDB knows only at the top of a filter. */
export const refusedTopLevel = (name: string): Error => {
  const known = ['$expr', '$where', '$text', '$jsonSchema', '$alwaysTrue', '$alwaysFalse', '$sampleRate', '$_internalExprEq'];
  if (known.includes(name)) return unsupported(`the query operator ${name} is`);
  return badValue(`unknown top level operator: ${name}. If you have a field name that starts with a '$' symbol, consider using $getField or $setField.`);
};

