import { isOrigin } from './forms';

/** First segments of paths the service answers itself: a prefix that began like this could not be told from them. */
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

/** `https://host[:port]`, or with a path that is not one of our own. */
export function isPublicUrl(value: string): boolean {
  const parts = partsOf(value);
  if (parts === null) return false;
  const [origin, prefix] = parts;
  return isOrigin(origin) && !OWN_FIRST_SEGMENTS.has(prefix.split('/')[1] ?? '');
}

/** The path of a public URL, `/hypha` or nothing: what stands before every path the browser sees. */
export const pathPrefixOf = (publicUrl: string | null): string =>
  publicUrl === null ? '' : (partsOf(publicUrl)?.[1] ?? '');
