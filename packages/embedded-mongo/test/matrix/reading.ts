import { Decimal128, Timestamp } from 'mongodb';
import { failing, giving } from './case';
import type { MatrixCase, Row } from './case';

const rows: readonly Row[] = [
  { _id: 1, a: 3, t: ['x', 'y'] },
  { _id: 2, a: 1, t: ['y', 'z'] },
  { _id: 3, a: 2 },
  { _id: 4, a: null },
  { _id: 5, a: 'text' },
];
const ids = (docs: readonly Row[]): unknown[] => docs.map(({ _id }) => _id);

/** find with its options, count, distinct, cursors. */
export const readingCases: readonly MatrixCase[] = [
  giving('sort, skip and limit', rows, [2, 3], async ({ c }) =>
    ids(await c.find().sort({ a: 1 }).skip(1).limit(2).toArray()),
  ),
  giving('a sort over several types', rows, [5, 1, 3, 2, 4], async ({ c }) =>
    ids(await c.find().sort({ a: -1 }).toArray()),
  ),
  giving(
    'a limit of 0 is none',
    rows,
    5,
    async ({ c }) => (await c.find().limit(0).toArray()).length,
  ),
  giving(
    'a negative limit is one batch',
    rows,
    2,
    async ({ c }) => (await c.find().limit(-2).toArray()).length,
  ),
  giving('skip beyond the end', rows, [], async ({ c }) => c.find().skip(9).toArray()),
  giving('a cursor in small batches', rows, [1, 2, 3, 4, 5], async ({ c }) =>
    ids(await c.find({}, { batchSize: 2, sort: { _id: 1 } }).toArray()),
  ),
  giving('find in a collection that is not there', [], [], ({ db }) =>
    db.collection('nothing').find().toArray(),
  ),
  giving('findOne of nothing', rows, null, ({ c }) => c.findOne({ a: 99 })),
  giving(
    'a projection with sort by a field left out',
    rows,
    [{ _id: 2 }, { _id: 3 }, { _id: 1 }],
    async ({ c }) =>
      c
        .find({ a: { $gte: 0 } }, { projection: { _id: 1 } })
        .sort({ a: 1 })
        .toArray(),
  ),
  giving('a hint by key', rows, [2], async ({ c }) =>
    ids(await c.find({ a: 1 }).hint({ _id: 1 }).toArray()),
  ),
  giving('a hint by name', rows, [1, 2, 3], async ({ c }) => {
    await c.createIndex({ t: 1 });
    return ids(
      await c
        .find({ a: { $gte: 1 } })
        .hint('t_1')
        .sort({ _id: 1 })
        .toArray(),
    );
  }),
  failing('a hint to an index that is not there', rows, 2, ({ c }) =>
    c.find({ a: 1 }).hint('nothing_1').toArray(),
  ),
  failing('a hint of a count to an index that is not there', rows, 2, ({ c }) =>
    c.countDocuments({ a: 1 }, { hint: { zzz: 1 } }),
  ),
  giving('a comment and maxTimeMS', rows, [2], async ({ c }) =>
    ids(await c.find({ a: 1 }).comment('why').maxTimeMS(5_000).toArray()),
  ),
  giving('countDocuments', rows, 2, ({ c }) => c.countDocuments({ a: { $gte: 2 } })),
  giving('countDocuments with skip and limit', rows, 3, ({ c }) =>
    c.countDocuments({}, { skip: 1, limit: 3 }),
  ),
  giving('countDocuments of nothing', rows, 0, ({ c }) => c.countDocuments({ a: 99 })),
  giving('estimatedDocumentCount', rows, 5, ({ c }) => c.estimatedDocumentCount()),
  giving('estimatedDocumentCount of a collection that is not there', [], 0, ({ db }) =>
    db.collection('nothing').estimatedDocumentCount(),
  ),
  giving(
    'the count command with a query',
    rows,
    1,
    async ({ c, db }) =>
      (await db.command({ count: c.collectionName, query: { a: { $gt: 1 } }, skip: 1 })).n,
  ),
  failing('distinct', rows, 115, ({ c }) => c.distinct('a')),
  giving('countDocuments after $match in a pipeline', rows, [{ _id: 1, n: 2 }], ({ c }) =>
    c.aggregate([{ $match: { a: { $gte: 2 } } }, { $group: { _id: 1, n: { $sum: 1 } } }]).toArray(),
  ),
  giving('aggregate in small batches', rows, [1, 2, 3, 4, 5], async ({ c }) =>
    ids(await c.aggregate([{ $sort: { _id: 1 } }], { batchSize: 2 }).toArray()),
  ),
  giving('aggregate of a collection that is not there', [], [], ({ db }) =>
    db
      .collection('nothing')
      .aggregate([{ $match: {} }])
      .toArray(),
  ),
  failing('an unknown command', [], 59, ({ db }) => db.command({ noSuchCommand: 1 })),
  failing('$where', rows, 115, ({ c }) => c.find({ $where: 'true' }).toArray()),
  failing('$expr', rows, 115, ({ c }) => c.find({ $expr: { $eq: ['$a', 1] } }).toArray()),
  failing('a collation of a find', rows, 115, ({ c }) =>
    c.find().collation({ locale: 'en' }).toArray(),
  ),
  failing('let in a find', rows, 115, ({ c }) => c.find({}, { let: { x: 1 } }).toArray()),
  failing('a Decimal128 in a document', [], 115, ({ c }) =>
    c.insertOne({ a: Decimal128.fromString('1') }),
  ),
  failing('a Timestamp in a document', [], 115, ({ c }) =>
    c.insertOne({ a: new Timestamp({ t: 1, i: 1 }) }),
  ),
  failing('a regular expression in a document', [], 115, ({ c }) => c.insertOne({ a: /x/ })),
  failing('$out', rows, 115, ({ c }) => c.aggregate([{ $out: 'x' }]).toArray()),
];
