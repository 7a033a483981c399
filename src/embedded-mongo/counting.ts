import type { Collection } from './catalog';
import { countOf } from './counts';
import { runQuery, wantedBy } from './exec';
import type { Query } from './exec';
import type { Pace } from './pace';
import { planQuery } from './planner';
import { compileFilter } from './semantics/match';
import { isDocument } from './semantics/values';
import type { Doc } from './semantics/values';
import type { ReadView } from './views';

/**
 * Counts the matches of a query: index keys if the bounds express the whole filter, otherwise
 * documents, of which none is kept in memory.
 */
export async function countMatches(
  view: () => ReadView,
  collection: Collection | undefined,
  query: Query,
  pace: Pace,
): Promise<number> {
  compileFilter(query.filter);
  if (collection === undefined) return 0;
  const { covering, repeats, streams } = planQuery(view(), collection, wantedBy(query));
  if (covering && !repeats) {
    return windowed(
      streams.flatMap(({ ranges }) => ranges).reduce((sum, range) => sum + view().count(range), 0),
      query,
    );
  }
  let count = 0;
  await pace.each(runQuery(view, collection, query), () => count++);
  return count;
}

/**
 * Counts for a query without filter, from the stored count; excludes own writes of a transaction.
 */
export const countEverything = (
  view: ReadView,
  collection: Collection | undefined,
  query: Query,
): number => (collection === undefined ? 0 : windowed(countOf(view, collection.id), query));

function windowed(all: number, { skip, limit }: Query): number {
  const skipped = Math.max(0, all - skip);
  return limit > 0 ? Math.min(skipped, limit) : skipped;
}

const QUERY_STAGES = ['$match', '$skip', '$limit'];

/**
 * Returns the `_id` of the result if a pipeline only counts, as the driver's countDocuments does:
 * $match, $skip, $limit (each optional, in this order), then one $group with a numeric `_id`.
 */
export function countedAs(pipeline: readonly Doc[]): number | undefined {
  const names = pipeline.map((stage) => Object.keys(stage).join());
  const last = pipeline.at(-1)?.$group;
  if (names.at(-1) !== '$group' || !isDocument(last) || typeof last._id !== 'number')
    return undefined;
  if (JSON.stringify(last) !== JSON.stringify({ _id: last._id, n: { $sum: 1 } })) return undefined;
  const places = names.slice(0, -1).map((name) => QUERY_STAGES.indexOf(name));
  return places.every((place, index) => place > (places[index - 1] ?? -1)) ? last._id : undefined;
}
