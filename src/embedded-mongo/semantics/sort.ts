import { compareValues } from './order';
import { badValue, located, unsupported } from './errors';
import { orderedEntries } from './key-order';
import { arrayIndex } from './paths';
import { field, isDocument, isNumeric } from './values';
import { toDouble } from './numbers';
import type { Doc } from './values';

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
  const keys = new WeakMap<Doc, readonly unknown[]>();
  const keyOf = (doc: Doc): readonly unknown[] => {
    let key = keys.get(doc);
    if (key === undefined)
      keys.set(
        doc,
        (key = smallest(
          extractKeys(
            doc,
            fields.map(({ path }) => path),
          ),
          order,
        )),
      );
    return key;
  };
  return (a, b) => order(keyOf(a), keyOf(b));
}

function sortField(path: string, direction: unknown): SortField {
  if (path === '') throw located(40352, 'FieldPath cannot be constructed with empty string');
  if (path.split('.').includes(''))
    throw located(15998, 'FieldPath field names may not be empty strings.');
  if (path.startsWith('$'))
    throw located(
      16410,
      `FieldPath field names may not start with '$'. Consider using $getField or $setField.`,
    );
  if (isDocument(direction) && Object.hasOwn(direction, '$meta'))
    throw unsupported('$meta sort keys are');
  if (!isNumeric(direction))
    throw located(
      15974,
      `Illegal key in $sort specification: ${path}: ${JSON.stringify(direction)}`,
    );
  const number = toDouble(direction);
  if (number !== 1 && number !== -1)
    throw located(15975, '$sort key ordering must be 1 (for ascending) or -1 (for descending)');
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

function smallest(
  keys: readonly (readonly unknown[])[],
  order: (a: readonly unknown[], b: readonly unknown[]) => number,
): readonly unknown[] {
  return keys.reduce((least, key) => (order(key, least) < 0 ? key : least));
}

/** State of following a path. */
interface Cursor {
  readonly rest: readonly string[];
  readonly value: unknown;
}

/**
 * Returns the sort keys of a document: one, or one per element of the array on the paths, like the
 * entries of a multikey index. Missing is null; an empty array at the end is undefined, which ranks
 * below null.
 * @throws StoreError 2 paths through different arrays
 */
export function extractKeys(doc: Doc, paths: readonly string[]): unknown[][] {
  return expand(paths.map((path) => follow({ rest: path.split('.'), value: doc })));
}

function expand(cursors: readonly Cursor[]): unknown[][] {
  const arrays = new Set(
    cursors.filter(({ value }) => Array.isArray(value)).map(({ value }) => value as unknown[]),
  );
  if (arrays.size === 0) return [cursors.map(({ value }) => (value === undefined ? null : value))];
  if (arrays.size > 1) throw badValue('cannot sort with keys that are parallel arrays');
  const [array] = arrays;
  if (array.length === 0) return [cursors.map((cursor) => emptyArrayKey(cursor, array))];
  return array.flatMap((element) => expandElement(cursors, array, element));
}

function emptyArrayKey({ rest, value }: Cursor, array: unknown): unknown {
  if (value === array) return rest.length === 0 ? undefined : null;
  return value === undefined ? null : value;
}

function expandElement(cursors: readonly Cursor[], array: unknown, element: unknown): unknown[][] {
  const done: { readonly value: unknown }[] = [];
  const next = cursors.map((cursor, index): Cursor => {
    if (cursor.value !== array) return cursor;
    if (cursor.rest.length > 0)
      return isDocument(element) ? follow({ rest: cursor.rest, value: element }) : missing;
    // A nested array is one key and is not expanded.
    done[index] = { value: element };
    return missing;
  });
  return expand(next).map((key) =>
    key.map((value, index) => (done[index] === undefined ? value : done[index].value)),
  );
}

const missing: Cursor = { rest: [], value: undefined };

/** Follows documents, and arrays at numeric components, up to an array or the end. */
function follow({ rest, value }: Cursor): Cursor {
  let current = value;
  for (let index = 0; index < rest.length; index++) {
    if (Array.isArray(current)) {
      const offset = arrayIndex(rest[index]);
      if (offset === undefined || offset >= current.length)
        return { rest: rest.slice(index), value: current };
      current = current[offset];
      continue;
    }
    if (!isDocument(current)) return missing;
    current = field(current, rest[index]);
  }
  return { rest: [], value: current };
}
