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

/** Stores and sockets need them. */
const REAL_TIMERS = [
  'nextTick',
  'setImmediate',
  'setTimeout',
  'clearTimeout',
  'queueMicrotask',
  'performance',
  'hrtime',
] as const;

/** Fakes only intervals until `jest.useRealTimers`. */
export const intervalsByHand = (): typeof jest =>
  jest.useFakeTimers({ doNotFake: [...REAL_TIMERS, 'Date'] });

/** Sets the date of this process, which goes on from there, until `jest.useRealTimers`. */
export const startDateAt = (now: Date): typeof jest =>
  jest.useFakeTimers({
    now,
    advanceTimers: true,
    doNotFake: [...REAL_TIMERS, 'setInterval', 'clearInterval'],
  });

/** Holds timers of exactly `ms` until the returned function runs them; `jest.restoreAllMocks` ends it. */
export function timersByHand(ms: number): () => void {
  const { setTimeout: schedule } = globalThis;
  let held: (() => void)[] = [];
  jest.spyOn(globalThis, 'setTimeout').mockImplementation((work: () => void, after?: number) => {
    if (after !== ms) return schedule(work, after);
    held.push(work);
    return schedule(() => undefined, 0);
  });
  return () => {
    const due = held;
    held = [];
    for (const work of due) work();
  };
}
