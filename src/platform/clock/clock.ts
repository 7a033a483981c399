/** Source of time; tests replace it. */
export interface Clock {
  now(): Date;
  /** Monotonic time in ms since an arbitrary moment; unaffected by changes of the system clock. */
  elapsedMs(): number;
}

export const systemClock: Clock = { now: () => new Date(), elapsedMs: () => performance.now() };
