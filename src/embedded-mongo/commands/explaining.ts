import { hostname } from 'node:os';
import { countEverything, countMatches } from '../counting';
import { runQuery, wantedBy } from '../exec';
import type { Query } from '../exec';
import { collectionOf } from '../keys';
import { planQuery } from '../planner';
import type { Plan } from '../planner';
import { compilePipeline } from '../semantics/aggregate';
import { compileFilter } from '../semantics/match';
import { StoreError, unsupported } from '../semantics/errors';
import { isDocument } from '../semantics/values';
import type { Doc } from '../semantics/values';
import { hasTrait } from '../index-entries';
import type { Entry, Range, ReadView } from '../views';
import {
  documentOption,
  documentsOption,
  hintOption,
  namespaceOf,
  reading,
  requireHarmless,
} from './context';
import type { Command, Context } from './context';
import { aggregate, count, find, queryOf } from './reading';

const VERBOSITY = new Set<unknown>([
  'queryPlanner',
  'executionStats',
  'allPlansExecution',
  undefined,
]);

/** Explains a find, count or aggregate command. */
export const explain: Command = {
  options: ['verbosity'],
  async run(context) {
    const { command, database } = context;
    const inner = documentOption(command, 'explain') ?? {};
    if (!VERBOSITY.has(command.verbosity))
      throw new StoreError(9, 'FailedToParse', `unknown verbosity ${String(command.verbosity)}`);
    const name = Object.keys(inner)[0] ?? '';
    const executed = command.verbosity !== 'queryPlanner';
    const explained = await explainedOf({ ...context, name, command: inner }, executed);
    return {
      explainVersion: '1',
      ...explained,
      command: { ...inner, $db: database },
      serverInfo: { host: hostname(), version: '7.0.0' },
      ok: 1,
    };
  },
};

async function explainedOf(context: Context, executed: boolean): Promise<Doc> {
  const { name, command } = context;
  switch (name) {
    case 'find': {
      requireOptions(command, find);
      const projection = documentOption(command, 'projection');
      const shape =
        projection === undefined || Object.keys(projection).length === 0
          ? (stage: Doc) => stage
          : (stage: Doc) => ({ stage: 'PROJECTION', transformBy: projection, inputStage: stage });
      return explainedQuery(context, queryOf(command, 'filter'), shape, executed);
    }
    case 'count':
      requireOptions(command, count);
      return explainedCount(
        context,
        queryOf({ ...command, limit: Math.abs(Number(command.limit ?? 0)) }, 'query'),
        executed,
      );
    case 'aggregate': {
      requireOptions(command, aggregate);
      const stages = documentsOption(command, 'pipeline');
      const {
        prefix: { filter = {}, sort, skip = 0, limit = 0 },
        reads,
        length,
      } = compilePipeline(stages);
      const cursor = await explainedQuery(
        context,
        { filter, sort, skip, limit, hint: hintOption(command) },
        (stage) => stage,
        executed,
      );
      return reads === 'nothing'
        ? cursor
        : { stages: [{ $cursor: cursor }, ...stages.slice(length)] };
    }
    default:
      throw unsupported(`explaining the command "${name}" is`);
  }
}

function requireOptions(command: Doc, { options }: Command): void {
  requireHarmless(command, 'explain');
  const [, ...given] = Object.keys(command);
  const unknown = given.find(
    (option) => options !== 'any' && !options.includes(option) && !GENERAL.has(option),
  );
  if (unknown !== undefined)
    throw unsupported(`the option "${unknown}" of an explained command is`);
}

const GENERAL = new Set([
  '$db',
  'lsid',
  'comment',
  'maxTimeMS',
  'readConcern',
  '$readPreference',
  '$clusterTime',
]);

async function explainedQuery(
  context: Context,
  query: Query,
  shape: (stage: Doc) => Doc,
  executed: boolean,
): Promise<Doc> {
  const namespace = namespaceOf(context);
  compileFilter(query.filter);
  const { view, collection } = reading(context, namespace);
  const plan =
    collection === undefined ? undefined : planQuery(view(), collection, wantedBy(query));
  const winningPlan = shape(
    plan === undefined ? { stage: 'EOF' } : queryStage(view(), plan, query),
  );
  const counting = new CountingView(view);
  const execute = async (): Promise<number> =>
    (await context.pace.all(runQuery(() => counting, collection, query))).length;
  return {
    queryPlanner: plannerSection(namespace, query, winningPlan),
    ...(executed ? { executionStats: await measured(counting, winningPlan, execute) } : {}),
  };
}

