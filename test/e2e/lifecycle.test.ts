import { BSON } from 'bson';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import WebSocket from 'ws';
import { writeRecord } from '../../packages/embedded-mongo/test/support/stored-records';
import { ADMIN_EMAIL, ADMIN_PASSWORD } from '../support/harness';
import { built } from '../support/built';
import { MAIN, readyUrl, startProcess } from '../support/process';
import type { Running } from '../support/process';
import { longIt } from '../support/long';
import { firstOf } from '../support/rounds';

describe('the service as a process', () => {
  let dataDir: string;
  const running: Running[] = [];
  const start = (env: Record<string, string> = {}, command?: string[]): Running => {
    const process = startProcess(
      { DATA_DIR: dataDir, PORT: '0', ADMIN_EMAIL, ADMIN_PASSWORD, ...env },
      command,
      dataDir,
    );
    running.push(process);
    return process;
  };
  const login = (url: string, email = ADMIN_EMAIL, password = ADMIN_PASSWORD): Promise<Response> =>
    fetch(`${url}/login`, {
      method: 'POST',
      body: JSON.stringify({ email, password }),
      headers: { 'content-type': 'application/json' },
    });

  beforeAll(() => {
    built(MAIN);
  });
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'hypha-e2e-'));
  });
  afterEach(async () => {
    for (const { child, exit } of running.splice(0)) {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await exit;
    }
    rmSync(dataDir, { recursive: true, force: true });
  });

  longIt('prints every door and a generated administrator once, and lets him in', async () => {
    const first = start({ ADMIN_PASSWORD: '', ADMIN_EMAIL: '' });
    const url = await readyUrl(first);
    const [, email] = await first.says(/e-mail\s+(\S+)/);
    const [, password] = await first.says(/password\s+(\S+)/);
    expect(first.output).toMatch(/Dashboard\s+http.*\/dashboard$/m);
    expect(first.output).toMatch(/GraphQL\s+http/);
    expect(first.output).toMatch(/Subscriptions\s+ws:.*\/ws/);
    expect(first.output).toMatch(/API browser\s+http.*\/docs/);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect((await login(url, email, password)).status).toBe(200);
    first.child.kill('SIGTERM');
    expect((await first.exit).code).toBe(0);

    const second = start({ ADMIN_PASSWORD: '', ADMIN_EMAIL: '' });
    const again = await readyUrl(second);
    expect(second.output).not.toMatch(/First administrator/);
    expect(second.output).not.toContain(password);
    expect((await login(again, email, password)).status).toBe(200);
  });

  longIt('keeps every acknowledged record through a kill -9', async () => {
    const first = start();
    const url = await readyUrl(first);
    const token = (await login(url)).headers.get('authorization') ?? '';
    const headers = { authorization: token, 'content-type': 'application/json' };
    const made: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      const email = `kept${index}@hypha.test`;
      const answer = await fetch(`${url}/api/user`, {
        method: 'POST',
        headers,
        body: JSON.stringify({
          email,
          password: 'long enough',
          userGroup: 2,
          userDetail: { name: 'K' },
        }),
      });
      expect(answer.status).toBe(201);
      made.push(email);
    }
    first.child.kill('SIGKILL');
    await first.exit;

    const again = await readyUrl(start());
    // The session is a record too: the token still works.
    const list = (await (await fetch(`${again}/api/user/all`, { headers })).json()) as {
      _embedded: { userResources: { email: string }[] };
    };
    expect(list._embedded.userResources.map(({ email }) => email)).toEqual(
      expect.arrayContaining(made),
    );
  });

  longIt.each(
    firstOf<readonly [string, (process: Running) => unknown]>(
      [
        ['to the process, once', (process: Running) => process.child.kill('SIGTERM')],
        [
          'to the process, twice',
          (process: Running) => {
            process.child.kill('SIGTERM');
            process.child.kill('SIGTERM');
          },
        ],
        ['to the group', (running: Running) => process.kill(-(running.child.pid ?? 0), 'SIGTERM')],
      ],
      1,
    ),
  )(
    'stops on SIGTERM %s: sockets are closed with 1001, the exit code is 0, and each line to stdout was one JSON object',
    async (_how, signal) => {
      let stdout = '';
      const service = start();
      service.child.stdout?.on('data', (chunk: Buffer) => {
        stdout += chunk.toString();
      });
      const url = await readyUrl(service);
      const token = (await login(url)).headers.get('authorization');
      const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, 'graphql-transport-ws');
      await new Promise((resolve) => socket.once('open', resolve));
      socket.send(JSON.stringify({ type: 'connection_init', payload: { Authorization: token } }));
      await new Promise((resolve) => socket.once('message', resolve));
      const closed = new Promise<number>((resolve) => socket.once('close', resolve));
      signal(service);
      expect(await closed).toBe(1001);
      expect(await service.exit).toEqual({ code: 0, signal: null });
      await expect(fetch(`${url}/healthz`)).rejects.toThrow();
      const lines = stdout.trim().split('\n');
      expect(lines.length).toBeGreaterThan(1);
      for (const line of lines)
        expect(() => {
          JSON.parse(line);
        }).not.toThrow();
      expect(stdout).not.toContain(ADMIN_PASSWORD);
    },
  );

  it('refuses to start on a bad setting and lists every problem', async () => {
    const service = start({
      PORT: 'eighty',
      HYPHA_TIME_ZONE: 'Nowhere/City',
      ADMIN_PASSWORD: 'short',
    });
    expect((await service.exit).code).toBe(78);
    expect(service.output).toMatch(/PORT = "eighty": must be a whole number/);
    expect(service.output).toMatch(/HYPHA_TIME_ZONE = "Nowhere\/City"/);
    expect(service.output).toMatch(/ADMIN_PASSWORD = \*\*\*/);
    expect(service.output).not.toMatch(/short/);
  });

  longIt(
    'tells the second process who holds the data directory, and one with another that the port is taken',
    async () => {
      const first = start();
      const { port } = new URL(await readyUrl(first));
      const other = mkdtempSync(join(tmpdir(), 'hypha-e2e-'));
      const [second, third] = [start(), start({ PORT: port, DATA_DIR: other })];
      expect((await second.exit).code).toBe(1);
      expect(second.output).toMatch(new RegExp(`in use by (pid|process) ${first.child.pid}`));
      expect((await third.exit).code).toBe(1);
      expect(third.output).toMatch(new RegExp(`${port}.*(taken|in use)`, 'i'));
      expect(first.child.exitCode).toBeNull();
      rmSync(other, { recursive: true, force: true });
    },
  );

  longIt('ends with a clear line when another process has taken its store', async () => {
    const service = start();
    await readyUrl(service);
    const usurper = { token: 'other', pid: 4711, since: new Date() };
    await writeRecord(dataDir, 'owner', BSON.serialize(usurper));
    expect((await service.exit).code).toBe(1);
    expect(service.output).toMatch(/Hypha had to stop: .*in use by pid 4711/);
  });

  it.each([
    [
      'a file',
      () => {
        writeFileSync(join(dataDir, 'file'), '');
        return join(dataDir, 'file');
      },
      /is a file/,
    ],
    ['where nothing can be made', () => '/proc/hypha', /cannot be made a directory/],
  ])('does not start on a data directory that is %s', async (_what, directory, words) => {
    const service = start({ DATA_DIR: directory() });
    expect((await service.exit).code).toBe(1);
    expect(service.output).toMatch(words);
  });
});
