import { LRUCache } from 'lru-cache';
import type { AddressPolicy } from './address-policy';
import type { UserInfo } from './digest';
import { isAddress } from './ip-address';
import { OutboundError } from './outbound-error';
import { refused } from './pinned-lookup';

/** Where a call goes. */
export class Target {
  /** @param path with the query */
  constructor(
    readonly origin: string,
    readonly path: string,
    private readonly text: string,
  ) {}

  static of(url: URL): Target {
    return new Target(url.origin, url.pathname + url.search, url.href);
  }

  /** The whole of it: redirects and failures ask for it, and few others. */
  get url(): URL {
    return new URL(this.text);
  }
}

/**
 * Scheme and host, and a path of which a parser would change no letter: no segment of it begins with a dot, and there is no percent sign, which might
 * stand for one.
 */
const SPELLED_OUT =
  /^(https?:\/\/[\w.:-]+)(\/(?:[\w~!$&()*+,;=:@/-]|(?<!\/)\.)*(?:\?[\w~!$&()*+,;=:@/%.?-]+)?)$/;
/** A run calls a few places over and over. */
const MOST_PLACES = 100;

/**
 * Reads URLs of calls as `readTarget` does. Of those that are spelled out each place is read, and the policy asked about it, once: to do both for each call takes a
 * tenth of what the engine takes for a step.
 */
export function createTargets(policy: AddressPolicy): (text: string) => Target {
  const origins = new LRUCache<string, string>({ max: MOST_PLACES });
  return (text) => {
    const [, place, path] = SPELLED_OUT.exec(text) ?? [];
    const known = place && origins.get(place);
    if (known !== undefined) return new Target(known, path, text);
    const target = Target.of(readTarget(text, policy));
    if (place !== undefined) origins.set(place, target.origin);
    return target;
  };
}

/**
 * Reads the URL of a call and asks the policy about its host. An address literal is checked here, since no lookup happens for it;
 * a name's addresses are checked by the lookup.
 * @throws OutboundError OUTBOUND_BAD_URL, OUTBOUND_ADDRESS_REFUSED
 */
export function readTarget(text: string, policy: AddressPolicy, base?: string): URL {
  const url = parseUrl(text, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new OutboundError(
      'OUTBOUND_BAD_URL',
      `Only http and https are called, not ${url.protocol.slice(0, 20)}`,
    );
  }
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isAddress(host) ? policy.refusesAddress(host, host) : policy.refusesHost(host))
    throw refused(host);
  return url;
}

function parseUrl(text: string, base: string | undefined): URL {
  try {
    return new URL(text, base);
  } catch (error) {
    throw new OutboundError(
      'OUTBOUND_BAD_URL',
      'The URL of the call is not a valid absolute URL.',
      { cause: error },
    );
  }
}

/** `user:password@` of a URL; null when there is none. */
export function userInfoOf(url: URL): UserInfo | null {
  if (url.username === '' && url.password === '') return null;
  return { user: decoded(url.username), password: decoded(url.password) };
}

export const basicCredentials = ({ user, password }: UserInfo): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
