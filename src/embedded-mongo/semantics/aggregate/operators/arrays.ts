import { located } from '../../errors';
import { isTruthy } from '../../match/field';
import { exactInteger } from '../../numbers';
import { valuesEqual } from '../../order';
import { assignField, isDocument } from '../../values';
import type { Doc } from '../../values';
import { binary, isNullish, manyArguments, named, namedArguments, rangeOfArguments, unary } from '../arguments';
import { withVariable } from '../expression';
import type { OperatorCompiler } from '../expression';

const size = unary((value, name) => {
  if (!Array.isArray(value)) throw located(17124, `The argument to ${name} must be an array, but was of type: ${named(value)}`);
  return value.length;
});

function elementAt(array: unknown, index: unknown, name: string): unknown {
  if (isNullish(array) || isNullish(index)) return null;
  if (!Array.isArray(array)) throw located(28689, `${name}'s first argument must be an array, but is ${named(array)}`);
  const place = exactInteger(index);
  if (place === undefined) throw located(28690, `${name}'s second argument must be a numeric value, but is ${named(index)}`);
  return (array as unknown[]).at(place);
}

const edge = (place: 0 | -1): OperatorCompiler => unary((array, name) => {
  if (isNullish(array)) return null;
  if (!Array.isArray(array)) throw located(28689, `${name}'s argument must be an array, but is ${named(array)}`);
  return (array as unknown[]).at(place);
});

function contains(value: unknown, array: unknown, name: string): boolean {
  if (!Array.isArray(array)) throw located(40081, `${name} requires an array as a second argument, found: ${named(array)}`);
  return array.some((element) => valuesEqual(element, value));
}

const concatArrays: OperatorCompiler = (operand, compile, name) => {
  const parts = manyArguments(operand, compile);
  return (scope) => {
    const arrays = parts.map((part) => part(scope));
    if (arrays.some(isNullish)) return null;
    return arrays.flatMap((array) => {
      if (!Array.isArray(array)) throw located(28664, `${name} only supports arrays, not ${named(array)}`);
      return array as unknown[];
    });
  };
};

const slice: OperatorCompiler = (operand, compile, name) => {
  const parts = rangeOfArguments(name, operand, 2, 3, compile);
  return (scope) => {
    const [array, ...numbers] = parts.map((part) => part(scope));
    if (isNullish(array) || numbers.some(isNullish)) return null;
    if (!Array.isArray(array)) throw located(28724, `First argument to ${name} must be an array, but is of type: ${named(array)}`);
    const [first, count] = numbers.map((number) => wholeNumber(number, name));
    if (count === undefined) return (first < 0 ? array.slice(first) : array.slice(0, first)) as unknown[];
    if (count <= 0) throw located(28729, `Third argument to ${name} must be positive: ${count}`);
    const from = first < 0 ? Math.max(0, array.length + first) : first;
    return array.slice(from, from + count) as unknown[];
  };
};

function wholeNumber(value: unknown, name: string): number {
  const number = exactInteger(value);
  if (number === undefined) throw located(28726, `Arguments to ${name} can't be represented as 32-bit integers`);
  return number;
}

const filter: OperatorCompiler = (operand, compile, name) => {
  const { input, as = 'this', cond } = namedArguments(name, operand, { required: ['input', 'cond'], optional: ['as'] }, 28648);
  const [source, test, variable] = [compile(input), compile(cond), variableName(as)];
  return (scope) => inArray(source(scope), name, (array) =>
    array.filter((element) => isTruthy(test(withVariable(scope, variable, element)))));
};

const map: OperatorCompiler = (operand, compile, name) => {
  const { input, as = 'this', in: body } = namedArguments(name, operand, { required: ['input', 'in'], optional: ['as'] }, 16880);
  const [source, change, variable] = [compile(input), compile(body), variableName(as)];
  return (scope) => inArray(source(scope), name, (array) =>
    array.map((element) => change(withVariable(scope, variable, element)) ?? null));
};

function inArray(value: unknown, name: string, work: (array: unknown[]) => unknown[]): unknown {
  if (isNullish(value)) return null;
  if (!Array.isArray(value)) throw located(name === '$map' ? 16883 : 28651, `input to ${name} must be an array not ${named(value)}`);
  return work(value);
}

function variableName(name: unknown): string {
  if (typeof name === 'string' && /^[a-z][a-zA-Z0-9_]*$/.test(name)) return name;
  throw located(16867, 'a variable name must start with a lower case letter');
}

const mergeObjects: OperatorCompiler = (operand, compile, name) => {
  const parts = manyArguments(operand, compile);
  return (scope) => parts.reduce<Doc>((merged, part) => {
    const value = part(scope);
    if (isNullish(value)) return merged;
    if (!isDocument(value)) throw located(40400, `${name} requires object inputs, but input is of type ${named(value)}`);
    for (const [key, inner] of Object.entries(value)) assignField(merged, key, inner);
    return merged;
  }, {});
};

export const arrayOperators: Readonly<Record<string, OperatorCompiler>> = {
  $size: size,
  $arrayElemAt: binary(elementAt),
  $first: edge(0),
  $last: edge(-1),
  $in: binary(contains),
  $isArray: unary((value) => Array.isArray(value)),
  $concatArrays: concatArrays,
  $slice: slice,
  $filter: filter,
  $map: map,
  $mergeObjects: mergeObjects,
};
