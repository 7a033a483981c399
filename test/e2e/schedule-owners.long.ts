import { remoteSystem } from '../support/remote-system';
import type { RemoteSystem } from '../support/remote-system';
import { servicesAtOneStore } from '../support/services-at-one-store';
import type { ServiceProcess, ServicesAtOneStore } from '../support/services-at-one-store';
import { method, workflow } from '../support/workflows';

/* Two processes of the service at a database that is a process of its own, with schedules that are due every two seconds; one is halted for longer than leases last, or killed. */

const HALTED_MS = 45_000;
const SCHEDULES = 10;

interface Fired {
  readonly databaseId: number;
  readonly state: string;
  readonly dueAt: string;
}

let services: ServicesAtOneStore;
let remote: RemoteSystem;
const start = (name: string): Promise<ServiceProcess> => services.start(name);

beforeAll(async () => {
  services = await servicesAtOneStore();
  remote = await remoteSystem(() => ({}));
});
afterEach(() => services.stopAll());
afterAll(async () => {
  await remote.close();
  await services.close();
});

/** Schedules that are due every two seconds. */
async function scheduled({ api }: ServiceProcess): Promise<number[]> {
  const { connectionId } = await api('POST', '/api/connection', workflow([method('0', `${remote.url}/`)]));
  const ids: number[] = [];
  for (let nth = 0; nth < SCHEDULES; nth += 1) {
    const title = `Every two seconds ${connectionId} ${nth}`;
    ids.push((await api('POST', '/api/scheduler', { title, connectionId, cronExp: '0/2 * * * * ?', status: true })).schedulerId);
  }
  return ids;
}

const RUNS = 'query ($id: ID!, $after: String) { runs(first: 100, after: $after, filter: { schedule: { eq: $id } }) { nodes { databaseId state dueAt } pageInfo { hasNextPage endCursor } } }';
async function runsOf({ data }: ServiceProcess, id: number): Promise<Fired[]> {
  const found: Fired[] = [];
  for (let after: string | null = null; ;) {
    const { runs }: any = await data(RUNS, { id: String(id), after });
    found.push(...runs.nodes);
    if (!runs.pageInfo.hasNextPage) return found;
    after = runs.pageInfo.endCursor;
  }
}

/** Waits until each has been fired so often; answers how often they were. */
async function firedOften(service: ServiceProcess, ids: readonly number[], often: number): Promise<void> {
  for (const id of ids) while ((await runsOf(service, id)).length < often) await new Promise((resolve) => setTimeout(resolve, 200));
}

async function expectOnce(service: ServiceProcess, ids: readonly number[]): Promise<void> {
  for (const id of ids) {
    const runs = await runsOf(service, id);
    expect(new Set(runs.map(({ dueAt }) => dueAt)).size).toBe(runs.length);
  }
}

it('fires each time once while one process is halted for longer than a lease, when it goes on, and when it is killed', async () => {
  const [left, right] = [await start('left'), await start('right')];
  const ids = await scheduled(left);
  await firedOften(right, ids, 3);
  left.running.child.kill('SIGSTOP');
  const halted = performance.now();
  const counts = await Promise.all(ids.map(async (id) => (await runsOf(right, id)).length));
  await firedOften(right, ids, Math.max(...counts) + 5);
  while (performance.now() - halted < HALTED_MS) await firedOften(right, ids.slice(0, 1), (await runsOf(right, ids[0] ?? 0)).length + 1);
  left.running.child.kill('SIGCONT');
  const [most] = (await Promise.all(ids.map(async (id) => (await runsOf(right, id)).length))).sort((a, b) => b - a);
  await firedOften(left, ids, (most ?? 0) + 3);

  left.running.child.kill('SIGKILL');
  await left.running.exit;
  const [before] = (await Promise.all(ids.map(async (id) => (await runsOf(right, id)).length))).sort((a, b) => b - a);
  await firedOften(right, ids, (before ?? 0) + 3);
  await right.api('PUT', '/api/scheduler/disableAll', { identifiers: ids });
  await expectOnce(right, ids);
  // What it was executing is interrupted within a minute, never failed.
  for (const id of ids) {
    let runs = await runsOf(right, id);
    while (runs.some(({ state }) => state === 'QUEUED' || state === 'RUNNING')) runs = await runsOf(right, id);
    expect(runs.filter(({ state }) => !['SUCCEEDED', 'INTERRUPTED'].includes(state))).toEqual([]);
  }
});
