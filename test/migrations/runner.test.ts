import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { openEmbeddedStore } from '../../src/embedded-mongo';
import { createLogger } from '../../src/platform/log/logger';
import { migrate } from '../../src/platform/store/migrations';
import type { Migration, MigrationRecord, Migrations } from '../../src/platform/store/migrations';
import { Store } from '../../src/platform/store/store';
import { MIGRATIONS } from '../../src/migrations';
import { intervalsByHand } from '../support/intervals-by-hand';
import { movingClock } from '../support/moving-clock';
import { longIt } from '../support/long';

/* Several processes at one database: each `Store` has a connection of its own and shares nothing else with the others. */
const clock = movingClock();
let logs: Record<string, unknown>[] = [];
const log = createLogger({ log: { level: 'info' } }, { write: (line) => logs.push(JSON.parse(line) as Record<string, unknown>) });
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
  const connection = await mongoose.createConnection(uri, { autoIndex: false, autoCreate: false }).asPromise();
  closing.push(() => connection.close());
  return new Store(connection, isExclusive);
}
const start = (store: Store, migrations: Migrations): Promise<void> => store.prepare(() => migrate({ store, clock, log }, migrations));
const recorded = (store: Store): Promise<MigrationRecord[]> => store.connection.collection<MigrationRecord>('migrations').find().sort({ _id: 1 }).toArray();
/** Notes its name each time it runs. */
const noting = (name: string): Migration => ({ name, run: async ({ store }) => void (await store.connection.collection('notes').insertOne({ name })) });
const ran = async (store: Store): Promise<string[]> => (await store.connection.collection<{ name: string }>('notes').find().sort({ _id: 1 }).toArray()).map(({ name }) => name);

it('runs what the store has not seen, in order of number, and records it', async () => {
  const store = await process();
  await start(store, { 1: noting('first'), 2: noting('second') });
  await start(store, { 10: noting('tenth'), 2: noting('second'), 1: noting('first'), 9: noting('ninth') });
  await start(store, { 1: noting('first'), 2: noting('second'), 9: noting('ninth'), 10: noting('tenth') });
  expect(await ran(store)).toEqual(['first', 'second', 'ninth', 'tenth']);
  expect((await recorded(store)).map(({ _id, name, told }) => [_id, name, told])).toEqual([[1, 'first', []], [2, 'second', []], [9, 'ninth', []], [10, 'tenth', []]]);
});

longIt('runs each once however many processes start at the same time', async () => {
  const stores = await Promise.all(Array.from({ length: 6 }, () => process()));
  const names = ['a', 'b', 'c', 'd', 'e'];
  await Promise.all(stores.map((store) => start(store, Object.fromEntries(names.map((name, index) => [index + 1, noting(name)])))));
  expect(await ran(stores[0])).toEqual(names);
});

it('stops the start with the name of one that fails, does not go on, and tries it again with the next start', async () => {
  const store = await process();
  let isBroken = true;
  const breaking: Migration = { name: 'folded names', run: (work) => (isBroken ? Promise.reject(new Error('the disk said no')) : noting('mended').run(work)) };
  const migrations = { 1: noting('before'), 2: breaking, 3: noting('after') };
  await expect(start(store, migrations)).rejects.toThrow('Migration 2 (folded names) failed: the disk said no');
  expect([await ran(store), (await recorded(store)).map(({ _id }) => _id)]).toEqual([['before'], [1]]);
  isBroken = false;
  await start(await process(), migrations);
  expect(await ran(store)).toEqual(['before', 'mended', 'after']);
});

describe('a process that died with the lock', () => {
  const dead = (store: Store) => store.connection.collection<{ _id: string; holder: string; until: Date }>('leases')
    .insertOne({ _id: 'migrations', holder: 'the dead', until: new Date(clock.now().getTime() + 30_000) });

  it('is waited for until its lease ends, and named', async () => {
    const store = await process();
    await store.prepare();
    await dead(store);
    let isDone = false;
    const starting = start(store, { 1: noting('first') }).then(() => { isDone = true; });
    while (!logs.some(({ holder }) => holder === 'the dead')) await new Promise((resolve) => setImmediate(resolve));
    expect(isDone).toBe(false);
    clock.forward(31_000);
    await starting;
    expect(await ran(store)).toEqual(['first']);
  });

  it('is not waited for where no other process can be', async () => {
    const store = await process(true);
    await store.prepare();
    await dead(store);
    await start(store, { 1: noting('first') });
    expect(logs.map(({ msg }) => msg)).toEqual(['migrated']);
  });
});

it('does not record a migration whose lock went to another process', async () => {
  const store = await process();
  const robbed: Migration = {
    name: 'slow',
    run: async ({ store: { connection }, requireLease }) => {
      await connection.collection<{ _id: string; holder: string }>('leases').updateOne({ _id: 'migrations' }, { $set: { holder: 'another' } });
      jest.advanceTimersByTime(5_000);
      for (let look = 0; look < 1_000; look++) {
        requireLease();
        await connection.collection('leases').findOne();
      }
    },
  };
  intervalsByHand();
  try {
    await expect(start(store, { 1: robbed })).rejects.toThrow('Migration 1 (slow) failed: The lease migrations was lost.');
  } finally {
    jest.useRealTimers();
  }
  expect(await recorded(store)).toEqual([]);
});

it('does not start on what a later version has changed', async () => {
  const store = await process();
  await start(store, { 1: noting('first'), 2: noting('of the future') });
  await expect(start(store, { 1: noting('first') })).rejects.toThrow('A later version of Hypha has changed this store (migration 2, of the future)');
});

it('has a list without gaps', () => {
  const numbers = Object.keys(MIGRATIONS).map(Number);
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
});
