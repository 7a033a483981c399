import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { openEmbeddedStore } from '@hypha/embedded-mongo';
import { createLogger } from '../../src/platform/log/logger';
import { migrate } from '../../src/platform/store/startup/migrations';
import type {
  Migration,
  MigrationRecord,
  StoreLayout,
} from '../../src/platform/store/startup/migrations';
import { Store } from '../../src/platform/store/store';
import { STORE_LAYOUT } from '../../src/store-layout';
import { intervalsByHand, movingClock } from '../support/service/moving-clock';
import { longIt } from '../support/long';

/* Several processes at one database: each `Store` has its own connection and shares nothing else. */
const clock = movingClock();
let logs: Record<string, unknown>[] = [];
const log = createLogger(
  { log: { level: 'info' } },
  { write: (line) => logs.push(JSON.parse(line) as Record<string, unknown>) },
);
let dir: string;
let closing: (() => Promise<unknown>)[] = [];
let uri: string;

beforeEach(async () => {
  logs = [];
  dir = mkdtempSync(join(tmpdir(), 'hypha-migrations-'));
  const server = await openEmbeddedStore({ dir, placement: 'inline', durability: 'test' });
  uri = server.uri;
  closing = [() => server.close()];
});
afterEach(async () => {
  for (const close of closing.reverse()) await close();
  rmSync(dir, { recursive: true, force: true });
});

async function process(isExclusive = false): Promise<Store> {
  const connection = await mongoose
    .createConnection(uri, { autoIndex: false, autoCreate: false })
    .asPromise();
  closing.push(() => connection.close());
  return new Store(connection, isExclusive);
}
type Migrations = StoreLayout['migrations'];
/** The version of the released store that migrations convert. */
const RELEASED = 100;
const create = (store: Store): Promise<void> =>
  noting('created').run({ store, report: () => undefined, requireLease: () => undefined });
const start = (store: Store, migrations: Migrations, version = RELEASED): Promise<void> =>
  store.prepare(() => migrate({ store, clock, log }, { version, migrations, create }));
/** A store as the release created it. */
async function released(isExclusive = false): Promise<Store> {
  const store = await process(isExclusive);
  await start(store, {});
  logs = [];
  return store;
}
const recorded = (store: Store): Promise<MigrationRecord[]> =>
  store.connection.collection<MigrationRecord>('migrations').find().sort({ _id: 1 }).toArray();
/** Logs its name each time it runs. */
const noting = (name: string): Migration => ({
  name,
  run: async ({ store }) => void (await store.connection.collection('notes').insertOne({ name })),
});
const ran = async (store: Store): Promise<string[]> =>
  (
    await store.connection.collection<{ name: string }>('notes').find().sort({ _id: 1 }).toArray()
  ).map(({ name }) => name);

it('a new store is created once, with all migrations recorded as complete', async () => {
  const stores = await Promise.all(Array.from({ length: 3 }, () => process()));
  await Promise.all(stores.map((store) => start(store, { 101: noting('first') })));
  await start(stores[0], { 101: noting('first'), 102: noting('second') });
  expect(await ran(stores[0])).toEqual(['created', 'second']);
  expect((await recorded(stores[0])).map(({ _id, name }) => [_id, name])).toEqual([
    [100, 'created'],
    [101, 'first'],
    [102, 'second'],
  ]);
  expect(logs.filter(({ msg }) => msg === 'migrated')).toHaveLength(1);
});

it('pending migrations run in numeric order and are recorded with their reports', async () => {
  const store = await released();
  const reporting: Migration = {
    name: 'second',
    run: async ({ report }) => report('Check these.', { ids: [7] }),
  };
  await start(store, { 110: noting('tenth'), 102: reporting, 101: noting('first') });
  await start(store, {
    101: noting('first'),
    102: reporting,
    110: noting('tenth'),
    111: noting('last'),
  });
  expect(await ran(store)).toEqual(['created', 'first', 'tenth', 'last']);
  expect((await recorded(store)).map(({ _id, name, reports }) => [_id, name, reports])).toEqual([
    [100, 'created', []],
    [101, 'first', []],
    [102, 'second', [{ message: 'Check these.', detail: { ids: [7] } }]],
    [110, 'tenth', []],
    [111, 'last', []],
  ]);
});

longIt('each migration runs once when several processes start concurrently', async () => {
  await released();
  const stores = await Promise.all(Array.from({ length: 6 }, () => process()));
  const names = ['a', 'b', 'c', 'd', 'e'];
  await Promise.all(
    stores.map((store) =>
      start(
        store,
        Object.fromEntries(names.map((name, index) => [RELEASED + 1 + index, noting(name)])),
      ),
    ),
  );
  expect(await ran(stores[0])).toEqual(['created', ...names]);
});

it('a failed migration stops the start with its name, and runs again at the next start', async () => {
  const store = await released();
  let isBroken = true;
  const breaking: Migration = {
    name: 'folded names',
    run: (work) =>
      isBroken ? Promise.reject(new Error('the disk said no')) : noting('mended').run(work),
  };
  const migrations = { 101: noting('before'), 102: breaking, 103: noting('after') };
  await expect(start(store, migrations)).rejects.toThrow(
    'Migration 102 (folded names) failed: the disk said no',
  );
  expect([await ran(store), (await recorded(store)).map(({ _id }) => _id)]).toEqual([
    ['created', 'before'],
    [100, 101],
  ]);
  isBroken = false;
  await start(await process(), migrations);
  expect(await ran(store)).toEqual(['created', 'before', 'mended', 'after']);
});

