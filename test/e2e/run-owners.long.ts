import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { buildStore } from '../../packages/embedded-mongo/test/support/store-build';
import { StoreProcess } from '../../packages/embedded-mongo/test/support/store-process';
import { built } from '../support/service/built';
import { ADMIN_EMAIL, ADMIN_PASSWORD, PATIENT, answerTo } from '../support/service/harness';
import { MAIN, readyUrl, startProcess } from '../support/process';
import type { Running } from '../support/process';
import { remoteSystem } from '../support/peers/remote-system';
import type { RemoteAnswer, RemoteSystem } from '../support/peers/remote-system';
import { method, workflow } from '../support/documents/workflows';

/*
 * Three service processes share a database with production leases. One is killed and restarted; then it is killed
 * for good while another one is halted, so that their leases expire together. The third one takes over.
 */

/** A compiled service process with a signed-in administrator. */
interface ServiceProcess {
  readonly running: Running;
  readonly data: (query: string, variables?: object) => Promise<any>;
  readonly api: (verb: string, path: string, body?: unknown) => Promise<any>;
}

/** Service processes that share a database process and can be halted or killed. */
interface ServicesAtOneStore {
  start(name: string): Promise<ServiceProcess>;
  /** Kills the running services. */
  killAll(): Promise<void>;
  /** Stops the database as well. */
  close(): Promise<void>;
}

