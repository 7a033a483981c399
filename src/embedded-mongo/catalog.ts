import { BSON, UUID } from 'bson';
import { StoreError } from './semantics/errors';
import type { Doc } from './semantics/values';
import type { Index } from './index-keys';
import { keysOf } from './index-keys';
import { describeIndex, parseIndexSpec } from './index-spec';
import type { IndexRequest } from './index-spec';
import { addEntries, duplicateKey, entryKey } from './index-entries';
import { afterPrefix, documentPrefix, indexPrefix, metaKey, PREFIX_LENGTH, wholeCollection } from './keys';
import type { Kv } from './kv';
import { decodeDocument } from './documents';
import { chunks } from './chunks';
import type { ReadView, WriteView } from './views';

/** A collection as it is now. Replaced, never changed: an object that is no longer in the catalog is out of date. */
export interface Collection {
  readonly id: number;
  readonly database: string;
  readonly name: string;
  /** `database.name` */
  readonly namespace: string;
  readonly uuid: Buffer;
  readonly indexes: readonly Index[];
}

interface StoredCollection {
  id: number;
  uuid: { buffer: Uint8Array };
  indexes: Array<Doc & { id: number }>;
}

const COLLECTION = 'c/';
const NEXT_ID = 'next-id';

/**
 * The collections and their indexes. Changes are exclusive writers: they commit alone, and memory follows in the same step, so no
 * other writer ever runs against a definition that is not on the disk.
 */
export class Catalog {
  private readonly collections = new Map<string, Collection>();

  constructor(private readonly kv: Kv) {
    const start = metaKey(COLLECTION);
    for (const { key, value } of kv.committed.range({ start, end: afterPrefix(start) })) {
      const namespace = key.subarray(start.length).toString('utf8');
      this.collections.set(namespace, parseCollection(namespace, value));
    }
  }

  get(namespace: string): Collection | undefined {
    return this.collections.get(namespace);
  }

  /** The key a transaction watches, so that it conflicts with a change of the collection's definition. */
  static keyOf(namespace: string): Buffer {
    return metaKey(COLLECTION + namespace);
  }

  list(database: string): Collection[] {
    return this.all().filter((collection) => collection.database === database);
  }

  all(): Collection[] {
    return [...this.collections.values()].sort((a, b) => (a.namespace < b.namespace ? -1 : 1));
  }

  /** Creates the collection unless it is there; true when it was created. */
  async ensure(namespace: string): Promise<boolean> {
    if (this.collections.has(namespace)) return false;
    return this.change(namespace, (view, current) => {
      if (current !== undefined) return { after: current, result: false };
      return { after: newCollection(view, namespace), result: true };
    });
  }

  /** Removes the collection, its documents and its indexes; false when there is none. */
  async drop(namespace: string): Promise<boolean> {
    return this.change(namespace, (view, current) => {
      if (current === undefined) return { after: undefined, result: false };
      clear(view, documentPrefix(current.id));
      for (const index of current.indexes) clear(view, indexPrefix(index.id));
      return { after: undefined, result: true };
    }, true);
  }

  /**
   * Builds the indexes that are not there yet, all or none.
   * @throws StoreError 85 or 86 when one with the same name or key is defined otherwise, 11000 when a unique one is violated.
   */
  async createIndexes(namespace: string, specs: readonly Doc[]): Promise<{ before: number; after: number }> {
    const requests = specs.map(parseIndexSpec).filter((request) => !isIdIndex(request));
    return this.change(namespace, (view, current) => {
      const collection = current ?? newCollection(view, namespace);
      let indexes = collection.indexes;
      for (const request of requests) {
        if (isPresent(request, indexes)) continue;
        indexes = [...indexes, { ...request, id: nextId(view) }];
      }
      if (indexes.length > 63) throw new StoreError(67, 'CannotCreateIndex', 'add index fails, too many indexes');
      // Unique violations are found before anything of the build is written.
      const built = indexes.slice(collection.indexes.length);
      build(view, collection, built);
      return { after: { ...collection, indexes }, result: { before: collection.indexes.length + 1, after: indexes.length + 1 } };
    });
  }

  /** @throws StoreError 27 when there is no such index. */
  async dropIndexes(namespace: string, matches: (index: Index) => boolean, required: boolean): Promise<number> {
    return this.change(namespace, (view, current) => {
      if (current === undefined) throw new StoreError(26, 'NamespaceNotFound', `ns not found ${namespace}`);
      const dropped = current.indexes.filter(matches);
      if (required && dropped.length === 0) throw new StoreError(27, 'IndexNotFound', 'index not found');
      for (const index of dropped) clear(view, indexPrefix(index.id));
      const after = { ...current, indexes: current.indexes.filter((index) => !dropped.includes(index)) };
      return { after, result: current.indexes.length + 1 };
    }, true);
  }

