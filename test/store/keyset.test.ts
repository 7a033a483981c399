import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { createLogger } from '../../src/platform/log/logger';
import { connectStore } from '../../src/platform/store/startup/connect';
import type { ConnectedStore } from '../../src/platform/store/startup/connect';
import { toQuery } from '../../src/platform/store/lists/filter';
import { pageOf } from '../../src/platform/store/lists/keyset';
import type { Order, PageQuery } from '../../src/platform/store/lists/keyset';
import { orNull, partOf, schemaOf } from '../../src/platform/store/schema';
import { longIt } from '../support/long';

interface Row {
  readonly _id: number;
  readonly name: string;
  readonly rank: number | null;
  readonly at: Date | null;
  readonly inner: { readonly size: number };
}

const rowSchema = schemaOf<Row>({
  _id: Number,
  name: String,
  rank: orNull(Number),
  at: orNull(Date),
  inner: partOf<Row['inner']>({ size: Number }),
});

describe('a keyset page', () => {
  const dir = mkdtempSync(join(tmpdir(), 'hypha-keyset-'));
  let connected: ConnectedStore;
  beforeAll(async () => {
    connected = await connectStore(
      { data: { dir, mongodbUri: process.env.MONGODB_URI ?? null, shareStore: false } },
      createLogger({ log: { level: 'silent' } }),
      { placement: 'inline', durability: 'test' },
    );
  });
  afterAll(async () => {
    await connected.close();
    rmSync(dir, { recursive: true, force: true });
  });

  const rows = () => connected.store.collection<Row>('Row', rowSchema, 'keyset_rows');
  const fill = async (documents: readonly Row[]): Promise<void> => {
    await rows().deleteMany({});
    await rows().insertMany(documents);
  };
  const row = (_id: number, more: Partial<Row> = {}): Row => ({
    _id,
    name: `row ${_id}`,
    rank: null,
    at: null,
    inner: { size: 0 },
    ...more,
  });
  const opened = async (query: PageQuery) => {
    const page = await pageOf(rows(), query);
    return {
      page,
      nodes: await page.nodes,
      edges: await page.edges,
      pageInfo: await page.pageInfo,
    };
  };
  const ids = async (query: PageQuery): Promise<number[]> =>
    (await opened(query)).nodes.map(({ _id }) => _id);

  const walk = async (query: PageQuery, backwards = false): Promise<number[]> => {
    const seen: number[] = [];
    let cursor: string | null = null;
    for (;;) {
      const page: Awaited<ReturnType<typeof opened>> = await opened({
        ...query,
        ...(backwards ? { before: cursor } : { after: cursor }),
      });
      const pageIds = page.nodes.map(({ _id }) => _id);
      if (backwards) seen.unshift(...pageIds);
      else seen.push(...pageIds);
      const more = backwards ? page.pageInfo.hasPreviousPage : page.pageInfo.hasNextPage;
      if (!more) return seen;
      cursor = backwards ? page.pageInfo.startCursor : page.pageInfo.endCursor;
    }
  };

  longIt('visits every row once in both directions for any order, with nulls', async () => {
    const value = fc.constantFrom(null, -1, 0, 2.5, 7);
    const direction = fc.constantFrom<Order['direction']>('asc', 'desc');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ rank: value, day: value, size: fc.constantFrom(1, 2) }), {
          minLength: 1,
          maxLength: 12,
        }),
        direction,
        direction,
        direction,
        fc.integer({ min: 1, max: 5 }),
        async (values, rank, at, size, count) => {
          await fill(
            values.map((entry, index) =>
              row(index + 1, {
                rank: entry.rank,
                at: entry.day === null ? null : new Date(entry.day * 1000),
                inner: { size: entry.size },
              }),
            ),
          );
          const orderBy: Order[] = [
            { field: 'rank', direction: rank },
            { field: 'at', direction: at },
            { field: 'inner.size', direction: size },
          ];
          const allIds = await ids({ orderBy, first: 100 });
          expect([...allIds].sort((a, b) => a - b)).toEqual(values.map((_, index) => index + 1));
          expect(await walk({ orderBy, first: count })).toEqual(allIds);
          expect(await walk({ orderBy, last: count }, true)).toEqual(allIds);
        },
      ),
      { numRuns: 25 },
    );
  });

  it('stays consistent while rows are added and deleted', async () => {
    await fill([1, 2, 3, 4, 5, 6].map((id) => row(id * 10)));
    const first = await opened({ first: 2 });
    await rows().insertMany([row(5), row(25)]);
    await rows().deleteOne({ _id: 20 });
    expect(await ids({ first: 3, after: first.pageInfo.endCursor })).toEqual([25, 30, 40]);
  });

  it('reports its position and counts only on request', async () => {
    await fill([1, 2, 3, 4, 5].map((id) => row(id)));
    const page = await opened({ first: 2, filter: { _id: { $gt: 1 } } });
    expect(page.nodes.map(({ _id }) => _id)).toEqual([2, 3]);
    expect(page.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    expect(page.edges.map(({ cursor }) => cursor)).toEqual([
      page.pageInfo.startCursor,
      page.pageInfo.endCursor,
    ]);
    expect(await page.page.totalCount()).toBe(4);
    expect((await opened({ last: 2, before: page.edges[1]?.cursor })).pageInfo).toMatchObject({
      hasNextPage: true,
      hasPreviousPage: false,
    });
    const empty = await opened({ filter: { _id: 99 } });
    expect([empty.nodes, empty.pageInfo]).toEqual([
      [],
      { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
    ]);
    expect(
      await ids({
        after: page.edges[0]?.cursor,
        before: (await opened({ last: 1 })).pageInfo.endCursor,
      }),
    ).toEqual([3, 4]);
  });

  it('reads only the projected fields and those of the order', async () => {
    await fill([row(1, { rank: 4 }), row(2, { rank: 3 })]);
    const page = await opened({
      projection: { name: 1 },
      orderBy: [{ field: 'rank', direction: 'asc' }],
    });
    expect(page.nodes).toEqual([
      { _id: 2, name: 'row 2', rank: 3 },
      { _id: 1, name: 'row 1', rank: 4 },
    ]);
    expect((await page.page.map(({ name }) => name).edges).map(({ node }) => node)).toEqual([
      'row 2',
      'row 1',
    ]);
  });

  it('rejects invalid page arguments and cursors', async () => {
    await fill([row(1)]);
    const { pageInfo } = await opened({ orderBy: [{ field: 'name', direction: 'asc' }] });
    const refusals: PageQuery[] = [
      { first: 0 },
      { first: 1_001 },
      { last: 1_001 },
      { first: 1.5 },
      { first: 1, last: 1 },
      { first: 11, maxPage: 10 },
      { after: 'garbage' },
      { after: '' },
      { after: 'x'.repeat(5_000) },
      { after: pageInfo.endCursor },
      { orderBy: [{ field: 'name', direction: 'desc' }], after: pageInfo.endCursor },
      { after: Buffer.from('["_id asc",{"$gt":1}]').toString('base64url') },
      { after: Buffer.from('["_id asc",1,2]').toString('base64url') },
      { after: Buffer.from('["_id asc",{"at":1e99}]').toString('base64url') },
      { after: Buffer.from('["_id asc","text"]').toString('base64url') },
      {
        orderBy: [{ field: 'at', direction: 'asc' }],
        before: Buffer.from('["at asc,_id asc","no time",1]').toString('base64url'),
      },
    ];
    for (const query of refusals)
      await expect(pageOf(rows(), query)).rejects.toMatchObject({ kind: 'malformed' });
    expect(await ids({ first: 100 })).toEqual([1]);
  });

  describe('with a filter', () => {
    const FIELDS = {
      name: 'name',
      rank: 'rank',
      at: 'at',
      size: 'inner.size',
      id: { path: '_id', read: (value: unknown) => Number(value) },
    };
    const matching = async (filter: object | null): Promise<number[]> =>
      ids({ filter: toQuery(filter, FIELDS), first: 100 });
    beforeAll(() =>
      fill([
        row(1, { name: 'Ada (a.b)', rank: 1, at: new Date(1_000), inner: { size: 5 } }),
        row(2, { name: 'bob', rank: 2, at: new Date(2_000), inner: { size: 6 } }),
        row(3, { name: 'ADAM', rank: null, at: null, inner: { size: 7 } }),
      ]),
    );

    it.each<[object | null, number[]]>([
      [null, [1, 2, 3]],
      [{}, [1, 2, 3]],
      [{ name: null }, [1, 2, 3]],
      [{ name: {} }, [1, 2, 3]],
      [{ name: { eq: 'bob' } }, [2]],
      [{ name: { contains: 'ada' } }, [1, 3]],
      [{ name: { contains: '(a.b)' } }, [1]],
      [{ name: { contains: 'a.m' } }, []],
      [{ name: { contains: '.*' } }, []],
      [{ rank: { gte: 2 } }, [2]],
      [{ rank: { lte: 2 } }, [1, 2]],
      [{ rank: { gte: 1, lte: 1 } }, [1]],
      [{ rank: { isNull: true } }, [3]],
      [{ rank: { isNull: false } }, [1, 2]],
      [{ at: { gte: new Date(2_000) } }, [2]],
      [{ size: { in: [5, 7] } }, [1, 3]],
      [{ size: { in: [] } }, []],
      [{ id: { in: ['1', '3'] } }, [1, 3]],
      [{ name: { contains: 'a' }, rank: { isNull: false } }, [1]],
      [{ or: [{ name: { eq: 'bob' } }, { rank: { isNull: true } }] }, [2, 3]],
      [{ or: [] }, []],
      [{ and: [] }, [1, 2, 3]],
      [{ and: [{ size: { gte: 5 } }, { size: { lte: 6 } }] }, [1, 2]],
      [{ not: { name: { eq: 'bob' } } }, [1, 3]],
      [{ not: { or: [{ size: { eq: 5 } }, { not: { size: { eq: 7 } } }] } }, [3]],
    ])('matches %j', async (filter, expected) => {
      expect(await matching(filter)).toEqual(expected);
    });

    const nested = (depth: number): object =>
      depth === 1 ? { rank: { eq: 1 } } : { not: nested(depth - 1) };
    it.each<[string, object, object]>([
      ['5 levels', nested(5), nested(6)],
      [
        '50 conditions',
        { or: Array.from({ length: 25 }, () => ({ rank: { eq: 1 } })) },
        { or: Array.from({ length: 26 }, () => ({ rank: { eq: 1 } })) },
      ],
      [
        '100 values',
        { rank: { in: Array.from({ length: 100 }, () => 1) } },
        { rank: { in: Array.from({ length: 101 }, () => 1) } },
      ],
      [
        '200 characters',
        { name: { contains: 'x'.repeat(200) } },
        { name: { contains: 'x'.repeat(201) } },
      ],
    ])('accepts at most %s', async (_name, at, over) => {
      await expect(matching(at)).resolves.toBeDefined();
      expect(() => toQuery(over, FIELDS)).toThrow(
        expect.objectContaining({ kind: 'malformed' }) as Error,
      );
    });

    it.each(['eq', 'in', 'gte', 'lte', 'contains', 'isNull'])(
      'treats null for `%s` as absent',
      async (operator) => {
        expect(await matching({ name: { [operator]: null } })).toEqual([1, 2, 3]);
        expect(await matching({ name: { [operator]: null }, rank: { eq: 1 } })).toEqual([1]);
        expect(
          await matching({
            or: [{ name: { [operator]: null } }, { rank: { eq: 1 } }],
            not: { name: { [operator]: null } },
          }),
        ).toEqual([1]);
      },
    );
  });
});
