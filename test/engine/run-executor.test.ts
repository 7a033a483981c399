import { RunExecutor } from '../../src/features/runs/execution/run-executor';
import type { RunRecord } from '../../src/features/runs/run.model';
import { RunLost } from '../../src/features/runs/leases/run-leases';

const CALL = {
  token: 'a-token',
  isElsewhere: false,
  search: '',
  body: null,
  contentType: undefined,
};

/** The status answers for webhook steps, and the calls made. */
async function callsOf(
  requireOwn: () => Promise<void>,
): Promise<{ readonly statuses: (number | null)[]; readonly made: unknown[] }> {
  const [statuses, made]: [(number | null)[], unknown[]] = [[], []];
  const dependencies = {
    tasks: { create: () => Promise.resolve({}) },
    events: {
      createWriter: () => ({
        append: () => Promise.resolve(),
        flush: () => Promise.resolve(),
        lastSequence: 0,
      }),
    },
    starts: { runStarted: () => Promise.resolve() },
    webhooks: { startFromRun: (...of: unknown[]) => Promise.resolve(made.push(of) + 199) },
    log: {
      error: ({ err }: { readonly err: unknown }) => {
        throw err;
      },
    },
  };
  const seat = {
    async execute(
      _task: unknown,
      { startWebhook }: { startWebhook: (call: typeof CALL) => Promise<number | null> },
    ) {
      statuses.push(await startWebhook(CALL));
      return {
        state: 'SUCCEEDED',
        error: null,
        steps: 1,
        warnings: 0,
        values: [],
        rest: [],
        fault: null,
      } as const;
    },
    release: () => undefined,
  };
  const executor = new RunExecutor(
    dependencies as unknown as ConstructorParameters<typeof RunExecutor>[0],
  );
  await executor.execute(
    { _id: 7, workflowId: 3, depth: 2 } as RunRecord,
    {
      signal: new AbortController().signal,
      stopReason: () => null,
      requireOwn,
      isHeld: () => true,
      beforeFirstSend: () => Promise.resolve(),
    },
    seat,
  );
  return { statuses, made };
}

it('the executor starts a webhook for a run of its own process, with its depth', async () => {
  expect(await callsOf(() => Promise.resolve())).toEqual({
    statuses: [200],
    made: [[CALL, { runId: 7, workflowId: 3, depth: 2 }]],
  });
});

it('the executor starts no webhook for a run that another process has ended', async () => {
  expect(await callsOf(() => Promise.reject(new RunLost('ended')))).toEqual({
    statuses: [503],
    made: [],
  });
});
