import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { openEmbeddedStore, processIdentity } from '@hypha/embedded-mongo';
import type { EmbeddedStore } from '@hypha/embedded-mongo';
import mongoose from 'mongoose';
import { version } from '../../package.json';
import { ForeignProcess } from '../../src/platform/store/startup/foreign-process';
import type { ProcessRecord } from '../../src/platform/store/startup/process-records';
import { layoutOf } from '../../src/platform/store/startup/migrations';
import { STORE_LAYOUT } from '../../src/store-layout';
import { method, saved, started, workflow } from '../support/documents/workflows';
import { until } from '../support/until';
import { holdingRemote } from '../support/peers/remote-system';
import { startService } from '../support/service/harness';
import type { ServiceOptions, TestService } from '../support/service/harness';
import { movingClock, timersByHand } from '../support/service/moving-clock';

let dir: string;
let store: EmbeddedStore;
let database: mongoose.Connection;
const opened: TestService[] = [];

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'hypha-processes-'));
  store = await openEmbeddedStore({ dir, placement: 'inline', durability: 'test' });
  database = await mongoose.createConnection(store.uri).asPromise();
});
afterEach(async () => {
  for (const service of opened.splice(0).reverse()) await service.app.stop();
  await database.close();
  await store.close();
  rmSync(dir, { recursive: true, force: true });
});

const SECRETS = { HYPHA_TOKEN_SECRET: 'x'.repeat(32), HYPHA_CONNECTOR_MASTER_PASSWORD: 'one' };

async function start({ env, ...options }: ServiceOptions = {}): Promise<TestService> {
  const service = await startService({
    ...options,
    env: { MONGODB_URI: store.uri, ...SECRETS, ...env },
  });
  opened.push(service);
  return service;
}

const records = () => database.collection<ProcessRecord>('processes');

/** A process of an older version on another machine. */
const older = (beatAt = new Date()): ProcessRecord => ({
  _id: 'boot/namespace/12/34/of another machine',
  version: '0.0.9',
  layout: layoutOf(STORE_LAYOUT) - 1,
  host: 'elsewhere',
  pid: 12,
  roles: ['api'],
  since: beatAt,
  beatAt,
  lagMs: 0,
  keyId: null,
});

it('two services list each other, with their runs, until they stop', async () => {
  const [left, right] = [await start(), await start()];
  const remote = await holdingRemote();
  const id = await saved(left, workflow([method('0', `${remote.url}/held`)]));
  await started(left, id);
  await remote.next();

  const processes = await right.body('GET', '/api/actuator/processes');
  expect(processes).toMatchObject(
    [1, 0].map((runs) => ({
      version,
      layout: layoutOf(STORE_LAYOUT),
      pid: process.pid,
      roles: ['api', 'worker', 'scheduler'],
      state: 'alive',
      runs,
    })),
  );
  const byGraphql = await left.data('{ processes { name state roles runs } }');
  expect(byGraphql.processes).toEqual(
    processes.map(({ name, runs }: { name: string; runs: number }) => ({
      name,
      state: 'ALIVE',
      roles: ['API', 'WORKER', 'SCHEDULER'],
      runs,
    })),
  );

  remote.release();
  await remote.close();
  await left.app.stop();
  expect(await right.body('GET', '/api/actuator/processes')).toHaveLength(1);
});

it('an exclusive store has one process, and stores nothing of it', async () => {
  const service = await startService();
  opened.push(service);
  expect(await service.body('GET', '/api/actuator/processes')).toMatchObject([
    { pid: process.pid, state: 'alive', runs: 0 },
  ]);
});

describe('a service does not start next to one with', () => {
  const message = (other: string): RegExp =>
    new RegExp(`${other}.*pid ${process.pid}, version ${version}`);

  beforeEach(() => start());

  it.each([
    ['another token secret', { HYPHA_TOKEN_SECRET: 'y'.repeat(32) }, 'token secret .* differs'],
    ['another master password', { HYPHA_CONNECTOR_MASTER_PASSWORD: 'two' }, 'key .* differs'],
  ])('%s', async (_, env, text) => {
    const starting = start({ env });
    await expect(starting).rejects.toThrow(ForeignProcess);
    await expect(starting).rejects.toThrow(message(text));
    expect(await records().countDocuments()).toBe(1);
    expect(await database.collection('vault_keys').countDocuments()).toBe(1);
  });

  it('a later version', async () => {
    await database
      .collection<{ _id: number; name: string }>('migrations')
      .insertOne({ _id: 999, name: 'of the future' });
    const starting = start();
    await expect(starting).rejects.toThrow(ForeignProcess);
    await expect(starting).rejects.toThrow(message('migration 999, of the future'));
  });
});

