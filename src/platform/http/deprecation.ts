import type { IncomingHttpHeaders } from 'node:http';
import type { Response } from 'express';
import { BadInput } from '../errors/errors';
import type { AnswerHeader, Replacement, Route } from './route';

/** What this service deprecates was deprecated before its first version: the day of that one. */
const SINCE = `@${Date.UTC(2026, 10, 21) / 1_000}`;

/** What the answers of a deprecated operation carry, as OpenAPI says it. */
export const DEPRECATION_HEADERS: Readonly<Record<'Deprecation' | 'Link', AnswerHeader>> = {
  Deprecation: {
    description: 'Since when the operation is deprecated (RFC 9745).',
    schema: { type: 'string', pattern: '^@\\d+$' },
    example: SINCE,
  },
  Link: {
    description: 'What is called instead, as `successor-version` (RFC 5829).',
    schema: { type: 'string', pattern: '^<[^>]+>; rel="successor-version"$' },
  },
};

/** The replacement as people read it: `GET /api/connection/check?name={name}`. */
export const printReplacement = (replacement: Replacement): string =>
  replacement.replace(' ', ' /api');

/** The address of the replacement for this request, or undefined where the request does not say which record it is. */
function successorOf(
  replacement: Replacement,
  values: Readonly<Record<string, unknown>>,
  baseUrl: string,
): string | undefined {
  const path = replacement.slice(replacement.indexOf(' ') + 1);
  const filled = path.replace(/\{(\w+)\}/g, (name, key: string) => {
    const value = Object.hasOwn(values, key) ? values[key] : undefined;
    return typeof value === 'string' || typeof value === 'number'
      ? encodeURIComponent(value)
      : name;
  });
  return filled.includes('{') ? undefined : `${baseUrl}/api${filled}`;
}

/** Tells whoever calls a deprecated operation, whatever comes of the call. Each call may know more of `values` than the one before. */
export function announceDeprecation(
  { deprecated }: Pick<Route, 'deprecated'>,
  response: Response,
  values: object,
  baseUrl: string,
): void {
  if (deprecated === undefined) return;
  response.locals.deprecated = true;
  response.set('Deprecation', SINCE);
  const successor = successorOf(deprecated, values as Readonly<Record<string, unknown>>, baseUrl);
  if (successor !== undefined) response.set('Link', `<${successor}>; rel="successor-version"`);
}

const MEANINGS: ReadonlyMap<string | undefined, boolean> = new Map([
  [undefined, false],
  ['0', false],
  ['false', false],
  ['1', true],
  ['true', true],
]);

/**
 * Does a request want what is deprecated to be gone? A client finds out with it what it still calls.
 * @throws BadInput it says so in words that are not ours, which must not be taken for "no"
 */
export function wantsDeprecatedGone(headers: IncomingHttpHeaders): boolean {
  const value = headers['x-remove-deprecated'];
  const gone = Array.isArray(value) ? undefined : MEANINGS.get(value?.trim().toLowerCase());
  if (gone === undefined)
    throw new BadInput('BAD_REQUEST', 'X-Remove-Deprecated is 1 or 0.', {
      path: ['X-Remove-Deprecated'],
    });
  return gone;
}

/** What is left when the deprecated operations are gone. */
export const withoutDeprecated = (routes: readonly Route[]): Route[] =>
  routes.filter(({ deprecated }) => deprecated === undefined);
