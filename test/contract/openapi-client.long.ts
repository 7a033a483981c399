import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { ADMIN_EMAIL, ADMIN_PASSWORD, startService } from '../support/service/harness';
import type { TestService } from '../support/service/harness';

/** A typical client; the last lines are mistakes that the types must reject. */
const CLIENT = String.raw`import createClient from 'openapi-fetch';
import type { components, paths } from './api';

/** Signs in and uses the generated types as a client does. */
async function main(baseUrl: string, email: string, password: string): Promise<void> {
  const client = createClient<paths>({ baseUrl });
  const login = await client.POST('/api/login', { body: { email, password } });
  const authorization = login.response.headers.get('Authorization') ?? '';
  const headers = { Authorization: authorization };
  const one = await client.GET('/api/user/{id}', { params: { path: { id: 1 } }, headers });
  const user: components['schemas']['User'] | undefined = one.data;
  const group: string | undefined = user?.userGroup[0]?.name;
  const failed = await client.GET('/api/connection/{id}', { params: { path: { id: 4711 } }, headers });
  const code: components['schemas']['ErrorBody']['message'] | undefined = failed.error?.message;
  const existence = await client.GET('/api/role/exists/{name}', { params: { path: { name: 'Admin' } }, headers });
  const exists: 'EXISTS' | 'NOT_EXISTS' | undefined = existence.data?.message;
  const timeline = await client.GET('/api/widget/executions-timeline', { params: { query: { days: 2 } }, headers });
  // @ts-expect-error a password is required
  void (() => client.POST('/api/login', { body: { email } }));
  // @ts-expect-error an id is a number
  void (() => client.GET('/api/user/{id}', { params: { path: { id: 'one' } } }));
  // @ts-expect-error there is no such operation
  void (() => client.GET('/api/nothing'));
  // @ts-expect-error no code of ours
  const unknown: typeof code = 'NO_SUCH_CODE';
  void unknown;
  console.log(JSON.stringify({ email: user?.email, group, code, exists, days: timeline.data?.points.length }));
}

void main(...(process.argv.slice(2, 5) as [string, string, string]));
`;

let service: TestService;
let folder: string;
beforeAll(async () => {
  service = await startService();
  // Inside the project, where its packages resolve.
  folder = mkdtempSync(resolve('node_modules/.openapi-client-'));
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

const node = (script: string, ...options: string[]): ReturnType<typeof spawnSync> =>
  spawnSync(process.execPath, [resolve('node_modules', script), ...options], {
    cwd: folder,
    encoding: 'utf8',
  });

it('a client with generated types compiles, rejects mistakes, and works', () => {
  const generated = node(
    'openapi-typescript/bin/cli.js',
    resolve('schema/openapi.json'),
    '-o',
    join(folder, 'api.d.ts'),
  );
  expect([generated.stderr, generated.status]).toEqual([expect.any(String), 0]);
  writeFileSync(join(folder, 'client.ts'), CLIENT);
  const compiled = node(
    'typescript/bin/tsc',
    'client.ts',
    '--strict',
    '--skipLibCheck',
    '--target',
    'es2023',
    '--module',
    'commonjs',
    '--moduleResolution',
    'node10',
    '--esModuleInterop',
    '--types',
    'node',
  );
  expect([compiled.stdout, compiled.status]).toEqual(['', 0]);
});

it('the compiled client works with the service', async () => {
  // Runs asynchronously, because the service runs in this process.
  const { stdout } = await promisify(execFile)(process.execPath, [
    join(folder, 'client.js'),
    service.url,
    ADMIN_EMAIL,
    ADMIN_PASSWORD,
  ]);
  expect(JSON.parse(stdout)).toEqual({
    email: ADMIN_EMAIL,
    group: 'Admin',
    code: 'CONNECTION_NOT_FOUND',
    exists: 'EXISTS',
    days: 2,
  });
});
