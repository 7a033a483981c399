import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GridFSBucket, MongoClient } from 'mongodb';
import { openEmbeddedStore } from '@hypha/embedded-mongo';
import type { EmbeddedStore } from '@hypha/embedded-mongo';

describe('GridFS of the driver with the embedded store', () => {
  const dir = mkdtempSync(join(tmpdir(), 'store-test-'));
  let store: EmbeddedStore;
  let client: MongoClient;

  beforeAll(async () => {
    store = await openEmbeddedStore({ dir, placement: 'inline', durability: 'test' });
    client = await MongoClient.connect(store.uri);
  });
  afterAll(async () => {
    await client.close();
    await store.close();
    rmSync(dir, { recursive: true, force: true });
  });

  it('writes, finds, reads and deletes files of any length, and creates its indexes', async () => {
    const bucket = new GridFSBucket(client.db('files'), { chunkSizeBytes: 1024 });
    for (const length of [0, 1, 1023, 1024, 1025, 20_000]) {
      const content = randomBytes(length);
      const upload = bucket.openUploadStream(`${length}.bin`);
      await new Promise((resolve, reject) => {
        upload.on('finish', resolve).on('error', reject).end(content);
      });
      const pieces = await bucket.openDownloadStreamByName(`${length}.bin`).toArray();
      expect(Buffer.concat(pieces).equals(content)).toBe(true);
      expect(await bucket.find({ filename: `${length}.bin` }).toArray()).toMatchObject([
        { length },
      ]);
      await bucket.delete(upload.id);
    }
    expect(await client.db('files').collection('fs.chunks').countDocuments()).toBe(0);
    expect(await client.db('files').collection('fs.chunks').indexExists('files_id_1_n_1')).toBe(
      true,
    );
  });

  it('an aborted upload leaves nothing', async () => {
    const bucket = new GridFSBucket(client.db('aborted'), { chunkSizeBytes: 1024 });
    const upload = bucket.openUploadStream('half.bin');
    await new Promise((resolve) => upload.write(randomBytes(5_000), resolve));
    await upload.abort();
    for (const name of ['fs.files', 'fs.chunks'])
      expect(await client.db('aborted').collection(name).countDocuments()).toBe(0);
  });
});
