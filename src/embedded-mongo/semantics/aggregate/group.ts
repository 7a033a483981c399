import { located, unsupported } from '../errors';
import { compareValues } from '../order';
import { valueKey } from '../value-key';
import { assignField, doubleOf, isDocument, isNumeric } from '../values';
import type { Doc } from '../values';
import { compileExpression, compileLiteral, fieldsRead } from './expression';
import { isNullish } from './operators';
import type { Expression } from './operators';
import { Holding } from './stage';
import type { StageCompiler } from './stage';
import { Sum } from './sum';

/** Accumulates the values of one group. */
interface Accumulator {
  add(value: unknown): void;
  result(): unknown;
}

const sum = (): Accumulator => {
  const total = new Sum();
  return {
    add: (value) => {
      if (isNumeric(value)) total.add(value);
    },
    result: () => total.total(),
  };
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
    result: () => (count === 0 ? null : doubleOf(total.asDouble() / count)),
  };
};

/** Minimum or maximum; ignores null and missing. */
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
  return {
    add: (value) => {
      kept ??= { value };
    },
    result: () => kept?.value,
  };
};

const last = (): Accumulator => {
  let kept: unknown;
  return {
    add: (value) => {
      kept = value;
    },
    result: () => kept,
  };
};

const accumulators: Readonly<Record<string, () => Accumulator>> = {
  $sum: sum,
  $avg: average,
  $min: extreme(1),
  $max: extreme(-1),
  $first: first,
  $last: last,
  $count: sum,
};

interface AccumulatedField {
  readonly name: string;
  readonly start: () => Accumulator;
  readonly value: Expression;
}

interface Group {
  readonly id: unknown;
  readonly accumulators: readonly Accumulator[];
}

/** Approximate memory of a group in addition to its key. */
const GROUP_BYTES = 200;

/**
 * `$group`. Groups are returned in order of first occurrence; MongoDB guarantees no order.
 * @throws StoreError 15947 / 15955 and those of {@link accumulatedField}
 */
export const group: StageCompiler = (specification) => {
  if (!isDocument(specification))
    throw located(15947, "a group's fields must be specified in an object");
  if (!Object.hasOwn(specification, '_id'))
    throw located(15955, 'a group specification must include an _id');
  const { _id, ...rest } = specification;
  const id = compileExpression(_id);
  const fields = Object.entries(rest).map(([name, value]) => accumulatedField(name, value));
  return {
    reads: fieldsRead(specification),
    replaces: true,
    *run(documents) {
      const groups = new Map<string, Group>();
      const holding = new Holding('$group');
      for (const doc of documents) {
        if (doc === undefined) {
          yield undefined;
          continue;
        }
        const value = id(doc) ?? null;
        const key = valueKey(value);
        let found = groups.get(key);
        if (found === undefined) {
          groups.set(
            key,
            (found = { id: value, accumulators: fields.map(({ start }) => start()) }),
          );
          holding.add(GROUP_BYTES + 2 * key.length);
        }
        found.accumulators.forEach((accumulator, index) =>
          accumulator.add(fields[index].value(doc)),
        );
      }
      for (const one of groups.values()) yield outcome(one, fields);
    },
  };
};

function outcome({ id, accumulators: results }: Group, fields: readonly AccumulatedField[]): Doc {
  const doc: Doc = { _id: id };
  results.forEach((accumulator, index) =>
    assignField(doc, fields[index].name, accumulator.result() ?? null),
  );
  return doc;
}

/**
 * @throws StoreError 40234 / 40235 / 40236 / 40237 / 40238 malformed field, 115 unknown accumulator
 */
function accumulatedField(name: string, specification: unknown): AccumulatedField {
  if (name.includes('.')) throw located(40235, `The field name '${name}' cannot contain '.'`);
  if (name.startsWith('$'))
    throw located(40236, `The field name '${name}' cannot be an operator name`);
  if (!isDocument(specification))
    throw located(40234, `The field '${name}' must be an accumulator object`);
  const [operator, other] = Object.keys(specification);
  if (operator === undefined || other !== undefined)
    throw located(40238, `The field '${name}' must specify one accumulator`);
  if (!operator.startsWith('$'))
    throw located(40234, `The field '${name}' must be an accumulator object`);
  if (!Object.hasOwn(accumulators, operator)) throw unsupported(`the accumulator ${operator} is`);
  const operand = specification[operator];
  if (operator === '$count') return { name, start: sum, value: countedOne(operand) };
  if (Array.isArray(operand) && operand.length !== 1)
    throw located(40237, `The ${operator} accumulator is a unary operator`);
  return { name, start: accumulators[operator], value: compileExpression(operand) };
}

function countedOne(operand: unknown): Expression {
  if (!isDocument(operand) || Object.keys(operand).length > 0)
    throw located(40237, '$count takes no arguments, i.e. $count:{}');
  return compileLiteral(1);
}
