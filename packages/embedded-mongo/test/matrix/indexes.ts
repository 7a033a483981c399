import type { MongoServerError } from 'mongodb';
import { failing, giving } from './case';
import type { MatrixCase, Row } from './case';

const rows: readonly Row[] = [{ _id: 1, a: 1, b: 'x' }, { _id: 2, a: 2, b: 'y' }, { _id: 3 }];
const ids = (docs: readonly Row[]): unknown[] => docs.map(({ _id }) => _id);

/** Unique, sparse and partial indexes, their listing, and queries that may use them. */
export const indexCases: readonly MatrixCase[] = [
  giving('createIndex names the index', rows, 'a_1_b_-1', ({ c }) =>
    c.createIndex({ a: 1, b: -1 }),
  ),
  giving('createIndex again is no error', rows, ['a_1', 'a_1'], async ({ c }) => [
    await c.createIndex({ a: 1 }),
    await c.createIndex({ a: 1 }),
  ]),
  giving(
    'indexes are listed with _id first',
    rows,
    [
      { name: '_id_', key: { _id: 1 }, unique: undefined, sparse: undefined },
      { name: 'a_1', key: { a: 1 }, unique: true, sparse: true },
    ],
    async ({ c }) => {
      await c.createIndex({ a: 1 }, { unique: true, sparse: true });
      return (await c.listIndexes().toArray()).map(({ name, key, unique, sparse }) => ({
        name,
        key,
        unique,
        sparse,
      }));
    },
  ),
  giving('dropIndex', rows, ['_id_'], async ({ c }) => {
    await c.createIndex({ a: 1 });
    await c.dropIndex('a_1');
    return (await c.indexes()).map(({ name }) => name);
  }),
  failing('dropIndex of one that is not there', rows, 27, ({ c }) => c.dropIndex('nothing_1')),
  failing('dropIndex of _id', rows, 72, ({ c }) => c.dropIndex('_id_')),
  failing('createIndex under a name taken by another key', rows, 86, async ({ c }) => {
    await c.createIndex({ a: 1 }, { name: 'n' });
    return c.createIndex({ b: 1 }, { name: 'n' });
  }),
  failing('createIndex of the same key with other options', rows, 86, async ({ c }) => {
    await c.createIndex({ a: 1 });
    return c.createIndex({ a: 1 }, { unique: true });
  }),
  failing('a unique index over duplicates', [{ a: 1 }, { a: 1 }], 11000, ({ c }) =>
    c.createIndex({ a: 1 }, { unique: true }),
  ),
  failing(
    'a unique index over two documents without the field',
    [{ b: 1 }, { b: 2 }],
    11000,
    ({ c }) => c.createIndex({ a: 1 }, { unique: true }),
  ),
  giving(
    'a sparse unique index over two documents without the field',
    [{ b: 1 }, { b: 2 }],
    'a_1',
    ({ c }) => c.createIndex({ a: 1 }, { unique: true, sparse: true }),
  ),
  giving(
    'a duplicate names the index, the key and the value',
    rows,
    [11000, { a: 1 }, { a: 1 }, true],
    async ({ c }) => {
      await c.createIndex({ a: 1 }, { unique: true });
      const error = (await c
        .insertOne({ a: 1 })
        .catch((failure: MongoServerError) => failure)) as MongoServerError;
      return [
        error.code,
        error.keyPattern,
        error.keyValue,
        /E11000 duplicate key error collection: .* index: a_1 dup key: \{ a: 1 \}/.test(
          error.message,
        ),
      ];
    },
  ),
  failing('an update into a duplicate', rows, 11000, async ({ c }) => {
    await c.createIndex({ a: 1 }, { unique: true });
    return c.updateOne({ _id: 2 }, { $set: { a: 1 } });
  }),
  giving('an update of a document to its own unique value', rows, 1, async ({ c }) => {
    await c.createIndex({ a: 1 }, { unique: true });
    return (await c.updateOne({ _id: 2 }, { $set: { a: 2, b: 'z' } })).modifiedCount;
  }),
  failing('an upsert into a duplicate', rows, 11000, async ({ c }) => {
    await c.createIndex({ a: 1 }, { unique: true });
    return c.updateOne({ _id: 9 }, { $set: { a: 1 } }, { upsert: true });
  }),
  failing(
    'a unique array element held by another document',
    [{ _id: 1, a: [1, 2] }],
    11000,
    async ({ c }) => {
      await c.createIndex({ a: 1 }, { unique: true });
      return c.insertOne({ a: [2, 3] });
    },
  ),
  giving('a unique array element twice in one document', [], 1, async ({ c }) => {
    await c.createIndex({ a: 1 }, { unique: true });
    await c.insertOne({ a: [1, 1] });
    return c.countDocuments();
  }),
  failing('a compound unique index', [{ a: 1, b: 1 }], 11000, async ({ c }) => {
    await c.createIndex({ a: 1, b: 1 }, { unique: true });
    await c.insertOne({ a: 1, b: 2 });
    return c.insertOne({ a: 1, b: 1 });
  }),
  giving(
    'a partial unique index leaves other documents alone',
    [
      { a: 1, on: false },
      { a: 1, on: false },
    ],
    [11000, 3],
    async ({ c }) => {
      await c.createIndex({ a: 1 }, { unique: true, partialFilterExpression: { on: true } });
      await c.insertOne({ a: 1, on: true });
      const error = (await c
        .insertOne({ a: 1, on: true })
        .catch((failure: MongoServerError) => failure)) as MongoServerError;
      return [error.code, await c.countDocuments({ a: 1 })];
    },
  ),
  giving(
    'a partial index is not asked for what it does not hold',
    [
      { _id: 1, a: 1, on: true },
      { _id: 2, a: 1 },
    ],
    [2, 1],
    async ({ c }) => {
      await c.createIndex({ a: 1 }, { partialFilterExpression: { on: true } });
      return [await c.countDocuments({ a: 1 }), await c.countDocuments({ a: 1, on: true })];
    },
  ),
  giving(
    'a sparse index is not asked for what is missing',
    rows,
    [[3], [3], [3, 1, 2]],
    async ({ c }) => {
      await c.createIndex({ a: 1 }, { sparse: true });
      return [
        ids(await c.find({ a: null }).toArray()),
        ids(await c.find({ a: { $exists: false } }).toArray()),
        ids(await c.find().sort({ a: 1 }).toArray()),
      ];
    },
  ),
  failing('an index over two arrays', [{ a: [1], b: [2] }], 171, ({ c }) =>
    c.createIndex({ a: 1, b: 1 }),
  ),
  giving(
    'a sort on an index over arrays takes the smallest',
    [
      { _id: 1, a: [5, 1] },
      { _id: 2, a: [2] },
      { _id: 3, a: [] },
    ],
    [
      [3, 1, 2],
      [1, 2, 3],
      [1, 2],
    ],
    async ({ c }) => {
      await c.createIndex({ a: 1 });
      return [
        ids(await c.find().sort({ a: 1 }).toArray()),
        ids(await c.find().sort({ a: -1 }).toArray()),
        ids(
          await c
            .find({ a: { $gte: 1 } })
            .sort({ _id: 1 })
            .toArray(),
        ),
      ];
    },
  ),
  giving(
    'two conditions on an array may be met by two elements',
    [{ _id: 1, a: [1, 9] }],
    1,
    async ({ c }) => {
      await c.createIndex({ a: 1 });
      return c.countDocuments({ a: { $gt: 5, $lt: 3 } });
    },
  ),
  giving(
    'an indexed query is by type',
    [{ _id: 1, a: 1 }, { _id: 2, a: '1' }, { _id: 3, a: null }, { _id: 4 }, { _id: 5, a: true }],
    [[1], [3, 4], [1, 2]],
    async ({ c }) => {
      await c.createIndex({ a: 1 });
      return [
        ids(await c.find({ a: { $gte: 0 } }).toArray()),
        ids(await c.find({ a: null }).sort({ _id: 1 }).toArray()),
        ids(
          await c
            .find({ a: { $in: [1, '1'] } })
            .sort({ _id: 1 })
            .toArray(),
        ),
      ];
    },
  ),
  giving(
    'a regular expression on an index',
    [
      { _id: 1, a: 'abc' },
      { _id: 2, a: 'abd' },
      { _id: 3, a: 'b' },
      { _id: 4, a: ['x', 'abz'] },
    ],
    [1, 2, 4],
    async ({ c }) => {
      await c.createIndex({ a: 1 });
      return ids(await c.find({ a: /^ab/ }).sort({ _id: 1 }).toArray());
    },
  ),
  giving('$or over indexes gives each document once', rows, [1, 2], async ({ c }) => {
    await c.createIndexes([{ key: { a: 1 } }, { key: { b: 1 } }]);
    return ids(
      await c
        .find({ $or: [{ a: 1 }, { b: 'x' }, { a: 2 }] })
        .sort({ _id: 1 })
        .toArray(),
    );
  }),
  giving(
    'a compound sort, forward and backward',
    [
      { _id: 1, a: 1, b: 1 },
      { _id: 2, a: 1, b: 2 },
      { _id: 3, a: 0, b: 3 },
    ],
    [
      [3, 2, 1],
      [1, 2, 3],
      [1, 2],
    ],
    async ({ c }) => {
      await c.createIndex({ a: 1, b: -1 });
      return [
        ids(await c.find().sort({ a: 1, b: -1 }).toArray()),
        ids(await c.find().sort({ a: -1, b: 1 }).toArray()),
        ids(await c.find({ a: 1 }).sort({ b: 1 }).toArray()),
      ];
    },
  ),
  failing('a text index', [], 67, ({ c }) => c.createIndex({ a: 'text' })),
].map((one): MatrixCase => (one.name === 'a text index' ? { ...one, oursOnly: true } : one));
