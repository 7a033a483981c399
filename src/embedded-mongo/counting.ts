import type { Collection } from './catalog';
import { chunks } from './chunks';
import { runQuery } from './exec';
import type { Query } from './exec';
import { wholeCollection } from './keys';
import type { Pace } from './pace';
import { isDocument } from './semantics/values';
import type { Doc } from './semantics/values';
import type { ReadView } from './views';

/** How many documents a query finds, none of which is kept. */
export async function countMatches(view: () => ReadView, collection: Collection | undefined, query: Query, pace: Pace): Promise<number> {
  let count = 0;
  if (collection !== undefined && Object.keys(query.filter).length === 0 && query.skip === 0 && query.limit === 0) {
    for (const entries of chunks(view, wholeCollection(collection.id))) {
      count += entries.length;
      await pace.pause();
    }
    return count;
  }
  await pace.each(runQuery(view, collection, query), () => count++);
  return count;
}

const COUNTING = JSON.stringify({ _id: 1, n: { $sum: 1 } });
const QUERY_STAGES = ['$match', '$skip', '$limit'];

/** Whether a pipeline is what the driver's countDocuments sends: some of $match, $skip, $limit in this order, then one group of all. */
export function isCount(pipeline: readonly Doc[]): boolean {
  const names = pipeline.map((stage) => Object.keys(stage).join());
  const last = pipeline.at(-1)?.$group;
  if (names.at(-1) !== '$group' || !isDocument(last) || JSON.stringify(last) !== COUNTING) return false;
  const places = names.slice(0, -1).map((name) => QUERY_STAGES.indexOf(name));
  return places.every((place, index) => place > (places[index - 1] ?? -1));
}
