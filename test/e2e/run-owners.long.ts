import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADMIN_EMAIL, ADMIN_PASSWORD, answerTo } from '../support/harness';
import { MAIN, readyUrl, startProcess } from '../support/process';
import type { Running } from '../support/process';
import { remoteSystem } from '../support/remote-system';
import type { RemoteAnswer, RemoteSystem } from '../support/remote-system';
import { buildStore } from '../support/store-build';
import type { StoreBuild } from '../support/store-build';
import { StoreProcess } from '../support/store-process';
import { method, workflow } from '../support/workflows';

/* Two processes of the service at a database that is a process of its own; each may be halted or killed, with the leases they have in the field. */

jest.setTimeout(200_000);

const LONGEST_MS = 60_000;

interface Service {
  readonly running: Running;
  readonly data: (query: string, variables?: object) => Promise<any>;
  readonly api: (verb: string, path: string, body?: unknown) => Promise<any>;
}

let build: StoreBuild;
let dir: string;
let store: StoreProcess;
let uri: string;
let remote: RemoteSystem;
let hung: ((given: RemoteAnswer) => void)[];
const services = new Map<string, Service>();

async function start(name: string): Promise<Service> {
  const running = startProcess({ PORT: '0', DATA_DIR: join(dir, name), MONGODB_URI: uri, ADMIN_EMAIL, ADMIN_PASSWORD, HYPHA_RUN_CONCURRENT: '1' });
  const url = await readyUrl(running);
  const token = (await answerTo(url, 'POST', '/login', null, { body: { email: ADMIN_EMAIL, password: ADMIN_PASSWORD } })).headers.get('authorization');
  const api: Service['api'] = async (verb, path, body) => (await answerTo(url, verb, path, token, { body })).body;
  const service: Service = { running, api, data: async (query, variables) => (await api('POST', '/graphql', { query, variables })).data };
  services.set(name, service);
  return service;
}

async function stopped(name: string): Promise<void> {
  const { running } = services.get(name) ?? {};
  services.delete(name);
  running?.child.kill('SIGTERM');
  await running?.exit;
}

beforeAll(async () => {
  if (!existsSync(MAIN)) throw new Error('dist/ is not built: run `npm run build`.');
  build = buildStore();
  dir = mkdtempSync(join(tmpdir(), 'hypha-owners-'));
  store = new StoreProcess(build, join(dir, 'store'), 'inline', 'hold');
  const isUri = (line: string): boolean => line.startsWith('uri ');
  await store.until((lines) => lines.some(isUri));
  uri = store.lines.find(isUri)?.slice('uri '.length) ?? '';
  remote = await remoteSystem(({ path }) => (path === '/hang' ? new Promise((resolve) => hung.push(resolve)) : {}));
});
beforeEach(() => {
  hung = [];
  remote.forget();
});
afterEach(async () => {
  for (const name of [...services.keys()]) await stopped(name);
});
afterAll(async () => {
  await remote.close();
  await store.kill();
  build.remove();
  rmSync(dir, { recursive: true, force: true });
});

async function begun({ api, data }: Service, path: string): Promise<number> {
  const { connectionId } = await api('POST', '/api/connection', workflow([method('0', `${remote.url}${path}`), method('1', `${remote.url}/after`)]));
  const { workflowRun } = await data('mutation($id: ID!) { workflowRun(input: { workflowId: $id }) { run { databaseId } } }', { id: connectionId });
  return workflowRun.run.databaseId as number;
}

interface Seen {
  readonly state: string;
  readonly lastSequence: number | null;
  readonly events: readonly { readonly __typename: string; readonly sequence: number }[];
}

const seen = async ({ data }: Service, id: number): Promise<Seen> => (await data('query($id: ID!) { run(id: $id) { state lastSequence events(first: 100) { __typename sequence } } }', { id })).run;

/** The run once it has ended, and how long that took, ms. */
async function ended(service: Service, id: number): Promise<Seen & { readonly ms: number }> {
  const from = performance.now();
  for (;;) {
    const run = await seen(service, id);
    if (run.lastSequence !== null) return { ...run, ms: performance.now() - from };
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

const INTERRUPTED = { state: 'INTERRUPTED', lastSequence: 3, events: ['RunStarted', 'StepStarted', 'RunFinished'].map((__typename, nth) => ({ __typename, sequence: nth + 1 })) };

/** On the left, one that hangs. */
async function hanging(): Promise<number> {
  const id = await begun(services.get('left') as Service, '/hang');
  await remote.next();
  return id;
}

it('the runs of a process that is halted are ended by the other one within a minute, and when it goes on it writes nothing more for them', async () => {
  const [left, right] = [await start('left'), await start('right')];
  const id = await hanging();
  left.running.child.kill('SIGSTOP');
  const run = await ended(right, id);
  expect(run).toMatchObject(INTERRUPTED);
  expect(run.ms).toBeLessThan(LONGEST_MS);
  hung[0]?.({});
  left.running.child.kill('SIGCONT');
  await left.running.says(/another process took this one for dead/);
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
  expect(Math.max(interrupted.ms, taken.ms)).toBeLessThan(LONGEST_MS);
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

it('a run is cancelled by the process that does not execute it, within a few seconds', async () => {
  const [, right] = [await start('left'), await start('right')];
  const id = await hanging();
  const { runCancel } = await right.data('mutation($id: ID!) { runCancel(input: { id: $id }) { run { state } userErrors { code } } }', { id });
  expect(runCancel).toEqual({ run: { state: 'CANCELLED' }, userErrors: [] });
});

it('a run whose cancel was asked of the other process is cancelled within a minute, also when its own is halted first and killed then', async () => {
  const [left, right] = [await start('left'), await start('right')];
  const id = await hanging();
  left.running.child.kill('SIGSTOP');
  const from = performance.now();
  const { runCancel } = await right.data('mutation($id: ID!) { runCancel(input: { id: $id }) { run { state } userErrors { code } } }', { id });
  expect(runCancel).toEqual({ run: { state: 'RUNNING' }, userErrors: [] });
  left.running.child.kill('SIGKILL');
  await left.running.exit;
  expect(await ended(right, id)).toMatchObject({ ...INTERRUPTED, state: 'CANCELLED' });
  expect(performance.now() - from).toBeLessThan(LONGEST_MS);
});
