import { Long } from 'bson';
import type { Collection } from '../catalog';
import { countEverything, countMatches } from '../counting';
import type { Cursor } from '../cursors';
import { encodeResult } from '../documents';
import { runQuery } from '../exec';
import type { Query, Results } from '../exec';
import { Found } from '../scan';
import { compilePipeline, compileRest } from '../semantics/aggregate';
import type { Documents } from '../semantics/aggregate/stage';
import { StoreError } from '../semantics/errors';
import { countsOf, unitedQueries } from '../union';
import { compileProjection } from '../semantics/project';
import type { Doc } from '../semantics/values';
import type { ReadView } from '../views';
import type { Reply } from '../wire';
import {
  arrayOption,
  countOption,
  documentOption,
  documentsOption,
  flagOption,
  hintOption,
  namespaceOf,
  reading,
  requireHarmless,
  requireNamespace,
} from './context';
import type { Command, Context } from './context';
import { statisticsStage } from './statistics';

const FIRST_BATCH = 101;

export const find: Command = {
  options: [
    'filter',
    'sort',
    'projection',
    'skip',
    'limit',
    'batchSize',
    'singleBatch',
    'allowDiskUse',
    'allowPartialResults',
    'collation',
    'let',
    'hint',
    'min',
    'max',
    'returnKey',
    'showRecordId',
    'tailable',
    'awaitData',
    'noCursorTimeout',
    'oplogReplay',
  ],
  transactional: true,
  async run(context) {
    const { command } = context;
    requireHarmless(command, 'find');
    const namespace = namespaceOf(context);
    const { view, collection } = reading(context, namespace);
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

export const aggregate: Command = {
  options: [
    'pipeline',
    'cursor',
    'allowDiskUse',
    'collation',
    'let',
    'hint',
    'explain',
    'bypassDocumentValidation',
  ],
  transactional: true,
  async run(context) {
    const { command } = context;
    requireHarmless(command, 'aggregate');
    const stages = documentsOption(command, 'pipeline');
    const namespace = namespaceOf(context);
    const { view, collection } = reading(context, namespace);
    const answer = (results: Results, present: (found: Found) => Buffer): Promise<Reply> =>
      firstBatch(
        { ...context, command: (command.cursor as Doc | undefined) ?? {} },
        namespace,
        results,
        present,
        0,
      );
    const statistics = await statisticsStage(context, namespace, stages[0]);
    if (statistics !== undefined)
      return answer(given(compileRest(stages.slice(1))(statistics)), computed);
    const united = unitedQueries(stages, String(command.aggregate));
    if (united !== undefined) {
      return answer(
        oneByOne(
          united.map((query) =>
            runQuery(view, collection, { filter: {}, skip: 0, limit: 0, ...query }),
          ),
        ),
        stored,
      );
    }
    const counts = countsOf(stages, String(command.aggregate));
    if (counts !== undefined) {
      const found: Doc[] = [];
      for (const { id, query } of counts) {
        const n = await counted(context, view, collection, {
          filter: {},
          skip: 0,
          limit: 0,
          hint: hintOption(command),
          ...query,
        });
        if (n > 0) found.push({ _id: id, n });
      }
      return answer(given(found), computed);
    }
    const pipeline = compilePipeline(stages);
    const { filter = {}, sort, skip = 0, limit = 0 } = pipeline.prefix;
    const { reads } = pipeline;
    const query = { filter, sort, skip, limit, hint: hintOption(command) };
    if (reads === 'nothing') return answer(runQuery(view, collection, query), stored);
    const results = runQuery(view, collection, { ...query, fields: reads === 'all' ? [] : reads });
    return answer(given(pipeline.rest(documentsOf(results, reads === 'all'))), computed);
  },
};

function* oneByOne(queries: readonly Results[]): Results {
  for (const results of queries) yield* results;
}

const stored = ({ bytes }: Found): Buffer => bytes;
const computed = ({ fields }: Found): Buffer => encodeResult(fields);

function* documentsOf(results: Results, whole: boolean): Documents {
  for (const found of results) yield found && (whole ? found.doc : found.fields);
}

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
    return {
      cursorsKilled: killed,
      cursorsNotFound: ids.filter((id) => !killed.includes(id)),
      cursorsAlive: [],
      cursorsUnknown: [],
      ok: 1,
    };
  },
};

export const count: Command = {
  options: ['query', 'skip', 'limit', 'collation', 'hint', 'fields'],
  async run(context) {
    const { command } = context;
    requireHarmless(command, 'count');
    const { view, collection } = reading(context, namespaceOf(context));
    const query = queryOf({ ...command, limit: Math.abs(Number(command.limit ?? 0)) }, 'query');
    return { n: await counted(context, view, collection, query), ok: 1 };
  },
};

async function counted(
  { transaction, pace }: Context,
  view: () => ReadView,
  collection: Collection | undefined,
  query: Query,
): Promise<number> {
  if (
    transaction === undefined &&
    Object.keys(query.filter).length === 0 &&
    query.hint === undefined
  )
    return countEverything(view(), collection, query);
  return countMatches(view, collection, query, pace);
}

export function queryOf(command: Doc, filter: string): Query {
  return {
    filter: documentOption(command, filter) ?? {},
    sort: documentOption(command, 'sort'),
    skip: countOption(command, 'skip'),
    limit: countOption(command, 'limit'),
    hint: hintOption(command),
  };
}

function presenter(projection: Doc | undefined): (found: Found) => Buffer {
  if (projection === undefined) return stored;
  const project = compileProjection(projection);
  return ({ bytes }) => project(bytes);
}

async function firstBatch(
  context: Context,
  namespace: string,
  results: Results,
  present: (found: Found) => Buffer,
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
  const { documents, exhausted } = await cursor.next(size, context.pace);
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

/** Wraps computed documents as results. */
function* given(documents: Documents): Results {
  for (const doc of documents) yield doc && new Found(NO_KEY, NO_KEY, doc);
}

const NO_KEY = Buffer.alloc(0);
