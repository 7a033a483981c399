import { Alarm } from '../../src/engine/run/stop';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Fire times by alarm name. */
function opened() {
  const rung: [string, number][] = [];
  const alarm = new Alarm();
  const from = performance.now();
  return {
    alarm,
    rung,
    set: (name: string, milliseconds: number): void =>
      alarm.set(milliseconds, () => rung.push([name, performance.now() - from])),
  };
}

describe('the alarm of a run', () => {
  it.each([
    ['longer', 100],
    ['shorter', 5],
    ['as long', 60],
  ])('fires for the current wait, which may take %s than the previous one', (_, milliseconds) => {
    const { alarm, rung, set } = opened();
    set('first', 60);
    jest.advanceTimersByTime(10);
    alarm.off();
    set('second', milliseconds);
    jest.advanceTimersByTime(1_000);
    expect(rung).toEqual([['second', 10 + milliseconds]]);
  });

  it('does not fire while nothing is waited for, and fires for a wait that starts after a pause', () => {
    const { alarm, rung, set } = opened();
    set('first', 10);
    alarm.off();
    jest.advanceTimersByTime(1_000);
    set('second', 10);
    jest.advanceTimersByTime(1_000);
    expect(rung).toEqual([['second', 1_010]]);
  });

  it('uses a single timer for any number of waits and none afterwards', () => {
    const { alarm, set } = opened();
    for (let nth = 0; nth < 100; nth += 1) {
      set('step', 60_000 - nth);
      alarm.off();
    }
    expect(jest.getTimerCount()).toBe(1);
    alarm[Symbol.dispose]();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('supports waits longer than the maximum delay of a timer', () => {
    const { rung, set } = opened();
    set('long', 3_000_000_000);
    jest.advanceTimersByTime(2_999_999_999);
    expect(rung).toEqual([]);
    jest.advanceTimersByTime(2);
    expect(rung.map(([name]) => name)).toEqual(['long']);
  });
});
