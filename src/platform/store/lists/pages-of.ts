import { listRequestOf, pageOf } from './keyset';
import type { PageQuery, PageSource, RowsQuery } from './keyset';
import type { Collection, Pipeline } from '../collection';
import type { Page } from './page';
import { isServed, requireServed } from './served';

/** Id or name of the parent. */
type Parent = number | string;

/**
 * Returns the same page for each parent, in the order of the parents, which must be unique. All
 * lists are read in one query, and all counts in another, on first access. `field` holds the parent
 * in each document. Cursors are valid for the list of one parent.
 * @throws BadInput see `pageOf`
 */
export async function pagesOf<T extends object, P extends Parent>(
  collection: Collection<T>,
  field: keyof T & string,
  parents: readonly P[],
  query: PageQuery,
): Promise<Page<T>[]> {
  const requestFor = (parent: unknown) =>
    listRequestOf(collection, {
      ...query,
      filter: { $and: [{ [field]: parent }, query.filter ?? {}] },
    });
  if (!isServed(collection, requestFor(parents[0])))
    await requireServed(collection, requestFor({ $in: parents }));
  const together = readTogether(collection, field, parents);
  const counted = { $and: [query.filter ?? {}, query.within ?? {}] };
  return Promise.all(
    parents.map((parent) =>
      pageOf(collection, {
        ...query,
        parent: `${field} ${parent}`,
        filter: { $and: [{ [field]: parent }, query.filter ?? {}] },
        source: together(parent, counted) as PageSource<never>,
      }),
    ),
  );
}

/** Collects the query of each parent and runs all of them when the first result is needed. */
function readTogether<T extends object, P extends Parent>(
  collection: Collection<T>,
  field: keyof T & string,
  parents: readonly P[],
) {
  const queries = new Map<P, RowsQuery>();
  let rows: Promise<Map<P, T[]>> | undefined;
  let counts: Promise<Map<P, number>> | undefined;

  const byParent = (rows: readonly T[]): Map<P, T[]> => {
    const groups = new Map<P, T[]>();
    for (const row of rows)
      groups.set(row[field] as P, [...(groups.get(row[field] as P) ?? []), row]);
    return groups;
  };

  return (parent: P, filter: Record<string, unknown>): PageSource<T> => ({
    reader(query) {
      queries.set(parent, query);
      return async (limit) => {
        rows ??= collection
          .aggregate<T>([...queries.values()].map((one) => stages(one, limit)))
          .then(byParent);
        return (await rows).get(parent) ?? [];
      };
    },
    async count() {
      // Group by index: a parent name that starts with `$` would be parsed as an expression.
      counts ??= collection
        .aggregate<{ _id: number; n: number }>(
          parents.map((each, at) => [
            { $match: { $and: [{ [field]: each }, filter] } },
            { $group: { _id: at, n: { $sum: 1 } } },
          ]),
        )
        .then(
          (rows) =>
            new Map(
              rows.flatMap(({ _id, n }) =>
                parents[_id] === undefined ? [] : [[parents[_id], n] as const],
              ),
            ),
        );
      return (await counts).get(parent) ?? 0;
    },
  });
}

const stages = ({ filter, sort }: RowsQuery, limit: number): Pipeline => [
  { $match: filter },
  { $sort: sort },
  { $limit: limit },
];