/** @param env settings in addition to the database */
async function servicesAtOneStore(env: Record<string, string> = {}): Promise<ServicesAtOneStore> {
  built(MAIN);
  const build = buildStore();
  const dir = mkdtempSync(join(tmpdir(), 'hypha-services-'));
  const store = new StoreProcess(build, join(dir, 'store'), 'inline', 'hold');
  const isUri = (line: string): boolean => line.startsWith('uri ');
  await store.until((lines) => lines.some(isUri));
  const uri = store.lines.find(isUri)?.slice('uri '.length) ?? '';
  const services = new Map<string, ServiceProcess>();
  return {
    async start(name) {
      const running = startProcess({
        PORT: '0',
        DATA_DIR: join(dir, name),
        MONGODB_URI: uri,
        ADMIN_EMAIL,
        ADMIN_PASSWORD,
        ...PATIENT,
        ...env,
      });
      const url = await readyUrl(running);
      const token = (
        await answerTo(url, 'POST', '/login', null, {
          body: { email: ADMIN_EMAIL, password: ADMIN_PASSWORD },
        })
      ).headers.get('authorization');
      const api: ServiceProcess['api'] = async (verb, path, body) =>
        (await answerTo(url, verb, path, token, { body })).body;
      const service: ServiceProcess = {
        running,
        api,
        data: async (query, variables) =>
          (await api('POST', '/graphql', { query, variables })).data,
      };
      services.set(name, service);
      return service;
    },
    async killAll() {
      await Promise.all(
        [...services.values()].map(({ running }) => {
          running.child.kill('SIGKILL');
          return running.exit;
        }),
      );
      services.clear();
    },
    async close() {
      await store.kill();
      build.remove();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

const SCHEDULES = 3;
const FAILING = 12;
/** Requests of failing runs after which the process is killed. */
const CALLS = 4;

let services: ServicesAtOneStore;
let remote: RemoteSystem;
let halted: ServiceProcess;
let killed: ServiceProcess;
let right: ServiceProcess;
const hung: ((answer: RemoteAnswer) => void)[] = [];

beforeAll(async () => {
  // The parameters of a run are sealed by one process and opened by the other.
  services = await servicesAtOneStore({
    HYPHA_RUN_CONCURRENT: '2',
    HYPHA_CONNECTOR_MASTER_PASSWORD: 'one for both',
  });
  remote = await remoteSystem(({ path }) => {
    if (path.startsWith('/hang')) return new Promise((resolve) => hung.push(resolve));
    return { status: path.startsWith('/fail') ? 500 : 200 };
  });
  [halted, killed, right] = [
    await services.start('halted'),
    await services.start('killed'),
    await services.start('right'),
  ];
});
afterAll(async () => {
  await services.killAll();
  await remote.close();
  await services.close();
});

const saved = async ({ api }: ServiceProcess, ...paths: string[]): Promise<number> =>
  (
    await api(
      'POST',
      '/api/connection',
      workflow(paths.map((path, nth) => method(String(nth), `${remote.url}${path}`))),
    )
  ).connectionId;
const started = async ({ data }: ServiceProcess, id: number): Promise<number> =>
  (
    await data(
      'mutation($id: ID!) { workflowRun(input: { workflowId: $id }) { run { databaseId } } }',
      { id },
    )
  ).workflowRun.run.databaseId;
const begun = async (service: ServiceProcess, ...paths: string[]): Promise<number> =>
  started(service, await saved(service, ...paths));
const received = (path: string): number =>
  remote.received.filter((request) => request.path === path).length;

interface Seen {
  readonly state: string;
  readonly lastSequence: number | null;
  readonly events: readonly { readonly __typename: string; readonly sequence: number }[];
}

const seen = async ({ data }: ServiceProcess, id: number): Promise<Seen> => {
  const { run } = await data(
    'query($id: ID!) { run(id: $id) { state lastSequence events(first: 100) { nodes { __typename sequence } } } }',
    { id },
  );
  return { ...run, events: run.events.nodes };
};

/** The run once it has ended. */
async function ended(service: ServiceProcess, id: number): Promise<Seen> {
  for (;;) {
    const run = await seen(service, id);
    if (run.lastSequence !== null) return run;
    await pause(200);
  }
}

/** Starts a run that hangs in its first step, and waits until its first events are stored. */
async function hanging(service: ServiceProcess, name: string): Promise<number> {
  const id = await begun(service, `/hang/${name}`, `/after/${name}`);
  while ((await seen(service, id)).events.length < 2 || received(`/hang/${name}`) === 0)
    await pause(20);
  return id;
}

const INTERRUPTED = {
  state: 'INTERRUPTED',
  lastSequence: 3,
  events: ['RunStarted', 'StepStarted', 'RunFinished'].map((__typename, nth) => ({
    __typename,
    sequence: nth + 1,
  })),
};

const isOver = ({ state }: { state: string }): boolean => state !== 'QUEUED' && state !== 'RUNNING';

interface Fired {
  readonly state: string;
  readonly dueAt: string;
}

const FIRED =
  'query ($id: ID!, $after: String) { runs(first: 100, after: $after, filter: { schedule: { eq: $id } }) { nodes { state dueAt } pageInfo { hasNextPage endCursor } } }';
async function firedBy({ data }: ServiceProcess, id: number): Promise<Fired[]> {
  const all: Fired[] = [];
  for (let after: string | null = null; ;) {
    const { runs }: any = await data(FIRED, { id, after });
    all.push(...runs.nodes);
    if (!runs.pageInfo.hasNextPage) return all;
    after = runs.pageInfo.endCursor;
  }
}

async function firedAgain(
  service: ServiceProcess,
  ids: readonly number[],
  times: number,
): Promise<void> {
  await Promise.all(
    ids.map(async (id) => {
      const before = (await firedBy(service, id)).length;
      while ((await firedBy(service, id)).length < before + times) await pause(500);
    }),
  );
}

it('a restarted process ends its own runs first and leaves those of other processes', async () => {
  const [own, other] = [await hanging(killed, 'own'), await hanging(right, 'other')];
  killed.running.child.kill('SIGKILL');
  await killed.running.exit;
  killed = await services.start('killed');
  expect(await seen(killed, own)).toMatchObject(INTERRUPTED);
  expect(await seen(killed, other)).toMatchObject({ state: 'RUNNING' });
  for (const answer of hung) answer({});
  expect(await ended(killed, other)).toMatchObject({ state: 'SUCCEEDED' });
});

describe('with one process halted and another one killed while schedules are due', () => {
  let schedules: number[];
  let hangingRun: number;
  let handler: number;
  const failing: number[] = [];
  const failures = (): number =>
    remote.received.filter(({ path }) => path.startsWith('/fail')).length;

  beforeAll(async () => {
    const connectionId = await saved(right, '/scheduled');
    schedules = [];
    for (let nth = 0; nth < SCHEDULES; nth += 1) {
      schedules.push(
        (
          await right.api('POST', '/api/scheduler', {
            title: `Every two seconds ${nth}`,
            connectionId,
            cronExp: '0/2 * * * * ?',
            status: true,
          })
        ).schedulerId,
      );
    }
    handler = await saved(killed, '/handler');
    for (let nth = 0; nth < FAILING; nth += 1) {
      const id = await saved(killed, `/fail/${nth}`);
      await killed.data(
        'mutation($of: ID!, $named: ID) { errorWorkflowSet(input: { workflowId: $of, errorWorkflowId: $named }) { userErrors { code } } }',
        { of: id, named: handler },
      );
      failing.push(id);
    }
    await firedAgain(right, schedules, 1);
    hangingRun = await hanging(halted, 'halted');
    halted.running.child.kill('SIGSTOP');
    await Promise.all(failing.map((id) => started(killed, id)));
    while (failures() < CALLS) await pause(1);
    killed.running.child.kill('SIGKILL');
    await killed.running.exit;
    await firedAgain(right, schedules, 2);
  });

  it('the third process ends the runs of the halted one, which writes nothing more for them', async () => {
    expect(await ended(right, hangingRun)).toMatchObject(INTERRUPTED);
    hung.at(-1)?.({});
    halted.running.child.kill('SIGCONT');
    await halted.running.says(/lease of a run was not renewed in time/);
    // The process can still execute new runs.
    expect(await ended(halted, await begun(halted, '/fast'))).toMatchObject({ state: 'SUCCEEDED' });
    expect(received('/after/halted')).toBe(0);
    expect(await seen(right, hangingRun)).toEqual(await seen(halted, hangingRun));
    expect(await seen(halted, hangingRun)).toMatchObject(INTERRUPTED);
  });

  it('queued runs of the killed process execute once, and each failed run starts one error workflow', async () => {
    const RUNS =
      'query($id: ID!) { runs(first: 100, filter: { workflow: { eq: $id } }) { nodes { databaseId state errorOf { databaseId } errorRun { databaseId } } } }';
    const runsOf = async (...ids: readonly number[]): Promise<any[]> =>
      (
        await Promise.all(ids.map(async (id) => (await right.data(RUNS, { id })).runs.nodes))
      ).flat();
    while (!(await runsOf(...failing, handler)).every(isOver)) await pause(500);
    const [failed, handlerRuns] = [await runsOf(...failing), await runsOf(handler)];
    expect(failed).toHaveLength(FAILING);
    expect(failed.filter(({ state }) => !['FAILED', 'INTERRUPTED'].includes(state))).toEqual([]);
    expect(failures()).toBeGreaterThan(CALLS);
    for (let nth = 0; nth < FAILING; nth += 1)
      expect(received(`/fail/${nth}`)).toBeLessThanOrEqual(1);
    // Runs that the killed process was executing are interrupted.
    expect(
      handlerRuns.filter(({ state }) => !['SUCCEEDED', 'INTERRUPTED'].includes(state)),
    ).toEqual([]);
    expect(handlerRuns.some(({ state }) => state === 'SUCCEEDED')).toBe(true);
    const ids = (runs: readonly { databaseId: number }[]): number[] =>
      runs.map(({ databaseId }) => databaseId).sort((a, b) => a - b);
    expect(ids(handlerRuns.map(({ errorOf }) => errorOf))).toEqual(ids(failed));
    expect(ids(failed.map(({ errorRun }) => errorRun))).toEqual(ids(handlerRuns));
  });

  it('each fire time of a schedule starts exactly one run, and none fails', async () => {
    await firedAgain(halted, schedules, 1);
    await right.api('PUT', '/api/scheduler/disableAll', { identifiers: schedules });
    for (const id of schedules) {
      let fired = await firedBy(right, id);
      while (!fired.every(isOver)) fired = await firedBy(right, id);
      expect(new Set(fired.map(({ dueAt }) => dueAt)).size).toBe(fired.length);
      expect(fired.filter(({ state }) => !['SUCCEEDED', 'INTERRUPTED'].includes(state))).toEqual(
        [],
      );
    }
  });
});
