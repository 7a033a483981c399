import { located } from '../../errors';
import { assignField, isDocument } from '../../values';
import type { Doc } from '../../values';
import { accumulatedField } from '../accumulators';
import type { Accumulator, AccumulatedField } from '../accumulators';
import { scopeOf } from '../expression';
import type { Expression } from '../expression';
import { compileExpression } from '../expressions';
import { valueKey } from '../../value-key';
import type { Stage, StageCompiler } from '../stage';

interface Group {
  readonly id: unknown;
  readonly accumulators: readonly Accumulator[];
}

/** `$group`. Groups come out in the order they are first met; MongoDB promises no order. */
export const group: StageCompiler = (specification) => {
  if (!isDocument(specification)) throw located(15947, "a group's fields must be specified in an object");
  if (!Object.hasOwn(specification, '_id')) throw located(15955, 'a group specification must include an _id');
  const { _id, ...rest } = specification;
  return groupBy(compileExpression(_id), Object.entries(rest).map(([name, value]) => accumulatedField(name, value, compileExpression)));
};

/** `$sortByCount: expression`, which is a `$group` with a count and a `$sort` by it. */
export const sortByCount: StageCompiler = (specification) => {
  const isExpression = isDocument(specification) && (Object.keys(specification)[0] ?? '').startsWith('$');
  if (isDocument(specification) && !isExpression) throw located(40147, 'the sortByCount field must be defined as a $-prefixed path or an expression inside an object');
  if (!isDocument(specification) && typeof specification !== 'string') throw located(40149, 'the sortByCount field must be specified as a string or as an object');
  if (typeof specification === 'string' && !specification.startsWith('$')) throw located(40148, 'the sortByCount field must be defined as a $-prefixed path or an expression inside an object');
  const counted = groupBy(compileExpression(specification), [accumulatedField('count', { $sum: 1 }, compileExpression)]);
  return (docs, lookup) => counted(docs, lookup).sort((a, b) => Number(b.count) - Number(a.count));
};

function groupBy(id: Expression, fields: readonly AccumulatedField[]): Stage {
  return (docs) => {
    const groups = new Map<string, Group>();
    for (const doc of docs) {
      const scope = scopeOf(doc);
      const value = id(scope) ?? null;
      const key = valueKey(value);
      let found = groups.get(key);
      if (found === undefined) groups.set(key, found = { id: value, accumulators: fields.map(({ start }) => start()) });
      found.accumulators.forEach((accumulator, index) => accumulator.add(fields[index].value(scope)));
    }
    return [...groups.values()].map((one) => outcome(one, fields));
  };
}

function outcome({ id, accumulators }: Group, fields: readonly AccumulatedField[]): Doc {
  const doc: Doc = { _id: id };
  accumulators.forEach((accumulator, index) => assignField(doc, fields[index].name, accumulator.result() ?? null));
  return doc;
}
