import { BadInput } from '../errors/errors';
import type { InputPath } from '../errors/errors';

/** Most records that one request names to be changed together, all or none. */
export const MOST_AT_ONCE = 1_000;

/**
 * The ids of such a request, each once, in the order asked.
 * @param what what they name, for people: `users`
 * @throws BadInput more than MOST_AT_ONCE
 */
export function eachOnce(ids: readonly number[], what: string): number[] {
  const unique = [...new Set(ids)];
  if (unique.length > MOST_AT_ONCE) throw new BadInput('BAD_REQUEST', `At most ${MOST_AT_ONCE} ${what} at once.`, { path: ['ids'], reason: 'LIST_TOO_LONG' });
  return unique;
}

/** Where an input names a record. */
export type PlaceOf = (id: number) => InputPath;

/** Of one, and of each of a list. */
export const THE_ID: PlaceOf = () => ['id'];
export const placesIn = (ids: readonly number[]): PlaceOf => (id) => ['ids', ids.indexOf(id)];
