import type { Model, ProjectionType, QueryFilter } from 'mongoose';
import type { Tx } from './store';

interface RecordsByIds<R> {
  readonly tx?: Tx;
  /** What of them is read; all without it. */
  readonly projection?: ProjectionType<R>;
  /** The others count as not there. */
  readonly within?: Readonly<Record<string, unknown>>;
}

/** By id, in the order asked for; null where there is none. One read for all. */
export async function recordsByIds<R extends { readonly _id: number | string }>(
  model: Model<R>,
  ids: readonly R['_id'][],
  { tx, projection, within = {} }: RecordsByIds<R> = {},
): Promise<(R | null)[]> {
  const found = await model
    .find({ ...within, _id: { $in: [...new Set(ids)] } } as QueryFilter<R>, projection, {
      session: tx?.session,
    })
    .lean<R[]>();
  const known = new Map(found.map((record) => [record._id, record]));
  return ids.map((id) => known.get(id) ?? null);
}
