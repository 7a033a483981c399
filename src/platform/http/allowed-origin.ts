import type { IncomingHttpHeaders } from 'node:http';

/** May a page of this origin call us? `own` is the address we were reached under. */
export function isAllowedOrigin(origins: readonly string[], origin: string, own: string): boolean {
  return origins.includes('*') || origins.includes(origin) || origin === own;
}

/** A user's own doing: he typed the address, or a page of the very address he reached us under sent it. */
const OWN_PAGE: ReadonlySet<string> = new Set(['same-origin', 'none']);

/**
 * Did a page send this that may not call us? What is no browser says neither header. `Sec-Fetch-Site` counts before `Origin`, for it is
 * right also behind a proxy that does not tell us under which address we were reached.
 */
export function isForeignPage(origins: readonly string[], headers: IncomingHttpHeaders, own: string): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin !== undefined && isAllowedOrigin(origins, origin, own)) return false;
  return typeof site === 'string' ? !OWN_PAGE.has(site) : origin !== undefined;
}