describe('a crashed process with the migration lock', () => {
  const dead = (store: Store) =>
    store.connection.collection<{ _id: string; holder: string; until: Date }>('leases').insertOne({
      _id: 'migrations',
      holder: 'the dead',
      until: new Date(clock.now().getTime() + 30_000),
    });

  it('is named and delays the start until its lease ends', async () => {
    const store = await released();
    await dead(store);
    let isDone = false;
    const starting = start(store, { 101: noting('first') }).then(() => {
      isDone = true;
    });
    while (!logs.some(({ holder }) => holder === 'the dead'))
      await new Promise((resolve) => setImmediate(resolve));
    expect(isDone).toBe(false);
    clock.forward(31_000);
    await starting;
    expect(await ran(store)).toEqual(['created', 'first']);
  });

  it('does not delay the start when no other process is possible', async () => {
    const store = await released(true);
    await dead(store);
    await start(store, { 101: noting('first') });
    expect(logs.map(({ msg }) => msg)).toEqual(['migrated']);
  });
});

it('a migration whose lock was lost is not recorded', async () => {
  const store = await released();
  const robbed: Migration = {
    name: 'slow',
    run: async ({ store: { connection }, requireLease }) => {
      await connection
        .collection<{ _id: string; holder: string }>('leases')
        .updateOne({ _id: 'migrations' }, { $set: { holder: 'another' } });
      jest.advanceTimersByTime(5_000);
      for (let look = 0; look < 1_000; look++) {
        requireLease();
        await connection.collection('leases').findOne();
      }
    },
  };
  intervalsByHand();
  try {
    await expect(start(store, { 101: robbed })).rejects.toThrow(
      'Migration 101 (slow) failed: The lease migrations was lost.',
    );
  } finally {
    jest.useRealTimers();
  }
  expect((await recorded(store)).map(({ _id }) => _id)).toEqual([100]);
});

it.each<[string, Migrations, number, string]>([
  [
    'migrated by a later version',
    {},
    RELEASED,
    'A later version of Hypha has changed this store (migration 101, of the future). Start that version, or restore a backup.',
  ],
  [
    'created by a later version',
    {},
    RELEASED - 1,
    'A later version of Hypha has changed this store (migration 100, created). Start that version, or restore a backup.',
  ],
  [
    'of an unreleased version',
    { 102: noting('next') },
    RELEASED + 1,
    'An unreleased version of Hypha created this store. Start with a new data directory.',
  ],
])('the service does not start on a store %s', async (_what, migrations, version, message) => {
  const store = await released();
  await start(store, { 101: noting('of the future') });
  await expect(start(store, migrations, version)).rejects.toThrow(message);
});

it('migrations are numbered without gaps from the layout that 0.1.0 opens', () => {
  expect(STORE_LAYOUT.version).toBe(36);
  const numbers = Object.keys(STORE_LAYOUT.migrations).map(Number);
  expect(numbers).toEqual(numbers.map((_, index) => STORE_LAYOUT.version + 1 + index));
});

it('migration 37 gives addresses with international domains one key, and reports doubles', async () => {
  const store = await released();
  const users = store.connection.collection<{ _id: number; email: string; emailKey: string }>(
    'users',
  );
  const email = (_id: number, text: string) => ({ _id, email: text, emailKey: text.toLowerCase() });
  await users.insertMany([
    email(1, 'Ada@xn--bcher-kva.example'),
    email(2, 'ada@Bücher.example'),
    email(3, 'bob@xn--bcher-kva.example'),
    email(4, 'bob@example.com'),
  ]);
  await start(store, { 137: STORE_LAYOUT.migrations[37] });
  const keys = (await users.find().sort({ _id: 1 }).toArray()).map(({ emailKey }) => emailKey);
  expect(keys).toEqual([
    'ada@xn--bcher-kva.example',
    'ada@bücher.example',
    'bob@bücher.example',
    'bob@example.com',
  ]);
  const { reports } = (await recorded(store)).at(-1) ?? {};
  expect(reports?.map(({ detail }) => detail)).toEqual([{ userId: 1, otherUserId: 2 }]);
});

it('migration 38 keeps the key of the directory entry of an account among others', async () => {
  const store = await released();
  const users = store.connection.collection<{ _id: number; directoryKey?: string }>('users');
  await users.insertMany([{ _id: 1, directoryKey: 'entryUUID=0000-abcd' }, { _id: 2 }]);
  await start(store, { 138: STORE_LAYOUT.migrations[38] });
  expect(await users.find().sort({ _id: 1 }).toArray()).toEqual([
    { _id: 1, directoryKeys: ['entryUUID=0000-abcd'] },
    { _id: 2 },
  ]);
});

it('migration 39 removes the last run from workflows', async () => {
  const store = await released();
  const workflows = store.connection.collection<{ _id: number; lastRunId?: number | null }>(
    'workflows',
  );
  await workflows.insertMany([
    { _id: 1, lastRunId: 5 },
    { _id: 2, lastRunId: null },
  ]);
  await start(store, { 139: STORE_LAYOUT.migrations[39] });
  expect(await workflows.find().sort({ _id: 1 }).toArray()).toEqual([{ _id: 1 }, { _id: 2 }]);
});
