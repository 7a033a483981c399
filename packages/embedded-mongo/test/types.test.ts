import { BSON, Double, Int32, Long } from 'mongodb';
import type { Collection, Document } from 'mongodb';
import fc from 'fast-check';
import { storeFixture } from './support/store-fixture';
import { rounds } from '../../../test/support/rounds';
import { openForTests } from '../../../test/support/open-for-tests';

/** The driver with explicit number types and raw documents. */
const EXACT = {
  promoteValues: false,
  promoteLongs: false,
  promoteBuffers: false,
  ignoreUndefined: true,
} as const;

describe('the type of every number and the order of every key', () => {
  let rows: Collection;
  const fixture = openForTests(() => storeFixture({ ...EXACT }));
  beforeEach(async () => {
    rows = await fixture.collection();
  });

  const number = fc.oneof(
    fc.integer({ min: -2, max: 2 }).map((value) => new Int32(value)),
    fc.integer({ min: -2, max: 2 }).map((value) => new Double(value)),
    fc.double().map((value) => new Double(value)),
    fc.constantFrom(new Double(-0), new Double(2 ** 31), new Double(NaN)),
    fc.bigInt({ min: -3n, max: 3n }).map((value) => Long.fromBigInt(value)),
  );
  const key = fc.constantFrom('a', 'b', '0', '1', '9', '10', '4294967295', '01', 'é');
  const content = fc.letrec<{ value: unknown; document: Map<string, unknown> }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      number,
      fc.constant('text'),
      fc.array(tie('value'), { maxLength: 3 }),
      tie('document'),
    ),
    document: fc
      .uniqueArray(fc.tuple(key, tie('value')), { maxLength: 4, selector: ([name]) => name })
      .map((entries) => new Map(entries)),
  })).document;

  const bytesOf = async (filter: Document): Promise<string> => {
    const [raw] = await rows.find(filter, { raw: true }).toArray();
    return Buffer.from(raw as unknown as Uint8Array).toString('hex');
  };
  const encoded = (document: Map<string, unknown>): string =>
    Buffer.from(BSON.serialize(document)).toString('hex');

  it('are as stored', async () => {
    await fc.assert(
      fc.asyncProperty(content, async (document) => {
        await rows.deleteMany({});
        const fullDocument = new Map<string, unknown>([['_id', new Int32(1)], ...document]);
        await rows.insertOne(fullDocument);
        expect(await bytesOf({})).toBe(encoded(fullDocument));
        await rows.replaceOne({ _id: 1 as never }, document);
        expect(await bytesOf({})).toBe(encoded(fullDocument));
      }),
      { numRuns: rounds(200) },
    );
  });

  it('are unchanged in fields that an update does not change', async () => {
    await fc.assert(
      fc.asyncProperty(content, content, number, async (document, other, value) => {
        await rows.deleteMany({});
        const fullDocument = new Map<string, unknown>([
          ['_id', new Int32(1)],
          ['kept', document],
          ['set', new Int32(0)],
        ]);
        await rows.insertOne(fullDocument);
        await rows.updateOne({}, { $set: { set: value, new: other } });
        expect(await bytesOf({})).toBe(
          encoded(new Map<string, unknown>([...fullDocument, ['set', value], ['new', other]])),
        );
        await rows.updateOne({}, { $set: { 'kept.zz': value } });
        expect(await bytesOf({})).toBe(
          encoded(
            new Map<string, unknown>([
              ...fullDocument,
              ['kept', new Map([...document, ['zz', value]])],
              ['set', value],
              ['new', other],
            ]),
          ),
        );
      }),
      { numRuns: rounds(150) },
    );
  });

  it.each<[before: unknown, by: unknown, after: unknown]>([
    [new Double(1), new Int32(1), new Double(2)],
    [new Int32(1), new Double(1), new Double(2)],
    [new Int32(1), new Int32(1), new Int32(2)],
    [new Double(1.5), new Double(1.5), new Double(3)],
    [new Double(1), Long.fromNumber(1), new Double(2)],
    [new Int32(1), Long.fromNumber(1), Long.fromNumber(2)],
  ])('follow MongoDB when a number is added: %s and %s', async (before, by, after) => {
    await rows.insertOne({ _id: 1 as never, n: before });
    await rows.updateOne({}, { $inc: { n: by as number } });
    expect((await rows.findOne({}))!.n).toEqual(after);
  });

  it('do not affect comparison, and are kept by sums', async () => {
    const count = async (filter: Document): Promise<number> =>
      Number(await rows.countDocuments(filter));
    await rows.insertMany([
      { _id: 1 as never, n: new Double(5) },
      { _id: 2 as never, n: new Int32(5) },
      { _id: 3 as never, n: Long.fromNumber(5) },
    ]);
    await rows.createIndex({ n: 1 });
    expect(await count({ n: 5 })).toBe(3);
    expect(await count({ n: { $in: [new Double(5)] } })).toBe(3);
    await rows.updateOne({ _id: 1 as never }, { $set: { n: new Int32(5) } });
    expect((await rows.findOne({ _id: 1 as never }))!.n).toEqual(new Int32(5));
  });

  it('support a sort by numeric field names', async () => {
    await rows.insertMany(
      [
        [1, 2],
        [2, 1],
        [1, 1],
        [2, 2],
      ].map(([ten, nine]) => ({ 10: new Int32(ten), 9: new Int32(nine) })),
    );
    const sort = new Map([
      ['10', 1],
      ['9', -1],
    ] as const);
    const shown = (row: Document | null): string => `${String(row?.[10])}${String(row?.[9])}`;
    expect((await rows.find().sort(sort).toArray()).map(shown)).toEqual(['12', '11', '22', '21']);
    expect(
      (await rows.aggregate([{ $match: {} }, { $sort: sort }, { $skip: 0 }]).toArray()).map(shown),
    ).toEqual(['12', '11', '22', '21']);
    expect(shown(await rows.findOneAndDelete({}, { sort }))).toBe('12');
  });
});
