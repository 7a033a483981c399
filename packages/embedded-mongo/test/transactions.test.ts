import { Long } from 'mongodb';
import type { ClientSession, Collection, MongoServerError } from 'mongodb';
import { longIt } from '../../../test/support/long';
import { storeFixture } from './support/store-fixture';
import type { StoreFixture } from './support/store-fixture';

interface Counter {
  _id: string;
  n: number;
}

describe('transactions', () => {
  let fixture: StoreFixture;
  let counters: Collection<Counter>;
  beforeAll(async () => {
    fixture = await storeFixture();
  });
  beforeEach(async () => {
    counters = await fixture.collection<Counter>();
    await counters.insertOne({ _id: 'a', n: 0 });
  });
  afterAll(() => fixture.close());

  const inSession = <T>(run: (session: ClientSession) => Promise<T>): Promise<T> =>
    fixture.client.withSession(run);

  it('show their writes only to themselves until they are committed', async () => {
    await inSession(async (session) => {
      session.startTransaction();
      await counters.insertMany(
        [
          { _id: 'c', n: 3 },
          { _id: 'b', n: 2 },
        ],
        { session },
      );
      await counters.deleteOne({ _id: 'a' }, { session });
      await counters.updateOne({ _id: 'c' }, { $inc: { n: 1 } }, { session });
      expect(await counters.find({}, { session }).sort({ _id: 1 }).toArray()).toEqual([
        { _id: 'b', n: 2 },
        { _id: 'c', n: 4 },
      ]);
      expect(await counters.find().toArray()).toEqual([{ _id: 'a', n: 0 }]);
      await session.commitTransaction();
      expect((await counters.find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id)).toEqual([
        'b',
        'c',
      ]);
    });
  });

  it('leave nothing behind when they are aborted', async () => {
    await inSession(async (session) => {
      session.startTransaction();
      await counters.updateOne({ _id: 'a' }, { $set: { n: 9 } }, { session });
      await counters.insertOne({ _id: 'x', n: 1 }, { session });
      await session.abortTransaction();
    });
    expect(await counters.find().toArray()).toEqual([{ _id: 'a', n: 0 }]);
  });

  it('read the snapshot of their first read', async () => {
    await inSession(async (session) => {
      session.startTransaction();
      expect(await counters.countDocuments({}, { session })).toBe(1);
      await counters.insertOne({ _id: 'later', n: 1 });
      expect(await counters.countDocuments({}, { session })).toBe(1);
      await session.commitTransaction();
      expect(await counters.countDocuments({}, { session })).toBe(2);
    });
  });

  it('conflict when they write a document changed by another one', async () => {
    await inSession(async (session) => {
      session.startTransaction();
      await counters.findOne({ _id: 'a' }, { session });
      await counters.updateOne({ _id: 'a' }, { $inc: { n: 1 } });
      const failure = await counters
        .updateOne({ _id: 'a' }, { $inc: { n: 1 } }, { session })
        .catch((error: unknown) => error as MongoServerError);
      expect(failure).toMatchObject({ code: 112, codeName: 'WriteConflict' });
      expect((failure as MongoServerError).hasErrorLabel('TransientTransactionError')).toBe(true);
      await expect(counters.findOne({ _id: 'a' }, { session })).rejects.toMatchObject({
        code: 251,
      });
      await session.abortTransaction();
    });
  });

  it('block a plain writer until they end', async () => {
    await inSession(async (session) => {
      session.startTransaction();
      await counters.updateOne({ _id: 'a' }, { $inc: { n: 1 } }, { session });
      let waits = true;
      const plain = counters
        .updateOne({ _id: 'a' }, { $inc: { n: 10 } })
        .finally(() => (waits = false));
      expect(await counters.findOne({ _id: 'a' }, { session })).toEqual({ _id: 'a', n: 1 });
      await counters.insertOne({ _id: 'b', n: 0 });
      expect(waits).toBe(true);
      await session.commitTransaction();
      await plain;
    });
    expect(await counters.findOne({ _id: 'a' })).toEqual({ _id: 'a', n: 11 });
  });

  it.each(['update', 'delete', 'findAndModify', 'upsert', 'updateMany'] as const)(
    'are not starved by a plain %s of the same document in a loop',
    async (kind) => {
      await counters.createIndex({ n: 1 });
      const plain: Record<typeof kind, () => Promise<unknown>> = {
        update: () => counters.updateOne({ _id: 'a' }, { $inc: { n: 1 } }),
        delete: () =>
          counters.deleteOne({ _id: 'a' }).then(() => counters.insertOne({ _id: 'a', n: 0 })),
        findAndModify: () => counters.findOneAndUpdate({ _id: 'a' }, { $inc: { n: 1 } }),
        upsert: () => counters.replaceOne({ _id: 'a' }, { n: 1 }, { upsert: true }),
        updateMany: () => counters.updateMany({ n: { $gte: 0 } }, { $inc: { n: 1 } }),
      };
      let running = true;
      const writers = Array.from({ length: 4 }, async () => {
        // A second insert between delete and insert is correctly rejected.
        while (running)
          await plain[kind]().catch((error: MongoServerError) => expect(error.code).toBe(11000));
      });
      for (let turn = 0; turn < 10; turn++) {
        await inSession((session) =>
          session.withTransaction(async () => {
            const before = await counters.findOne({ _id: 'a' }, { session });
            await counters.replaceOne(
              { _id: 'a' },
              { n: (before?.n ?? 0) + 1 },
              { upsert: true, session },
            );
          }),
        );
      }
      running = false;
      await Promise.all(writers);
    },
  );

  it('lose no update when ten of them read and write the same document', async () => {
    await Promise.all(
      Array.from({ length: 10 }, () =>
        inSession((session) =>
          session.withTransaction(async () => {
            const before = await counters.findOne({ _id: 'a' }, { session });
            await counters.updateOne({ _id: 'a' }, { $set: { n: before!.n + 1 } }, { session });
          }),
        ),
      ),
    );
    expect(await counters.findOne({ _id: 'a' })).toEqual({ _id: 'a', n: 10 });
  });

  it('end at a duplicate key, which is not retryable', async () => {
    await counters.createIndex({ n: 1 }, { unique: true });
    await inSession(async (session) => {
      session.startTransaction();
      await counters.insertOne({ _id: 'b', n: 1 }, { session });
      const failure = await counters
        .insertOne({ _id: 'c', n: 0 }, { session })
        .catch((error: unknown) => error as MongoServerError);
      expect(failure).toMatchObject({ code: 11000 });
      expect((failure as MongoServerError).hasErrorLabel('TransientTransactionError')).toBe(false);
      await expect(session.commitTransaction()).rejects.toMatchObject({ code: 251 });
    });
    expect(await counters.countDocuments()).toBe(1);
  });

  it('conflict when two insert the same unique key', async () => {
    await counters.createIndex({ n: 1 }, { unique: true });
    await inSession((one) =>
      inSession(async (two) => {
        one.startTransaction();
        two.startTransaction();
        await counters.insertOne({ _id: 'one', n: 5 }, { session: one });
        await expect(
          counters.insertOne({ _id: 'two', n: 5 }, { session: two }),
        ).rejects.toMatchObject({ code: 112 });
        await one.commitTransaction();
      }),
    );
    expect(await counters.find({ n: 5 }).toArray()).toEqual([{ _id: 'one', n: 5 }]);
  });

  it('conflict with a concurrently built index, which would miss their documents', async () => {
    await inSession(async (session) => {
      session.startTransaction();
      await counters.insertOne({ _id: 'b', n: 1 }, { session });
      await counters.createIndex({ n: 1 });
      await expect(session.commitTransaction()).rejects.toMatchObject({ code: 112 });
    });
  });

  it('answer a repeated commit with ok', async () => {
    await inSession(async (session) => {
      session.startTransaction();
      await counters.insertOne({ _id: 'b', n: 1 }, { session });
      await session.commitTransaction();
      await session.commitTransaction();
    });
    expect(await counters.countDocuments()).toBe(2);
  });

  it('continue reading in their cursors', async () => {
    await counters.insertMany(Array.from({ length: 300 }, (_, n) => ({ _id: `m${n}`, n })));
    await inSession(async (session) => {
      session.startTransaction();
      const cursor = counters.find({}, { session, batchSize: 50 });
      await cursor.next();
      await counters.deleteMany({});
      let count = 1;
      for await (const _ of cursor) count++;
      expect(count).toBe(301);
      await session.abortTransaction();
    });
  });

  it('reject creating collections and indexes, and the count command', async () => {
    await inSession(async (session) => {
      session.startTransaction();
      await expect(
        fixture.db.collection('missing').insertOne({ a: 1 }, { session }),
      ).rejects.toMatchObject({ code: 263 });
      await session.abortTransaction();
      session.startTransaction();
      await expect(counters.createIndex({ n: 1 }, { session })).rejects.toMatchObject({
        code: 263,
      });
      await session.abortTransaction();
      session.startTransaction();
      await expect(
        fixture.db.command({ count: counters.collectionName }, { session }),
      ).rejects.toMatchObject({ code: 263 });
      await session.abortTransaction();
    });
  });

  longIt('leave capacity for other clients when many are left open', async () => {
    const sessions: ClientSession[] = [];
    let refused: MongoServerError | undefined;
    while (refused === undefined && sessions.length < 2_000) {
      const session = fixture.client.startSession();
      sessions.push(session);
      session.startTransaction();
      refused = await counters.findOne({ _id: 'a' }, { session }).then(
        () => undefined,
        (error: unknown) => error as MongoServerError,
      );
      // Each of them reads a different snapshot.
      await counters.updateOne({ _id: 'a' }, { $inc: { n: 1 } });
    }
    expect(refused).toMatchObject({ code: 24 });
    expect(refused!.hasErrorLabel('TransientTransactionError')).toBe(true);
    expect(await counters.findOne({ _id: 'a' })).toEqual({ _id: 'a', n: sessions.length });
    for (const session of sessions) await session.endSession();
    await inSession((session) =>
      session.withTransaction(() =>
        counters.updateOne({ _id: 'a' }, { $set: { n: 0 } }, { session }),
      ),
    );
    expect(await counters.findOne({ _id: 'a' })).toEqual({ _id: 'a', n: 0 });
  });

  longIt(
    'lose to a plain writer that would wait forever, such as one in the same client with a leaked session',
    async () => {
      await inSession(async (session) => {
        session.startTransaction();
        await counters.updateOne({ _id: 'a' }, { $inc: { n: 1 } }, { session });
        await counters.updateOne({ _id: 'a' }, { $set: { n: 10 } });
        await expect(session.commitTransaction()).rejects.toMatchObject({ code: 112 });
      });
      expect(await counters.findOne({ _id: 'a' })).toMatchObject({ n: 10 });
    },
  );
});

