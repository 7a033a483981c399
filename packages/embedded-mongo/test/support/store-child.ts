import { MongoClient } from 'mongodb';
import type { Collection } from 'mongodb';
import { execFileSync } from 'node:child_process';
import { statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { openEmbeddedStore } from '@hypha/embedded-mongo';

/**
 * A process that opens a store and works on it until it is killed or has nothing to do. Every line it prints was true before it was
 * printed; the pipe is written synchronously, so a kill cannot take back a line.
 *   store-child.js <dir> <placement> write|hold|fill|limit|exit|die [most bytes of data]
 */
interface Row {
  _id: string;
  writer: number;
  text: string;
}

const say = (line: string): void => void writeSync(1, `${line}\n`);

let worker: Worker | undefined;
process.on('worker', (started: Worker) => (worker = started));

async function main([dir, placement, task, mapSize]: string[]): Promise<void> {
  const store = await openEmbeddedStore({
    dir,
    placement: placement as 'worker' | 'inline',
    durability: 'full',
    mapSize: mapSize === undefined ? undefined : Number(mapSize),
    log: (_, message) => say(`log ${message}`),
  });
  const client = new MongoClient(store.uri, { maxPoolSize: 40 });
  const db = client.db();
  say('ready');
  if (task === 'hold') return say(`uri ${store.uri}`);
  // The service only waits for requests, so the end of its store must end it.
  if (task === 'die') {
    await worker?.terminate();
    await new Promise((resolve) => setTimeout(resolve, 60_000));
  }
  const single = db.collection<Row>('single');
  await Promise.all(
    ['left', 'right', 'single'].map((name) => db.createCollection(name).catch(() => undefined)),
  );
  await single.createIndexes([{ key: { writer: 1 } }, { key: { text: 1 }, unique: true }]);
  // During the writes that begin below, without closing anything.
  if (task === 'exit') setTimeout(() => process.exit(0), 20 + Math.random() * 100);
  if (task === 'fill') await fill(single);
  else if (task === 'limit') await exceed(single, join(dir, 'data.mdb'));
  else
    await Promise.all(
      Array.from({ length: 20 }, (_, writer) =>
        writer % 4 === 0 ? transact(client, writer) : insert(single, writer),
      ),
    );
  await client.close();
  await store.close();
  say('closed');
}

async function insert(single: Collection<Row>, writer: number): Promise<void> {
  for (let n = 0; ; n++) {
    const _id = `${process.pid}-${writer}-${n}`;
    await single.insertOne({ _id, writer, text: `text ${_id}` });
    say(`single ${_id}`);
  }
}

async function transact(client: MongoClient, writer: number): Promise<void> {
  const [left, right] = ['left', 'right'].map((name) => client.db().collection<Row>(name));
  for (let n = 0; ; n++) {
    const row = { _id: `${process.pid}-${writer}-${n}`, writer, text: 'pair' };
    await client.withSession((session) =>
      session.withTransaction(async () => {
        await left.insertOne(row, { session });
        await right.insertOne(row, { session });
      }),
    );
    say(`pair ${row._id}`);
  }
}

/** Writes until the disk is full, then shows that reads and deletes work and that there is space afterwards. */
async function fill(single: Collection<Row>): Promise<void> {
  const rows = (n: number): Row => ({ _id: `${n}`, writer: n, text: `${n} ${'x'.repeat(20_000)}` });
  let n = 0;
  let failure: unknown;
  while (failure === undefined) {
    await single.insertOne(rows(n)).then(
      () => n++,
      (error: unknown) => (failure = error),
    );
  }
  say(`full ${(failure as { code?: number }).code}`);
  say(`readable ${(await single.find().toArray()).length === n}`);
  say(`deleted ${(await single.deleteMany({ writer: { $lt: 40 } })).deletedCount}`);
  for (let again = 0; again < 5; again++) await single.insertOne(rows(1_000_000 + again));
  say(`count ${(await single.countDocuments()) === n - 35}`);
}

/** Writes until the system rejects a larger file with a native error, and again when it accepts one. */
async function exceed(single: Collection<Row>, file: string): Promise<void> {
  const limit = (bytes: string): void =>
    void execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:unlimited`]);
  const row = (n: number): Row => ({ _id: `${n}`, writer: n, text: `${n} ${'x'.repeat(20_000)}` });
  const insert = (n: number): Promise<number> =>
    single.insertOne(row(n)).then(
      () => 0,
      (error: { code?: number }) => error.code ?? 1,
    );
  limit(String(statSync(file).size + 200_000));
  let n = 0;
  let refused = 0;
  while (refused === 0 && n < 1_000) refused = await insert(n++);
  say(`refused ${refused}`);
  say(`readable ${(await single.countDocuments()) === n - 1}`);
  limit('unlimited');
  while ((await insert(n)) !== 0);
  say(`written ${(await single.countDocuments()) === n}`);
}

void main(process.argv.slice(2)).catch((error: unknown) => {
  say(`error ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
});
