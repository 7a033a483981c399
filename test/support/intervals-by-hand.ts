/**
 * From now on what is done at intervals is done when `jest.advanceTimersByTime` says so, until `jest.useRealTimers`. Everything else that has
 * to do with time is as it is: stores and sockets need it.
 */
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