describe('an abandoned transaction', () => {
  afterEach(() => jest.restoreAllMocks());

  it('is aborted a minute after its last command', async () => {
    const fixture = await storeFixture();
    const rows = await fixture.collection();
    const start = Date.now();
    await fixture.client.withSession(async (session) => {
      session.startTransaction();
      await rows.insertOne({ n: 1 }, { session });
      jest.spyOn(Date, 'now').mockImplementation(() => start + 61_000);
      await expect(rows.insertOne({ n: 2 }, { session })).rejects.toMatchObject({ code: 251 });
      await session.abortTransaction();
    });
    expect(await rows.countDocuments()).toBe(0);
    await fixture.close();
  });
});

describe('retryable writes', () => {
  it('execute once per number, however often they are sent', async () => {
    const fixture = await storeFixture();
    const rows = await fixture.collection<Counter>();
    await rows.insertOne({ _id: 'a', n: 0 });
    await fixture.client.withSession(async (session) => {
      const increment = (txnNumber: number): Promise<unknown> =>
        fixture.db.command(
          {
            update: rows.collectionName,
            updates: [{ q: { _id: 'a' }, u: { $inc: { n: 1 } } }],
            txnNumber: Long.fromNumber(txnNumber),
          },
          { session },
        );
      expect(await increment(1_001)).toMatchObject({ n: 1, nModified: 1 });
      expect(await increment(1_001)).toMatchObject({ n: 1, nModified: 1 });
      await Promise.all([increment(1_002), increment(1_002), increment(1_002)]);
      expect(await rows.findOne({ _id: 'a' })).toMatchObject({ n: 2 });
      await expect(increment(1_001)).rejects.toMatchObject({ code: 225 });
    });
    await fixture.close();
  });
});
