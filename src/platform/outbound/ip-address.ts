import { isIP } from 'node:net';
import { IPv4, IPv6, parse } from 'ipaddr.js';

export type IpAddress = IPv4 | IPv6;

/** A block of addresses in CIDR notation. */
export interface AddressBlock {
  readonly address: IpAddress;
  /** Prefix length. */
  readonly bits: number;
}

/**
 * Parses an IPv4 or IPv6 address in the notations that sockets accept without a lookup; returns
 * null otherwise. `ipaddr.js` also accepts `10.1`, `010.0.0.1` and `0xa.1`, which sockets treat as
 * names.
 */
export function parseAddress(text: string): IpAddress | null {
  const address = withoutZone(text);
  return isIP(address) === 0 ? null : parse(address);
}

/** Returns whether `parseAddress` accepts the text. */
export const isAddress = (text: string): boolean => isIP(withoutZone(text)) !== 0;

const withoutZone = (text: string): string => text.split('%', 1)[0];

/** Parses "10.0.0.0/8", "fe80::/10" or a single address; returns null otherwise. */
export function parseBlock(text: string): AddressBlock | null {
  const [before, bits, ...rest] = text.split('/');
  const address = parseAddress(before);
  if (address === null || rest.length > 0) return null;
  const all = address.toByteArray().length * 8;
  if (bits === undefined) return { address, bits: all };
  return /^\d{1,3}$/.test(bits) && Number(bits) <= all ? { address, bits: Number(bits) } : null;
}

export function isInBlock(address: IpAddress, block: AddressBlock): boolean {
  if (address instanceof IPv4)
    return block.address instanceof IPv4 && address.match(block.address, block.bits);
  return block.address instanceof IPv6 && address.match(block.address, block.bits);
}

/**
 * Returns the address and the IPv4 addresses embedded in it: mapped (::ffff:a.b.c.d), translated
 * (::ffff:0:a.b.c.d), compatible (::a.b.c.d), NAT64 (64:ff9b::/96, 64:ff9b:1::/48), 6to4
 * (2002::/16). A rule for the embedded address also applies to the outer one.
 */
export function withEmbedded(address: IpAddress): IpAddress[] {
  if (address instanceof IPv4) return [address];
  return [address, ...embedded(address.toByteArray()).map((bytes) => new IPv4(bytes))];
}

function embedded(bytes: readonly number[]): number[][] {
  const startsWith = (...prefix: number[]) => prefix.every((byte, index) => bytes[index] === byte);
  const zeros = (from: number, to: number) => bytes.slice(from, to).every((byte) => byte === 0);
  const tail = bytes.slice(12);
  if (zeros(0, 10) && bytes[10] === 0xff && bytes[11] === 0xff) return [tail];
  if (zeros(0, 8) && bytes[8] === 0xff && bytes[9] === 0xff && zeros(10, 12)) return [tail];
  if (zeros(0, 12) && !zeros(12, 15)) return [tail];
  if (startsWith(0, 0x64, 0xff, 0x9b) && zeros(4, 12)) return [tail];
  // Local-use NAT64: after the whole prefix, or split around the zero byte as in RFC 6052.
  if (startsWith(0, 0x64, 0xff, 0x9b, 0, 1))
    return [tail, [bytes[6], bytes[7], bytes[9], bytes[10]]];
  if (startsWith(0x20, 0x02)) return [bytes.slice(2, 6)];
  return [];
}
