import type { Model, QueryFilter } from 'mongoose';

const BATCH = 200;

/**
 * Yields all records of a collection by id, in batches. Records that are inserted or deleted during
 * the iteration may be missing; none is returned twice.
 */
export async function* everyRecord<T extends { readonly _id: number }>(
  model: Model<T>,
  filter: Readonly<Record<string, unknown>> = {},
  projection: Readonly<Record<string, 0 | 1>> | null = null,
  batch = BATCH,
): AsyncGenerator<T[], void, void> {
  for (let last: number | null = null; ;) {
    const found: T[] = await model
      .find(
        { ...filter, ...(last !== null && { _id: { $gt: last } }) } as QueryFilter<T>,
        projection,
      )
      .sort({ _id: 1 })
      .limit(batch)
      .lean<T[]>();
    if (found.length > 0) yield found;
    if (found.length < batch) return;
    last = found[found.length - 1]._id;
  }
}
