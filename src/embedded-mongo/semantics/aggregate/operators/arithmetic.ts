import { Long } from 'bson';
import { badValue, located, typeMismatch, unsupported } from '../../errors';
import { multiply, subtract, toDouble } from '../../numbers';
import type { Numeric } from '../../numbers';
import { isInt32, isLong, isNumeric } from '../../values';
import { binary, isNullish, manyArguments, named, unary } from '../arguments';
import type { OperatorCompiler } from '../expression';
import { Sum } from '../sum';

const exactly = (result: Numeric | undefined, name: string): Numeric => {
  if (result === undefined) throw unsupported(`an int64 overflow in ${name} is`);
  return result;
};

/** Numbers, or numbers and one date. */
const add: OperatorCompiler = (operand, compile, name) => {
  const terms = manyArguments(operand, compile);
  return (scope) => {
    const values = terms.map((term) => term(scope));
    if (values.some(isNullish)) return null;
    const sum = new Sum();
    let date: Date | undefined;
    for (const value of values) {
      if (isNumeric(value)) sum.add(value);
      else if (!(value instanceof Date)) throw typeMismatch(`${name} only supports numeric or date types, not ${named(value)}`);
      else if (date !== undefined) throw located(16612, `only one date allowed in an ${name} expression`);
      else date = value;
    }
    return date === undefined ? sum.total() : shifted(date, sum.asDouble());
  };
};

const shifted = (date: Date, milliseconds: number): Date => new Date(date.getTime() + Math.trunc(milliseconds));

function minus(a: unknown, b: unknown, name: string): unknown {
  if (isNullish(a) || isNullish(b)) return null;
  if (isNumeric(a) && isNumeric(b)) return exactly(subtract(a, b), name);
  if (a instanceof Date && b instanceof Date) return Long.fromNumber(a.getTime() - b.getTime());
  if (a instanceof Date && isNumeric(b)) return shifted(a, -toDouble(b));
  throw typeMismatch(`can't ${name} ${named(b)} from ${named(a)}`);
}

const product: OperatorCompiler = (operand, compile, name) => {
  const factors = manyArguments(operand, compile);
  return (scope) => {
    const values = factors.map((factor) => factor(scope));
    if (values.some(isNullish)) return null;
    return values.reduce<Numeric>((result, value) => exactly(multiply(result, requireNumber(value, name)), name), 1);
  };
};

function requireNumber(value: unknown, name: string): Numeric {
  if (!isNumeric(value)) throw typeMismatch(`${name} only supports numeric types, not ${named(value)}`);
  return value;
}

function divide(a: unknown, b: unknown, name: string): unknown {
  if (isNullish(a) || isNullish(b)) return null;
  const [dividend, divisor] = [toDouble(requireNumber(a, name)), toDouble(requireNumber(b, name))];
  if (divisor === 0) throw badValue(`can't ${name} by zero`);
  return dividend / divisor;
}

function modulo(a: unknown, b: unknown, name: string): unknown {
  if (isNullish(a) || isNullish(b)) return null;
  if (!isNumeric(a) || !isNumeric(b)) throw located(16611, `${name} only supports numeric types, not ${named(a)} and ${named(b)}`);
  if (toDouble(b) === 0) throw located(16610, `can't ${name} by zero`);
  const isWhole = [a, b].every((value) => isLong(value) || isInt32(value));
  if (!isWhole) return toDouble(a) % toDouble(b);
  if (!isLong(a) && !isLong(b)) return (a % b) + 0;
  return Long.fromBigInt(BigInt(a.toString()) % BigInt(b.toString()));
}

const rounded = (round: (value: number) => number): OperatorCompiler => unary((value, name) => {
  if (isNullish(value)) return null;
  if (!isNumeric(value)) throw located(28765, `${name} only supports numeric types, not ${named(value)}`);
  return isLong(value) ? value : round(value) + 0;
});

const absolute = unary((value, name) => {
  if (isNullish(value)) return null;
  if (!isNumeric(value)) throw located(28765, `${name} only supports numeric types, not ${named(value)}`);
  if (!isLong(value)) return Math.abs(value);
  if (value.eq(Long.MIN_VALUE)) throw located(28680, "can't take $abs of long long min");
  return value.isNegative() ? value.negate() : value;
});

export const arithmeticOperators: Readonly<Record<string, OperatorCompiler>> = {
  $add: add, $subtract: binary(minus), $multiply: product, $divide: binary(divide), $mod: binary(modulo),
  $abs: absolute, $ceil: rounded(Math.ceil), $floor: rounded(Math.floor),
};
