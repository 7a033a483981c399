import { EngineError } from '../errors';
import { findReference, resolveReference } from '../reference/resolve';
import { loopOf } from '../reference/scope';
import type { Scope } from '../reference/scope';
import { isList, isMap, kindOf, toText, withoutBytes } from '../value';
import type { Value } from '../value';
import { calculateExact, isNumeric } from './numbers';
import { relations, unaries } from './relations';
import type { ArithmeticSign, ArithmeticTerm, Expression, RelationName } from './tree';

type Relation = Extract<Expression, { kind: 'relation' }>;

const LOOKING_THROUGH_LISTS: ReadonlySet<RelationName> = new Set<RelationName>([
  'Contains',
  'NotContains',
  'ContainsSubStr',
  'NotContainsSubStr',
]);
const LOOKING_FOR_NAMES: ReadonlySet<RelationName> = new Set<RelationName>([
  'PropertyExists',
  'PropertyNotExists',
]);

/**
 * Evaluates an expression. `&&` and `||` short-circuit.
 * @throws EngineError EXPRESSION_TYPE_MISMATCH, EXPRESSION_BAD_PATTERN,
 *   EXPRESSION_DIVISION_BY_ZERO, ITERATOR_UNKNOWN, VALUE_TOO_LARGE
 */
export function evaluate(expression: Expression, scope: Scope): Value {
  try {
    return valueOf(expression, scope);
  } catch (error) {
    // Comparison by value is recursive, so deeply nested values overflow the stack.
    if (error instanceof RangeError)
      throw new EngineError('VALUE_TOO_LARGE', 'A value is nested too deeply to be compared.');
    throw error;
  }
}

function valueOf(expression: Expression, scope: Scope): Value {
  switch (expression.kind) {
    case 'or':
      return expression.operands.some((operand) => truth(operand, scope, 'OR'));
    case 'and':
      return expression.operands.every((operand) => truth(operand, scope, 'AND'));
    case 'not':
      return !truth(expression.operand, scope, 'NOT');
    case 'relation':
      return relations[expression.name](
        leftOf(expression, scope),
        valueOf(expression.right, scope),
      );
    case 'unary':
      return unaries[expression.name](valueOrNull(expression.operand, scope));
    case 'sum':
    case 'product':
      return fold(expression.first, expression.rest, scope);
    case 'literal':
      return expression.value;
    case 'list':
      return expression.items.map((item) => valueOf(item, scope));
    case 'reference':
      return withoutBytes(resolveReference(expression.reference, scope));
    case 'webhook':
      return scope.webhookParameter(expression.parameter);
    case 'iterator':
      return iteratorValue(expression.name, scope);
  }
}

/**
 * List relations treat a single XML element as a list of one, unless it contains other elements.
 */
function leftOf({ name, left, right }: Relation, scope: Scope): Value {
  const isCheck = LOOKING_FOR_NAMES.has(name) || isComparisonWithNull(name, right);
  const value = isCheck ? valueOrNull(left, scope) : valueOf(left, scope);
  if (
    left.kind !== 'reference' ||
    isList(value) ||
    !(LOOKING_THROUGH_LISTS.has(name) || (LOOKING_FOR_NAMES.has(name) && !isMap(value)))
  )
    return value;
  return withoutBytes(findReference(left.reference, scope, true));
}

const isComparisonWithNull = (name: RelationName, right: Expression): boolean =>
  (name === '=' || name === '!=') && right.kind === 'literal' && right.value === null;

/** The value of an operand that the expression checks for null: a missing one is no mistake. */
const valueOrNull = (operand: Expression, scope: Scope): Value =>
  operand.kind === 'reference'
    ? withoutBytes(findReference(operand.reference, scope))
    : valueOf(operand, scope);

function truth(operand: Expression, scope: Scope, name: string): boolean {
  const value = valueOf(operand, scope);
  if (typeof value === 'boolean') return value;
  throw new EngineError(
    'EXPRESSION_TYPE_MISMATCH',
    `${name} needs true or false, found a value of kind ${kindOf(value)}.`,
  );
}

function fold(first: Expression, rest: readonly ArithmeticTerm[], scope: Scope): Value {
  let result = valueOf(first, scope);
  for (const term of rest) result = calculate(result, term.sign, valueOf(term.value, scope));
  return result;
}

/** `+` concatenates if one side is text; otherwise numeric texts count as numbers. */
function calculate(left: Value, sign: ArithmeticSign, right: Value): Value {
  if (sign === '+' && (typeof left === 'string' || typeof right === 'string'))
    return joined(left, right);
  if (!isNumeric(left) || !isNumeric(right)) {
    throw new EngineError(
      'EXPRESSION_TYPE_MISMATCH',
      `"${sign}" needs numbers, found a value of kind ${kindOf(isNumeric(left) ? right : left)}.`,
    );
  }
  if (Number(right) === 0 && (sign === '/' || sign === '%'))
    throw new EngineError('EXPRESSION_DIVISION_BY_ZERO', `The right side of "${sign}" is 0.`);
  return finite(calculateExact(left, sign, right));
}

/** Concatenates: 1 + "1" is "11". */
const joined = (left: Value, right: Value): string => toText(left) + toText(right);

function finite(result: number | bigint): number | bigint {
  if (typeof result === 'bigint' || Number.isFinite(result)) return result;
  throw new EngineError('EXPRESSION_TYPE_MISMATCH', 'The result is no finite number.');
}

function iteratorValue(name: string, scope: Scope): Value {
  const frame = loopOf(scope, name);
  if (frame === undefined)
    throw new EngineError('ITERATOR_UNKNOWN', `No running loop has the iterator "${name}".`);
  return frame.value;
}
