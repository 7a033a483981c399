import { hostname } from 'node:os';
import type { Collection } from '../catalog';
import { chunks } from '../chunks';
import { countOf } from '../counts';
import { describeIndex, ID_INDEX } from '../index-spec';
import { keysOf } from '../index-keys';
import { entryKey } from '../index-entries';
import { PREFIX_LENGTH, documentKey, wholeCollection } from '../keys';
import { decodeDocument } from '../documents';
import { indexRange, sizesOf } from '../sizes';
import type { Sizes } from '../sizes';
import { StoreError } from '../semantics/errors';
import type { Doc } from '../semantics/values';
import type { ReadView } from '../views';
import { countOption, namespaceOf, reading, requireNamespace } from './context';
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
    const all = await Promise.all(collections.map(({ namespace }) => sizes(context, namespace)));
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

/** Runs a pipeline that starts with a statistics stage; returns `undefined` for others. */
export async function statisticsStage(
  context: Context,
  namespace: string,
  stage: Doc | undefined,
): Promise<Doc[] | undefined> {
  const [name] = Object.keys(stage ?? {});
  if (name !== '$collStats' && name !== '$indexStats') return undefined;
  const { collection } = reading(context, namespace);
  if (collection === undefined)
    throw new StoreError(
      26,
      'NamespaceNotFound',
      `${name} of a collection that is not there: ${namespace}`,
    );
  const host = hostname();
  if (name === '$indexStats') {
    return [ID_INDEX, ...collection.indexes.map(describeIndex)].map((spec) => ({
      name: spec.name,
      key: spec.key,
      host,
      spec,
    }));
  }
  const asked = (stage?.$collStats ?? {}) as Doc;
  const known = new Set(['storageStats', 'count']);
  const unknown = Object.keys(asked).find((key) => !known.has(key));
  if (unknown !== undefined)
    throw new StoreError(
      115,
      'CommandNotSupported',
      `"${unknown}" of $collStats is not supported by the embedded store; set MONGODB_URI to a MongoDB replica set`,
    );
  return [
    {
      ns: namespace,
      host,
      localTime: new Date(),
      ...(asked.storageStats === undefined
        ? {}
        : {
            storageStats: await storageStats(
              context,
              namespace,
              scaleOf(asked.storageStats as Doc),
            ),
          }),
      ...(asked.count === undefined
        ? {}
        : { count: countOf(context.store.kv.committed, collection.id) }),
    },
  ];
}

async function storageStats(context: Context, namespace: string, scale: number): Promise<Doc> {
  const found = await sizes(context, namespace);
  const total = indexBytes(found);
  return {
    size: found.documents / scale,
    count: found.count,
    avgObjSize: found.count === 0 ? 0 : Math.round(found.documents / found.count),
    storageSize: found.documents / scale,
    nindexes: found.indexes.size,
    indexSizes: Object.fromEntries(
      [...found.indexes].map(([name, bytes]) => [name, bytes / scale]),
    ),
    totalIndexSize: total / scale,
    totalSize: (found.documents + total) / scale,
    scaleFactor: scale,
    capped: false,
  };
}

const NOTHING: Sizes = { count: 0, documents: 0, indexes: new Map() };

/** Returns zeros for a missing collection, as MongoDB does. */
export async function sizes(context: Context, namespace: string): Promise<Sizes> {
  const { view, collection } = reading(context, namespace);
  return collection === undefined ? NOTHING : sizesOf(view, collection, context.pace);
}

export const sizeOf = (found: Sizes): number => found.documents + indexBytes(found);

const indexBytes = ({ indexes }: Sizes): number => sum([...indexes.values()]);
const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, number) => total + number, 0);
const scaleOf = (command: Doc): number => Math.max(1, countOption(command, 'scale', 1));

/** Checks that each document has all its index entries and that there are no other entries. */
export const validate: Command = {
  options: ['full', 'checkBSONConformance', 'metadata', 'background'],
  async run(context) {
    const namespace = requireNamespace(context.database, String(context.command.validate));
    const { view, collection } = reading(context, namespace);
    if (collection === undefined)
      throw new StoreError(
        26,
        'NamespaceNotFound',
        `Collection '${namespace}' does not exist to validate.`,
      );
    const errors: string[] = [];
    const held = new Map<string, number>([
      ['_id_', 0],
      ...collection.indexes.map(({ name }) => [name, 0] as const),
    ]);
    const add = (index: string, keys: number): unknown =>
      held.set(index, (held.get(index) ?? 0) + keys);
    for (const entries of chunks(view, wholeCollection(collection.id))) {
      for (const { key } of entries) {
        // Read the document again: it may have changed since the chunk was read.
        const bytes = view().get(key);
        if (bytes === undefined) continue;
        add('_id_', 1);
        for (const problem of entriesMissing(
          view(),
          collection,
          key.subarray(PREFIX_LENGTH),
          decodeDocument(bytes),
          add,
        ))
          if (errors.length < MOST_ERRORS) errors.push(problem);
      }
      await context.pace.pause();
    }
    for (const index of collection.indexes)
      errors.push(...(await strayEntries(context, collection, index)).slice(0, MOST_ERRORS));
    return {
      ns: namespace,
      nInvalidDocuments: 0,
      nrecords: held.get('_id_'),
      nIndexes: held.size,
      keysPerIndex: Object.fromEntries(held),
      indexDetails: Object.fromEntries(
        [...held.keys()].map((name) => [
          name,
          { valid: !errors.some((error) => error.startsWith(`${name}:`)) },
        ]),
      ),
      valid: errors.length === 0,
      repaired: false,
      warnings: [],
      errors,
      ok: 1,
    };
  },
};

const MOST_ERRORS = 100;

function entriesMissing(
  view: ReadView,
  collection: Collection,
  idKey: Buffer,
  doc: Doc,
  add: (index: string, keys: number) => unknown,
): string[] {
  return collection.indexes.flatMap((index) => {
    const { keys } = keysOf(index, doc);
    add(index.name, keys.length);
    return keys
      .filter((key) => view.get(entryKey(index, key, idKey))?.equals(idKey) !== true)
      .map(() => `${index.name}: an entry is missing for a document with _id ${String(doc._id)}`);
  });
}

/** Returns entries without a matching document. */
async function strayEntries(
  context: Context,
  collection: Collection,
  index: Collection['indexes'][number],
): Promise<string[]> {
  const { view } = reading(context, collection.namespace);
  const errors: string[] = [];
  for (const entries of chunks(view, indexRange(index.id))) {
    for (const { key } of entries) {
      const idKey = view().get(key);
      if (idKey === undefined) continue;
      const bytes = view().get(documentKey(collection.id, idKey));
      if (
        bytes === undefined ||
        !keysOf(index, decodeDocument(bytes)).keys.some((own) =>
          entryKey(index, own, idKey).equals(key),
        )
      )
        errors.push(`${index.name}: an entry has no document`);
    }
    await context.pace.pause();
  }
  return errors;
}
