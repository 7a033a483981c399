import type { Log } from './dispatch';
import { compileFilter } from './semantics/match';
import type { Collection } from './catalog';
import { Blocked } from './claims';
import { runNow } from './exec';
import { scan } from './scan';
import type { Found } from './scan';
import { planQuery } from './planner';
import type { Store } from './store';
import type { WriteView } from './views';
import { deleteDocument } from './writes';

export const TTL_INTERVAL_MS = 60_000;
/** Documents per commit; some are large. */
const MOST_PER_COMMIT = 20;

/** Deletes documents expired by TTL indexes in small commits. Returns the number of documents. */
export async function expireDocuments(store: Store, now: Date, log: Log): Promise<number> {
  let total = 0;
  for (const { namespace, indexes } of store.catalog.all()) {
    for (const { id } of indexes.filter((index) => index.expireAfterSeconds !== undefined)) {
      for (let deleted = MOST_PER_COMMIT; deleted === MOST_PER_COMMIT;) {
        deleted = await expireSome(store, namespace, id, now);
        total += deleted;
      }
    }
  }
  if (total > 0) log('info', 'expired documents deleted', { documents: total });
  return total;
}

/** Looks up the collection within the commit, since it may have changed. */
function expireSome(store: Store, namespace: string, indexId: number, now: Date): Promise<number> {
  return store.kv.write(
    (view) => {
      const collection = store.catalog.get(namespace);
      const index = collection?.indexes.find(({ id }) => id === indexId);
      if (collection === undefined || index === undefined) return 0;
      const filter = expired(index, now);
      const plan = planQuery(view, { ...collection, indexes: [index] }, { filter });
      const found = runNow(
        scan(() => view, collection, plan, compileFilter(filter)),
        { limit: MOST_PER_COMMIT },
      );
      return found.filter((one) => isDeleted(view, collection, one)).length;
    },
    { frees: true },
  );
}

/** A document held by a transaction is skipped and checked again next time. */
function isDeleted(view: WriteView, collection: Collection, found: Found): boolean {
  try {
    deleteDocument(view, collection, found);
    return true;
  } catch (error) {
    if (error instanceof Blocked) return false;
    throw error;
  }
}

/** Dates only; the earliest in an array counts. Ignores documents outside of a partial index. */
function expired(
  { key, partial, expireAfterSeconds = 0 }: Collection['indexes'][number],
  now: Date,
): Record<string, unknown> {
  const due = { [key[0][0]]: { $lte: new Date(now.getTime() - expireAfterSeconds * 1_000) } };
  return partial === undefined ? due : { $and: [due, partial] };
}
