import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ADMIN_EMAIL, ADMIN_PASSWORD } from '../support/service/harness';
import { commandsOf, executed } from '../support/browser/page-commands';
import { ROOT, freePort, readyUrl, startProcess } from '../support/process';
import type { Running } from '../support/process';

describe('the tour of the README', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hypha-tour-'));
  let service: Running;
  let url: string;

  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'safe.directory=*', ...args], { cwd: folder, encoding: 'utf8' });
  const changedFiles = (): string[] =>
    git('status', '--porcelain', '--untracked-files=all')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.slice(3));

  beforeAll(async () => {
    git('init', '--quiet');
    copyFileSync(join(ROOT, '.gitignore'), join(folder, '.gitignore'));
    service = startProcess({
      DATA_DIR: join(folder, 'runtime/data'),
      PORT: '0',
      ADMIN_EMAIL,
      ADMIN_PASSWORD,
    });
    url = await readyUrl(service);
  });
  afterAll(async () => {
    service.child.kill('SIGTERM');
    await service.exit;
    rmSync(folder, { recursive: true, force: true });
  });

  it('works as written and exposes no secret', async () => {
    const [, ...blocks] = commandsOf('README.md', 'A five-minute tour');
    expect(blocks.length).toBeGreaterThanOrEqual(5);
    for (const name of ['examples', 'node_modules'])
      symlinkSync(join(ROOT, name), join(folder, name));
    const output = (
      await executed(
        blocks,
        {
          HYPHA: url,
          ECHO: `http://127.0.0.1:${await freePort()}`,
          EMAIL: ADMIN_EMAIL,
          PASSWORD: ADMIN_PASSWORD,
        },
        folder,
      )
    ).join('');

    const users = ['ada@example.com', 'grace@example.com', ADMIN_EMAIL];
    for (const email of users) expect(output).toContain(`POST /users {"email":"${email}"`);
    expect(output).toMatch(/ 1 {2}RunStarted/);
    for (const event of ['StepStarted', 'StepFinished'])
      expect(output).toMatch(new RegExp(`${event} +GetUsers \\{"index":"0"`));
    expect(output.match(/LoopIteration/g)).toHaveLength(users.length);
    expect(output).toMatch(/RunFinished\s+\{"state":"SUCCEEDED","error":null\}/);
    expect(output).toMatch(/"executions":1,"failures":0/);
    expect(output).toMatch(/"title":"Users to echo","executions":1,"failureRate":0/);

    // The token of the workflow is neither stored nor logged, and it grants only what the workflow needs.
    const administrator =
      (
        await fetch(`${url}/login`, {
          method: 'POST',
          body: JSON.stringify({ email: ADMIN_EMAIL, password: ADMIN_PASSWORD }),
          headers: { 'Content-Type': 'application/json' },
        })
      ).headers.get('authorization') ?? '';
    const [, workflow] = /workflow (\d+)/.exec(output) ?? [];
    const stored = await (
      await fetch(`${url}/api/connection/${workflow ?? ''}`, {
        headers: { Authorization: administrator },
      })
    ).text();
    expect(stored).toContain('"Authorization":"Bearer {%secret.user-reader%}"');
    const secrets = await (
      await fetch(`${url}/api/secret/all`, { headers: { Authorization: administrator } })
    ).json();
    expect(secrets).toEqual([
      {
        secretId: 1,
        name: 'user-reader',
        note: 'Reads users, nothing else',
        origins: [url],
        usedBy: [{ connectionId: Number(workflow), title: 'Users to echo' }],
      },
    ]);
    expect(output + stored).not.toMatch(/eyJ|hyp_/);
    const tokens = await (
      await fetch(`${url}/api/api-token/all`, { headers: { Authorization: administrator } })
    ).json();
    expect(tokens).toMatchObject([
      { name: 'Users to echo', scopes: ['USER:READ'], lastUsedAt: expect.any(String) },
    ]);

    // The links are those of this test.
    expect(
      changedFiles().filter((name) => !['examples', 'node_modules', '.gitignore'].includes(name)),
    ).toEqual([]);
  });

  it('leaves no secret that git would add', () => {
    const secret = [
      '.env',
      '.env.production',
      'application.yml',
      'src/main/resources/application.yml',
      'runtime/data/token-secret',
      'echo.log',
    ];
    for (const name of secret) {
      mkdirSync(join(folder, dirname(name)), { recursive: true });
      if (!existsSync(join(folder, name))) writeFileSync(join(folder, name), 'secret');
    }
    writeFileSync(join(folder, '.env.example'), '');
    expect(changedFiles().sort()).toEqual([
      '.env.example',
      '.gitignore',
      'examples',
      'node_modules',
    ]);
  });
});
