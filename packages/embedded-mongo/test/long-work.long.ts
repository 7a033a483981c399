import type { Collection, Document } from 'mongodb';
import { storeFixture } from './support/store-fixture';
import type { StoreFixture } from './support/store-fixture';

/** Enough for tens of milliseconds of work. */
const MANY = 20_000;

describe('the store serves other clients during', () => {
  let fixture: StoreFixture;
  let rows: Collection<{ _id: number; n: number; text: string }>;
  let other: Collection;
  beforeAll(async () => {
    fixture = await storeFixture();
    other = await fixture.collection();
    await other.insertOne({ n: 0 });
    rows = await fixture.collection();
    await rows.insertMany(
      Array.from({ length: MANY }, (_, n) => ({
        _id: n,
        n,
        text: `${(n * 7_919) % MANY} ${'x'.repeat(100)}`,
      })),
    );
  });
  afterAll(() => fixture.close());

  /** How many reads and writes of another client finish during the work. */
  async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
    let running = true;
    const done = work().finally(() => (running = false));
    let turns = 0;
    for (; running; turns++) {
      await other.findOne({ n: -1 });
      await other.updateOne({}, { $inc: { n: 1 } });
    }
    await done;
    return turns;
  }

  const copies = (): Document[] =>
    Array.from({ length: MANY }, (_, n) => ({ _id: MANY + n, n, text: 'copy' }));

  it.each<[what: string, work: () => Promise<unknown>]>([
    [
      'index builds',
      () => rows.createIndexes([{ key: { text: 1 } }, { key: { n: -1, text: 1 }, unique: true }]),
    ],
    ['an index drop', () => rows.dropIndex('n_-1_text_1')],
    ['a large insert', () => rows.insertMany(copies() as never[])],
    [
      'updateMany',
      async () =>
        expect(await rows.updateMany({ n: { $gte: 0 } }, { $inc: { n: 1 } })).toMatchObject({
          matchedCount: 2 * MANY,
          modifiedCount: 2 * MANY,
        }),
    ],
    [
      'a bulk update',
      () =>
        rows.bulkWrite(
          Array.from({ length: 5_000 }, (_, _id) => ({
            updateOne: { filter: { _id }, update: { $inc: { n: 1 } } },
          })),
        ),
    ],
    [
      'deleteMany',
      async () =>
        expect(await rows.deleteMany({ _id: { $gte: MANY } })).toMatchObject({
          deletedCount: MANY,
        }),
    ],
    [
      'findOneAndUpdate without an index',
      async () =>
        expect(await rows.findOneAndUpdate({ n: MANY }, { $inc: { n: 1 } })).toMatchObject({
          _id: MANY - 1,
        }),
    ],
    [
      'a sort without an index',
      async () =>
        expect((await rows.find().sort({ n: -1, _id: 1 }).toArray()).at(-1)).toMatchObject({
          _id: 0,
        }),
    ],
    [
      'a count without an index',
      async () => expect(await rows.countDocuments({ n: { $gte: 0 } })).toBe(MANY),
    ],
    ['a collection drop', () => rows.drop()],
  ])('%s', async (_, work) => {
    expect(await turnsDuring(work)).toBeGreaterThanOrEqual(2);
  });
});

describe('long work ends at its time limit:', () => {
  let fixture: StoreFixture;
  let rows: Collection<{ _id: number; n: number }>;
  beforeAll(async () => {
    fixture = await storeFixture();
    rows = await fixture.collection();
    await rows.insertMany(Array.from({ length: MANY }, (_, n) => ({ _id: n, n })));
  });
  afterAll(() => fixture.close());

  it.each<[what: string, command: () => Document]>([
    [
      'update',
      () => ({
        update: rows.collectionName,
        updates: [{ q: {}, u: { $inc: { n: 1 } }, multi: true }],
      }),
    ],
    [
      'delete',
      () => ({ delete: rows.collectionName, deletes: [{ q: { n: { $gte: -1 } }, limit: 0 }] }),
    ],
    [
      'createIndexes',
      () => ({ createIndexes: rows.collectionName, indexes: [{ key: { n: 1 }, name: 'n' }] }),
    ],
    ['find', () => ({ find: rows.collectionName, sort: { n: -1 } })],
    [
      'aggregate',
      () => ({ aggregate: rows.collectionName, pipeline: [{ $match: { n: -1 } }], cursor: {} }),
    ],
    ['count', () => ({ count: rows.collectionName, query: { n: { $gt: 0 } } })],
  ])('%s', async (_, command) => {
    await expect(fixture.db.command({ ...command(), maxTimeMS: 8 })).rejects.toMatchObject({
      code: 50,
      codeName: 'MaxTimeMSExpired',
    });
    expect(await rows.indexes()).toHaveLength(1);
  });

  it('completed writes remain valid', async () => {
    const left = await rows.find().toArray();
    expect(left.length).toBeGreaterThan(0);
    for (const { _id, n } of left) expect(n - _id === 0 || n - _id === 1).toBe(true);
  });
});
