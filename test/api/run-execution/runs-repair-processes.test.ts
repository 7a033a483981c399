import type { Domain } from '../../../src/domain';
import { testRemote } from '../../support/peers/remote-system';
import { storeConnection } from '../../support/store/stored';
import { testProcesses } from '../../support/service/two-processes';
import { method, workflow } from '../../support/documents/workflows';

const DAY_MS = 24 * 3_600_000;
const BY_HAND = {
  leaseMs: 1_000 * DAY_MS,
  skewMs: 0,
  beatMs: DAY_MS,
  lookMs: DAY_MS,
  queueMs: DAY_MS,
};

const processes = testProcesses({
  env: { HYPHA_RUN_RETENTION: '10' },
  left: { runLeases: BY_HAND },
  right: { runLeases: BY_HAND },
});
const remote = testRemote(() => ({ status }));
let status = 418;

const saved = async (id: number | null = null): Promise<number> =>
  (
    await processes.left.services.workflows.save(processes.admin, id, {
      document: workflow([method('0', `${remote.url}/${id ?? 'first'}`)]),
    })
  ).record._id;
async function ended(id: number, { services }: Domain = processes.left): Promise<string> {
  for await (const { event } of await services.runEvents.follow(
    processes.admin,
    id,
    0,
    new AbortController().signal,
  ))
    if (event.kind === 'RunFinished') return event.state;
  throw new Error(`Run ${id} has no end.`);
}
const failed = async (workflowId: number): Promise<number> => {
  const { _id } = await processes.left.services.runs.run(processes.admin, workflowId, {
    logging: false,
  });
  expect(await ended(_id)).toBe('FAILED');
  return _id;
};

it('two concurrent retries of the same failures run each of them once', async () => {
  const { left, right, admin } = processes;
  const workflowId = await saved();
  const runIds: number[] = [];
  for (let nth = 0; nth < 6; nth += 1) runIds.push(await failed(workflowId));
  status = 200;
  const resultOf = async ({ services }: Domain): Promise<any> => {
    const { _id } = await services.runRetries.retryAll(admin, { workflowId });
    for await (const { state, result } of await services.jobs.follow(
      admin,
      _id,
      new AbortController().signal,
    ))
      if (state === 'SUCCEEDED') return JSON.parse(result ?? '');
  };
  const results = await Promise.all([left, right, left].map(resultOf));
  const retried = await storeConnection()
    .collection<any>('runs')
    .find({ trigger: 'RETRY', workflowId })
    .toArray();
  expect(retried.map(({ retryOf }) => retryOf).sort((a, b) => a - b)).toEqual(runIds);
  expect(results.flatMap(({ runIds: started }) => started).sort((a, b) => a - b)).toEqual(
    retried.map(({ _id }) => _id).sort((a, b) => a - b),
  );
  for (const { _id } of retried) expect(await ended(_id)).toBe('SUCCEEDED');
});

it('the snapshot of a retry outlives the first run and the pruning of the version', async () => {
  const { left, admin, clock } = processes;
  status = 418;
  const workflowId = await saved();
  const first = await failed(workflowId);
  clock.forward(6 * DAY_MS);
  const { _id: second } = await left.services.runRetries.retry(admin, first);
  expect(await ended(second)).toBe('FAILED');
  await saved(workflowId);
  clock.forward(5 * DAY_MS);
  await left.services.runRetention.removeOld();
  expect([
    await left.services.runs.byId(admin, first),
    (await left.services.runs.byId(admin, second))?.retryOf,
  ]).toEqual([null, first]);
  remote.forget();
  const { _id: third, retryOf } = await left.services.runRetries.retry(admin, second);
  expect([await ended(third), retryOf, remote.received.map(({ path }) => path)]).toEqual([
    'FAILED',
    first,
    ['/first'],
  ]);
});
