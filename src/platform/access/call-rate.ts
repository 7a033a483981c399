import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock/clock';
import { RateLimited } from '../errors/errors';

/** What is left of the calls of one caller, and when that was so. */
interface Allowance {
  readonly left: number;
  readonly at: number;
}

/** Callers remembered at once: what bounds the memory when somebody invents them. */
const REMEMBERED = 10_000;
const MINUTE_MS = 60_000;

/** Bounds how often something is called, by whom: so often at once, and then as it comes in again, little by little. */
export interface CallRate {
  /** Takes one. @throws RateLimited nothing is left */
  take(caller: string): void;
}

/**
 * A token bucket for each caller.
 * @param perMinute what it holds, and what comes in again in a minute
 * @param refused   for people: `The webhook is called too often.`
 */
export function createCallRate(clock: Clock, perMinute: number, refused: string): CallRate {
  const allowances = new LRUCache<string, Allowance>({ max: REMEMBERED });

  function leftOf(caller: string, now: number): number {
    const found = allowances.get(caller);
    // A clock that was put back brings nothing in.
    return found
      ? Math.min(perMinute, found.left + (Math.max(0, now - found.at) * perMinute) / MINUTE_MS)
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
