import { EngineError } from '../errors';
import type { Value } from '../value';
import type { ArithmeticSign } from './tree';

const NUMERIC = /^\s*([+-]?)(\d+(?:\.\d*)?|\.\d+)(?:[eE]([+-]?\d+))?\s*$/;
const INTEGER = /^\s*[+-]?\d+\s*$/;
/** Maximum length of an integer text used in arithmetic, in characters. */
const MAX_INTEGER_LENGTH = 1_000;
/** Significant digits that every double keeps. */
const DOUBLE_DIGITS = 15;
/** Doubles from here on print with an exponent and are considered rounded. */
const MIN_EXPONENT_NOTATION = 1e21;

/** `0.DIGITS * 10^magnitude`, without leading or trailing zeros; zero has no digits. */
interface Decimal {
  readonly isNegative: boolean;
  readonly digits: string;
  readonly magnitude: number;
}

/** True for numbers and numeric texts. */
export const isNumeric = (value: Value): value is number | bigint | string =>
  typeof value === 'number' ||
  typeof value === 'bigint' ||
  (typeof value === 'string' && NUMERIC.test(value));

/** Compares two numeric values by their exact decimal value. Returns -1, 0 or 1. */
export function compareNumeric(
  left: number | bigint | string,
  right: number | bigint | string,
): number {
  if (typeof left !== 'string' && typeof right !== 'string')
    return Number(left > right) - Number(left < right);
  return compareDecimals(decimalOf(String(left)), decimalOf(String(right)));
}

function decimalOf(text: string): Decimal {
  const [, sign = '', mantissa = '0', exponent = '0'] = NUMERIC.exec(text) ?? [];
  const [integer = '', fraction = ''] = mantissa.split('.');
  const all = integer + fraction;
  const leading = /^0*/.exec(all)?.[0].length ?? 0;
  let end = all.length;
  while (end > leading && all[end - 1] === '0') end -= 1;
  const digits = all.slice(leading, end);
  return {
    isNegative: sign === '-' && digits !== '',
    digits,
    magnitude: digits === '' ? -Infinity : integer.length - leading + Number(exponent),
  };
}

function compareDecimals(left: Decimal, right: Decimal): number {
  if (left.isNegative !== right.isNegative) return left.isNegative ? -1 : 1;
  const sign = left.isNegative ? -1 : 1;
  if (left.magnitude !== right.magnitude) return left.magnitude < right.magnitude ? -sign : sign;
  if (left.digits === right.digits) return 0;
  return left.digits < right.digits ? -sign : sign;
}

/**
 * Double arithmetic, but exact for integers beyond 2^53; their division is exact if there is no
 * remainder.
 * @throws EngineError EXPRESSION_NUMBER_TOO_LARGE the result would be rounded
 */
export function calculateExact(
  left: number | bigint | string,
  sign: ArithmeticSign,
  right: number | bigint | string,
): number | bigint {
  const [first, second] = [operandOf(left), operandOf(right)];
  if (typeof first === 'number' && typeof second === 'number') {
    const result = DOUBLES[sign](first, second);
    if (sign === '/' || !isLargeInteger(first, second, result)) return result;
  }
  if (!isExactInteger(first) || !isExactInteger(second)) throw tooLarge();
  return calculateIntegers(BigInt(first), sign, BigInt(second));
}

const DOUBLES: Readonly<Record<ArithmeticSign, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '%': (left, right) => left % right,
};

function calculateIntegers(left: bigint, sign: ArithmeticSign, right: bigint): number | bigint {
  switch (sign) {
    case '+':
      return narrowed(left + right);
    case '-':
      return narrowed(left - right);
    case '*':
      return narrowed(left * right);
    case '%':
      return narrowed(left % right);
    case '/':
      return left % right === 0n ? narrowed(left / right) : Number(left) / Number(right);
  }
}

/** At least one integer is beyond 2^53, and none is so large that it is known to be rounded. */
const isLargeInteger = (...numbers: readonly number[]): boolean =>
  numbers.every((number) => Number.isInteger(number) && Math.abs(number) < MIN_EXPONENT_NOTATION) &&
  numbers.some((number) => !Number.isSafeInteger(number));

const isExactInteger = (value: number | bigint): boolean =>
  typeof value === 'bigint' || (Number.isInteger(value) && Math.abs(value) < MIN_EXPONENT_NOTATION);

function narrowed(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/**
 * @throws EngineError EXPRESSION_NUMBER_TOO_LARGE a non-integer with too many digits for a double
 */
function operandOf(value: number | bigint | string): number | bigint {
  if (typeof value !== 'string') return value;
  const number = Number(value);
  if (Math.abs(number) <= Number.MAX_SAFE_INTEGER) return number;
  if (INTEGER.test(value)) {
    if (value.length > MAX_INTEGER_LENGTH) throw tooLarge();
    return BigInt(value.trim().replace(/^\+/, ''));
  }
  if (decimalOf(value).digits.length > DOUBLE_DIGITS) throw tooLarge();
  return number;
}

const tooLarge = (): EngineError =>
  new EngineError('EXPRESSION_NUMBER_TOO_LARGE', 'A number beyond 2^53 would be rounded.');
