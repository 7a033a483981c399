import { Long } from 'bson';
import type { Collection } from '../catalog/collection';
import { StoreError } from '../errors';
import type { Cursor } from '../query/cursors';
import { compilePipeline } from '../query/pipeline';
import type { Pipeline } from '../query/pipeline';
import { compileProjection } from '../query/projection';
import { countCollection, countMatches, runQuery } from '../query/run-query';
import type { Query, Results } from '../query/run-query';
import { Match } from '../query/scan';
import { encodeResult } from '../storage/documents';
import type { ReadView } from '../storage/views';
import type { Doc } from '../values/values';
import type { Reply } from '../wire/messages';
import {
  arrayOption,
  countOption,
  documentOption,
  documentsOption,
  flagOption,
  hintOption,
  namespaceOf,
  openForReading,
  rejectUnsupportedOptions,
  requireNamespace,
  words,
} from './context';
import type { Command, Context } from './context';
import { statistics } from './statistics';

const FIRST_BATCH = 101;

export const find: Command = {
  options: words(
    'filter sort projection skip limit batchSize singleBatch allowDiskUse allowPartialResults collation let hint min max returnKey showRecordId tailable awaitData noCursorTimeout oplogReplay',
  ),
  transactional: true,
  async run(context) {
    const { command } = context;
    rejectUnsupportedOptions(command, 'find');
    const namespace = namespaceOf(context);
    const { view, collection } = openForReading(context, namespace);
    const query = queryOf(command, 'filter');
    return firstBatch(
      context,
      namespace,
      runQuery(view, collection, query),
      presenter(documentOption(command, 'projection')),
      query.limit,
    );
  },
};

const aggregate: Command = {
  options: words(
    'pipeline cursor allowDiskUse collation let hint explain bypassDocumentValidation',
  ),
  transactional: true,
  async run(context) {
    const { command } = context;
    rejectUnsupportedOptions(command, 'aggregate');
    const stages = documentsOption(command, 'pipeline');
    const namespace = namespaceOf(context);
    const results = await aggregated(
      context,
      namespace,
      compilePipeline(stages, String(command.aggregate)),
    );
    const cursorOptions = (command.cursor as Doc | undefined) ?? {};
    return firstBatch({ ...context, command: cursorOptions }, namespace, results, bytesOf, 0);
  },
};

async function aggregated(
  context: Context,
  namespace: string,
  pipeline: Pipeline,
): Promise<Results> {
  if (pipeline.kind === 'statistics')
    return computed([await statistics(context, namespace, pipeline.stage)]);
  const { view, collection } = openForReading(context, namespace);
  const hint = hintOption(context.command);
  if (pipeline.kind === 'queries')
    return concatenated(
      pipeline.queries.map((query) => runQuery(view, collection, { ...query, hint })),
    );
  const documents: Doc[] = [];
  for (const { query, documentOf } of pipeline.counts) {
    const n = await counted(context, view, collection, { ...query, hint });
    if (n > 0) documents.push(documentOf(n));
  }
  return computed(documents);
}

function* concatenated(queries: readonly Results[]): Results {
  for (const results of queries) yield* results;
}

/** Wraps computed documents as results. */
function* computed(documents: readonly Doc[]): Results {
  for (const doc of documents) yield new Match(NO_KEY, encodeResult(doc), {});
}

const NO_KEY = Buffer.alloc(0);
const bytesOf = ({ bytes }: Match): Buffer => bytes;

const getMore: Command = {
  options: ['collection', 'batchSize'],
  transactional: true,
  async run(context) {
    const { store, command, database } = context;
    const id = command.getMore;
    if (!Long.isLong(id)) throw new StoreError('TypeMismatch', '"getMore" must be a long');
    const namespace = requireNamespace(database, String(command.collection));
    const cursor = store.cursors.take(id, namespace, ownerOf(context));
    return nextBatch(context, cursor, countOption(command, 'batchSize') || Infinity, 'nextBatch');
  },
};

const killCursors: Command = {
  options: ['cursors'],
  transactional: true,
  async run(context) {
    const ids = arrayOption(context.command, 'cursors').filter((id): id is Long => Long.isLong(id));
    const killed = ids.filter((id) => context.store.cursors.kill(id));
    return {
      cursorsKilled: killed,
      cursorsNotFound: ids.filter((id) => !killed.includes(id)),
      cursorsAlive: [],
      cursorsUnknown: [],
      ok: 1,
    };
  },
};

const count: Command = {
  options: words('query skip limit collation hint fields'),
  async run(context) {
    const { command } = context;
    rejectUnsupportedOptions(command, 'count');
    const { view, collection } = openForReading(context, namespaceOf(context));
    return { n: await counted(context, view, collection, countQueryOf(command)), ok: 1 };
  },
};

async function counted(
  { transaction, timer }: Context,
  view: () => ReadView,
  collection: Collection | undefined,
  query: Query,
): Promise<number> {
  if (
    transaction === undefined &&
    Object.keys(query.filter).length === 0 &&
    query.hint === undefined
  )
    return countCollection(view(), collection, query);
  return countMatches(view, collection, query, timer);
}

/** A negative limit of a count means the same as a positive one. */
const countQueryOf = (command: Doc): Query =>
  queryOf({ ...command, limit: Math.abs(Number(command.limit ?? 0)) }, 'query');

export function queryOf(command: Doc, filter: string): Query {
  return {
    filter: documentOption(command, filter) ?? {},
    sort: documentOption(command, 'sort'),
    skip: countOption(command, 'skip'),
    limit: countOption(command, 'limit'),
    hint: hintOption(command),
  };
}

function presenter(projection: Doc | undefined): (match: Match) => Buffer {
  if (projection === undefined) return bytesOf;
  const project = compileProjection(projection);
  return ({ bytes }) => project(bytes);
}

async function firstBatch(
  context: Context,
  namespace: string,
  results: Results,
  present: (match: Match) => Buffer,
  limit: number,
): Promise<Reply> {
  const { store, command } = context;
  const cursor = store.cursors.create(namespace, ownerOf(context), results, present, limit);
  const size = countOption(command, 'batchSize', FIRST_BATCH);
  return nextBatch(
    context,
    cursor,
    flagOption(command, 'singleBatch') && limit > 0 ? limit : size,
    'firstBatch',
  );
}

async function nextBatch(
  context: Context,
  cursor: Cursor,
  size: number,
  batch: 'firstBatch' | 'nextBatch',
): Promise<Reply> {
  const { documents, exhausted } = await cursor.next(size, context.timer);
  const closed = exhausted || flagOption(context.command, 'singleBatch');
  if (!closed) context.store.cursors.keep(cursor);
  return {
    cursorReply: {
      namespace: cursor.namespace,
      id: closed ? Long.ZERO : cursor.id,
      batch,
      documents,
    },
  };
}

/** A cursor belongs to its session, and to its transaction if it has one. */
function ownerOf({ session, transaction }: Context): string | undefined {
  return transaction === undefined
    ? session.session
    : `${session.session}/${transaction.txnNumber}`;
}

export const readCommands = { find, getMore, killCursors, aggregate, count };
