import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createLogger } from '../../src/platform/log/logger';
import { connectStore } from '../../src/platform/store/startup/connect';
import type { Store } from '../../src/platform/store/store';
import { hypha } from '../support/service/hypha';
import { folderOfServices } from '../support/service/folder-of-services';
import { freePort, readyUrl } from '../support/process';
import type { Running } from '../support/process';

interface Diagnosis {
  readonly code: number | null;
  readonly ok: boolean;
  readonly mongosh: string | null;
  readonly findings: readonly {
    readonly about: string;
    readonly level: string;
    readonly text: string;
  }[];
}

const finding = (level: string, about: string, text: RegExp) =>
  expect.arrayContaining([
    { level, about, text: expect.stringMatching(text) as string },
  ]) as unknown;

describe('hypha doctor', () => {
  const { folder, path, start: startIn } = folderOfServices('hypha-cli-doctor-');
  const dataDir = path('data');
  let port: number;
  const start = async (): Promise<Running> => {
    const service = startIn('data', { PORT: String(port) });
    await readyUrl(service);
    return service;
  };
  const examine = async (
    env: Record<string, string> = {},
    ...more: string[]
  ): Promise<Diagnosis> => {
    const { code, stdout, stderr } = await hypha(['doctor', '--json', ...more], {
      cwd: folder,
      env: { DATA_DIR: dataDir, PORT: String(port), ...env },
    });
    expect(stderr).toBe('');
    return { code, ...(JSON.parse(stdout) as Omit<Diagnosis, 'code'>) };
  };
  const contents = (): unknown =>
    readdirSync(dataDir)
      .sort()
      .map((name) => [
        name,
        name === 'data.mdb' ? readFileSync(join(dataDir, name)).toString('base64') : '',
      ]);
  const changeStore = async (change: (store: Store) => Promise<unknown>): Promise<void> => {
    const connected = await connectStore(
      { data: { dir: dataDir, mongodbUri: null, shareStore: false } },
      createLogger({ log: { level: 'silent' } }),
      { placement: 'inline', durability: 'full' },
    );
    await change(connected.store);
    await connected.close();
  };

  beforeAll(async () => {
    port = await freePort();
  });
  it('reports no problem before the first start and creates nothing', async () => {
    const { code, stdout } = await hypha(['doctor'], {
      cwd: folder,
      env: { DATA_DIR: dataDir, PORT: String(port) },
    });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ok +runtime +Node \d/m);
    expect(stdout).toMatch(
      /^ok +configuration +Recommended: set hypha\.password\.require-current/m,
    );
    expect(stdout).toMatch(/^ok +directory .*does not exist yet/m);
    expect(stdout).toMatch(/^0 errors, 0 warnings\.$/m);
    expect(readdirSync(folder)).toEqual([]);
    for (const [name, value] of [
      ['HYPHA_PASSWORD_REQUIRE_CURRENT', 'true'],
      ['HYPHA_REST_DIALECT', 'released'],
    ] as const) {
      const other = await hypha(['doctor'], {
        cwd: folder,
        env: { DATA_DIR: dataDir, PORT: String(port), [name]: value },
      });
      expect(other.stdout).not.toContain('Recommended');
    }
  });

  it('detects a running service, a copied store, a killed service and a damaged store without changing them', async () => {
    const service = await start();
    const checked = await examine({}, '--running');
    expect(checked.code).toBe(0);
    for (const text of [/^Database \(.*\): operational$/, /^E-mail: not used$/, /^Runtime .* pid/])
      expect(checked.findings).toEqual(finding('ok', 'service', text));
    const alive = await examine();
    expect(alive).toMatchObject({
      code: 0,
      mongosh: `mongosh 'mongodb://${encodeURIComponent(join(dataDir, 's.sock'))}/hypha?directConnection=true'`,
    });
    for (const expected of [
      finding(
        'ok',
        'store',
        new RegExp(`The service \\(pid ${service.child.pid}\\) has used it since`),
      ),
      finding('ok', 'store', /No migration is pending/),
      finding('ok', 'store', /No index is missing/),
      finding('ok', 'port', new RegExp(`held by the service \\(pid ${service.child.pid}\\)`)),
    ])
      expect(alive.findings).toEqual(expected);
    expect(alive.findings.every(({ level }) => level === 'ok')).toBe(true);

    const copy = path('copy');
    mkdirSync(copy, { mode: 0o700 });
    copyFileSync(join(dataDir, 'data.mdb'), join(copy, 'data.mdb'));
    expect((await examine({ DATA_DIR: copy, PORT: '0' })).findings).toEqual(
      finding('warning', 'store', /copied while it was in use/),
    );
    expect(readdirSync(copy)).toEqual(['data.mdb']);

    service.child.kill('SIGKILL');
    await service.exit;
    const killed = contents();
    expect(await examine()).toMatchObject({
      code: 0,
      findings: finding(
        'warning',
        'store',
        new RegExp(`Process ${service.child.pid}, which used it, was killed`),
      ),
    });
    expect(contents()).toEqual(killed);

    await changeStore(async ({ connection }) => {
      await connection.collection('users').dropIndex('createdAt_1__id_1');
      await connection
        .collection<{ _id: number; name: string }>('migrations')
        .insertOne({ _id: 9_999, name: 'of the future' });
    });
    chmodSync(dataDir, 0o755);
    rmSync(join(dataDir, 'lock.mdb'));
    const stopped = contents();
    const diagnosis = await examine();
    expect(diagnosis).toMatchObject({ code: 1, ok: false });
    for (const expected of [
      finding('ok', 'store', /No process uses it/),
      finding('warning', 'directory', /mode 755/),
      finding('warning', 'store', /Indexes are missing.*users \{"createdAt":1,"_id":1\}/),
      finding('error', 'store', /A later version .*9999, of the future/),
      finding('ok', 'port', /is free/),
    ])
      expect(diagnosis.findings).toEqual(expected);
    expect(contents()).toEqual(stopped);
  });

  it('reports each problem of the configuration, directory, store and port', async () => {
    writeFileSync(join(folder, 'a.yml'), 'hypha:\n  log:\n    levle: info\n');
    const rival = createServer();
    await new Promise<void>((resolve) => rival.listen(0, '127.0.0.1', resolve));
    const damaged = path('damaged');
    mkdirSync(damaged);
    writeFileSync(join(damaged, 'data.mdb'), 'x'.repeat(20_000));
    const diagnosis = await examine({
      CONFIG_FILE: 'a.yml',
      HYPHA_LIMITS_DEPTH: '1',
      DATA_DIR: damaged,
      PORT: String((rival.address() as AddressInfo).port),
    });
    await new Promise((resolve) => rival.close(resolve));
    expect(diagnosis).toMatchObject({ code: 1, ok: false });
    for (const expected of [
      finding('error', 'configuration', /HYPHA_LIMITS_DEPTH = "1"/),
      finding('warning', 'configuration', /levle/),
      finding('error', 'store', /damaged.*`hypha restore BACKUP --replace`/),
      finding('error', 'port', new RegExp(`taken by pid ${process.pid} `)),
    ])
      expect(diagnosis.findings).toEqual(expected);

    writeFileSync(path('file'), '');
    const unusable = await examine({
      DATA_DIR: path('file'),
      HOST: '203.0.113.1',
      MONGODB_URI: 'mongodb://user:hidden@127.0.0.1:1/x?unknown=1',
      REDIS_URL: 'redis://user:hidden@127.0.0.1:1',
    });
    expect(unusable.code).toBe(1);
    for (const expected of [
      finding('error', 'directory', /is a file/),
      finding('error', 'port', /EADDRNOTAVAIL/),
      finding('error', 'store', /MONGODB_URI.*option unknown is not supported/),
      finding('warning', 'redis', /^Redis is not reached \(connect ECONNREFUSED 127\.0\.0\.1:1\)/),
    ])
      expect(unusable.findings).toEqual(expected);
    expect(JSON.stringify(unusable)).not.toContain('hidden');
  });
});
