/** Numbers of `config.limits`; times in ms. */
export interface LockoutLimits {
  /** Failures of one account from one network before it is locked. */
  readonly loginFailures: number;
  readonly loginLockMs: number;
  readonly loginLockMaxMs: number;
  /** Failures from one network, over all accounts, within `loginAddressWindowMs`. */
  readonly loginAddressFailures: number;
  readonly loginAddressWindowMs: number;
}

/** Failures of one account from one network, or of one network. Times in ms. */
export interface Failures {
  /** Of an account: failures since the last success. */
  readonly count: number;
  /** Of a network: times of the latest failures, the oldest first; at most `loginAddressFailures`. */
  readonly times: readonly number[];
  /** No attempt is possible before. */
  readonly lockedUntil: number;
  /** The failures no longer count after this time. */
  readonly expiresAt: number;
}

/** What an attempt counts for. Null: no failures. */
export interface Counted {
  readonly account: Failures | null;
  readonly network: Failures | null;
}

/**
 * - `failure`
 * - `account-failure`: not counted for the network; of users who can fail only for their account
 * - `success`: clears the failures of the account from this network. Those of the network itself
 *   stay: an attacker with an account of their own could clear them.
 */
export type Outcome = 'failure' | 'account-failure' | 'success';

/** Returns when account and network may try again, ms. */
export const opensAt = ({ account, network }: Counted): number =>
  Math.max(account?.lockedUntil ?? 0, network?.lockedUntil ?? 0);

/** Returns what is counted after an attempt, with the same object for what it does not change. */
export function afterAttempt(
  { account, network }: Counted,
  outcome: Outcome,
  now: number,
  limits: LockoutLimits,
): Counted {
  if (outcome === 'success') return { account: null, network };
  return {
    account: afterAccountFailure(account, now, limits),
    network: outcome === 'failure' ? afterNetworkFailure(network, now, limits) : network,
  };
}

/** Failures are forgotten after twice the longest lock without another one. */
function afterAccountFailure(
  before: Failures | null,
  now: number,
  { loginFailures, loginLockMs, loginLockMaxMs }: LockoutLimits,
): Failures {
  const count = before && now <= before.expiresAt ? before.count + 1 : 1;
  const over = count - loginFailures;
  const lockMs = Math.min(loginLockMs * 2 ** Math.min(over, 30), loginLockMaxMs);
  // Not `now`: it may be later than the clock of another process.
  const lockedUntil = over < 0 ? 0 : now + lockMs;
  return { count, times: [], lockedUntil, expiresAt: now + 2 * loginLockMaxMs };
}

/** A network is locked until the oldest of the failures that are too many no longer counts. */
function afterNetworkFailure(
  before: Failures | null,
  now: number,
  { loginAddressFailures, loginAddressWindowMs }: LockoutLimits,
): Failures {
  const recent = before?.times.filter((time) => now - time < loginAddressWindowMs) ?? [];
  const times = [...recent, now].slice(-loginAddressFailures);
  const isLocked = times.length === loginAddressFailures;
  return {
    count: 0,
    times,
    lockedUntil: isLocked ? times[0] + loginAddressWindowMs : 0,
    expiresAt: now + loginAddressWindowMs,
  };
}
