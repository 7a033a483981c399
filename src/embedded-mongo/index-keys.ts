import { StoreError } from './semantics/errors';
import type { Filter } from './semantics/match';
import { field, isDocument } from './semantics/values';
import type { Doc } from './semantics/values';
import { UNDEFINED_KEY, cutKey, descending, encodeValue, indexPrefix } from './keys';

export type Direction = 1 | -1;

/** One secondary index. `_id` has none: the documents themselves are in `_id` order. */
export interface Index {
  readonly id: number;
  readonly name: string;
  readonly key: ReadonlyArray<readonly [path: string, direction: Direction]>;
  readonly unique: boolean;
  readonly sparse: boolean;
  readonly partial?: Doc;
  /** {@link Index.partial}, compiled. */
  readonly includes?: Filter;
  readonly expireAfterSeconds?: number;
}

/** The entries one document has in one index, without the `_id` suffix of indexes that are not unique. */
export interface IndexKeys {
  readonly keys: readonly Buffer[];
  /** An array was indexed: one document may have several entries. */
  readonly multikey: boolean;
  /** A key was too long and was cut: the index can no longer serve a sort. */
  readonly cut: boolean;
}

const NO_KEYS: IndexKeys = { keys: [], multikey: false, cut: false };

/** What is worked out of an index once: the parts of its paths, and the fields of a document that decide on its entries. */
interface Parts {
  readonly paths: readonly (readonly string[])[];
  /** Null: that is not known. */
  readonly fields: readonly string[] | null;
}

const parts = new WeakMap<Index, Parts>();

function partsOf(index: Index): Parts {
  const known = parts.get(index);
  if (known !== undefined) return known;
  const paths = index.key.map(([path]) => path.split('.'));
  const conditions = Object.keys(index.partial ?? {});
  const fields = conditions.some((name) => name.startsWith('$'))
    ? null
    : [
        ...new Set([
          ...paths.map(([first]) => first),
          ...conditions.map((path) => path.split('.')[0]),
        ]),
      ];
  const made = { paths, fields };
  parts.set(index, made);
  return made;
}

/** Do two states of a document have the same entries, as far as can be told without making them? Objects and arrays are not looked into. */
export function haveSameKeys(index: Index, before: Doc, after: Doc): boolean {
  return (
    partsOf(index).fields?.every((name) => isSame(field(before, name), field(after, name))) ?? false
  );
}

const isSame = (one: unknown, other: unknown): boolean =>
  one instanceof Date && other instanceof Date
    ? one.getTime() === other.getTime()
    : (typeof one !== 'object' || one === null) && Object.is(one, other);

/** @throws StoreError 171 when two fields of the index are arrays that do not belong to one array of documents. */
export function keysOf(index: Index, doc: Doc): IndexKeys {
  if (index.includes !== undefined && !index.includes.test(doc)) return NO_KEYS;
  const walks = partsOf(index).paths.map((rest) =>
    walk({ value: doc, rest, at: '', final: false }),
  );
  const tuples: unknown[][] = [];
  const multikey = expand(walks, tuples);
  const prefix = indexPrefix(index.id);
  const keys: Buffer[] = [];
  let cut = false;
  for (const tuple of tuples) {
    if (index.sparse && tuple.every((value) => value === undefined)) continue;
    const encoded = cutKey(
      Buffer.concat(tuple.map((value, at) => encodeField(value, index.key[at][1]))),
    );
    keys.push(Buffer.concat([prefix, encoded.key]));
    cut ||= encoded.cut;
  }
  return { keys: keys.length > 1 ? eachOnce(keys) : keys, multikey, cut };
}

const eachOnce = (keys: readonly Buffer[]): Buffer[] => [
  ...new Map(keys.map((key) => [key.toString('latin1'), key])).values(),
];

/** The bytes of one field of an index key. */
export function encodeField(value: unknown, direction: Direction): Buffer {
  const encoded = value === EMPTY_ARRAY ? UNDEFINED_KEY : encodeValue(value);
  return direction === 1 ? encoded : descending(encoded);
}

const EMPTY_ARRAY = Symbol('empty array');

/** How far the path of one index field has been followed: `rest` is left to go from `value`, found at path `at`. */
interface Walk {
  readonly value: unknown;
  readonly rest: readonly string[];
  readonly at: string;
  /** An element of an array is not expanded again when it is itself an array. */
  readonly final: boolean;
}

/** Follows a path from a document through others until it ends or meets an array. */
function walk(start: Walk & { readonly value: Doc }): Walk {
  let { rest, at }: Walk = start;
  let value: unknown = start.value;
  while (rest.length > 0 && !Array.isArray(value)) {
    if (value !== start.value && !isDocument(value))
      return { value: undefined, rest: [], at, final: true };
    value = field(value as Doc, rest[0]);
    at = `${at}.${rest[0]}`;
    rest = rest.slice(1);
  }
  return { value, rest, at, final: start.final };
}

/** Adds one tuple of values per array element to `tuples`; true when there was an array. */
function expand(walks: readonly Walk[], tuples: unknown[][]): boolean {
  const open = walks.filter((one) => !one.final && Array.isArray(one.value));
  if (open.length === 0) {
    tuples.push(walks.map((one) => one.value));
    return false;
  }
  if (open.some((one) => one.at !== open[0].at)) {
    throw new StoreError(
      171,
      'CannotIndexParallelArrays',
      `cannot index parallel arrays [${open[1].at.slice(1)}] [${open[0].at.slice(1)}]`,
    );
  }
  const elements = open[0].value as readonly unknown[];
  for (const element of elements.length === 0 ? [EMPTY_ARRAY] : elements) {
    expand(
      walks.map((one) => (open.includes(one) ? into(one, element) : one)),
      tuples,
    );
  }
  return true;
}

function into(one: Walk, element: unknown): Walk {
  if (one.rest.length === 0) return { ...one, value: element, final: true };
  if (!isDocument(element)) return { value: undefined, rest: [], at: one.at, final: true };
  return walk({ ...one, value: element });
}
