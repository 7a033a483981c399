import type { IncomingHttpHeaders } from 'node:http';

/** May a page of this origin call us? `own` is the address we were reached under. */
export function isAllowedOrigin(origins: readonly string[], origin: string, own: string): boolean {
  return origins.includes('*') || origins.includes(origin) || origin === own;
}

/** A user's own doing: he typed the address, or a page of the very address he reached us under sent it. */
const OWN_PAGE: ReadonlySet<string> = new Set(['same-origin', 'none']);

/** A page of the host that was asked, under another scheme where a proxy ends TLS without saying so. */
const isOfHost = (origin: string, host: string): boolean =>
  [`http://${host}`, `https://${host}`].includes(origin.toLowerCase());

/**
 * Did a page send this that may not call us? What is no browser says neither header. `Sec-Fetch-Site` counts before the host, for it is
 * right also behind a proxy that changes that; browsers send it over TLS and to this machine only. As in Go's `CrossOriginProtection`.
 */
export function isForeignPage(
  origins: readonly string[],
  headers: IncomingHttpHeaders,
  own: string,
): boolean {
  const { origin, host = '', 'sec-fetch-site': site } = headers;
  if (origin !== undefined && isAllowedOrigin(origins, origin, own)) return false;
  if (typeof site === 'string') return !OWN_PAGE.has(site);
  return origin !== undefined && !isOfHost(origin, host.toLowerCase());
}
