import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedStore } from '@hypha/embedded-mongo';
import fc from 'fast-check';
import mongoose from 'mongoose';
import type { Collection } from '../../src/platform/store/collection';
import { CommitFeed } from '../../src/platform/store/commits/commit-feed';
import { NEVER_FULL } from '../../src/platform/store/full-disk';
import { schemaOf } from '../../src/platform/store/schema';
import { Store } from '../../src/platform/store/store';
import { storeProxy } from '../support/peers/store-proxy';
import { until } from '../support/until';

interface Widget {
  readonly _id: number;
  readonly title: string;
}
const widgetSchema = schemaOf<Widget>({ _id: Number, title: String });

interface Process {
  readonly store: Store;
  readonly feed: CommitFeed;
  readonly widgets: Collection<Widget>;
  readonly commands: string[];
  readonly close: () => Promise<void>;
}

let dir: string;
let server: Awaited<ReturnType<typeof openEmbeddedStore>>;
let left: Process;
let right: Process;

async function openProcess(uri = server.uri): Promise<Process> {
  const connection = await mongoose
    .createConnection(uri, { autoIndex: false, autoCreate: false, monitorCommands: true })
    .asPromise();
  const feed = new CommitFeed(connection);
  const store = new Store(connection, false, null, NEVER_FULL, feed);
  const widgets = store.collection('Widget', widgetSchema, 'widgets');
  await store.prepare();
  const commands: string[] = [];
  connection.getClient().on('commandStarted', ({ commandName, command }) => {
    if (command[commandName] === 'widgets') commands.push(commandName);
  });
  return {
    store,
    feed,
    widgets,
    commands,
    async close() {
      await feed.stop();
      await connection.close();
    },
  };
}

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'hypha-feed-'));
  server = await openEmbeddedStore({ dir, placement: 'inline', durability: 'test' });
  [left, right] = [await openProcess(), await openProcess()];
});
afterAll(async () => {
  await left.close();
  await right.close();
  await server.close();
  rmSync(dir, { recursive: true, force: true });
});

const titlesAt = async ({ store, widgets }: Process): Promise<string[]> => {
  await store.catchUp();
  return (await widgets.find({}, { sort: { _id: 1 } })).map(({ _id, title }) => `${_id} ${title}`);
};

const storedTitles = async (): Promise<string[]> =>
  (
    await left.store.connection
      .collection<Widget>('widgets')
      .find({}, { sort: { _id: 1 } })
      .toArray()
  ).map(({ _id, title }) => `${_id} ${title}`);

/** Every way to write records, each with the ids that it is about. */
const writes: Readonly<
  Record<string, (target: Process, id: number, title: string) => Promise<unknown>>
> = {
  insert: ({ widgets }, _id, title) => widgets.insert({ _id, title }).catch(() => undefined),
  insertMany: ({ store, widgets }, _id, title) =>
    store.transaction((tx) => widgets.insertMany([{ _id, title }], tx)).catch(() => undefined),
  insertLater: ({ store, widgets }, _id, title) =>
    store
      .transaction((tx) => Promise.resolve(widgets.insertLater({ _id, title }, tx)))
      .catch(() => undefined),
  change: ({ store, widgets }, id, title) =>
    store.transaction((tx) => widgets.change(id, { title }, tx)).catch(() => undefined),
  changeLater: ({ store, widgets }, _id, title) =>
    store
      .transaction((tx) => Promise.resolve(widgets.changeLater({ _id }, { title }, tx)))
      .catch(() => undefined),
  updateLater: ({ store, widgets }, _id, title) =>
    store.transaction((tx) =>
      Promise.resolve(
        widgets.updateLater(
          { filter: { title: `of ${_id}` }, update: { $set: { title } }, isOptional: true },
          tx,
        ),
      ),
    ),
  updateOne: ({ widgets }, _id, title) => widgets.updateOne({ _id }, { $set: { title } }),
  updateMany: ({ widgets }, _id, title) => widgets.updateMany({}, { $set: { title } }),
  updateEach: ({ widgets }, _id, title) =>
    widgets.updateEach([{ filter: { _id }, update: { $set: { title } }, upsert: true }]),
  upsert: ({ widgets }, _id, title) => widgets.upsert({ _id }, { $set: { title } }),
  findOneAndUpdate: ({ widgets }, _id, title) =>
    widgets.findOneAndUpdate({ _id: { $in: [_id, _id + 1] } }, { $set: { title } }),
  deleteOne: ({ widgets }, _id) => widgets.deleteOne({ _id }),
  deleteMany: ({ widgets }, _id) => widgets.deleteMany({ _id: { $gt: _id } }),
  findOneAndDelete: ({ widgets }, _id) => widgets.findOneAndDelete({ _id }),
};

