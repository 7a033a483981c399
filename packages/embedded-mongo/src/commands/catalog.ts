import { Long, UUID } from 'bson';
import type { Collection } from '../catalog/collection';
import type { Index } from '../catalog/index-entries';
import { ID_INDEX, describeIndex } from '../catalog/index-spec';
import { StoreError, unsupported } from '../errors';
import { compileFilter } from '../query/filter';
import { exactInteger } from '../values/compare';
import { isDocument } from '../values/values';
import type { Doc } from '../values/values';
import type { Reply } from '../wire/messages';
import {
  documentOption,
  documentsOption,
  flagOption,
  namespaceOf,
  rejectUnsupportedOptions,
} from './context';
import type { Command } from './context';
import { sizesOf, totalBytes } from './statistics';

const create: Command = {
  options: ['collation', 'autoIndexId', 'idIndex'],
  async run(context) {
    rejectUnsupportedOptions(context.command, 'create');
    const namespace = namespaceOf(context);
    if (!(await context.store.catalog.ensure(namespace)))
      throw new StoreError('NamespaceExists', `Collection ${namespace} already exists.`);
    return { ok: 1 };
  },
};

const drop: Command = {
  options: [],
  async run(context) {
    const namespace = namespaceOf(context);
    if (!(await context.store.catalog.drop(namespace)))
      throw new StoreError('NamespaceNotFound', 'ns not found');
    return { ns: namespace, ok: 1 };
  },
};

const dropDatabase: Command = {
  options: [],
  async run({ store, database }) {
    for (const { namespace } of store.catalog.list(database)) await store.catalog.drop(namespace);
    return { dropped: database, ok: 1 };
  },
};

const createIndexes: Command = {
  options: ['indexes', 'commitQuorum'],
  async run(context) {
    const namespace = namespaceOf(context);
    const created = context.store.catalog.get(namespace) === undefined;
    const { before, after } = await context.store.catalog.createIndexes(
      namespace,
      documentsOption(context.command, 'indexes'),
      () => context.timer.yieldIfDue(),
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

const dropIndexes: Command = {
  options: ['index'],
  async run(context) {
    const index = context.command.index;
    if (index === '_id_') throw new StoreError('InvalidOptions', 'cannot drop _id index');
    const before = await context.store.catalog.dropIndexes(
      namespaceOf(context),
      selectorOf(index),
      index !== '*',
    );
    return { nIndexesWas: before, ok: 1 };
  },
};

const listIndexes: Command = {
  options: ['cursor'],
  async run(context) {
    const namespace = namespaceOf(context);
    const collection = context.store.catalog.get(namespace);
    if (collection === undefined)
      throw new StoreError('NamespaceNotFound', `ns does not exist: ${namespace}`);
    return singleBatch(namespace, describeIndexes(collection));
  },
};

const listCollections: Command = {
  options: ['filter', 'nameOnly', 'authorizedCollections', 'cursor'],
  async run({ store, database, command }) {
    const filter = compileFilter(documentOption(command, 'filter') ?? {});
    const described = store.catalog
      .list(database)
      .map(describeCollection)
      .filter((one) => filter.test(one));
    const shown =
      command.nameOnly === true ? described.map(({ name, type }) => ({ name, type })) : described;
    return singleBatch(`${database}.$cmd.listCollections`, shown);
  },
};

const listDatabases: Command = {
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
        sizeOnDisk += totalBytes(await sizesOf(context, namespace));
      databases.push({ name, sizeOnDisk, empty: sizeOnDisk === 0 });
    }
    return {
      databases,
      totalSize: databases.reduce((sum, { sizeOnDisk }) => sum + sizeOnDisk, 0),
      ok: 1,
    };
  },
};

function selectorOf(index: unknown): (index: Index) => boolean {
  if (index === '*') return () => true;
  if (typeof index === 'string') return ({ name }) => name === index;
  if (Array.isArray(index)) return ({ name }) => index.includes(name);
  if (!isDocument(index)) throw unsupported('dropping an index by anything but its name or key is');
  const key = JSON.stringify(
    Object.entries(index).map(([path, direction]) => [path, exactInteger(direction) ?? direction]),
  );
  return (index) => JSON.stringify(index.key) === key;
}

const describeIndexes = ({ indexes }: Collection): Doc[] => [
  ID_INDEX,
  ...indexes.map(describeIndex),
];

/** MongoDB has no `indexes` here: with them, one command tells what a service needs at its start. */
const describeCollection = (collection: Collection): Doc => ({
  name: collection.name,
  type: 'collection',
  options: {},
  info: { readOnly: false, uuid: new UUID(collection.uuid) },
  idIndex: ID_INDEX,
  indexes: describeIndexes(collection),
});

/** Returns everything in the first batch. */
const singleBatch = (ns: string, documents: readonly Doc[]): Reply => ({
  cursor: { id: Long.ZERO, ns, firstBatch: documents },
  ok: 1,
});

export const catalogCommands = {
  create,
  drop,
  dropDatabase,
  createIndexes,
  dropIndexes,
  deleteIndexes: dropIndexes,
  listIndexes,
  listCollections,
  listDatabases,
};
