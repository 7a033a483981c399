import type { Collection, Document } from 'mongodb';
import { storeFixture } from './support/store-fixture';
import { openForTests } from '../../../test/support/open-for-tests';

interface Row extends Document {
  _id: number;
}

/** The chosen plan and its cost in an explanation. */
interface Explained {
  readonly queryPlanner: { readonly winningPlan: Document };
  readonly executionStats?: {
    readonly nReturned: number;
    readonly totalKeysExamined: number;
    readonly totalDocsExamined: number;
  };
}

describe('an operator of the embedded store', () => {
  let rows: Collection<Row>;
  const COUNT = 3_000;

  const fixture = openForTests(storeFixture);
  beforeAll(async () => {
    rows = (await fixture.collection()) as unknown as Collection<Row>;
    await rows.createIndexes([
      { key: { owner: 1, at: 1 } },
      { key: { at: 1 }, sparse: true },
      { key: { code: 1 }, unique: true },
      { key: { tags: 1 } },
    ]);
    await rows.insertMany(
      Array.from({ length: COUNT }, (_, n) => ({
        _id: n,
        owner: n % 5,
        at: new Date(Math.floor(n / 100)),
        code: `c${n}`,
        tags: [n % 3, n % 7],
        text: 'x'.repeat(100),
      })),
    );
  });

  /** The names of the stages, outermost first. */
  const stages = (plan: Document): string[] => [
    plan.stage as string,
    ...(plan.inputStage === undefined ? [] : stages(plan.inputStage as Document)),
  ];
  const explained = async (command: Document, verbosity = 'executionStats'): Promise<Explained> =>
    (await fixture.db.command({ explain: command, verbosity })) as unknown as Explained;
  const find = (filter: Document, more: Document = {}): Document => ({
    find: rows.collectionName,
    filter,
    ...more,
  });

  describe('can connect with mongosh 2, which', () => {
    const admin: Array<[command: Document, answer: Document | number]> = [
      [
        { hello: 1, client: { application: { name: 'mongosh 2.12.0' } } },
        { isWritablePrimary: true, setName: 'embedded' },
      ],
      [{ buildInfo: 1 }, { version: '7.0.0' }],
      [
        { getParameter: 1, featureCompatibilityVersion: 1 },
        { featureCompatibilityVersion: { version: '7.0' } },
      ],
      [{ getParameter: 'foo' }, 72],
      [{ atlasVersion: 1 }, 59],
      [{ ping: 1 }, { ok: 1 }],
      [{ getLog: 'startupWarnings' }, { log: [] }],
      [{ getCmdLineOpts: 1 }, { argv: [] }],
      [{ hostInfo: 1 }, { system: { numCores: expect.any(Number) as number } }],
      [{ connectionStatus: 1, showPrivileges: true }, { authInfo: { authenticatedUsers: [] } }],
      [{ serverStatus: 1, repl: 0 }, 115],
      [
        {
          aggregate: 'atlascli',
          pipeline: [
            { $match: { managedClusterType: 'atlasCliLocalDevCluster' } },
            { $group: { _id: 1, n: { $sum: 1 } } },
          ],
          cursor: {},
        },
        { cursor: { firstBatch: [] } },
      ],
      [{ aggregate: 1, pipeline: [{ $currentOp: {} }], cursor: {} }, 115],
    ];
    it.each(admin)('sends %j', async (command, answer) => {
      const reply = fixture.client.db('admin').command(command);
      await (typeof answer === 'number'
        ? expect(reply).rejects.toMatchObject({ code: answer })
        : expect(reply).resolves.toMatchObject(answer));
    });

    it('shows databases, collections and indexes', async () => {
      const { databases, totalSize } = await fixture.client.db('admin').admin().listDatabases();
      expect(databases).toEqual([
        { name: 'hypha', sizeOnDisk: expect.any(Number) as number, empty: false },
      ]);
      expect(totalSize).toBe(databases[0].sizeOnDisk);
      expect(totalSize).toBeGreaterThan(COUNT * 100);
      expect(
        await fixture.db
          .listCollections({}, { nameOnly: true, authorizedCollections: false })
          .toArray(),
      ).toEqual([{ name: rows.collectionName, type: 'collection' }]);
      expect((await rows.indexes()).map(({ name }) => name)).toEqual([
        '_id_',
        'owner_1_at_1',
        'at_1',
        'code_1',
        'tags_1',
      ]);
    });
  });

  it('can read the sizes of databases and collections', async () => {
    const [{ storageStats, count }] = await rows
      .aggregate([{ $collStats: { storageStats: { scale: 1 }, count: {} } }])
      .toArray();
    expect(count).toBe(COUNT);
    expect(storageStats).toMatchObject({
      count: COUNT,
      nindexes: 5,
      size: expect.any(Number) as number,
      indexSizes: { at_1: expect.any(Number) as number },
    });
    expect(
      await fixture.db.command({ collStats: rows.collectionName, scale: 1_000 }),
    ).toMatchObject({ count: COUNT, size: (storageStats as { size: number }).size / 1_000 });
    expect(await fixture.db.stats()).toMatchObject({
      collections: 1,
      objects: COUNT,
      indexes: 5,
      dataSize: (storageStats as { size: number }).size,
    });
    expect(await fixture.db.command({ collStats: 'nothing' })).toMatchObject({ count: 0, size: 0 });
    await expect(
      rows.aggregate([{ $collStats: { latencyStats: {} } }]).toArray(),
    ).rejects.toMatchObject({ code: 115 });
  });

  describe('can use explain', () => {
    const middle = new Date(15);
    const page = {
      $and: [{ owner: 2 }, { $or: [{ at: { $lt: middle } }, { at: middle, _id: { $lt: 1_552 } }] }],
    };
    it.each<
      [
        feature: string,
        command: () => Document,
        stages: string[],
        index: string | undefined,
        most: { keys: number; docs: number; returned: number },
      ]
    >([
      [
        'one document by _id',
        () => find({ _id: 7 }),
        ['FETCH', 'IDHACK'],
        '_id_',
        { keys: 1, docs: 1, returned: 1 },
      ],
      [
        'one document by a unique key',
        () => find({ code: 'c7' }),
        ['FETCH', 'IXSCAN'],
        'code_1',
        { keys: 1, docs: 1, returned: 1 },
      ],
      [
        'a page in the middle of a list',
        () => find(page, { sort: { at: -1, _id: -1 }, limit: 20 }),
        ['LIMIT', 'FETCH', 'IXSCAN'],
        'owner_1_at_1',
        { keys: 280, docs: 20, returned: 20 },
      ],
      [
        'a page of several owners',
        () => find({ owner: { $in: [1, 2, 3] } }, { sort: { at: 1, _id: 1 }, limit: 20 }),
        ['LIMIT', 'FETCH', 'SORT_MERGE', 'IXSCAN'],
        'owner_1_at_1',
        { keys: 300, docs: 32, returned: 20 },
      ],
      [
        'everything',
        () => find({ text: 'y' }),
        ['COLLSCAN'],
        undefined,
        { keys: COUNT, docs: COUNT, returned: 0 },
      ],
      [
        'a sorted query',
        () => find({ owner: 2 }, { sort: { code: 1, text: 1 }, projection: { code: 1 } }),
        ['PROJECTION', 'SORT', 'FETCH', 'IXSCAN'],
        'owner_1_at_1',
        { keys: 600, docs: 600, returned: 600 },
      ],
      [
        'a hint',
        () => find({ owner: 2, at: middle }, { hint: 'at_1' }),
        ['FETCH', 'IXSCAN'],
        'at_1',
        { keys: 100, docs: 100, returned: 20 },
      ],
      [
        'a missing collection',
        () => ({ find: 'nothing', filter: {} }),
        ['EOF'],
        undefined,
        { keys: 0, docs: 0, returned: 0 },
      ],
    ])('%s', async (_, command, expected, index, most) => {
      const {
        queryPlanner: { winningPlan },
        executionStats,
      } = await explained(command());
      expect(stages(winningPlan)).toEqual(expected);
      expect(JSON.stringify(winningPlan).match(/"indexName":"(\w+)"/)?.[1]).toBe(index);
      expect(executionStats?.nReturned).toBe(most.returned);
      expect(executionStats?.totalKeysExamined).toBeLessThanOrEqual(most.keys);
      expect(executionStats?.totalDocsExamined).toBeLessThanOrEqual(most.docs);
    });

    it('without running the query', async () => {
      expect(await explained(find({}), 'queryPlanner')).not.toHaveProperty('executionStats');
    });

    it('but not for a write or an unknown option', async () => {
      await expect(
        explained({ delete: rows.collectionName, deletes: [{ q: {}, limit: 0 }] }),
      ).rejects.toMatchObject({ code: 115 });
      await expect(explained(find({}, { invented: 1 }))).rejects.toMatchObject({ code: 115 });
      await expect(explained(find({}, { hint: 'nothing_1' }))).rejects.toMatchObject({ code: 2 });
      expect(await rows.estimatedDocumentCount()).toBe(COUNT);
    });
  });
});
