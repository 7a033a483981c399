import { RunWorker } from '../../../src/features/runs/execution/run-worker';
import type { RunWorkerDependencies } from '../../../src/features/runs/execution/run-worker';
import { RunQueue } from '../../../src/features/runs/queue/run-queue';

afterEach(() => jest.useRealTimers());

/** A queue that admits nothing, at a store that needs this many ms to end a test. */
function workerOf(endMs: number): {
  readonly queue: RunQueue;
  readonly worker: RunWorker;
  readonly ended: number[];
} {
  const ended: number[] = [];
  const queue = new RunQueue({
    engine: { startState: () => '', waitingRuns: () => 0 },
    isWorker: true,
    isShared: false,
    limits: { concurrentRuns: 0, concurrentOfWorkflow: 1 },
  });
  const dependencies = {
    core: { store: { transaction: (work: (tx: object) => Promise<unknown>) => work({}) } },
    queue,
    endings: {
      endWithin: async ({ _id }: { _id: number }) => {
        jest.advanceTimersByTime(endMs);
        ended.push(_id);
      },
    },
  };
  const worker = new RunWorker(dependencies as unknown as RunWorkerDependencies);
  worker.start();
  return { queue, worker, ended };
}

it.each([
  [1, 1_000],
  [20, 100],
])(
  'a shutdown ends queued tests that take %d ms each within two seconds: %d of a thousand',
  async (endMs, count) => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'queueMicrotask'] });
    const { queue, worker, ended } = workerOf(endMs);
    for (let _id = 0; _id < 1_000; _id += 1)
      queue.add({ _id, workflowId: _id, startedBy: null, test: true, trigger: 'TEST' });
    queue.add({ _id: 1_000, workflowId: 1, startedBy: null, test: false, trigger: 'MANUAL' });
    await worker.stop();
    expect(ended).toEqual(Array.from({ length: count }, (_, nth) => nth));
  },
);
