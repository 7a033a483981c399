import ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';
import { LRUCache } from 'lru-cache';
import proxyAddress from 'proxy-addr';

/** Cache of parsed addresses: those of proxies come with each connection. */
const parsedAddresses = new LRUCache<string, string>({ max: 1_000 });

/**
 * Normalises an address; `::ffff:10.0.0.1` is 10.0.0.1 as a socket that listens on both families
 * sees it.
 */
export function plainAddress(address: string): string {
  const read = parsedAddresses.get(address);
  if (read !== undefined) return read;
  if (isIP(address) === 0) return address;
  const plain = ipaddr.process(address).toString();
  parsedAddresses.set(address, plain);
  return plain;
}

/**
 * Returns a function that tells whether an address is a configured proxy, whose `X-Forwarded-*`
 * headers are trusted.
 * @throws Error an entry is not an address, a CIDR, `loopback`, `linklocal` or `uniquelocal`
 */
export function trustedProxies(entries: readonly string[]): (address: string) => boolean {
  const isTrusted = proxyAddress.compile([...entries]);
  return (address) => isTrusted(address, 0);
}

/**
 * Returns the client's address: the last hop that is not a trusted proxy. `forwarded` is the
 * X-Forwarded-For header, nearest hop last. Hops that are not addresses (`unknown`,
 * `203.0.113.9:4711`) are skipped: the library would take one for the client's.
 */
export function clientAddress(
  peer: string,
  forwarded: string | undefined,
  isTrusted: (address: string) => boolean,
): string {
  const remoteAddress = plainAddress(peer);
  if (forwarded === undefined || forwarded === '' || !isTrusted(remoteAddress))
    return remoteAddress;
  const hops = forwarded
    .split(',')
    .map((hop) => hop.trim())
    .filter((hop) => isIP(hop) !== 0)
    .map(plainAddress);
  return proxyAddress(
    {
      headers: { 'x-forwarded-for': hops.join(',') },
      socket: { remoteAddress },
    } as unknown as Parameters<typeof proxyAddress>[0],
    isTrusted,
  );
}
