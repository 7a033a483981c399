import { createRunLine } from '../../src/features/runs/run-line';
import type { RunLineDependencies } from '../../src/features/runs/run-line';

afterEach(() => jest.useRealTimers());

/** A line in which nothing may begin, at a store that takes so long, ms, to end a test. */
function lineOf(endMs: number): {
  readonly line: ReturnType<typeof createRunLine>;
  readonly ended: number[];
} {
  const ended: number[] = [];
  const dependencies = {
    store: { transaction: (work: (tx: object) => Promise<unknown>) => work({}) },
    endings: {
      endWithin: async ({ _id }: { _id: number }) => {
        jest.advanceTimersByTime(endMs);
        ended.push(_id);
      },
    },
    concurrent: 1,
    concurrentOfWorkflow: 1,
    mayBegin: () => false,
  };
  return { line: createRunLine(dependencies as unknown as RunLineDependencies), ended };
}

it.each([
  [1, 1_000],
  [20, 100],
])(
  'a stop ends the tests that wait, each in %d ms, as far as two seconds reach: %d of a thousand',
  async (endMs, count) => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'queueMicrotask'] });
    const { line, ended } = lineOf(endMs);
    for (let _id = 0; _id < 1_000; _id += 1)
      line.add({ _id, workflowId: _id, startedBy: null, test: true, trigger: 'TEST' });
    line.add({ _id: 1_000, workflowId: 1, startedBy: null, test: false, trigger: 'MANUAL' });
    await line.close();
    expect(ended).toEqual(Array.from({ length: count }, (_, nth) => nth));
  },
);
