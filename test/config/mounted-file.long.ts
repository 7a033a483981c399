import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { built } from '../support/service/built';
import { ADMIN_EMAIL, ADMIN_PASSWORD } from '../support/service/harness';
import { dyingWithTheRun, MAIN, readyUrl, Running } from '../support/process';

const canMount =
  process.getuid?.() === 0 &&
  spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;
const withMounts = canMount ? it : it.skip;

const FILE = 'hypha:\n  log:\n    level: info # of the tests\n';

let dir: string;
let running: Running | null = null;
beforeAll(() => {
  built(MAIN);
});
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hypha-mounted-'));
  spawnSync('mkdir', ['-p', join(dir, 'etc'), join(dir, 'data')]);
  writeFileSync(join(dir, 'etc/application.yml'), FILE);
});
afterEach(async () => {
  running?.child.kill('SIGKILL');
  await running?.exit;
  rmSync(dir, { recursive: true, force: true });
});

/** Starts the service in mounts of its own, and changes the configuration. */
async function change(mounts: string, env: Record<string, string>): Promise<Response> {
  running = new Running(
    spawn('unshare', ['-m', 'sh', '-c', `${mounts} && exec "$0" "$1"`, process.execPath, MAIN], {
      cwd: dir,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH ?? '',
        ...dyingWithTheRun,
        DATA_DIR: join(dir, 'data'),
        PORT: '0',
        ADMIN_EMAIL,
        ADMIN_PASSWORD,
        CONFIG_FILE: join(dir, 'etc/application.yml'),
        ...env,
      },
    }),
  );
  const url = await readyUrl(running);
  const login = await fetch(`${url}/login`, {
    method: 'POST',
    body: JSON.stringify({ email: ADMIN_EMAIL, password: ADMIN_PASSWORD }),
    headers: { 'content-type': 'application/json' },
  });
  return fetch(`${url}/api/application-config`, {
    method: 'PATCH',
    body: JSON.stringify({ fields: [{ path: 'hypha.log.level', value: 'warn' }] }),
    headers: {
      'content-type': 'application/json',
      authorization: login.headers.get('authorization') ?? '',
    },
  });
}

const file = (): string => join(dir, 'etc/application.yml');
const backups = (): string => join(dir, 'data/backups');

withMounts.each([
  ['that is mounted alone', 'mount --bind etc/application.yml etc/application.yml'],
  [
    'in a read-only directory',
    'mount --bind etc etc && mount --bind etc/application.yml etc/application.yml && mount -o remount,ro,bind etc',
  ],
])('a configuration file %s is changed in place, after its backup', async (_what, mounts) => {
  const answer = await change(mounts, { HYPHA_CONFIG_BACKUP_DIRECTORY: backups() });
  expect(answer.status).toBe(200);
  expect(readFileSync(file(), 'utf8')).toBe(FILE.replace('info', 'warn'));
  const [backup = ''] = readdirSync(backups());
  expect(readFileSync(join(backups(), backup), 'utf8')).toBe(FILE);
  expect(readdirSync(join(dir, 'etc'))).toEqual(['application.yml']);
});

withMounts(
  'a directory of backups that is not writable is named at start, and nothing is written',
  async () => {
    const answer = await change('mount --bind etc etc && mount -o remount,ro,bind etc', {
      HYPHA_CONFIG_BACKUP_DIRECTORY: join(dir, 'etc/backups'),
    });
    expect(answer.status).toBe(500);
    expect(await answer.text()).toContain(join(dir, 'etc/backups'));
    expect(running?.output).toContain(
      `The directory of backups ${join(dir, 'etc/backups')} is not`,
    );
    expect(readFileSync(file(), 'utf8')).toBe(FILE);
    expect(existsSync(join(dir, 'etc/backups'))).toBe(false);
  },
);
