import { place } from '../place';

/** How many entries lists show. */
export const PAGE = 25;

/** Which page of a list the address says, for the arguments of a connection. */
export function pageOf(query = place.value.query): {
  first?: number;
  after?: string | null;
  last?: number;
  before?: string | null;
} {
  const [after, before] = [query.get('after'), query.get('before')];
  return before === null ? { first: PAGE, after } : { last: PAGE, before };
}

export const isFirstPage = (query = place.value.query): boolean =>
  !query.has('after') && !query.has('before');
