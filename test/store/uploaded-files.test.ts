import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedStore } from '@hypha/embedded-mongo';
import fc from 'fast-check';
import mongoose from 'mongoose';
import type { FileStore } from '../../src/platform/files/file-store';
import { FolderFiles } from '../../src/platform/files/folder-files';
import { DatabaseFiles } from '../../src/platform/store/database-files';
import { Store } from '../../src/platform/store/store';
import { storeProxy } from '../support/peers/store-proxy';
import type { StoreProxy } from '../support/peers/store-proxy';
import { rounds } from '../support/rounds';

let dir: string;
let server: Awaited<ReturnType<typeof openEmbeddedStore>>;
let proxy: StoreProxy;
let connection: mongoose.Connection;
/** Reaches the store without the proxy. */
let direct: mongoose.Connection;
let database: DatabaseFiles;
let folder: FolderFiles;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'hypha-files-'));
  server = await openEmbeddedStore({ dir, placement: 'inline', durability: 'test' });
  proxy = await storeProxy(server.uri);
  const open = (uri: string) =>
    mongoose.createConnection(uri, { autoIndex: false, autoCreate: false }).asPromise();
  [connection, direct] = [await open(proxy.uri), await open(server.uri)];
  const store = new Store(connection);
  database = new DatabaseFiles(store);
  folder = new FolderFiles(join(dir, 'uploads'), true);
  await store.prepare();
});
afterAll(async () => {
  proxy.inject(() => null);
  await connection.close();
  await direct.close();
  await proxy.close();
  await server.close();
  rmSync(dir, { recursive: true, force: true });
});

const newName = (): string => `${randomBytes(16).toString('hex')}.png`;
const bucket = () =>
  new mongoose.mongo.GridFSBucket(direct.db as mongoose.mongo.Db, { bucketName: 'uploads' });
const CHUNK = 255 * 1024;

describe.each<[string, () => FileStore]>([
  ['the database', () => database],
  ['a folder', () => folder],
])('files in %s', (_, files) => {
  const sizes = fc.oneof(
    fc.constantFrom(0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK - 1, 2 * CHUNK, 2 * CHUNK + 1),
    fc.nat(4 * CHUNK),
  );

  it('are read as they were saved, once or twice, until they are deleted', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(sizes, { minLength: 1, maxLength: 4 }), async (lengths) => {
        const contents = new Map(lengths.map((length) => [newName(), randomBytes(length)]));
        for (const [name, content] of contents) {
          expect(await files().read(name)).toBeNull();
          await files().save(name, content);
          await files().save(name, content);
        }
        expect(await files().list()).toEqual([...contents.keys()].sort());
        for (const [name, content] of contents) {
          expect((await files().read(name))?.equals(content)).toBe(true);
          await files().delete(name);
          await files().delete(name);
          expect(await files().read(name)).toBeNull();
        }
        expect(await files().list()).toEqual([]);
      }),
      { numRuns: rounds(50) },
    );
  });
});

it('files in the database are read by the GridFS of the driver', async () => {
  const [name, content] = [newName(), randomBytes(2 * CHUNK + 1)];
  await database.save(name, content);
  const pieces = await bucket().openDownloadStreamByName(name).toArray();
  expect(Buffer.concat(pieces).equals(content)).toBe(true);
  await database.delete(name);
});

it('a write to the database that ends half way leaves nothing', async () => {
  const name = newName();
  proxy.inject((_, command) => (command.insert === 'uploads.chunks' ? { code: 8 } : null));
  await expect(database.save(name, randomBytes(3 * CHUNK))).rejects.toThrow();
  proxy.inject(() => null);
  for (const collection of ['uploads.files', 'uploads.chunks'])
    expect(await direct.collection(collection).countDocuments()).toBe(0);
  const content = randomBytes(3 * CHUNK);
  await database.save(name, content);
  expect((await database.read(name))?.equals(content)).toBe(true);
  await database.delete(name);
});

it('a file in the database that lacks chunks is an error, not another picture', async () => {
  const name = newName();
  await database.save(name, randomBytes(CHUNK + 1));
  await direct.collection('uploads.chunks').deleteOne({ files_id: name, n: 0 });
  await expect(database.read(name)).rejects.toThrow('lacks chunks');
  await database.delete(name);
});

it('drafts of killed processes in a folder are not listed, and are removed after a day', async () => {
  const draft = (name: string): string => join(folder.dir, `${name}.part`);
  const [old, recent] = [draft(newName()), draft(newName())];
  for (const path of [old, recent]) writeFileSync(path, 'half a picture');
  const twoDaysAgo = Date.now() / 1_000 - 2 * 24 * 60 * 60;
  utimesSync(old, twoDaysAgo, twoDaysAgo);
  expect(await folder.list()).toEqual([]);
  const started = new FolderFiles(folder.dir, false);
  const name = newName();
  await started.save(name, randomBytes(1));
  expect(
    readdirSync(folder.dir)
      .map((file) => join(folder.dir, file))
      .sort(),
  ).toEqual([recent, join(folder.dir, name)].sort());
});
