import { ObjectId } from 'bson';
import { StoreError } from '../errors';
import type { Filter } from '../query/filter';
import {
  CUT_AT,
  UNDEFINED_KEY,
  cutKey,
  descending,
  encodeValue,
  indexPrefix,
  metaKey,
} from '../storage/keys';
import type { ReadView, WriteView } from '../storage/views';
import { decodeDocument, fieldReader } from '../values/bson-elements';
import { EMPTY_ARRAY, valuesAtPaths } from '../values/path-values';
import { field } from '../values/values';
import type { Doc } from '../values/values';

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

/** Property of an index that limits its use; set once and kept, as in MongoDB. */
type Trait = 'multikey' | 'cut';

/** Cached data of an index: path components, and the fields that determine its entries. */
interface Parts {
  readonly paths: readonly (readonly string[])[];
  /** Null: unknown. */
  readonly fields: readonly string[] | null;
  /** Each query reads these keys for all candidate indexes. */
  readonly traitKeys: Readonly<Record<Trait, Buffer>>;
}

const parts = new WeakMap<Index, Parts>();

function partsOf(index: Index): Parts {
  const cachedParts = parts.get(index);
  if (cachedParts !== undefined) return cachedParts;
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
  const made = {
    paths,
    fields,
    traitKeys: { multikey: metaKey(`t/${index.id}/multikey`), cut: metaKey(`t/${index.id}/cut`) },
  };
  parts.set(index, made);
  return made;
}

/** Quick check whether two versions of a document have the same entries; ignores nested values. */
export function haveSameKeys(index: Index, before: Doc, after: Doc): boolean {
  return (
    partsOf(index).fields?.every((name) => isSame(field(before, name), field(after, name))) ?? false
  );
}

const readers = new WeakMap<readonly Index[], (bytes: Buffer) => Doc>();

/** Reads what determines the entries of a document: other fields may be much longer. */
export function indexedPart(indexes: readonly Index[], bytes: Buffer): Doc {
  const cachedReader = readers.get(indexes);
  if (cachedReader !== undefined) return cachedReader(bytes);
  const fields = indexes.map((index) => partsOf(index).fields);
  const read = fields.every((names) => names !== null)
    ? fieldReader(new Set(fields.flat()))
    : decodeDocument;
  readers.set(indexes, read);
  return read(bytes);
}

const isSame = (one: unknown, other: unknown): boolean =>
  one instanceof Date && other instanceof Date
    ? one.getTime() === other.getTime()
    : (typeof one !== 'object' || one === null) && Object.is(one, other);

/** @throws StoreError 171 parallel arrays */
export function keysOf(index: Index, doc: Doc): IndexKeys {
  if (index.includes !== undefined && !index.includes.test(doc)) return NO_KEYS;
  const { tuples, hasArray } = valuesAtPaths(doc, partsOf(index).paths);
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
  return { keys: keys.length > 1 ? distinctKeys(keys) : keys, multikey: hasArray, cut };
}

const distinctKeys = (keys: readonly Buffer[]): Buffer[] => [
  ...new Map(keys.map((key) => [key.toString('latin1'), key])).values(),
];

/** Encodes one field of an index key. */
function encodeField(value: unknown, direction: Direction): Buffer {
  const encoded = value === EMPTY_ARRAY ? UNDEFINED_KEY : encodeValue(value);
  return direction === 1 ? encoded : descending(encoded);
}

export const hasTrait = (view: ReadView, index: Index, trait: Trait): boolean =>
  view.get(partsOf(index).traitKeys[trait]) !== undefined;

/** A unique index has keys without `_id`, so that one read finds a duplicate. */
export const entryKey = (index: Index, key: Buffer, idKey: Buffer): Buffer =>
  index.unique ? key : Buffer.concat([key, idKey]);

export function addEntries(
  view: WriteView,
  index: Index,
  { keys, multikey, cut }: IndexKeys,
  idKey: Buffer,
): void {
  if (multikey) setTrait(view, index, 'multikey');
  if (cut) setTrait(view, index, 'cut');
  for (const key of keys) view.put(entryKey(index, key, idKey), idKey);
}

/** During a build of a unique index, the entry may belong to another document, which keeps it. */
export function removeEntries(
  view: WriteView,
  index: Index,
  keys: Iterable<Buffer>,
  idKey: Buffer,
): void {
  for (const key of keys)
    if (!index.unique || view.get(key)?.equals(idKey) === true)
      view.remove(entryKey(index, key, idKey));
}

function setTrait(view: WriteView, index: Index, trait: Trait): void {
  if (!hasTrait(view, index, trait)) view.put(partsOf(index).traitKeys[trait], Buffer.from([1]));
}

/** Error of a unique index in the format that driver and mongoose parse. */
export function duplicateKey(
  collection: { readonly namespace: string },
  index: Pick<Index, 'name' | 'key'>,
  doc: Doc,
): StoreError {
  const keyPattern = Object.fromEntries(index.key);
  const keyValue = Object.fromEntries(index.key.map(([path]) => [path, valueAt(doc, path)]));
  const shown = Object.entries(keyValue)
    .map(([path, value]) => `${path}: ${format(value)}`)
    .join(', ');
  const message = `E11000 duplicate key error collection: ${collection.namespace} index: ${index.name} dup key: { ${shown} }`;
  return new StoreError('DuplicateKey', message, { keyPattern, keyValue });
}

function valueAt(doc: Doc, path: string): unknown {
  let value: unknown = doc;
  for (const name of path.split('.'))
    value = typeof value === 'object' && value !== null ? (value as Doc)[name] : undefined;
  return value ?? null;
}

function format(value: unknown): string {
  const text =
    value instanceof ObjectId ? `ObjectId('${value.toHexString()}')` : JSON.stringify(value);
  return text.length > CUT_AT ? `${text.slice(0, CUT_AT)}...` : text;
}
