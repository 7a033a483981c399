import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedStore } from '@hypha/embedded-mongo';
import mongoose from 'mongoose';
import { importHere } from '../../src/cli/import-here';
import { performHere } from '../../src/cli/perform-here';
import { loadConfig } from '../../src/config/load';
import type { ImportRequest, ImportResult } from '../../src/features/moving/import.service';
import { COLLECTIONS } from '../../src/features/moving/collections';
import { askService } from '../../src/platform/control/client';
import type { ControlAnswer } from '../../src/platform/control/command';
import { createUnconnectedDomain } from '../../src/domain';
import { codeOf } from '../support/calls/account-calls';
import { textOf, unpacked } from '../support/store/exported';
import { fillInstance, shownBy, VISITOR } from '../support/store/filled-instance';
import type { FilledInstance } from '../support/store/filled-instance';
import { ADMIN_EMAIL, ADMIN_PASSWORD, startService } from '../support/service/harness';
import type { TestService } from '../support/service/harness';
import { remoteSystem } from '../support/peers/remote-system';
import type { RemoteSystem } from '../support/peers/remote-system';
import { zipOf } from '../support/documents/zips';
import { longIt } from '../support/long';

const PASSPHRASE = 'a long passphrase';

let folder: string;
let remote: RemoteSystem;
let source: TestService;
let filled: FilledInstance;
let shown: Awaited<ReturnType<typeof shownBy>>;
const [plain, sealed] = ['plain.zip', 'sealed.zip'].map((name) => () => join(folder, name));

const exportTo = (file: string, passphrase: string | null): Promise<ControlAnswer | null> =>
  askService(source.dataDir, {
    command: 'export',
    input: { file, passphrase },
    systemUser: 'tester',
  });

/** The environment of an instance in a new directory. */
const envOf = (name: string, mongodbUri = ''): Record<string, string> => ({
  DATA_DIR: join(folder, name),
  MONGODB_URI: mongodbUri,
});

function imported(
  env: Record<string, string>,
  file: string,
  more: Partial<Omit<ImportRequest, 'file' | 'prepare'>> = {},
): Promise<ImportResult> {
  const { config } = loadConfig({ ADMIN_EMAIL, ADMIN_PASSWORD, ...env }, folder);
  return importHere(
    config,
    {
      file,
      passphrase: null,
      replace: false,
      onChecked: () => undefined,
      onStored: () => undefined,
      ...more,
    },
    { placement: 'inline', durability: 'test' },
  );
}

const service = (env: Record<string, string>): Promise<TestService> =>
  startService({ dataDir: env.DATA_DIR, env });

