import { BSON } from 'bson';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import WebSocket from 'ws';
import { writeRecord } from '../../packages/embedded-mongo/test/support/stored-records';
import { ADMIN_EMAIL, ADMIN_PASSWORD, startService } from '../support/service/harness';
import { built } from '../support/service/built';
import { MAIN, readyUrl, startProcess } from '../support/process';
import type { Running } from '../support/process';
import { longIt } from '../support/long';
import { firstOf } from '../support/rounds';

describe('the service process', () => {
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

  longIt('serves the API descriptions of the build, which are those of its routes', async () => {
    expect(existsSync(join(dirname(MAIN), 'openapi', 'documented.json'))).toBe(true);
    const url = await readyUrl(start());
    const served = await startService();
    for (const path of [
      '/openapi.json',
      '/released/openapi.json',
      '/openapi.json?removeDeprecated=true',
    ]) {
      const [ofBuild, ofRoutes] = await Promise.all(
        [url, served.url].map(async (each) => (await fetch(`${each}${path}`)).text()),
      );
      expect([path, ofBuild === ofRoutes]).toEqual([path, true]);
    }
    await served.close();
  });

  longIt(
    'ends for its supervisor when an administrator restarts it, with a file that works',
    async () => {
      const file = join(dataDir, 'application.yml');
      const process = start({ CONFIG_FILE: file, HYPHA_SUPERVISED: 'true' });
      const url = await readyUrl(process);
      const { headers } = await login(url);
      const mutate = async (query: string): Promise<any> => {
        const response = await fetch(`${url}/graphql`, {
          method: 'POST',
          body: JSON.stringify({ query }),
          headers: {
            'content-type': 'application/json',
            authorization: headers.get('authorization') ?? '',
          },
        });
        return response.json();
      };
      const restart = 'mutation { serviceRestart(input: {}) { restarting userErrors { code } } }';
      writeFileSync(file, 'server.port: none\n');
      expect((await mutate(restart)).data.serviceRestart.userErrors).toEqual([
        { code: 'CONFIG_INVALID' },
      ]);
      writeFileSync(file, 'hypha.log.level: warn\n');
      expect((await mutate(restart)).data.serviceRestart).toEqual({
        restarting: true,
        userErrors: [],
      });
      expect((await process.exit).code).toBe(75);
    },
  );

  longIt('prints its URLs and a generated administrator', async () => {
    const first = start({ ADMIN_PASSWORD: '', ADMIN_EMAIL: '' });
    const url = await readyUrl(first);
    const [, email] = await first.says(/e-mail\s+(\S+)/);
    const [, password] = await first.says(/password\s+(\S+)/);
    expect(first.output).toMatch(/Dashboard\s+http\S*\/dashboard\b/);
    expect(first.output).toMatch(/GraphQL\s+http/);
    expect(first.output).toMatch(/Subscriptions\s+ws:.*\/ws/);
    expect(first.output).toMatch(/API browser\s+http.*\/docs/);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect((await login(url, email, password)).status).toBe(200);
    first.child.kill('SIGTERM');
    expect((await first.exit).code).toBe(0);
  });

  longIt.each(
    firstOf<readonly [string, (process: Running) => unknown]>(
      [
        ['once', (process: Running) => process.child.kill('SIGTERM')],
        [
          'twice',
          (process: Running) => {
            process.child.kill('SIGTERM');
            process.child.kill('SIGTERM');
          },
        ],
      ],
      1,
    ),
  )(
    'stops on SIGTERM sent %s: it closes sockets with 1001, exits with 0 and logged only JSON',
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

  it('rejects invalid settings and lists every problem', async () => {
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

  longIt('exits with a clear message when another process takes over its store', async () => {
    const service = start();
    await readyUrl(service);
    const otherOwner = { token: 'other', pid: 4711, since: new Date() };
    await writeRecord(dataDir, 'owner', BSON.serialize(otherOwner));
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
    ['not writable', () => '/proc/hypha', /cannot be made a directory/],
  ])('does not start with a data directory that is %s', async (_what, directory, words) => {
    const service = start({ DATA_DIR: directory() });
    expect((await service.exit).code).toBe(1);
    expect(service.output).toMatch(words);
  });
});
