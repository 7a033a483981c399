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
