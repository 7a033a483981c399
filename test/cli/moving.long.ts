import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unpacked } from '../support/store/exported';
import { ADMIN_EMAIL, ADMIN_PASSWORD } from '../support/service/harness';
import type { ReachedService } from '../support/service/harness';
import { hypha } from '../support/service/hypha';
import type { Ended } from '../support/service/hypha';
import { folderOfServices } from '../support/service/folder-of-services';
import { zipOf } from '../support/documents/zips';

const PASSPHRASE = 'a long passphrase';
/** Enough that an import is still busy when its first progress is seen. */
const MANY = 60_000;

const { folder, path, start, stop, reach } = folderOfServices('hypha-cli-moving-');
const run = (
  name: string,
  args: readonly string[],
  more: Partial<Parameters<typeof hypha>[1]> = {},
): Promise<Ended> =>
  hypha(args, { cwd: folder, env: { DATA_DIR: path(name), PORT: '0' }, ...more });
const categories = async (service: ReachedService): Promise<string[]> =>
  (await service.api('GET', '/api/category/all')).body.map(({ name }: any) => name);

beforeAll(async () => {
  const service = start('source');
  const api = await reach(service);
  expect((await api.api('POST', '/api/category', { body: { name: 'Moved' } })).status).toBe(201);
});
/** Adds many records to an archive that is not sealed. */
async function enlarged(file: string): Promise<Buffer> {
  const entries = Object.fromEntries(await unpacked(file));
  const [line = ''] = entries['audit_events.ndjson']?.toString().split('\n') ?? [];
  const lines = Array.from({ length: MANY }, (_, at) =>
    line.replace(/^\{"_id":\{"\$numberInt":"\d+"\}/, `{"_id":{"$numberInt":"${at + 1_000}"}`),
  );
  const bytes = Buffer.from(`${lines.join('\n')}\n`);
  const manifest = JSON.parse(entries['manifest.json']?.toString() ?? '');
  Object.assign(
    manifest.entries.find(({ name }: any) => name === 'audit_events.ndjson'),
    {
      documents: MANY,
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    },
  );
  return zipOf({
    ...entries,
    'audit_events.ndjson': bytes,
    'manifest.json': JSON.stringify(manifest),
  });
}

describe('hypha export and import', () => {
  it('move an instance with a passphrase, from a running and from a stopped service', async () => {
    const done = await run('source', ['export', 'sealed.zip', '--passphrase'], {
      input: `${PASSPHRASE}\n`,
    });
    expect(done).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^exported: \d+ records, 0 uploaded files to .*sealed\.zip: \d+ bytes, SHA-256 [0-9a-f]{64}\n$/,
      ),
      stderr: expect.stringContaining('The archive has all secrets.'),
    });
    expect(done.stderr + done.stdout).not.toContain(PASSPHRASE);
    expect(await run('source', ['import', 'sealed.zip'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/Nothing was imported: The service of .* runs \(pid \d+\)\./),
    });
    const imported = await run('target', ['import', 'sealed.zip', '--passphrase'], {
      input: `${PASSPHRASE}\n`,
    });
    expect(imported).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^imported: \d+ records, 0 uploaded files; counts and hashes verified; \d+ records encrypted/,
      ),
    });
    const again = await run('target', ['export', 'again.zip']);
    expect([again.code, again.stderr]).toEqual([
      0,
      expect.stringContaining('The archive has no passwords, credentials and secrets.'),
    ]);
    const target = start('target');
    expect(await categories(await reach(target))).toEqual(['Moved']);
    await stop(target);
  });

  it('leave a mark if an import is killed, until another one completes', async () => {
    expect((await run('source', ['export', 'plain.zip'])).code).toBe(0);
    writeFileSync(path('large.zip'), await enlarged(path('plain.zip')));
    const killed = await run('killed', ['import', 'large.zip'], {
      started: (child) =>
        child.stderr?.on('data', (text: Buffer) => {
          if (text.includes('records stored')) child.kill('SIGKILL');
        }),
    });
    expect(killed.signal).toBe('SIGKILL');
    const message =
      'An import was not completed, and the data is incomplete. Run `hypha import` with large.zip again.';
    const refused = start('killed');
    expect((await refused.exit).code).toBe(1);
    expect(refused.output).toContain(message);
    expect((await run('killed', ['user', 'list'])).stderr).toContain(message);
    expect((await run('killed', ['doctor'])).stdout).toMatch(/ERROR +store +An import was not/);

    const done = await run('killed', ['import', 'large.zip']);
    expect(done).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(
        /The archive has no secrets\. Enter again:\n +passwords of 1 users: run `hypha user reset-password/,
      ),
    });
    const reset = await run('killed', ['user', 'reset-password', ADMIN_EMAIL, '--stdin'], {
      input: `${ADMIN_PASSWORD}\n`,
    });
    expect(reset.code).toBe(0);
    const service = start('killed');
    const api = await reach(service);
    expect(await categories(api)).toEqual(['Moved']);
    const { auditEvents } = await api.data('{ auditEvents { totalCount } }');
    expect(auditEvents.totalCount).toBeGreaterThanOrEqual(MANY);
    await stop(service);
  });
});

describe('hypha restore', () => {
  it('puts a backup in place of the data of a stopped service', async () => {
    expect((await run('source', ['backup', 'backup'])).code).toBe(0);
    expect((await run('source', ['restore', 'backup', '--replace'])).stderr).toMatch(
      /^Nothing was restored: The service of .* runs \(pid \d+\)\. Stop it before `hypha restore`\.\n$/,
    );
    const restored = await run('new', ['restore', 'backup']);
    expect(restored).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Restored .*backup to .*new: \d+ documents, 0 uploaded files/),
    });
    const service = start('new');
    const api = await reach(service);
    expect((await api.api('POST', '/api/category', { body: { name: 'Later' } })).status).toBe(201);
    await stop(service);

    expect(await run('new', ['restore', 'backup'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/new is not empty\. With --replace, its content is kept as /),
    });
    const replaced = await run('new', ['restore', 'backup', '--replace']);
    expect([replaced.code, replaced.stderr]).toEqual([
      0,
      expect.stringMatching(/The earlier data is in .*new\.before-restore-\d{8}T\d{6}/),
    ]);
    const [backup = ''] = readdirSync(folder).filter((name) =>
      name.startsWith('new.before-restore'),
    );
    expect(existsSync(join(folder, backup, 'data.mdb'))).toBe(true);
    for (const [name, expected] of [
      ['new', ['Moved']],
      [backup, ['Moved', 'Later']],
    ] as const) {
      const again = start(name);
      expect((await categories(await reach(again))).sort()).toEqual([...expected].sort());
      await stop(again);
    }
  });

  it('changes nothing if the directory is no backup, or a damaged one', async () => {
    expect((await run('new', ['restore', 'missing', '--replace'])).stderr).toMatch(
      /missing is no backup: it has no file data\.mdb/,
    );
    const bytes = readFileSync(path('backup/data.mdb'));
    expect((await run('source', ['backup', 'broken'])).code).toBe(0);
    writeFileSync(path('broken/data.mdb'), bytes.subarray(0, 10_000));
    const before = readdirSync(folder).filter((name) => !name.startsWith('.'));
    const refused = await run('new', ['restore', 'broken', '--replace']);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(
        /^Nothing was restored: .*data\.mdb was cut: it has 10000 bytes of \d+, /,
      ),
    ]);
    // The copy that a crash leaves behind is removed by the next backup or restore.
    expect(readdirSync(folder).filter((name) => !name.startsWith('.'))).toEqual(before);
  });
});
