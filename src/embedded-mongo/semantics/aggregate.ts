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

/** A compiled pipeline: a prefix that runs as an indexed query, and the rest. */
export interface Pipeline {
  /** Leading stages as a query: filter, sort, skip, limit. */
  readonly prefix: { filter?: Doc; sort?: Doc; skip?: number; limit?: number };
  /** Number of stages in the prefix. */
  readonly length: number;
  readonly rest: (documents: Documents) => Documents;
  /** Top-level fields that the rest reads; `nothing` without a rest. */
  readonly reads: Stage['reads'] | 'nothing';
}

interface NamedStage {
  readonly name: string;
  readonly specification: unknown;
}

/**
 * Compiles an aggregation pipeline of supported stages, accumulators and operators.
 * @throws StoreError 40324 unknown stage, 115 a stage or operator that is not supported
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

/** Compiles stages for documents that are not from a collection. */
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

/** MongoDB stages that are not supported; other names are unknown in MongoDB too. */
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

/** @throws StoreError 14 not a document, 40323 not exactly one field */
function namedStage(element: unknown): NamedStage {
  if (!isDocument(element))
    throw typeMismatch("Each element of the 'pipeline' array must be an object");
  const names = Object.keys(element);
  if (names.length !== 1)
    throw located(40323, 'A pipeline stage specification object must contain exactly one field.');
  return { name: names[0], specification: element[names[0]] };
}

/** @throws StoreError 115 unsupported stage, 40324 unknown stage */
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

/** Fields read up to the first stage with new documents; without one, whole documents. */
function readsOf(stages: readonly Stage[]): Stage['reads'] {
  const fields = new Set<string>();
  for (const { reads, replaces } of stages) {
    if (reads === 'all') return 'all';
    for (const name of reads) fields.add(name);
    if (replaces) return fields;
  }
  return 'all';
}

/**
 * Takes leading stages that one query can execute: `$match`es, then one `$sort`, `$skip`, `$limit`.
 */
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
