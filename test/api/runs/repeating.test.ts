import { createRepeating } from '../../../src/platform/repeating';
import type { Repeating } from '../../../src/platform/repeating';

const TIMES = { firstMs: 1_000, thenMs: 5_000 };

class HeldWork {
  begun = 0;
  signal: AbortSignal | undefined;
  private letGo: () => void = () => undefined;

  readonly work = (signal: AbortSignal): Promise<void> => {
    this.begun += 1;
    this.signal = signal;
    return new Promise((resolve) => {
      this.letGo = resolve;
    });
  };

  async end(): Promise<void> {
    this.letGo();
    await new Promise(setImmediate);
  }
}

let held: HeldWork;
let repeating: Repeating;
const after = (ms: number): number => {
  jest.advanceTimersByTime(ms);
  return held.begun;
};

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  held = new HeldWork();
  repeating = createRepeating(held.work, TIMES);
});
afterEach(async () => {
  await held.end();
  await repeating.stop();
  jest.useRealTimers();
});

it('a repeating task starts after its initial delay, and again after the interval since its last end', async () => {
  expect(after(60_000)).toBe(0);
  repeating.start();
  expect([after(TIMES.firstMs - 1), after(1)]).toEqual([0, 1]);
  await held.end();
  expect([after(TIMES.thenMs - 1), after(1)]).toEqual([1, 2]);
});

it('a repeating task never overlaps itself', async () => {
  repeating.start();
  expect(after(TIMES.firstMs)).toBe(1);
  expect(after(100 * TIMES.thenMs)).toBe(1);
  await held.end();
  expect([after(TIMES.thenMs - 1), after(1)]).toEqual([1, 2]);
});

it('stopping a repeating task aborts it and waits for its end', async () => {
  repeating.start();
  after(TIMES.firstMs);
  let isStopped = false;
  const stopping = repeating.stop().then(() => {
    isStopped = true;
  });
  expect(held.signal?.aborted).toBe(true);
  await new Promise(setImmediate);
  expect(isStopped).toBe(false);
  await held.end();
  await stopping;
  expect(after(100 * TIMES.thenMs)).toBe(1);
});

it('stopping a repeating task before its first start prevents the start', async () => {
  repeating.start();
  await repeating.stop();
  expect(after(100 * TIMES.thenMs)).toBe(0);
});
