import type { TestService } from '../../support/service/harness';
import { testRemote } from '../../support/peers/remote-system';
import type { RemoteAnswer } from '../../support/peers/remote-system';
import { method, saved, started, workflow } from '../../support/documents/workflows';
import { servicesAtOneStore } from '../../support/service/services-at-one-store';
import type { ServicesAtOneStore } from '../../support/service/services-at-one-store';
import { runEvents } from '../../support/service/watch';
import { until } from '../../support/until';

/* One service that serves clients, two that execute runs, one that starts schedules. */

let held: ((answer: RemoteAnswer) => void)[] = [];
const remote = testRemote(({ path }) =>
  path.startsWith('/held') ? new Promise((resolve) => held.push(resolve)) : {},
);

let cluster: ServicesAtOneStore;
let api: TestService;
let worker: TestService;

beforeAll(async () => {
  cluster = await servicesAtOneStore();
  const env = { HYPHA_RUN_CONCURRENT_PER_WORKFLOW: '2' };
  api = await cluster.start({ env: { ...env, HYPHA_ROLES: 'api' } });
  worker = await cluster.start({ env: { ...env, HYPHA_ROLES: 'worker' } });
  await cluster.start({ env: { ...env, HYPHA_ROLES: 'worker' } });
  await cluster.start({ env: { ...env, HYPHA_ROLES: 'scheduler' }, scheduleTickMs: 50 });
});
afterAll(async () => {
  for (const answer of held) answer({});
  await cluster.close();
});
beforeEach(() => {
  held = [];
  remote.forget();
});

const steps = (...paths: string[]): any =>
  workflow(paths.map((path, nth) => method(String(nth), `${remote.url}${path}`)));
const stateOf = async (runId: number): Promise<string> =>
  (await api.data('query($id: ID!) { run(id: $id) { state } }', { id: runId })).run.state;
const runsOf = async (workflowId: number): Promise<{ databaseId: number; state: string }[]> =>
  (
    await api.data(
      'query($id: ID!) { workflow(id: $id) { runs(first: 50) { nodes { databaseId state } } } }',
      { id: workflowId },
    )
  ).workflow.runs.nodes;

it('a run that an api process accepts is executed by a worker, whose events it shows', async () => {
  const runId = await started(api, await saved(api, steps('/fast', '/held', '/fast')), true);
  const events = runEvents(api, runId);
  await until(() => Promise.resolve(held.length > 0));
  expect(await stateOf(runId)).toBe('RUNNING');
  held[0]({});
  const kinds = (await events).map(({ __typename }: any) => __typename);
  expect(kinds.at(0)).toBe('RunStarted');
  expect(kinds.filter((kind: string) => kind === 'StepFinished')).toHaveLength(3);
  expect(kinds.at(-1)).toBe('RunFinished');
});

it('a test and a running run are cancelled from an api process', async () => {
  const document = steps('/held', '/never');
  const runId = await started(api, await saved(api, document));
  const { testRunStart } = await api.data(
    'mutation($id: ID!) { testRunStart(input: { workflowId: $id }) { run { databaseId } userErrors { code message } } }',
    { id: await saved(api, steps('/held', '/never')) },
  );
  expect(testRunStart.userErrors).toEqual([]);
  await until(() => Promise.resolve(held.length === 2));
  for (const id of [runId, testRunStart.run.databaseId]) {
    await api.data(
      'mutation($id: ID!) { runCancel(input: { id: $id }) { userErrors { code message } } }',
      { id },
    );
    await until(async () => (await stateOf(id)) === 'CANCELLED');
  }
  expect(remote.received.some(({ path }) => path === '/never')).toBe(false);
});

it('workers execute no more runs of a workflow together than one may', async () => {
  const workflowId = await saved(api, steps('/held'));
  const ids = await Promise.all(Array.from({ length: 8 }, () => started(api, workflowId)));
  for (let answered = 0; answered < ids.length; answered += 1) {
    await until(() => Promise.resolve(held.length > answered));
    expect(held.length - answered).toBeLessThanOrEqual(2);
    held[answered]({});
  }
  await until(async () => (await runsOf(workflowId)).every(({ state }) => state === 'SUCCEEDED'));
  expect(remote.received).toHaveLength(ids.length);
});

it('a due schedule is started by the scheduler and executed by a worker', async () => {
  const workflowId = await saved(api, steps('/due'));
  const { status, text } = await api.api('POST', '/api/scheduler', {
    body: {
      connectionId: workflowId,
      title: 'each second',
      cronExp: '* * * * * ?',
      status: 1,
      debugMode: false,
    },
  });
  expect({ status, text }).toMatchObject({ status: 201 });
  await until(() => Promise.resolve(remote.received.some(({ path }) => path === '/due')));
});

it('a process without the role api answers probes only', async () => {
  const answered = async (path: string): Promise<number> =>
    (await worker.api('GET', path, { token: null })).status;
  expect(await answered('/healthz')).toBe(200);
  expect(await answered('/readyz')).toBe(200);
  expect(await answered('/api/user')).toBe(404);
  expect(await answered('/graphql')).toBe(404);
  expect(await answered('/')).toBe(404);
});
