import { isIPv4, isIPv6 } from 'node:net';

/** The bytes of an address: 4 or 16. */
export type AddressBytes = readonly number[];

/** A block of addresses in CIDR notation. */
export interface AddressBlock {
  readonly bytes: AddressBytes;
  /** Leading bits that count. */
  readonly bits: number;
}

/** The bytes of an IPv4 or IPv6 address in any spelling that sockets accept; null for anything else. */
export function parseAddress(text: string): AddressBytes | null {
  const address = text.replace(/%.*$/, '');
  if (isIPv4(address)) return address.split('.').map(Number);
  return isIPv6(address) ? parseIPv6(address) : null;
}

/** "10.0.0.0/8", "fe80::/10" or a single address; null for anything else. */
export function parseBlock(text: string): AddressBlock | null {
  const [address, bits, ...rest] = text.split('/');
  const bytes = parseAddress(address);
  if (bytes === null || rest.length > 0) return null;
  const all = bytes.length * 8;
  if (bits === undefined) return { bytes, bits: all };
  return /^\d{1,3}$/.test(bits) && Number(bits) <= all ? { bytes, bits: Number(bits) } : null;
}

export function isInBlock(address: AddressBytes, block: AddressBlock): boolean {
  if (address.length !== block.bytes.length) return false;
  const whole = block.bits >> 3;
  for (let index = 0; index < whole; index += 1) {
    if (address[index] !== block.bytes[index]) return false;
  }
  const rest = block.bits & 7;
  if (rest === 0) return true;
  const mask = (0xff << (8 - rest)) & 0xff;
  return (address[whole] & mask) === (block.bytes[whole] & mask);
}

/**
 * The address and the IPv4 address it stands for, if any: mapped (::ffff:a.b.c.d), compatible (::a.b.c.d), NAT64 (64:ff9b::/96) and
 * 6to4 (2002::/16). A rule for the inner address must hold for the outer one.
 */
export function withEmbedded(address: AddressBytes): AddressBytes[] {
  if (address.length === 4) return [address];
  const startsWith = (...prefix: number[]) => prefix.every((byte, index) => address[index] === byte);
  const zeros = (from: number, to: number) => address.slice(from, to).every((byte) => byte === 0);
  const tail = address.slice(12);
  if (zeros(0, 10) && address[10] === 0xff && address[11] === 0xff) return [address, tail];
  if (zeros(0, 12) && !zeros(12, 15)) return [address, tail];
  if (startsWith(0, 0x64, 0xff, 0x9b) && zeros(4, 12)) return [address, tail];
  if (startsWith(0x20, 0x02)) return [address, address.slice(2, 6)];
  return [address];
}

function parseIPv6(text: string): AddressBytes {
  const [head, tail] = withoutDots(text).split('::');
  const before = groups(head);
  if (tail === undefined) return before.flatMap(bytesOf);
  const after = groups(tail);
  const gap = Array.from({ length: 8 - before.length - after.length }, () => 0);
  return [...before, ...gap, ...after].flatMap(bytesOf);
}

/** The dotted end of "::ffff:127.0.0.1" as two groups. */
function withoutDots(text: string): string {
  const dotted = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(text);
  if (dotted === null) return text;
  const [first, second, third, fourth] = dotted.slice(1).map(Number);
  const end = `${(first * 256 + second).toString(16)}:${(third * 256 + fourth).toString(16)}`;
  return text.slice(0, dotted.index) + end;
}

const groups = (text: string): number[] => (text === '' ? [] : text.split(':').map((group) => parseInt(group, 16)));
const bytesOf = (group: number): number[] => [group >> 8, group & 0xff];
