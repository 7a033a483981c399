import { open } from 'lmdb';
import { MongoClient } from 'mongodb';
import type { Collection } from 'mongodb';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { openEmbeddedStore } from '@hypha/embedded-mongo';
import type { BenchResult } from './result';

const ROUNDS = 7;
const SERIAL = 400;
const CONCURRENT = 4_000;
const CLIENTS = 32;

/** The embedded store through the official driver, in its worker, against raw LMDB in the same run. */
export async function run(): Promise<BenchResult[]> {
  const dir = mkdtempSync(join(tmpdir(), 'bench-store-'));
  const store = await openEmbeddedStore({
    dir: join(dir, 'store'),
    placement: 'worker',
    durability: 'full',
  });
  const client = new MongoClient(store.uri, { maxPoolSize: CLIENTS });
  try {
    return [
      ...(await inserts(client, join(dir, 'raw'))),
      ...(await queries(client)),
      ...(await lists(client)),
      await sortDelay(client),
    ];
  } finally {
    await client.close();
    await store.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Rounds of the three in turn, so that a slow moment of the disk meets all of them; the middle round counts. */
async function inserts(client: MongoClient, rawDir: string): Promise<BenchResult[]> {
  const rows = client.db().collection('inserts');
  await rows.createIndexes([{ key: { owner: 1 } }, { key: { at: -1 } }]);
  const raw = rawPuts(rawDir);
  await concurrent(rows, 2_000);
  const rounds: Array<{ puts: number; serial: number; grouped: number }> = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({
      puts: await raw.rate(SERIAL),
      serial: await serial(rows, SERIAL),
      grouped: await concurrent(rows, CONCURRENT),
    });
  }
  await raw.close();
  const puts = middle(rounds.map((one) => one.puts));
  const ratio = (name: string, values: number[], atLeast: number): BenchResult => ({
    name,
    value: middle(values.map((value, round) => value / rounds[round].puts)),
    unit: 'ratio',
    target: { atLeast },
    judged: true,
    detail: `${Math.round(middle(values))}/s against ${Math.round(puts)}/s`,
  });
  return [
    ratio(
      'durable inserts, 2 indexes, one at a time, of raw lmdb puts',
      rounds.map((one) => one.serial),
      0.15,
    ),
    ratio(
      `durable inserts, 2 indexes, ${CLIENTS} at once, of raw lmdb puts`,
      rounds.map((one) => one.grouped),
      0.5,
    ),
  ];
}

function rawPuts(dir: string): { rate(count: number): Promise<number>; close(): Promise<void> } {
  mkdirSync(dir);
  const db = open<Buffer, number>({
    path: dir,
    encoding: 'binary',
    overlappingSync: false,
    noSubdir: false,
  });
  const value = Buffer.alloc(300, 'x');
  let next = 0;
  return {
    rate: (count) =>
      rate(count, async () => {
        for (let n = 0; n < count; n++) db.transactionSync(() => db.putSync(next++, value));
      }),
    close: () => db.close(),
  };
}

let lastId = 0;
const row = (): { _id: number; owner: number; at: Date; text: string } => ({
  _id: ++lastId,
  owner: lastId % 1_000,
  at: new Date(1_700_000_000_000 + lastId),
  text: 'x'.repeat(200),
});

const serial = (rows: Collection, count: number): Promise<number> =>
  rate(count, async () => {
    for (let n = 0; n < count; n++) await rows.insertOne(row() as never);
  });

const concurrent = (rows: Collection, count: number): Promise<number> =>
  rate(count, async () => {
    let left = count;
    await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        while (left-- > 0) await rows.insertOne(row() as never);
      }),
    );
  });

