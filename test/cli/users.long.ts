import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import WebSocket from 'ws';
import { ADMIN_EMAIL, ADMIN_PASSWORD } from '../support/service/harness';
import { hypha } from '../support/service/hypha';
import type { Circumstances, Ended } from '../support/service/hypha';
import { folderOfServices } from '../support/service/folder-of-services';
import { readyUrl } from '../support/process';
import type { Running } from '../support/process';

jest.setTimeout(120_000);

const passwordOf = ({ stdout }: Ended): string => /^password: (.+)$/m.exec(stdout)?.[1] ?? '';

async function login(url: string, email: string, password: string): Promise<string | null> {
  const answer = await fetch(`${url}/login`, {
    method: 'POST',
    body: JSON.stringify({ email, password }),
    headers: { 'content-type': 'application/json' },
  });
  return answer.status === 200 ? answer.headers.get('authorization') : null;
}

describe('hypha user', () => {
  const { folder, path, start, stop } = folderOfServices('hypha-cli-users-');
  const dataDir = path('data');
  const run = (args: readonly string[], more: Partial<Circumstances> = {}): Promise<Ended> =>
    hypha(args, { cwd: folder, ...more, env: { DATA_DIR: dataDir, ...more.env } });

  describe('with a running service', () => {
    let service: Running;
    let url: string;
    beforeAll(async () => {
      service = start('data');
      url = await readyUrl(service);
    });
    // The next tests find what a killed service leaves.
    afterAll(async () => {
      service.child.kill('SIGKILL');
      await service.exit;
    });

    it('creates users with a generated password or one from stdin', async () => {
      expect(statSync(join(dataDir, 'control.sock')).mode & 0o777).toBe(0o600);
      const ada = await run([
        'user',
        'create',
        'ada@hypha.test',
        '--group',
        'admin',
        '--name',
        'Ada',
        '--surname',
        'Lovelace',
      ]);
      expect(ada).toMatchObject({
        code: 0,
        stderr: '',
        stdout: expect.stringMatching(
          /^created: ada@hypha\.test \(id \d+, group Admin\)\npassword: \S{20}\n$/,
        ) as string,
      });
      const token = await login(url, 'ada@hypha.test', passwordOf(ada));
      // An administrator may read the audit.
      const answer = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: token ?? '' },
        body: JSON.stringify({
          query:
            '{ me { name: detail { name surname } } auditEvents(first: 1, filter: { action: { eq: USER_CREATE } }) { nodes { actor { userId email } target { type } after } } }',
        }),
      });
      const { data } = (await answer.json()) as {
        data: { me: unknown; auditEvents: { nodes: unknown[] } };
      };
      expect(data.me).toEqual({ name: { name: 'Ada', surname: 'Lovelace' } });
      expect(data.auditEvents.nodes).toEqual([
        {
          actor: { userId: 0, email: `hypha (${userInfo().username})` },
          target: { type: 'USER' },
          after: expect.objectContaining({
            email: 'ada@hypha.test',
            passwordHash: '***',
          }) as unknown,
        },
      ]);
      expect(service.output).not.toContain(passwordOf(ada));

      const grace = await run(['user', 'create', 'grace@hypha.test', '--stdin'], {
        input: 'nänoseconds \nsecond line\n',
      });
      expect(grace).toMatchObject({
        code: 0,
        stderr: '',
        stdout: expect.stringMatching(
          /^created: grace@hypha\.test \(id \d+, group User\)\n$/,
        ) as string,
      });
      expect(await login(url, 'grace@hypha.test', 'nänoseconds ')).not.toBeNull();
      // The password is normalised.
      expect(await login(url, 'grace@hypha.test', 'na\u0308noseconds ')).not.toBeNull();
    });

    it('lists all users as a table and as JSON', async () => {
      await run([
        'user',
        'create',
        'listed@hypha.test',
        '--group',
        'Admin',
        '--name',
        'Lis\u001bted',
        '--surname',
        'One',
      ]);
      const table = await run(['user', 'list']);
      expect(table).toMatchObject({ code: 0, stderr: '' });
      const [heads, ...rows] = table.stdout
        .trimEnd()
        .split('\n')
        .map((row) => row.split(/ {2,}/));
      expect(heads).toEqual(['id', 'email', 'group', 'source', 'state', 'name', 'last login']);
      expect(rows.find(([, email]) => email === ADMIN_EMAIL)?.slice(2, 3)).toEqual(['Admin']);
      const json = await run(['user', 'list', '--json']);
      const users = JSON.parse(json.stdout) as {
        id: number;
        email: string;
        group: string;
        lastLogin: string | null;
      }[];
      expect(users.map(({ email }) => email)).toEqual(rows.map(([, email]) => email));
      expect(users.find(({ email }) => email === 'listed@hypha.test')).toMatchObject({
        group: 'Admin',
        surname: 'One',
        lastLogin: null,
      });
      expect(table.stdout + json.stdout).not.toMatch(/\u001b|argon|\$2/);
    });

    it('disables and enables a user', async () => {
      const email = 'leaving@hypha.test';
      const made = await run(['user', 'create', email]);
      const disabled = await run(['user', 'disable', email.toUpperCase()]);
      expect(disabled).toMatchObject({
        code: 0,
        stderr: '',
        stdout: expect.stringMatching(/^disabled: leaving@hypha\.test \(id \d+\); /) as string,
      });
      expect(await login(url, email, passwordOf(made))).toBeNull();
      expect((await run(['user', 'list'])).stdout).toMatch(/leaving@hypha\.test .* disabled /);
      expect((await run(['user', 'disable', email])).stdout).toMatch(/^unchanged: /);
      const reset = await run(['user', 'reset-password', email]);
      expect(reset.stdout).toMatch(/The user is disabled/);
      expect((await run(['user', 'enable', email])).stdout).toMatch(/^enabled: /);
      expect(await login(url, email, passwordOf(reset))).not.toBeNull();
      expect(await run(['user', 'enable', 'absent@hypha.test'])).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/The user was not enabled: There is no user/) as string,
      });
    });

    it('logs each command with its target and result', async () => {
      const lines = (): Record<string, unknown>[] =>
        service.output
          .split('\n')
          .filter((line) => line.startsWith('{'))
          .map((line) => JSON.parse(line) as Record<string, unknown>)
          .filter(({ msg, command }) => msg === 'command' && command !== 'user list');
      const before = lines().length;
      const made = await run(['user', 'create', 'logged@hypha.test']);
      expect(await run(['user', 'reset-password', 'absent@hypha.test'])).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/The password was not changed: There is no user/) as string,
      });
      await service.says(/absent@hypha\.test/);
      expect(lines().slice(before)).toEqual([
        expect.objectContaining({
          command: 'user create',
          target: 'logged@hypha.test',
          result: 'done',
          systemUser: userInfo().username,
        }),
        expect.objectContaining({
          command: 'user reset-password',
          target: 'absent@hypha.test',
          result: 'refused',
          reason: expect.stringMatching(/no user/) as string,
        }),
      ]);
      expect(service.output).not.toContain(passwordOf(made));
    });

    it('lets a second start report the running service', async () => {
      const { port } = new URL(url);
      for (const [program, env] of [
        ['start', { PORT: port }],
        ['start', { PORT: '0' }],
      ] as const) {
        const ended = await run([program], { env });
        expect(ended).toMatchObject({
          code: 1,
          stderr: expect.stringContaining(
            `Hypha is already running on the data in ${dataDir} (pid ${service.child.pid}, version `,
          ) as string,
        });
        expect(ended.stderr).toContain(`, ${url}). Use that one or stop it first`);
      }
    });

    it.each<[string, readonly string[], string, RegExp]>([
      [
        'an e-mail that is taken',
        ['user', 'create', ` ${ADMIN_EMAIL.toUpperCase()}`],
        '',
        /The user was not created: .*\n {2}email: Another user has this e-mail/,
      ],
      [
        'an unknown group',
        ['user', 'create', 'a@hypha.test', '--group', 'Admins'],
        '',
        /no group of this name\. There are: Admin, User/,
      ],
      [
        'an endless line',
        ['user', 'create', 'a@hypha.test', '--stdin'],
        'x'.repeat(100_000),
        /too long for a password/,
      ],
    ])('rejects %s with one sentence', async (_what, args, input, says) => {
      expect(await run(args, { input })).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(says) as string,
      });
    });

    it('accepts no password as an argument', async () => {
      expect(await run(['user', 'reset-password', ADMIN_EMAIL, 'a new password'])).toMatchObject({
        code: 2,
        stdout: '',
      });
      expect(
        await run(['user', 'reset-password', ADMIN_EMAIL, '--password', 'a new password']),
      ).toMatchObject({ code: 2, stdout: '' });
      expect(await login(url, ADMIN_EMAIL, ADMIN_PASSWORD)).not.toBeNull();
    });

    it('resets a password, closes sockets and revokes tokens and the old password', async () => {
      const created = await run(['user', 'create', 'lost@hypha.test']);
      const token = await login(url, 'lost@hypha.test', passwordOf(created));
      const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
      const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
      await new Promise((resolve) => socket.once('open', resolve));
      const acknowledged = new Promise((resolve) => socket.once('message', resolve));
      socket.send(JSON.stringify({ type: 'connection_init', payload: { Authorization: token } }));
      await acknowledged;

      const reset = await run(['user', 'reset-password', 'LOST@hypha.test']);
      expect(reset).toMatchObject({
        code: 0,
        stderr: '',
        stdout: expect.stringMatching(
          /^changed: the password of lost@hypha\.test .*\npassword: \S{20}\n$/,
        ) as string,
      });
      await closed;
      const me = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: token ?? '' },
        body: '{"query":"{ me { email } }"}',
      });
      expect(JSON.stringify(await me.json())).toContain('UNAUTHENTICATED');
      expect(await login(url, 'lost@hypha.test', passwordOf(created))).toBeNull();
      expect(await login(url, 'lost@hypha.test', passwordOf(reset))).not.toBeNull();
    });
  });

  describe('with a stopped service', () => {
    it('creates nothing in a directory without data', async () => {
      const env = { DATA_DIR: path('wrong') };
      expect(await run(['user', 'create', 'a@hypha.test'], { env })).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/no data in .*wrong/) as string,
      });
      mkdirSync(path('empty'));
      expect(
        await run(['user', 'reset-password', ADMIN_EMAIL], {
          env: { DATA_DIR: path('empty') },
        }),
      ).toMatchObject({ code: 1, stdout: '' });
      expect(existsSync(env.DATA_DIR)).toBe(false);
      expect(readdirSync(path('empty'))).toEqual([]);
    });

    it('changes the data directly, survives a kill and waits for other commands and starting services', async () => {
      // The killed service left its socket.
      expect(existsSync(join(dataDir, 'control.sock'))).toBe(true);

      const alone = await run(['user', 'create', 'alone@hypha.test', '--group', 'Admin']);
      expect(alone).toMatchObject({ code: 0, stderr: '' });
      const killed = await run(['user', 'create', 'killed@hypha.test'], {
        started: (child) => void pause(400).then(() => child.kill('SIGKILL')),
      });
      expect(killed.signal === 'SIGKILL' || killed.code === 0).toBe(true);
      const [one, two] = await Promise.all([
        run(['user', 'reset-password', 'alone@hypha.test']),
        run(['user', 'create', 'two@hypha.test']),
      ]);
      expect([one, two]).toEqual([
        expect.objectContaining({ code: 0, stderr: '' }),
        expect.objectContaining({ code: 0, stderr: '' }),
      ]);

      // The command and a starting service both succeed in any order.
      const service = start('data');
      const during = await run(['user', 'create', 'three@hypha.test']);
      expect(during).toMatchObject({ code: 0, stderr: '' });
      const url = await readyUrl(service);
      expect(await login(url, 'alone@hypha.test', passwordOf(alone))).toBeNull();
      expect(await login(url, 'alone@hypha.test', passwordOf(one))).not.toBeNull();
      for (const [name, ended] of [
        ['two', two],
        ['three', during],
      ] as const)
        expect(await login(url, `${name}@hypha.test`, passwordOf(ended))).not.toBeNull();

      // The command waits until a stopping service has ended.
      service.child.kill('SIGTERM');
      const late = await run(['user', 'create', 'late@hypha.test']);
      expect(late).toMatchObject({ code: 0, stderr: '' });
      expect((await service.exit).code).toBe(0);
      expect(readdirSync(dataDir).filter((name) => name.endsWith('.sock'))).toEqual([]);
    });

    it('reaches a service whose directory path is too long for a socket', async () => {
      const long = path('d'.repeat(120));
      const service = start('d'.repeat(120));
      const url = await readyUrl(service);
      const reset = await run(['user', 'reset-password', ADMIN_EMAIL], { env: { DATA_DIR: long } });
      expect(await login(url, ADMIN_EMAIL, passwordOf(reset))).not.toBeNull();
      await stop(service);
      expect(readdirSync(long).filter((name) => name.endsWith('.sock'))).toEqual([]);
    });
  });
});
