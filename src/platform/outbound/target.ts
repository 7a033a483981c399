import type { AddressPolicy } from './address-policy';
import { isAddress } from './ip-address';
import { OutboundError } from './outbound-error';
import { refused } from './pinned-lookup';

/**
 * Reads the URL of a call and asks the policy about its host. An address literal is checked here, since no lookup happens for it;
 * a name's addresses are checked by the lookup.
 * @throws OutboundError OUTBOUND_BAD_URL, OUTBOUND_ADDRESS_REFUSED
 */
export function readTarget(text: string, policy: AddressPolicy, base?: string): URL {
  const url = parseUrl(text, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new OutboundError('OUTBOUND_BAD_URL', `Only http and https are called, not ${url.protocol.slice(0, 20)}`);
  }
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isAddress(host) ? policy.refusesAddress(host, host) : policy.refusesHost(host)) throw refused(host);
  return url;
}

function parseUrl(text: string, base: string | undefined): URL {
  try {
    return new URL(text, base);
  } catch (error) {
    throw new OutboundError('OUTBOUND_BAD_URL', 'The URL of the call is not a valid absolute URL.', { cause: error });
  }
}

/** `user:password@` of a URL as a header; null when there is none. */
export function basicCredentials(url: URL): string | null {
  if (url.username === '' && url.password === '') return null;
  return `Basic ${Buffer.from(`${decoded(url.username)}:${decoded(url.password)}`).toString('base64')}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
