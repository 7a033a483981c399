import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedStore } from '@hypha/embedded-mongo';
import { askService } from '../../../src/platform/control/client';
import { png } from '../../support/documents/images';
import { startService, unique } from '../../support/service/harness';
import type { TestService } from '../../support/service/harness';
import { until } from '../../support/until';

let dir: string;
let shared: string;
let store: Awaited<ReturnType<typeof openEmbeddedStore>>;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'hypha-shared-files-'));
  shared = join(dir, 'shared');
  mkdirSync(shared);
  store = await openEmbeddedStore({ dir, placement: 'inline', durability: 'test' });
});
afterAll(async () => {
  await store.close();
  rmSync(dir, { recursive: true, force: true });
});

/** Two services at one store, which save files at this place. */
async function atOneStore(
  files: string,
  work: (one: TestService, other: TestService) => Promise<void>,
): Promise<void> {
  const start = (name: string): Promise<TestService> =>
    startService({
      dataDir: join(dir, name),
      env: {
        MONGODB_URI: store.uri,
        HYPHA_FILES: files,
        HYPHA_TOKEN_SECRET: 'the same secret for both services',
        HYPHA_CONNECTOR_MASTER_PASSWORD: 'the same password for both',
      },
    });
  const [one, other] = [await start('one'), await start('other')];
  try {
    await work(one, other);
  } finally {
    await one.close();
    await other.close();
  }
}

interface Picture {
  readonly userId: number;
  readonly path: string;
}

/** A new user with a picture that has this width. */
async function withPicture(service: TestService, width: number): Promise<Picture> {
  const email = `${unique('face')}@hypha.test`;
  const user = await service.api('POST', '/api/user', {
    body: { email, password: 'a good password', userGroup: 2 },
  });
  const form = new FormData();
  form.set('email', email);
  form.set('file', new Blob([new Uint8Array(png(width))]), 'me.png');
  const { body } = await service.api('POST', '/api/storage/profilePicture', { body: form });
  const { pathname } = new URL(body.userDetail.profilePicture as string);
  return { userId: user.body.enhanceId as number, path: pathname };
}

/** The width of a served picture; null if there is none. */
async function widthOf(service: TestService, { path }: Picture): Promise<number | null> {
  const answer = await fetch(service.url + path);
  return answer.status === 404 ? null : Buffer.from(await answer.arrayBuffer()).readUInt32BE(16);
}

const moved = (service: TestService, to: string, from: string | null = null) =>
  askService(service.dataDir, {
    command: 'files move',
    input: { to, from },
    systemUser: 'tester',
  });

it.each([
  ['the database', () => 'database'],
  ['a shared folder', () => `folder:${shared}`],
])('a picture in %s is served and deleted by each process', async (_, files) => {
  await atOneStore(files(), async (one, other) => {
    const picture = await withPicture(one, 11);
    expect(await widthOf(other, picture)).toBe(11);
    await one.api('DELETE', `/api/user/${picture.userId}/profilePicture`);
    await until(async () => (await widthOf(other, picture)) === null);
    expect(await widthOf(one, picture)).toBeNull();
  });
});

it('pictures are served while and after they are moved to the database and back', async () => {
  const at = `folder:${shared}`;
  await atOneStore(at, async (one, other) => {
    const pictures = await Promise.all([21, 22, 23].map((width) => withPicture(one, width)));
    const widths = (service: TestService) =>
      Promise.all(pictures.map((picture) => widthOf(service, picture)));
    const isMoving = { value: true };
    const watched = (async () => {
      while (isMoving.value) expect(await widths(other)).toEqual([21, 22, 23]);
    })();
    const counts = (to: string, from: string, count: number) => ({
      done: true,
      result: {
        to,
        isServed: true,
        sources: expect.arrayContaining([
          { from, copied: count, removed: count, differing: [] },
        ]) as unknown,
      },
    });
    const inFolder = `folder ${shared}`;
    for (let round = 0; round < 3; round += 1) {
      expect(await moved(one, 'database')).toMatchObject(counts('database', inFolder, 3));
      expect(readdirSync(shared)).toEqual([]);
      expect(await moved(one, 'database')).toMatchObject(counts('database', inFolder, 0));
      expect(await moved(other, at)).toMatchObject(counts(inFolder, 'database', 3));
      expect(readdirSync(shared)).toHaveLength(3);
    }
    isMoving.value = false;
    await watched;

    // Moves in opposite directions, and to another path of the same folder, lose nothing.
    const opposite = await Promise.all([moved(one, 'database'), moved(other, at)]);
    expect(opposite).toMatchObject([{ done: true }, { done: true }]);
    expect(await moved(one, at)).toMatchObject({ done: true });
    const link = join(dir, 'link');
    symlinkSync(shared, link);
    expect(await moved(one, `folder:${link}`, at)).toMatchObject({
      done: false,
      message: `The files are in the folder ${link} already.`,
    });
    expect(await widths(one)).toEqual([21, 22, 23]);

    // A folder that no process reads gets copies only.
    const unread = join(dir, 'unread');
    mkdirSync(unread);
    expect(await moved(one, `folder:${unread}`, at)).toMatchObject({
      result: { isServed: false, sources: [{ copied: 3, removed: 0 }] },
    });
    expect(await widths(other)).toEqual([21, 22, 23]);
  });
});

it('files of the data directory are served after the setting was changed', async () => {
  let picture: Picture | null = null;
  await atOneStore('folder', async (one, other) => {
    picture = await withPicture(one, 31);
    expect(await widthOf(other, picture)).toBeNull();
    expect(await moved(one, 'folder:/not/there')).toMatchObject({
      done: false,
      message: expect.stringContaining('the folder /not/there must exist and be writable'),
    });
  });
  await atOneStore('database', async (one, other) => {
    if (picture === null) throw new Error('no picture');
    expect(await widthOf(one, picture)).toBe(31);
    expect(await moved(one, 'database')).toMatchObject({ done: true });
    expect([await widthOf(one, picture), await widthOf(other, picture)]).toEqual([31, 31]);
  });
});