  private async change<T>(
    namespace: string,
    edit: (view: WriteView, current: Collection | undefined) => { after: Collection | undefined; result: T },
    frees = false,
  ): Promise<T> {
    const done = await this.kv.write(
      (view) => {
        const current = this.collections.get(namespace);
        const edited = edit(view, current);
        if (edited.after !== current) store(view, namespace, edited.after);
        return edited;
      },
      {
        exclusive: true,
        frees,
        committed: ({ after }) => {
          if (after === undefined) this.collections.delete(namespace);
          else this.collections.set(namespace, after);
        },
      },
    );
    return done.result;
  }
}

function store(view: WriteView, namespace: string, collection: Collection | undefined): void {
  const key = Catalog.keyOf(namespace);
  if (collection === undefined) {
    view.remove(key);
    return;
  }
  const indexes = collection.indexes.map((index) => ({ id: index.id, ...describeIndex(index) }));
  view.put(key, Buffer.from(BSON.serialize({ id: collection.id, uuid: new UUID(collection.uuid), indexes })));
}

function parseCollection(namespace: string, bytes: Buffer): Collection {
  const stored = BSON.deserialize(bytes) as unknown as StoredCollection;
  return {
    ...names(namespace),
    id: stored.id,
    uuid: Buffer.from(stored.uuid.buffer),
    indexes: stored.indexes.map(({ id, ...spec }) => ({ id, ...parseIndexSpec(spec) })),
  };
}

function newCollection(view: WriteView, namespace: string): Collection {
  return { ...names(namespace), id: nextId(view), uuid: Buffer.from(new UUID().buffer), indexes: [] };
}

function names(namespace: string): Pick<Collection, 'namespace' | 'database' | 'name'> {
  const dot = namespace.indexOf('.');
  return { namespace, database: namespace.slice(0, dot), name: namespace.slice(dot + 1) };
}

/** Ids of collections and indexes are never used twice, so that a late reader of a dropped one finds nothing. */
function nextId(view: WriteView): number {
  const id = (view.get(metaKey(NEXT_ID))?.readUInt32BE(0) ?? 0) + 1;
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(id, 0);
  view.put(metaKey(NEXT_ID), bytes);
  return id;
}

function clear(view: WriteView, prefix: Buffer): void {
  for (const entries of chunks(() => view, { start: prefix, end: afterPrefix(prefix) })) {
    for (const { key } of entries) view.remove(key);
  }
}

/** There is one from the beginning. @throws StoreError 197 for one that would be another. */
function isIdIndex({ key, unique, sparse, partial }: IndexRequest): boolean {
  if (key.length > 1 || key[0][0] !== '_id') return false;
  if (key[0][1] === 1 && !unique && !sparse && partial === undefined) return true;
  throw new StoreError(197, 'InvalidIndexSpecificationOption', 'an index on _id can only be { _id: 1 } without options, and is there already');
}

/** What makes two indexes different ones; the others are options of the same index. */
const signature = ({ key, unique, sparse, partial }: IndexRequest): string => JSON.stringify([key, unique, sparse, partial ?? null]);

/** @throws StoreError 86 when the name is taken by another index, 85 when the index is there under another name or with other options. */
function isPresent(request: IndexRequest, indexes: readonly Index[]): boolean {
  const sameName = indexes.find((index) => index.name === request.name);
  if (sameName === undefined) {
    const same = indexes.find((index) => signature(index) === signature(request));
    if (same !== undefined) throw new StoreError(85, 'IndexOptionsConflict', `Index already exists with a different name: ${same.name}`);
    return false;
  }
  if (signature(sameName) !== signature(request)) {
    throw new StoreError(86, 'IndexKeySpecsConflict', `An existing index has the same name as the requested index: ${request.name}`);
  }
  if (sameName.expireAfterSeconds !== request.expireAfterSeconds) {
    throw new StoreError(85, 'IndexOptionsConflict', `An equivalent index already exists with the same name but different options: ${request.name}`);
  }
  return true;
}

function build(view: WriteView, collection: Collection, indexes: readonly Index[]): void {
  if (indexes.length === 0) return;
  for (const index of indexes.filter((one) => one.unique)) requireUnique(view, collection, index);
  for (const { idKey, doc } of documents(view, collection)) for (const index of indexes) addEntries(view, index, keysOf(index, doc), idKey);
}

function requireUnique(view: ReadView, collection: Collection, index: Index): void {
  const seen = new Set<string>();
  for (const { doc, idKey } of documents(view, collection)) {
    for (const key of keysOf(index, doc).keys) {
      const name = entryKey(index, key, idKey).toString('latin1');
      if (seen.has(name)) throw duplicateKey(collection, index, doc);
      seen.add(name);
    }
  }
}

/** Read in pieces: what is built is written between them, which no open range survives. */
function* documents(view: ReadView, collection: Collection): Generator<{ readonly idKey: Buffer; readonly doc: Doc }> {
  for (const entries of chunks(() => view, wholeCollection(collection.id))) {
    for (const { key, value } of entries) yield { idKey: key.subarray(PREFIX_LENGTH), doc: decodeDocument(value) };
  }
}
