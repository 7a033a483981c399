import type { Clock } from '../../src/platform/clock/clock';

/** A clock that only advances manually. */
export interface MovingClock extends Clock {
  forward(ms: number): void;
}

export function movingClock(start = Date.now()): MovingClock {
  let now = start;
  return {
    now: () => new Date(now),
    elapsedMs: () => now,
    forward: (ms) => {
      now += ms;
    },
  };
}
