import { isOrigin } from './forms';

/**
 * First path segments of the service's own routes. A prefix that begins with one would be
 * ambiguous.
 */
export const OWN_FIRST_SEGMENTS: ReadonlySet<string> = new Set([
  'actuator',
  'api',
  'assets',
  'auth',
  'config.json',
  'dashboard',
  'docs',
  'graphql',
  'healthz',
  'login',
  'logout',
  'openapi.json',
  'readyz',
  'swagger-ui',
  'swagger-ui.html',
  'v3',
  'vendor',
  'websocket',
  'ws',
]);

const PUBLIC_URL = /^(https?:\/\/[^/?#]+)((?:\/[A-Za-z][\w.~-]*)*)\/?$/;

const partsOf = (url: string): readonly [origin: string, prefix: string] | null => {
  const [, origin, prefix] = PUBLIC_URL.exec(url) ?? [];
  return origin === undefined || prefix === undefined ? null : [origin, prefix];
};

/** Accepts `https://host[:port]`, optionally with a path that does not collide with own routes. */
export function isPublicUrl(value: string): boolean {
  const parts = partsOf(value);
  if (parts === null) return false;
  const [origin, prefix] = parts;
  return isOrigin(origin) && !OWN_FIRST_SEGMENTS.has(prefix.split('/')[1] ?? '');
}

/** Returns the path of a public URL, `/hypha` or empty. It precedes every path in the browser. */
export const pathPrefixOf = (publicUrl: string | null): string =>
  publicUrl === null ? '' : (partsOf(publicUrl)?.[1] ?? '');
