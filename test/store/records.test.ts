import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Model } from 'mongoose';
import { createLogger } from '../../src/platform/log/logger';
import { connectStore } from '../../src/platform/store/connect';
import type { ConnectedStore } from '../../src/platform/store/connect';
import { changeRecord, insertRecord, recordsByIds } from '../../src/platform/store/records';
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
  let things: Model<ThingRecord>;
  beforeAll(async () => {
    connected = await connectStore(
      { data: { dir, mongodbUri: null } },
      createLogger({ log: { level: 'silent' } }),
      { placement: 'inline', durability: 'test' },
    );
    things = connected.store.model<ThingRecord>('Thing', thingSchema, 'things');
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
    expect(await insertRecord(things, record)).toEqual(record);
    const changed = await connected.store.transaction((tx) =>
      changeRecord(things, 1, { name: 'x', at: new Date(0), note: 'n' }, tx),
    );
    expect(changed).toEqual({ ...record, name: 'x', at: new Date(0), note: 'n' });
    expect(await things.findById(1).lean()).toEqual(changed);
  });

  it('is found with others by ids in the requested order', async () => {
    for (const [_id, kind] of [
      [11, 'a'],
      [12, 'b'],
      [13, 'a'],
    ] as const)
      await insertRecord<ThingRecord>(things, {
        _id,
        name: `n${_id}`,
        kind,
        at: null,
        tags: [],
        part: { size: 1 },
      });
    const ids = [13, 99, 11, 13, 12];
    expect((await recordsByIds(things, ids)).map((one) => one?._id ?? null)).toEqual([
      13,
      null,
      11,
      13,
      12,
    ]);
    expect(
      await recordsByIds(things, ids, { within: { kind: 'a' }, projection: { name: 1 } }),
    ).toEqual([
      { _id: 13, name: 'n13' },
      null,
      { _id: 11, name: 'n11' },
      { _id: 13, name: 'n13' },
      null,
    ]);
    expect(await recordsByIds(things, [])).toEqual([]);
    await connected.store.transaction(async (tx) => {
      await changeRecord(things, 11, { name: 'in here' }, tx);
      expect((await recordsByIds(things, [11], { tx }))[0]?.name).toBe('in here');
      expect((await recordsByIds(things, [11]))[0]?.name).toBe('n11');
    });
  });

  it('is rejected without a required field', async () => {
    await expect(
      insertRecord(things, {
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
    expect(await insertRecord(things, rest as ThingRecord)).toStrictEqual({
      ...thing,
      _id: 3,
      at: null,
    });
    expect(await things.findById(3).lean()).toStrictEqual({ ...thing, _id: 3, at: null });
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
    await insertRecord(things, { ...thing, _id: 4 });
    const insertion = insertRecord(things, { ...thing, _id: 5, ...wrong });
    await expect(insertion).rejects.toThrow(`"${name}"`);
    const change = connected.store.transaction((tx) => changeRecord(things, 4, wrong, tx));
    await expect(change).rejects.toThrow(`"${name}"`);
    expect(await things.find({ _id: { $in: [4, 5] } }).lean()).toEqual([{ ...thing, _id: 4 }]);
    await things.deleteOne({ _id: 4 });
  });
});

describe('every model of the service', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.close());

  it('rejects unknown fields in inserts, updates and queries', async () => {
    const models = Object.values(storeConnection().models) as Model<object>[];
    expect(models.length).toBeGreaterThan(8);
    for (const model of models) {
      const unknown = { unknownField: 1 };
      const refused: [string, () => Promise<unknown>][] = [
        ['insert', () => insertRecord(model, unknown)],
        ['insertMany', () => model.insertMany([unknown])],
        ['updateOne', () => model.updateOne({}, { $set: unknown })],
        ['find', () => model.find(unknown as never).exec()],
        ['or', () => model.find({ $or: [unknown] } as never).exec()],
      ];
      for (const [name, work] of refused) {
        await expect(
          work().then(
            () => [model.modelName, name, 'was accepted'],
            (error: unknown) => (error as Error).message,
          ),
        ).resolves.toMatch(/unknownField/);
      }
    }
  });

  it('rejects unknown fields of embedded objects', async () => {
    for (const model of Object.values(storeConnection().models) as Model<object>[]) {
      const inner = Object.entries(model.schema.paths)
        .filter(([, type]) => type.instance === 'Embedded')
        .map(([name]) => name);
      for (const name of inner)
        await expect(
          model.updateOne({}, { $set: { [`${name}.unknownField`]: 1 } }).exec(),
        ).rejects.toThrow(/unknownField/);
    }
  });
});
