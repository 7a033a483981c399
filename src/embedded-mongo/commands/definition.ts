import { Long, UUID } from 'bson';
import type { Collection } from '../catalog';
import type { Index } from '../index-keys';
import { describeIndex, ID_INDEX } from '../index-spec';
import { compileFilter } from '../semantics/match';
import { StoreError, unsupported } from '../semantics/errors';
import { exactInteger } from '../semantics/numbers';
import { isDocument } from '../semantics/values';
import type { Doc } from '../semantics/values';
import type { Reply } from '../wire';
import {
  documentOption,
  documentsOption,
  flagOption,
  namespaceOf,
  requireHarmless,
} from './context';
import type { Command } from './context';
import { sizeOf, sizes } from './statistics';

export const create: Command = {
  options: ['collation', 'autoIndexId', 'idIndex'],
  async run(context) {
    requireHarmless(context.command, 'create');
    const namespace = namespaceOf(context);
    if (!(await context.store.catalog.ensure(namespace)))
      throw new StoreError(48, 'NamespaceExists', `Collection ${namespace} already exists.`);
    return { ok: 1 };
  },
};

export const drop: Command = {
  options: [],
  async run(context) {
    const namespace = namespaceOf(context);
    if (!(await context.store.catalog.drop(namespace)))
      throw new StoreError(26, 'NamespaceNotFound', 'ns not found');
    return { ns: namespace, ok: 1 };
  },
};

export const dropDatabase: Command = {
  options: [],
  async run({ store, database }) {
    for (const { namespace } of store.catalog.list(database)) await store.catalog.drop(namespace);
    return { dropped: database, ok: 1 };
  },
};

export const createIndexes: Command = {
  options: ['indexes', 'commitQuorum'],
  async run(context) {
    const namespace = namespaceOf(context);
    const created = context.store.catalog.get(namespace) === undefined;
    const { before, after } = await context.store.catalog.createIndexes(
      namespace,
      documentsOption(context.command, 'indexes'),
      () => context.pace.pause(),
    );
    const note = before === after ? { note: 'all indexes already exist' } : {};
    return {
      numIndexesBefore: before,
      numIndexesAfter: after,
      createdCollectionAutomatically: created,
      ...note,
      ok: 1,
    };
  },
};

export const dropIndexes: Command = {
  options: ['index'],
  async run(context) {
    const wanted = context.command.index;
    if (wanted === '_id_') throw new StoreError(72, 'InvalidOptions', 'cannot drop _id index');
    const before = await context.store.catalog.dropIndexes(
      namespaceOf(context),
      selectorOf(wanted),
      wanted !== '*',
    );
    return { nIndexesWas: before, ok: 1 };
  },
};

export const listIndexes: Command = {
  options: ['cursor'],
  async run(context) {
    const namespace = namespaceOf(context);
    const collection = context.store.catalog.get(namespace);
    if (collection === undefined)
      throw new StoreError(26, 'NamespaceNotFound', `ns does not exist: ${namespace}`);
    return listed(namespace, [ID_INDEX, ...collection.indexes.map(describeIndex)]);
  },
};

export const listCollections: Command = {
  options: ['filter', 'nameOnly', 'authorizedCollections', 'cursor'],
  async run({ store, database, command }) {
    const filter = compileFilter(documentOption(command, 'filter') ?? {});
    const described = store.catalog
      .list(database)
      .map(describeCollection)
      .filter((one) => filter.test(one));
    const shown =
      command.nameOnly === true ? described.map(({ name, type }) => ({ name, type })) : described;
    return listed(`${database}.$cmd.listCollections`, shown);
  },
};

export const listDatabases: Command = {
  options: ['filter', 'nameOnly', 'authorizedDatabases'],
  async run(context) {
    const { store, command } = context;
    const filter = compileFilter(documentOption(command, 'filter') ?? {});
    const names = [...new Set(store.catalog.all().map(({ database }) => database))].filter((name) =>
      filter.test({ name }),
    );
    if (flagOption(command, 'nameOnly'))
      return { databases: names.map((name) => ({ name })), ok: 1 };
    const databases: Array<{
      readonly name: string;
      readonly sizeOnDisk: number;
      readonly empty: boolean;
    }> = [];
    for (const name of names) {
      let sizeOnDisk = 0;
      for (const { namespace } of store.catalog.list(name))
        sizeOnDisk += sizeOf(await sizes(context, namespace));
      databases.push({ name, sizeOnDisk, empty: sizeOnDisk === 0 });
    }
    return {
      databases,
      totalSize: databases.reduce((sum, { sizeOnDisk }) => sum + sizeOnDisk, 0),
      ok: 1,
    };
  },
};

function selectorOf(wanted: unknown): (index: Index) => boolean {
  if (wanted === '*') return () => true;
  if (typeof wanted === 'string') return ({ name }) => name === wanted;
  if (Array.isArray(wanted)) return ({ name }) => wanted.includes(name);
  if (!isDocument(wanted))
    throw unsupported('dropping an index by anything but its name or key is');
  const key = JSON.stringify(
    Object.entries(wanted).map(([path, direction]) => [path, exactInteger(direction) ?? direction]),
  );
  return (index) => JSON.stringify(index.key) === key;
}

const describeCollection = ({ name, uuid }: Collection): Doc => ({
  name,
  type: 'collection',
  options: {},
  info: { readOnly: false, uuid: new UUID(uuid) },
  idIndex: ID_INDEX,
});

/** Returns everything in the first batch. */
const listed = (ns: string, documents: readonly Doc[]): Reply => ({
  cursor: { id: Long.ZERO, ns, firstBatch: documents },
  ok: 1,
});