it('each process reads what any other has written before, by every kind of write', async () => {
  const step = fc.record({
    at: fc.constantFrom('left', 'right'),
    kind: fc.constantFrom(...Object.keys(writes)),
    ids: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      for (const [nth, { at, kind, ids }] of steps.entries()) {
        const writer = at === 'left' ? left : right;
        await Promise.all(ids.map((id, part) => writes[kind](writer, id, `t${nth}.${part}`)));
        const stored = await storedTitles();
        expect(await titlesAt(left)).toEqual(stored);
        expect(await titlesAt(right)).toEqual(stored);
        const [first, second] = await Promise.all([left.widgets.byId(1), right.widgets.byId(1)]);
        expect(first).toEqual(second);
      }
    }),
    { numRuns: 60 },
  );
});

it('reads come from memory until another process writes', async () => {
  await left.widgets.upsert({ _id: 1 }, { $set: { title: 'before' } });
  await titlesAt(right);
  right.commands.length = 0;
  await titlesAt(right);
  await right.widgets.byId(1);
  expect(right.commands).toEqual([]);
  await left.widgets.updateOne({ _id: 1 }, { $set: { title: 'after' } });
  expect(await titlesAt(right)).toContain('1 after');
  expect(right.commands).toEqual(['find']);
});

it('a process that does not know yet that it has committed reads what others know', async () => {
  const proxy = await storeProxy(server.uri);
  const late = await openProcess(proxy.uri);
  for (const title of ['one', 'two']) {
    await left.widgets.upsert({ _id: 1 }, { $set: { title: 'before' } });
    expect(await titlesAt(late)).toContain('1 before');
    await late.widgets.byId(1);
    proxy.inject((name) => (name === 'commitTransaction' ? { delayMs: 500 } : null));
    const writing =
      title === 'one'
        ? late.widgets.updateOne({ _id: 1 }, { $set: { title } })
        : late.widgets.updateMany({ title: 'before' }, { $set: { title } });
    await until(async () => (await titlesAt(left)).includes(`1 ${title}`));
    expect(await titlesAt(late)).toContain(`1 ${title}`);
    expect((await late.widgets.byId(1))?.title).toBe(title);
    proxy.inject(() => null);
    await writing;
    expect(await titlesAt(late)).toContain(`1 ${title}`);
  }
  await late.close();
  await proxy.close();
});

it('a process that misses more notes than a slot has reads everything again', async () => {
  await titlesAt(right);
  for (let nth = 0; nth < 200; nth += 1)
    await left.widgets.upsert({ _id: nth === 0 ? 3 : 9 }, { $set: { title: `many ${nth}` } });
  expect(await titlesAt(right)).toContain('3 many 0');
});

it('concurrent transactions of a process do not conflict by their notes', async () => {
  const before = left.store.transactions.failed;
  let attempts = 0;
  await Promise.all(
    Array.from({ length: 20 }, (_, nth) =>
      left.store.transaction(async (tx) => {
        attempts += 1;
        await left.widgets.insert({ _id: 100 + nth, title: 'own' }, tx);
      }),
    ),
  );
  expect(attempts).toBe(20);
  expect(left.store.transactions.failed).toBe(before);
  expect((await titlesAt(right)).filter((title) => title.endsWith('own'))).toHaveLength(20);
});

it('an event of a transaction comes with its changes, and not without them', async () => {
  await left.widgets.upsert({ _id: 1 }, { $set: { title: 'before' } });
  await titlesAt(right);
  await right.widgets.byId(1);
  const read: Promise<Widget | null>[] = [];
  right.feed.onEvents = () => read.push(right.widgets.byId(1));
  const write = (title: string, fails: boolean): Promise<void> =>
    left.store.transaction(async (tx) => {
      await left.widgets.change(1, { title }, tx);
      tx.changed.addEvent('topic', { title });
      if (fails) throw new Error('rolled back');
    });
  await expect(write('never', true)).rejects.toThrow('rolled back');
  await write('after', false);
  await right.feed.catchUp();
  expect((await Promise.all(read)).map((widget) => widget?.title)).toEqual(['after']);
});

it('events reach other processes in order, each once', async () => {
  const received: unknown[] = [];
  right.feed.onEvents = (events) => received.push(...events);
  for (let nth = 0; nth < 50; nth += 1) left.feed.send('topic', { nth, at: new Date(nth) });
  await until(() => Promise.resolve(received.length >= 50));
  expect(received).toEqual(
    Array.from({ length: 50 }, (_, nth) => ['topic', { nth, at: new Date(nth) }]),
  );
});
