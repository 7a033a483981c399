import type { InputPath } from '../errors/errors';
import { Findings } from '../errors/findings';
import { eachOnce, placesIn } from './records';
import { KeyedLock } from '../queues';
import type { Store, Tx } from './store';

// Overlapping lists of the same kind of record would conflict and retry.
const locks = new KeyedLock();

/**
 * Changes several records in one transaction, all or none.
 * @param ids may contain duplicates
 * @param plural name of the records, for the error message: `users`
 * @param change changes the records; gets each id once, and a function for the path of an id in the input
 * @throws BadInput more than MOST_AT_ONCE ids
 */
export async function changeTogether<T extends number | string, R>(
  store: Pick<Store, 'transaction'>,
  ids: readonly T[],
  plural: string,
  change: (ids: readonly T[], pathOf: (id: T) => InputPath, tx: Tx) => Promise<R[]>,
): Promise<R[]> {
  const [unique, pathOf] = [eachOnce(ids, plural), placesIn(ids)];
  return locks.run(plural, () => store.transaction((tx) => change(unique, pathOf, tx)));
}

/**
 * As `changeTogether`, one record after the other; returns the results in order. The errors of all
 * records are collected.
 * @param change changes one record; `path` is the path of its id in the input
 * @throws BadInput more than MOST_AT_ONCE ids
 * @throws DomainError the first error, with the others attached
 */
export function changeAll<T extends number | string, R>(
  store: Pick<Store, 'transaction'>,
  ids: readonly T[],
  plural: string,
  change: (id: T, path: InputPath, tx: Tx) => Promise<R>,
): Promise<R[]> {
  return changeTogether(store, ids, plural, async (unique, pathOf, tx) => {
    const findings = new Findings();
    const results: R[] = [];
    for (const id of unique)
      await findings.of(async () => {
        results.push(await change(id, pathOf(id), tx));
      });
    findings.refuse();
    return results;
  });
}
