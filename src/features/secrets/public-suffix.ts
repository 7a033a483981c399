/** Only listed suffixes count, so that `*.internal` is allowed. */
const OPTIONS = {
  allowPrivateDomains: true,
  extractHostname: false,
  validateHostname: false,
  detectIp: false,
} as const;

const WILDCARD = /^https?:\/\/\*\.([^:/]+)/;

/**
 * Returns the public suffix directly below the wildcard of an origin (`https://*.co.uk`,
 * `https://*.github.io`), or null.
 * @param origin as `normalOrigin` returns it
 */
export function publicSuffixOf(origin: string): string | null {
  const host = WILDCARD.exec(origin)?.[1];
  if (host === undefined) return null;
  return isPublicSuffix(host) ? host : null;
}

function isPublicSuffix(host: string): boolean {
  // Loaded on first use: the list is large, and few secrets have wildcards.
  const { parse } = require('tldts') as typeof import('tldts');
  const { publicSuffix, isIcann, isPrivate } = parse(host, OPTIONS);
  return publicSuffix === host && (isIcann === true || isPrivate === true);
}
