import { setImmediate } from 'node:timers/promises';
import { remoteSystem } from '../support/remote-system';
import type { RemoteAnswer, RemoteSystem } from '../support/remote-system';
import { servicesAtOneStore } from '../support/services-at-one-store';
import type { ServiceProcess, ServicesAtOneStore } from '../support/services-at-one-store';
import { method, workflow } from '../support/workflows';

/* Two processes of the service at a database that is a process of its own; each may be halted or killed, with the leases they have in the field. */

jest.setTimeout(200_000);

let services: ServicesAtOneStore;
let remote: RemoteSystem;
let hung: ((given: RemoteAnswer) => void)[];
const start = (name: string): Promise<ServiceProcess> => services.start(name);

beforeAll(async () => {
  services = await servicesAtOneStore({ HYPHA_RUN_CONCURRENT: '1' });
  remote = await remoteSystem(({ path }) => (path === '/hang' ? new Promise((resolve) => hung.push(resolve)) : {}));
});
beforeEach(() => {
  hung = [];
  remote.forget();
});
afterEach(() => services.stopAll());
afterAll(async () => {
  await remote.close();
  await services.close();
});

async function begun({ api, data }: ServiceProcess, path: string): Promise<number> {
  const { connectionId } = await api('POST', '/api/connection', workflow([method('0', `${remote.url}${path}`), method('1', `${remote.url}/after`)]));
  const { workflowRun } = await data('mutation($id: ID!) { workflowRun(input: { workflowId: $id }) { run { databaseId } } }', { id: connectionId });
  return workflowRun.run.databaseId as number;
}

interface Seen {
  readonly state: string;
  readonly lastSequence: number | null;
  readonly events: readonly { readonly __typename: string; readonly sequence: number }[];
}

const seen = async ({ data }: ServiceProcess, id: number): Promise<Seen> => (await data('query($id: ID!) { run(id: $id) { state lastSequence events(first: 100) { __typename sequence } } }', { id })).run;

/** The run once it has ended. */
async function ended(service: ServiceProcess, id: number): Promise<Seen> {
  for (;;) {
    const run = await seen(service, id);
    if (run.lastSequence !== null) return run;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

const INTERRUPTED = { state: 'INTERRUPTED', lastSequence: 3, events: ['RunStarted', 'StepStarted', 'RunFinished'].map((__typename, nth) => ({ __typename, sequence: nth + 1 })) };

/** On the left, one that hangs. */
async function hanging(): Promise<number> {
  const id = await begun(services.service('left'), '/hang');
  await remote.next();
  // Its events are on their way into the store for a moment: what is killed before takes them with it.
  while ((await seen(services.service('left'), id)).events.length < 2) await setImmediate();
  return id;
}

it('the runs of a process that is halted are ended by the other one, and when it goes on it writes nothing more for them', async () => {
  const [left, right] = [await start('left'), await start('right')];
  const id = await hanging();
  left.running.child.kill('SIGSTOP');
  expect(await ended(right, id)).toMatchObject(INTERRUPTED);
  hung[0]?.({});
  left.running.child.kill('SIGCONT');
  await left.running.says(/lease of a run was not renewed in time/);
  expect(remote.received.map(({ path }) => path)).toEqual(['/hang']);
  // It serves on, and what it begins now comes to its end.
  expect(await ended(left, await begun(left, '/fast'))).toMatchObject({ state: 'SUCCEEDED' });
  expect(await seen(right, id)).toEqual(await seen(left, id));
  expect(await seen(left, id)).toMatchObject(INTERRUPTED);
});

it('the runs of a process that is killed are ended, and what waited there is executed by the other one', async () => {
  const [left, right] = [await start('left'), await start('right')];
  const id = await hanging();
  const waiting = await begun(left, '/waits');
  left.running.child.kill('SIGKILL');
  await left.running.exit;
  const [interrupted, taken] = await Promise.all([ended(right, id), ended(right, waiting)]);
  expect(interrupted).toMatchObject(INTERRUPTED);
  expect(taken).toMatchObject({ state: 'SUCCEEDED' });
  expect(remote.received.filter(({ path }) => path === '/waits')).toHaveLength(1);
});

it('a process that is started again has ended its own runs by then, and lets those of the other one be', async () => {
  const [left, right] = [await start('left'), await start('right')];
  const id = await hanging();
  const other = await begun(right, '/hang');
  await remote.next();
  left.running.child.kill('SIGKILL');
  await left.running.exit;
  const again = await start('left');
  expect(await seen(again, id)).toMatchObject(INTERRUPTED);
  expect(await seen(again, other)).toMatchObject({ state: 'RUNNING' });
  for (const answer of hung) answer({});
  expect(await ended(again, other)).toMatchObject({ state: 'SUCCEEDED' });
});

it('a run is cancelled by the process that does not execute it', async () => {
  const [, right] = [await start('left'), await start('right')];
  const id = await hanging();
  const { runCancel } = await right.data('mutation($id: ID!) { runCancel(input: { id: $id }) { run { state } userErrors { code } } }', { id });
  expect(runCancel).toEqual({ run: { state: 'CANCELLED' }, userErrors: [] });
});

it('a run whose cancel was asked of the other process is cancelled, also when its own is halted first and killed then', async () => {
  const [left, right] = [await start('left'), await start('right')];
  const id = await hanging();
  left.running.child.kill('SIGSTOP');
  const { runCancel } = await right.data('mutation($id: ID!) { runCancel(input: { id: $id }) { run { state } userErrors { code } } }', { id });
  expect(runCancel).toEqual({ run: { state: 'RUNNING' }, userErrors: [] });
  left.running.child.kill('SIGKILL');
  await left.running.exit;
  expect(await ended(right, id)).toMatchObject({ ...INTERRUPTED, state: 'CANCELLED' });
});
