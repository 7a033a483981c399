import { BSON, UUID } from 'bson';
import { Garbage } from './garbage';
import { buildSome } from './index-build';
import type { Index } from './index-keys';
import { describeIndex, parseIndexSpec } from './index-spec';
import type { IndexRequest } from './index-spec';
import { afterPrefix, documentPrefix, indexPrefix, metaKey } from './keys';
import type { Kv } from './kv';
import { StoreError } from './semantics/errors';
import type { Doc } from './semantics/values';
import type { WriteView } from './views';

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
  id: number;
  uuid: { buffer: Uint8Array };
  indexes: Array<Doc & { id: number; building?: boolean }>;
}

const COLLECTION = 'c/';
const NEXT_ID = 'next-id';

/**
 * Collections and indexes. Changes are exclusive: each commits alone and memory is updated in the
 * same step, so no writer runs with a definition that is not on disk.
 */
export class Catalog {
  private readonly collections = new Map<string, Collection>();
  private readonly garbage: Garbage;
  /** Serialises index builds per collection. */
  private readonly builds = new Map<string, Promise<unknown>>();

  constructor(private readonly kv: Kv) {
    this.garbage = new Garbage(kv);
    const start = metaKey(COLLECTION);
    for (const { key, value } of kv.committed.range({ start, end: afterPrefix(start) })) {
      const namespace = key.subarray(start.length).toString('utf8');
      this.collections.set(namespace, parseCollection(namespace, value));
    }
    for (const [namespace, collection] of this.collections) {
      if (collection.maintained.length > collection.indexes.length)
        this.collections.set(namespace, this.withoutBuilds(collection));
    }
  }

  /** Drops incomplete indexes of a process that died during a build. */
  private withoutBuilds(collection: Collection): Collection {
    const after = { ...collection, maintained: collection.indexes };
    this.kv.writeNow((view) => {
      Garbage.add(
        view,
        prefixesOf(collection.maintained.filter((index) => !collection.indexes.includes(index))),
      );
      store(view, collection.namespace, after);
    });
    return after;
  }

  /** Deletes the data of collections and indexes that were dropped before the last restart. */
  sweep(): Promise<void> {
    return this.garbage.sweep();
  }

  get(namespace: string): Collection | undefined {
    return this.collections.get(namespace);
  }

  /** Key that a transaction watches to conflict with a change of the definition. */
  static keyOf(namespace: string): Buffer {
    return metaKey(COLLECTION + namespace);
  }

  list(database: string): Collection[] {
    return this.all().filter((collection) => collection.database === database);
  }

  all(): Collection[] {
    return [...this.collections.values()].sort((a, b) => (a.namespace < b.namespace ? -1 : 1));
  }

  /** Creates the collection if it does not exist; returns whether it did so. */
  async ensure(namespace: string): Promise<boolean> {
    if (this.collections.has(namespace)) return false;
    return this.change(namespace, (view, current) => {
      if (current !== undefined) return { after: current, result: false };
      return { after: newCollection(view, namespace), result: true };
    });
  }

  /** Drops a collection; returns false if it does not exist. Its data is deleted later. */
  async drop(namespace: string): Promise<boolean> {
    const dropped = await this.change(
      namespace,
      (view, current) => {
        if (current === undefined) return { after: undefined, result: false };
        Garbage.add(view, [documentPrefix(current.id), ...prefixesOf(current.maintained)]);
        return { after: undefined, result: true };
      },
      true,
    );
    if (dropped) await this.garbage.sweep();
    return dropped;
  }

  /**
   * Builds missing indexes, all or none. Writers update them from the start; readers use them when
   * complete. `pause` is called between commits and may abort the build by throwing.
   * @throws StoreError 85 or 86 conflicting definition, 11000 unique violation, 276 the collection
   *   or index was dropped during the build
   */
  async createIndexes(
    namespace: string,
    specs: readonly Doc[],
    pause: () => Promise<void> = () => Promise.resolve(),
  ): Promise<{ before: number; after: number }> {
    const requests = specs.map(parseIndexSpec).filter((request) => !isIdIndex(request));
    const earlier = this.builds.get(namespace) ?? Promise.resolve();
    const build = earlier.catch(() => undefined).then(() => this.build(namespace, requests, pause));
    this.builds.set(namespace, build);
    try {
      return await build;
    } finally {
      if (this.builds.get(namespace) === build) this.builds.delete(namespace);
    }
  }

