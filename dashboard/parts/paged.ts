import { place } from '../place';

export const PAGE = 25;

/** Returns the connection arguments for the page in the URL. */
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
