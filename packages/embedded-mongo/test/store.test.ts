import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { BSON, Binary, Double, Long, MongoClient, ObjectId } from 'mongodb';
import { inspectDirectory, openEmbeddedStore } from '@hypha/embedded-mongo';
import { backupDirectory } from '../src/directory/data-directory';
import type { EmbeddedStore } from '@hypha/embedded-mongo';
import { collectNow, runQuery } from '../src/query/run-query';
import { metaKey } from '../src/storage/keys';
import { Kv } from '../src/storage/kv';
import { Ownership } from '../src/directory/owner';
import { createStore } from '../src/store';
import { expireDocuments } from '../src/write/expire-documents';
import { insertDocument } from '../src/write/write-document';
import { longDescribe, longIt } from '../../../test/support/long';
import { buildStore } from './support/store-build';
import { indexFaults } from './support/store-crash';
import { storeFixture } from './support/store-fixture';
import { StoreProcess } from './support/store-process';

const temporary = (): string => mkdtempSync(join(tmpdir(), 'store-test-'));

describe('a data directory', () => {
  const build = buildStore();
  afterAll(() => build.remove());

  longIt('has one owner at a time, which the error for a second one names', async () => {
    const dir = temporary();
    const first = new StoreProcess(build, dir, 'worker', 'hold');
    await first.until((lines) => lines.includes('ready'));
    const second = new StoreProcess(build, dir, 'inline', 'hold');
    expect(await second.exit).toMatchObject({ code: 1 });
    expect(second.lines.join()).toMatch(
      /data directory .* is in use by pid \d+ since .*; stop it, or set MONGODB_URI/,
    );
    await first.kill();
    const third = await openEmbeddedStore({ dir, placement: 'inline', durability: 'test' });
    await third.close();
    rmSync(dir, { recursive: true, force: true });
  });

  longIt('is given to exactly one of several concurrent processes', async () => {
    const dir = temporary();
    const all = Array.from({ length: 4 }, () => new StoreProcess(build, dir, 'inline', 'hold'));
    const outcomes = await Promise.all(
      all.map((one) =>
        Promise.race([
          one.exit.then(() => 'refused'),
          one
            .until((lines) => lines.includes('ready'))
            .then(
              () => 'owner',
              () => 'refused',
            ),
        ]),
      ),
    );
    expect(outcomes.sort()).toEqual(['owner', 'refused', 'refused', 'refused']);
    await Promise.all(all.map((one) => one.kill()));
    rmSync(dir, { recursive: true, force: true });
  });

  it('cannot be opened twice by one process', async () => {
    const dir = temporary();
    const store = await openEmbeddedStore({ dir, placement: 'inline', durability: 'test' });
    await expect(
      openEmbeddedStore({ dir, placement: 'inline', durability: 'test' }),
    ).rejects.toThrow(/in use by pid/);
    const client = new MongoClient(store.uri);
    await client.db().collection('x').insertOne({ still: 'here' });
    await client.close();
    await store.close();
    rmSync(dir, { recursive: true, force: true });
  });

  it('is available when its owner was killed and is still a zombie', async () => {
    // The shell becomes a program that never waits for its child; only then is the child killed.
    const parent = spawn('bash', ['-c', 'sleep 1000 & echo $!; exec sleep 1000'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const dir = temporary();
    try {
      const [line] = (await once(parent.stdout, 'data')) as [Buffer];
      const pid = Number(line.toString());
      while (readFileSync(`/proc/${parent.pid}/comm`, 'utf8').trim() !== 'sleep')
        await setImmediate();
      process.kill(pid, 'SIGKILL');
      const fields = (): string[] =>
        readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
      while (fields()[0] !== 'Z') await setImmediate();
      const kv = new Kv({ dir, durability: 'test' });
      const identity = {
        boot: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(),
        pidNamespace: readlinkSync('/proc/self/ns/pid'),
      };
      kv.writeNow((view) =>
        view.put(
          metaKey('owner'),
          Buffer.from(
            BSON.serialize({
              token: 'dead',
              pid,
              started: fields()[19],
              ...identity,
              since: new Date(),
              beat: 1,
            }),
          ),
        ),
      );
      const ownership = new Ownership(dir, () => undefined);
      await ownership.acquire(kv);
      kv.writeNow((view) => ownership.fence(view));
      ownership.release(kv);
      await kv.close();
    } finally {
      parent.kill();
      rmSync(dir, { recursive: true, force: true });
    }
  });

  it('rejects writes from an owner that lost it', async () => {
    const { db, store, dir, client } = await storeFixture({ serverSelectionTimeoutMS: 200 });
    const rows = await db.createCollection('rows');
    const usurper = new Kv({ dir, durability: 'test' });
    usurper.writeNow((view) =>
      view.put(
        metaKey('owner'),
        Buffer.from(BSON.serialize({ token: 'other', pid: 4711, since: new Date() })),
      ),
    );
    const failed = expect(store.failed).rejects.toThrow(/in use by pid 4711/);
    await expect(rows.insertOne({ a: 1 })).rejects.toThrow();
    await failed;
    await client.close();
    await store.close();
    rmSync(dir, { recursive: true, force: true });
  });

  it('rejects writes from a former owner after the new owner has closed it', async () => {
    const { db, store, dir, client } = await storeFixture({ serverSelectionTimeoutMS: 200 });
    const rows = await db.createCollection('rows');
    const usurper = new Kv({ dir, durability: 'test' });
    usurper.writeNow((view) => view.remove(metaKey('owner')));
    const failed = expect(store.failed).rejects.toThrow(/was taken over by another process/);
    await expect(rows.insertOne({ a: 1 })).rejects.toThrow();
    await failed;
    await client.close();
    await store.close();
    await usurper.close();
    rmSync(dir, { recursive: true, force: true });
  });

  describe('with an owner in another container, which cannot be looked up,', () => {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const foreign = (beat: number): Buffer =>
      Buffer.from(
        BSON.serialize({
          token: 'foreign',
          pid: 1,
          started: '1',
          boot,
          pidNamespace: 'pid:[1]',
          since: new Date(0),
          beat,
        }),
      );

    it('is taken over after its heartbeat stops', async () => {
      const dir = temporary();
      const kv = new Kv({ dir, durability: 'test' });
      kv.writeNow((view) => view.put(metaKey('owner'), foreign(1)));
      const ownership = new Ownership(dir, () => undefined, 20);
      await ownership.acquire(kv);
      kv.writeNow((view) => ownership.fence(view));
      ownership.release(kv);
      await kv.close();
      rmSync(dir, { recursive: true, force: true });
    });

    longIt('is kept while its heartbeat continues', async () => {
      const dir = temporary();
      const kv = new Kv({ dir, durability: 'test' });
      kv.writeNow((view) => view.put(metaKey('owner'), foreign(1)));
      const lock = new Ownership(dir, () => undefined, 60_000).acquire(kv);
      kv.writeNow((view) => view.put(metaKey('owner'), foreign(2)));
      await expect(lock).rejects.toThrow(/in use by pid 1/);
      await kv.close();
      rmSync(dir, { recursive: true, force: true });
    });
  });

  it('is readable by its owner only', async () => {
    const fixture = await storeFixture({}, join(temporary(), 'inner'));
    expect(statSync(fixture.dir).mode & 0o777).toBe(0o700);
    for (const file of ['s.sock', 'data.mdb', 'lock.mdb'])
      expect(statSync(join(fixture.dir, file)).mode & 0o777).toBe(0o600);
    await fixture.close();
  });

  it.each(['x'.repeat(100), 'of Zoë, 100 %41? #1&@:'])(
    'may have a path with special characters: %s',
    async (name) => {
      const fixture = await storeFixture(
        { serverSelectionTimeoutMS: 2_000 },
        join(temporary(), name),
      );
      await fixture.db.collection('x').insertOne({});
      await fixture.close();
    },
  );

  it.each([
    ['of another format', (file: string) => writeFileSync(file, Buffer.alloc(8_192, 7))],
    ['that is truncated', (file: string) => truncateSync(file, 4_096)],
  ])('with an invalid file %s is rejected with the file name', async (_, damage) => {
    const dir = temporary();
    await (await openEmbeddedStore({ dir, placement: 'inline', durability: 'test' })).close();
    damage(join(dir, 'data.mdb'));
    await expect(
      openEmbeddedStore({ dir, placement: 'inline', durability: 'test' }),
    ).rejects.toThrow(/data\.mdb is damaged or is not a file of the embedded store/);
    await expect(backupDirectory(dir, join(dir, 'copy'))).rejects.toThrow(/damaged/);
    rmSync(dir, { recursive: true, force: true });
  });

  it('whose file was cut is rejected at each length that lacks pages, and read at others', async () => {
    const fixture = await storeFixture();
    const { dir } = fixture;
    await fixture.db.collection<{ _id: number; text: string }>('rows').insertMany(
      Array.from({ length: 300 }, (_, _id) => ({
        _id,
        text: 'x'.repeat(_id % 3 === 0 ? 9_000 : 300),
      })),
    );
    await fixture.client.close();
    await fixture.store.close();
    const file = join(dir, 'data.mdb');
    const fileBytes = readFileSync(file);
    let readable = 0;
    for (let length = fileBytes.length; length >= 8_192; length -= 4_096) {
      writeFileSync(file, fileBytes.subarray(0, length));
      const count = await inspectDirectory(
        dir,
        (contents) => [...contents.documents('rows', ['_id'])].length,
      ).catch((error: unknown) => (error as Error).message);
      if (count === 300) readable += 1;
      else expect(count).toMatch(/data\.mdb was cut: it has \d+ bytes of \d+, .* backup/);
    }
    expect(readable).toBeGreaterThan(0);
    expect(readable).toBeLessThan(20);
    rmSync(dir, { recursive: true, force: true });
  });

  it('of a newer format is rejected', async () => {
    const dir = temporary();
    const kv = new Kv({ dir, durability: 'test' });
    kv.writeNow((view) => view.put(metaKey('format'), Buffer.from([0, 0, 0, 99])));
    await kv.close();
    await expect(
      openEmbeddedStore({ dir, placement: 'inline', durability: 'test' }),
    ).rejects.toThrow(/format 99/);
    rmSync(dir, { recursive: true, force: true });
  });
});

describe('stored data', () => {
  it('is available after a restart, with its types, indexes and order', async () => {
    let fixture = await storeFixture({
      promoteLongs: false,
      promoteValues: false,
      promoteBuffers: false,
    });
    const _id = new ObjectId();
    const row = {
      text: 'é😀',
      long: Long.fromString('9007199254740993'),
      double: new Double(1.5),
      date: new Date(5),
      bytes: new Binary(Buffer.from([1, 2]), 5),
      list: [[], {}, null],
      flag: true,
    };
    await fixture.db.collection('rows').createIndex({ text: 1 }, { unique: true });
    await fixture.db.collection('rows').insertOne({ _id, ...row });
    fixture = await fixture.reopened();
    const stored = await fixture.db.collection('rows').findOne({ text: 'é😀' });
    expect(stored).toMatchObject({ _id, date: row.date, bytes: row.bytes, flag: true });
    expect(String(stored!.long)).toBe('9007199254740993');
    await expect(fixture.db.collection('rows').insertOne({ text: 'é😀' })).rejects.toThrow(
      /E11000.*text_1/,
    );
    expect((await fixture.db.collection('rows').indexes()).map(({ name }) => name)).toEqual([
      '_id_',
      'text_1',
    ]);
    await fixture.close();
  });

  it('expires by its TTL index', async () => {
    const dir = temporary();
    const kv = new Kv({ dir, durability: 'test' });
    const store = createStore(kv);
    await store.catalog.createIndexes('db.sessions', [
      { key: { seen: 1 }, name: 'ttl', expireAfterSeconds: 60 },
      {
        key: { ended: 1 },
        name: 'partial',
        expireAfterSeconds: 0,
        partialFilterExpression: { kind: 'short' },
      },
    ]);
    const now = new Date('2030-01-01T00:00:00Z');
    const ago = (seconds: number): Date => new Date(now.getTime() - seconds * 1_000);
    const collection = store.catalog.get('db.sessions')!;
    const docs = [
      { _id: 'old', seen: ago(61) },
      { _id: 'new', seen: ago(59) },
      { _id: 'text', seen: 'long ago' },
      { _id: 'none' },
      { _id: 'earliest', seen: [ago(10), ago(100)] },
      { _id: 'short', kind: 'short', ended: ago(1) },
      { _id: 'other kind', kind: 'long', ended: ago(1) },
      ...Array.from({ length: 1_200 }, (_, n) => ({ _id: `many ${n}`, seen: ago(1_000 + n) })),
    ];
    await kv.write((view) => docs.forEach((doc) => insertDocument(view, collection, doc)));
    expect(await expireDocuments(store, now, () => undefined)).toBe(1_203);
    const left = collectNow(
      runQuery(() => kv.committed, collection, { filter: {}, skip: 0, limit: 0 }),
    );
    expect(left.map(({ doc }) => doc._id)).toEqual(['new', 'none', 'other kind', 'text']);
    await kv.close();
    expect(await indexFaults(dir)).toBe(0);
    rmSync(dir, { recursive: true, force: true });
  });

  it('can be backed up during writes, and the copy can be opened', async () => {
    const { db, store, close } = await storeFixture();
    const rows = await db.createCollection<{ _id: number; text: string }>('rows');
    await rows.createIndex({ text: 1 });
    await rows.insertMany(Array.from({ length: 2_000 }, (_, _id) => ({ _id, text: `t${_id}` })));
    const target = join(temporary(), 'copy');
    let copying = true;
    const copied = store.backup(target).finally(() => (copying = false));
    let next = 2_000;
    while (copying) await rows.insertOne({ _id: next, text: `t${next++}` });
    await copied;
    const copy = await storeFixture({}, target);
    expect(await copy.db.collection('rows').countDocuments()).toBeGreaterThanOrEqual(2_000);
    expect(await copy.db.collection('rows').findOne({ text: 't1999' })).toMatchObject({
      _id: 1999 as never,
    });
    await copy.close();
    await close();
  });

  it('is backed up completely when the store is closed during the backup', async () => {
    const fixture = await storeFixture();
    await fixture.db
      .collection('rows')
      .insertMany(Array.from({ length: 2_000 }, (_, n) => ({ n })));
    const target = join(temporary(), 'copy');
    const copied = fixture.store.backup(target);
    await Promise.all([copied, fixture.close()]);
    const copy = await storeFixture({}, target);
    expect(await copy.db.collection('rows').countDocuments()).toBe(2_000);
    await copy.close();
  });

  it('is not backed up over an existing file', async () => {
    const { store, close } = await storeFixture();
    const target = temporary();
    mkdirSync(join(target, 'sub'));
    writeFileSync(join(target, 'data.mdb'), 'precious');
    await expect(store.backup(target)).rejects.toThrow(/not empty/);
    expect(readdirSync(target).sort()).toEqual(['data.mdb', 'sub']);
    await close();
    rmSync(target, { recursive: true, force: true });
  });
});

longDescribe('the worker', () => {
  const build = buildStore();
  afterAll(() => build.remove());

  it('serves, counts changes, backs up, and closes by message', async () => {
    const dir = temporary();
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    const { openEmbeddedStore: open } = require(
      build.entry,
    ) as typeof import('@hypha/embedded-mongo');
    const store: EmbeddedStore = await open({ dir, placement: 'worker', durability: 'test' });
    const client = new MongoClient(store.uri);
    const before = store.changes.at(store.changes.cellOfCollection('x'));
    await client.db().collection('x').insertOne({ a: 1 });
    expect(store.changes.at(store.changes.cellOfCollection('x'))).not.toBe(before);
    await store.backup(join(dir, 'copy'));
    await expect(store.backup(join(dir, 'copy'))).rejects.toThrow(/not empty/);
    await expect(open({ dir, placement: 'worker', durability: 'test' })).rejects.toThrow(
      /in use by pid/,
    );
    await client.close();
    await Promise.all([store.close(), store.close()]);
    const again = await storeFixture({}, dir);
    expect(await again.db.collection('x').countDocuments()).toBe(1);
    await again.close();
  });
});
