import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock/clock';
import { RateLimited } from '../errors/errors';

/** Numbers of `config.limits`; times in ms. */
export interface LockoutLimits {
  /** Failures of one account from one network before it has to wait. */
  readonly loginFailures: number;
  readonly loginLockMs: number;
  readonly loginLockMaxMs: number;
  /** Failures from one network, over all accounts, within the time that follows. */
  readonly loginAddressFailures: number;
  readonly loginAddressWindowMs: number;
}

/** Failures of one account from one network. */
interface Failures {
  readonly count: number;
  readonly last: number;
  readonly lockedUntil: number;
}

/** Accounts, and networks, remembered at once: what bounds the memory when somebody invents them. */
const REMEMBERED = 10_000;

/** More than any e-mail has: what is longer is nobody's, and costs no more than others to look for. */
export const LONGEST_ACCOUNT = 320;

/**
 * Counts failed logins, and makes the next attempt wait: of an account from a network, and of a network whatever the account. The account
 * stays open to every other network, so nobody locks a colleague out. Unknown accounts count the same, or a lock would tell which exist.
 * A network is what `clientNetwork` makes of an address.
 */
export interface Lockout {
  /** @throws RateLimited still locked */
  requireOpen(account: string, network: string): void;
  failed(account: string, network: string): void;
  /** Forgives the account's failures. Those of the network stay: with one account of his own a guesser could wipe them out. */
  succeeded(account: string, network: string): void;
  /** Forgives the account's failures from everywhere: its password is another one by now. */
  forgive(account: string): void;
}

/** @param of what fails, for people */
export function createLockout(clock: Clock, limits: LockoutLimits, of = 'logins'): Lockout {
  const accounts = new LRUCache<string, Failures>({ max: REMEMBERED });
  /** Times of the latest failures, the oldest first; never more than are counted. */
  const networks = new LRUCache<string, readonly number[]>({ max: REMEMBERED });
  const keyOf = (account: string, network: string): string =>
    `${network} ${account.slice(0, LONGEST_ACCOUNT)}`;

  const lockMs = (count: number): number => {
    const over = count - limits.loginFailures;
    return over < 0
      ? 0
      : Math.min(limits.loginLockMs * 2 ** Math.min(over, 30), limits.loginLockMaxMs);
  };
  /** Failures are forgiven once the longest lock has passed without another. */
  const failuresOf = (key: string, now: number): Failures | undefined => {
    const found = accounts.get(key);
    return found && now - found.last <= 2 * limits.loginLockMaxMs ? found : undefined;
  };
  const timesOf = (network: string, now: number): readonly number[] =>
    (networks.get(network) ?? []).filter((time) => now - time < limits.loginAddressWindowMs);

  /** When the network may try again: once the oldest of its failures no longer counts. */
  const networkOpensAt = (network: string, now: number): number => {
    const times = timesOf(network, now);
    return times.length < limits.loginAddressFailures
      ? now
      : times[0] + limits.loginAddressWindowMs;
  };

  return {
    requireOpen(account, network) {
      const now = clock.now().getTime();
      const opensAt = Math.max(
        failuresOf(keyOf(account, network), now)?.lockedUntil ?? 0,
        networkOpensAt(network, now),
      );
      if (opensAt <= now) return;
      const seconds = Math.ceil((opensAt - now) / 1000);
      throw new RateLimited(`Too many failed ${of}. Try again in ${seconds} seconds.`, seconds);
    },
    failed(account, network) {
      const now = clock.now().getTime();
      const key = keyOf(account, network);
      const count = (failuresOf(key, now)?.count ?? 0) + 1;
      accounts.set(key, { count, last: now, lockedUntil: now + lockMs(count) });
      networks.set(network, [...timesOf(network, now), now].slice(-limits.loginAddressFailures));
    },
    succeeded(account, network) {
      accounts.delete(keyOf(account, network));
    },
    forgive(account) {
      // The name of a network has no blank.
      const ofAccount = keyOf(account, '');
      for (const key of accounts.keys())
        if (key.slice(key.indexOf(' ')) === ofAccount) accounts.delete(key);
    },
  };
}
