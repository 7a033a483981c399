/** Where the time comes from: a port, so that tests move it. */
export interface Clock {
  now(): Date;
  /** Monotonic, ms since an arbitrary moment: what is measured by it does not depend on corrections of the system time. */
  elapsedMs(): number;
}

export const systemClock: Clock = { now: () => new Date(), elapsedMs: () => performance.now() };
