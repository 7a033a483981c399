import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import type { Collection } from 'mongodb';
import { openEmbeddedStore } from '@hypha/embedded-mongo';
import type { EmbeddedStore } from '@hypha/embedded-mongo';

interface Row {
  _id: number;
  n?: number;
}

describe('the number of changes of a collection', () => {
  const dir = mkdtempSync(join(tmpdir(), 'changes-'));
  let store: EmbeddedStore;
  let client: MongoClient;
  let rows: Collection<Row>;
  let others: Collection<Row>;
  beforeAll(async () => {
    store = await openEmbeddedStore({ dir, placement: 'inline', durability: 'test' });
    client = await MongoClient.connect(store.uri);
    rows = client.db().collection<Row>('rows');
    others = client.db().collection<Row>('others');
    await rows.insertMany([{ _id: 1 }, { _id: 2 }]);
    await others.insertOne({ _id: 1 });
  });
  afterAll(async () => {
    await client.close();
    await store.close();
    rmSync(dir, { recursive: true, force: true });
  });

  it.each<[string, () => Promise<unknown>]>([
    ['insert', () => rows.insertOne({ _id: 3 })],
    ['update', () => rows.updateOne({ _id: 1 }, { $inc: { n: 1 } })],
    ['update of many', () => rows.updateMany({}, { $inc: { n: 1 } })],
    ['upsert', () => rows.updateOne({ _id: 9 }, { $set: { n: 1 } }, { upsert: true })],
    ['findAndModify', () => rows.findOneAndUpdate({ _id: 1 }, { $inc: { n: 1 } })],
    ['delete', () => rows.deleteOne({ _id: 3 })],
    ['bulk write', () => rows.bulkWrite([{ insertOne: { document: { _id: 4 } } }])],
    [
      'transaction',
      () =>
        client.withSession((session) =>
          session.withTransaction(() =>
            rows.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session }),
          ),
        ),
    ],
  ])('differs when a write of it is acknowledged: %s', async (_what, write) => {
    const before = [store.changeCount('rows'), store.changeCount('others')];
    await write();
    expect(store.changeCount('rows')).not.toBe(before[0]);
    expect(store.changeCount('others')).toBe(before[1]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['a read', () => rows.find().toArray()],
    ['a write that finds nothing', () => rows.updateOne({ _id: 77 }, { $inc: { n: 1 } })],
    ['a write that fails', () => rows.insertOne({ _id: 1 }).catch(() => undefined)],
    [
      'an aborted transaction',
      () =>
        client.withSession(async (session) => {
          session.startTransaction();
          await rows.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session });
          await session.abortTransaction();
        }),
    ],
  ])('stays the same after %s', async (_what, work) => {
    const before = store.changeCount('rows');
    await work();
    expect(store.changeCount('rows')).toBe(before);
  });

  it('differs for all after one was created or dropped', async () => {
    let before = store.changeCount('rows');
    await client.db().createCollection('more');
    expect(store.changeCount('rows')).not.toBe(before);
    before = store.changeCount('more');
    await client.db().dropCollection('more');
    expect(store.changeCount('more')).not.toBe(before);
  });
});
