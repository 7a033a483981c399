import { Long, ObjectId } from 'mongodb';
import type { MongoBulkWriteError } from 'mongodb';
import { failing, giving } from './case';
import type { MatrixCase, Row } from './case';

const three: readonly Row[] = [
  { _id: 1, a: 1, t: ['x', 'y'] },
  { _id: 2, a: 2, t: ['y'] },
  { _id: 3, a: 2 },
];
const all = { sort: { _id: 1 } } as const;

/** Inserts, updates, upserts, findAndModify, deletes and bulk writes. */
export const writingCases: readonly MatrixCase[] = [
  // Inserts.
  giving(
    'an insert keeps the order of fields and puts _id first',
    [],
    ['_id', 'b', 'a'],
    async ({ c }) => {
      await c.insertOne({ b: 1, a: 2, _id: 9 });
      return Object.keys(await c.findOne());
    },
  ),
  giving('an insert makes an ObjectId', [], true, async ({ c }) => {
    await c.insertOne({ a: 1 });
    return (await c.findOne())!._id instanceof ObjectId;
  }),
  giving(
    '_id may be null, though the driver fills it in',
    [],
    { _id: null, a: 1 },
    async ({ c, db }) => {
      await db.command({ insert: c.collectionName, documents: [{ _id: null, a: 1 }] });
      return c.findOne({ _id: null });
    },
  ),
  giving('_id may be a document', [], [1, 0, 1], async ({ c }) => {
    await c.insertOne({ _id: { a: 1, b: 2 } });
    return [
      await c.countDocuments({ _id: { a: 1, b: 2 } }),
      await c.countDocuments({ _id: { b: 2, a: 1 } }),
      await c.countDocuments({ '_id.a': 1 }),
    ];
  }),
  giving(
    'fields may start with a dollar or hold a dot',
    [],
    { _id: 1, 'a.b': 1, c: { $d: 2 } },
    async ({ c }) => {
      await c.insertOne({ _id: 1, 'a.b': 1, c: { $d: 2 } });
      return c.findOne();
    },
  ),
  failing('an insert of an _id there is already', three, 11000, ({ c }) => c.insertOne({ _id: 1 })),
  failing('an insert of an _id equal as a number of another type', three, 11000, ({ c }) =>
    c.insertOne({ _id: Long.fromNumber(1) }),
  ),
  failing('an insert of an array as _id', [], 53, ({ c }) => c.insertOne({ _id: [1] })),
  failing('an insert of a regular expression as _id', [], 53, ({ c }) => c.insertOne({ _id: /x/ })),
  failing('an insert with a dollar field within _id', [], 52, ({ c }) =>
    c.insertOne({ _id: { $a: 1 } }),
  ),
  giving(
    'an ordered insert stops at the first error',
    [{ _id: 2 }],
    [11000, 1, 2],
    async ({ c }) => {
      const error = await c
        .insertMany([{ _id: 1 }, { _id: 2 }, { _id: 3 }])
        .catch((failure: MongoBulkWriteError) => failure);
      return [
        (error as MongoBulkWriteError).code,
        (error as MongoBulkWriteError).insertedCount,
        await c.countDocuments(),
      ];
    },
  ),
  giving('an unordered insert goes on', [{ _id: 2 }], [11000, 2, 3], async ({ c }) => {
    const error = await c
      .insertMany([{ _id: 1 }, { _id: 2 }, { _id: 3 }], { ordered: false })
      .catch((failure: MongoBulkWriteError) => failure);
    return [
      (error as MongoBulkWriteError).code,
      (error as MongoBulkWriteError).insertedCount,
      await c.countDocuments(),
    ];
  }),
  // Updates.
  giving('updateOne touches one, in order of insertion', three, [1, 1, [2]], async ({ c }) => {
    const { matchedCount, modifiedCount } = await c.updateOne({ a: 2 }, { $set: { a: 9 } });
    return [matchedCount, modifiedCount, (await c.find({ a: 9 }).toArray()).map(({ _id }) => _id)];
  }),
  giving('updateMany touches all', three, [3, 3, [2, 3, 3]], async ({ c }) => {
    const { matchedCount, modifiedCount } = await c.updateMany({}, { $inc: { a: 1 } });
    return [matchedCount, modifiedCount, (await c.find({}, all).toArray()).map(({ a }) => a)];
  }),
  giving('an update that changes nothing counts as matched only', three, [2, 0], async ({ c }) => {
    const { matchedCount, modifiedCount } = await c.updateMany({ a: 2 }, { $set: { a: 2 } });
    return [matchedCount, modifiedCount];
  }),
  giving('an update of nothing', three, [0, 0, 0], async ({ c }) => {
    const { matchedCount, modifiedCount, upsertedCount } = await c.updateOne(
      { a: 99 },
      { $set: { a: 2 } },
    );
    return [matchedCount, modifiedCount, upsertedCount];
  }),
  failing('the positional $', [{ _id: 1, a: [1] }], 115, ({ c }) =>
    c.updateOne({ a: 1 }, { $set: { 'a.$': 9 } }),
  ),
  giving('replaceOne keeps the _id', three, { _id: 1, z: 1 }, async ({ c }) => {
    await c.replaceOne({ _id: 1 }, { z: 1 });
    return c.findOne({ _id: 1 });
  }),
  failing('a replacement with another _id', three, 66, ({ c }) =>
    c.replaceOne({ _id: 1 }, { _id: 2, z: 1 }),
  ),
  giving(
    'updateMany stops at the document that fails',
    [
      { _id: 1, a: 1 },
      { _id: 2, a: 'x' },
      { _id: 3, a: 1 },
    ],
    [14, [2, 'x', 1]],
    async ({ c }) => {
      const error = await c
        .updateMany({}, { $inc: { a: 1 } })
        .catch((failure: { code: number }) => failure);
      return [
        (error as { code: number }).code,
        (await c.find({}, all).toArray()).map(({ a }) => a),
      ];
    },
  ),
  // Upserts.
  giving(
    'an upsert takes the equalities of the filter',
    [],
    [1, 0, { _id: 5, a: 1, c: { d: 'x' }, e: 1 }],
    async ({ c }) => {
      const { upsertedCount, matchedCount } = await c.updateOne(
        { _id: 5, a: 1, b: { $gt: 2 }, 'c.d': 'x' },
        { $set: { e: 1 } },
        { upsert: true },
      );
      return [upsertedCount, matchedCount, await c.findOne()];
    },
  ),
  giving(
    '$setOnInsert counts only when insertStatement',
    [{ _id: 1 }],
    [
      { _id: 1, b: 1 },
      { _id: 2, a: 1, b: 1 },
    ],
    async ({ c }) => {
      await c.updateOne({ _id: 1 }, { $setOnInsert: { a: 1 }, $set: { b: 1 } }, { upsert: true });
      await c.updateOne({ _id: 2 }, { $setOnInsert: { a: 1 }, $set: { b: 1 } }, { upsert: true });
      return c.find({}, all).toArray();
    },
  ),
  giving(
    'an upsert by replacement keeps only the _id of the filter',
    [],
    { _id: 7, b: 2 },
    async ({ c }) => {
      await c.replaceOne({ _id: 7, a: 1 }, { b: 2 }, { upsert: true });
      return c.findOne();
    },
  ),
  giving(
    'an upsert makes an _id',
    [],
    true,
    async ({ c }) =>
      (await c.updateOne({ a: 1 }, { $inc: { n: 1 } }, { upsert: true })).upsertedId instanceof
      ObjectId,
  ),
  giving('an upsert counter', [], { _id: 'seq', n: 3 }, async ({ c }) => {
    for (let time = 0; time < 3; time++)
      await c.updateOne({ _id: 'seq' }, { $inc: { n: 1 } }, { upsert: true });
    return c.findOne();
  }),
  failing('an upsert with a field given twice', [], 54, ({ c }) =>
    c.updateOne({ $and: [{ a: 1 }, { a: 2 }] }, { $set: { b: 1 } }, { upsert: true }),
  ),
  failing('an upsert that would change the _id of the filter', [], 66, ({ c }) =>
    c.updateOne({ _id: 1 }, { $set: { _id: 2 } }, { upsert: true }),
  ),
  giving('updateMany with upsert inserts one', [], [{ a: 1, b: 1 }], async ({ c }) => {
    await c.updateMany({ a: 1 }, { $set: { b: 1 } }, { upsert: true });
    return c.find({}, { projection: { _id: 0 } }).toArray();
  }),
  // findAndModify.
  giving('findOneAndUpdate answers the document before', three, three[0], ({ c }) =>
    c.findOneAndUpdate({ _id: 1 }, { $inc: { a: 5 } }),
  ),
  giving('findOneAndUpdate answers the document after', three, { ...three[0], a: 6 }, ({ c }) =>
    c.findOneAndUpdate({ _id: 1 }, { $inc: { a: 5 } }, { returnDocument: 'after' }),
  ),
  giving('findOneAndUpdate takes the first in order', three, { _id: 3 }, ({ c }) =>
    c.findOneAndUpdate({ a: 2 }, { $set: { z: 1 } }, { sort: { _id: -1 }, projection: { _id: 1 } }),
  ),
  giving('findOneAndUpdate of nothing', three, null, ({ c }) =>
    c.findOneAndUpdate({ a: 99 }, { $set: { z: 1 } }),
  ),
  giving('findOneAndUpdate with upsert, before', [], null, ({ c }) =>
    c.findOneAndUpdate({ _id: 1 }, { $set: { z: 1 } }, { upsert: true }),
  ),
  giving('findOneAndUpdate with upsert, after', [], { _id: 1, z: 1 }, ({ c }) =>
    c.findOneAndUpdate({ _id: 1 }, { $set: { z: 1 } }, { upsert: true, returnDocument: 'after' }),
  ),
  giving(
    'findOneAndUpdate tells whether it updated',
    three,
    [{ n: 1, updatedExisting: true }, 1],
    async ({ c }) => {
      const { lastErrorObject, ok } = await c.findOneAndUpdate(
        { _id: 1 },
        { $set: { z: 1 } },
        { includeResultMetadata: true },
      );
      return [lastErrorObject, ok];
    },
  ),
  giving(
    'findOneAndUpdate tells what it upserted',
    [],
    { n: 1, updatedExisting: false, upserted: 4 },
    async ({ c }) =>
      (
        await c.findOneAndUpdate(
          { _id: 4 },
          { $set: { z: 1 } },
          { upsert: true, includeResultMetadata: true },
        )
      ).lastErrorObject,
  ),
  giving('findOneAndReplace', three, { _id: 1, z: 1 }, ({ c }) =>
    c.findOneAndReplace({ _id: 1 }, { z: 1 }, { returnDocument: 'after' }),
  ),
  giving('findOneAndDelete', three, [three[2], 2], async ({ c }) => [
    await c.findOneAndDelete({ a: 2 }, { sort: { _id: -1 } }),
    await c.countDocuments(),
  ]),
  giving('findOneAndDelete of nothing', three, null, ({ c }) => c.findOneAndDelete({ a: 99 })),
  failing('findOneAndUpdate with arrayFilters', [{ _id: 1, a: [1, 5] }], 115, ({ c }) =>
    c.findOneAndUpdate({}, { $set: { 'a.$[big]': 0 } }, { arrayFilters: [{ big: { $gt: 2 } }] }),
  ),
  giving(
    'findOneAndUpdate refuses a positional projection before it writes',
    [{ _id: 1, a: [1, 5] }],
    { _id: 1, a: [1, 5] },
    async ({ c }) => {
      await c
        .findOneAndUpdate({ a: 5 }, { $set: { b: 1 } }, { projection: { 'a.$': 1 } })
        .catch(() => undefined);
      return c.findOne();
    },
  ),
  failing('findOneAndUpdate of a field that cannot be incremented', three, 14, ({ c }) =>
    c.findOneAndUpdate({ _id: 1 }, { $inc: { t: 1 } }),
  ),
  // Deletes.
  giving('deleteOne', three, [1, 2], async ({ c }) => [
    (await c.deleteOne({ a: 2 })).deletedCount,
    await c.countDocuments(),
  ]),
  giving('deleteMany', three, [2, 1], async ({ c }) => [
    (await c.deleteMany({ a: 2 })).deletedCount,
    await c.countDocuments(),
  ]),
  giving(
    'deleteMany of everything',
    three,
    3,
    async ({ c }) => (await c.deleteMany({})).deletedCount,
  ),
  giving(
    'deleteMany of nothing',
    three,
    0,
    async ({ c }) => (await c.deleteMany({ a: 99 })).deletedCount,
  ),
  failing('a delete by an unknown operator', three, 2, ({ c }) => c.deleteMany({ a: { $foo: 1 } })),
  // Bulk writes.
  giving(
    'a bulk write of every kind',
    three,
    [1, 4, 4, 1, 1, { 5: 9 }, [1, 3, 4, 9]],
    async ({ c }) => {
      const result = await c.bulkWrite([
        { insertOne: { document: { _id: 4 } } },
        { updateOne: { filter: { _id: 1 }, update: { $set: { a: 7 } } } },
        { updateMany: { filter: { a: 2 }, update: { $set: { b: 1 } } } },
        { replaceOne: { filter: { _id: 3 }, replacement: { z: 1 } } },
        { deleteOne: { filter: { _id: 2 } } },
        { updateOne: { filter: { _id: 9 }, update: { $set: { u: 1 } }, upsert: true } },
      ]);
      const { insertedCount, matchedCount, modifiedCount, deletedCount, upsertedCount } = result;
      return [
        insertedCount,
        matchedCount,
        modifiedCount,
        deletedCount,
        upsertedCount,
        result.upsertedIds,
        (await c.find({}, all).toArray()).map(({ _id }) => _id),
      ];
    },
  ),
  failing('a pipeline as an update', three, 115, ({ c }) => c.updateOne({}, [{ $set: { a: 1 } }])),
  failing('a collation', three, 115, ({ c }) =>
    c.updateOne({}, { $set: { a: 1 } }, { collation: { locale: 'en', strength: 2 } }),
  ),
];
