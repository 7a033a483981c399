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
import { storeCalls, storeConnection } from '../support/store/stored';

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
  beforeAll(async () => {
    connected = await connectStore(
      { data: { dir, mongodbUri: null } },
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

  it('gives records that no reader can change', async () => {
    await rows().byId(2);
    const shared = (await rows().byId(2)) as { name: string };
    expect(() => {
      shared.name = 'mine';
    }).toThrow(TypeError);
  });
});
