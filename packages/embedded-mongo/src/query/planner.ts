import type { Collection } from '../catalog/collection';
import { hasTrait } from '../catalog/index-entries';
import type { Direction, Index } from '../catalog/index-entries';
import { StoreError } from '../errors';
import { countOf, documentPrefix, indexPrefix } from '../storage/keys';
import type { Range, ReadView } from '../storage/views';
import { exactInteger } from '../values/compare';
import { orderedEntries } from '../values/field-order';
import type { Doc } from '../values/values';
import { boundsOf, fieldsOf } from './index-bounds';
import type { Bounds, Interval, Source } from './index-bounds';
import { branchesOf, implies, impliesPresence, sameKey } from './predicates';
import type { Branch } from './predicates';

/** Ranges of document keys or of keys of one index. */
export interface Plan {
  /** Read in sequence if there is one stream; several are merged by the key after their prefix. */
  readonly streams: readonly Stream[];
  readonly direction: Direction;
  /** Missing: the ranges are of documents. */
  readonly index?: Index;
  /** A document may occur more than once. */
  readonly repeats: boolean;
  /** Documents come in the requested order. */
  readonly sorted: boolean;
  /** Each key is a match; documents need not be read. */
  readonly covering: boolean;
  /** Full scan: neither filter nor order can use an index. */
  readonly isFullScan: boolean;
}

export interface Stream {
  readonly ranges: readonly PlannedRange[];
  /** Length of the common prefix of all keys of the stream. */
  readonly prefixLength: number;
}

interface PlannedRange extends Range {
  /** Contains at most the key `start`. */
  readonly exact?: boolean;
}

export interface PlanRequest {
  readonly filter: Doc;
  readonly sort?: Doc;
  /** Number of documents to find, 0 for all. */
  readonly limit?: number;
  /** Name or key of the index to use. */
  readonly hint?: string | Doc;
}

/** Chooses the best index for filter or order. All plans find the same matches. */
export function planQuery(
  view: ReadView,
  collection: Collection,
  { filter, sort, limit = 0, hint }: PlanRequest,
): Plan {
  const branches = branchesOf(filter);
  const order = orderedEntries(sort ?? {}).map(([path, direction]): [string, unknown] => [
    path,
    exactInteger(direction),
  ]);
  if (hint !== undefined) return candidateOfHint(view, collection, branches, order, hint).plan;
  const byId = candidateOf(documentsOf(collection), undefined, branches, order);
  if (byId.plan.streams[0].ranges.every(({ exact }) => exact)) return byId.plan;
  const usable = collection.indexes
    .filter((index) => mayHelp(index, branches, order) && isUsable(index, branches))
    .map((index) => candidateOf(sourceOf(view, index), index, branches, order));
  const candidates = [byId, ...usable];
  const narrowest = bestOf(candidates);
  if (narrowest.plan.sorted || limit === 0) return narrowest.plan;
  const inOrder = candidates.filter(({ plan }) => plan.sorted);
  if (inOrder.length === 0) return narrowest.plan;
  return isSortingCheaper(view, collection, narrowest.plan, limit)
    ? narrowest.plan
    : bestOf(inOrder).plan;
}

interface Candidate {
  readonly plan: Plan;
  readonly score: number;
}

const bestOf = (candidates: readonly Candidate[]): Candidate =>
  candidates.reduce((first, one) => (one.score > first.score ? one : first));

/** Weights: filtering counts more than avoiding a sort, an exact field more than a range. */
const SCORE = { unique: 500, field: 10, range: 6, sorted: 5 } as const;

/** Up to this many documents may always be sorted. */
const MAX_ALWAYS_SORTED = 500;

/**
 * Whether to sort the matches instead of reading in order. In order, about `limit` times the number
 * of all documents divided by that of matches are read, assuming that matches are spread evenly.
 */
function isSortingCheaper(
  view: ReadView,
  collection: Collection,
  { streams }: Plan,
  limit: number,
): boolean {
  const maxSorted = Math.max(
    MAX_ALWAYS_SORTED,
    Math.ceil(Math.sqrt(limit * countOf(view, collection.id))),
  );
  let left = maxSorted;
  for (const range of streams.flatMap(({ ranges }) => ranges)) {
    left -= view.count(range, left);
    if (left <= 0) return false;
  }
  return true;
}

/** @throws StoreError 2 unknown index, 115 an index that lacks matches */
function candidateOfHint(
  view: ReadView,
  collection: Collection,
  branches: readonly Branch[],
  order: Order,
  hint: string | Doc,
): Candidate {
  const key = typeof hint === 'string' ? undefined : JSON.stringify(Object.entries(hint));
  if (hint === '_id_' || key === '[["_id",1]]' || key === '[["$natural",1]]')
    return candidateOf(documentsOf(collection), undefined, branches, order);
  const index = collection.indexes.find(
    (one) => one.name === hint || JSON.stringify(one.key) === key,
  );
  if (index === undefined)
    throw new StoreError(
      'BadValue',
      'error processing query: planner returned error :: caused by :: hint provided does not correspond to an existing index',
    );
  if (!isUsable(index, branches)) {
    throw new StoreError(
      'CommandNotSupported',
      `a hint to the index ${index.name}, which may not hold every match, is not supported by the embedded store; set MONGODB_URI to a MongoDB replica set`,
    );
  }
  return candidateOf(sourceOf(view, index), index, branches, order);
}

