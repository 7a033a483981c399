import { StoreError } from './semantics/errors';
import type { Filter } from './semantics/match';
import { field, isDocument } from './semantics/values';
import type { Doc } from './semantics/values';
import { UNDEFINED_KEY, cutKey, descending, encodeValue, indexPrefix } from './keys';

export type Direction = 1 | -1;

/** A secondary index. `_id` needs none: documents are stored in `_id` order. */
export interface Index {
  readonly id: number;
  readonly name: string;
  readonly key: ReadonlyArray<readonly [path: string, direction: Direction]>;
  readonly unique: boolean;
  readonly sparse: boolean;
  readonly partial?: Doc;
  /** Compiled {@link Index.partial}. */
  readonly includes?: Filter;
  readonly expireAfterSeconds?: number;
}

/** Entries of a document in an index, without the `_id` suffix of non-unique indexes. */
export interface IndexKeys {
  readonly keys: readonly Buffer[];
  /** An array was indexed, so there may be several entries. */
  readonly multikey: boolean;
  /** A long key was truncated, so the index cannot provide an order. */
  readonly cut: boolean;
}

const NO_KEYS: IndexKeys = { keys: [], multikey: false, cut: false };

/** Cached data of an index: path components, and the fields that determine its entries. */
interface Parts {
  readonly paths: readonly (readonly string[])[];
  /** Null: unknown. */
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

/** Quick check whether two versions of a document have the same entries; ignores nested values. */
export function haveSameKeys(index: Index, before: Doc, after: Doc): boolean {
  return (
    partsOf(index).fields?.every((name) => isSame(field(before, name), field(after, name))) ?? false
  );
}

const isSame = (one: unknown, other: unknown): boolean =>
  one instanceof Date && other instanceof Date
    ? one.getTime() === other.getTime()
    : (typeof one !== 'object' || one === null) && Object.is(one, other);

/** @throws StoreError 171 parallel arrays */
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

/** Encodes one field of an index key. */
export function encodeField(value: unknown, direction: Direction): Buffer {
  const encoded = value === EMPTY_ARRAY ? UNDEFINED_KEY : encodeValue(value);
  return direction === 1 ? encoded : descending(encoded);
}

const EMPTY_ARRAY = Symbol('empty array');

/** State of following a path: `rest` remains from `value`, which is at path `at`. */
interface Walk {
  readonly value: unknown;
  readonly rest: readonly string[];
  readonly at: string;
  /** An array within an array is not expanded. */
  readonly final: boolean;
}

/** Follows a path through nested documents to its end or to an array. */
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

/** Adds a tuple per array element to `tuples`; returns whether there was an array. */
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
