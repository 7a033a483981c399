import { isHarmlessHeader } from '../secrets';
import type { AddressPolicy } from './address-policy';
import type { UserInfo } from './digest';
import { OutboundError } from './outbound-error';
import { readTarget, Target } from './target';

/** One call in a chain of redirects. */
export interface Hop {
  readonly target: Target;
  readonly method: string;
  /** Names as sent; unique regardless of case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | undefined;
  /** User info of the URL, for Digest; not sent to other origins. */
  readonly userInfo: UserInfo | null;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const BODY_HEADERS = /^content-/i;

export function isRedirect(status: number, location: string | undefined): location is string {
  return REDIRECTS.has(status) && location !== undefined && location !== '';
}

/**
 * Returns the next call of a redirect. As in browsers, 303 becomes a GET, and so do 301 and 302 for
 * a POST; 307 and 308 repeat the call. To another origin, only harmless headers are sent, no body.
 * @throws OutboundError OUTBOUND_BAD_URL, OUTBOUND_ADDRESS_REFUSED: each target is checked
 * @throws OutboundError OUTBOUND_REDIRECT_REFUSED: the body would go to another origin
 */
export function nextHop(hop: Hop, status: number, location: string, policy: AddressPolicy): Hop {
  const from = hop.target.url;
  const url = readTarget(location, policy, from.href);
  // Ignore user info in a location: it comes from the remote system, not from the workflow.
  url.username = '';
  url.password = '';
  const toGet =
    (status === 303 && hop.method !== 'HEAD') || (status <= 302 && hop.method === 'POST');
  const body = toGet ? undefined : hop.body;
  const staysAtOrigin = isSameOrigin(from, url);
  if (!staysAtOrigin && body !== undefined && body.length > 0) {
    throw new OutboundError(
      'OUTBOUND_REDIRECT_REFUSED',
      `${from.host} redirects a request with a body to another origin, ${url.host}.`,
    );
  }
  const headers = Object.entries(hop.headers).filter(
    ([name]) => !(toGet && BODY_HEADERS.test(name)) && (staysAtOrigin || isHarmlessHeader(name)),
  );
  return {
    target: Target.of(url),
    method: toGet ? 'GET' : hop.method,
    headers: Object.fromEntries(headers),
    body,
    userInfo: staysAtOrigin ? hop.userInfo : null,
  };
}

/** An upgrade from http to https of the same host on default ports counts as the same origin. */
export function isSameOrigin(from: URL, to: URL): boolean {
  if (from.origin === to.origin) return true;
  return (
    from.protocol === 'http:' &&
    to.protocol === 'https:' &&
    from.hostname === to.hostname &&
    from.port === '' &&
    to.port === ''
  );
}

/** Finds a header by its lower-case name; returns its spelling and value. */
export function headerOf(
  headers: Readonly<Record<string, string>>,
  name: string,
): [name: string, value: string | undefined] {
  const spelled = Object.keys(headers).find((each) => each.toLowerCase() === name);
  return [spelled ?? name, spelled === undefined ? undefined : headers[spelled]];
}
