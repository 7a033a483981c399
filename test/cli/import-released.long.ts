import { writeFileSync } from 'node:fs';
import { ADMIN_EMAIL, ADMIN_PASSWORD, answerTo } from '../support/service/harness';
import { hypha } from '../support/service/hypha';
import type { Ended } from '../support/service/hypha';
import { folderOfServices } from '../support/service/folder-of-services';
import { readyUrl } from '../support/process';
import type { Running } from '../support/process';
import {
  ANN,
  KEY,
  PASSWORD,
  PRODUCT,
  releasedDump,
  writeDump,
} from '../support/documents/released-dump';
import type { ReleasedDump } from '../support/documents/released-dump';
import { testRemote } from '../support/peers/remote-system';
import { until } from '../support/until';

/** Enough that an import is still busy when its first progress is seen. */
const MANY = 4_000;

const { folder, path, start: startIn, stop } = folderOfServices('hypha-cli-released-');
let dump: ReleasedDump;

const run = (
  name: string,
  args: readonly string[],
  more: Partial<Parameters<typeof hypha>[1]> = {},
): Promise<Ended> =>
  hypha(args, {
    cwd: folder,
    env: { DATA_DIR: path(name), PORT: '0', ADMIN_EMAIL, ADMIN_PASSWORD },
    ...more,
  });
const importing = (
  name: string,
  from: string,
  more: Partial<Parameters<typeof hypha>[1]> = {},
): Promise<Ended> =>
  run(name, ['import-released', from, '--product', PRODUCT, '--key-file', 'key'], more);

async function start(name: string): Promise<{ service: Running; url: string; token: string }> {
  const service = startIn(name);
  const url = await readyUrl(service);
  const { headers } = await answerTo(url, 'POST', '/login', null, {
    body: { email: ANN, password: PASSWORD },
  });
  return { service, url, token: headers.get('authorization') ?? '' };
}
const remote = testRemote(({ method }) => ({
  body: method === 'GET' ? { tickets: [{ id: 7, title: 'late' }] } : {},
}));
beforeAll(async () => {
  dump = releasedDump(remote.url);
  writeDump(path('dump'), dump);
  writeFileSync(path('key'), `${KEY}\n`);
});

describe('hypha import-released', () => {
  it('lists in a dry run what comes over, then imports it', async () => {
    const dry = await run(
      'data',
      ['import-released', 'dump', '--dry-run', '--product', PRODUCT, '--key-stdin'],
      { input: `${KEY}\n` },
    );
    expect(dry).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/connections\.json +3 +2\n[^]*Does not come over:\n/),
      stderr: expect.stringContaining('This was a dry run: nothing was imported.'),
    });
    const done = await importing('data', 'dump', {});
    expect(done).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Users sign in with their old passwords.'),
    });
    expect(done.stdout).toBe(dry.stdout);
    for (const [where, value] of dump.planted)
      expect([
        where,
        [dry, done].some(({ stdout, stderr }) => (stdout + stderr).includes(value)),
      ]).toEqual([where, false]);
  });

  it('leaves a service whose users sign in and whose schedules fire', async () => {
    const { service, url, token } = await start('data');
    expect(await importing('data', 'dump')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/Nothing was imported: The service of .* runs \(pid \d+\)/),
    });
    expect((await answerTo(url, 'GET', '/api/connection/17', token)).body.title).toBe(
      'Copy tickets',
    );
    const call = await until(() => remote.received.find(({ method }) => method === 'POST'));
    expect(call.headers.authorization).toBe(`Bearer ${dump.planted.get('second credential')}`);
    expect(JSON.parse(call.body)).toMatchObject({ Ticket: { Title: 'LATE/7' } });
    await stop(service);
    expect(await importing('data', 'dump')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Nothing was imported: There is data already: 3 workflows'),
    });
  });

  it('imports nothing if it is killed, and everything at the second try', async () => {
    const categories = Array.from({ length: MANY }, (_, at) => ({ id: at + 1, name: `C ${at}` }));
    const { files, others } = dump;
    writeDump(path('large'), { files: { ...files, 'categories.json': categories }, others });
    const killed = await importing('killed', 'large', {
      started: (child) =>
        child.stderr?.on('data', (text: Buffer) => {
          if (text.includes('records written')) child.kill('SIGKILL');
        }),
    });
    expect(killed.signal).toBe('SIGKILL');
    const between = startIn('killed');
    const url = await readyUrl(between);
    const { headers } = await answerTo(url, 'POST', '/login', null, {
      body: { email: ADMIN_EMAIL, password: ADMIN_PASSWORD },
    });
    const token = headers.get('authorization');
    for (const list of ['category', 'connector', 'connection', 'scheduler'])
      expect((await answerTo(url, 'GET', `/api/${list}/all`, token)).body).toEqual([]);
    await stop(between);

    expect((await importing('killed', 'large')).code).toBe(0);
    const { service, url: after, token: ann } = await start('killed');
    expect((await answerTo(after, 'GET', '/api/category/all', ann)).body).toHaveLength(MANY);
    await stop(service);
  });

  it('leaves an administrator of the installation, whose password the next start prints', async () => {
    const env = { DATA_DIR: path('unprinted'), PORT: '0', ADMIN_EMAIL };
    expect((await importing('unprinted', 'dump', { env })).code).toBe(0);
    const service = startIn('unprinted', { ADMIN_PASSWORD: undefined });
    const [, password] = await service.says(/password\s+(\w{20})\b/);
    const { body } = await answerTo(await readyUrl(service), 'POST', '/login', null, {
      body: { email: ADMIN_EMAIL, password },
    });
    expect(body).toMatchObject({ enhanceId: 12, email: ADMIN_EMAIL });
    await stop(service);
  });

  it('says what is wrong and imports nothing', async () => {
    writeFileSync(path('wrong'), 'another key');
    const wrong = await run('refused', [
      'import-released',
      'dump',
      '--product',
      PRODUCT,
      '--key-file',
      'wrong',
    ]);
    expect(wrong).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^Nothing was imported: The credentials of these connectors .*Tickets \(url\)/,
      ),
    });
    expect(await run('refused', ['import-released', 'missing'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('missing cannot be read: ENOENT.'),
    });
    expect(await run('refused', ['import-released', 'dump', '--key-file', 'gone'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('ENOENT'),
    });
    expect(
      await run('refused', ['import-released', 'dump', '--key-file', 'key', '--key-stdin']),
    ).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('cannot be used with option'),
    });
  });
});
