import { StoreError, unsupported } from '../errors';
import { exactInteger } from '../values/compare';
import { describe, isDocument, isNumeric } from '../values/values';
import type { Doc } from '../values/values';
import { compileFilter } from './filter';
import type { Query } from './run-query';
import { compileSort } from './sort';

/**
 * A compiled aggregation pipeline. Pipelines that a query or a count cannot execute are
 * rejected.
 */
export type Pipeline =
  | { readonly kind: 'queries'; readonly queries: readonly Query[] }
  | { readonly kind: 'counts'; readonly counts: readonly Count[] }
  | { readonly kind: 'statistics'; readonly stage: unknown };

/** Counts the matches of a query. */
interface Count {
  readonly query: Query;
  /** Builds the document of the result, which is missing for a count of 0. */
  readonly documentOf: (count: number) => Doc;
}

/** MongoDB stages that are not supported; other names are unknown in MongoDB too. */
const UNSUPPORTED_STAGES = new Set(
  `$addFields $bucket $bucketAuto $changeStreamSplitLargeEvent $currentOp $densify $documents $facet
   $fill $geoNear $graphLookup $indexStats $listLocalSessions $listSampledQueries $listSearchIndexes
   $listSessions $lookup $merge $out $planCacheStats $project $redact $replaceRoot $replaceWith $sample
   $search $searchMeta $set $setWindowFields $shardedDataDistribution $sortByCount $unset $unwind
   $vectorSearch`.split(/\s+/),
);

/** Stages of a query, in the only order that is supported. Each may be missing. */
const QUERY_STAGES = ['$match', '$sort', '$skip', '$limit'];
const STATISTICS_STAGE = '$collStats';

/**
 * Compiles a pipeline: one query or count, several joined with `$unionWith` of the same collection
 * (one command for many lists), or statistics of the collection.
 * @throws StoreError 40324 unknown stage, 115 unsupported stage or combination of stages, others for
 *   an invalid stage
 */
export function compilePipeline(pipeline: readonly Doc[], collection: string): Pipeline {
  const names = pipeline.map(stageName);
  if (names[0] === STATISTICS_STAGE) {
    if (names.length > 1)
      throw unsupported(`the aggregation stage ${names[1]} after $collStats is`);
    return { kind: 'statistics', stage: pipeline[0].$collStats };
  }
  const parts = splitAtUnions(pipeline, collection).map(compilePart);
  const counts = parts.filter((part) => 'documentOf' in part);
  if (counts.length === parts.length) return { kind: 'counts', counts };
  if (counts.length > 0) throw unsupported('$unionWith of queries and counts is');
  return { kind: 'queries', queries: parts as Query[] };
}

/** @throws StoreError 40323 not exactly one field, 40324 unknown stage, 115 unsupported stage */
function stageName(stage: Doc): string {
  const [name, ...others] = Object.keys(stage);
  if (name === undefined || others.length > 0)
    throw new StoreError(
      40323,
      'A pipeline stage specification object must contain exactly one field.',
    );
  if ([...QUERY_STAGES, STATISTICS_STAGE, '$group', '$count', '$unionWith'].includes(name))
    return name;
  if (name === '$changeStream')
    throw new StoreError(
      40573,
      'The $changeStream stage is only supported on replica sets; it is not supported by the embedded store; set MONGODB_URI to a MongoDB replica set',
    );
  if (UNSUPPORTED_STAGES.has(name)) throw unsupported(`the aggregation stage ${name} is`);
  throw new StoreError(40324, `Unrecognized pipeline stage name: '${name}'`);
}

/** @throws StoreError 115 `$unionWith` of another collection or nested */
function splitAtUnions(pipeline: readonly Doc[], collection: string): (readonly Doc[])[] {
  const first = pipeline.findIndex((stage) => '$unionWith' in stage);
  if (first < 0) return [pipeline];
  const others = pipeline.slice(first).map(({ $unionWith: specification }) => {
    const { coll, pipeline: inner, ...more } = isDocument(specification) ? specification : {};
    if (
      coll !== collection ||
      !Array.isArray(inner) ||
      !inner.every(isDocument) ||
      Object.keys(more).length > 0 ||
      inner.some((stage) => '$unionWith' in stage)
    )
      throw unsupported('$unionWith of anything but queries of the same collection is');
    return inner;
  });
  return [pipeline.slice(0, first), ...others];
}

