import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import type { ClientSession, Collection } from 'mongodb';
import { openEmbeddedStore } from '@hypha/embedded-mongo';
import type { EmbeddedStore } from '@hypha/embedded-mongo';

interface Row {
  _id: number;
  text?: string;
  flag?: boolean;
}

const MAP_SIZE = 32 * 1024 * 1024;
const TEXT = 'x'.repeat(64 * 1024);
const FULL = { code: 14031 };

describe('the reserve of a full store', () => {
  const dir = mkdtempSync(join(tmpdir(), 'reserve-'));
  let store: EmbeddedStore;
  let client: MongoClient;
  let rows: Collection<Row>;
  let sessions: Collection<Row>;
  let runs: Collection<Row>;
  let next = 0;

  beforeAll(async () => {
    store = await openEmbeddedStore({
      dir,
      placement: 'inline',
      durability: 'test',
      mapSize: MAP_SIZE,
      necessary: { added: ['sessions'], changed: ['runs'] },
    });
    client = await MongoClient.connect(store.uri);
    const database = client.db();
    [rows, sessions, runs] = ['rows', 'sessions', 'runs'].map((name) =>
      database.collection<Row>(name),
    ) as [Collection<Row>, Collection<Row>, Collection<Row>];
    await sessions.insertOne({ _id: 0 });
    await runs.insertOne({ _id: 0 });
    await fill(() => rows.insertOne({ _id: (next += 1), text: TEXT }));
  });
  afterAll(async () => {
    await client.close();
    await store.close();
    rmSync(dir, { recursive: true, force: true });
  });

  /** Writes until the store refuses. */
  async function fill(write: () => Promise<unknown>): Promise<void> {
    for (;;) {
      try {
        await write();
      } catch (error) {
        expect(error).toMatchObject(FULL);
        return;
      }
    }
  }
  const transaction = (work: (session: ClientSession) => Promise<unknown>): Promise<unknown> =>
    client.withSession(async (session) => {
      session.startTransaction();
      try {
        await work(session);
        await session.commitTransaction();
      } catch (error) {
        if (session.inTransaction()) await session.abortTransaction();
        throw error;
      }
    });

  async function expectFreed(): Promise<void> {
    const [first, second] = await rows
      .find({}, { projection: { _id: 1 } })
      .limit(2)
      .toArray();
    await rows.deleteOne({ _id: first?._id });
    await transaction(async (session) => {
      await rows.deleteOne({ _id: second?._id }, { session });
      await sessions.insertOne({ _id: (next += 1), text: 'deleted' }, { session });
    });
    await sessions.insertOne({ _id: (next += 1), text: 'signed in' });
    await rows.updateOne({}, { $set: { flag: true } });
  }

  it('takes no new documents and no growing ones, alone or in a transaction', async () => {
    const id = (next += 1);
    await expect(rows.insertOne({ _id: id, text: 'a' })).rejects.toMatchObject(FULL);
    await expect(
      rows.updateOne({ _id: id }, { $set: { text: 'a' } }, { upsert: true }),
    ).rejects.toMatchObject(FULL);
    await expect(rows.updateOne({ _id: 1 }, { $set: { text: TEXT + TEXT } })).rejects.toMatchObject(
      FULL,
    );
    await expect(
      rows.findOneAndUpdate({ _id: 1 }, { $set: { text: TEXT + TEXT } }),
    ).rejects.toMatchObject(FULL);
    await expect(
      transaction((session) =>
        rows.updateOne({ _id: 1 }, { $set: { text: TEXT + TEXT } }, { session }),
      ),
    ).rejects.toMatchObject(FULL);
    await expect(
      transaction(async (session) => {
        await rows.deleteOne({ _id: 1 }, { session });
        await rows.insertMany(
          [
            { _id: id, text: TEXT },
            { _id: id + 1, text: TEXT },
          ],
          { session },
        );
      }),
    ).rejects.toMatchObject(FULL);
    expect(await rows.countDocuments({ _id: { $gte: id } })).toBe(0);
    expect(await rows.findOne({ _id: 1 })).toEqual({ _id: 1, text: TEXT });
  });

  it('takes deletes, small changes and necessary documents', expectFreed);

  it('ends runs, but the rest of it is for deletes and sessions', async () => {
    await transaction(async (session) => {
      await runs.updateOne({ _id: 0 }, { $set: { text: 'ended' } }, { session });
      await rows.insertOne({ _id: (next += 1), text: 'event' }, { session });
    });
    let flag = false;
    await fill(() =>
      transaction(async (session) => {
        await runs.updateOne({ _id: 0 }, { $set: { flag: (flag = !flag) } }, { session });
        await rows.insertOne({ _id: (next += 1), text: TEXT }, { session });
      }),
    );
    await runs.updateOne({ _id: 0 }, { $set: { flag: !flag } });
    for (let nth = 0; nth < 3; nth += 1) await expectFreed();
  });
});
