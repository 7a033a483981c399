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
