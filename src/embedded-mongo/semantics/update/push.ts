import { describe } from '../describe';
import { badValue, unsupported } from '../errors';
import { exactInteger } from '../numbers';
import { compareValues } from '../order';
import { compileSort } from '../sort';
import { isDocument, isNumeric, requireSupported, typeName } from '../values';
import type { Doc } from '../values';
import type { FieldChange } from './field-operators';

const clauses = ['$each', '$position', '$slice', '$sort'];

/** `$push` of one value, or of `$each` with `$position`, `$sort` and `$slice`, applied in that order. */
export function compilePush(operand: unknown): FieldChange {
  const push = isDocument(operand) && Object.hasOwn(operand, '$each') ? compileClauses(operand) : compileSingle(operand);
  return {
    whenMissing: 'create',
    whenBlocked: 'fail',
    next: (current, { doc, path }) => {
      if (current !== undefined && !Array.isArray(current)) {
        throw badValue(`The field '${path}' must be an array but is of type ${typeName(current)} in document {_id: ${describe(doc._id)}}`);
      }
      return push((current ?? []) as unknown[]);
    },
  };
}

type Push = (array: readonly unknown[]) => unknown[];

function compileSingle(operand: unknown): Push {
  // Which of these MongoDB stores and which it rejects depends on the version: not guessed.
  if (isDocument(operand) && Object.keys(operand).some((key) => clauses.includes(key))) throw unsupported('$push clauses without $each are');
  requireSupported(operand);
  return (array) => [...array, operand];
}

function compileClauses(operand: Doc): Push {
  const unknown = Object.keys(operand).find((key) => !clauses.includes(key));
  if (unknown !== undefined) throw badValue(`Unrecognized clause in $push: ${unknown}`);
  const { $each } = operand;
  if (!Array.isArray($each)) throw badValue(`The argument to $each in $push must be an array but it was of type: ${typeName($each)}`);
  requireSupported($each);
  const position = compilePosition(operand.$position);
  const order = compileOrder(operand.$sort);
  const slice = compileSlice(operand.$slice);
  return (array) => {
    const inserted = array.toSpliced(position(array.length), 0, ...($each as unknown[]));
    return slice(order === undefined ? inserted : inserted.sort(order));
  };
}

/** Counts from the end when negative; beyond either end means that end. */
function compilePosition(operand: unknown): (length: number) => number {
  if (operand === undefined) return (length) => length;
  const position = wholeNumber(operand, '$position');
  return (length) => (position < 0 ? Math.max(0, length + position) : Math.min(position, length));
}

function compileSlice(operand: unknown): (array: unknown[]) => unknown[] {
  if (operand === undefined) return (array) => array;
  const slice = wholeNumber(operand, '$slice');
  return (array) => (slice < 0 ? array.slice(slice) : array.slice(0, slice));
}

function wholeNumber(operand: unknown, clause: string): number {
  const number = exactInteger(operand);
  if (number !== undefined) return number;
  const given = isNumeric(operand) ? describe(operand) : typeName(operand);
  throw badValue(`The value for ${clause} must be an integer value but was given type: ${given}`);
}

function compileOrder(operand: unknown): ((a: unknown, b: unknown) => number) | undefined {
  if (operand === undefined) return undefined;
  if (isDocument(operand)) return orderOfElements(operand);
  const direction = isNumeric(operand) ? exactInteger(operand) : undefined;
  if (direction !== 1 && direction !== -1) throw badValue('The $sort element value must be either 1 or -1');
  return direction === 1 ? compareValues : (a, b) => compareValues(b, a);
}

/** Elements that are no documents count as documents without the sort fields. */
function orderOfElements(sort: Doc): (a: unknown, b: unknown) => number {
  if (Object.keys(sort).length === 0) throw badValue('The $sort pattern is empty when it should be a set of fields.');
  for (const [path, direction] of Object.entries(sort)) {
    if (path === '' || path.split('.').includes('')) throw badValue(`The $sort field is a dotted field but has an empty part: ${path}`);
    const number = exactInteger(direction);
    if (number !== 1 && number !== -1) throw badValue('The $sort element value must be either 1 or -1');
  }
  const order = compileSort(sort);
  const empty: Doc = {};
  const asDocument = (element: unknown): Doc => (isDocument(element) ? element : empty);
  return (a, b) => order(asDocument(a), asDocument(b));
}
