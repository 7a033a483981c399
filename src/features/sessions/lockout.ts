import type { Clock } from '../../platform/clock/clock';
import { RateLimited } from '../../platform/errors/errors';

/** Numbers of `config.limits`, ms. */
export interface LockoutLimits {
  readonly loginFailures: number;
  readonly loginLockMs: number;
  readonly loginLockMaxMs: number;
}

interface Failures {
  count: number;
  last: number;
  lockedUntil: number;
}

/** Keys remembered at once: what bounds the memory when somebody invents accounts. */
const REMEMBERED = 10_000;

/**
 * Counts failed logins for each account and address, and makes the next attempt wait. The account stays open to every other address,
 * so nobody locks a colleague out. Unknown accounts count the same, or a lock would tell which exist.
 */
export interface Lockout {
  /** @throws RateLimited still locked */
  requireOpen(account: string, address: string): void;
  failed(account: string, address: string): void;
  succeeded(account: string, address: string): void;
  readonly remembered: number;
}

export function createLockout(clock: Clock, limits: LockoutLimits): Lockout {
  // In the order of the last failure, so that the one forgotten first is the one that failed longest ago.
  const failures = new Map<string, Failures>();
  const keyOf = (account: string, address: string): string => `${address} ${account.slice(0, 320)}`;

  const lockMs = (count: number): number => {
    const over = count - limits.loginFailures;
    return over < 0 ? 0 : Math.min(limits.loginLockMs * 2 ** Math.min(over, 30), limits.loginLockMaxMs);
  };
  /** Failures are forgiven once the longest lock has passed without another. */
  const current = (key: string, now: number): Failures | undefined => {
    const found = failures.get(key);
    return found && now - found.last <= 2 * limits.loginLockMaxMs ? found : undefined;
  };

  return {
    get remembered() {
      return failures.size;
    },
    requireOpen(account, address) {
      const now = clock.now().getTime();
      const found = current(keyOf(account, address), now);
      if (!found || found.lockedUntil <= now) return;
      const seconds = Math.ceil((found.lockedUntil - now) / 1000);
      throw new RateLimited(`Too many failed logins. Try again in ${seconds} seconds.`, seconds);
    },
    failed(account, address) {
      const now = clock.now().getTime();
      const key = keyOf(account, address);
      const count = (current(key, now)?.count ?? 0) + 1;
      failures.delete(key);
      failures.set(key, { count, last: now, lockedUntil: now + lockMs(count) });
      if (failures.size > REMEMBERED) failures.delete(failures.keys().next().value ?? '');
    },
    succeeded(account, address) {
      failures.delete(keyOf(account, address));
    },
  };
}
