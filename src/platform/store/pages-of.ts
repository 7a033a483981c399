import type { Model, PipelineStage } from 'mongoose';
import { askedOf, pageOf } from './keyset';
import type { PageQuery, PageSource, RowsQuery } from './keyset';
import type { Page } from './page';
import { isServed, requireServed } from './served';
import { unionOf } from './union';

/** What names the parent in a document: an id, or a name. */
type Parent = number | string;

/**
 * The same page of the list of each parent, in the order of the parents: one call to the store for all of them when somebody asks what the
 * lists hold, and one when somebody asks how long they are. `field` names the parent in each document, and no parent may be named twice.
 * A cursor is of the list of one parent, and refused by all others.
 * @throws BadInput as `pageOf`
 */
export async function pagesOf<T extends object, P extends Parent>(
  model: Model<T>,
  field: keyof T & string,
  parents: readonly P[],
  query: PageQuery,
): Promise<Page<T>[]> {
  const asked = (parent: unknown) =>
    askedOf(model, { ...query, filter: { $and: [{ [field]: parent }, query.filter ?? {}] } });
  if (!isServed(model, asked(parents[0]))) await requireServed(model, asked({ $in: parents }));
  const together = readTogether(model, field, parents);
  const counted = { $and: [query.filter ?? {}, query.within ?? {}] };
  return Promise.all(
    parents.map((parent) =>
      pageOf(model, {
        ...query,
        parent: `${field} ${parent}`,
        filter: { $and: [{ [field]: parent }, query.filter ?? {}] },
        source: together(parent, counted) as PageSource<never>,
      }),
    ),
  );
}

/** Takes the query of each parent, then asks them all at once, when the first of them is to be read. */
function readTogether<T extends object, P extends Parent>(
  model: Model<T>,
  field: keyof T & string,
  parents: readonly P[],
) {
  const queries = new Map<P, RowsQuery>();
  let rows: Promise<Map<P, T[]>> | undefined;
  let counts: Promise<Map<P, number>> | undefined;

  const byParent = (rows: readonly T[]): Map<P, T[]> => {
    const found = new Map<P, T[]>();
    for (const row of rows)
      found.set(row[field] as P, [...(found.get(row[field] as P) ?? []), row]);
    return found;
  };

  return (parent: P, filter: Record<string, unknown>): PageSource<T> => ({
    reader(query) {
      queries.set(parent, query);
      return async (limit) => {
        rows ??= model
          .aggregate<T>(
            unionOf(
              model,
              [...queries.values()].map((one) => stages(one, limit)),
            ),
          )
          .then(byParent);
        return (await rows).get(parent) ?? [];
      };
    },
    async count() {
      // By the place of the parent: a name would be taken for an expression.
      counts ??= model
        .aggregate<{ _id: number; n: number }>(
          unionOf(
            model,
            parents.map((each, at) => [
              { $match: { $and: [{ [field]: each }, filter] } },
              { $group: { _id: at, n: { $sum: 1 } } },
            ]),
          ),
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

const stages = ({ filter, sort }: RowsQuery, limit: number): PipelineStage[] => [
  { $match: filter },
  { $sort: sort },
  { $limit: limit },
];
