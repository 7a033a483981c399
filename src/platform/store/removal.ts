import { setTimeout as pause } from 'node:timers/promises';
import type { Model, QueryFilter, SortOrder } from 'mongoose';
import { createRepeating } from '../repeating';
import type { Repeating } from '../repeating';

/** Of one write: others wait no longer for it than for any other. */
const RECORDS_AT_ONCE = 200;
/** Between two writes, for whatever else the store has to do. */
const PAUSE_MS = 20;
const HOUR_MS = 60 * 60 * 1_000;

/** Which records of a collection are old. */
export interface Old<R> {
  readonly records: Model<R>;
  /** Asked anew for each piece. */
  readonly filter: () => QueryFilter<R>;
  /** An index has this order and answers the filter. */
  readonly order: Readonly<Record<string, SortOrder>>;
}

/** Removes them, a few at a time, with pauses. Several processes may be at it. Answers how many this one removed. */
export async function removeOld<R>(
  { records, filter, order }: Old<R>,
  signal?: AbortSignal,
): Promise<number> {
  for (let removed = 0; ;) {
    const found = await records
      .find(filter(), { _id: 1 })
      .sort(order)
      .limit(RECORDS_AT_ONCE)
      .lean<{ readonly _id: unknown }[]>();
    if (found.length > 0)
      removed += (
        await records.deleteMany({
          ...filter(),
          _id: { $in: found.map(({ _id }) => _id) },
        } as QueryFilter<R>)
      ).deletedCount;
    if (found.length < RECORDS_AT_ONCE || signal?.aborted) return removed;
    await pause(PAUSE_MS);
  }
}

/** Does so at once when it is started, then every hour. */
export const removingOld = <R>(
  old: Old<R>,
  {
    onRemoved,
    onFault,
  }: { readonly onRemoved: (count: number) => void; readonly onFault: (error: unknown) => void },
): Repeating =>
  createRepeating(
    async (signal) => {
      try {
        const removed = await removeOld(old, signal);
        if (removed > 0) onRemoved(removed);
      } catch (error) {
        onFault(error);
      }
    },
    { firstMs: 0, thenMs: HOUR_MS },
  );
