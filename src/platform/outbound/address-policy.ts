import { LRUCache } from 'lru-cache';
import { isInBlock, parseAddress, parseBlock, withEmbedded } from './ip-address';
import type { AddressBlock } from './ip-address';

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

/** Results are cached: rules do not change, and workflows call the same hosts repeatedly. */
const MAX_VERDICTS = 1_000;

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
  const verdicts = new LRUCache<string, boolean>({ max: MAX_VERDICTS });
  return {
    refusesHost,
    refusesAddress(address, host) {
      const known = verdicts.get(`${address} ${host}`);
      if (known !== undefined) return known;
      const verdict = refuses(address, host);
      verdicts.set(`${address} ${host}`, verdict);
      return verdict;
    },
  };

  function refuses(address: string, host: string): boolean {
    if (allow.matchesAddress(address)) return false;
    if (builtIn.matchesAddress(address) || parseAddress(address) === null) return true;
    if (allow.matchesHost(host)) return false;
    return deny.matchesAddress(address) || deny.matchesHost(host) || builtIn.matchesHost(host);
  }
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
