import type { ClientSession, MongoServerError } from 'mongodb';
import { failing, giving } from './case';
import type { MatrixCase, Row, Stage } from './case';

const rows: readonly Row[] = [
  { _id: 1, n: 1 },
  { _id: 2, n: 2 },
];

type Work = (stage: Stage, session: ClientSession) => Promise<unknown>;

const inSession =
  (work: Work): MatrixCase['run'] =>
  async (stage) => {
    const session = stage.client.startSession();
    try {
      return await work(stage, session);
    } finally {
      if (session.inTransaction()) await session.abortTransaction();
      await session.endSession();
    }
  };

const inTransaction = (work: Work): MatrixCase['run'] =>
  inSession(async (stage, session) => {
    session.startTransaction();
    return work(stage, session);
  });

const errorOf = (operation: Promise<unknown>): Promise<MongoServerError> =>
  operation.then(
    () => {
      throw new Error('no error');
    },
    (failure: MongoServerError) => failure,
  );

/** Commit, abort, isolation, conflicts. */
export const transactionCases: readonly MatrixCase[] = [
  giving(
    'a commit makes every write visible',
    rows,
    [rows, [{ _id: 1, n: 11 }, { _id: 3 }]],
    inTransaction(async ({ c }, session) => {
      await c.insertOne({ _id: 3 }, { session });
      await c.updateOne({ _id: 1 }, { $inc: { n: 10 } }, { session });
      await c.deleteOne({ _id: 2 }, { session });
      const before = await c.find({}, { sort: { _id: 1 } }).toArray();
      await session.commitTransaction();
      return [before, await c.find({}, { sort: { _id: 1 } }).toArray()];
    }),
  ),
  giving(
    'an abort leaves nothing behind',
    rows,
    rows,
    inTransaction(async ({ c }, session) => {
      await c.updateMany({}, { $set: { n: 0 } }, { session });
      await session.abortTransaction();
      return c.find({}, { sort: { _id: 1 } }).toArray();
    }),
  ),
  giving(
    'a transaction sees its own writes',
    rows,
    [2, 1, [3]],
    inTransaction(async ({ c }, session) => {
      await c.insertOne({ _id: 3, n: 2 }, { session });
      return [
        await c.countDocuments({ n: 2 }, { session }),
        await c.countDocuments({ n: 2 }),
        (await c.aggregate([{ $sort: { _id: -1 } }, { $limit: 1 }], { session }).toArray()).map(
          ({ _id }) => _id as number,
        ),
      ];
    }),
  ),
  giving(
    'a transaction does not see what others write later',
    rows,
    [
      { _id: 1, n: 1 },
      { _id: 1, n: 1 },
    ],
    inTransaction(async ({ c }, session) => {
      const first = await c.findOne({ _id: 1 }, { session });
      await c.updateOne({ _id: 1 }, { $set: { n: 99 } });
      return [first, await c.findOne({ _id: 1 }, { session })];
    }),
  ),
  giving(
    'a write over a later write of another is a conflict to retry',
    rows,
    [112, true],
    inTransaction(async ({ c }, session) => {
      await c.findOne({ _id: 1 }, { session });
      await c.updateOne({ _id: 1 }, { $set: { n: 99 } });
      const error = await errorOf(c.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session }));
      return [error.code, error.hasErrorLabel('TransientTransactionError')];
    }),
  ),
  giving(
    'withTransaction retries a conflict until it holds',
    rows,
    [2, { _id: 1, n: 51 }],
    inSession(async ({ c }, session) => {
      let tries = 0;
      await session.withTransaction(async () => {
        const { n } = (await c.findOne({ _id: 1 }, { session }))!;
        if (tries++ === 0) await c.updateOne({ _id: 1 }, { $set: { n: 50 } });
        await c.updateOne({ _id: 1 }, { $set: { n: Number(n) + 1 } }, { session });
      });
      return [tries, await c.findOne({ _id: 1 })];
    }),
  ),
  giving(
    'a duplicate key in a transaction is not to be retried',
    rows,
    [11000, false],
    inTransaction(async ({ c }, session) => {
      const error = await errorOf(c.insertOne({ _id: 1 }, { session }));
      return [error.code, error.hasErrorLabel('TransientTransactionError')];
    }),
  ),
  giving(
    'an error ends the transaction',
    rows,
    251,
    inTransaction(async ({ c }, session) => {
      await errorOf(c.insertOne({ _id: 1 }, { session }));
      return (await errorOf(c.insertOne({ _id: 7 }, { session }))).code;
    }),
  ),
  giving(
    'an aggregate and a findAndModify in a transaction',
    rows,
    [{ _id: 1, n: 6 }, [{ n: 1 }]],
    inTransaction(async ({ c }, session) => {
      const after = await c.findOneAndUpdate(
        { _id: 1 },
        { $inc: { n: 5 } },
        { session, returnDocument: 'after' },
      );
      return [
        after,
        await c.aggregate([{ $match: { n: 6 } }, { $count: 'n' }], { session }).toArray(),
      ];
    }),
  ),
  failing(
    'the count command in a transaction',
    rows,
    263,
    inTransaction(({ c, db }, session) => db.command({ count: c.collectionName }, { session })),
  ),
  failing(
    'listIndexes in a transaction',
    rows,
    263,
    inTransaction(({ c }, session) => c.listIndexes({ session }).toArray()),
  ),
];
