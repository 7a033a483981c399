import { describe } from '../describe';
import { badValue, failedToParse, typeMismatch } from '../errors';
import { conditionsAtPath, fieldConditions, isOperators } from '../match/field';
import { compileFilter } from '../match';
import { exactInteger } from '../numbers';
import { valuesEqual } from '../order';
import { isDocument, requireSupported, typeName } from '../values';
import { compilePush } from './push';
import type { CompileOperator, FieldChange } from './field-operators';

/** `$addToSet` with one value, or several under `$each`. */
function addToSet(operand: unknown): FieldChange {
  const values = valuesToAdd(operand);
  requireSupported(values);
  return {
    whenMissing: 'create',
    whenBlocked: 'fail',
    next: (current, { path }) => {
      if (current !== undefined && !Array.isArray(current)) {
        throw badValue(`Cannot apply $addToSet to non-array field. Field named '${path.split('.').at(-1)}' has non-array type ${typeName(current)}`);
      }
      const before = (current ?? []) as unknown[];
      const after = values.reduce<unknown[]>((set, value) => (set.some((other) => valuesEqual(other, value)) ? set : [...set, value]), before);
      return after === before && current !== undefined ? before : after;
    },
  };
}

function valuesToAdd(operand: unknown): unknown[] {
  if (!isDocument(operand) || Object.keys(operand)[0] !== '$each') return [operand];
  const [, unexpected] = Object.keys(operand);
  if (!Array.isArray(operand.$each)) {
    throw typeMismatch(`The argument to $each in $addToSet must be an array but it was of type ${typeName(operand.$each)}`);
  }
  if (unexpected !== undefined) throw badValue(`Found unexpected fields after $each in $addToSet: ${describe(operand)}`);
  return operand.$each;
}

/** `$pop: 1` takes the last element, `$pop: -1` the first. */
function pop(operand: unknown, path: string): FieldChange {
  const end = exactInteger(operand);
  if (end === undefined) throw failedToParse(`Expected an integer: ${path}: ${describe(operand)}`);
  if (end !== 1 && end !== -1) throw failedToParse(`$pop expects 1 or -1, found: ${end}`);
  return {
    whenMissing: 'ignore',
    whenBlocked: 'fail',
    next: (current, context) => {
      if (!Array.isArray(current)) throw typeMismatch(`Path '${context.path}' contains an element of non-array type '${typeName(current)}'`);
      const array = current as unknown[];
      if (array.length === 0) return array;
      return end === 1 ? array.slice(0, -1) : array.slice(1);
    },
  };
}

/** Takes the elements out that pass a test. */
const cull = (matches: (element: unknown) => boolean): FieldChange => ({
  whenMissing: 'ignore',
  whenBlocked: 'fail',
  next: (current) => {
    if (!Array.isArray(current)) throw badValue('Cannot apply $pull to a non-array value');
    const array = current as unknown[];
    const kept = array.filter((element) => !matches(element));
    return kept.length === array.length ? array : kept;
  },
});

function pull(operand: unknown): FieldChange {
  if (isDocument(operand) && !isOperators(operand)) {
    const { test } = compileFilter(operand);
    return cull((element) => isDocument(element) && test(element));
  }
  // Operators, expressions and plain values are tested as if the element stood in a field of its own.
  if (isOperators(operand) || operand instanceof RegExp || typeName(operand) === 'regex') {
    const matches = conditionsAtPath(fieldConditions(operand, (inner) => compileFilter(inner).test), '');
    return cull((element) => matches({ '': element }));
  }
  requireSupported(operand);
  return cull((element) => valuesEqual(element, operand));
}

function pullAll(operand: unknown): FieldChange {
  if (!Array.isArray(operand)) throw badValue(`$pullAll requires an array argument but was given a ${typeName(operand)}`);
  requireSupported(operand);
  return cull((element) => operand.some((value) => valuesEqual(element, value)));
}

export const arrayOperators: Readonly<Record<string, CompileOperator>> = {
  $push: compilePush, $addToSet: addToSet, $pop: pop, $pull: pull, $pullAll: pullAll,
};
