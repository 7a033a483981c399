import type { Clock } from '../../../src/platform/clock/clock';

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

/** Fakes only intervals until `jest.useRealTimers`: stores and sockets need the other timers. */
export const intervalsByHand = (): typeof jest =>
  jest.useFakeTimers({
    doNotFake: [
      'nextTick',
      'setImmediate',
      'setTimeout',
      'clearTimeout',
      'queueMicrotask',
      'performance',
      'Date',
      'hrtime',
    ],
  });