async function explainedCount(context: Context, query: Query, executed: boolean): Promise<Doc> {
  const namespace = namespaceOf(context);
  compileFilter(query.filter);
  const { view, collection } = reading(context, namespace);
  const plan =
    collection === undefined ? undefined : planQuery(view(), collection, wantedBy(query));
  const everything = Object.keys(query.filter).length === 0 && query.hint === undefined;
  const counting = new CountingView(view);
  const stage = (): Doc => {
    if (plan === undefined) return { stage: 'EOF' };
    if (everything) return { stage: 'RECORD_STORE_FAST_COUNT' };
    return {
      stage: 'COUNT',
      inputStage:
        plan.covering && !plan.repeats
          ? { ...scanStage(view(), plan), stage: 'COUNT_SCAN' }
          : queryStage(view(), plan, query),
    };
  };
  const winningPlan = stage();
  const execute = async (): Promise<number> =>
    everything
      ? countEverything(counting, collection, query)
      : countMatches(() => counting, collection, query, context.pace);
  return {
    queryPlanner: plannerSection(namespace, query, winningPlan),
    ...(executed ? { executionStats: await measured(counting, winningPlan, execute) } : {}),
  };
}

const plannerSection = (namespace: string, { filter }: Query, winningPlan: Doc): Doc => ({
  namespace,
  parsedQuery: filter,
  winningPlan,
  rejectedPlans: [],
});

async function measured(
  view: CountingView,
  executionStages: Doc,
  execute: () => Promise<number>,
): Promise<Doc> {
  const started = performance.now();
  const nReturned = await execute();
  return {
    executionSuccess: true,
    nReturned,
    executionTimeMillis: Math.round(performance.now() - started),
    totalKeysExamined: view.keys,
    totalDocsExamined: view.documents,
    executionStages,
  };
}

function queryStage(view: ReadView, plan: Plan, { filter, sort, skip, limit }: Query): Doc {
  let stage = sourceStage(view, plan, filter);
  if (!plan.sorted) stage = { stage: 'SORT', sortPattern: sort, inputStage: stage };
  if (skip > 0) stage = { stage: 'SKIP', skipAmount: skip, inputStage: stage };
  return limit > 0 ? { stage: 'LIMIT', limitAmount: limit, inputStage: stage } : stage;
}

function sourceStage(view: ReadView, plan: Plan, filter: Doc): Doc {
  const direction = plan.direction === 1 ? 'forward' : 'backward';
  const filtered = Object.keys(filter).length === 0 ? {} : { filter };
  if (plan.whole) return { stage: 'COLLSCAN', ...filtered, direction };
  const scanned = scanStage(view, plan);
  return {
    stage: 'FETCH',
    ...filtered,
    inputStage:
      plan.streams.length > 1
        ? { stage: 'SORT_MERGE', inputs: plan.streams.length, inputStage: scanned }
        : scanned,
  };
}

function scanStage(view: ReadView, { index, direction, streams }: Plan): Doc {
  const ranges = streams.reduce((sum, stream) => sum + stream.ranges.length, 0);
  const shared = { direction: direction === 1 ? 'forward' : 'backward', ranges };
  if (index === undefined)
    return {
      stage: streams[0].ranges.every(({ exact }) => exact) ? 'IDHACK' : 'IXSCAN',
      keyPattern: { _id: 1 },
      indexName: '_id_',
      isMultiKey: false,
      isUnique: true,
      ...shared,
    };
  return {
    stage: 'IXSCAN',
    keyPattern: Object.fromEntries(index.key),
    indexName: index.name,
    isMultiKey: hasTrait(view, index, 'multikey'),
    isUnique: index.unique,
    isSparse: index.sparse,
    isPartial: isDocument(index.partial),
    ...shared,
  };
}

/** Counts entries read through it; slightly more than needed, since reads are chunked. */
class CountingView implements ReadView {
  keys = 0;
  documents = 0;

  constructor(private readonly view: () => ReadView) {}

  get(key: Buffer): Buffer | undefined {
    if (collectionOf(key) !== undefined) this.documents++;
    return this.view().get(key);
  }

  *range(range: Range): Generator<Entry> {
    const isDocuments = collectionOf(range.start) !== undefined;
    for (const entry of this.view().range(range)) {
      this.keys++;
      if (isDocuments) this.documents++;
      yield entry;
    }
  }

  count(range: Range, most?: number): number {
    const counted = this.view().count(range, most);
    this.keys += counted;
    return counted;
  }
}
