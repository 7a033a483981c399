import { located, unsupported } from '../errors';
import { compareValues } from '../order';
import { isDocument, isNumeric } from '../values';
import { isNullish } from './arguments';
import type { CompileExpression, Expression } from './expression';
import { compileLiteral } from './expression';
import { valueKey } from '../value-key';
import { Sum } from './sum';

/** Takes the values of one group one by one. */
export interface Accumulator {
  add(value: unknown): void;
  result(): unknown;
}

const sum = (): Accumulator => {
  const total = new Sum();
  return { add: (value) => { if (isNumeric(value)) total.add(value); }, result: () => total.total() };
};

const average = (): Accumulator => {
  const total = new Sum();
  let count = 0;
  return {
    add: (value) => {
      if (!isNumeric(value)) return;
      total.add(value);
      count++;
    },
    result: () => (count === 0 ? null : total.asDouble() / count),
  };
};

/** The least or greatest value; null and missing do not count. */
const extreme = (sign: 1 | -1) => (): Accumulator => {
  let best: unknown;
  return {
    add: (value) => {
      if (isNullish(value)) return;
      if (best === undefined || compareValues(value, best) * sign < 0) best = value;
    },
    result: () => best,
  };
};

const first = (): Accumulator => {
  let kept: { readonly value: unknown } | undefined;
  return { add: (value) => { kept ??= { value }; }, result: () => kept?.value };
};

const last = (): Accumulator => {
  let kept: unknown;
  return { add: (value) => { kept = value; }, result: () => kept };
};

const push = (): Accumulator => {
  const values: unknown[] = [];
  return { add: (value) => { if (value !== undefined) values.push(value); }, result: () => values };
};

const addToSet = (): Accumulator => {
  const values = new Map<string, unknown>();
  return {
    add: (value) => {
      const key = valueKey(value);
      if (value !== undefined && !values.has(key)) values.set(key, value);
    },
    result: () => [...values.values()],
  };
};

const accumulators: Readonly<Record<string, () => Accumulator>> = {
  $sum: sum, $avg: average, $min: extreme(1), $max: extreme(-1), $first: first, $last: last, $push: push, $addToSet: addToSet, $count: sum,
};

export interface AccumulatedField {
  readonly name: string;
  readonly start: () => Accumulator;
  readonly value: Expression;
}

/**
 * Parses one output field of `$group`.
 * @throws StoreError 40234 / 40235 / 40236 / 40237 / 40238 for malformed fields, 115 for an unknown accumulator
 */
export function accumulatedField(name: string, specification: unknown, compile: CompileExpression): AccumulatedField {
  if (name.includes('.')) throw located(40235, `The field name '${name}' cannot contain '.'`);
  if (name.startsWith('$')) throw located(40236, `The field name '${name}' cannot be an operator name`);
  if (!isDocument(specification)) throw located(40234, `The field '${name}' must be an accumulator object`);
  const [operator, other] = Object.keys(specification);
  if (operator === undefined || other !== undefined) throw located(40238, `The field '${name}' must specify one accumulator`);
  if (!operator.startsWith('$')) throw located(40234, `The field '${name}' must be an accumulator object`);
  if (!Object.hasOwn(accumulators, operator)) throw unsupported(`the accumulator ${operator} is`);
  const operand = operator === '$count' ? countedOne(specification.$count) : specification[operator];
  if (Array.isArray(operand) && operand.length !== 1 && operator !== '$push' && operator !== '$addToSet') {
    throw located(40237, `The ${operator} accumulator is a unary operator`);
  }
  return { name, start: accumulators[operator], value: operator === '$count' ? compileLiteral(1) : compile(operand) };
}

function countedOne(operand: unknown): number {
  if (!isDocument(operand) || Object.keys(operand).length > 0) throw located(40237, '$count takes no arguments, i.e. $count:{}');
  return 1;
}
