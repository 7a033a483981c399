import { StoreError } from './semantics/errors';
import { compileFilter } from './semantics/match';
import { topLevel } from './semantics/paths';
import { compileSort } from './semantics/sort';
import type { Doc } from './semantics/values';
import type { Collection } from './catalog';
import { planQuery } from './planner';
import type { Wanted } from './planner';
import { scan } from './scan';
import type { Found, Resumed } from './scan';
import type { ReadView } from './views';

/** Elements sorted or merged between two pauses: one to two milliseconds of work. */
const RUN = 1_000;

/** Stable sort that yields where the caller may pause. */
export function* sortInTurns<T>(
  items: readonly T[],
  order: (a: T, b: T) => number,
): Generator<undefined, readonly T[]> {
  let runs: Array<readonly T[]> = [];
  for (let at = 0; at < items.length; at += RUN) {
    runs.push(items.slice(at, at + RUN).sort(order));
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
    if (all.length % RUN === 0) yield undefined;
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
  /** Top-level fields that are decoded into {@link Found.fields}. */
  readonly fields?: Iterable<string>;
}

export type Results = Generator<Found | undefined, void, Resumed>;

/** Memory per found document in addition to its bytes. */
const FOUND_OVERHEAD = 400;
/** Memory limit of an unindexed sort, as in MongoDB. */
const SORT_BYTES = 100 * 1024 * 1024;

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
  if (collection === undefined) return nothing();
  const plan = planQuery(view(), collection, wantedBy(query));
  const found = scan(view, collection, plan, filter, [
    ...Object.keys(query.sort ?? {}).map(topLevel),
    ...(query.fields ?? []),
  ]);
  return compare === undefined || plan.sorted
    ? window(found, query)
    : sorted(found, query, compare);
}

/** Returns the input of the planner for a query. */
export const wantedBy = ({ filter, sort, skip, limit, hint }: Query): Wanted => ({
  filter,
  sort,
  hint,
  limit: limit === 0 ? 0 : skip + limit,
});

function* nothing(): Results {
  // No collection, no documents.
}

function* window(found: Results, { skip, limit }: Query): Results {
  let passed = 0;
  let resumed: Resumed;
  for (let step = found.next(); step.done !== true; step = found.next(resumed)) {
    resumed = undefined;
    if (step.value === undefined) yield undefined;
    else if (passed++ >= skip) resumed = yield step.value;
    if (limit > 0 && passed >= skip + limit) return;
  }
}

/** Keeps the first skip + limit documents while reading, or all without a limit. */
function* sorted(
  found: Results,
  { skip, limit }: Query,
  compare: (a: Doc, b: Doc) => number,
): Results {
  const wanted = limit > 0 ? skip + limit : Infinity;
  const order = (a: Found, b: Found): number => compare(a.fields, b.fields);
  let kept: Found[] = [];
  let bytes = 0;
  for (const one of found) {
    if (one === undefined) {
      yield undefined;
      continue;
    }
    kept.push(one);
    bytes += one.bytes.length + FOUND_OVERHEAD;
    if (kept.length >= 2 * wanted + 100) {
      kept = kept.sort(order).slice(0, wanted);
      bytes = kept.reduce((sum, { bytes: own }) => sum + own.length + FOUND_OVERHEAD, 0);
    }
    if (bytes > SORT_BYTES)
      throw new StoreError(
        292,
        'QueryExceededMemoryLimitNoDiskUseAllowed',
        `Sort exceeded memory limit of ${SORT_BYTES} bytes`,
      );
  }
  const inOrder = yield* sortInTurns(kept, order);
  for (let index = skip; index < Math.min(inOrder.length, wanted); index++) yield inOrder[index];
}

/** Reads all documents without pauses; for writers, which run within a commit. */
export function runNow(
  results: Results,
  {
    limit = Infinity,
    requireTime,
  }: { readonly limit?: number; readonly requireTime?: () => void } = {},
): Found[] {
  const found: Found[] = [];
  for (const one of results) {
    if (one === undefined) requireTime?.();
    else if (found.push(one) >= limit) break;
  }
  return found;
}
