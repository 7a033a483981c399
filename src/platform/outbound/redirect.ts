import { isHarmlessHeader } from '../secrets';
import type { AddressPolicy } from './address-policy';
import { readTarget } from './target';

/** One call of a chain of redirects. */
export interface Hop {
  readonly url: URL;
  readonly method: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | undefined;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const BODY_HEADERS = /^content-/;

export function isRedirect(status: number, location: string | undefined): location is string {
  return REDIRECTS.has(status) && location !== undefined && location !== '';
}

/**
 * The call a redirect asks for. 303 always becomes a GET, 301 and 302 do so for POST, 307 and 308 repeat the call as it was (as browsers do);
 * a call to another origin carries only headers that are harmless.
 * @throws OutboundError OUTBOUND_BAD_URL, OUTBOUND_ADDRESS_REFUSED: each hop is checked like the first
 */
export function nextHop(hop: Hop, status: number, location: string, policy: AddressPolicy): Hop {
  const url = readTarget(location, policy, hop.url.href);
  // Credentials in a location come from the remote system, not from the workflow.
  url.username = '';
  url.password = '';
  const toGet = (status === 303 && hop.method !== 'HEAD') || (status <= 302 && hop.method === 'POST');
  const sameOrigin = url.origin === hop.url.origin;
  const headers = Object.entries(hop.headers).filter(([name]) =>
    !(toGet && BODY_HEADERS.test(name)) && (sameOrigin || isHarmlessHeader(name)));
  return { url, method: toGet ? 'GET' : hop.method, headers: Object.fromEntries(headers), body: toGet ? undefined : hop.body };
}
