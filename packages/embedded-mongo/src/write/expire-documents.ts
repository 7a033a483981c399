import type { Collection } from '../catalog/collection';
import type { Index } from '../catalog/index-entries';
import type { Log } from '../log';
import { compileFilter } from '../query/filter';
import { planQuery } from '../query/planner';
import { collectNow } from '../query/run-query';
import { scan } from '../query/scan';
import type { Match } from '../query/scan';
import { KeyLockedError } from '../storage/key-locks';
import type { WriteView } from '../storage/views';
import type { Store } from '../store';
import type { Doc } from '../values/values';
import { deleteDocument } from './write-document';

export const TTL_INTERVAL_MS = 60_000;
/** Documents per commit; some are large. */
const MAX_PER_COMMIT = 20;

/** Deletes documents expired by TTL indexes in small commits. Returns the number of documents. */
export async function expireDocuments(store: Store, now: Date, log: Log): Promise<number> {
  let total = 0;
  for (const { namespace, indexes } of store.catalog.all()) {
    for (const { id } of indexes.filter((index) => index.expireAfterSeconds !== undefined)) {
      for (let deleted = MAX_PER_COMMIT; deleted === MAX_PER_COMMIT;) {
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
      const filter = expiredFilter(index, now);
      const plan = planQuery(view, { ...collection, indexes: [index] }, { filter });
      const results = scan(() => view, collection, plan, compileFilter(filter));
      return collectNow(results, MAX_PER_COMMIT).filter((match) =>
        tryDelete(view, collection, match),
      ).length;
    },
    { reserve: 'always' },
  );
}

/** A document locked by a transaction is skipped and checked again next time. */
function tryDelete(view: WriteView, collection: Collection, match: Match): boolean {
  try {
    deleteDocument(view, collection, match);
    return true;
  } catch (error) {
    if (error instanceof KeyLockedError) return false;
    throw error;
  }
}

/** Dates only; the earliest in an array counts. Excludes documents outside of a partial index. */
function expiredFilter({ key, partial, expireAfterSeconds = 0 }: Index, now: Date): Doc {
  const due = { [key[0][0]]: { $lte: new Date(now.getTime() - expireAfterSeconds * 1_000) } };
  return partial === undefined ? due : { $and: [due, partial] };
}
