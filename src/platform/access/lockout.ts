import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock/clock';
import { RateLimited } from '../errors/errors';

/** Numbers of `config.limits`; times in ms. */
interface LockoutLimits {
  /** Failures of one account from one network before it is locked. */
  readonly loginFailures: number;
  readonly loginLockMs: number;
  readonly loginLockMaxMs: number;
  /** Failures from one network, over all accounts, within `loginAddressWindowMs`. */
  readonly loginAddressFailures: number;
  readonly loginAddressWindowMs: number;
}

/** Failures of one account from one network. */
interface Failures {
  readonly count: number;
  readonly last: number;
  readonly lockedUntil: number;
}

/**
 * Maximum number of remembered accounts, and of networks: bounds the memory if a client invents
 * them.
 */
const REMEMBERED = 10_000;

/**
 * Characters of an account name that count. No e-mail address is longer, and a longer name costs no
 * more than others.
 */
export const LONGEST_ACCOUNT = 320;

/**
 * Counts failed logins and delays the next attempt: per account and network, and per network (see
 * `clientNetwork`). An account stays open to other networks, so that users cannot lock out each
 * other. Unknown accounts count the same, since a lock would reveal which accounts exist.
 */
export interface Lockout {
  isOpen(account: string, network: string): boolean;
  /** @throws RateLimited still locked */
  requireOpen(account: string, network: string): void;
  failed(account: string, network: string): void;
  /** As `failed`, without a failure of the network: for users who can fail only for their account. */
  failedOwn(account: string, network: string): void;
  /**
   * Clears the account's failures from this network. Those of the network itself stay: an attacker
   * with an account of their own could clear them.
   */
  succeeded(account: string, network: string): void;
  /** Clears the account's failures from all networks, after a change of its password. */
  forgive(account: string): void;
}

const keyOf = (account: string, network: string): string =>
  `${network} ${account.slice(0, LONGEST_ACCOUNT)}`;

/** @param of what fails, for the message: `logins` */
export function createLockout(clock: Clock, limits: LockoutLimits, of = 'logins'): Lockout {
  const accounts = new LRUCache<string, Failures>({ max: REMEMBERED });
  /** Times of the latest failures, the oldest first; at most `loginAddressFailures`. */
  const networks = new LRUCache<string, readonly number[]>({ max: REMEMBERED });

  const lockMs = (count: number): number => {
    const over = count - limits.loginFailures;
    return over < 0
      ? 0
      : Math.min(limits.loginLockMs * 2 ** Math.min(over, 30), limits.loginLockMaxMs);
  };
  /** Failures are forgotten after twice the longest lock without another one. */
  const failuresOf = (key: string, now: number): Failures | undefined => {
    const failures = accounts.get(key);
    return failures && now - failures.last <= 2 * limits.loginLockMaxMs ? failures : undefined;
  };
  const timesOf = (network: string, now: number): readonly number[] =>
    (networks.get(network) ?? []).filter((time) => now - time < limits.loginAddressWindowMs);

  /** Returns when the network may try again: when the oldest of its failures no longer counts. */
  const networkOpensAt = (network: string, now: number): number => {
    const times = timesOf(network, now);
    return times.length < limits.loginAddressFailures
      ? now
      : times[0] + limits.loginAddressWindowMs;
  };

  const opensAt = (account: string, network: string, now: number): number =>
    Math.max(
      failuresOf(keyOf(account, network), now)?.lockedUntil ?? 0,
      networkOpensAt(network, now),
    );

  return {
    isOpen(account, network) {
      const now = clock.now().getTime();
      return opensAt(account, network, now) <= now;
    },
    requireOpen(account, network) {
      const now = clock.now().getTime();
      const waitMs = opensAt(account, network, now) - now;
      if (waitMs <= 0) return;
      const seconds = Math.ceil(waitMs / 1000);
      throw new RateLimited(`Too many failed ${of}. Try again in ${seconds} seconds.`, seconds);
    },
    failed(account, network) {
      this.failedOwn(account, network);
      const now = clock.now().getTime();
      networks.set(network, [...timesOf(network, now), now].slice(-limits.loginAddressFailures));
    },
    failedOwn(account, network) {
      const now = clock.now().getTime();
      const key = keyOf(account, network);
      const count = (failuresOf(key, now)?.count ?? 0) + 1;
      accounts.set(key, { count, last: now, lockedUntil: now + lockMs(count) });
    },
    succeeded(account, network) {
      accounts.delete(keyOf(account, network));
    },
    forgive(account) {
      // Names of networks contain no space.
      const ofAccount = keyOf(account, '');
      for (const key of accounts.keys())
        if (key.slice(key.indexOf(' ')) === ofAccount) accounts.delete(key);
    },
  };
}