  private async build(
    namespace: string,
    requests: readonly IndexRequest[],
    pause: () => Promise<void>,
  ): Promise<{ before: number; after: number }> {
    const { collection, added, next, ...counts } = await this.change(namespace, (view, current) => {
      const before = current ?? newCollection(view, namespace);
      const missing = requests.filter(
        (request, at) => !isPresent(request, [...before.indexes, ...requests.slice(0, at)]),
      );
      if (before.indexes.length + missing.length > 63)
        throw new StoreError(67, 'CannotCreateIndex', 'add index fails, too many indexes');
      const indexes = missing.map((request): Index => ({ ...request, id: nextId(view) }));
      const rest = buildSome(view, before, indexes, undefined);
      const maintained = [...before.maintained, ...indexes];
      const after = {
        ...before,
        maintained,
        indexes: rest === undefined ? [...before.indexes, ...indexes] : before.indexes,
      };
      const result = {
        collection: after,
        added: indexes,
        next: rest,
        before: before.indexes.length + 1,
        after: before.indexes.length + indexes.length + 1,
      };
      return { after: indexes.length === 0 && current !== undefined ? current : after, result };
    });
    if (next !== undefined) await this.goOnBuilding(collection, added, next, pause);
    return counts;
  }

  private async goOnBuilding(
    collection: Collection,
    added: readonly Index[],
    from: Buffer,
    pause: () => Promise<void>,
  ): Promise<void> {
    try {
      for (let next: Buffer | undefined = from; next !== undefined;) {
        await pause();
        const start: Buffer = next;
        const step = await this.kv.write((view) =>
          valueOrError(() =>
            buildSome(view, this.requireBuilding(collection, added), added, start),
          ),
        );
        if ('error' in step) throw step.error;
        next = step.value;
      }
      await this.change(collection.namespace, () => {
        const current = this.requireBuilding(collection, added);
        return {
          after: { ...current, indexes: [...current.indexes, ...added] },
          result: undefined,
        };
      });
    } catch (error) {
      await this.dropThose(collection.namespace, (index) =>
        added.some(({ id }) => id === index.id),
      );
      throw error;
    }
  }

  /** Returns the current definition. @throws StoreError 276 */
  private requireBuilding({ namespace, id }: Collection, added: readonly Index[]): Collection {
    const current = this.collections.get(namespace);
    const isWhole =
      current?.id === id &&
      added.every((index) => current.maintained.some((one) => one.id === index.id));
    if (current === undefined || !isWhole)
      throw new StoreError(
        276,
        'IndexBuildAborted',
        `${namespace} or one of its indexes was dropped while the index was built`,
      );
    return current;
  }

  /** @throws StoreError 27 no such index */
  async dropIndexes(
    namespace: string,
    matches: (index: Index) => boolean,
    required: boolean,
  ): Promise<number> {
    const current = this.collections.get(namespace);
    if (current === undefined)
      throw new StoreError(26, 'NamespaceNotFound', `ns not found ${namespace}`);
    const dropped = await this.dropThose(namespace, matches);
    if (required && dropped === 0) throw new StoreError(27, 'IndexNotFound', 'index not found');
    return current.indexes.length + 1;
  }

  /** Returns the number of dropped indexes. */
  private async dropThose(namespace: string, matches: (index: Index) => boolean): Promise<number> {
    const count = await this.change(
      namespace,
      (view, current) => {
        const dropped = current?.maintained.filter(matches) ?? [];
        if (current === undefined || dropped.length === 0) return { after: current, result: 0 };
        Garbage.add(view, prefixesOf(dropped));
        const kept = (index: Index): boolean => !dropped.includes(index);
        return {
          after: {
            ...current,
            indexes: current.indexes.filter(kept),
            maintained: current.maintained.filter(kept),
          },
          result: dropped.length,
        };
      },
      true,
    );
    if (count > 0) await this.garbage.sweep();
    return count;
  }

