import { lookup } from 'node:dns/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { AddressPolicy } from './address-policy';
import { isAddress, isInBlock, parseAddress, parseBlock, refused } from './address-policy';
import { OutboundError } from './outbound-error';
import type { OutboundErrorCode } from './outbound-error';

export interface ProxyConfig {
  /** Proxy for `http:` URLs; null: none. */
  readonly http: string | null;
  /** Proxy for `https:` URLs, used as a tunnel; null: none. */
  readonly https: string | null;
  /** Hosts without proxy: names, `.domain`, addresses, CIDR blocks, with optional port, or `*`. */
  readonly noProxy: readonly string[];
}

export const NO_PROXIES: ProxyConfig = { http: null, https: null, noProxy: [] };

/** Returns whether the text is the URL of an HTTP proxy. */
export function isProxyUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** Returns the proxy for a URL, or null. Loopback addresses are never proxied. */
export function proxyFor(url: URL, { http, https, noProxy }: ProxyConfig): string | null {
  const proxy = url.protocol === 'https:' ? https : http;
  if (proxy === null) return null;
  const host = url.hostname
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase();
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  if (host === 'localhost' || isLoopback(host)) return null;
  return noProxy.some((rule) => isExempt(rule.trim().toLowerCase(), host, port)) ? null : proxy;
}

const LOOPBACK = ['127.0.0.0/8', '::1/128'].map(parseBlock);

function isLoopback(host: string): boolean {
  const address = parseAddress(host);
  return address !== null && LOOPBACK.some((block) => block !== null && isInBlock(address, block));
}

function isExempt(rule: string, host: string, port: string): boolean {
  if (rule === '*') return true;
  const [, named, rulePort] = /^(.*[^:]):(\d{1,5})$/.exec(rule) ?? [];
  if (named !== undefined && !isAddress(rule))
    return port === rulePort && isExempt(named, host, port);
  const block = parseBlock(rule.replace(/^\[(.*)\]$/, '$1'));
  const address = parseAddress(host);
  if (block !== null) return address !== null && isInBlock(address, block);
  const name = rule.replace(/^\*?\./, '');
  return name !== '' && (host === name || host.endsWith(`.${name}`));
}

/**
 * Checks the addresses of a host before it is called through a proxy. The proxy resolves the name
 * again, so this does not prevent DNS rebinding.
 * @throws OutboundError OUTBOUND_ADDRESS_REFUSED the policy denies one of the addresses;
 * OUTBOUND_TIMEOUT
 */
export async function checkAddresses(
  host: string,
  policy: AddressPolicy,
  timeoutMs: number,
  resolve: typeof lookup = lookup,
): Promise<void> {
  const name = host.replace(/^\[(.*)\]$/, '$1');
  if (isAddress(name)) return;
  const unresolved = (code: OutboundErrorCode, outcome: string, cause?: unknown): OutboundError =>
    new OutboundError(
      code,
      `The name ${name} ${outcome}, which is needed to check it before the proxy is asked.`,
      { cause },
    );
  const stopped = new AbortController();
  const addresses = await Promise.race([
    resolve(name, { all: true }).catch((error: unknown) => {
      throw unresolved('OUTBOUND_CONNECTION_FAILED', 'could not be resolved', error);
    }),
    wait(timeoutMs, undefined, { signal: stopped.signal }).then(() => {
      throw unresolved('OUTBOUND_TIMEOUT', `was not resolved within ${timeoutMs} ms`);
    }),
  ]).finally(() => stopped.abort());
  if (addresses.some(({ address }) => policy.refusesAddress(address, name))) throw refused(name);
}
