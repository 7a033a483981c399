import type { IndexOptions } from 'mongoose';
import { derived } from '../../cache';
import { BadInput } from '../../errors/errors';
import type { Collection } from '../collection';
import { conjunctsOf } from './filter';
import type { Conjunct } from './filter';
import type { Order } from './keyset-cursor';

/** Lists up to this length are scanned for any query. */
export const MOST_SEARCHED = 10_000;

/** This many entries may be scanned and sorted in lists of any length. */
const FEW = 500;

/** With more values in an `$in`, the index does not provide the order of the following fields. */
const MOST_MERGED = 100;

type Keys = Readonly<Record<string, 1 | -1>>;

/** `filter`: from the caller. `within`: set by the service, never a reason to reject. */
export interface ListRequest {
  readonly filter: Record<string, unknown>;
  readonly within: Record<string, unknown>;
  readonly order: readonly Order[];
}

/** Returns whether an index serves filter and order, so that only matching entries are read. */
export function isServed<T>(
  collection: Collection<T>,
  { filter, within, order }: ListRequest,
): boolean {
  const [filterConjuncts, withinConjuncts] = [conjunctsOf(filter), conjunctsOf(within)];
  return (
    isUnique(collection, filterConjuncts) ||
    indexesOf(collection).some((keys) => hasInOrder(keys, filterConjuncts, withinConjuncts, order))
  );
}

/**
 * Accepts queries that an index serves, any query on a short list, and on a long list those for
 * which an index leaves few entries; returns that index, which the query must use.
 * @throws BadInput the query is none of these
 */
export async function requireServed<T>(
  collection: Collection<T>,
  request: ListRequest,
): Promise<Keys | undefined> {
  if (isServed(collection, request) || (await collection.size()) <= MOST_SEARCHED) return undefined;
  for (const { keys, query } of narrowing(collection, request)) {
    if (
      (await collection.count(query, {
        limit: FEW + 1,
        hint: keys,
      })) <= FEW
    )
      return keys;
  }
  throw new BadInput(
    'BAD_REQUEST',
    `This list has more than ${MOST_SEARCHED} entries, and no index has what the filter leaves of them in the order asked for. ` +
      `Filter by one field with \`eq\`, \`in\`, \`startsWith\`, \`gte\` or \`lte\`, in the order of that field or without \`orderBy\`, or add a condition that leaves ${FEW} entries at most. ` +
      '`contains` and `not` alone, and `or` of several fields, look through the whole list.',
    { path: ['filter'] },
  );
}

/**
 * Returns the order of the list, or that of the filtered field if the only range filter is on one
 * field and no index serves it in the order of the list.
 */
export function orderOfRange<T>(collection: Collection<T>, request: ListRequest): readonly Order[] {
  const ranges = conjunctsOf(request.filter).filter(({ kind }) => kind === 'range');
  const [only] = ranges;
  if (!only || ranges.some(({ path }) => path !== only.path) || isServed(collection, request))
    return request.order;
  const order: readonly Order[] = [
    { field: only.path, direction: request.order[0]?.direction ?? 'asc' },
  ];
  return isServed(collection, { ...request, order }) ? order : request.order;
}

function hasInOrder(
  keys: Keys,
  filterConjuncts: readonly Conjunct[],
  withinConjuncts: readonly Conjunct[],
  order: readonly Order[],
): boolean {
  const paths = pathsOf(keys);
  const equal = paths.slice(0, beginningOf(paths, [...filterConjuncts, ...withinConjuncts]));
  const next = paths.at(equal.length);
  const pinned = new Set(
    [...filterConjuncts, ...withinConjuncts]
      .filter(({ values }) => values === 1)
      .map(({ path }) => path),
  );
  const rest = order.filter(({ field }) => !pinned.has(field));
  return (
    filterConjuncts.every(({ kind, path }) =>
      kind === 'equal' ? equal.includes(path) : kind === 'range' && path === next,
    ) &&
    [...filterConjuncts, ...withinConjuncts].reduce(
      (product, { path, values }) => product * (equal.includes(path) ? values : 1),
      1,
    ) <= MOST_MERGED &&
    [1, -1].some((way) =>
      rest.every(
        ({ field, direction }, at) =>
          paths[equal.length + at] === field &&
          (keys[field] ?? 1) * way === (direction === 'asc' ? 1 : -1),
      ),
    )
  );
}

/** Indexes that evaluate filter conditions without reading documents; most conditions first. */
function narrowing<T>(
  collection: Collection<T>,
  { filter, within }: ListRequest,
): { keys: Keys; query: Record<string, unknown> }[] {
  const [filterConjuncts, withinConjuncts] = [conjunctsOf(filter), conjunctsOf(within)];
  return indexesOf(collection)
    .flatMap((keys) => {
      const paths = Object.keys(keys);
      const equal = beginningOf(paths, [...filterConjuncts, ...withinConjuncts]);
      const usedPaths = [...paths.slice(0, equal), ...paths.slice(equal, equal + 1)];
      const used = (conjunct: Conjunct): boolean =>
        conjunct.kind !== 'other' && usedPaths.includes(conjunct.path);
      const usedConjuncts = filterConjuncts.filter(used);
      return usedConjuncts.length === 0
        ? []
        : [
            {
              keys,
              query: {
                $and: [...usedConjuncts, ...withinConjuncts.filter(used)].map(({ query }) => query),
              },
              conditions: usedConjuncts.length,
            },
          ];
    })
    .sort((a, b) => b.conditions - a.conditions);
}

/** Number of leading paths with an equality condition. */
function beginningOf(paths: readonly string[], conjuncts: readonly Conjunct[]): number {
  const equal = new Set(conjuncts.filter(({ kind }) => kind === 'equal').map(({ path }) => path));
  const at = paths.findIndex((path) => !equal.has(path));
  return at === -1 ? paths.length : at;
}

/** Indexes that contain every document (not partial or sparse). */
const indexesOf = <T>(collection: Collection<T>): readonly Keys[] =>
  declaredBy(collection.schema).ofAll;

/** Entries with equal keys are ordered by id. */
const pathsOf = (keys: Keys): string[] =>
  keys._id === undefined ? [...Object.keys(keys), '_id'] : Object.keys(keys);

/** Returns whether the field has a unique index of its own. */
export const isUniqueField = <T>(collection: Collection<T>, field: string): boolean =>
  declaredBy(collection.schema).uniqueFields.has(field);

interface Declared {
  readonly ofAll: readonly Keys[];
  /** Fields with a unique index of their own. */
  readonly uniqueFields: ReadonlySet<string>;
}

/** Cached: mongoose recomputes `schema.indexes()` on each call. */
const declaredBy = derived((schema: { indexes(): unknown }): Declared => {
  const indexes = schema.indexes() as readonly (readonly [Keys, IndexOptions])[];
  const fullIndexes = indexes.filter(
    ([, { partialFilterExpression }]) => partialFilterExpression === undefined,
  );
  const unique = fullIndexes.flatMap(([keys, options]) =>
    options.unique === true && Object.keys(keys).length === 1 ? Object.keys(keys) : [],
  );
  const ofAll = fullIndexes.filter(
    ([, { sparse, expireAfterSeconds }]) => sparse !== true && expireAfterSeconds === undefined,
  );
  return {
    ofAll: [{ _id: 1 }, ...ofAll.map(([keys]) => keys)],
    uniqueFields: new Set(['_id', ...unique]),
  };
});

const isUnique = <T>(collection: Collection<T>, conjuncts: readonly Conjunct[]): boolean =>
  conjuncts.some(({ kind, path }) => kind === 'equal' && isUniqueField(collection, path));
