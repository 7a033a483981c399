import { compareValues, typeRank, valuesEqual } from '../order';
import { badValue } from '../errors';
import { truncateToInt64 } from '../numbers';
import { valueKey } from '../value-key';
import { isNumeric } from '../values';
import { compileRegex, regexLiteral } from './regex';

/** Where in an array a filter was satisfied; what the positional `$` refers to. */
export interface Hit {
  index?: number;
}

/** A test of one value found at a path; undefined means missing. */
export interface Leaf {
  /** Whether an array at the end of the path is also tested element by element. */
  readonly expand: boolean;
  readonly test: (value: unknown, hit?: Hit) => boolean;
}

export type Ordering = '$gt' | '$gte' | '$lt' | '$lte';

/** Equality; null also matches missing. */
export function equalTo(operand: unknown): Leaf {
  if (operand === null) return { expand: true, test: (value) => value === null || value === undefined };
  if (typeof operand === 'string' || typeof operand === 'boolean') return { expand: true, test: (value) => value === operand };
  return { expand: true, test: (value) => value !== undefined && valuesEqual(value, operand) };
}

/** Order comparison within the operand's type; values of other types never match. */
export function compared(operator: Ordering, operand: unknown): Leaf {
  const withEquality = operator === '$gte' || operator === '$lte';
  if (operand === null) return { expand: true, test: (value) => withEquality && (value === null || value === undefined) };
  if (Number.isNaN(operand)) return { expand: true, test: (value) => withEquality && Number.isNaN(value) };
  const rank = typeRank(operand);
  const accepts = acceptedOrder[operator];
  return {
    expand: true,
    test: (value) => value !== undefined && !Number.isNaN(value) && typeRank(value) === rank && accepts(compareValues(value, operand)),
  };
}

const acceptedOrder: Readonly<Record<Ordering, (order: number) => boolean>> = {
  $gt: (order) => order > 0, $gte: (order) => order >= 0, $lt: (order) => order < 0, $lte: (order) => order <= 0,
};

/** `$in`: any of the values or regular expressions. */
export function anyOf(operands: readonly unknown[]): Leaf {
  const patterns = operands.flatMap((operand) => regexLiteral(operand) ?? []).map(compileRegex);
  const values = operands.filter((operand) => regexLiteral(operand) === undefined);
  const isValue = memberOf(values);
  const takesMissing = values.includes(null);
  return {
    expand: true,
    test: (value) => (value === undefined ? takesMissing : isValue(value) || patterns.some((matches) => matches(value))),
  };
}

/** Long lists, as `populate` sends them, are looked up by key instead of compared one by one. */
function memberOf(values: readonly unknown[]): (value: unknown) => boolean {
  if (values.length <= 8) return (value) => values.some((other) => valuesEqual(value, other));
  const keys = new Set(values.map(valueKey));
  return (value) => keys.has(valueKey(value));
}

/** `$mod: [divisor, remainder]`, both cut to whole numbers, as is the value. */
export function moduloOf(operand: unknown): Leaf {
  if (!Array.isArray(operand)) throw badValue('malformed mod, needs to be an array');
  if (operand.length < 2) throw badValue('malformed mod, not enough elements');
  if (operand.length > 2) throw badValue('malformed mod, too many elements');
  const divisor = modOperand(operand[0], 'divisor');
  const remainder = modOperand(operand[1], 'remainder');
  if (divisor === 0n) throw badValue('divisor cannot be 0');
  return {
    expand: true,
    test: (value) => {
      const whole = isNumeric(value) ? truncateToInt64(value) : undefined;
      return whole !== undefined && whole % divisor === remainder;
    },
  };
}

function modOperand(operand: unknown, what: string): bigint {
  if (!isNumeric(operand)) throw badValue(`malformed mod, ${what} not a number`);
  const whole = truncateToInt64(operand);
  if (whole === undefined) throw badValue(`malformed mod, ${what} value is invalid`);
  return whole;
}
