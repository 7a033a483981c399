import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { connectStore } from '../../src/platform/store/startup/connect';
import type { ConnectedStore } from '../../src/platform/store/startup/connect';
import { createLogger } from '../../src/platform/log/logger';
import { schemaOf } from '../../src/platform/store/schema';
import type { Tx } from '../../src/platform/store/store';
import { startService, unique } from '../support/service/harness';
import type { TestService } from '../support/service/harness';
import { allStoreCalls, storeCalls, storeConnection } from '../support/store/stored';

describe('records in memory', () => {
  let service: TestService;
  let ids: number[];
  beforeAll(async () => {
    service = await startService();
    ids = [];
    for (let nth = 0; nth < 3; nth += 1) {
      const { body } = await service.api('POST', '/api/category', { body: { name: unique('C') } });
      ids.push(body.id);
    }
  });
  afterAll(() => service.close());

  const rows = () => storeConnection().collection<any>('categories');
  const rename: ((id: number, name: string) => Promise<unknown>)[] = [
    (id, name) => service.api('PUT', `/api/category/${id}`, { body: { id, name } }),
    (id, name) =>
      service.data(
        'mutation($input: CategoryUpdateInput!) { categoryUpdate(input: $input) { userErrors { code } } }',
        { input: { id: String(id), name } },
      ),
    (id, name) => rows().updateOne({ _id: id }, { $set: { name, nameKey: name.toLowerCase() } }),
  ];
  const read: ((id: number) => Promise<string>)[] = [
    async (id) => (await service.api('GET', `/api/category/${id}`)).body.name,
    async (id) =>
      (await service.api('GET', '/api/category/all')).body.find((each: any) => each.id === id).name,
    async (id) =>
      (
        await service.data('{ categories(first: 50) { nodes { databaseId name } } }')
      ).categories.nodes.find(({ databaseId }: any) => databaseId === id).name,
  ];

  it('are those of the store after any writes through any interface', async () => {
    const step = fc.record({
      row: fc.nat(2),
      writer: fc.nat(rename.length - 1),
      reader: fc.nat(read.length - 1),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        await Promise.all(
          steps.map(async ({ row, writer, reader }) => {
            await rename[writer](ids[row], unique('Name'));
            await read[reader](ids[row]);
          }),
        );
        const stored = await rows()
          .find({ _id: { $in: ids } })
          .toArray();
        for (const { _id, name } of stored)
          for (const each of read) expect(await each(_id)).toBe(name);
      }),
      { numRuns: 6 },
    );
  });

  it('are never older than an acknowledged write', async () => {
    const [id] = ids;
    for (let nth = 0; nth < 18; nth += 1) {
      const name = unique('Fresh');
      const reads = read.map((each) => each(id));
      await rename[nth % rename.length](id, name);
      expect(await read[nth % read.length](id)).toBe(name);
      await Promise.all(reads);
    }
  });

  it('need no call of the store until they change', async () => {
    await read[0](ids[0]);
    const calls = await storeCalls(() => read[0](ids[0]), { remembers: true });
    expect(calls.filter((call) => call.startsWith('categories.'))).toEqual([]);
    await rename[2](ids[0], unique('Changed'));
    const after = await storeCalls(() => read[0](ids[0]), { remembers: true });
    expect(after.filter((call) => call.startsWith('categories.'))).not.toEqual([]);
  });
});

