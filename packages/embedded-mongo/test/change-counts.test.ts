import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient, ObjectId } from 'mongodb';
import type { ClientSession, Collection } from 'mongodb';
import { openEmbeddedStore } from '@hypha/embedded-mongo';
import type { EmbeddedStore } from '@hypha/embedded-mongo';

interface Row {
  _id: number;
  n?: number;
}

const ids = [10, 2 ** 40, -1, 0.5, 'text', 'a\0b', 'ü'.repeat(60), new ObjectId()];

describe('the number of changes', () => {
  const dir = mkdtempSync(join(tmpdir(), 'changes-'));
  let store: EmbeddedStore;
  let client: MongoClient;
  let rows: Collection<Row>;
  let others: Collection<Row>;
  const countOf = (name: string) => store.changes.at(store.changes.cellOfCollection(name));
  const inTransaction = (work: (session: ClientSession) => Promise<unknown>) =>
    client.withSession((session) => session.withTransaction(() => work(session)));
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
      () => inTransaction((session) => rows.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session })),
    ],
  ])('differs when a write of it is acknowledged: %s', async (_what, write) => {
    const counts = () => [countOf('rows'), countOf('others')];
    const before = counts();
    await write();
    const after = counts();
    expect([after[0] === before[0], after[1] === before[1]]).toEqual([false, true]);
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
    const before = countOf('rows');
    await work();
    expect(countOf('rows')).toBe(before);
  });

  it.each<[string, (at: Collection<any>, id: any) => Promise<unknown>]>([
    ['insert', (at, id) => at.insertOne({ _id: id })],
    ['update', (at, id) => at.updateOne({ _id: id }, { $inc: { n: 1 } })],
    [
      'transaction',
      (at, id) =>
        inTransaction((session) => at.updateOne({ _id: id }, { $inc: { n: 1 } }, { session })),
    ],
    ['delete', (at, id) => at.deleteOne({ _id: id })],
  ])('of a document differs after each write of it only: %s', async (_what, write) => {
    const counts = () =>
      ['rows', 'others'].flatMap((name) =>
        ids.map((id) => store.changes.at(store.changes.cellOfDocument(name, id))),
      );
    for (const [nth, id] of ids.entries()) {
      const before = counts();
      await write(rows, id);
      const after = counts();
      expect(after.flatMap((count, at) => (count === before[at] ? [] : [at]))).toEqual([nth]);
    }
  });

  it('differs for all after one was created or dropped', async () => {
    let before = countOf('rows');
    await client.db().createCollection('more');
    expect(countOf('rows')).not.toBe(before);
    before = countOf('more');
    await client.db().dropCollection('more');
    expect(countOf('more')).not.toBe(before);
  });
});
