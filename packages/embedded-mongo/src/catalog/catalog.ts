import { StoreError } from '../errors';
import { documentPrefix, indexPrefix } from '../storage/keys';
import type { Kv } from '../storage/kv';
import type { WriteView } from '../storage/views';
import type { Doc } from '../values/values';
import {
  isIdIndex,
  newCollection,
  newIndexes,
  storeCollection,
  storedCollections,
} from './collection';
import type { Collection } from './collection';
import { DroppedData } from './dropped-data';
import { indexNextDocuments } from './index-build';
import type { Index } from './index-entries';
import { parseIndexSpec } from './index-spec';
import type { IndexRequest } from './index-spec';

interface Edit<T> {
  readonly after: Collection | undefined;
  readonly result: T;
}

type BuildStep = { readonly next: Buffer | undefined } | { readonly error: StoreError };

interface IndexCounts {
  readonly before: number;
  readonly after: number;
}

/**
 * Collections and indexes. Changes are exclusive: each commits alone and memory is updated in the
 * same step, so no writer runs with a definition that is not on disk.
 */
export class Catalog {
  private readonly collections = new Map<string, Collection>();
  private readonly namesById = new Map<number, string>();
  private readonly droppedData: DroppedData;
  /** Serialises index builds per collection. */
  private readonly builds = new Map<string, Promise<unknown>>();

  /** @param onChange called after a collection was created, changed or dropped */
  constructor(
    private readonly kv: Kv,
    private readonly onChange: () => void = () => undefined,
  ) {
    this.droppedData = new DroppedData(kv);
    for (const collection of [...storedCollections(kv.committed)])
      this.collections.set(collection.namespace, this.withCompletedIndexes(collection));
  }

  /** Drops incomplete indexes of a process that died during a build. */
  private withCompletedIndexes(collection: Collection): Collection {
    const { indexes, maintained, namespace } = collection;
    if (maintained.length === indexes.length) return collection;
    const after = { ...collection, maintained: indexes };
    this.kv.writeNow((view) => {
      DroppedData.add(view, prefixesOf(maintained.filter((index) => !indexes.includes(index))));
      storeCollection(view, namespace, after);
    });
    return after;
  }

  /** Deletes the data of collections and indexes that were dropped before the last restart. */
  sweep(): Promise<void> {
    return this.droppedData.sweep();
  }

  get(namespace: string): Collection | undefined {
    return this.collections.get(namespace);
  }

  /** Returns the name of a collection without its database; undefined if it was dropped. */
  nameOf(id: number): string | undefined {
    if (this.namesById.size === 0)
      for (const { id: key, name } of this.collections.values()) this.namesById.set(key, name);
    return this.namesById.get(id);
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
    return this.change(namespace, (view, current) =>
      current === undefined
        ? { after: newCollection(view, namespace), result: true }
        : { after: current, result: false },
    );
  }

  /** Drops a collection; returns false if it does not exist. Its data is deleted later. */
  async drop(namespace: string): Promise<boolean> {
    const isDropped = await this.change(namespace, (view, current) => {
      if (current !== undefined)
        DroppedData.add(view, [documentPrefix(current.id), ...prefixesOf(current.maintained)]);
      return { after: undefined, result: current !== undefined };
    });
    if (isDropped) await this.droppedData.sweep();
    return isDropped;
  }

  /**
   * Builds missing indexes, all or none. Writers update them from the start; readers use them when
   * complete. `pause` is called between commits and may abort the build by throwing.
   * @returns numbers of indexes, with that on `_id`
   * @throws StoreError 85 or 86 conflicting definition, 11000 unique violation, 276 the collection
   *   or index was dropped during the build
   */
  async createIndexes(
    namespace: string,
    specs: readonly Doc[],
    pause: () => Promise<void> = () => Promise.resolve(),
  ): Promise<IndexCounts> {
    const requests = specs.map(parseIndexSpec).filter((request) => !isIdIndex(request));
    const previous = this.builds.get(namespace) ?? Promise.resolve();
    const build = previous
      .catch(() => undefined)
      .then(() => this.build(namespace, requests, pause));
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
  ): Promise<IndexCounts> {
    const { collection, added, next, counts } = await this.change(namespace, (view, current) => {
      const before = current ?? newCollection(view, namespace);
      const indexes = newIndexes(view, before, requests);
      const rest =
        indexes.length === 0 ? undefined : indexNextDocuments(view, before, indexes, undefined);
      const all = [...before.indexes, ...indexes];
      const after = {
        ...before,
        maintained: [...before.maintained, ...indexes],
        indexes: rest === undefined ? all : before.indexes,
      };
      const result = {
        collection: after,
        added: indexes,
        next: rest,
        counts: { before: before.indexes.length + 1, after: all.length + 1 },
      };
      return { after: indexes.length === 0 && current !== undefined ? current : after, result };
    });
    if (next !== undefined) await this.continueBuild(collection, added, next, pause);
    return counts;
  }

