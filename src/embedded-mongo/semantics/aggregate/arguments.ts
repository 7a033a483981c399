import { located } from '../errors';
import { isDocument, typeName } from '../values';
import type { CompileExpression, Expression, OperatorCompiler } from './expression';

/** Missing and null, which most operators answer with null. */
export const isNullish = (value: unknown): value is null | undefined => value === null || value === undefined;

/** The type as messages of the aggregation name it. */
export const named = (value: unknown): string => (value === undefined ? 'missing' : typeName(value));

/** Any number of arguments: an array of expressions, or a single one. */
export const manyArguments = (operand: unknown, compile: CompileExpression): Expression[] =>
  (Array.isArray(operand) ? operand : [operand]).map(compile);

/** @throws StoreError 16020 when the number of arguments differs */
export function exactArguments(name: string, operand: unknown, count: number, compile: CompileExpression): Expression[] {
  const found = manyArguments(operand, compile);
  if (found.length !== count) {
    throw located(16020, `Expression ${name} takes exactly ${count} arguments. ${found.length} were passed in.`);
  }
  return found;
}

/** @throws StoreError 28667 when there are fewer or more */
export function rangeOfArguments(name: string, operand: unknown, least: number, most: number, compile: CompileExpression): Expression[] {
  const found = manyArguments(operand, compile);
  if (found.length < least || found.length > most) {
    throw located(28667, `Expression ${name} takes at least ${least} arguments, and at most ${most}, but ${found.length} were passed in.`);
  }
  return found;
}

/** An operator of one argument. */
export const unary = (calculate: (value: unknown, name: string) => unknown): OperatorCompiler => (operand, compile, name) => {
  const [argument] = exactArguments(name, operand, 1, compile);
  return (scope) => calculate(argument(scope), name);
};

/** An operator of two arguments. */
export const binary = (calculate: (a: unknown, b: unknown, name: string) => unknown): OperatorCompiler => (operand, compile, name) => {
  const [a, b] = exactArguments(name, operand, 2, compile);
  return (scope) => calculate(a(scope), b(scope), name);
};

/**
 * The named arguments of an operator such as `$cond: { if, then, else }`.
 * @throws StoreError with `code` for another type of operand, an unknown name or a missing required one
 */
export function namedArguments(
  name: string, operand: unknown, names: { required: readonly string[]; optional: readonly string[] }, code: number,
): Record<string, unknown> {
  if (!isDocument(operand)) throw located(code, `${name} only supports an object as its argument`);
  const unknown = Object.keys(operand).find((key) => !names.required.includes(key) && !names.optional.includes(key));
  if (unknown !== undefined) throw located(code, `Unrecognized argument to ${name}: ${unknown}`);
  const missing = names.required.find((key) => !Object.hasOwn(operand, key));
  if (missing !== undefined) throw located(code, `Missing '${missing}' parameter to ${name}`);
  return operand;
}
