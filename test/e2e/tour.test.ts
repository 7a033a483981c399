import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { execFileSync, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ADMIN_EMAIL, ADMIN_PASSWORD } from '../support/harness';
import { ROOT, Running, dyingWithTheRun, freePort, readyUrl, startProcess } from '../support/process';

jest.setTimeout(60_000);

/** The commands of the README's tour, in order; the first block holds the addresses a reader fills in. */
function tourOf(readme: string): string[] {
  const [, tour] = /## A five-minute tour\n([\s\S]*?)\n## /.exec(readme) ?? [];
  return [...(tour ?? '').matchAll(/```bash\n([\s\S]*?)```/g)].map(([, block]) => block);
}

describe("the README's tour", () => {
  const folder = mkdtempSync(join(tmpdir(), 'hypha-tour-'));
  let service: Running;
  let url: string;

  const git = (...args: string[]): string => execFileSync('git', ['-c', 'safe.directory=*', ...args], { cwd: folder, encoding: 'utf8' });
  /** What `git add` would add. */
  const taken = (): string[] => git('status', '--porcelain', '--untracked-files=all').split('\n').filter((line) => line !== '').map((line) => line.slice(3));

  beforeAll(async () => {
    git('init', '--quiet');
    copyFileSync(join(ROOT, '.gitignore'), join(folder, '.gitignore'));
    service = startProcess({ DATA_DIR: join(folder, 'runtime/data'), PORT: '0', ADMIN_EMAIL, ADMIN_PASSWORD });
    url = await readyUrl(service);
  });
  afterAll(async () => {
    service.child.kill('SIGTERM');
    await service.exit;
    rmSync(folder, { recursive: true, force: true });
  });

  it('works as it is written', async () => {
    const [, ...blocks] = tourOf(readFileSync(join(ROOT, 'README.md'), 'utf8'));
    expect(blocks.length).toBeGreaterThanOrEqual(5);
    for (const name of ['examples', 'node_modules']) symlinkSync(join(ROOT, name), join(folder, name));
    const settings = [`export HYPHA=${url}`, `export ECHO=http://127.0.0.1:${await freePort()}`, `export EMAIL=${ADMIN_EMAIL}`, `export PASSWORD='${ADMIN_PASSWORD}'`];
    const script = ['set -eo pipefail', "trap 'kill $(jobs -p) 2>/dev/null || true' EXIT", ...settings, ...blocks.map((block, index) => `echo "== block ${index + 1}"\n${block}`)].join('\n');
    const tour = new Running(spawn('bash', ['-c', script], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...dyingWithTheRun } }));
    const { code } = await tour.exit;
    if (code !== 0) throw new Error(`The tour ended with ${code}:\n${tour.output}`);

    const users = ['ada@example.com', 'grace@example.com', 'workflow@example.com', ADMIN_EMAIL];
    for (const email of users) expect(tour.output).toContain(`POST /users {"email":"${email}"`);
    expect(tour.output).toMatch(/ 1 {2}RunStarted/);
    expect(tour.output.match(/LoopIteration/g)).toHaveLength(users.length);
    expect(tour.output).toMatch(/RunFinished\s+\{"state":"SUCCEEDED","error":null\}/);
    expect(tour.output).toMatch(/"executions":1,"failures":0/);
    expect(tour.output).toMatch(/"title":"Users to echo","executions":1,"failureRate":0/);

    // The token of the workflow stands nowhere in it, nor in what the run told, and it opens no more than the workflow needs.
    const signIn = async (email: string, password: string): Promise<string> =>
      (await fetch(`${url}/login`, { method: 'POST', body: JSON.stringify({ email, password }), headers: { 'Content-Type': 'application/json' } })).headers.get('authorization') ?? '';
    const administrator = await signIn(ADMIN_EMAIL, ADMIN_PASSWORD);
    const [, workflow] = /workflow (\d+)/.exec(tour.output) ?? [];
    const stored = await (await fetch(`${url}/api/connection/${workflow ?? ''}`, { headers: { Authorization: administrator } })).text();
    expect(stored).toContain('"Authorization":"Bearer {%secret.user-reader%}"');
    const secrets = await (await fetch(`${url}/api/secret/all`, { headers: { Authorization: administrator } })).json();
    expect(secrets).toEqual([{ secretId: 1, name: 'user-reader', note: 'Reads users, nothing else', origins: [url], usedBy: [{ connectionId: Number(workflow), title: 'Users to echo' }] }]);
    expect(tour.output + stored).not.toContain('eyJ');
    const token = await signIn('workflow@example.com', 'reads users only');
    const ask = async (method: string, path: string): Promise<number> =>
      (await fetch(`${url}${path}`, { method, headers: { Authorization: token, 'Content-Type': 'application/json' }, body: method === 'GET' ? undefined : '{}' })).status;
    expect(await ask('GET', '/api/user/all')).toBe(200);
    expect(await Promise.all([ask('GET', '/api/connection/all'), ask('GET', '/api/userGroup/all'), ask('POST', '/api/connection'), ask('PUT', '/api/user/1/userDetail')]))
      .toEqual([403, 403, 403, 403]);

    // What git would take holds nothing secret. (Links of this test to the sources are no files.)
    expect(taken().filter((name) => !['examples', 'node_modules', '.gitignore'].includes(name))).toEqual([]);
  });

  it('and the configuration keep secrets from git', () => {
    const secret = ['.env', '.env.production', 'application.yml', 'src/main/resources/application.yml', 'runtime/data/token-secret', 'echo.log'];
    for (const name of secret) {
      mkdirSync(join(folder, dirname(name)), { recursive: true });
      if (!existsSync(join(folder, name))) writeFileSync(join(folder, name), 'secret');
    }
    writeFileSync(join(folder, '.env.example'), '');
    expect(taken().sort()).toEqual(['.env.example', '.gitignore', 'examples', 'node_modules']);
  });
});
