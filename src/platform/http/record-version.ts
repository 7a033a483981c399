import type { IncomingHttpHeaders } from 'node:http';
import { BadInput } from '../errors/errors';
import type { ExpectedVersion } from '../store/records';
import { Reply } from './route';
import type { Route } from './route';

/** Status of CONFLICT if `If-Match` named the version (RFC 9110, 15.5.13). */
export const STALE_STATUS = 412;

/**
 * An entity tag and its separator, from where the previous one ended (RFC 9110, 8.8.3). Empty
 * members of the list are skipped.
 */
const MEMBER = /[\t ,]*(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[\t ]*(?:,[\t ,]*|$)/y;

/** Our version, with or without the suffix of a proxy that compresses: `7-gzip`. */
const VERSION = /^(0|[1-9]\d{0,15})(?:--?(?:gzip|br|deflate|zstd))?$/;

const malformed = (): BadInput =>
  new BadInput('BAD_REQUEST', 'If-Match holds entity tags, such as "7", or *.', {
    path: ['If-Match'],
  });

function entityTags(list: string): string[] {
  const tags: string[] = [];
  MEMBER.lastIndex = 0;
  while (MEMBER.lastIndex < list.length) {
    const tag = MEMBER.exec(list)?.[1];
    if (tag === undefined) throw malformed();
    tags.push(tag);
  }
  if (tags.length === 0) throw malformed();
  return tags;
}

/**
 * Returns the versions that `If-Match` names. Only the number counts: proxies may change the tag
 * (`W/"7"`, `"7-gzip"`) but not the record. A tag that is not ours names no version. Returns
 * undefined without the header, and for `*`, which accepts any version.
 * @throws BadInput the header is malformed
 */
export function versionsOfIfMatch(headers: IncomingHttpHeaders): ExpectedVersion {
  const value = headers['if-match']?.trim();
  if (value === undefined || value === '*') return undefined;
  return entityTags(value)
    .flatMap((tag) => VERSION.exec(tag)?.[1] ?? [])
    .map(Number);
}

/** Returns whether a route reads `If-Match`. */
export const takesIfMatch = ({ record }: Pick<Route, 'record'>): boolean =>
  record === 'changed' || record === 'deleted';

/** Returns whether the response of a route has an `ETag`. */
export const showsVersion = ({ record }: Pick<Route, 'record'>): boolean =>
  record === 'shown' || record === 'changed';

/**
 * A response with a record: its version as a strong `ETag` and, if it was created, its URL as
 * `Location`.
 */
export function recordReply(
  body: unknown,
  { version }: { readonly version: number },
  location?: string,
): Reply {
  return new Reply(body, {
    ETag: `"${version}"`,
    ...(location !== undefined && { Location: location }),
  });
}
