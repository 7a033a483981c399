import ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';
import { LRUCache } from 'lru-cache';
import proxyAddress from 'proxy-addr';

/** Addresses that were read last: those of proxies come with each connection. */
const known = new LRUCache<string, string>({ max: 1_000 });

/** An address in its one usual spelling; `::ffff:10.0.0.1` is the address 10.0.0.1 as a socket that listens on both families sees it. */
export function plainAddress(address: string): string {
  const read = known.get(address);
  if (read !== undefined) return read;
  if (isIP(address) === 0) return address;
  const plain = ipaddr.process(address).toString();
  known.set(address, plain);
  return plain;
}

/**
 * Is this address one of the configured proxies, whose `X-Forwarded-*` headers are believed?
 * @throws Error an entry that is neither an address, nor a CIDR, nor `loopback`, `linklocal` or `uniquelocal`
 */
export function trustedProxies(entries: readonly string[]): (address: string) => boolean {
  const isTrusted = proxyAddress.compile([...entries]);
  return (address) => isTrusted(address, 0);
}

/**
 * The client's address: the last hop that is no trusted proxy. `forwarded` is the X-Forwarded-For header, nearest hop last. A hop that
 * is no address (`unknown`, `203.0.113.9:4711`) is passed over: the library would take it for the client's.
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
