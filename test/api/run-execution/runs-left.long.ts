import { testRemote } from '../../support/peers/remote-system';
import { storeConnection } from '../../support/store/stored';
import { testProcesses } from '../../support/service/two-processes';
import { method, workflow } from '../../support/documents/workflows';

/* Runs that another process queued get their share of the slots even if all are taken. */

const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000];
const LEASES = { leaseMs: 30_000, skewMs: 10_000, lookMs: HOUR_MS, queueMs: HOUR_MS };
const MANY = 40;
const MOST_OF_ONE = 500;

const processes = testProcesses({
  env: { HYPHA_RUN_CONCURRENT: '1', HYPHA_STEP_TIMEOUT: '600000' },
  left: { runLeases: { ...LEASES, beatMs: 20, queueMs: 20 } },
  right: { runLeases: { ...LEASES, beatMs: HOUR_MS } },
});
const remote = testRemote(({ path }) => (path === '/hang' ? new Promise(() => undefined) : {}));

const savedWorkflow = async (path: string): Promise<number> =>
  (
    await processes.left.services.workflows.save(processes.admin, null, {
      document: workflow([method('0', `${remote.url}${path}`)]),
    })
  ).record._id;

const start = (workflowId: number) =>
  processes.left.services.runs.run(processes.admin, workflowId, { logging: false });
async function ended(runId: number): Promise<void> {
  for await (const { event } of await processes.left.services.runEvents.follow(
    processes.admin,
    runId,
    0,
    new AbortController().signal,
  ))
    if (event.kind === 'RunFinished') return;
}

it('a scheduled run that no process claimed starts while others wait', async () => {
  const _id = 900_000;
  const [one, many] = await Promise.all(['/one', '/many'].map(savedWorkflow));
  const { _id: earlier } = await start(one);
  await ended(earlier);
  remote.forget();

  const waiting = await Promise.all(Array.from({ length: MANY }, () => start(many)));
  const runs = storeConnection().collection<any>('runs');
  const record = await runs.findOne<any>({ _id: earlier });
  await runs.insertOne({
    ...record,
    _id,
    trigger: 'SCHEDULE',
    startedBy: null,
    state: 'QUEUED',
    owner: null,
    leaseUntil: null,
    startedAt: null,
    finishedAt: null,
    lastSequence: null,
    fence: 0,
    queuedAt: new Date(processes.clock.now().getTime() - MINUTE_MS),
  });
  await Promise.all([_id, ...waiting.map((run) => run._id)].map(ended));
  const paths = remote.received.map(({ path }) => path);
  expect(paths).toHaveLength(MANY + 1);
  expect(paths.slice(0, -10)).toContain('/one');
});

it('a run that another process cancelled takes no space in the queue', async () => {
  const [hanging, other] = await Promise.all(['/hang', '/other'].map(savedWorkflow));
  const { _id: goingOn } = await start(hanging);
  await remote.next();
  const waiting = await Promise.all(Array.from({ length: MOST_OF_ONE }, () => start(other)));
  const again = (): Promise<string> =>
    start(other).then(
      () => 'queued',
      ({ code }) => code,
    );
  expect(await again()).toBe('SERVICE_UNAVAILABLE');
  await processes.right.services.runs.cancelAll(
    processes.admin,
    waiting.map(({ _id }) => _id),
  );
  let answer = await again();
  while (answer === 'SERVICE_UNAVAILABLE') {
    await new Promise((resolve) => setImmediate(resolve));
    answer = await again();
  }
  expect(answer).toBe('queued');
  await processes.left.services.runs.cancel(processes.admin, goingOn);
});
