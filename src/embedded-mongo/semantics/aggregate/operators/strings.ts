import { ObjectId } from 'bson';
import { located, unsupported } from '../../errors';
import { isInt32, isLong, typeName } from '../../values';
import { binary, isNullish, manyArguments, named, unary } from '../arguments';
import type { OperatorCompiler } from '../expression';

const concat: OperatorCompiler = (operand, compile, name) => {
  const pieces = manyArguments(operand, compile);
  return (scope) => {
    let text = '';
    for (const piece of pieces) {
      const value = piece(scope);
      if (isNullish(value)) return null;
      if (typeof value !== 'string') throw located(16702, `${name} only supports strings, not ${named(value)}`);
      text += value;
    }
    return text;
  };
};

/** MongoDB changes the case of ASCII letters only, and coerces other types by rules not taken over here. */
const recased = (pattern: RegExp, change: (text: string) => string): OperatorCompiler => unary((value, name) => {
  if (isNullish(value)) return '';
  if (typeof value !== 'string') throw unsupported(`${name} of a value of type ${named(value)} is`);
  return value.replace(pattern, change);
});

function split(text: unknown, separator: unknown, name: string): unknown {
  if (isNullish(text) || isNullish(separator)) return null;
  if (typeof text !== 'string') throw located(40085, `${name} requires an expression that evaluates to a string as a first argument, found: ${named(text)}`);
  if (typeof separator !== 'string') throw located(40086, `${name} requires an expression that evaluates to a string as a second argument, found: ${named(separator)}`);
  if (separator === '') throw located(40087, `${name} requires a non-empty separator`);
  return text.split(separator);
}

function toText(value: unknown): unknown {
  if (isNullish(value)) return null;
  if (typeof value === 'string' || typeof value === 'boolean') return String(value);
  if (isLong(value)) return value.toString();
  if (typeof value === 'number' && isInt32(value)) return String(value);
  if (value instanceof ObjectId) return value.toHexString();
  if (value instanceof Date) return value.toISOString();
  throw unsupported(`$toString of a value of type ${named(value)} is`);
}

const length = unary((value, name) => {
  if (typeof value !== 'string') throw located(34471, `${name} requires a string argument, found: ${named(value)}`);
  return [...value].length;
});

export const stringOperators: Readonly<Record<string, OperatorCompiler>> = {
  $concat: concat,
  $toLower: recased(/[A-Z]+/g, (text) => text.toLowerCase()),
  $toUpper: recased(/[a-z]+/g, (text) => text.toUpperCase()),
  $split: binary(split),
  $strLenCP: length,
  $toString: unary(toText),
  $type: unary((value) => (value === undefined ? 'missing' : typeName(value))),
};
