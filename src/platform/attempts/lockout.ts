import type { Core } from '../core';
import { RateLimited } from '../errors/errors';
import type { Tx } from '../store/store';
import { AttemptMemory, StoredAttempts } from './attempt-records';
import type { AttemptRecords } from './attempt-records';
import { afterAttempt, opensAt } from './failures';
import type { LockoutLimits, Outcome } from './failures';

/**
 * Characters of an account name that count. No e-mail address is longer, and a longer name costs no
 * more than others.
 */
export const LONGEST_ACCOUNT = 320;

/**
 * Counts failed attempts and delays the next one: per account and network, and per network (see
 * `clientNetwork`). An account stays open to other networks, so that users cannot lock out each
 * other. Unknown accounts count the same, since a lock would reveal which accounts exist.
 *
 * Each method rejects if the store of the attempts fails: an attempt that cannot be counted must not
 * be answered.
 */
export class Lockout {
  /** @param of what fails, for the message: `logins` */
  constructor(
    private readonly clock: Core['clock'],
    private readonly limits: LockoutLimits,
    private readonly of: string,
    private readonly records: AttemptRecords,
  ) {}

  async isOpen(account: string, network: string): Promise<boolean> {
    return (await this.waitMs(account, network)) <= 0;
  }

  /** @throws RateLimited still locked */
  async requireOpen(account: string, network: string): Promise<void> {
    this.requireNoWait(await this.waitMs(account, network));
  }

  /**
   * Counts an attempt that has been checked.
   * @throws RateLimited an attempt at the same time has locked it; this one must not learn its result
   */
  async count(account: string, network: string, outcome: Outcome): Promise<void> {
    this.requireNoWait(await this.waitMs(account, network, outcome));
  }

  /** As `count`; returns whether it was counted. */
  async tryCount(account: string, network: string, outcome: Outcome): Promise<boolean> {
    return (await this.waitMs(account, network, outcome)) <= 0;
  }

  /** Clears the failures of accounts from all networks, after a change of their passwords. */
  forgive(accounts: readonly string[], tx: Tx): Promise<void> {
    return this.records.remove(accounts, tx);
  }

  /** Returns the time to wait; counts the attempt if there is none. */
  private async waitMs(account: string, network: string, outcome?: Outcome): Promise<number> {
    const now = this.clock.now().getTime();
    const attempt = { account: account.slice(0, LONGEST_ACCOUNT), network };
    const before = await (outcome === undefined
      ? this.records.read(attempt)
      : this.records.change(attempt, (counted) =>
          opensAt(counted) > now ? counted : afterAttempt(counted, outcome, now, this.limits),
        ));
    return opensAt(before) - now;
  }

  private requireNoWait(waitMs: number): void {
    if (waitMs <= 0) return;
    const seconds = Math.ceil(waitMs / 1000);
    throw new RateLimited(`Too many failed ${this.of}. Try again in ${seconds} seconds.`, seconds);
  }
}

/** Each counts separately. */
export interface Lockouts {
  /** Passwords of users, and codes of second factors. */
  readonly logins: Lockout;
  readonly masterPasswords: Lockout;
  /** Each request for a link is counted as a failure. */
  readonly passwordRequests: Lockout;
}

/**
 * Counts in memory if no other process uses the store, otherwise in the store.
 * @param secret of all processes at the store
 */
export function createLockouts(
  { clock, store }: Pick<Core, 'clock' | 'store'>,
  limits: LockoutLimits,
  secret: Buffer,
): Lockouts {
  const lockout = (of: string): Lockout =>
    new Lockout(
      clock,
      limits,
      of,
      store.isExclusive ? new AttemptMemory() : new StoredAttempts(store, of, secret),
    );
  return {
    logins: lockout('logins'),
    masterPasswords: lockout('master passwords'),
    passwordRequests: lockout('requests for a password'),
  };
}
