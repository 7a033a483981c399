import { hostname } from 'node:os';
import { StoreError, unsupported } from '../errors';
import { countOf, indexRange, documentRange } from '../storage/keys';
import { readInChunks } from '../storage/views';
import type { Range, ReadView } from '../storage/views';
import type { CommandTimer } from '../time-slices';
import type { Doc } from '../values/values';
import { countOption, namespaceOf, openForReading } from './context';
import type { Command, Context } from './context';

export const collStats: Command = {
  options: ['scale'],
  async run(context) {
    const namespace = namespaceOf(context);
    return {
      ns: namespace,
      ...(await storageStats(context, namespace, scaleOf(context.command))),
      ok: 1,
    };
  },
};

export const dbStats: Command = {
  options: ['scale', 'freeStorage'],
  async run(context) {
    const { store, database, command } = context;
    const scale = scaleOf(command);
    const collections = store.catalog.list(database);
    const all = await Promise.all(collections.map(({ namespace }) => sizesOf(context, namespace)));
    const objects = sum(all.map(({ count }) => count));
    const dataSize = sum(all.map(({ documents }) => documents));
    const indexSize = sum(all.map(indexBytes));
    return {
      db: database,
      collections: collections.length,
      views: 0,
      objects,
      avgObjSize: objects === 0 ? 0 : dataSize / objects,
      dataSize: dataSize / scale,
      storageSize: dataSize / scale,
      indexes: sum(collections.map(({ indexes }) => indexes.length + 1)),
      indexSize: indexSize / scale,
      totalSize: (dataSize + indexSize) / scale,
      scaleFactor: scale,
      ok: 1,
    };
  },
};

/** Returns the document of `$collStats`. @throws StoreError 26, 115 */
export async function statistics(
  context: Context,
  namespace: string,
  specification: unknown,
): Promise<Doc> {
  const { collection } = openForReading(context, namespace);
  if (collection === undefined)
    throw new StoreError('NamespaceNotFound', `Collection [${namespace}] not found.`);
  const { storageStats: storage, count, ...others } = (specification ?? {}) as Doc;
  const [other] = Object.keys(others);
  if (other !== undefined) throw unsupported(`"${other}" of $collStats is`);
  return {
    ns: namespace,
    host: hostname(),
    localTime: new Date(),
    ...(storage === undefined
      ? {}
      : { storageStats: await storageStats(context, namespace, scaleOf(storage as Doc)) }),
    ...(count === undefined ? {} : { count: countOf(context.store.kv.committed, collection.id) }),
  };
}

async function storageStats(context: Context, namespace: string, scale: number): Promise<Doc> {
  const sizes = await sizesOf(context, namespace);
  const total = indexBytes(sizes);
  return {
    size: sizes.documents / scale,
    count: sizes.count,
    avgObjSize: sizes.count === 0 ? 0 : Math.round(sizes.documents / sizes.count),
    storageSize: sizes.documents / scale,
    nindexes: sizes.indexes.size,
    indexSizes: Object.fromEntries(
      [...sizes.indexes].map(([name, bytes]) => [name, bytes / scale]),
    ),
    totalIndexSize: total / scale,
    totalSize: (sizes.documents + total) / scale,
    scaleFactor: scale,
    capped: false,
  };
}

/** Sizes of a collection in bytes of keys and values. */
interface Sizes {
  readonly count: number;
  readonly documents: number;
  readonly indexes: ReadonlyMap<string, number>;
}

/** Reads the whole collection; returns zeros if it is missing, as MongoDB does. */
export async function sizesOf(context: Context, namespace: string): Promise<Sizes> {
  const { view, collection } = openForReading(context, namespace);
  if (collection === undefined) return { count: 0, documents: 0, indexes: new Map() };
  const documents = await bytesIn(view, documentRange(collection.id), context.timer);
  // Documents are stored in the order of _id.
  const indexes = new Map([['_id_', 0]]);
  for (const { id, name } of collection.indexes)
    indexes.set(name, await bytesIn(view, indexRange(id), context.timer));
  return { count: countOf(view(), collection.id), documents, indexes };
}

async function bytesIn(view: () => ReadView, range: Range, timer: CommandTimer): Promise<number> {
  let bytes = 0;
  for (const entries of readInChunks(view, range)) {
    for (const { key, value } of entries) bytes += key.length + value.length;
    await timer.yieldIfDue();
  }
  return bytes;
}

export const totalBytes = (sizes: Sizes): number => sizes.documents + indexBytes(sizes);

const indexBytes = ({ indexes }: Sizes): number => sum([...indexes.values()]);
const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, number) => total + number, 0);
const scaleOf = (command: Doc): number => Math.max(1, countOption(command, 'scale', 1));
