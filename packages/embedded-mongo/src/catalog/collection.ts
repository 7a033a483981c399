import { BSON, UUID } from 'bson';
import { StoreError } from '../errors';
import { afterPrefix, metaKey } from '../storage/keys';
import type { ReadView, WriteView } from '../storage/views';
import type { Doc } from '../values/values';
import type { Index } from './index-entries';
import { describeIndex, parseIndexSpec } from './index-spec';
import type { IndexRequest } from './index-spec';

/** Definition of a collection; immutable. An object that is not in the catalog is out of date. */
export interface Collection {
  readonly id: number;
  readonly database: string;
  readonly name: string;
  /** `database.name` */
  readonly namespace: string;
  readonly uuid: Buffer;
  /** Completed indexes. */
  readonly indexes: readonly Index[];
  /** Indexes that writers update: {@link Collection.indexes} and those being built. */
  readonly maintained: readonly Index[];
}

interface StoredCollection {
  readonly id: number;
  readonly uuid: { readonly buffer: Uint8Array };
  readonly indexes: ReadonlyArray<Doc & { readonly id: number; readonly building?: boolean }>;
}

const PREFIX = 'c/';
const NEXT_ID = metaKey('next-id');
const MAX_INDEXES = 63;

/** Key of the definition of a collection. */
export const definitionKey = (namespace: string): Buffer => metaKey(PREFIX + namespace);

/** Reads all definitions. */
export function* storedCollections(view: ReadView): Generator<Collection> {
  const start = metaKey(PREFIX);
  for (const { key, value } of view.range({ start, end: afterPrefix(start) }))
    yield parseCollection(key.subarray(start.length).toString('utf8'), value);
}

function parseCollection(namespace: string, bytes: Buffer): Collection {
  const stored = BSON.deserialize(bytes) as unknown as StoredCollection;
  const parsed = stored.indexes.map(({ id, building = false, ...spec }) => ({
    building,
    index: { id, ...parseIndexSpec(spec) },
  }));
  return {
    ...namesOf(namespace),
    id: stored.id,
    uuid: Buffer.from(stored.uuid.buffer),
    indexes: parsed.filter(({ building }) => !building).map(({ index }) => index),
    maintained: parsed.map(({ index }) => index),
  };
}

/** Writes or removes a definition. */
export function storeCollection(
  view: WriteView,
  namespace: string,
  collection: Collection | undefined,
): void {
  const key = definitionKey(namespace);
  if (collection === undefined) {
    view.remove(key);
    return;
  }
  const indexes = collection.maintained.map((index) => ({
    id: index.id,
    ...describeIndex(index),
    ...(collection.indexes.includes(index) ? {} : { building: true }),
  }));
  const stored = { id: collection.id, uuid: new UUID(collection.uuid), indexes };
  view.put(key, Buffer.from(BSON.serialize(stored)));
}

export function newCollection(view: WriteView, namespace: string): Collection {
  return {
    ...namesOf(namespace),
    id: nextId(view),
    uuid: Buffer.from(new UUID().buffer),
    indexes: [],
    maintained: [],
  };
}

function namesOf(namespace: string): Pick<Collection, 'namespace' | 'database' | 'name'> {
  const dot = namespace.indexOf('.');
  return { namespace, database: namespace.slice(0, dot), name: namespace.slice(dot + 1) };
}

/** Ids are never reused, so that a late reader of a dropped collection finds nothing. */
function nextId(view: WriteView): number {
  const id = (view.get(NEXT_ID)?.readUInt32BE(0) ?? 0) + 1;
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(id, 0);
  view.put(NEXT_ID, bytes);
  return id;
}

/**
 * Creates the requested indexes that do not exist.
 * @throws StoreError 67 too many, 85 or 86 conflicting definition
 */
export function newIndexes(
  view: WriteView,
  { indexes }: Collection,
  requests: readonly IndexRequest[],
): Index[] {
  const missing = requests.filter(
    (request, at) => !exists(request, [...indexes, ...requests.slice(0, at)]),
  );
  if (indexes.length + missing.length > MAX_INDEXES)
    throw new StoreError('CannotCreateIndex', 'add index fails, too many indexes');
  return missing.map((request) => ({ ...request, id: nextId(view) }));
}

/** Fields that identify an index; the others are options. */
const signature = ({ key, unique, sparse, partial }: IndexRequest): string =>
  JSON.stringify([key, unique, sparse, partial ?? null]);

/** @throws StoreError 86 name used by another index, 85 same index with another name or options */
function exists(request: IndexRequest, indexes: readonly IndexRequest[]): boolean {
  const { name } = request;
  const sameName = indexes.find((index) => index.name === name);
  if (sameName === undefined) {
    const same = indexes.find((index) => signature(index) === signature(request));
    if (same === undefined) return false;
    throw new StoreError(
      'IndexOptionsConflict',
      `Index already exists with a different name: ${same.name}`,
    );
  }
  if (signature(sameName) !== signature(request))
    throw new StoreError(
      'IndexKeySpecsConflict',
      `An existing index has the same name as the requested index: ${name}`,
    );
  if (sameName.expireAfterSeconds !== request.expireAfterSeconds)
    throw new StoreError(
      'IndexOptionsConflict',
      `An equivalent index already exists with the same name but different options: ${name}`,
    );
  return true;
}

/** The `_id` index always exists. @throws StoreError 197 a different index on `_id` */
export function isIdIndex({ key, unique, sparse, partial }: IndexRequest): boolean {
  if (key.length > 1 || key[0][0] !== '_id') return false;
  if (key[0][1] === 1 && !unique && !sparse && partial === undefined) return true;
  throw new StoreError(
    'InvalidIndexSpecificationOption',
    'an index on _id can only be { _id: 1 } without options, and exists already',
  );
}
