import { group } from './aggregate/group';
import { project } from './aggregate/project';
import {
  count,
  limit,
  limitCount,
  match,
  matchFilter,
  skip,
  skipCount,
  sort,
  sortPattern,
} from './aggregate/simple-stages';
import type { Documents, Stage, StageCompiler } from './aggregate/stage';
import { unwind } from './aggregate/unwind';
import { located, typeMismatch, unsupported } from './errors';
import { compileFilter } from './match';
import { compileSort } from './sort';
import { isDocument } from './values';
import type { Doc } from './values';

/** A compiled pipeline, split into a start the store can run on its indexes and the rest. */
export interface Pipeline {
  /** Leading stages as a query: filter, then sort, then skip, then limit. */
  readonly prefix: { filter?: Doc; sort?: Doc; skip?: number; limit?: number };
  /** How many stages the prefix takes. */
  readonly length: number;
  readonly rest: (documents: Documents) => Documents;
  /** The top-level fields of the documents the rest looks at; `nothing` when there is no rest. */
  readonly reads: Stage['reads'] | 'nothing';
}

interface NamedStage {
  readonly name: string;
  readonly specification: unknown;
}

/**
 * Compiles an aggregation pipeline of the stages, accumulators and expression operators the store knows.
 * @throws StoreError 40324 for unknown stages, 115 naming a stage or operator MongoDB has and this store has not
 */
export function compilePipeline(pipeline: Doc[]): Pipeline {
  const { prefix, length } = takePrefix(pipeline.map(namedStage));
  const rest = compileStages(pipeline.slice(length));
  return {
    prefix,
    length,
    rest: runner(rest),
    reads: rest.length === 0 ? 'nothing' : readsOf(rest),
  };
}

/** Stages over documents that are no collection's. */
export const compileRest = (pipeline: Doc[]): Pipeline['rest'] => runner(compileStages(pipeline));

const compileStages = (pipeline: Doc[]): Stage[] => pipeline.map(namedStage).map(compileStage);

const runner =
  (stages: readonly Stage[]): Pipeline['rest'] =>
  (documents) =>
    stages.reduce((current, stage) => stage.run(current), documents);

const compilers: Readonly<Record<string, StageCompiler>> = {
  $match: match,
  $sort: sort,
  $skip: skip,
  $limit: limit,
  $project: project,
  $group: group,
  $count: count,
  $unwind: unwind,
};

/** Stages of MongoDB this store refuses; any other name is an error there as well. */
const refused = new Set([
  '$addFields',
  '$bucket',
  '$bucketAuto',
  '$changeStream',
  '$changeStreamSplitLargeEvent',
  '$collStats',
  '$currentOp',
  '$densify',
  '$documents',
  '$facet',
  '$fill',
  '$geoNear',
  '$graphLookup',
  '$indexStats',
  '$listLocalSessions',
  '$listSampledQueries',
  '$listSearchIndexes',
  '$listSessions',
  '$lookup',
  '$merge',
  '$out',
  '$planCacheStats',
  '$redact',
  '$replaceRoot',
  '$replaceWith',
  '$sample',
  '$search',
  '$searchMeta',
  '$set',
  '$setWindowFields',
  '$shardedDataDistribution',
  '$sortByCount',
  '$unionWith',
  '$unset',
  '$vectorSearch',
]);

/** @throws StoreError 14 for an element that is no document, 40323 unless it has exactly one field */
function namedStage(element: unknown): NamedStage {
  if (!isDocument(element))
    throw typeMismatch("Each element of the 'pipeline' array must be an object");
  const names = Object.keys(element);
  if (names.length !== 1)
    throw located(40323, 'A pipeline stage specification object must contain exactly one field.');
  return { name: names[0], specification: element[names[0]] };
}

/** @throws StoreError 115 for a stage the store has not, 40324 for one nobody has */
function compileStage({ name, specification }: NamedStage): Stage {
  if (Object.hasOwn(compilers, name)) return compilers[name](specification);
  if (name === '$changeStream')
    throw located(
      40573,
      'The $changeStream stage is only supported on replica sets; it is not supported by the embedded store; set MONGODB_URI to a MongoDB replica set',
    );
  if (refused.has(name)) throw unsupported(`the aggregation stage ${name} is`);
  throw located(40324, `Unrecognized pipeline stage name: '${name}'`);
}

/** Up to the first stage whose documents are new ones; where there is none, the whole documents are the answer. */
function readsOf(stages: readonly Stage[]): Stage['reads'] {
  const fields = new Set<string>();
  for (const { reads, replaces } of stages) {
    if (reads === 'all') return 'all';
    for (const name of reads) fields.add(name);
    if (replaces) return fields;
  }
  return 'all';
}

/** What a query does in this order can be taken over by one: any `$match`, then `$sort`, `$skip`, `$limit`, once each. */
function takePrefix(stages: readonly NamedStage[]): { prefix: Pipeline['prefix']; length: number } {
  const prefix: Pipeline['prefix'] = {};
  const filters: Doc[] = [];
  let length = 0;
  const take = (name: string): unknown =>
    stages[length]?.name === name ? stages[length++].specification : undefined;
  for (let filter = take('$match'); filter !== undefined; filter = take('$match'))
    filters.push(validFilter(filter));
  if (filters.length > 0) prefix.filter = filters.length === 1 ? filters[0] : { $and: filters };
  const order = take('$sort');
  if (order !== undefined) prefix.sort = validSort(order);
  const skipped = take('$skip');
  if (skipped !== undefined) prefix.skip = skipCount(skipped);
  const most = take('$limit');
  if (most !== undefined) prefix.limit = limitCount(most);
  return { prefix, length };
}

function validFilter(specification: unknown): Doc {
  const filter = matchFilter(specification);
  compileFilter(filter);
  return filter;
}

function validSort(specification: unknown): Doc {
  const pattern = sortPattern(specification);
  compileSort(pattern);
  return pattern;
}
