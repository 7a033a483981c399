import { remoteSystem } from '../support/remote-system';
import type { RemoteSystem } from '../support/remote-system';
import { storeConnection } from '../support/stored';
import { twoProcesses } from '../support/two-processes';
import type { TwoProcesses } from '../support/two-processes';
import { method, workflow } from '../support/workflows';

/* What another process has queued and nobody took: it gets its share of the places also while all of them are taken. */

const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000];
const LEASES = { leaseMs: 30_000, skewMs: 10_000, lookMs: HOUR_MS };
const MANY = 60;

let processes: TwoProcesses;
let remote: RemoteSystem;
beforeAll(async () => {
  remote = await remoteSystem(() => ({}));
  // Only one of them looks for what nobody took.
  processes = await twoProcesses({ env: { HYPHA_RUN_CONCURRENT: '1' }, left: { runLeases: { ...LEASES, beatMs: 20 } }, right: { runLeases: { ...LEASES, beatMs: HOUR_MS } } });
});
afterAll(async () => {
  await processes.close();
  await remote.close();
});

const savedWorkflow = async (path: string): Promise<number> =>
  (await processes.left.services.workflows.save(processes.admin, null, { document: workflow([method('0', `${remote.url}${path}`)]) })).record._id;

it('a run that was due and that nobody took begins while others wait', async () => {
  const { left: { services }, admin, clock } = processes;
  const [due, many] = await Promise.all(['/due', '/many'].map(savedWorkflow));
  const start = (workflowId: number) => services.runs.run(admin, workflowId, { logging: false });
  const ended = async (runId: number): Promise<void> => {
    for await (const { event } of await services.runs.events(admin, runId, 0, new AbortController().signal)) if (event.kind === 'RunFinished') return;
  };
  const { _id: earlier } = await start(due);
  await ended(earlier);
  remote.forget();

  const waiting = await Promise.all(Array.from({ length: MANY }, () => start(many)));
  const runs = storeConnection().collection<any>('runs');
  const record = await runs.findOne<any>({ _id: earlier });
  const left = { ...record, _id: 900_000, state: 'QUEUED', trigger: 'SCHEDULE', startedBy: null, owner: null, leaseUntil: null, startedAt: null, finishedAt: null, lastSequence: null, fence: 0, queuedAt: new Date(clock.now().getTime() - MINUTE_MS) };
  await runs.insertOne(left);
  await Promise.all([left._id, ...waiting.map(({ _id }) => _id)].map(ended));
  const paths = remote.received.map(({ path }) => path);
  expect(paths).toHaveLength(MANY + 1);
  expect(paths.slice(0, -10)).toContain('/due');
});
