import { StoreError, unsupported } from '../errors';
import { compareValues, toDouble } from '../values/compare';
import { orderedEntries } from '../values/field-order';
import { EMPTY_ARRAY, valuesAtPaths } from '../values/path-values';
import { isDocument, isNumeric } from '../values/values';
import type { Doc } from '../values/values';

interface SortField {
  readonly path: string;
  readonly direction: 1 | -1;
}

/**
 * Compiles a sort specification such as `{ a: 1, 'b.c': -1 }`. An array sorts by its smallest key
 * ascending and its largest descending; a missing field sorts as null, an empty array below null.
 * Returns 0 for ties.
 * @throws StoreError 15974 / 15975 invalid direction, 2 parallel arrays (at comparison)
 */
export function compileSort(sort: Doc): (a: Doc, b: Doc) => number {
  const fields = orderedEntries(sort).map(([path, direction]) => sortField(path, direction));
  const order = (a: readonly unknown[], b: readonly unknown[]): number => compareKeys(fields, a, b);
  const paths = fields.map(({ path }) => path.split('.'));
  const keys = new WeakMap<Doc, readonly unknown[]>();
  const keyOf = (doc: Doc): readonly unknown[] => {
    let key = keys.get(doc);
    if (key === undefined) {
      key = extractKeys(doc, paths).reduce((least, one) => (order(one, least) < 0 ? one : least));
      keys.set(doc, key);
    }
    return key;
  };
  return (a, b) => order(keyOf(a), keyOf(b));
}

function sortField(path: string, direction: unknown): SortField {
  if (path === '') throw new StoreError(40352, 'FieldPath cannot be constructed with empty string');
  if (path.split('.').includes(''))
    throw new StoreError(15998, 'FieldPath field names may not be empty strings.');
  if (path.startsWith('$'))
    throw new StoreError(
      16410,
      `FieldPath field names may not start with '$'. Consider using $getField or $setField.`,
    );
  if (isDocument(direction) && Object.hasOwn(direction, '$meta'))
    throw unsupported('$meta sort keys are');
  if (!isNumeric(direction))
    throw new StoreError(
      15974,
      `Illegal key in $sort specification: ${path}: ${JSON.stringify(direction)}`,
    );
  const number = toDouble(direction);
  if (number !== 1 && number !== -1)
    throw new StoreError(
      15975,
      '$sort key ordering must be 1 (for ascending) or -1 (for descending)',
    );
  return { path, direction: number };
}

function compareKeys(
  fields: readonly SortField[],
  a: readonly unknown[],
  b: readonly unknown[],
): number {
  for (let index = 0; index < fields.length; index++) {
    const order = compareValues(a[index], b[index]);
    if (order !== 0) return fields[index].direction === 1 ? order : -order;
  }
  return 0;
}

/**
 * Returns the sort keys of a document: one, or one per element of the array on the paths, like the
 * entries of a multikey index. Missing is null; an empty array is undefined, which ranks below null.
 * @throws StoreError 2 paths through different arrays
 */
export function extractKeys(
  doc: Doc,
  paths: readonly (readonly string[])[],
): readonly (readonly unknown[])[] {
  try {
    return valuesAtPaths(doc, paths).tuples.map((tuple) => tuple.map(sortValue));
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    throw new StoreError('BadValue', 'cannot sort with keys that are parallel arrays');
  }
}

function sortValue(value: unknown): unknown {
  if (value === undefined) return null;
  return value === EMPTY_ARRAY ? undefined : value;
}
