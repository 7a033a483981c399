import type { Model, ProjectionType, QueryFilter } from 'mongoose';
import type { Tx } from './store';

interface RecordsByIds<R> {
  readonly tx?: Tx;
  /** Fields to read. Default: all. */
  readonly projection?: ProjectionType<R>;
  /** Records that do not match this filter are treated as missing. */
  readonly within?: Readonly<Record<string, unknown>>;
}

/** Reads records by id in one query; returns them in the given order, null for missing ones. */
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
