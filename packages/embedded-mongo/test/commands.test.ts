import { connect } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { BSON, Decimal128, Long, MaxKey, ObjectId, Timestamp } from 'mongodb';
import type { Collection, Document } from 'mongodb';
import { longDescribe, longIt } from '../../../test/support/long';
import { shareOf } from '../../../test/support/rounds';
import { storeFixture } from './support/store-fixture';
import { openForTests } from '../../../test/support/open-for-tests';

describe('the embedded store', () => {
  let rows: Collection;
  const fixture = openForTests(storeFixture);
  beforeEach(async () => {
    rows = await fixture.collection();
  });

  const numbered = (count: number): Document[] =>
    Array.from({ length: count }, (_, n) => ({
      _id: n as never,
      n,
      half: Math.floor(n / 2),
      text: `t${n}`,
    }));

  longDescribe('answers oversized documents with an error and continues:', () => {
    const BYTES = 6_000_000;
    beforeEach(async () => {
      for (let n = 0; n < 4; n++) await rows.insertOne({ n, text: `${n}${'x'.repeat(BYTES)}` });
    });
    it.each<[what: string, act: () => Promise<unknown>]>([
      [
        'a document that grew',
        async () => {
          for (let n = 0; n < 3; n++)
            await rows.updateOne({ n: 0 }, { $set: { [`more${n}`]: 'x'.repeat(BYTES) } });
        },
      ],
    ])('%s', async (_, act) => {
      await expect(act()).rejects.toMatchObject({ code: 10334 });
      expect((await rows.find().toArray()).map(({ n }) => n as number)).toEqual([0, 1, 2, 3]);
    });
  });

  longIt('reads again what changed after a full batch', async () => {
    await rows.insertMany(
      Array.from({ length: 12 }, (_, n) => ({
        _id: n as never,
        text: 'x'.repeat(3_000_000),
        state: 'old',
      })),
    );
    const cursor = rows.find().batchSize(100);
    await cursor.next();
    const inFirstBatch = cursor.bufferedCount() + 1;
    expect(inFirstBatch).toBeLessThan(11);
    await rows.updateMany({}, { $set: { state: 'new' } });
    const states = (await cursor.toArray()).map(({ state }) => state as string);
    // The document that did not fit into the first batch was read before the change.
    expect(states.slice(inFirstBatch)).toEqual(
      Array.from({ length: 11 - inFirstBatch }, () => 'new'),
    );
    await cursor.close();
  });

  longIt('reports more failures than it can describe', async () => {
    await rows.insertOne({ _id: 1 as never });
    const documents = Array.from({ length: 20_000 }, () => ({ _id: 1 }));
    const { n, writeErrors } = await fixture.db.command({
      insert: rows.collectionName,
      documents,
      ordered: false,
    });
    expect(n).toBe(0);
    expect(writeErrors).toHaveLength(20_000);
    expect(writeErrors[0]).toMatchObject({
      index: 0,
      code: 11000,
      errmsg: expect.stringMatching(/E11000/) as string,
    });
    expect(writeErrors[19_999]).toEqual({ index: 19_999, code: 11000, errmsg: '' });
  });

  it.each<[Document]>([
    [{ n: { $regex: 'a', $options: 'i' } }],
    [{ n: /a/ }],
    [{ n: { $ne: 1 } }],
    [{ n: { $exists: false } }],
    [{ $nor: [{ n: 1 }] }],
    [{ $and: [{ n: { $not: { $gt: 1 } } }] }],
  ])('rejects a partial index for %j', async (partialFilterExpression) => {
    await expect(rows.createIndex({ n: 1 }, { partialFilterExpression })).rejects.toMatchObject({
      code: 67,
    });
    expect(await rows.find({ n: 'a' }).toArray()).toEqual([]);
  });

  it('has one _id index without options', async () => {
    await rows.createIndex({ _id: 1 });
    await expect(rows.createIndex({ _id: -1 })).rejects.toMatchObject({ code: 197 });
    await expect(rows.createIndex({ _id: 1 }, { sparse: true })).rejects.toMatchObject({
      code: 197,
    });
    expect(await rows.indexes()).toHaveLength(1);
  });

  describe('rejects by name, with a reference to MONGODB_URI,', () => {
    const hint =
      /(is|are) not supported by the embedded store; set MONGODB_URI to a MongoDB replica set$/;
    const refusals: Array<
      [what: string, act: () => Promise<unknown>, named: string, code?: number]
    > = [
      ['change streams', () => rows.watch().next(), '$changeStream', 40573],
      ['text indexes', () => rows.createIndex({ a: 'text' }), 'text', 67],
      ['geo indexes', () => rows.createIndex({ a: '2dsphere' }), '2dsphere', 67],
      ['hashed indexes', () => rows.createIndex({ a: 'hashed' }), 'hashed', 67],
      ['wildcard indexes', () => rows.createIndex({ '$**': 1 }), 'wildcard', 67],
      [
        'indexes with a collation',
        () => rows.createIndex({ a: 1 }, { collation: { locale: 'de' } }),
        'collation',
        67,
      ],
      [
        'capped collections',
        () => fixture.db.createCollection('capped', { capped: true, size: 1_000 }),
        'capped',
      ],
      [
        'time series',
        () => fixture.db.createCollection('series', { timeseries: { timeField: 't' } }),
        'timeseries',
      ],
      ['views', () => fixture.db.createCollection('view', { viewOn: 'x', pipeline: [] }), 'viewOn'],
      [
        'validators',
        () => fixture.db.createCollection('valid', { validator: { a: 1 } }),
        'validator',
      ],
      [
        'collations',
        () => rows.find({}, { collation: { locale: 'de', strength: 2 } }).toArray(),
        'collation',
      ],
      [
        'collations of updates',
        () => rows.updateOne({}, { $set: { a: 1 } }, { collation: { locale: 'de' } }),
        'collation',
      ],
      ['let', () => rows.find({}, { let: { a: 1 } }).toArray(), 'let'],
      [
        'hints for writes',
        () => rows.updateOne({}, { $set: { a: 1 } }, { hint: { _id: 1 } }),
        'hint',
      ],
      ['tailable cursors', () => rows.find({}, { tailable: true }).toArray(), 'tailable'],
      [
        'sort in updateOne',
        () => rows.updateOne({}, { $set: { a: 1 } }, { sort: { a: 1 } }),
        'sort',
      ],
      [
        'explaining a write',
        () => fixture.db.command({ explain: { delete: 'x', deletes: [] } }),
        'delete',
      ],
      ['distinct', () => rows.distinct('a'), 'distinct'],
      [
        'array filters',
        () => rows.updateOne({}, { $set: { 'a.$[x]': 1 } }, { arrayFilters: [{ x: 1 }] }),
        'arrayFilters',
      ],
      [
        'map-reduce',
        () => fixture.db.command({ mapReduce: 'x', map: '', reduce: '', out: { inline: 1 } }),
        'mapReduce',
      ],
      ['renaming', () => rows.rename('other'), 'renameCollection'],
      [
        'commands of the future',
        () => fixture.db.command({ inventedLater: 1 }),
        'inventedLater',
        59,
      ],
      ['authentication', () => fixture.db.command({ saslStart: 1 }), 'saslStart', 59],
      ['more than one node', () => rows.insertOne({}, { writeConcern: { w: 2 } }), 'w:2', 100],
      [
        'snapshot reads outside transactions',
        () => rows.find({}, { readConcern: { level: 'snapshot' } }).toArray(),
        'snapshot',
        72,
      ],
      ['Decimal128', () => rows.insertOne({ a: new Decimal128('1') }), 'decimal'],
      ['timestamps', () => rows.insertOne({ a: new Timestamp({ t: 1, i: 1 }) }), 'timestamp'],
      ['MaxKey', () => rows.insertOne({ a: new MaxKey() }), 'maxKey'],
      ['stored regular expressions', () => rows.insertOne({ a: /x/ }), 'regex'],
      ['unknown options', () => fixture.db.command({ find: 'x', invented: 1 }), 'invented'],
    ];
    it.each(refusals)('%s', async (_, act, named, code = 115) => {
      const failure = await act().then(
        () => undefined,
        (error: unknown) => error as Error & { code: number },
      );
      expect(failure).toMatchObject({ code });
      expect(failure!.message).toContain(named);
      expect(failure!.message).toMatch(hint);
    });
  });

  it('reads large results in batches', async () => {
    await rows.insertMany(numbered(1_000));
    expect(await rows.find({}, { batchSize: 7 }).toArray()).toHaveLength(1_000);
    expect(
      (await rows.find({}, { batchSize: 10 }).sort({ n: -1 }).toArray()).map(
        ({ n }) => n as number,
      ),
    ).toEqual(Array.from({ length: 1_000 }, (_, n) => 999 - n));
    expect(await rows.find().skip(990).limit(100).toArray()).toHaveLength(10);
    expect(await rows.find().limit(5).batchSize(2).toArray()).toHaveLength(5);
  });

  longIt('splits a reply that exceeds one message', async () => {
    await rows.insertMany(
      Array.from({ length: 6 }, (_, n) => ({ n, text: 'x'.repeat(5_000_000) })),
    );
    expect((await rows.find().toArray()).map(({ n }) => n as number)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('does not return documents deleted between two batches', async () => {
    await rows.insertMany(numbered(200));
    const cursor = rows.find({}, { batchSize: 10 });
    await cursor.next();
    await rows.deleteMany({ n: { $gte: 10, $lt: 150 } });
    expect(await cursor.toArray()).toHaveLength(59);
  });

  it('ends a cursor whose index is dropped', async () => {
    await rows.createIndex({ n: 1 });
    await rows.insertMany(numbered(200));
    const cursor = rows.find({ n: { $gte: 0 } }, { batchSize: 10 });
    await cursor.next();
    await rows.dropIndex('n_1');
    await expect(cursor.toArray()).rejects.toMatchObject({ code: 175 });
  });

  it('removes killed cursors', async () => {
    await rows.insertMany(numbered(200));
    const cursor = rows.find({}, { batchSize: 10 });
    await cursor.next();
    const id = cursor.id as Long;
    await cursor.close();
    await expect(
      fixture.db.command({ getMore: id, collection: rows.collectionName }),
    ).rejects.toMatchObject({ code: 43 });
  });

  it('names the key of a duplicate', async () => {
    await rows.createIndex({ 'a.b': 1, c: -1 }, { unique: true, name: 'pair' });
    await rows.insertOne({ _id: 1 as never, a: { b: 1 }, c: 'x' });
    await expect(rows.insertOne({ a: { b: 1 }, c: 'x' })).rejects.toMatchObject({
      code: 11000,
      keyPattern: { 'a.b': 1, c: -1 },
      keyValue: { 'a.b': 1, c: 'x' },
      message: expect.stringMatching(
        /^E11000 duplicate key error collection: hypha\.\w+ index: pair dup key: \{ a\.b: 1, c: "x" \}$/,
      ),
    });
    await expect(rows.insertOne({ _id: 1 as never })).rejects.toMatchObject({
      code: 11000,
      keyPattern: { _id: 1 },
      keyValue: { _id: 1 },
    });
    await expect(rows.insertOne({ _id: Long.fromNumber(1) as never })).rejects.toMatchObject({
      code: 11000,
    });
    await rows.insertOne({ _id: 2 as never });
    await expect(
      rows.updateOne({ _id: 2 as never }, { $set: { a: { b: 1 }, c: 'x' } }),
    ).rejects.toMatchObject({ code: 11000 });
    await expect(
      rows.findOneAndUpdate({ x: 1 }, { $set: { a: { b: 1 }, c: 'x' } }, { upsert: true }),
    ).rejects.toMatchObject({ code: 11000 });
    expect(await rows.countDocuments()).toBe(2);
  });

  it('keeps sparse, partial and array keys unique', async () => {
    await rows.createIndex({ s: 1 }, { unique: true, sparse: true });
    await rows.createIndex({ p: 1 }, { unique: true, partialFilterExpression: { live: true } });
    await rows.createIndex({ list: 1 }, { unique: true, sparse: true });
    await rows.insertMany([{}, {}, { p: 1 }, { p: 1 }, { p: 1, live: true }, { list: [1, 1, 2] }]);
    await expect(rows.insertOne({ p: 1, live: true })).rejects.toMatchObject({ code: 11000 });
    await expect(rows.insertOne({ list: [3, 2] })).rejects.toMatchObject({ code: 11000 });
    await expect(rows.insertOne({ list: 2 })).rejects.toMatchObject({ code: 11000 });
    await rows.updateOne({ list: 2 }, { $set: { list: [2, 4] } });
    await rows.insertOne({ list: 1 });
    expect(await rows.countDocuments({ p: 1, live: true })).toBe(1);
    expect(await rows.countDocuments({ s: null })).toBe(7);
  });

  it('rejects a unique index over duplicates and leaves no partial index', async () => {
    await rows.insertMany([{ a: 1 }, { a: 1 }]);
    await expect(
      rows.createIndexes([{ key: { b: 1 } }, { key: { a: 1 }, unique: true }]),
    ).rejects.toMatchObject({ code: 11000 });
    expect(await rows.indexes()).toHaveLength(1);
    await rows.createIndex({ a: 1 });
    await expect(rows.createIndex({ a: 1 }, { unique: true })).rejects.toMatchObject({ code: 86 });
    await expect(rows.createIndex({ a: 1 }, { expireAfterSeconds: 5 })).rejects.toMatchObject({
      code: 85,
    });
    await expect(rows.createIndex({ a: 1 }, { name: 'other' })).rejects.toMatchObject({ code: 85 });
    await rows.createIndex({ a: 1 }, { name: 'sparse', sparse: true });
    await expect(rows.createIndex({ b: 1 }, { name: 'a_1' })).rejects.toMatchObject({ code: 86 });
    expect(await rows.countDocuments({ a: 1 })).toBe(2);
  });

  it('continues after a failure in an unordered batch and stops in an ordered one', async () => {
    const batch = [{ _id: 1 as never }, { _id: 1 as never }, { _id: 2 as never }];
    await expect(rows.insertMany(batch)).rejects.toMatchObject({ code: 11000, insertedCount: 1 });
    await expect(
      rows.insertMany([...batch, { _id: 3 as never }], { ordered: false }),
    ).rejects.toMatchObject({ insertedCount: 2 });
    expect(await rows.countDocuments()).toBe(3);
  });

  it('counts concurrent upserts exactly once when the search takes several time slices', async () => {
    await rows.insertMany(Array.from({ length: 8_000 }, (_, n) => ({ name: `other ${n}` })));
    await Promise.all(
      Array.from({ length: 4 }, () =>
        rows.updateOne(
          { name: 'total' },
          { $inc: { value: 1 }, $setOnInsert: { _id: 'total' } },
          { upsert: true },
        ),
      ),
    );
    expect(await rows.findOne({ name: 'total' })).toEqual({
      _id: 'total',
      name: 'total',
      value: 4,
    });
  });

  it('counts concurrent upserts exactly once', async () => {
    await Promise.all(
      Array.from({ length: 50 }, () =>
        rows.findOneAndUpdate(
          { _id: 'counter' as never },
          { $inc: { n: 1 } },
          { upsert: true, returnDocument: 'after' },
        ),
      ),
    );
    expect(await rows.findOne()).toEqual({ _id: 'counter', n: 50 });
  });

  it('accepts null, text, numbers, documents and binary as _id, but no array', async () => {
    const ids = [
      null,
      '',
      'x'.repeat(400),
      1.5,
      { a: 1, b: { c: new ObjectId() } },
      new Date(0),
      true,
    ];
    // Uses a command: the driver replaces an _id of null.
    await fixture.db.command({
      insert: rows.collectionName,
      documents: ids.map((_id) => ({ _id })),
    });
    for (const _id of ids) expect(await rows.findOne({ _id: _id as never })).toEqual({ _id });
    expect(await rows.findOne({ _id: 'x'.repeat(5_000) as never })).toBeNull();
    await expect(rows.insertOne({ _id: [1] as never })).rejects.toMatchObject({ code: 53 });
    await expect(rows.insertOne({ _id: 'x'.repeat(5_000) as never })).rejects.toMatchObject({
      code: 17280,
    });
  });

  it('indexes long texts exactly', async () => {
    await rows.createIndex({ text: 1 }, { unique: true });
    const long = 'y'.repeat(3_000);
    await rows.insertMany([{ text: `${long}a` }, { text: `${long}b` }, { text: 'z' }]);
    await expect(rows.insertOne({ text: `${long}b` })).rejects.toMatchObject({ code: 11000 });
    expect(await rows.countDocuments({ text: `${long}b` })).toBe(1);
    expect(await rows.countDocuments({ text: { $gt: `${long}a` } })).toBe(2);
    expect(
      (await rows.find().sort({ text: -1 }).toArray()).map(({ text }) => (text as string).at(-1)),
    ).toEqual(['z', 'b', 'a']);
  });

  it('lists and drops databases, collections and indexes', async () => {
    const other = fixture.client.db('other');
    await other.collection('one').insertOne({});
    await other.collection('two').createIndex({ a: 1 });
    const listed: Document[] = await other.listCollections().toArray();
    expect(listed.map(({ name, indexes }) => [name, indexes])).toEqual([
      ['one', await other.collection('one').indexes()],
      ['two', await other.collection('two').indexes()],
    ]);
    expect(await other.collection('one').drop()).toBe(true);
    await expect(other.collection('two').dropIndex('nothing')).rejects.toMatchObject({ code: 27 });
    expect(
      (await fixture.client.db().admin().listDatabases()).databases.map(({ name }) => name),
    ).toContain('other');
    await other.dropDatabase();
    expect(await other.listCollections().toArray()).toEqual([]);
    await expect(fixture.db.createCollection(rows.collectionName)).rejects.toMatchObject({
      code: 48,
    });
    await expect(other.collection('a$b').insertOne({})).rejects.toMatchObject({ code: 73 });
  });

  it('answers invalid commands with an error of MongoDB', async () => {
    const nonsense = [
      5,
      -1,
      's',
      '$a',
      null,
      true,
      [],
      [1],
      {},
      { $x: 1 },
      { a: { $x: 1 } },
      Long.fromNumber(3),
      NaN,
      new Date(0),
      /x/,
    ];
    const options: Record<string, Document> = {
      find: {
        filter: {},
        sort: {},
        projection: {},
        skip: 0,
        limit: 0,
        batchSize: 1,
        singleBatch: false,
        maxTimeMS: 0,
        readConcern: {},
        collation: {},
        hint: {},
      },
      aggregate: { pipeline: [], cursor: {}, hint: {} },
      count: { query: {}, skip: 0, limit: 0, hint: {} },
      insert: { documents: [{ z: 1 }], ordered: true, writeConcern: {} },
      update: { updates: [{ q: { a: 9 }, u: { $set: { b: 1 } } }] },
      delete: { deletes: [{ q: { a: 9 }, limit: 1 }] },
      findAndModify: {
        query: { a: 9 },
        update: { $set: { b: 1 } },
        sort: {},
        fields: {},
        new: true,
        upsert: false,
      },
      createIndexes: { indexes: [{ key: { q: 1 }, name: 'q_1' }] },
      dropIndexes: { index: 'none' },
      listCollections: { filter: {}, cursor: {} },
      killCursors: { cursors: [] },
      getMore: { collection: 'x' },
      endSessions: {},
      explain: { verbosity: 'executionStats' },
      collStats: { scale: 1 },
      dbStats: { scale: 1 },
      listDatabases: { filter: {}, nameOnly: false },
      getLog: {},
      getParameter: {},
      connectionStatus: {},
    };
    await rows.insertMany([{ a: 1 }, { a: [1, 2] }]);
    for (const [at, [name, requiredOptions]] of Object.entries(options).entries()) {
      // Different invalid input for each command, so that each kind occurs in either suite.
      for (const value of shareOf(nonsense, at, 7)) {
        const commands = [
          { [name]: value, ...requiredOptions },
          ...Object.keys(requiredOptions).map((option) => ({
            [name]: rows.collectionName,
            ...requiredOptions,
            [option]: value,
          })),
        ];
        for (const command of commands) {
          const failure = await fixture.db.command(command).then(
            () => undefined,
            (error: unknown) => error as { code?: number },
          );
          if (failure !== undefined) expect(failure.code ?? 1).not.toBe(1);
        }
      }
    }
  });

  it('logs a rejected unacknowledged write', async () => {
    const before = fixture.logged.length;
    const silent = { writeConcern: { w: 0 } };
    await rows.insertOne({ _id: 1 as never, secret: 'hidden' });
    await rows.insertOne({ _id: 1 as never, secret: 'hidden' }, silent);
    await rows.updateOne({ _id: 1 as never }, { $inc: { secret: 1 } }, silent);
    await rows.insertOne({ _id: 2 as never }, silent);
    // Answers are ordered only within one connection.
    while (fixture.logged.length < before + 2 || (await rows.countDocuments()) < 2)
      await setImmediate();
    expect(fixture.logged.slice(before).sort()).toEqual([
      expect.stringMatching(
        /^warn an unacknowledged write was rejected .*"insert".*E11000 duplicate key.*"rejected":1/,
      ),
      expect.stringMatching(
        /^warn an unacknowledged write was rejected .*"update".*Cannot apply \$inc.*"rejected":1/,
      ),
    ]);
    expect(fixture.logged.slice(before).join()).not.toContain('hidden');
  });

  it('does not answer unacknowledged writes and disconnects clients with invalid messages', async () => {
    await rows.insertOne({ a: 1 }, { writeConcern: { w: 0 } });
    const socket = connect(join(fixture.dir, 's.sock'));
    socket.write(Buffer.from([1, 0, 0, 0, 9, 9, 9, 9]));
    await once(socket, 'close');
    expect((await fixture.db.command({ hello: 1 })).maxWireVersion).toBe(21);
    expect(BSON.calculateObjectSize((await rows.findOne())!)).toBeGreaterThan(0);
  });
});
