import { isIP } from 'node:net';
import { IPv4, IPv6, parse } from 'ipaddr.js';
import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { OutboundError } from './outbound-error';

/**
 * DNS lookup for sockets: resolves once, removes denied addresses, and the socket connects to the
 * rest. There is no second lookup between check and connection, which prevents DNS rebinding.
 */
export function pinnedLookup(
  policy: AddressPolicy,
  resolve: typeof lookup = lookup,
): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) {
        callback(error, []);
        return;
      }
      const allowed = addresses.filter(({ address }) => !policy.refusesAddress(address, hostname));
      if (allowed.length === 0) callback(refused(hostname), []);
      else if (options.all === true) callback(null, allowed);
      else callback(null, allowed[0].address, allowed[0].family);
    });
  };
}

export function refused(host: string): OutboundError {
  return new OutboundError(
    'OUTBOUND_ADDRESS_REFUSED',
    `The address policy refuses calls to ${host}.`,
  );
}

type IpAddress = IPv4 | IPv6;

/** A block of addresses in CIDR notation. */
interface AddressBlock {
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
function withEmbedded(address: IpAddress): IpAddress[] {
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

/** Decides which hosts and addresses may be called. */
export interface AddressPolicy {
  /** Returns whether the host name alone is denied. */
  refusesHost(host: string): boolean;
  /** Returns whether the address, resolved from that host name, is denied. */
  refusesAddress(address: string, host: string): boolean;
}

/** Always denied: link-local and cloud metadata addresses, "this host", multicast, broadcast. */
const ALWAYS_REFUSED = [
  '0.0.0.0/8',
  '169.254.0.0/16',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.0.192/32',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/128',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
  'fd00:ec2::254/128',
  'fd00:ec2::23/128',
  'fd20:ce::254/128',
];
const ALWAYS_REFUSED_HOSTS = [
  'metadata.google.internal',
  'metadata.goog',
  'instance-data.ec2.internal',
];

/**
 * Rules are addresses, CIDR blocks, host names, `*.domain` (subdomains) or `*`. `allow` overrides
 * `deny` by name or address, and the built-in list by address only, since a name may resolve to any
 * address. Private and loopback addresses are allowed by default: integrations run inside
 * companies.
 * @throws TypeError invalid rule
 */
export function createAddressPolicy(config: {
  readonly deny: readonly string[];
  readonly allow: readonly string[];
}): AddressPolicy {
  const deny = readRules(config.deny);
  const allow = readRules(config.allow);
  const builtIn = readRules([...ALWAYS_REFUSED, ...ALWAYS_REFUSED_HOSTS]);
  const refusesHost = (host: string): boolean =>
    !allow.matchesHost(host) &&
    (builtIn.matchesHost(host) || (deny.matchesHost(host) && allow.blocks === 0));
  return {
    refusesHost,
    refusesAddress(address, host) {
      if (allow.matchesAddress(address)) return false;
      if (builtIn.matchesAddress(address) || parseAddress(address) === null) return true;
      if (allow.matchesHost(host)) return false;
      return deny.matchesAddress(address) || deny.matchesHost(host) || builtIn.matchesHost(host);
    },
  };
}

interface Rules {
  readonly blocks: number;
  matchesHost(host: string): boolean;
  matchesAddress(address: string): boolean;
}

function readRules(texts: readonly string[]): Rules {
  const blocks: AddressBlock[] = [];
  const hosts: string[] = [];
  for (const text of texts.map((rule) => rule.trim().toLowerCase()).filter((rule) => rule !== '')) {
    const block = parseBlock(text.replace(/^\[(.*)\]$/, '$1'));
    if (block !== null) blocks.push(block);
    else if (
      /^(?:\*|(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)$/.test(text) &&
      !/(?:^|\.)(?:\d+|0x[\da-f]*)$/.test(text)
    )
      hosts.push(text);
    else throw new TypeError(`"${text}" is no address, CIDR block or host name.`);
  }
  return {
    blocks: blocks.length,
    matchesHost: (host) => hosts.some((rule) => matchesName(plainHost(host), rule)),
    matchesAddress(address) {
      const parsed = parseAddress(address);
      return (
        parsed !== null &&
        withEmbedded(parsed).some((candidate) =>
          blocks.some((block) => isInBlock(candidate, block)),
        )
      );
    },
  };
}

function matchesName(host: string, rule: string): boolean {
  if (rule === '*') return true;
  return rule.startsWith('*.') ? host.endsWith(rule.slice(1)) : host === rule;
}

/** Lower case, without the trailing dot of a fully qualified name. */
const plainHost = (host: string): string => host.toLowerCase().replace(/\.$/, '');
