import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock/clock';
import { RateLimited } from '../errors/errors';

/** Calls that one caller had left at the time `at`, ms. */
interface Allowance {
  readonly left: number;
  readonly at: number;
}

/** Maximum number of remembered callers: bounds the memory if a client invents them. */
const REMEMBERED = 10_000;
const MINUTE_MS = 60_000;

/** Limits how often each caller may call something. */
export interface CallRate {
  /** Counts a call. @throws RateLimited nothing is left */
  take(caller: string): void;
}

/**
 * A token bucket for each caller.
 * @param perMinute its capacity, and how many tokens are added per minute
 * @param refused   start of the error message: `The webhook is called too often.`
 */
export function createCallRate(clock: Clock, perMinute: number, refused: string): CallRate {
  const allowances = new LRUCache<string, Allowance>({ max: REMEMBERED });

  function leftOf(caller: string, now: number): number {
    const allowance = allowances.get(caller);
    // A clock that was set back adds no tokens.
    return allowance
      ? Math.min(
          perMinute,
          allowance.left + (Math.max(0, now - allowance.at) * perMinute) / MINUTE_MS,
        )
      : perMinute;
  }

  function requireLeft(caller: string): number {
    const left = leftOf(caller, clock.now().getTime());
    if (left >= 1) return left;
    const seconds = Math.ceil(((1 - left) * MINUTE_MS) / perMinute / 1_000);
    throw new RateLimited(`${refused} Try again in ${seconds} seconds.`, seconds, 'TOO_MANY_CALLS');
  }

  return {
    take(caller) {
      allowances.set(caller, { left: requireLeft(caller) - 1, at: clock.now().getTime() });
    },
  };
}
