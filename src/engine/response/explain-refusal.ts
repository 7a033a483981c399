import type { OutboundResponse } from '../ports';

const SCHEME = /(?:^|,)\s*([A-Za-z][\w-]*)(?=\s*(?:,|$)|\s+[^\s=])/g;
/** Sign-in of Windows networks, which needs several requests on one connection. */
const WINDOWS = new Set(['ntlm', 'negotiate']);

/**
 * Returns a sentence, after a blank, if a 401 asks only for a kind of authentication that calls
 * cannot use; else the empty text.
 */
export function explainRefusal({ status, headers }: OutboundResponse): string {
  if (status !== 401) return '';
  const schemes = [headers['www-authenticate'] ?? []]
    .flat()
    .flatMap((header) => [...header.slice(0, 8_192).matchAll(SCHEME)].map(([, scheme]) => scheme));
  if (schemes.length === 0 || !schemes.every((scheme) => WINDOWS.has(scheme.toLowerCase())))
    return '';
  return ` It asks for ${[...new Set(schemes)].join(' or ')} (Windows authentication), which is not supported; let it accept Basic, Digest or a token.`;
}