const isUsable = (index: Index, branches: readonly Branch[]): boolean =>
  branches.every(({ predicates }) => {
    if (index.partial !== undefined && !implies(predicates, index.partial)) return false;
    return !index.sparse || impliesPresence(predicates.get(index.key[0][0]));
  });

/** The first field of the index is in the filter or is the first of the order. */
const mayHelp = ({ key: [[path]] }: Index, branches: readonly Branch[], order: Order): boolean =>
  order[0]?.[0] === path || branches.some(({ predicates }) => predicates.has(path));

const documentsOf = ({ id }: Collection): Source => ({
  prefix: documentPrefix(id),
  key: [['_id', 1]],
  unique: true,
  multikey: false,
  cut: false,
});

const sourceOf = (view: ReadView, index: Index): Source => ({
  prefix: indexPrefix(index.id),
  key: index.key,
  unique: index.unique,
  multikey: hasTrait(view, index, 'multikey'),
  cut: hasTrait(view, index, 'cut'),
});

type Order = ReadonlyArray<readonly [path: string, direction: unknown]>;

function candidateOf(
  source: Source,
  index: Index | undefined,
  branches: readonly Branch[],
  order: Order,
): Candidate {
  const bounds = boundsOf(source, branches);
  const complete = source.unique && bounds.exact === source.key.length;
  const single = complete && bounds.intervals.length === 1;
  const ordered =
    order.length === 0 || single ? IN_KEY_ORDER : orderedBy(source, bounds, branches, order);
  const score =
    bounds.exact * SCORE.field +
    (bounds.ranged ? SCORE.range : 0) +
    (complete ? SCORE.unique : 0) +
    (ordered !== undefined && order.length > 0 ? SCORE.sorted : 0);
  return {
    score: score === 0 && index !== undefined ? -1 : score,
    plan: planOf(source, index, bounds, ordered ?? IN_KEY_ORDER, {
      complete,
      sorted: ordered !== undefined,
      isFullScan: score === 0,
    }),
  };
}

interface Ordered {
  readonly direction: Direction;
  /** Number of leading fields whose values are read as merged streams. */
  readonly merged: number;
}

const IN_KEY_ORDER: Ordered = { direction: 1, merged: 0 };

/** Maximum number of merged streams. */
const MAX_STREAMS = 100;

/** Returns how reading the source gives the order, if possible: direction and merged fields. */
function orderedBy(
  source: Source,
  bounds: Bounds,
  branches: readonly Branch[],
  order: Order,
): Ordered | undefined {
  if (source.multikey || source.cut) return undefined;
  const pinned = new Set(
    source.key
      .map(([path]) => path)
      .concat('_id')
      .filter((path) => isPinned(path, branches)),
  );
  const relevant = untilId(order).filter(([path]) => !pinned.has(path));
  const fields = fieldsOf(source);
  for (let merged = 0; merged <= bounds.exact; merged++) {
    const rest = fields.slice(merged).filter(([path]) => !pinned.has(path));
    for (const direction of [1, -1] as const) {
      if (!isPrefix(relevant, rest, direction)) continue;
      return bounds.prefixes[merged].length <= MAX_STREAMS ? { direction, merged } : undefined;
    }
  }
  return undefined;
}

const isPrefix = (relevant: Order, fields: Index['key'], direction: Direction): boolean =>
  relevant.length <= fields.length &&
  relevant.every(
    ([path, sign], at) => fields[at][0] === path && fields[at][1] * direction === sign,
  );

/** Fields after `_id` do not affect the order. */
function untilId(order: Order): Order {
  const at = order.findIndex(([path]) => path === '_id');
  return at === -1 ? order : order.slice(0, at + 1);
}

/** Whether all matches have the same value. */
function isPinned(path: string, branches: readonly Branch[]): boolean {
  const [first] = branches[0]?.predicates.get(path)?.equals ?? [NO_VALUE];
  return (
    first !== NO_VALUE &&
    branches.every(({ predicates }) =>
      predicates.get(path)?.equals.some((value) => sameKey(value, first)),
    )
  );
}

const NO_VALUE = Symbol('no value');

function planOf(
  source: Source,
  index: Index | undefined,
  bounds: Bounds,
  { direction, merged }: Ordered,
  { complete, sorted, isFullScan }: { complete: boolean; sorted: boolean; isFullScan: boolean },
): Plan {
  const ranges = (intervals: readonly Interval[]): PlannedRange[] => {
    const plannedRanges = intervals.map(({ start, end, point }) => ({
      start,
      end,
      reverse: direction === -1,
      exact: complete && point,
    }));
    return direction === -1 ? plannedRanges.reverse() : plannedRanges;
  };
  const streams = bounds.prefixes[merged].map((prefixLength) => ({
    prefixLength: prefixLength.length,
    ranges: ranges(
      bounds.intervals.filter(({ start }) =>
        start.subarray(0, prefixLength.length).equals(prefixLength),
      ),
    ),
  }));
  return {
    streams,
    direction,
    index,
    repeats: source.multikey,
    sorted,
    covering: bounds.covering,
    isFullScan,
  };
}
