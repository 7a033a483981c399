import type { Collection } from '../catalog/collection';
import { StoreError } from '../errors';
import { countOf } from '../storage/keys';
import type { ReadView } from '../storage/views';
import type { CommandTimer } from '../time-slices';
import { topLevel } from '../values/paths';
import type { Doc } from '../values/values';
import { compileFilter } from './filter';
import { planQuery } from './planner';
import type { PlanRequest } from './planner';
import { scan } from './scan';
import type { Match, ResumeHint } from './scan';
import { compileSort } from './sort';

/** Elements sorted or merged between two pauses: one to two milliseconds of work. */
const RUN_LENGTH = 1_000;

/** Stable sort that yields where the caller may pause. */
export function* sortWithYields<T>(
  items: readonly T[],
  order: (a: T, b: T) => number,
): Generator<undefined, readonly T[]> {
  let runs: Array<readonly T[]> = [];
  for (let at = 0; at < items.length; at += RUN_LENGTH) {
    runs.push(items.slice(at, at + RUN_LENGTH).sort(order));
    yield undefined;
  }
  while (runs.length > 1) {
    const merged: Array<readonly T[]> = [];
    for (let at = 0; at < runs.length; at += 2)
      merged.push(at + 1 < runs.length ? yield* merge(runs[at], runs[at + 1], order) : runs[at]);
    runs = merged;
  }
  return runs[0] ?? [];
}

function* merge<T>(
  a: readonly T[],
  b: readonly T[],
  order: (a: T, b: T) => number,
): Generator<undefined, readonly T[]> {
  const all: T[] = [];
  for (let inA = 0, inB = 0; inA < a.length || inB < b.length;) {
    const fromA = inB >= b.length || (inA < a.length && order(a[inA], b[inB]) <= 0);
    all.push(fromA ? a[inA++] : b[inB++]);
    if (all.length % RUN_LENGTH === 0) yield undefined;
  }
  return all;
}

export interface Query {
  readonly filter: Doc;
  readonly sort?: Doc;
  readonly skip: number;
  /** 0: no limit. */
  readonly limit: number;
  /** Name or key of the index to use. */
  readonly hint?: string | Doc;
}

export type Results = Generator<Match | undefined, void, ResumeHint>;

/** Memory per found document in addition to its bytes. */
const MATCH_OVERHEAD_BYTES = 400;
/** Memory limit of an unindexed sort, as in MongoDB. */
const MAX_SORT_BYTES = 100 * 1024 * 1024;

/**
 * Yields the documents of a query in order, `undefined` where the caller may pause. Validates
 * first.
 */
export function runQuery(
  view: () => ReadView,
  collection: Collection | undefined,
  query: Query,
): Results {
  const filter = compileFilter(query.filter);
  const compare =
    query.sort === undefined || Object.keys(query.sort).length === 0
      ? undefined
      : compileSort(query.sort);
  if (collection === undefined) return noResults();
  const plan = planQuery(view(), collection, planRequestOf(query));
  const sortFields = Object.keys(query.sort ?? {}).map(topLevel);
  const results = scan(view, collection, plan, filter, sortFields);
  return compare === undefined || plan.sorted
    ? applyWindow(results, query)
    : sortMatches(results, query, compare);
}

/** Returns the input of the planner for a query. */
export const planRequestOf = ({ filter, sort, skip, limit, hint }: Query): PlanRequest => ({
  filter,
  sort,
  hint,
  limit: limit === 0 ? 0 : skip + limit,
});

function* noResults(): Results {
  // No collection, no documents.
}

function* applyWindow(results: Results, { skip, limit }: Query): Results {
  let passed = 0;
  let resumed: ResumeHint;
  for (let step = results.next(); step.done !== true; step = results.next(resumed)) {
    resumed = undefined;
    if (step.value === undefined) yield undefined;
    else if (passed++ >= skip) resumed = yield step.value;
    if (limit > 0 && passed >= skip + limit) return;
  }
}

/** Keeps the first skip + limit documents while reading, or all without a limit. */
function* sortMatches(
  results: Results,
  { skip, limit }: Query,
  compare: (a: Doc, b: Doc) => number,
): Results {
  const end = limit > 0 ? skip + limit : Infinity;
  const order = (a: Match, b: Match): number => compare(a.fields, b.fields);
  let matches: Match[] = [];
  let bytes = 0;
  for (const one of results) {
    if (one === undefined) {
      yield undefined;
      continue;
    }
    matches.push(one);
    bytes += one.bytes.length + MATCH_OVERHEAD_BYTES;
    if (matches.length >= 2 * end + 100) {
      matches = matches.sort(order).slice(0, end);
      bytes = matches.reduce((sum, { bytes: own }) => sum + own.length + MATCH_OVERHEAD_BYTES, 0);
    }
    if (bytes > MAX_SORT_BYTES)
      throw new StoreError(
        'QueryExceededMemoryLimitNoDiskUseAllowed',
        `Sort exceeded memory limit of ${MAX_SORT_BYTES} bytes`,
      );
  }
  const inOrder = yield* sortWithYields(matches, order);
  for (let index = skip; index < Math.min(inOrder.length, end); index++) yield inOrder[index];
}

/** Reads documents, at most `limit`, without yielding; for writers, which run within a commit. */
export function collectNow(results: Results, limit = Infinity): Match[] {
  const matches: Match[] = [];
  for (const match of results) if (match !== undefined && matches.push(match) >= limit) break;
  return matches;
}

/**
 * Counts the matches of a query: index keys if the bounds express the whole filter, otherwise
 * documents, of which none is kept in memory.
 */
export async function countMatches(
  view: () => ReadView,
  collection: Collection | undefined,
  query: Query,
  timer: CommandTimer,
): Promise<number> {
  compileFilter(query.filter);
  if (collection === undefined) return 0;
  const { covering, repeats, streams } = planQuery(view(), collection, planRequestOf(query));
  if (covering && !repeats) {
    return countInWindow(
      streams.flatMap(({ ranges }) => ranges).reduce((sum, range) => sum + view().count(range), 0),
      query,
    );
  }
  let count = 0;
  await timer.forEach(runQuery(view, collection, query), () => count++);
  return count;
}

/**
 * Counts for a query without filter, from the stored count; excludes own writes of a transaction.
 */
export const countCollection = (
  view: ReadView,
  collection: Collection | undefined,
  query: Query,
): number => (collection === undefined ? 0 : countInWindow(countOf(view, collection.id), query));

function countInWindow(all: number, { skip, limit }: Query): number {
  const skipped = Math.max(0, all - skip);
  return limit > 0 ? Math.min(skipped, limit) : skipped;
}
