/** Only names that are on the list count, so that `*.internal` stays possible. */
const OPTIONS = {
  allowPrivateDomains: true,
  extractHostname: false,
  validateHostname: false,
  detectIp: false,
} as const;

const WILDCARD = /^https?:\/\/\*\.([^:/]+)/;

/**
 * The public suffix under which a wildcard origin lies directly (`https://*.co.uk`, `https://*.github.io`); null for all other origins.
 * @param origin as `normalOrigin` writes it
 */
export function publicSuffixOf(origin: string): string | null {
  const host = WILDCARD.exec(origin)?.[1];
  if (host === undefined) return null;
  return isPublicSuffix(host) ? host : null;
}

function isPublicSuffix(host: string): boolean {
  // Loaded at first use: the list is large, and few secrets have wildcards.
  const { parse } = require('tldts') as typeof import('tldts');
  const { publicSuffix, isIcann, isPrivate } = parse(host, OPTIONS);
  return publicSuffix === host && (isIcann === true || isPrivate === true);
}
