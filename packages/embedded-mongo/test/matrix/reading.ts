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
  giving(
    'sort, skip and limit',
    rows,
    async ({ c }) => ids(await c.find().sort({ a: 1 }).skip(1).limit(2).toArray()),
    [2, 3],
  ),
  giving(
    'a sort over several types',
    rows,
    async ({ c }) => ids(await c.find().sort({ a: -1 }).toArray()),
    [5, 1, 3, 2, 4],
  ),
  giving(
    'a limit of 0 is none',
    rows,
    async ({ c }) => (await c.find().limit(0).toArray()).length,
    5,
  ),
  giving(
    'a negative limit is one batch',
    rows,
    async ({ c }) => (await c.find().limit(-2).toArray()).length,
    2,
  ),
  giving('skip beyond the end', rows, async ({ c }) => c.find().skip(9).toArray(), []),
  giving(
    'a cursor in small batches',
    rows,
    async ({ c }) => ids(await c.find({}, { batchSize: 2, sort: { _id: 1 } }).toArray()),
    [1, 2, 3, 4, 5],
  ),
  giving(
    'find in a collection that is not there',
    [],
    ({ db }) => db.collection('nothing').find().toArray(),
    [],
  ),
  giving('findOne of nothing', rows, ({ c }) => c.findOne({ a: 99 }), null),
  giving(
    'a projection with sort by a field left out',
    rows,
    async ({ c }) =>
      c
        .find({ a: { $gte: 0 } }, { projection: { _id: 1 } })
        .sort({ a: 1 })
        .toArray(),
    [{ _id: 2 }, { _id: 3 }, { _id: 1 }],
  ),
  giving(
    'a hint by key',
    rows,
    async ({ c }) => ids(await c.find({ a: 1 }).hint({ _id: 1 }).toArray()),
    [2],
  ),
  giving(
    'a hint by name',
    rows,
    async ({ c }) => {
      await c.createIndex({ t: 1 });
      return ids(
        await c
          .find({ a: { $gte: 1 } })
          .hint('t_1')
          .sort({ _id: 1 })
          .toArray(),
      );
    },
    [1, 2, 3],
  ),
  failing(
    'a hint to an index that is not there',
    rows,
    ({ c }) => c.find({ a: 1 }).hint('nothing_1').toArray(),
    2,
  ),
  failing(
    'a hint of a count to an index that is not there',
    rows,
    ({ c }) => c.countDocuments({ a: 1 }, { hint: { zzz: 1 } }),
    2,
  ),
  giving(
    'a comment and maxTimeMS',
    rows,
    async ({ c }) => ids(await c.find({ a: 1 }).comment('why').maxTimeMS(5_000).toArray()),
    [2],
  ),
  giving('countDocuments', rows, ({ c }) => c.countDocuments({ a: { $gte: 2 } }), 2),
  giving(
    'countDocuments with skip and limit',
    rows,
    ({ c }) => c.countDocuments({}, { skip: 1, limit: 3 }),
    3,
  ),
  giving('countDocuments of nothing', rows, ({ c }) => c.countDocuments({ a: 99 }), 0),
  giving('estimatedDocumentCount', rows, ({ c }) => c.estimatedDocumentCount(), 5),
  giving(
    'estimatedDocumentCount of a collection that is not there',
    [],
    ({ db }) => db.collection('nothing').estimatedDocumentCount(),
    0,
  ),
  giving(
    'the count command with a query',
    rows,
    async ({ c, db }) =>
      (await db.command({ count: c.collectionName, query: { a: { $gt: 1 } }, skip: 1 })).n,
    1,
  ),
  failing('distinct', rows, ({ c }) => c.distinct('a'), 115),
  giving(
    'countDocuments after $match in a pipeline',
    rows,
    ({ c }) =>
      c
        .aggregate([{ $match: { a: { $gte: 2 } } }, { $group: { _id: 1, n: { $sum: 1 } } }])
        .toArray(),
    [{ _id: 1, n: 2 }],
  ),
  giving(
    'aggregate in small batches',
    rows,
    async ({ c }) => ids(await c.aggregate([{ $sort: { _id: 1 } }], { batchSize: 2 }).toArray()),
    [1, 2, 3, 4, 5],
  ),
  giving(
    'aggregate of a collection that is not there',
    [],
    ({ db }) =>
      db
        .collection('nothing')
        .aggregate([{ $match: {} }])
        .toArray(),
    [],
  ),
  failing('an unknown command', [], ({ db }) => db.command({ noSuchCommand: 1 }), 59),
  failing('$where', rows, ({ c }) => c.find({ $where: 'true' }).toArray(), 115),
  failing('$expr', rows, ({ c }) => c.find({ $expr: { $eq: ['$a', 1] } }).toArray(), 115),
  failing(
    'a collation of a find',
    rows,
    ({ c }) => c.find().collation({ locale: 'en' }).toArray(),
    115,
  ),
  failing('let in a find', rows, ({ c }) => c.find({}, { let: { x: 1 } }).toArray(), 115),
  failing(
    'a Decimal128 in a document',
    [],
    ({ c }) => c.insertOne({ a: Decimal128.fromString('1') }),
    115,
  ),
  failing(
    'a Timestamp in a document',
    [],
    ({ c }) => c.insertOne({ a: new Timestamp({ t: 1, i: 1 }) }),
    115,
  ),
  failing('a regular expression in a document', [], ({ c }) => c.insertOne({ a: /x/ }), 115),
  failing('$out', rows, ({ c }) => c.aggregate([{ $out: 'x' }]).toArray(), 115),
];
