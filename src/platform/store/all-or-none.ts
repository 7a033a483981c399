import { BadInput } from '../errors/errors';
import type { InputPath } from '../errors/errors';

/** Maximum number of records (or fields of a record) that one all-or-nothing request may change. */
export const MOST_AT_ONCE = 1_000;

/**
 * Removes duplicates from the ids or names of an all-or-nothing request; keeps the order.
 * @param what plural of the thing, for the error message: `users`
 * @param keyOf two ids with the same key name the same record
 * @throws BadInput more than MOST_AT_ONCE ids
 */
export function eachOnce<T>(
  ids: readonly T[],
  what: string,
  keyOf: (id: T) => unknown = (id) => id,
): T[] {
  const firsts = new Map<unknown, T>();
  for (const id of ids) {
    const key = keyOf(id);
    if (!firsts.has(key)) firsts.set(key, id);
  }
  const unique = [...firsts.values()];
  if (unique.length > MOST_AT_ONCE)
    throw new BadInput('BAD_REQUEST', `At most ${MOST_AT_ONCE} ${what} at once.`, {
      path: ['ids'],
      reason: 'LIST_TOO_LONG',
    });
  return unique;
}

/** Returns whether a path points to an entry of `ids`. */
export const isOfEntry = (path: InputPath): boolean => path[0] === 'ids' && path.length > 1;

/** Maps an id to its path in the input. */
export type PlaceOf = (id: number) => InputPath;

/** For requests with a single `id`, and for requests with a list `ids`. */
export const THE_ID: PlaceOf = () => ['id'];
export const placesIn =
  <T>(ids: readonly T[]): ((id: T) => InputPath) =>
  (id) => ['ids', ids.indexOf(id)];
