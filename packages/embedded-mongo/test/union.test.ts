import fc from 'fast-check';
import { storeFixture } from './support/store-fixture';
import { rounds } from '../../../test/support/rounds';
import { openForTests } from '../../../test/support/open-for-tests';

const fixture = openForTests(storeFixture);

it('$unionWith concatenates queries of one collection, each with its own filter, order and limit', async () => {
  const collection = await fixture.collection<{ _id: number; parent: number; rank: number }>();
  await collection.createIndex({ parent: 1, rank: 1, _id: 1 });
  const documents = Array.from({ length: 60 }, (_, nth) => ({
    _id: nth,
    parent: nth % 7,
    rank: (nth * 37) % 11,
  }));
  await collection.insertMany(documents);
  const query = fc.record({
    parent: fc.nat(8),
    direction: fc.constantFrom(1 as const, -1 as const),
    limit: fc.integer({ min: 1, max: 12 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(query, { minLength: 2, maxLength: 8 }), async (queries) => {
      const [first, ...others] = queries.map(({ parent, direction, limit }) => [
        { $match: { parent } },
        { $sort: { rank: direction, _id: direction } },
        { $limit: limit },
      ]);
      const result = await collection
        .aggregate(
          [
            ...first,
            ...others.map((pipeline) => ({
              $unionWith: { coll: collection.collectionName, pipeline },
            })),
          ],
          { cursor: { batchSize: 3 } },
        )
        .toArray();
      const expected = queries.flatMap(({ parent, direction, limit }) =>
        documents
          .filter((document) => document.parent === parent)
          .sort((a, b) => direction * (a.rank - b.rank || a._id - b._id))
          .slice(0, limit),
      );
      expect(result).toEqual(expected);
    }),
    { numRuns: rounds(50) },
  );
});

it('$unionWith counts the results of several queries, each under its own id', async () => {
  const collection = await fixture.collection<{ _id: number; parent: number; rank: number }>();
  await collection.createIndex({ parent: 1, rank: 1 });
  const documents = Array.from({ length: 60 }, (_, nth) => ({
    _id: nth,
    parent: nth % 7,
    rank: nth % 11,
  }));
  await collection.insertMany(documents);
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.nat(9), { minLength: 2, maxLength: 8 }),
      fc.nat(11),
      async (parents, least) => {
        const [first, ...others] = parents.map((parent) => [
          { $match: { parent, rank: { $gte: least } } },
          { $group: { _id: parent, n: { $sum: 1 } } },
        ]);
        const result = await collection
          .aggregate([
            ...first,
            ...others.map((pipeline) => ({
              $unionWith: { coll: collection.collectionName, pipeline },
            })),
          ])
          .toArray();
        const expected = parents.map((parent) => ({
          _id: parent,
          n: documents.filter((document) => document.parent === parent && document.rank >= least)
            .length,
        }));
        expect(result).toEqual(expected.filter(({ n }) => n > 0));
      },
    ),
    { numRuns: rounds(50) },
  );
});

it('$unionWith is rejected by name in every other use', async () => {
  const collection = await fixture.collection();
  const { collectionName } = collection;
  for (const pipeline of [
    [{ $unionWith: 'other' }],
    [{ $unionWith: { coll: 'other', pipeline: [] } }],
    [{ $unionWith: { coll: collectionName, pipeline: [{ $group: { _id: null } }] } }],
    [{ $unionWith: { coll: collectionName, pipeline: [] } }, { $group: { _id: null } }],
    [{ $group: { _id: null } }, { $unionWith: { coll: collectionName, pipeline: [] } }],
  ]) {
    await expect(collection.aggregate(pipeline).toArray()).rejects.toMatchObject({
      code: 115,
      message: expect.stringContaining('not supported by the embedded store'),
    });
  }
});
