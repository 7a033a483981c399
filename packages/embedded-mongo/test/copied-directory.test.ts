import { closeSync, cpSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedStore } from '@hypha/embedded-mongo';
import { storeFixture } from './support/store-fixture';
import type { StoreFixture } from './support/store-fixture';

const COPIED = /is a copy of a directory that was in use/;

describe('a copied data directory', () => {
  const copies = mkdtempSync(join(tmpdir(), 'copied-'));
  afterAll(() => rmSync(copies, { recursive: true, force: true }));

  const copyOf = (dir: string, name: string): string => {
    const copy = join(copies, name);
    cpSync(join(dir, 'data.mdb'), join(copy, 'data.mdb'));
    return copy;
  };
  async function filled(): Promise<StoreFixture> {
    const fixture = await storeFixture();
    await fixture.db
      .collection('rows')
      .insertMany(
        Array.from({ length: 500 }, (_, n) => ({ n, text: `text ${n} ${'x'.repeat(200)}` })),
      );
    return fixture;
  }

  it('of a stopped store starts without a warning', async () => {
    const fixture = await filled();
    await fixture.client.close();
    await fixture.store.close();
    const copy = await storeFixture({}, copyOf(fixture.dir, 'stopped'));
    expect(copy.logged.join()).not.toMatch(COPIED);
    await copy.close();
    rmSync(fixture.dir, { recursive: true, force: true });
  });

  it('of a running store is reported, verified, and distinguished from the original', async () => {
    const fixture = await filled();
    const copy = await storeFixture({}, copyOf(fixture.dir, 'running'));
    expect(copy.logged.join()).toMatch(COPIED);
    expect(await copy.db.collection('rows').countDocuments()).toBe(500);
    await fixture.db.collection('rows').insertOne({ n: -1 });
    const again = await copy.reopened();
    expect(again.logged.join()).not.toMatch(COPIED);
    await again.close();
    await fixture.close();
  });

  it('that is inconsistent is rejected', async () => {
    const fixture = await filled();
    const dir = copyOf(fixture.dir, 'torn');
    // Documents begin with their length; the copy has pages with overwritten documents.
    const file = openSync(join(dir, 'data.mdb'), 'r+');
    const text = Buffer.from('text 7 xxx');
    const bytes = readFileSync(join(dir, 'data.mdb'));
    for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + 1))
      writeSync(file, Buffer.alloc(64, 0xee), 0, 64, at - 48);
    closeSync(file);
    await expect(
      openEmbeddedStore({ dir, placement: 'inline', durability: 'test' }),
    ).rejects.toThrow(/was copied while it was in use and is damaged/);
    await fixture.close();
  });
});
