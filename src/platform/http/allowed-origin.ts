import type { IncomingHttpHeaders } from 'node:http';

/**
 * Returns whether pages of this origin may call the API. `own` are the origins under which the
 * client reached the service or its pages.
 */
export function isAllowedOrigin(
  origins: readonly string[],
  origin: string,
  own: readonly string[],
): boolean {
  return origins.includes('*') || origins.includes(origin) || own.includes(origin);
}

/**
 * Values of `Sec-Fetch-Site` for a typed address, and for a page of the origin under which the user
 * reached the service.
 */
const OWN_PAGE: ReadonlySet<string> = new Set(['same-origin', 'none']);

/** A page of the requested host, under another scheme if a proxy ends TLS without saying so. */
const isOfHost = (origin: string, host: string): boolean =>
  [`http://${host}`, `https://${host}`].includes(origin.toLowerCase());

/**
 * Returns whether a page that may not call the API sent this. Clients that are not browsers send
 * neither header. `Sec-Fetch-Site` takes precedence over the host, since it is also right behind a
 * proxy that changes the host; browsers send it only over TLS and to localhost. As in Go's
 * `CrossOriginProtection`.
 */
export function isForeignPage(
  origins: readonly string[],
  headers: IncomingHttpHeaders,
  own: readonly string[],
): boolean {
  const { origin, host = '', 'sec-fetch-site': site } = headers;
  if (origin !== undefined && isAllowedOrigin(origins, origin, own)) return false;
  if (typeof site === 'string') return !OWN_PAGE.has(site);
  return origin !== undefined && !isOfHost(origin, host.toLowerCase());
}
