import { BlockList, isIP } from 'node:net';

/** The names express gives to common ranges. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/** `::ffff:10.0.0.1` is the address 10.0.0.1 as a socket that listens on both families sees it. */
export function plainAddress(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  return mapped?.[1] ?? address;
}

/**
 * Is this address one of the configured proxies, whose `X-Forwarded-*` headers are believed?
 * @throws Error an entry that is neither an address, nor a CIDR, nor a known name
 */
export function trustedProxies(entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const entry of entries.flatMap((name) => NAMED[name] ?? [name])) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address);
    if (family === 0) throw new Error(`"${entry}" is no address, CIDR or known name of a proxy.`);
    const type = family === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, type);
    else list.addSubnet(address, Number(bits), type);
  }
  return (address) => {
    const family = isIP(address);
    return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4');
  };
}

/**
 * The client's address: the last hop that is no trusted proxy. `forwarded` is the X-Forwarded-For header, nearest hop last.
 */
export function clientAddress(peer: string, forwarded: string | undefined, isTrusted: (address: string) => boolean): string {
  const hops = (forwarded ?? '').split(',').map((hop) => plainAddress(hop.trim())).filter((hop) => isIP(hop) !== 0);
  let address = plainAddress(peer);
  while (isTrusted(address) && hops.length > 0) address = hops.pop() ?? address;
  return address;
}
