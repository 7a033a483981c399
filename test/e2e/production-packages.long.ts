import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readZip } from '../../src/platform/archive/read-zip';
import { built } from '../support/service/built';
import { ADMIN_EMAIL, ADMIN_PASSWORD, reachedAt } from '../support/service/harness';
import type { ReachedService } from '../support/service/harness';
import { hypha } from '../support/service/hypha';
import { MAIN, ROOT, Running, dyingWithTheRun, readyUrl } from '../support/process';
import { remoteSystem } from '../support/peers/remote-system';
import type { RemoteSystem } from '../support/peers/remote-system';
import { supportFile } from '../support/calls/support-log-calls';
import { ended } from '../support/service/watch';
import { method, saved, started, workflow } from '../support/documents/workflows';

/* Uses the packages that `npm ci --omit=dev` installs: those that `package-lock.json` does not mark as development. */

jest.setTimeout(180_000);

interface Lock {
  readonly packages: Readonly<
    Record<
      string,
      { readonly dev?: boolean; readonly optional?: boolean; readonly devOptional?: boolean }
    >
  >;
}
const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Lock;
const isNeeded = (folder: string): boolean => {
  const entry = lock.packages[folder];
  return entry !== undefined && entry.dev !== true && entry.devOptional !== true;
};

let dir: string;
let running: Running;
let service: ReachedService;
let remote: RemoteSystem;

/** Copies the production packages. Nested `node_modules` are skipped because they have entries of their own. */
function copyPackages(): void {
  for (const folder of Object.keys(lock.packages).filter((name) => name !== '' && isNeeded(name))) {
    const from = join(ROOT, folder);
    try {
      cpSync(from, join(dir, folder), {
        recursive: true,
        filter: (source) => source !== join(from, 'node_modules'),
      });
    } catch (error) {
      // Optional packages of other platforms are not installed.
      if (
        (error as NodeJS.ErrnoException).code !== 'ENOENT' ||
        lock.packages[folder]?.optional !== true
      )
        throw error;
    }
  }
}

const env = (): Record<string, string> => ({
  PORT: '0',
  DATA_DIR: join(dir, 'data'),
  NODE_ENV: 'production',
  ADMIN_EMAIL,
  ADMIN_PASSWORD,
  HYPHA_GRAPHQL_INTROSPECTION: 'true',
});

async function start(): Promise<void> {
  running = new Running(
    spawn(process.execPath, ['dist/main.js'], {
      cwd: dir,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH ?? '', ...dyingWithTheRun, ...env() },
    }),
  );
  service = await reachedAt(await readyUrl(running));
}

beforeAll(async () => {
  built(MAIN);
  dir = mkdtempSync(join(tmpdir(), 'hypha-production-'));
  for (const name of ['dist', 'scripts', 'schema', 'package.json', 'package-lock.json'])
    cpSync(join(ROOT, name), join(dir, name), { recursive: true });
  copyPackages();
  remote = await remoteSystem(() => ({ body: { id: 17 } }));
});
afterAll(async () => {
  await remote.close();
  rmSync(dir, { recursive: true, force: true });
});

async function stop(): Promise<void> {
  running.child.kill('SIGTERM');
  expect((await running.exit).code).toBe(0);
}

async function expectPages(): Promise<void> {
  for (const path of [
    '/',
    '/docs',
    '/openapi.json',
    '/schema.graphql',
    '/dashboard',
    '/vendor/swagger-ui/swagger-ui.js',
    '/healthz',
    '/readyz',
  ]) {
    expect([path, (await service.api('GET', path)).status]).toEqual([path, 200]);
  }
}

/** Executes a workflow with a script; returns its id. */
async function expectRun(): Promise<number> {
  const enhancement = { simpleCode: 'RESULT_VAR = "number " + VAR_0;', language: 'js' };
  const binding = {
    from: [{ color: '#AA0000', type: 'response', field: 'success.id' }],
    to: [{ color: '#BB0000', type: 'request', field: 'text' }],
    enhancement,
  };
  const send = {
    color: '#BB0000',
    request: {
      endpoint: `${remote.url}/sent`,
      method: 'POST',
      header: {},
      body: { type: 'object', format: 'json', data: 'raw', fields: { text: '' } },
    },
  };
  const id = await saved(
    service,
    workflow(
      [
        method('0', `${remote.url}/read`, { color: '#AA0000' }),
        method('1', `${remote.url}/sent`, send),
      ],
      [],
      { fieldBinding: [binding] },
    ),
  );
  expect(await ended(service, await started(service, id, true))).toMatchObject({
    state: 'SUCCEEDED',
  });
  expect(JSON.parse(remote.received.at(-1)?.body ?? '')).toEqual({ text: 'number 17' });
  return id;
}

it('a bundled production build serves, executes and answers commands without development packages', async () => {
  expect(
    readdirSync(join(dir, 'node_modules')).filter((name) =>
      ['typescript', 'jest', 'esbuild', 'react', '@swc'].includes(name),
    ),
  ).toEqual([]);
  await start();
  await expectPages();
  const id = await expectRun();

  const { filename } = await supportFile(service, id);
  const archive = await fetch(`${service.url}/api/connection/support-file/${id}/${filename}`, {
    headers: { authorization: service.adminToken },
  });
  const names: string[] = [];
  for await (const { name } of readZip(Buffer.from(await archive.arrayBuffer()))) names.push(name);
  expect(names).toContain('workflow.json');

  const program = join(dir, 'dist/cli/hypha.js');
  expect(await hypha(['doctor'], { cwd: dir, program, env: env() })).toMatchObject({
    stderr: '',
    stdout: expect.stringMatching(/The service \(pid \d+\) has used it/) as string,
  });
  expect(await hypha(['user', 'list'], { cwd: dir, program, env: env() })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(ADMIN_EMAIL) as string,
  });
  expect(
    await hypha(['backup', join(dir, 'copy')], { cwd: dir, program, env: env() }),
  ).toMatchObject({ code: 0 });
  await stop();
});

it('a production build without the bundle serves and executes without development packages', async () => {
  rmSync(join(dir, 'dist/bundle'), { recursive: true });
  await start();
  await expectPages();
  await expectRun();
  await stop();
});
