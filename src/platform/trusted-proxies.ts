import ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';
import proxyAddress from 'proxy-addr';

/**
 * Normalises an address; `::ffff:10.0.0.1` is 10.0.0.1 as a socket that listens on both families
 * sees it.
 */
export const plainAddress = (address: string): string =>
  isIP(address) === 0 ? address : ipaddr.process(address).toString();

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