async function queries(client: MongoClient): Promise<BenchResult[]> {
  const rows = client.db().collection('inserts');
  const from = lastId - 2_000;
  const byId = await rate(2_000, async () => {
    for (let n = 0; n < 2_000; n++) await rows.findOne({ _id: (from + n) as never });
  });
  const byIndex = await rate(300, async () => {
    for (let n = 0; n < 300; n++) await rows.find({ owner: n }, { limit: 20 }).toArray();
  });
  const sorted = await rate(100, async () => {
    for (let n = 0; n < 100; n++) await rows.find({}, { limit: 100 }).sort({ at: -1 }).toArray();
  });
  return [
    { name: 'findOne by _id, one at a time', value: byId, unit: '/s' },
    { name: 'find by an index, 20 documents', value: byIndex, unit: '/s' },
    {
      name: `find 100 of ${lastId.toLocaleString('en')}, sorted by an index`,
      value: sorted,
      unit: '/s',
    },
  ];
}

/** CPU of all threads for lists of 100,000 documents: what a page, a projection and a count cost wherever they begin. */
async function lists(client: MongoClient): Promise<BenchResult[]> {
  const rows = client.db().collection('lists');
  await rows.createIndexes([{ key: { at: 1 } }, { key: { state: 1, at: 1 } }]);
  const at = (n: number): Date => new Date(1_700_000_000_000 + Math.floor(n / 50) * 1_000);
  for (let from = 0; from < 100_000; from += 5_000) {
    await rows.insertMany(
      Array.from({ length: 5_000 }, (_, n) => ({
        _id: (from + n) as never,
        state: `s${n % 4}`,
        at: at(from + n),
        title: `row ${from + n}`,
        text: 'x'.repeat(400),
        steps: [{ n: 1 }, { n: 2 }],
      })),
    );
  }
  const after = {
    $or: [{ at: { $lt: at(50_000) } }, { at: at(50_000), _id: { $lt: 50_025 as never } }],
  };
  const projection = { title: 1, state: 1, at: 1 };
  return [
    await cpu('a page of 20 in the middle of 100,000', 30, () =>
      rows.find(after, { projection }).sort({ at: -1, _id: -1 }).limit(21).toArray(),
    ),
    await cpu('the same of one state', 30, () =>
      rows
        .find({ $and: [{ state: 's1' }, after] }, { projection })
        .sort({ at: -1, _id: -1 })
        .limit(21)
        .toArray(),
    ),
    await cpu('a list of 1,000, three fields', undefined, () =>
      rows.find({}, { projection }).sort({ at: -1 }).limit(1_000).toArray(),
    ),
    await cpu('a list of 1,000, whole', undefined, () =>
      rows.find().sort({ at: -1 }).limit(1_000).toArray(),
    ),
    await cpu('a count of 25,000 by keys', 30, () => rows.countDocuments({ state: 's1' })),
    await cpu('estimatedDocumentCount', 1, () => rows.estimatedDocumentCount()),
  ];
}

async function cpu(
  name: string,
  below: number | undefined,
  work: () => Promise<unknown>,
): Promise<BenchResult> {
  for (let n = 0; n < 5; n++) await work();
  const before = process.cpuUsage();
  for (let n = 0; n < 30; n++) await work();
  const { user, system } = process.cpuUsage(before);
  return {
    name: `CPU of ${name}`,
    value: (user + system) / 1_000 / 30,
    unit: 'ms',
    ...(below === undefined ? {} : { target: { below } }),
  };
}

/** What the event loop of the service feels while the worker sorts 10,000 documents without an index. */
async function sortDelay(client: MongoClient): Promise<BenchResult> {
  const rows = client.db().collection('sorted');
  await rows.insertMany(
    Array.from({ length: 10_000 }, (_, n) => ({
      n,
      key: (n * 7_919) % 10_007,
      text: 'x'.repeat(200),
    })),
  );
  const sort = (): Promise<unknown> => rows.find().sort({ key: 1 }).limit(100).toArray();
  await sort();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const started = performance.now();
  for (let n = 0; n < 20; n++) await sort();
  const each = (performance.now() - started) / 20;
  delay.disable();
  return {
    name: 'event-loop delay p99 of the client during unindexed sorts',
    value: delay.percentile(99) / 1e6,
    unit: 'ms',
    target: { below: 10 },
    detail: `a sort of 10,000 takes ${Math.round(each)} ms`,
  };
}

async function rate(count: number, work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return (count * 1_000) / (performance.now() - started);
}

const middle = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
