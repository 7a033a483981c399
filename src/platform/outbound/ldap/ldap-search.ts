import type { Filter, SearchRequest } from 'ldapts';
import type { LdapEntry } from './ldap-answer';

/** Loaded on first use: most installations have no directory. */
export const ldapts = () => require('ldapts') as typeof import('ldapts');

/** Asks for no attributes (RFC 4511, section 4.5.1.8). */
export const NO_ATTRIBUTES = ['1.1'] as const;

export interface LdapSearch {
  readonly base: string;
  readonly scope: 'base' | 'sub';
  readonly filter: Filter;
  readonly attributes: readonly string[];
  readonly maxEntries: number;
  /** Requests pages of this size, for more entries than servers return at once. */
  readonly pageSize?: number;
}

/** What a search found. */
export interface LdapFound {
  readonly entries: readonly LdapEntry[];
  /** There are more entries. */
  readonly isCut: boolean;
  /** The base does not exist, or the bind account cannot read it. */
  readonly isBaseMissing: boolean;
}

/** Returns a request for all entries, or for a page of them; `page` is null for the first one. */
export function searchRequest(
  { base, scope, filter, attributes, maxEntries, pageSize }: LdapSearch,
  {
    messageId,
    page,
    timeoutMs,
  }: { readonly messageId: number; readonly page: Buffer | null; readonly timeoutMs: number },
): SearchRequest {
  const library = ldapts();
  const controls =
    pageSize === undefined
      ? []
      : [
          new library.PagedResultsControl({
            value: { size: pageSize, cookie: page ?? undefined },
          }),
        ];
  return new library.SearchRequest({
    messageId,
    baseDN: base,
    scope,
    filter,
    attributes: [...attributes],
    // Servers apply the limit to all pages together.
    sizeLimit: pageSize === undefined ? maxEntries : 0,
    timeLimit: Math.ceil(timeoutMs / 1000),
    controls,
  });
}
