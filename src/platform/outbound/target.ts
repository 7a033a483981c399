import { createCache } from '../cache';
import type { AddressPolicy } from './address-policy';
import type { UserInfo } from './digest';
import { isAddress, refused } from './address-policy';
import { OutboundError } from './outbound-error';

const HOSTNAME = /^\w+:\/\/(\[.*\]|[^:]*)/;

/** Destination of a call. */
export class Target {
  /** @param path path and query */
  constructor(
    readonly origin: string,
    readonly path: string,
    private readonly text: string,
  ) {}

  static of(url: URL): Target {
    return new Target(url.origin, url.pathname + url.search, url.href);
  }

  /** As in `url`, without parsing it. */
  get hostname(): string {
    return HOSTNAME.exec(this.origin)?.[1] ?? '';
  }

  /** Parsed on access: only redirects and errors need it. */
  get url(): URL {
    return new URL(this.text);
  }
}

/**
 * URLs that a parser would not change: no segment starts with a dot, and the path contains no
 * percent sign (which may encode one).
 */
const SPELLED_OUT =
  /^(https?:\/\/[\w.:-]+)(\/(?:[\w~!$&()*+,;=:@/-]|(?<!\/)\.)*(?:\?[\w~!$&()*+,;=:@/%.?-]+)?)$/;

/**
 * Parses URLs like `readTarget`, but caches origin and policy check for URLs in canonical form.
 * Without the cache, this would take a tenth of the engine's time for a step.
 */
export function createTargets(policy: AddressPolicy): (text: string) => Target {
  const origins = createCache<string>('origins');
  return (text) => {
    const [, place, path] = SPELLED_OUT.exec(text) ?? [];
    const cachedOrigin = place && origins.get(place);
    if (cachedOrigin !== undefined) return new Target(cachedOrigin, path, text);
    const target = Target.of(readTarget(text, policy));
    if (place !== undefined) origins.set(place, target.origin);
    return target;
  };
}

/**
 * Parses a URL and checks its host with the policy. Literal addresses are checked here, since they
 * need no lookup; the addresses of a name are checked by the lookup.
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

/** Returns the user info of a URL, or null. */
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
