import { LRUCache } from 'lru-cache';
import type { LookupFunction } from 'node:net';

/** For how long a host name has been resolved. */
interface LookupTime {
  /** Time of periods that have ended, ms; lookups of the same name at once are one period. */
  endedMs: number;
  startedAt: number;
  pending: number;
}

const MAX_NAMES = 1_000;

/** Measures the lookups of host names, which the timeout of a call does not include. */
export class NameLookups {
  private readonly times = new LRUCache<string, LookupTime>({ max: MAX_NAMES });

  /** Returns the same lookup, measured. */
  measured(lookup: LookupFunction): LookupFunction {
    return (hostname, options, callback) => {
      const time = this.begin(hostname);
      lookup(hostname, options, (...result) => {
        end(time);
        callback(...result);
      });
    };
  }

  /** Returns for how long the name has been resolved so far, ms. */
  durationOf(hostname: string): number {
    const time = this.times.get(hostname);
    return time === undefined ? 0 : time.endedMs + goingMs(time);
  }

  private begin(hostname: string): LookupTime {
    const time = this.times.get(hostname) ?? { endedMs: 0, startedAt: 0, pending: 0 };
    this.times.set(hostname, time);
    if (time.pending === 0) time.startedAt = performance.now();
    time.pending += 1;
    return time;
  }
}

function end(time: LookupTime): void {
  if (time.pending === 1) time.endedMs += goingMs(time);
  time.pending -= 1;
}

const goingMs = ({ startedAt, pending }: LookupTime): number =>
  pending === 0 ? 0 : performance.now() - startedAt;