describe('the memory of a collection', () => {
  interface Row {
    readonly _id: number;
    readonly at: Date;
    readonly name: string;
  }
  let connected: ConnectedStore;
  const dir = mkdtempSync(join(tmpdir(), 'memory-'));
  const schema = schemaOf<Row>({ _id: Number, at: Date, name: String });
  const rows = () => connected.store.collection<Row>('Row', schema, 'widgets');
  const raw = () => connected.store.connection.collection<Row>('widgets');
  beforeAll(async () => {
    connected = await connectStore(
      { data: { dir, mongodbUri: null, shareStore: false } },
      createLogger({ log: { level: 'fatal', format: 'json' } }),
      { placement: 'inline', durability: 'test' },
    );
    const at = (day: number) => new Date(Date.UTC(2026, 0, day));
    await rows().insertMany([
      { _id: 1, at: at(1), name: 'one' },
      { _id: 2, at: at(2), name: 'two' },
    ]);
  });
  afterAll(async () => {
    await connected.close();
    rmSync(dir, { recursive: true, force: true });
  });

  it('tells conditions apart that look the same as JSON', async () => {
    const named = (name: RegExp) => rows().find({ name });
    expect(await named(/one/)).toHaveLength(1);
    expect(await named(/t/)).toHaveLength(1);
    const since = (day: number) => rows().count({ at: { $gte: new Date(Date.UTC(2026, 0, day)) } });
    expect([await since(1), await since(2), await since(3)]).toEqual([2, 1, 0]);
    expect(await rows().find({}, { fields: { name: 1 }, sort: { _id: -1 }, limit: 1 })).toEqual([
      { _id: 2, name: 'two' },
    ]);
    expect(await rows().find({}, { fields: { name: 1 }, sort: { _id: 1 }, limit: 1 })).toEqual([
      { _id: 1, name: 'one' },
    ]);
  });

  it('is not used in a transaction, which sees its own writes', async () => {
    const names = (tx?: Tx) => rows().find({}, { tx, sort: { _id: 1 } });
    await names();
    await connected.store
      .transaction(async (tx) => {
        await rows().updateOne({ _id: 1 }, { $set: { name: 'changed' } }, tx);
        expect((await names(tx))[0].name).toBe('changed');
        expect((await names())[0].name).toBe('one');
        throw new Error('roll back');
      })
      .catch(() => undefined);
    expect((await names())[0].name).toBe('one');
  });

  const rename = (id: number, name: string) => raw().updateOne({ _id: id }, { $set: { name } });

  it('keeps records when others change, also in lists', async () => {
    const list = () => rows().find({}, { sort: { _id: 1 } });
    const [one, two] = await list();
    await rename(1, unique('one'));
    expect(await allStoreCalls(() => rows().byIds([2, 2]))).toEqual([]);
    const [newOne, sameTwo] = await list();
    expect([newOne === one, sameTwo === two, await rows().byId(2)]).toEqual([false, true, two]);
    expect(await allStoreCalls(() => rows().byIds([1, 2]))).toEqual([]);
  });

  it('knows missing records until they are inserted', async () => {
    expect(await rows().byIds([2, 77])).toEqual([expect.anything(), null]);
    expect(await allStoreCalls(() => rows().byId(77))).toEqual([]);
    await raw().insertOne({ _id: 77, at: new Date(), name: 'new' });
    expect((await rows().byId(77))?.name).toBe('new');
    await raw().deleteOne({ _id: 77 });
    expect(await rows().byIds([77, 2])).toEqual([null, expect.anything()]);
  });

  it('remembers each choice of fields separately', async () => {
    const names = { fields: { name: 1 } } as const;
    await rows().byId(2);
    expect(await rows().byIds([2], names)).toEqual([{ _id: 2, name: expect.any(String) }]);
    expect(Object.keys((await rows().byId(2)) ?? {})).toEqual(['_id', 'at', 'name']);
  });

  it('lets equal reads at the same time share one read of the store', async () => {
    await rename(1, unique('shared'));
    const reads = () => [rows().find({}), rows().find({}), rows().byId(1), rows().byIds([1])];
    const calls = await allStoreCalls(() => Promise.all([...reads(), ...reads(), rows().count()]));
    expect(calls.sort()).toEqual(['widgets.countDocuments', 'widgets.find', 'widgets.find']);
  });

  it('does not share a read that began before an acknowledged write', async () => {
    for (let nth = 0; nth < 40; nth += 1) {
      const early = [rows().find({}), rows().byId(1), rows().count()];
      const name = unique('late');
      await rename(1, name);
      expect((await rows().byId(1))?.name).toBe(name);
      expect((await rows().find({ name }))[0]?.name).toBe(name);
      await Promise.all(early);
    }
  });

  it('is never older than acknowledged writes of several writers', async () => {
    /** The last writes of each record, by number. */
    const [begun, acknowledged] = [new Map<number, number>(), new Map<number, number>()];
    const deletes = (nth: number): boolean => nth % 5 === 0;
    let version = 0;
    let isOver = false;
    const write = async (id: number): Promise<void> => {
      while (version < 300) {
        const now = (version += 1);
        begun.set(id, now);
        const value = { at: new Date(), name: String(now) };
        if (deletes(now)) await raw().deleteOne({ _id: id });
        else if (now % 5 === 1)
          await connected.store.transaction(async ({ session }) => {
            await raw().updateOne({ _id: id }, { $set: value }, { upsert: true, session });
          });
        else
          await raw().bulkWrite([
            { replaceOne: { filter: { _id: id }, replacement: value, upsert: true } },
          ]);
        acknowledged.set(id, now);
      }
      isOver = true;
    };
    const ids = [101, 102, 103];
    const filter = { _id: { $in: ids } };
    const reads: (() => Promise<(Row | null)[]>)[] = [
      () => rows().byIds(ids),
      () => Promise.all(ids.map((id) => rows().byId(id))),
      () => rows().find(filter),
      () => rows().find(filter, { fields: { name: 1 }, sort: { _id: -1 } }),
    ];
    let checks = 0;
    const check = async (read: (typeof reads)[number]): Promise<void> => {
      while (!isOver) {
        const before = new Map(acknowledged);
        const found = new Map((await read()).flatMap((row) => (row ? [[row._id, row]] : [])));
        for (const [id, least] of before) {
          const row = found.get(id);
          if (row) expect(Number(row.name)).toBeGreaterThanOrEqual(least);
          // Unless a later write has begun, which may or may not be seen.
          if (begun.get(id) === least) expect(row === undefined).toBe(deletes(least));
          checks += 1;
        }
      }
    };
    await Promise.all([...ids.map(write), ...reads.map(check), ...reads.map(check)]);
    expect(checks).toBeGreaterThan(0);
    await raw().deleteMany(filter);
  });

  it('gives records that no reader can change', async () => {
    await rows().byId(2);
    const shared = (await rows().byId(2)) as { name: string };
    expect(() => {
      shared.name = 'mine';
    }).toThrow(TypeError);
  });
});
