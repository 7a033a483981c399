import { hostname } from 'node:os';
import type { Collection } from '../catalog/collection';
import { hasTrait } from '../catalog/index-entries';
import { StoreError, unsupported } from '../errors';
import { compileFilter } from '../query/filter';
import { planQuery } from '../query/planner';
import type { Plan } from '../query/planner';
import { planRequestOf, runQuery } from '../query/run-query';
import type { Query } from '../query/run-query';
import { collectionOf } from '../storage/keys';
import type { Entry, Range, ReadView } from '../storage/views';
import { isDocument } from '../values/values';
import type { Doc } from '../values/values';
import {
  documentOption,
  namespaceOf,
  openForReading,
  rejectUnsupportedOptions,
  words,
} from './context';
import type { Command, Context } from './context';
import { find, queryOf } from './read';

const VERBOSITY: readonly unknown[] = [
  ...words('queryPlanner executionStats allPlansExecution'),
  undefined,
];

/** Explains a find command. */
export const explain: Command = {
  options: ['verbosity'],
  async run(context) {
    const { command, database } = context;
    const inner = documentOption(command, 'explain') ?? {};
    if (!VERBOSITY.includes(command.verbosity))
      throw new StoreError('FailedToParse', `unknown verbosity ${String(command.verbosity)}`);
    const name = Object.keys(inner)[0] ?? '';
    if (name !== 'find') throw unsupported(`explaining the command "${name}" is`);
    requireOptions(inner);
    const explained = { ...context, name, command: inner };
    const executed = command.verbosity !== 'queryPlanner';
    return {
      explainVersion: '1',
      ...(await explainQuery(explained, queryOf(inner, 'filter'), executed)),
      command: { ...inner, $db: database },
      serverInfo: { host: hostname(), version: '7.0.0' },
      ok: 1,
    };
  },
};

function requireOptions(command: Doc): void {
  rejectUnsupportedOptions(command, 'explain');
  const [, ...names] = Object.keys(command);
  const unknown = names.find(
    (option) => !find.options.includes(option) && !GENERAL.includes(option),
  );
  if (unknown !== undefined)
    throw unsupported(`the option "${unknown}" of an explained command is`);
}

const GENERAL = words('$db lsid comment maxTimeMS readConcern $readPreference $clusterTime');

async function explainQuery(context: Context, query: Query, executed: boolean): Promise<Doc> {
  const namespace = namespaceOf(context);
  compileFilter(query.filter);
  const { view, collection } = openForReading(context, namespace);
  const winningPlan = planStage(view(), collection, query, context.command);
  const counting = new CountingView(view);
  return {
    queryPlanner: { namespace, parsedQuery: query.filter, winningPlan, rejectedPlans: [] },
    ...(executed && {
      executionStats: await measureExecution(counting, winningPlan, async () => {
        let count = 0;
        await context.timer.forEach(
          runQuery(() => counting, collection, query),
          () => count++,
        );
        return count;
      }),
    }),
  };
}

function planStage(
  view: ReadView,
  collection: Collection | undefined,
  query: Query,
  command: Doc,
): Doc {
  const stage =
    collection === undefined
      ? { stage: 'EOF' }
      : queryStage(view, planQuery(view, collection, planRequestOf(query)), query);
  const projection = documentOption(command, 'projection') ?? {};
  return Object.keys(projection).length === 0
    ? stage
    : { stage: 'PROJECTION', transformBy: projection, inputStage: stage };
}

async function measureExecution(
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
  if (plan.isFullScan) return { stage: 'COLLSCAN', ...filtered, direction };
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

  count(range: Range, limit?: number): number {
    return this.view().count(range, limit);
  }
}
