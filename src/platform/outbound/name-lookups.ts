import type { LookupFunction } from 'node:net';

/** When a host name was last being resolved. */
interface Period {
  startedAt: number;
  /** Null while a lookup is in progress. */
  endedAt: number | null;
  pending: number;
}

const MAX_NAMES = 1_000;

/** Measures the lookups of host names, which the timeout of a call does not include. */
export class NameLookups {
  private readonly periods = new Map<string, Period>();
  /** End of the latest lookup; Infinity while there is one. */
  private lastAt = 0;
  private pending = 0;

  /** Returns the same lookup, measured. */
  measured(lookup: LookupFunction): LookupFunction {
    return (hostname, options, callback) => {
      const period = this.begin(hostname);
      lookup(hostname, options, (...result) => {
        this.end(period);
        callback(...result);
      });
    };
  }

  /** Returns whether no name was being resolved since this time: nothing has to be measured. */
  isIdleSince(from: number): boolean {
    return this.pending === 0 && this.lastAt <= from;
  }

  /** Returns for how long the name was being resolved since this time, ms. */
  durationSince(hostname: string, from: number): number {
    const period = this.periods.get(hostname);
    if (period === undefined) return 0;
    return Math.max((period.endedAt ?? performance.now()) - Math.max(period.startedAt, from), 0);
  }

  private begin(hostname: string): Period {
    this.pending += 1;
    const known = this.periods.get(hostname);
    if (known !== undefined && known.pending > 0) {
      known.pending += 1;
      return known;
    }
    if (this.periods.size >= MAX_NAMES) this.periods.clear();
    const period: Period = { startedAt: performance.now(), endedAt: null, pending: 1 };
    this.periods.set(hostname, period);
    return period;
  }

  private end(period: Period): void {
    this.pending -= 1;
    period.pending -= 1;
    this.lastAt = performance.now();
    if (period.pending === 0) period.endedAt = this.lastAt;
  }
}