const plantedIn = (text: string): string[] =>
  [...filled.planted].filter(([, value]) => text.includes(value)).map(([where]) => where);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hypha-moving-'));
  remote = await remoteSystem(({ path }) => ({
    body: path === '/visitor' ? { text: `visitor=${VISITOR}` } : { path },
  }));
  source = await startService({ env: { MONGODB_URI: '' } });
  filled = await fillInstance(source, remote);
  shown = await shownBy(source, filled);
  for (const [file, passphrase] of [
    [plain(), null],
    [sealed(), PASSPHRASE],
  ] as const)
    expect(await exportTo(file, passphrase)).toMatchObject({
      done: true,
      result: { file, bytes: statSync(file).size, uploads: 1 },
    });
});
afterAll(async () => {
  await source.close();
  await remote.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('an export', () => {
  it('has no planted secret without a passphrase', async () => {
    const text = await textOf(plain());
    expect(plantedIn(text)).toEqual([]);
    // The same search finds what is not secret, in compressed parts too.
    expect(text).toContain('"plain":"kept"');
    // Hashes of passwords, and values that are sealed with a key of the vault.
    expect(/\$argon2|"tag":"[\w-]{22}"/.exec(text)).toBeNull();
  });

  it('shows nothing without the passphrase', async () => {
    const entries = await unpacked(sealed());
    expect(
      plantedIn([...entries.values()].map((bytes) => bytes.toString('latin1')).join()),
    ).toEqual([]);
    entries.delete('manifest.json');
    expect([...entries.values()].filter((bytes) => bytes.includes('_id'))).toEqual([]);
  });

  it('is readable for its owner only, and is not overwritten', async () => {
    expect(statSync(plain()).mode & 0o777).toBe(0o600);
    expect(await exportTo(plain(), null)).toMatchObject({
      done: false,
      message: `${plain()} exists. Choose another name, or remove it first.`,
    });
    expect(await exportTo(join(folder, 'missing', 'a.zip'), null)).toMatchObject({
      done: false,
      message: expect.stringMatching(/cannot be written by the service: ENOENT/),
    });
    expect(await exportTo(join(folder, 'short.zip'), 'short')).toMatchObject({
      done: false,
      message: 'A passphrase has at least 12 characters.',
    });
  });

  it('lists what was left out and what must be entered again', async () => {
    const manifest = JSON.parse((await unpacked(plain())).get('manifest.json')?.toString() ?? '');
    expect(manifest.enterAgain).toEqual({
      connectors: [{ title: expect.any(String), fields: ['url', 'token'] }],
      secrets: [filled.secret],
      workflows: [expect.any(String)],
      invokers: [filled.invoker],
      notifications: [expect.any(String)],
      webhooks: [expect.any(String)],
      secondFactors: [filled.user.email],
      apiTokens: 1,
      passwords: 2,
    });
    expect(manifest.leftOut).toContainEqual({
      collection: 'sessions',
      why: 'All users sign in again.',
    });
  });

  it('has a rule for each collection', async () => {
    const { store, domain } = await createUnconnectedDomain();
    await domain.stop();
    const names = Object.values(store.connection.models).map((model) => model.collection.name);
    expect(Object.keys(COLLECTIONS).sort()).toEqual(
      [
        ...names,
        'fingerprints',
        'imports',
        'leases',
        'migrations',
        'processes',
        'sequences',
      ].sort(),
    );
  });
});

describe('an import', () => {
  longIt('moves everything to a MongoDB and back with a passphrase', async () => {
    const server = await openEmbeddedStore({
      dir: join(folder, 'server'),
      placement: 'inline',
      durability: 'test',
    });
    const mongo: Record<string, string> = {
      ...envOf('mongo', server.uri),
      HYPHA_FILES: 'database',
    };
    const back = envOf('back');
    await expectRefusedWhileBusy(mongo, server.uri);
    const result = await imported(mongo, sealed(), { passphrase: PASSPHRASE });
    expect(result.enterAgain).toBeNull();
    const second = await service(mongo);
    const returned = join(folder, 'returned.zip');
    try {
      expect(await shownBy(second, filled)).toEqual(shown);
      await expectWorking(
        second,
        codeOf(filled.planted.get('second factor') ?? '', Date.now() + 30_000),
      );
      expect(
        await askService(mongo.DATA_DIR, {
          command: 'export',
          input: { file: returned, passphrase: 'another passphrase' },
          systemUser: 'tester',
        }),
      ).toMatchObject({ done: true, result: { uploads: 1 } });
    } finally {
      await second.close();
      await server.close();
    }
    await imported(back, returned, { passphrase: 'another passphrase' });
    const third = await service(back);
    const now = await shownBy(third, filled);
    for (const part of ['/connection/all', 'pictures']) expect(now[part]).toEqual(shown[part]);
    await expectWorking(third, filled.user.recoveryCodes[0] ?? '');
    await third.close();
  });

  /** A service at the store gives a sign of life. */
  async function expectRefusedWhileBusy(env: Record<string, string>, uri: string): Promise<void> {
    const connection = await mongoose.createConnection(uri).asPromise();
    const processes = connection.collection<{ _id: string }>('processes');
    const [host, pid, version] = ['node-a', 4711, '0.1.0'];
    await processes.insertOne({
      _id: 'elsewhere',
      host,
      pid,
      version,
      beatAt: new Date(),
    } as never);
    await expect(imported(env, sealed(), { passphrase: PASSPHRASE })).rejects.toThrow(
      'Other processes use this store: host node-a, pid 4711, version 0.1.0. Stop them and try again.',
    );
    await processes.deleteMany({});
    await connection.close();
  }

  /** Credentials, named secrets, webhooks, second factors and API tokens are usable. */
  async function expectWorking(moved: TestService, code: string): Promise<void> {
    remote.forget();
    await moved.api('POST', '/api/connector/check', { body: { connectorId: filled.connectorId } });
    expect(JSON.stringify(remote.received)).toContain(filled.planted.get('credential'));
    expect((await moved.api('POST', filled.webhook, { token: null, body: {} })).status).toBe(200);
    expect(
      (await moved.api('GET', '/api/user/all', { token: `Bearer ${filled.apiToken}` })).status,
    ).toBe(200);
    const { email, password } = filled.user;
    const { body } = await moved.api('POST', '/login', { token: null, body: { email, password } });
    const login = { sessionId: body.sessionId, code };
    expect((await moved.api('POST', '/totp-validate', { token: null, body: login })).status).toBe(
      200,
    );
  }

  it('without secrets keeps all other data, and masks what must be entered again', async () => {
    const env = envOf('copy');
    const { enterAgain } = await imported(env, plain());
    expect(enterAgain?.secrets).toEqual([filled.secret]);
    // Users have no passwords: the operator sets one, as `hypha user reset-password` does.
    await resetPassword(env);
    const copy = await service(env);
    const now = await shownBy(copy, filled);
    for (const path of ['/category/all', '/aggregator/all', '/template/all', '/userGroup/all'])
      expect(now[path]).toEqual(shown[path]);
    expect(now.run).toEqual(shown.run);
    expect(now['/secret/all']).toEqual([]);
    const { body } = await copy.api('GET', `/api/connection/${filled.workflowId}`);
    expect(body.fromConnector.methods[0].request).toMatchObject({
      header: { Authorization: '***' },
      body: { fields: { password: '***', plain: 'kept' } },
    });
    const connector = (await copy.api('GET', `/api/connector/${filled.connectorId}`)).body;
    const updated = await copy.api('PUT', `/api/connector/${filled.connectorId}`, {
      body: { ...connector, requestData: { url: remote.url, token: 'entered-again' } },
    });
    expect([updated.status, updated.body.message]).toEqual([200, undefined]);
    remote.forget();
    await copy.api('POST', '/api/connector/check', { body: { connectorId: filled.connectorId } });
    expect(JSON.stringify(remote.received)).toContain('entered-again');
    await copy.close();
  });

  async function resetPassword(env: Record<string, string>): Promise<void> {
    const { config } = loadConfig({ ADMIN_EMAIL, ADMIN_PASSWORD, ...env }, folder);
    const answer = await performHere(
      config,
      {
        command: 'user reset-password',
        input: { email: ADMIN_EMAIL, password: ADMIN_PASSWORD },
        systemUser: 'tester',
      },
      undefined,
      { placement: 'inline', durability: 'test' },
    );
    expect(answer).toMatchObject({ done: true });
  }

  longIt('that stops in the middle prevents a start, and a second one succeeds', async () => {
    const env = envOf('interrupted');
    await expect(
      imported(env, sealed(), {
        passphrase: PASSPHRASE,
        onStored: ({ done, total }) => {
          if (done > total / 2) throw new Error('stopped here');
        },
      }),
    ).rejects.toThrow('stopped here');
    await expect(service(env)).rejects.toThrow(
      'An import was not completed, and the data is incomplete. Run `hypha import` with sealed.zip again.',
    );
    await imported(env, sealed(), { passphrase: PASSPHRASE });
    const moved = await service(env);
    expect(await shownBy(moved, filled)).toEqual(shown);
    await moved.close();
  });

  it('replaces data only if it is asked to', async () => {
    const env = envOf('taken');
    const other = await service(env);
    await other.api('POST', '/api/user', {
      body: { email: 'other@hypha.test', password: 'long enough', userGroup: 2, userDetail: {} },
    });
    await expect(imported(env, plain())).rejects.toThrow(/in use by|is used by/);
    await other.close();
    await expect(imported(env, plain())).rejects.toThrow(
      'There is data already: 0 workflows, 0 connectors, 2 users. --replace removes it; make a backup before.',
    );
    await imported(env, sealed(), { passphrase: PASSPHRASE, replace: true });
    const moved = await service(env);
    expect(await shownBy(moved, filled)).toEqual(shown);
    await moved.close();
  });

  it('rejects an archive of a later version, and a changed manifest', async () => {
    const env = envOf('later');
    const changed = join(folder, 'changed.zip');
    const withManifest = async (file: string, change: (manifest: any) => void): Promise<void> => {
      const entries = Object.fromEntries(await unpacked(file));
      const manifest = JSON.parse(entries['manifest.json']?.toString() ?? '');
      change(manifest);
      writeFileSync(
        changed,
        await zipOf({ ...entries, 'manifest.json': JSON.stringify(manifest, null, 1) }),
      );
    };
    await withManifest(plain(), (manifest) =>
      Object.assign(manifest, { format: 2, version: '9.0.0' }),
    );
    await expect(imported(env, changed)).rejects.toThrow(
      /^Hypha 9\.0\.0 wrote the archive in format 2\. This is Hypha \d+\.\d+\.\d+, which reads format 1\./,
    );
    await withManifest(plain(), (manifest) => {
      manifest.version = '9.0.0';
      manifest.migrations.push({ _id: 9_999, name: 'of the future' });
    });
    await expect(imported(env, changed)).rejects.toThrow(
      /^Hypha 9\.0\.0 wrote the archive, and this is Hypha .* \(migration 9999, of the future\)/,
    );
    await withManifest(plain(), (manifest) => {
      manifest.entries = manifest.entries.filter(({ name }: any) => name !== 'runs.ndjson');
    });
    await expect(imported(env, changed)).rejects.toThrow(
      'The archive is damaged: runs.ndjson: manifest.json does not list it.',
    );
    await withManifest(sealed(), (manifest) => manifest.entries.pop());
    await expect(imported(env, changed, { passphrase: PASSPHRASE })).rejects.toThrow(
      'manifest.json in the archive was changed after the export.',
    );
  });

  it('checks everything before it empties the store', async () => {
    const env = envOf('occupied');
    await imported(env, sealed(), { passphrase: PASSPHRASE });
    const changed = join(folder, 'odd.zip');
    const entries = Object.fromEntries(await unpacked(plain()));
    type Change = (lines: string[]) => string[];
    const refused = async (
      name: string,
      change: Change | Buffer,
      message: RegExp,
      list: (manifest: any) => void = () => undefined,
    ): Promise<void> => {
      const content =
        typeof change === 'function'
          ? Buffer.from(
              change(entries[name]?.toString().split('\n').slice(0, -1) ?? [])
                .map((line) => `${line}\n`)
                .join(''),
            )
          : change;
      const manifest = JSON.parse(entries['manifest.json']?.toString() ?? '');
      manifest.entries = manifest.entries.filter((entry: any) => entry.name !== name);
      manifest.entries.push({
        name,
        documents: content.toString('latin1').split('\n').length - 1,
        bytes: content.length,
        sha256: createHash('sha256').update(content).digest('hex'),
      });
      list(manifest);
      const text = JSON.stringify(manifest);
      writeFileSync(
        changed,
        await zipOf({ ...entries, 'manifest.json': text, ...{ [name]: content } }),
      );
      await expect(imported(env, changed, { replace: true })).rejects.toThrow(message);
    };
    const twice: Change = (lines) => [...lines, lines.at(-1) ?? ''];
    await refused('users.ndjson', twice, /users\.ndjson: two records have the _id \d+\.$/);
    await refused(
      'categories.ndjson',
      ([line]) => [line, line.replace(/"_id":\{[^}]*\}/, '"_id":{"$numberInt":"99999"}')],
      /categories\.ndjson: two records have the same nameKey: \["[^"]+"\]/,
    );
    const nested = (text: string, depth: number) => text.repeat(depth);
    await refused('users.ndjson', () => [nested('[', 1_000_000)], /nested too deeply/);
    await refused(
      'users.ndjson',
      () => [`{"_id":1,"a":${nested('{"a":', 200)}1${nested('}', 201)}`],
      /users\.ndjson: .*nest/i,
    );
    await refused('users.ndjson', () => ['{"_id":[1]}'], /users\.ndjson: .*_id/);
    await refused('users.ndjson', () => ['{"_id":1,"a":{"$minKey":1}}'], /users\.ndjson: /);
    await refused(
      'users.ndjson',
      () => [`{"_id":1,"a":"${'x'.repeat(17 * 1024 * 1024)}"}`],
      /users\.ndjson: .*(?:size|large)/i,
    );
    await refused('migrations.ndjson', (lines) => lines.slice(1), /manifest\.json lists others/);
    for (const name of ['imports.ndjson', 'a$b.ndjson', 'system.x.ndjson', 'notes.txt'])
      await refused(name, () => ['{"_id":1}'], /no export has such an entry/);
    await refused(
      'users.ndjson',
      (lines) => lines,
      /lists it twice/,
      (manifest) => manifest.entries.push(manifest.entries.at(-1)),
    );
    await refused(
      'manifest.json',
      Buffer.from(nested('[', 1_000_000)),
      /manifest\.json .* damaged/,
    );
    await refused('manifest.json', Buffer.alloc(65 * 1024 * 1024, '['), /it is too large/);
    const untouched = await service(env);
    expect(await shownBy(untouched, filled)).toEqual(shown);
    await untouched.close();
  });

  it('changes nothing if the archive is damaged, or the passphrase wrong', async () => {
    const env = envOf('untouched');
    const broken = join(folder, 'broken.zip');
    const content = readFileSync(plain());
    const refusedWith = async (bytes: Buffer, message: RegExp): Promise<void> => {
      writeFileSync(broken, bytes);
      await expect(imported(env, broken)).rejects.toThrow(message);
    };
    await refusedWith(content.subarray(0, -100), /The archive cannot be read/);
    const at = content.indexOf('users.ndjson') + 60;
    const flipped = Buffer.from(content);
    flipped[at] = (flipped[at] ?? 0) ^ 0xff;
    await refusedWith(flipped, /The archive is damaged: users\.ndjson: /);
    await refusedWith(Buffer.from('no archive'), /The archive cannot be read/);
    await expect(imported(env, sealed(), { passphrase: 'wrong passphrase' })).rejects.toThrow(
      'The passphrase is wrong.',
    );
    await expect(imported(env, sealed())).rejects.toThrow(
      'The archive is sealed with a passphrase. Use --passphrase.',
    );
    const fresh = await service(env);
    expect((await fresh.api('GET', '/api/connection/all')).body).toEqual([]);
    await fresh.close();
  });
});
