import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { openEmbeddedStore } from '@hypha/embedded-mongo';
import { ADMIN_EMAIL, ADMIN_PASSWORD } from '../support/service/harness';
import { png } from '../support/documents/images';
import { ROOT, readyUrl, startProcess } from '../support/process';
import type { Running } from '../support/process';

const BACKUP = join(ROOT, 'dist/cli/backup.js');

describe('npm run backup', () => {
  let folder: string;
  const running: Running[] = [];
  const start = (dataDir: string): Running => {
    const service = startProcess(
      { DATA_DIR: dataDir, PORT: '0', ADMIN_EMAIL, ADMIN_PASSWORD },
      undefined,
      folder,
    );
    running.push(service);
    return service;
  };
  const backup = (dataDir: string, target: string[], env: Record<string, string> = {}): Running =>
    startProcess({ DATA_DIR: dataDir, ...env }, [process.execPath, BACKUP, ...target], folder);

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hypha backup é-'));
  });
  afterEach(async () => {
    for (const { child, exit } of running.splice(0)) {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await exit;
    }
    rmSync(folder, { recursive: true, force: true });
  });

  async function createStore(dir: string): Promise<void> {
    mkdirSync(dir);
    await (await openEmbeddedStore({ dir, placement: 'inline', durability: 'test' })).close();
  }

  async function login(url: string): Promise<Record<string, string>> {
    const answer = await fetch(`${url}/login`, {
      method: 'POST',
      body: JSON.stringify({ email: ADMIN_EMAIL, password: ADMIN_PASSWORD }),
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.status).toBe(200);
    return { authorization: answer.headers.get('authorization') ?? '' };
  }

  async function addUser(
    url: string,
    session: Record<string, string>,
    email: string,
  ): Promise<void> {
    const answer = await fetch(`${url}/api/user`, {
      method: 'POST',
      headers: { ...session, 'content-type': 'application/json' },
      body: JSON.stringify({
        email,
        password: 'long enough',
        userGroup: 2,
        userDetail: { name: 'K' },
      }),
    });
    expect(answer.status).toBe(201);
  }

  it('copies a service during writes, and the copy can start in its place', async () => {
    const [original, copy] = [join(folder, 'data'), join(folder, 'backups', 'today')];
    const service = start(original);
    const url = await readyUrl(service);
    const session = await login(url);
    for (let n = 0; n < 3; n++) await addUser(url, session, `before${n}@hypha.test`);
    const form = new FormData();
    form.set('email', 'before0@hypha.test');
    form.set('file', new Blob([new Uint8Array(png())]), 'me.png');
    expect(
      (
        await fetch(`${url}/api/storage/profilePicture`, {
          method: 'POST',
          headers: session,
          body: form,
        })
      ).status,
    ).toBeLessThan(300);

    const tool = backup(original, [copy]);
    let copying = true;
    const copied = tool.exit.finally(() => {
      copying = false;
    });
    let during = 0;
    while (copying) await addUser(url, session, `during${during++}@hypha.test`);
    expect((await copied).code).toBe(0);
    expect(tool.output).toMatch(
      /^Copied .*data to .*today: \d+ documents, 1 uploaded files; verified\.\n$/,
    );
    expect(during).toBeGreaterThan(0);
    await addUser(url, session, 'after@hypha.test');
    expect(readdirSync(copy).sort()).toEqual([
      'connector-key',
      'data.mdb',
      'token-secret',
      'uploads',
    ]);
    expect(readdirSync(join(folder, 'backups'))).toEqual(['today']);
    expect(statSync(copy).mode & 0o777).toBe(0o700);
    service.child.kill('SIGKILL');
    await service.exit;

    const restored = await readyUrl(start(copy));
    await login(restored);
    // The copy contains the session and the key that signed its token.
    const list = (await (
      await fetch(`${restored}/api/user/all?size=1000`, { headers: session })
    ).json()) as {
      _embedded: {
        userResources: { email: string; userDetail: { profilePicture: string | null } }[];
      };
    };
    const users = new Map(list._embedded.userResources.map((user) => [user.email, user]));
    expect([...users.keys()]).toEqual(
      expect.arrayContaining(['before0@hypha.test', 'before1@hypha.test', 'before2@hypha.test']),
    );
    expect(users.has('after@hypha.test')).toBe(false);
    const picture = users.get('before0@hypha.test')?.userDetail.profilePicture ?? '';
    expect(
      (await fetch(`${restored}${new URL(picture, restored).pathname}`, { headers: session }))
        .status,
    ).toBe(200);
  });

  it('has the pictures of a shared folder, and no other files of it', async () => {
    const [data, shared, copy] = ['data', 'shared', 'copy'].map((name) => join(folder, name));
    await createStore(data);
    const [inShared, inData] = ['a', 'b'].map((digit) => `${digit.repeat(32)}.png`);
    for (const dir of [shared, join(data, 'uploads')]) mkdirSync(dir);
    for (const file of [
      join(shared, inShared),
      join(shared, 'notes.txt'),
      join(data, 'uploads', inData),
    ])
      writeFileSync(file, png());
    const tool = backup(data, [copy], { HYPHA_FILES: `folder:${shared}` });
    expect((await tool.exit).code).toBe(0);
    expect(tool.output).toContain('2 uploaded files');
    expect(readdirSync(join(copy, 'uploads')).sort()).toEqual([inShared, inData]);
  });

  it('removes the files of a killed backup, but not those of a running one', async () => {
    const [data, copies] = [join(folder, 'data'), join(folder, 'copies')];
    await createStore(data);
    // Reading a FIFO blocks the backup.
    mkdirSync(join(data, 'uploads'), { recursive: true });
    execFileSync('mkfifo', [join(data, 'uploads', `${'0'.repeat(32)}.png`)]);
    const drafts = (): string[] =>
      existsSync(copies) ? readdirSync(copies).filter((name) => name.endsWith('.partial')) : [];
    async function busy(target: string): Promise<Running> {
      const tool = backup(data, [join(copies, target)]);
      running.push(tool);
      while (!drafts().some((name) => name.includes(target)) && tool.child.exitCode === null)
        await setImmediate();
      return tool;
    }
    const killed = await busy('killed');
    killed.child.kill('SIGKILL');
    await killed.exit;
    expect(drafts()).toEqual([expect.stringContaining('killed')]);
    await busy('under way');
    expect(drafts()).toEqual([expect.stringContaining('under way')]);
    await busy('next');
    expect(drafts()).toEqual([
      expect.stringContaining('next'),
      expect.stringContaining('under way'),
    ]);
  });

  it('rejects a backup that would overwrite or lose data', async () => {
    const full = join(folder, 'full');
    const data = join(folder, 'data');
    await createStore(data);
    const outcome = async (
      target: string[],
      env: Record<string, string> = {},
      from = data,
    ): Promise<[number | null, string]> => {
      const tool = backup(from, target, env);
      return [(await tool.exit).code, tool.output];
    };
    expect(await outcome([full])).toEqual([0, expect.stringMatching(/0 uploaded files/)]);
    expect(await outcome([full])).toEqual([1, expect.stringMatching(/full is not empty/)]);
    expect(await outcome([join(data, 'copy')])).toEqual([
      1,
      expect.stringMatching(/inside the data directory/),
    ]);
    expect(await outcome([join(folder, 'new')], {}, join(folder, 'nowhere'))).toEqual([
      1,
      expect.stringMatching(/no embedded store in .*nowhere/),
    ]);
    expect(await outcome([join(folder, 'new')], { MONGODB_URI: 'mongodb://localhost/x' })).toEqual([
      78,
      expect.stringMatching(/MONGODB_URI is set/),
    ]);
    expect(existsSync(join(folder, 'new'))).toBe(false);
    expect(readdirSync(folder).sort()).toEqual(['data', 'full']);
  });
});
