import type { IncomingHttpHeaders } from 'node:http';
import type { Response } from 'express';
import { BadInput } from '../errors/errors';
import type { AnswerHeader, Endpoint, Route } from './route';

/** The day of the first version: all that is deprecated was deprecated before it. */
const SINCE = `@${Date.UTC(2026, 10, 21) / 1_000}`;

/** Headers of the responses of deprecated operations, for OpenAPI. */
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

/** The replacement as shown to users: `GET /api/connection/check?name={name}`. */
export const printReplacement = (replacement: Endpoint): string =>
  replacement.replace(' ', ' /api');

/**
 * Returns the URL of the replacement for this request, or undefined if the request does not name
 * the record.
 */
function successorOf(
  replacement: Endpoint,
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

/**
 * Sets the headers of a deprecated operation, whatever the result of the request. May be called
 * again when more of `values` is known.
 */
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
 * Returns whether the client wants deprecated operations to act as if removed, to find out which of
 * them it still calls.
 * @throws BadInput the header has an unknown value, which must not count as "no"
 */
export function wantsDeprecatedRemoved(headers: IncomingHttpHeaders): boolean {
  const value = headers['x-remove-deprecated'];
  const isRemoved = Array.isArray(value) ? undefined : MEANINGS.get(value?.trim().toLowerCase());
  if (isRemoved === undefined)
    throw new BadInput('BAD_REQUEST', 'X-Remove-Deprecated is 1 or 0.', {
      path: ['X-Remove-Deprecated'],
    });
  return isRemoved;
}

export const withoutDeprecated = (routes: readonly Route[]): Route[] =>
  routes.filter(({ deprecated }) => deprecated === undefined);
