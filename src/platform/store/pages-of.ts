import type { Model, PipelineStage } from 'mongoose';
import { askedOf, pageOf } from './keyset';
import type { PageQuery, PageSource, RowsQuery } from './keyset';
import type { Page } from './page';
import { isServed, requireServed } from './served';
import { unionOf } from './union';

/**
 * The same page of the list of each parent, in the order of the parents: one call to the store for all of them, and one more when somebody
 * asks how long the lists are. `field` names the parent in each document, and no parent may be named twice. A cursor is of the list of one
 * parent, and refused by all others.
 * @throws BadInput as `pageOf`
 */
export async function pagesOf<T extends object>(model: Model<T>, field: keyof T & string, parents: readonly number[], query: PageQuery): Promise<Page<T>[]> {
  const asked = (parent: unknown) => askedOf(model, { ...query, filter: { $and: [{ [field]: parent }, query.filter ?? {}] } });
  if (!isServed(model, asked(parents[0]))) await requireServed(model, asked({ $in: parents }));
  const together = readTogether(model, field, parents);
  const counted = { $and: [query.filter ?? {}, query.within ?? {}] };
  return Promise.all(parents.map((parent) => pageOf(model, {
    ...query, parent: `${field} ${parent}`, filter: { $and: [{ [field]: parent }, query.filter ?? {}] }, source: together(parent, counted) as PageSource<never>,
  })));
}

/** Waits for the query of each parent, then asks them all at once. */
function readTogether<T extends object>(model: Model<T>, field: keyof T & string, parents: readonly number[]) {
  const queries = new Map<number, RowsQuery>();
  const allAsked = signal<Map<number, T[]>>();
  let counts: Promise<Map<number, number>> | undefined;

  const byParent = (rows: readonly T[]): Map<number, T[]> => {
    const found = new Map<number, T[]>();
    for (const row of rows) found.set(row[field] as number, [...(found.get(row[field] as number) ?? []), row]);
    return found;
  };

  return (parent: number, filter: Record<string, unknown>): PageSource<T> => ({
    async rows(query) {
      queries.set(parent, query);
      if (queries.size === parents.length) allAsked.resolve(model.aggregate<T>(unionOf(model, [...queries.values()].map(stages))).then(byParent));
      return (await allAsked.promise).get(parent) ?? [];
    },
    async count() {
      counts ??= model.aggregate<{ _id: number; n: number }>(
        unionOf(model, parents.map((each) => [{ $match: { $and: [{ [field]: each }, filter] } }, { $group: { _id: each, n: { $sum: 1 } } }])),
      ).then((rows) => new Map(rows.map(({ _id, n }) => [_id, n])));
      return (await counts).get(parent) ?? 0;
    },
  });
}

const stages = ({ filter, sort, limit }: RowsQuery): PipelineStage[] => [{ $match: filter }, { $sort: sort }, { $limit: limit }];

function signal<V>(): { readonly promise: Promise<V>; readonly resolve: (value: V | Promise<V>) => void } {
  let resolve: (value: V | Promise<V>) => void = () => undefined;
  const promise = new Promise<V>((done) => { resolve = done; });
  return { promise, resolve };
}
