import { availableParallelism } from 'node:os';
import { FairQueue } from '../../../src/features/runs/queue/fair-queue';
import { RunQueue } from '../../../src/features/runs/queue/run-queue';
import type { ActiveRun } from '../../../src/features/runs/queue/active-runs';
import type { QueuedRun } from '../../../src/features/runs/queue/run-queue';

afterEach(() => jest.useRealTimers());

const queuedRun = (_id: number): QueuedRun => ({
  _id,
  workflowId: 1,
  startedBy: null,
  test: false,
  trigger: 'MANUAL',
});

describe('run admission', () => {
  /** Adds runs of one user, and returns how many have begun. */
  function begunOf(added: number, waiting: number): () => number {
    let begun = 0;
    const queue = new RunQueue({
      engine: { startState: () => '', waitingRuns: () => Math.min(begun, waiting) },
      isWorker: true,
      isShared: false,
      limits: { concurrentRuns: 1_000, concurrentOfWorkflow: 1_000 },
    });
    queue.process(() => {
      begun += 1;
      return new Promise(() => undefined);
    });
    for (let _id = 1; _id <= added; _id += 1) queue.add(queuedRun(_id));
    return () => begun;
  }
  const limit = Math.max(2, availableParallelism());

  it.each([
    ['begins one computing run for each processor', 100, 0, limit],
    ['begins others next to runs that wait for other systems', 100, 30, limit + 30],
    ['begins all runs if all of them wait', 100, Infinity, 100],
  ])('%s', (_, added, waiting, expected) => {
    jest.useFakeTimers();
    expect(begunOf(added, waiting)()).toBe(expected);
  });

  /** Adds 100 runs, and returns those that have begun. */
  function activeOf(waitingRuns: () => number): { queue: RunQueue; begun: readonly ActiveRun[] } {
    const begun: ActiveRun[] = [];
    const queue = new RunQueue({
      engine: { startState: () => '', waitingRuns },
      isWorker: true,
      isShared: false,
      limits: { concurrentRuns: 1_000, concurrentOfWorkflow: 1_000 },
    });
    queue.process(({ _id }) => {
      begun.push(queue.active.begin(_id));
      return new Promise(() => undefined);
    });
    for (let _id = 1; _id <= 100; _id += 1) queue.add(queuedRun(_id));
    return { queue, begun };
  }

  it('begins others next to runs that wait for the store, have ended, or compute for long', () => {
    jest.useFakeTimers();
    const { queue, begun } = activeOf(() => 0);
    const first = [...begun];
    for (const run of first) queue.mark(run, 'ended');
    expect(begun).toHaveLength(2 * limit);
    const [one, other, ...more] = begun.slice(limit);
    queue.mark(one, 'storing');
    expect(begun).toHaveLength(2 * limit);
    queue.mark(other, 'storing');
    expect(begun).toHaveLength(2 * limit + 1);
    for (const run of [one, other, ...more]) queue.mark(run, 'executing');
    jest.advanceTimersByTime(1_000);
    expect(begun).toHaveLength(2 * limit + 1);
    jest.advanceTimersByTime(60_000);
    expect(begun.length).toBeGreaterThanOrEqual(3 * limit);
  });

  it('counts no run as waiting and as long, which would begin more than there are processors', () => {
    jest.useFakeTimers();
    let waiting = 0;
    const { begun } = activeOf(() => waiting);
    for (const many of [2, 3]) {
      waiting += limit;
      jest.advanceTimersByTime(100);
      expect(begun).toHaveLength(many * limit);
    }
    // Those that wait are long by then; two have begun because none had for two seconds.
    jest.advanceTimersByTime(4_960);
    expect(begun).toHaveLength(3 * limit + 2);
  });

  it('begins another one when none has begun for two seconds', () => {
    jest.useFakeTimers();
    const begun = begunOf(100, 0);
    jest.advanceTimersByTime(1_960);
    expect(begun()).toBe(limit);
    jest.advanceTimersByTime(100);
    expect(begun()).toBe(limit + 1);
  });
});

it('admission checks a waiting run again by itself while its slot stays free', async () => {
  const begun: string[] = [];
  const judged: number[] = [];
  let isFull = true;
  let ended: () => void = () => undefined;
  const queue = new FairQueue<string>({
    shares: { user: () => 1, workflow: () => 1 },
    atOnce: 3,
    atOnceOfWorkflow: Infinity,
    mayBegin: (going) => {
      judged.push(going);
      return going === 0 || !isFull;
    },
    execute: (name) =>
      new Promise((resolve) => {
        begun.push(name);
        if (name === 'third') ended();
        else setImmediate(resolve);
      }),
  });
  const third = new Promise<void>((resolve) => {
    ended = resolve;
  });
  for (const name of ['first', 'second']) queue.add(name);
  expect([begun, queue.length]).toEqual([['first'], 1]);
  await queue.idle();
  expect(begun).toEqual(['first', 'second']);
  isFull = false;
  queue.add('third');
  await third;
  expect(judged).toEqual([0, 1, 0, 0]);
});

it('admission is checked once for thousands of queued runs of different workflows', async () => {
  const MANY = 2_000;
  let judged = 0;
  const begun: number[] = [];
  let isFull = true;
  let endFirst: () => void = () => undefined;
  const first = new Promise<void>((resolve) => {
    endFirst = resolve;
  });
  const queue = new FairQueue<number>({
    shares: { user: () => 1, workflow: (entry) => entry },
    atOnce: 3,
    atOnceOfWorkflow: Infinity,
    mayBegin: (going) => {
      judged += 1;
      return going === 0 || !isFull;
    },
    execute: async (entry) => {
      begun.push(entry);
      if (begun.length === 1) await first;
    },
  });
  for (let entry = 0; entry < MANY; entry += 1) queue.add(entry);
  expect([begun, judged]).toEqual([[0], 2]);
  isFull = false;
  endFirst();
  await queue.idle();
  expect(begun).toEqual(Array.from({ length: MANY }, (_, entry) => entry));
});

it('a run that was not admitted starts as soon as it is allowed next to a running one', async () => {
  let isFull = true;
  let begin: () => void = () => undefined;
  const second = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const queue = new FairQueue<string>({
    shares: { user: () => 1, workflow: () => 1 },
    atOnce: 2,
    atOnceOfWorkflow: Infinity,
    mayBegin: (going) => going === 0 || !isFull,
    execute: (name) =>
      new Promise(() => {
        if (name === 'second') begin();
      }),
  });
  queue.add('first');
  queue.add('second');
  isFull = false;
  await second;
  queue.close();
});
