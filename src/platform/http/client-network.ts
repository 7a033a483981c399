import ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';

/**
 * What counts as one client where clients are counted: an IPv4 address, also one that is mapped into IPv6, or the /64 of an IPv6 address,
 * `2001:db8:1:2::/64`: a subscriber is given that much at least (RFC 6177) and chooses the rest himself. A text that is no address stays
 * as it is.
 */
export function clientNetwork(address: string): string {
  if (isIP(address) !== 6) return address;
  const plain = ipaddr.process(address);
  return plain instanceof ipaddr.IPv6 ? `${new ipaddr.IPv6([...plain.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64` : plain.toString();
}
