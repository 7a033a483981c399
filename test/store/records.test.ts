import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '../../src/platform/log/logger';
import { Collection } from '../../src/platform/store/collection';
import { connectStore } from '../../src/platform/store/startup/connect';
import type { ConnectedStore } from '../../src/platform/store/startup/connect';
import { orMissing, orNull, partOf, schemaOf } from '../../src/platform/store/schema';
import { startService } from '../support/service/harness';
import type { TestService } from '../support/service/harness';
import { storeConnection } from '../support/store/stored';

interface ThingRecord {
  readonly _id: number;
  readonly name: string;
  readonly kind: 'a' | 'b';
  readonly at: Date | null;
  readonly tags: readonly string[];
  readonly part: { readonly size: number };
  readonly note?: string;
}

const part = partOf<ThingRecord['part']>({ size: Number });
const fields = {
  _id: Number,
  name: String,
  kind: String,
  at: orNull(Date),
  tags: [String],
  part,
  note: orMissing(String),
} as const;
const thingSchema = schemaOf<ThingRecord>(fields);

const thing: ThingRecord = { _id: 0, name: 'n', kind: 'a', at: null, tags: [], part: { size: 1 } };

/** Type errors: each of these mistakes would silently lose data. */
export const mistakes = [
  () => {
    const { name: _left, ...rest } = fields;
    // @ts-expect-error a field of the record is missing from the schema
    return schemaOf<ThingRecord>(rest);
  },
  // @ts-expect-error a field has another type
  () => schemaOf<ThingRecord>({ ...fields, name: Number }),
  // @ts-expect-error a nullable field is required by the schema
  () => schemaOf<ThingRecord>({ ...fields, at: Date }),
  // @ts-expect-error a field of an embedded object is missing
  () => partOf<ThingRecord['part']>({}),
  // @ts-expect-error an embedded object has the schema of another one
  () => schemaOf<ThingRecord>({ ...fields, part: partOf<{ weight: number }>({ weight: Number }) }),
];

describe('a record', () => {
  const dir = mkdtempSync(join(tmpdir(), 'hypha-records-'));
  let connected: ConnectedStore;
  let things: Collection<ThingRecord>;
  beforeAll(async () => {
    connected = await connectStore(
      { data: { dir, mongodbUri: null, shareStore: false } },
      createLogger({ log: { level: 'silent' } }),
      { placement: 'inline', durability: 'test' },
    );
    things = connected.store.collection<ThingRecord>('Thing', thingSchema, 'things');
    await connected.store.prepare();
  });
  afterAll(async () => {
    await connected.close();
    rmSync(dir, { recursive: true, force: true });
  });

  it('is returned as it is stored', async () => {
    const record: ThingRecord = {
      _id: 1,
      name: '',
      kind: 'a',
      at: null,
      tags: [],
      part: { size: 1 },
    };
    expect(await things.insert(record)).toEqual(record);
    const changed = await connected.store.transaction((tx) =>
      things.change(1, { name: 'x', at: new Date(0), note: 'n' }, tx),
    );
    expect(changed).toEqual({ ...record, name: 'x', at: new Date(0), note: 'n' });
    expect(await things.byId(1)).toEqual(changed);
  });

  it('is found with others by ids in the requested order', async () => {
    for (const [_id, kind] of [
      [11, 'a'],
      [12, 'b'],
      [13, 'a'],
    ] as const)
      await things.insert({
        _id,
        name: `n${_id}`,
        kind,
        at: null,
        tags: [],
        part: { size: 1 },
      });
    const ids = [13, 99, 11, 13, 12];
    expect((await things.byIds(ids)).map((one) => one?._id ?? null)).toEqual([
      13,
      null,
      11,
      13,
      12,
    ]);
    expect(await things.byIds(ids, { within: { kind: 'a' }, fields: { name: 1 } })).toEqual([
      { _id: 13, name: 'n13' },
      null,
      { _id: 11, name: 'n11' },
      { _id: 13, name: 'n13' },
      null,
    ]);
    expect(await things.byIds([])).toEqual([]);
    await connected.store.transaction(async (tx) => {
      await things.change(11, { name: 'in here' }, tx);
      expect((await things.byIds([11], { tx }))[0]?.name).toBe('in here');
      expect((await things.byIds([11]))[0]?.name).toBe('n11');
    });
  });

  it('is rejected without a required field', async () => {
    await expect(
      things.insert({
        _id: 2,
        kind: 'a',
        at: null,
        tags: [],
        part: { size: 1 },
      } as unknown as ThingRecord),
    ).rejects.toThrow('name');
  });

  it('gets the defaults of its schema', async () => {
    const { at: _at, ...rest } = { ...thing, _id: 3, at: null, note: undefined };
    expect(await things.insert(rest as ThingRecord)).toStrictEqual({
      ...thing,
      _id: 3,
      at: null,
    });
    expect(await things.byId(3)).toStrictEqual({ ...thing, _id: 3, at: null });
  });

  it.each<[string, object]>([
    ['name', { name: 1 }],
    ['name', { name: null }],
    ['at', { at: '2026-01-01' }],
    ['at', { at: new Date(Number.NaN) }],
    ['tags', { tags: 'a' }],
    ['tags', { tags: ['a', 1] }],
    ['part', { part: null }],
    ['size', { part: {} }],
    ['size', { part: { size: Number.NaN } }],
    ['weight', { part: { size: 1, weight: 1 } }],
  ])('is neither inserted nor changed with a wrong value: %s in %j', async (name, wrong) => {
    await things.insert({ ...thing, _id: 4 });
    const insertion = things.insert({ ...thing, _id: 5, ...wrong });
    await expect(insertion).rejects.toThrow(`"${name}"`);
    const change = connected.store.transaction((tx) => things.change(4, wrong, tx));
    await expect(change).rejects.toThrow(`"${name}"`);
    expect(await things.find({ _id: { $in: [4, 5] } })).toEqual([{ ...thing, _id: 4 }]);
    await things.deleteOne({ _id: 4 });
  });
});

describe('every collection of the service', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.close());

  const allCollections = () =>
    Object.values(storeConnection().models).map(
      (model) =>
        new Collection<object>(model, { memory: null, listMemory: null, transactions: null }),
    );

  it('rejects unknown fields in inserts, updates and queries', async () => {
    const collections = allCollections();
    expect(collections.length).toBeGreaterThan(8);
    for (const collection of collections) {
      const unknown = { unknownField: 1 };
      const refused: [string, () => Promise<unknown>][] = [
        ['insert', () => collection.insert(unknown)],
        ['insertMany', () => collection.insertMany([unknown])],
        ['updateOne', () => collection.updateOne({}, { $set: unknown })],
        ['find', () => collection.find(unknown)],
        ['or', () => collection.find({ $or: [unknown] })],
      ];
      for (const [name, work] of refused) {
        await expect(
          work().then(
            () => [collection.name, name, 'was accepted'],
            (error: unknown) => (error as Error).message,
          ),
        ).resolves.toMatch(/unknownField/);
      }
    }
  });

  it('rejects unknown fields of embedded objects', async () => {
    for (const collection of allCollections()) {
      const inner = Object.entries(collection.schema.paths)
        .filter(([, type]) => type.instance === 'Embedded')
        .map(([name]) => name);
      for (const name of inner)
        await expect(
          collection.updateOne({}, { $set: { [`${name}.unknownField`]: 1 } }),
        ).rejects.toThrow(/unknownField/);
    }
  });
});
