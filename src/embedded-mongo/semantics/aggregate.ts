import type { Lookup, Stage } from './aggregate/stage';
import { compileStage, namedStage, parseFacets } from './aggregate/stages';
import type { NamedStage } from './aggregate/stages';
import { lookupSource } from './aggregate/stages/lookup';
import { limitCount, matchFilter, skipCount, sortPattern } from './aggregate/stages/simple';
import { compileFilter } from './match';
import { compileSort } from './sort';
import type { Doc } from './values';

export type { Lookup } from './aggregate/stage';

/** A compiled pipeline, split into a start the store can run on its indexes and the rest. */
export interface Pipeline {
  /** Leading stages as a query: filter, then sort, then skip, then limit. */
  readonly prefix: { filter?: Doc; sort?: Doc; skip?: number; limit?: number };
  readonly rest: (docs: Doc[], lookup: Lookup) => Doc[];
  /** The collections `$lookup` reads. */
  readonly lookups: string[];
}

/**
 * Compiles an aggregation pipeline of the stages, accumulators and expression operators the store knows.
 * @throws StoreError 40324 for unknown stages, 115 naming a stage or operator MongoDB has and this store has not
 */
export function compilePipeline(pipeline: Doc[]): Pipeline {
  const stages = pipeline.map(namedStage);
  const { prefix, length } = takePrefix(stages);
  const rest = stages.slice(length).map(compileStage);
  return { prefix, rest: (docs, lookup) => run(rest, docs, lookup), lookups: [...new Set(stages.flatMap(sourcesOf))] };
}

const run = (stages: readonly Stage[], docs: Doc[], lookup: Lookup): Doc[] =>
  stages.reduce((current, stage) => stage(current, lookup), docs);

function sourcesOf({ name, specification }: NamedStage): string[] {
  if (name === '$lookup') return [lookupSource(specification)];
  return name === '$facet' ? parseFacets(specification).flatMap(([, stages]) => stages.flatMap(sourcesOf)) : [];
}

/** What a query does in this order can be taken over by one: any `$match`, then `$sort`, `$skip`, `$limit`, once each. */
function takePrefix(stages: readonly NamedStage[]): { prefix: Pipeline['prefix']; length: number } {
  const prefix: Pipeline['prefix'] = {};
  const filters: Doc[] = [];
  let length = 0;
  const take = (name: string): unknown => (stages[length]?.name === name ? stages[length++].specification : undefined);
  for (let filter = take('$match'); filter !== undefined; filter = take('$match')) filters.push(validFilter(filter));
  if (filters.length > 0) prefix.filter = filters.length === 1 ? filters[0] : { $and: filters };
  const sort = take('$sort');
  if (sort !== undefined) prefix.sort = validSort(sort);
  const skip = take('$skip');
  if (skip !== undefined) prefix.skip = skipCount(skip);
  const limit = take('$limit');
  if (limit !== undefined) prefix.limit = limitCount(limit);
  return { prefix, length };
}

function validFilter(specification: unknown): Doc {
  const filter = matchFilter(specification);
  compileFilter(filter);
  return filter;
}

function validSort(specification: unknown): Doc {
  const sort = sortPattern(specification);
  compileSort(sort);
  return sort;
}