it('the token secret may change when no other process uses the store', async () => {
  await (await start()).app.stop();
  const service = await start({ env: { HYPHA_TOKEN_SECRET: 'y'.repeat(32) } });
  expect(service.logs).toContainEqual(
    expect.objectContaining({ msg: expect.stringMatching(/token secret .* has changed/) }),
  );
  expect(await service.status('GET', '/api/user/all')).toBe(200);
});

describe('a pending migration', () => {
  const LAST = layoutOf(STORE_LAYOUT);
  const isMigrated = async (): Promise<boolean> =>
    (await database.collection<{ _id: number }>('migrations').countDocuments({ _id: LAST })) === 1;
  const clock = movingClock();
  let starting: Promise<'started' | Error>;

  beforeEach(async () => {
    await (await start({ clock })).app.stop();
    await database.collection<{ _id: number }>('migrations').deleteOne({ _id: LAST });
  });

  /** Lets time pass until the start has ended. */
  async function outcomeWhile(passes: () => Promise<unknown>): Promise<'started' | Error> {
    let outcome: 'started' | Error | null = null;
    void starting.then((ended) => {
      outcome = ended;
    });
    while (outcome === null) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      clock.forward(500);
      await passes();
    }
    return outcome;
  }

  const startNext = (): void => {
    starting = start({ clock }).then(
      () => 'started' as const,
      (error: Error) => error,
    );
  };

  it('is refused while a process of an older version is alive', async () => {
    await records().insertOne(older(clock.now()));
    startNext();
    // The clock of the other machine is late.
    const outcome = await outcomeWhile(() =>
      records().updateOne(
        { pid: 12 },
        { $set: { beatAt: new Date(clock.now().getTime() - 5_000) } },
      ),
    );
    expect(outcome).toBeInstanceOf(ForeignProcess);
    expect(String(outcome)).toMatch(
      new RegExp(`migrations ${LAST} \\(.*host elsewhere, pid 12, version 0\\.0\\.9`),
    );
    expect(await isMigrated()).toBe(false);
  });

  it('waits until such a process is silent for 30 seconds', async () => {
    await records().insertOne(older(clock.now()));
    startNext();
    expect(await outcomeWhile(() => Promise.resolve())).toBe('started');
    expect(await isMigrated()).toBe(true);
  });

  it('does not wait for such a process that was killed on this machine', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    const { boot, pidNamespace, pid, started: startedAt } = processIdentity(child.pid ?? 0);
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('exit', resolve));
    const _id = [boot, pidNamespace, pid, startedAt, 'killed'].join('/');
    await records().insertOne({ ...older(new Date(clock.now().getTime() + 1_000)), _id });
    startNext();
    expect(await starting).toBe('started');
    expect(await isMigrated()).toBe(true);
    expect(await opened.at(-1)?.body('GET', '/api/actuator/processes')).toMatchObject([
      { state: 'alive', version },
      { state: 'dead', version: '0.0.9' },
    ]);
  });
});

describe('a process that goes on after a pause', () => {
  const BEAT_MS = 5_000;
  const clock = movingClock();
  afterEach(() => jest.restoreAllMocks());

  it('writes its record again if the store has lost it', async () => {
    const beat = timersByHand(BEAT_MS);
    await start({ clock });
    await records().deleteMany({});
    beat();
    expect(await until(() => records().countDocuments())).toBe(1);
  });

  it('ends if a later version has migrated the store', async () => {
    const beat = timersByHand(BEAT_MS);
    const { app } = await start({ clock });
    await database
      .collection<{ _id: number; name: string }>('migrations')
      .insertOne({ _id: 999, name: 'of the future' });
    clock.forward(31_000);
    beat();
    await expect(app.failed).rejects.toThrow(ForeignProcess);
  });
});
