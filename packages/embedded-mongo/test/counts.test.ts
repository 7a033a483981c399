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

describe('the count of a collection', () => {
  const dir = mkdtempSync(join(tmpdir(), 'counts-'));
  let store: EmbeddedStore;
  let client: MongoClient;
  let rows: Collection<Row>;

  const open = async (): Promise<void> => {
    store = await openEmbeddedStore({ dir, placement: 'inline', durability: 'test' });
    client = await MongoClient.connect(store.uri);
    rows = client.db().collection<Row>('rows');
  };
  const close = async (): Promise<void> => {
    await client.close();
    await store.close();
  };
  const expectExact = async (): Promise<void> => {
    const total = (await rows.find().toArray()).length;
    expect(await rows.estimatedDocumentCount()).toBe(total);
    expect(await rows.countDocuments()).toBe(total);
    expect(await rows.countDocuments({}, { skip: 3, limit: 5 })).toBe(
      Math.min(5, Math.max(0, total - 3)),
    );
  };

  beforeAll(open);
  afterAll(async () => {
    await close();
    rmSync(dir, { recursive: true, force: true });
  });

  it('follows every kind of write', async () => {
    await rows.createIndex({ n: 1 }, { unique: true, sparse: true });
    await rows.insertMany(Array.from({ length: 20 }, (_, n) => ({ _id: n, n })));
    await expectExact();
    await expect(
      rows.insertMany([{ _id: 100 }, { _id: 3 }, { _id: 101, n: 5 }, { _id: 102 }], {
        ordered: false,
      }),
    ).rejects.toMatchObject({ code: 11000 });
    await expectExact();
    await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        rows.updateOne({ _id: 200 + (n % 3) }, { $set: { n: 200 + (n % 3) } }, { upsert: true }),
      ),
    );
    await Promise.all([
      rows.deleteMany({ n: { $lt: 5 } }),
      rows.deleteOne({ _id: 4 }),
      rows.deleteOne({ _id: 999 }),
      rows.findOneAndDelete({ _id: 10 }),
    ]);
    await rows.replaceOne({ _id: 11 }, { n: 1_000 });
    await expectExact();
  });

  it('follows committed transactions', async () => {
    const before = await rows.estimatedDocumentCount();
    const session = client.startSession();
    session.startTransaction();
    await rows.insertMany([{ _id: 500 }, { _id: 501 }], { session });
    await rows.deleteOne({ _id: 11 }, { session });
    expect(await rows.countDocuments({}, { session })).toBe(before + 1);
    await rows.insertOne({ _id: 502 });
    expect(await rows.estimatedDocumentCount()).toBe(before + 1);
    await session.commitTransaction();
    expect(await rows.estimatedDocumentCount()).toBe(before + 2);
    session.startTransaction();
    await rows.insertOne({ _id: 503 }, { session });
    await session.abortTransaction();
    await session.endSession();
    await expectExact();
  });

  it('is kept after a restart', async () => {
    await close();
    await open();
    await expectExact();
  });

  it('is reset for a dropped and recreated collection', async () => {
    await rows.drop();
    expect(await rows.estimatedDocumentCount()).toBe(0);
    await rows.insertOne({ _id: 1 });
    expect(await rows.estimatedDocumentCount()).toBe(1);
  });
});
