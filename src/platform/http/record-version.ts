import type { IncomingHttpHeaders } from 'node:http';
import { BadInput } from '../errors/errors';
import type { ExpectedVersion } from '../store/expected-version';
import { Reply } from './route';
import type { Route } from './route';

/** The status of CONFLICT where `If-Match` named the version (RFC 9110, 15.5.13). */
export const STALE_STATUS = 412;

/** An entity tag and what is after it, from where the one before it ended (RFC 9110, 8.8.3). Empty members of the list count for nothing. */
const MEMBER = /[\t ,]*(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[\t ]*(?:,[\t ,]*|$)/y;

/** Our version, also when a proxy that compresses said so in it: `7-gzip`. */
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
 * The versions that `If-Match` names. The number is what counts: what changes the tag on its way (`W/"7"`, `"7-gzip"`) changes nothing of the
 * record. A tag that is none of ours names no version. Undefined for no header, and for `*`: whichever is there.
 * @throws BadInput it is malformed
 */
export function versionsOfIfMatch(headers: IncomingHttpHeaders): ExpectedVersion {
  const value = headers['if-match']?.trim();
  if (value === undefined || value === '*') return undefined;
  return entityTags(value)
    .flatMap((tag) => VERSION.exec(tag)?.[1] ?? [])
    .map(Number);
}

/** Does `If-Match` count for a route? */
export const takesIfMatch = ({ record }: Pick<Route, 'record'>): boolean =>
  record === 'changed' || record === 'deleted';

/** Does what a route answers carry a version? */
export const showsVersion = ({ record }: Pick<Route, 'record'>): boolean =>
  record === 'shown' || record === 'changed';

/** The answer with a record: its version as a strong `ETag` and, where it was created, its address as `Location`. */
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
