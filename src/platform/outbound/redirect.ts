import { isHarmlessHeader } from '../secrets';
import type { AddressPolicy } from './address-policy';
import type { UserInfo } from './digest';
import { OutboundError } from './outbound-error';
import { readTarget, Target } from './target';

/** One call of a chain of redirects. */
export interface Hop {
  readonly target: Target;
  readonly method: string;
  /** Names as they are sent; no two differ in case only. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | undefined;
  /** Of the URL, for a server that asks for Digest; it stays at its origin. */
  readonly userInfo: UserInfo | null;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const BODY_HEADERS = /^content-/i;

export function isRedirect(status: number, location: string | undefined): location is string {
  return REDIRECTS.has(status) && location !== undefined && location !== '';
}

/**
 * The call a redirect asks for. 303 always becomes a GET, 301 and 302 do so for POST, 307 and 308 repeat the call as it was (as browsers do).
 * To another origin nothing travels but headers that are harmless: no other header, no body.
 * @throws OutboundError OUTBOUND_BAD_URL, OUTBOUND_ADDRESS_REFUSED: each hop is checked like the first
 * @throws OutboundError OUTBOUND_REDIRECT_REFUSED: the body would have to go to another origin
 */
export function nextHop(hop: Hop, status: number, location: string, policy: AddressPolicy): Hop {
  const from = hop.target.url;
  const url = readTarget(location, policy, from.href);
  // Credentials in a location come from the remote system, not from the workflow.
  url.username = '';
  url.password = '';
  const toGet =
    (status === 303 && hop.method !== 'HEAD') || (status <= 302 && hop.method === 'POST');
  const body = toGet ? undefined : hop.body;
  const staysHome = isSameOrigin(from, url);
  if (!staysHome && body !== undefined && body.length > 0) {
    throw new OutboundError(
      'OUTBOUND_REDIRECT_REFUSED',
      `${from.host} redirects a request with a body to another origin, ${url.host}.`,
    );
  }
  const headers = Object.entries(hop.headers).filter(
    ([name]) => !(toGet && BODY_HEADERS.test(name)) && (staysHome || isHarmlessHeader(name)),
  );
  return {
    target: Target.of(url),
    method: toGet ? 'GET' : hop.method,
    headers: Object.fromEntries(headers),
    body,
    userInfo: staysHome ? hop.userInfo : null,
  };
}

/** The step from http to https of the same host, both on their own ports, leads home as well; the way back does not. */
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

/** A header by its name in lower case: the name as it is spelled, and its value; the given name where it is missing. */
export function headerOf(
  headers: Readonly<Record<string, string>>,
  name: string,
): [name: string, value: string | undefined] {
  const spelled = Object.keys(headers).find((each) => each.toLowerCase() === name);
  return [spelled ?? name, spelled === undefined ? undefined : headers[spelled]];
}