function compilePart(stages: readonly Doc[]): Query | Count {
  const last = stages.at(-1);
  const name = last === undefined ? undefined : stageName(last);
  if (last === undefined || (name !== '$group' && name !== '$count')) return compileQuery(stages);
  return {
    query: compileQuery(stages.slice(0, -1)),
    documentOf: name === '$count' ? countStage(last.$count) : groupStage(last.$group),
  };
}

/** @throws StoreError 115 unsupported order of stages, others for an invalid stage */
function compileQuery(stages: readonly Doc[]): Query {
  const filters: Doc[] = [];
  const query: { sort?: Doc; skip: number; limit: number } = { skip: 0, limit: 0 };
  let earliest = 0;
  for (const stage of stages) {
    const name = stageName(stage);
    const position = QUERY_STAGES.indexOf(name);
    if (position < earliest) throw unsupported(`the aggregation stage ${name} at this position is`);
    // `$match` may be repeated.
    earliest = position === 0 ? 0 : position + 1;
    if (name === '$match') filters.push(matchFilter(stage.$match));
    else if (name === '$sort') query.sort = sortPattern(stage.$sort);
    else if (name === '$skip') query.skip = skipCount(stage.$skip);
    else query.limit = limitCount(stage.$limit);
  }
  return { ...query, filter: filters.length > 1 ? { $and: filters } : (filters[0] ?? {}) };
}

/** `{ _id: <number>, <field>: { $sum: 1 } }`, as in the driver's countDocuments. */
function groupStage(specification: unknown): Count['documentOf'] {
  if (!isDocument(specification))
    throw new StoreError(15947, "a group's fields must be specified in an object");
  if (!Object.hasOwn(specification, '_id'))
    throw new StoreError(15955, 'a group specification must include an _id');
  const { _id, ...fields } = specification;
  const [count, ...others] = Object.entries(fields);
  if (
    typeof _id !== 'number' ||
    count === undefined ||
    others.length > 0 ||
    JSON.stringify(count[1]) !== '{"$sum":1}'
  )
    throw unsupported('$group for anything but a count is');
  return (n) => ({ _id, [count[0]]: n });
}

/** @throws StoreError 40156 and others: invalid name */
function countStage(name: unknown): Count['documentOf'] {
  if (typeof name !== 'string')
    throw new StoreError(40156, 'the count field must be a non-empty string');
  if (name === '') throw new StoreError(40157, 'the count field must be a non-empty string');
  if (name.startsWith('$'))
    throw new StoreError(40158, 'the count field cannot be a $-prefixed path');
  if (name.includes('.')) throw new StoreError(40160, "the count field cannot contain '.'");
  return (n) => ({ [name]: n });
}

function matchFilter(specification: unknown): Doc {
  if (!isDocument(specification))
    throw new StoreError(15959, 'the match filter must be an expression in an object');
  compileFilter(specification);
  return specification;
}

function sortPattern(specification: unknown): Doc {
  if (!isDocument(specification))
    throw new StoreError(15973, 'the $sort key specification must be an object');
  if (Object.keys(specification).length === 0)
    throw new StoreError(15976, '$sort stage must have at least one sort key');
  compileSort(specification);
  return specification;
}

function skipCount(specification: unknown): number {
  const count = exactInteger(specification);
  if (count !== undefined && count >= 0) return count;
  throw new StoreError(5107200, invalidCount('$skip', specification, count));
}

function limitCount(specification: unknown): number {
  const count = exactInteger(specification);
  if (count === 0) throw new StoreError(15958, 'the limit must be positive');
  if (count !== undefined && count > 0) return count;
  throw new StoreError(5107201, invalidCount('$limit', specification, count));
}

function invalidCount(stage: string, specification: unknown, count: number | undefined): string {
  const problem = !isNumeric(specification)
    ? 'Expected a number'
    : count === undefined
      ? 'Expected an integer'
      : 'Expected a non-negative number';
  return `invalid argument to ${stage} stage: ${problem} in: ${stage}: ${describe(specification)}`;
}
