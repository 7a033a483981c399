import { remoteSystem } from '../support/remote-system';
import type { RemoteSystem } from '../support/remote-system';
import { servicesAtOneStore } from '../support/services-at-one-store';
import type { ServiceProcess, ServicesAtOneStore } from '../support/services-at-one-store';
import { method, workflow } from '../support/workflows';

/* Two processes of the service at a database that is a process of its own; one is killed while its runs fail, in the middle of them. */

const RUNS = 60;
/** Requests that were made when the process is killed. */
const CALLS = 12;

let services: ServicesAtOneStore;
let remote: RemoteSystem;
beforeAll(async () => {
  // What a run is started with is sealed by the one, and may be opened by the other.
  services = await servicesAtOneStore({ HYPHA_CONNECTOR_MASTER_PASSWORD: 'one for both' });
  remote = await remoteSystem(({ path }) => ({ status: path === '/fail' ? 500 : 200 }));
});
afterEach(() => services.stopAll());
afterAll(async () => {
  await remote.close();
  await services.close();
});

const saved = async ({ api }: ServiceProcess, path: string): Promise<number> => (await api('POST', '/api/connection', workflow([method('0', `${remote.url}${path}`)]))).connectionId;
const RUNS_OF = 'query($id: ID!) { runs(first: 100, filter: { workflow: { eq: $id } }) { nodes { databaseId state errorOf { databaseId } errorRun { databaseId } } } }';
const runsOf = async ({ data }: ServiceProcess, id: number): Promise<any[]> => (await data(RUNS_OF, { id })).runs.nodes;

it('starts one error workflow for each run that failed, when its process is killed in the middle', async () => {
  const [left, right] = [await services.start('left'), await services.start('right')];
  const [failing, told] = [await saved(left, '/fail'), await saved(left, '/told')];
  await left.data('mutation($of: ID!, $named: ID) { errorWorkflowSet(input: { workflowId: $of, errorWorkflowId: $named }) { userErrors { code } } }', { of: failing, named: told });
  await Promise.all(Array.from({ length: RUNS }, () => left.data('mutation($id: ID!) { workflowRun(input: { workflowId: $id }) { run { databaseId } } }', { id: failing })));
  for (let nth = 0; nth < CALLS; nth += 1) await remote.next();
  left.running.child.kill('SIGKILL');
  await left.running.exit;
  const isOver = ({ state }: { state: string }): boolean => state !== 'QUEUED' && state !== 'RUNNING';
  for (;;) {
    const all = [...await runsOf(right, failing), ...await runsOf(right, told)];
    if (all.every(isOver)) break;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  const [failed, started] = [await runsOf(right, failing), await runsOf(right, told)];
  expect(failed).toHaveLength(RUNS);
  // What the killed process was telling is left as it is; everything else is told.
  expect(started.filter(({ state }) => !['SUCCEEDED', 'INTERRUPTED'].includes(state))).toEqual([]);
  expect(started.some(({ state }) => state === 'SUCCEEDED')).toBe(true);
  expect(started.map(({ errorOf }) => errorOf.databaseId).sort((a, b) => a - b)).toEqual(failed.map(({ databaseId }) => databaseId).sort((a, b) => a - b));
  expect(failed.map(({ errorRun }) => errorRun.databaseId).sort((a, b) => a - b)).toEqual(started.map(({ databaseId }) => databaseId).sort((a, b) => a - b));
});
