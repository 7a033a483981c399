import { hostInUrl } from '../platform/text/host';
import { hostname, networkInterfaces } from 'node:os';
import type { Config } from './config';
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
  'documented',
  'forgot-password',
  'graphql',
  'healthz',
  'login',
  'logout',
  'metrics',
  'openapi.json',
  'readyz',
  'released',
  'schema.graphql',
  'set-password',
  'swagger-ui',
  'swagger-ui.html',
  'totp-validate',
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

const LOOPBACK = ['localhost', '127.0.0.1', '::1', '::ffff:127.0.0.1'];
const WILDCARDS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** Returns the URL under which users reach the service, without a slash at the end. */
export function baseUrlOf(
  { host, publicUrl }: Pick<Config['server'], 'host' | 'publicUrl'>,
  port: number,
): string {
  if (publicUrl !== null) return publicUrl.replace(/\/$/, '');
  const name = WILDCARDS.has(host) ? hostname() : host;
  return `http://${hostInUrl(name)}:${port}`;
}

/** Returns the base URLs of this service: its public URL, and the local addresses it listens on. */
export function ownAddresses(
  {
    host,
    publicUrl,
    additionalPort,
  }: Pick<Config['server'], 'host' | 'publicUrl' | 'additionalPort'>,
  port: number,
): string[] {
  const listened = WILDCARDS.has(host)
    ? [
        hostname(),
        ...Object.values(networkInterfaces()).flatMap((each) =>
          (each ?? []).map(({ address }) => address),
        ),
      ]
    : [host];
  const ports = additionalPort === null ? [port] : [port, additionalPort];
  const local = [...new Set([...LOOPBACK, ...listened])].flatMap((name) =>
    ports.map((each) => `http://${hostInUrl(name)}:${each}/`),
  );
  const all = publicUrl === null ? local : [...local, `${publicUrl.replace(/\/$/, '')}/`];
  // Normalised as calls have them: without default ports, host names in lower case.
  return all.flatMap((url) => (URL.canParse(url) ? [new URL(url).href] : []));
}