  private async continueBuild(
    collection: Collection,
    added: readonly Index[],
    from: Buffer,
    pause: () => Promise<void>,
  ): Promise<void> {
    try {
      for (let next: Buffer | undefined = from; next !== undefined;) {
        await pause();
        next = await this.buildStep(collection, added, next);
      }
      await this.change(collection.namespace, () => {
        const current = this.requireBuilding(collection, added);
        const after = { ...current, indexes: [...current.indexes, ...added] };
        return { after, result: undefined };
      });
    } catch (error) {
      await this.dropMatching(collection.namespace, (index) =>
        added.some(({ id }) => id === index.id),
      );
      throw error;
    }
  }

  private async buildStep(
    collection: Collection,
    added: readonly Index[],
    from: Buffer,
  ): Promise<Buffer | undefined> {
    const step = await this.kv.write((view): BuildStep => {
      try {
        return {
          next: indexNextDocuments(view, this.requireBuilding(collection, added), added, from),
        };
      } catch (error) {
        // A writer must not throw after it has written.
        if (error instanceof StoreError) return { error };
        throw error;
      }
    });
    if ('error' in step) throw step.error;
    return step.next;
  }

  /** Returns the current definition. @throws StoreError 276 */
  private requireBuilding({ namespace, id }: Collection, added: readonly Index[]): Collection {
    const current = this.collections.get(namespace);
    const isBuilding =
      current?.id === id &&
      added.every((index) => current.maintained.some((one) => one.id === index.id));
    if (current === undefined || !isBuilding)
      throw new StoreError(
        'IndexBuildAborted',
        `${namespace} or one of its indexes was dropped while the index was built`,
      );
    return current;
  }

  /**
   * @returns the previous number of indexes, with that on `_id`
   * @throws StoreError 26 no such collection, 27 no such index
   */
  async dropIndexes(
    namespace: string,
    matches: (index: Index) => boolean,
    isRequired: boolean,
  ): Promise<number> {
    const current = this.collections.get(namespace);
    if (current === undefined)
      throw new StoreError('NamespaceNotFound', `ns not found ${namespace}`);
    const count = await this.dropMatching(namespace, matches);
    if (isRequired && count === 0) throw new StoreError('IndexNotFound', 'index not found');
    return current.indexes.length + 1;
  }

  /** Returns the number of dropped indexes. */
  private async dropMatching(
    namespace: string,
    matches: (index: Index) => boolean,
  ): Promise<number> {
    const count = await this.change(namespace, (view, current) => {
      const dropped = current?.maintained.filter(matches) ?? [];
      if (current === undefined || dropped.length === 0) return { after: current, result: 0 };
      DroppedData.add(view, prefixesOf(dropped));
      const isKept = (index: Index): boolean => !dropped.includes(index);
      const after = {
        ...current,
        indexes: current.indexes.filter(isKept),
        maintained: current.maintained.filter(isKept),
      };
      return { after, result: dropped.length };
    });
    if (count > 0) await this.droppedData.sweep();
    return count;
  }

  private async change<T>(
    namespace: string,
    edit: (view: WriteView, current: Collection | undefined) => Edit<T>,
  ): Promise<T> {
    const { result } = await this.kv.write(
      (view) => {
        const current = this.collections.get(namespace);
        const edited = edit(view, current);
        if (edited.after !== current) storeCollection(view, namespace, edited.after);
        return edited;
      },
      {
        exclusive: true,
        // Definitions are small; a restart requests those that exist.
        reserve: 'always',
        committed: ({ after }) => {
          if (after === undefined) this.collections.delete(namespace);
          else this.collections.set(namespace, after);
          this.namesById.clear();
          this.onChange();
        },
      },
    );
    return result;
  }
}

const prefixesOf = (indexes: readonly Index[]): Buffer[] =>
  indexes.map(({ id }) => indexPrefix(id));
