import { setTimeout as pause } from 'node:timers/promises';
import type { Collection, Filter } from './collection';
import { createRepeating } from '../repeating';
import type { Repeating } from '../repeating';

/** Records deleted by one write, so that other writes do not wait long. */
const RECORDS_AT_ONCE = 200;
/** Pause between two writes, ms. */
const PAUSE_MS = 20;
const HOUR_MS = 60 * 60 * 1_000;

/** Defines which records of a collection are expired. */
export interface Old<R> {
  readonly records: Collection<R>;
  /** Called for each batch. */
  readonly filter: () => Filter<R>;
  /** An index must serve this order and the filter. */
  readonly order: Readonly<Record<string, 1 | -1>>;
}

/**
 * Deletes expired records in batches, with pauses. Safe to run in several processes. Returns the
 * number of records that this process deleted.
 */
export async function removeOld<R>(
  { records, filter, order }: Old<R>,
  signal?: AbortSignal,
): Promise<number> {
  for (let removed = 0; ;) {
    const batch = await records.find<{ readonly _id: unknown }>(filter(), {
      fields: { _id: 1 },
      sort: order,
      limit: RECORDS_AT_ONCE,
    });
    if (batch.length > 0)
      removed += await records.deleteMany({
        ...filter(),
        _id: { $in: batch.map(({ _id }) => _id) },
      });
    if (batch.length < RECORDS_AT_ONCE || signal?.aborted) return removed;
    await pause(PAUSE_MS);
  }
}

/** Deletes expired records at start and then every hour. */
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