  private async change<T>(
    namespace: string,
    edit: (
      view: WriteView,
      current: Collection | undefined,
    ) => { after: Collection | undefined; result: T },
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
  const indexes = collection.maintained.map((index) => ({
    id: index.id,
    ...describeIndex(index),
    ...(collection.indexes.includes(index) ? {} : { building: true }),
  }));
  view.put(
    key,
    Buffer.from(BSON.serialize({ id: collection.id, uuid: new UUID(collection.uuid), indexes })),
  );
}

function parseCollection(namespace: string, bytes: Buffer): Collection {
  const stored = BSON.deserialize(bytes) as unknown as StoredCollection;
  const parsed = stored.indexes.map(({ id, building = false, ...spec }) => ({
    building,
    index: { id, ...parseIndexSpec(spec) },
  }));
  return {
    ...names(namespace),
    id: stored.id,
    uuid: Buffer.from(stored.uuid.buffer),
    indexes: parsed.filter(({ building }) => !building).map(({ index }) => index),
    maintained: parsed.map(({ index }) => index),
  };
}

const prefixesOf = (indexes: readonly Index[]): Buffer[] =>
  indexes.map(({ id }) => indexPrefix(id));

function valueOrError<T>(run: () => T): { readonly value: T } | { readonly error: StoreError } {
  try {
    return { value: run() };
  } catch (error) {
    if (error instanceof StoreError) return { error };
    throw error;
  }
}

function newCollection(view: WriteView, namespace: string): Collection {
  return {
    ...names(namespace),
    id: nextId(view),
    uuid: Buffer.from(new UUID().buffer),
    indexes: [],
    maintained: [],
  };
}

function names(namespace: string): Pick<Collection, 'namespace' | 'database' | 'name'> {
  const dot = namespace.indexOf('.');
  return { namespace, database: namespace.slice(0, dot), name: namespace.slice(dot + 1) };
}

/** Ids are never reused, so that a late reader of a dropped collection finds nothing. */
function nextId(view: WriteView): number {
  const id = (view.get(metaKey(NEXT_ID))?.readUInt32BE(0) ?? 0) + 1;
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(id, 0);
  view.put(metaKey(NEXT_ID), bytes);
  return id;
}

/** The `_id` index always exists. @throws StoreError 197 a different index on `_id` */
function isIdIndex({ key, unique, sparse, partial }: IndexRequest): boolean {
  if (key.length > 1 || key[0][0] !== '_id') return false;
  if (key[0][1] === 1 && !unique && !sparse && partial === undefined) return true;
  throw new StoreError(
    197,
    'InvalidIndexSpecificationOption',
    'an index on _id can only be { _id: 1 } without options, and is there already',
  );
}

/** Fields that identify an index; the others are options. */
const signature = ({ key, unique, sparse, partial }: IndexRequest): string =>
  JSON.stringify([key, unique, sparse, partial ?? null]);

/** @throws StoreError 86 name used by another index, 85 same index with another name or options */
function isPresent(request: IndexRequest, indexes: readonly IndexRequest[]): boolean {
  const sameName = indexes.find((index) => index.name === request.name);
  if (sameName === undefined) {
    const same = indexes.find((index) => signature(index) === signature(request));
    if (same !== undefined)
      throw new StoreError(
        85,
        'IndexOptionsConflict',
        `Index already exists with a different name: ${same.name}`,
      );
    return false;
  }
  if (signature(sameName) !== signature(request)) {
    throw new StoreError(
      86,
      'IndexKeySpecsConflict',
      `An existing index has the same name as the requested index: ${request.name}`,
    );
  }
  if (sameName.expireAfterSeconds !== request.expireAfterSeconds) {
    throw new StoreError(
      85,
      'IndexOptionsConflict',
      `An equivalent index already exists with the same name but different options: ${request.name}`,
    );
  }
  return true;
}
