import { Long } from 'bson';
import { countMatches, isCount } from '../counting';
import type { Cursor } from '../cursors';
import { encodeResult } from '../documents';
import { runNow, runQuery } from '../exec';
import type { Query, Results } from '../exec';
import { encodeValue } from '../keys';
import type { Found } from '../scan';
import { compilePipeline } from '../semantics/aggregate';
import { StoreError } from '../semantics/errors';
import { compileFilter } from '../semantics/match';
import { compileProjection } from '../semantics/project';
import type { Doc } from '../semantics/values';
import type { Reply } from '../wire';
import { arrayOption, countOption, documentOption, documentsOption, flagOption, namespaceOf, reading, requireHarmless, requireNamespace } from './context';
import type { Command, Context } from './context';
import { distinctValues } from './distinct-values';

const FIRST_BATCH = 101;

export const find: Command = {
  options: ['filter', 'sort', 'projection', 'skip', 'limit', 'batchSize', 'singleBatch', 'allowDiskUse', 'allowPartialResults', 'collation', 'let', 'hint',
    'min', 'max', 'returnKey', 'showRecordId', 'tailable', 'awaitData', 'noCursorTimeout', 'oplogReplay'],
  transactional: true,
  async run(context) {
    const { command } = context;
    requireHarmless(command, 'find');
    const namespace = namespaceOf(context);
    const { view, collection } = reading(context, namespace);
    const query = queryOf(command, 'filter');
    return firstBatch(context, namespace, runQuery(view, collection, query), presenter(query.filter, documentOption(command, 'projection')), query.limit);
  },
};

export const aggregate: Command = {
  options: ['pipeline', 'cursor', 'allowDiskUse', 'collation', 'let', 'hint', 'explain', 'bypassDocumentValidation'],
  transactional: true,
  async run(context) {
    const { command } = context;
    requireHarmless(command, 'aggregate');
    const stages = documentsOption(command, 'pipeline');
    const pipeline = compilePipeline(stages);
    const namespace = namespaceOf(context);
    const { view, collection } = reading(context, namespace);
    const { filter = {}, sort, skip = 0, limit } = pipeline.prefix;
    const from = new Map(pipeline.lookups.map((name) => [name, reading(context, requireNamespace(context.database, name)).collection]));
    const answer = (documents: readonly Doc[]): Promise<Reply> =>
      firstBatch({ ...context, command: (command.cursor as Doc | undefined) ?? {} }, namespace, given(documents), ({ doc }) => encodeResult(doc), 0);
    if (isCount(stages)) {
      const n = await countMatches(view, collection, { filter, skip, limit: limit ?? 0 }, context.pace);
      return answer(n === 0 ? [] : [{ _id: 1, n }]);
    }
    const found = limit === 0 ? [] : await context.pace.all(runQuery(view, collection, { filter, sort, skip, limit: limit ?? 0 }));
    const documents = pipeline.rest(found.map(({ doc }) => doc), (name, field, values) =>
      runNow(runQuery(view, from.get(name), { filter: { [field]: { $in: values } }, skip: 0, limit: 0 })).map(({ doc }) => doc));
    return answer(documents);
  },
};

export const getMore: Command = {
  options: ['collection', 'batchSize'],
  transactional: true,
  async run(context) {
    const { store, command, database } = context;
    const id = command.getMore;
    if (!Long.isLong(id)) throw new StoreError(14, 'TypeMismatch', '"getMore" must be a long');
    const namespace = requireNamespace(database, String(command.collection));
    const cursor = store.cursors.take(id, namespace, ownerOf(context));
    return nextBatch(context, cursor, countOption(command, 'batchSize') || Infinity, 'nextBatch');
  },
};

export const killCursors: Command = {
  options: ['cursors'],
  transactional: true,
  async run(context) {
    const ids = arrayOption(context.command, 'cursors').filter((id): id is Long => Long.isLong(id));
    const killed = ids.filter((id) => context.store.cursors.kill(id));
    return { cursorsKilled: killed, cursorsNotFound: ids.filter((id) => !killed.includes(id)), cursorsAlive: [], cursorsUnknown: [], ok: 1 };
  },
};

export const count: Command = {
  options: ['query', 'skip', 'limit', 'collation', 'hint', 'fields'],
  async run(context) {
    const { command, pace } = context;
    requireHarmless(command, 'count');
    const { view, collection } = reading(context, namespaceOf(context));
    const query = queryOf({ ...command, limit: Math.abs(Number(command.limit ?? 0)) }, 'query');
    return { n: await countMatches(view, collection, query, pace), ok: 1 };
  },
};

export const distinct: Command = {
  options: ['key', 'query', 'collation', 'hint'],
  transactional: true,
  async run(context) {
    const { command, pace } = context;
    requireHarmless(command, 'distinct');
    if (typeof command.key !== 'string') throw new StoreError(14, 'TypeMismatch', '"key" must be a string');
    const { view, collection } = reading(context, namespaceOf(context));
    const values = new Map<string, unknown>();
    const path = command.key;
    await pace.each(runQuery(view, collection, { filter: documentOption(command, 'query') ?? {}, skip: 0, limit: 0 }), ({ doc }) => {
      for (const value of distinctValues(doc, path)) {
        const name = encodeValue(value).toString('latin1');
        if (!values.has(name)) values.set(name, value);
      }
    });
    return { values: [...values.values()], ok: 1 };
  },
};

function queryOf(command: Doc, filter: string): Query {
  return {
    filter: documentOption(command, filter) ?? {},
    sort: documentOption(command, 'sort'),
    skip: countOption(command, 'skip'),
    limit: countOption(command, 'limit'),
  };
}

function presenter(filter: Doc, projection: Doc | undefined): (found: Found) => Buffer {
  if (projection === undefined || Object.keys(projection).length === 0) return ({ bytes }) => bytes;
  const project = compileProjection(projection);
  const compiled = compileFilter(filter);
  return ({ doc }) => encodeResult(project(doc, compiled));
}

async function firstBatch(context: Context, namespace: string, results: Results, present: (found: Found) => Buffer, limit: number): Promise<Reply> {
  const { store, command } = context;
  const cursor = store.cursors.create(namespace, ownerOf(context), results, present, limit);
  const size = countOption(command, 'batchSize', FIRST_BATCH);
  return nextBatch(context, cursor, flagOption(command, 'singleBatch') && limit > 0 ? limit : size, 'firstBatch');
}

async function nextBatch(context: Context, cursor: Cursor, size: number, batch: 'firstBatch' | 'nextBatch'): Promise<Reply> {
  const { documents, exhausted } = await cursor.next(size, context.pace);
  const closed = exhausted || flagOption(context.command, 'singleBatch');
  if (!closed) context.store.cursors.keep(cursor);
  return { cursorReply: { namespace: cursor.namespace, id: closed ? Long.ZERO : cursor.id, batch, documents } };
}

/** Cursors belong to their session, those of a transaction to that transaction. */
function ownerOf({ session, transaction }: Context): string | undefined {
  return transaction === undefined ? session.session : `${session.session}/${transaction.txnNumber}`;
}

function* given(documents: readonly Doc[]): Results {
  for (const doc of documents) yield { idKey: NO_KEY, bytes: NO_KEY, doc };
}

const NO_KEY = Buffer.alloc(0);
