import { BadInput } from '../errors/errors';
import type { InputPath } from '../errors/errors';

/** Most records, or fields of one, that one request names to be changed together, all or none. */
export const MOST_AT_ONCE = 1_000;

/**
 * The ids or names of such a request, each once, in the order asked.
 * @param what what they name, for people: `users`
 * @param keyOf what two that name the same record have in common
 * @throws BadInput more than MOST_AT_ONCE
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

/** Does a path lead to an entry of such a list? */
export const isOfEntry = (path: InputPath): boolean => path[0] === 'ids' && path.length > 1;

/** Where an input names a record. */
export type PlaceOf = (id: number) => InputPath;

/** Of one, and of each of a list. */
export const THE_ID: PlaceOf = () => ['id'];
export const placesIn =
  <T>(ids: readonly T[]): ((id: T) => InputPath) =>
  (id) => ['ids', ids.indexOf(id)];
