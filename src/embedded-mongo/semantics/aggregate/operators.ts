import { Long } from 'bson';
import { badValue, located, typeMismatch, unsupported } from '../errors';
import { isTruthy } from '../match/conditions';
import { subtract, toDouble } from '../numbers';
import { compareValues } from '../order';
import { doubleOf, isDocument, isNumeric, typeName } from '../values';
import type { Doc } from '../values';

/** A compiled expression; undefined means missing. */
export type Expression = (doc: Doc) => unknown;

export type CompileExpression = (expression: unknown) => Expression;

/** Compiles the operand of an operator; `compile` compiles nested expressions. */
export type OperatorCompiler = (
  operand: unknown,
  compile: CompileExpression,
  name: string,
) => Expression;

/** Missing or null; most operators return null for them. */
export const isNullish = (value: unknown): value is null | undefined =>
  value === null || value === undefined;

/** Type name for error messages of the aggregation. */
export const named = (value: unknown): string =>
  value === undefined ? 'missing' : typeName(value);

/** Any number of arguments: an array of expressions, or a single one. */
const manyArguments = (operand: unknown, compile: CompileExpression): Expression[] =>
  (Array.isArray(operand) ? operand : [operand]).map(compile);

/** @throws StoreError 16020 when the number of arguments differs */
function exactArguments(
  name: string,
  operand: unknown,
  count: number,
  compile: CompileExpression,
): Expression[] {
  const found = manyArguments(operand, compile);
  if (found.length !== count) {
    throw located(
      16020,
      `Expression ${name} takes exactly ${count} arguments. ${found.length} were passed in.`,
    );
  }
  return found;
}

const binary =
  (calculate: (a: unknown, b: unknown, name: string) => unknown): OperatorCompiler =>
  (operand, compile, name) => {
    const [a, b] = exactArguments(name, operand, 2, compile);
    return (doc) => calculate(a(doc), b(doc), name);
  };

/**
 * Compiles the named arguments of an operator such as `$cond: { if, then, else }`.
 * @throws StoreError with `code` for an invalid operand, an unknown name or a missing argument
 */
export function namedArguments(
  name: string,
  operand: unknown,
  names: { required: readonly string[]; optional: readonly string[] },
  code: number,
): Record<string, unknown> {
  if (!isDocument(operand)) throw located(code, `${name} only supports an object as its argument`);
  const unknown = Object.keys(operand).find(
    (key) => !names.required.includes(key) && !names.optional.includes(key),
  );
  if (unknown !== undefined) throw located(code, `Unrecognized argument to ${name}: ${unknown}`);
  const missing = names.required.find((key) => !Object.hasOwn(operand, key));
  if (missing !== undefined) throw located(code, `Missing '${missing}' parameter to ${name}`);
  return operand;
}

const compared = (accepts: (order: number) => boolean): OperatorCompiler =>
  binary((a, b) => accepts(compareValues(a, b)));

const condition: OperatorCompiler = (operand, compile, name) => {
  const [test, yes, no] = isDocument(operand)
    ? branches(operand, compile, name)
    : exactArguments(name, operand, 3, compile);
  return (doc) => (isTruthy(test(doc)) ? yes(doc) : no(doc));
};

function branches(operand: unknown, compile: CompileExpression, name: string): Expression[] {
  const given = namedArguments(
    name,
    operand,
    { required: [], optional: ['if', 'then', 'else'] },
    17083,
  );
  return (['if', 'then', 'else'] as const).map((branch, index) => {
    if (!Object.hasOwn(given, branch))
      throw located(17080 + index, `Missing '${branch}' parameter to ${name}`);
    return compile(given[branch]);
  });
}

const ifNull: OperatorCompiler = (operand, compile, name) => {
  const candidates = manyArguments(operand, compile);
  if (candidates.length < 2)
    throw located(1257300, `${name} needs at least two arguments, had: ${candidates.length}`);
  return (doc) => {
    for (const candidate of candidates.slice(0, -1)) {
      const value = candidate(doc);
      if (!isNullish(value)) return value;
    }
    return candidates[candidates.length - 1](doc);
  };
};

const all: OperatorCompiler = (operand, compile) => {
  const tests = manyArguments(operand, compile);
  return (doc) => tests.every((test) => isTruthy(test(doc)));
};

const any: OperatorCompiler = (operand, compile) => {
  const tests = manyArguments(operand, compile);
  return (doc) => tests.some((test) => isTruthy(test(doc)));
};

const not: OperatorCompiler = (operand, compile, name) => {
  const [test] = exactArguments(name, operand, 1, compile);
  return (doc) => !isTruthy(test(doc));
};

/** Subtracts numbers, two dates (result in milliseconds), or milliseconds from a date. */
function minus(a: unknown, b: unknown, name: string): unknown {
  if (isNullish(a) || isNullish(b)) return null;
  if (isNumeric(a) && isNumeric(b)) {
    const difference = subtract(a, b);
    if (difference === undefined) throw unsupported(`an int64 overflow in ${name} is`);
    return difference;
  }
  if (a instanceof Date && b instanceof Date) return Long.fromNumber(a.getTime() - b.getTime());
  if (a instanceof Date && isNumeric(b)) return new Date(a.getTime() - Math.trunc(toDouble(b)));
  throw typeMismatch(`can't ${name} ${named(b)} from ${named(a)}`);
}

function divided(a: unknown, b: unknown, name: string): unknown {
  if (isNullish(a) || isNullish(b)) return null;
  for (const value of [a, b])
    if (!isNumeric(value))
      throw typeMismatch(`${name} only supports numeric types, not ${named(value)}`);
  const [dividend, divisor] = [toDouble(a as number), toDouble(b as number)];
  if (divisor === 0) throw badValue(`can't ${name} by zero`);
  return doubleOf(dividend / divisor);
}

export const operators: Readonly<Record<string, OperatorCompiler>> = {
  $eq: compared((order) => order === 0),
  $ne: compared((order) => order !== 0),
  $gt: compared((order) => order > 0),
  $gte: compared((order) => order >= 0),
  $lt: compared((order) => order < 0),
  $lte: compared((order) => order <= 0),
  $and: all,
  $or: any,
  $not: not,
  $cond: condition,
  $ifNull: ifNull,
  $subtract: binary(minus),
  $divide: binary(divided),
};
