import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import WebSocket from 'ws';
import { version } from '../../package.json';
import { startDelayedStore } from '../support/delayed-store';
import type { DelayedStore } from '../support/delayed-store';
import { ADMIN_EMAIL, ADMIN_PASSWORD } from '../support/harness';
import { freePort, readyUrl, startProcess } from '../support/process';
import type { Running } from '../support/process';

let dir: string;
let running: Running[];
const start = (env: Record<string, string>): Running => {
  const process = startProcess(
    { DATA_DIR: join(dir, 'data'), PORT: '0', ADMIN_EMAIL, ADMIN_PASSWORD, ...env },
    undefined,
    dir,
  );
  running.push(process);
  return process;
};

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hypha-sequence-'));
  running = [];
});
afterEach(async () => {
  for (const { child, exit } of running) {
    child.kill('SIGKILL');
    await exit;
  }
  rmSync(dir, { recursive: true, force: true });
});

/** How an upgrade was answered. */
const upgrade = (url: string): Promise<{ status?: number; retryAfter?: string; body: string }> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(url, 'graphql-transport-ws');
    socket
      .once('open', () => reject(new Error('The socket was opened.')))
      .on('error', () => undefined);
    socket.once('unexpected-response', (_request, response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      response.once('end', () =>
        resolve({ status: response.statusCode, retryAfter: response.headers['retry-after'], body }),
      );
    });
  });

describe('while it starts', () => {
  let store: DelayedStore;
  beforeEach(async () => {
    store = await startDelayedStore();
  });
  afterEach(() => store.close());

  it('answers nothing but /healthz, and says when to ask again', async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const service = start({ PORT: String(port), MONGODB_URI: store.uri, HYPHA_LOG_LEVEL: 'info' });
    await store.asked;

    const alive = await fetch(`${url}/healthz`);
    expect([alive.status, await alive.json()]).toEqual([200, { status: 'UP', version }]);
    for (const [method, path] of [
      ['GET', '/readyz'],
      ['GET', '/'],
      ['GET', '/docs'],
      ['GET', '/openapi.json'],
      ['POST', '/login'],
      ['POST', '/graphql'],
      ['GET', '/api/user/all'],
      ['GET', '/nowhere'],
    ]) {
      const answer = await fetch(url + path, {
        method,
        ...(method === 'POST' && { body: '{}', headers: { 'content-type': 'application/json' } }),
      });
      expect([path, answer.status, answer.headers.get('retry-after')]).toEqual([path, 503, '2']);
      expect(await answer.json()).toMatchObject({
        status: 503,
        message: 'SERVICE_UNAVAILABLE',
        error: 'The service is starting.',
        success: 'false',
        path,
      });
    }
    for (const path of ['/graphql', '/ws']) {
      const { status, retryAfter, body } = await upgrade(`${url.replace('http', 'ws')}${path}`);
      expect([status, retryAfter]).toEqual([503, '2']);
      expect(JSON.parse(body)).toMatchObject({ message: 'SERVICE_UNAVAILABLE', path });
    }

    store.answer();
    expect(await readyUrl(service)).toBe(url);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect(
      (
        await fetch(`${url}/login`, {
          method: 'POST',
          body: JSON.stringify({ email: ADMIN_EMAIL, password: ADMIN_PASSWORD }),
          headers: { 'content-type': 'application/json' },
        })
      ).status,
    ).toBe(200);
    const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    await new Promise((resolve) => socket.once('open', resolve));
    socket.terminate();
    service.child.kill('SIGTERM');
    expect((await service.exit).code).toBe(0);
    // What machines ask every few seconds is not what a person looks for in a log.
    expect(service.output).toMatch(/"path":"\/nowhere","status":503/);
    expect(service.output).not.toMatch(/"path":"\/(healthz|readyz)"/);
  });

  it('ends on a signal', async () => {
    const service = start({ MONGODB_URI: store.uri });
    await store.asked;
    service.child.kill('SIGTERM');
    store.answer();
    expect((await service.exit).code).toBe(0);
  });
});

it('is not ready while it stops', async () => {
  const service = start({});
  const { port } = new URL(await readyUrl(service));
  // A request whose headers have begun keeps its connection.
  const socket = createConnection(Number(port), '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk.toString();
  });
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  await new Promise((resolve) => socket.once('data', resolve));
  socket.write('GET /readyz HTTP/1.1\r\nHost: ');
  // Both go the same way: what was written is there when this is answered.
  await fetch(`http://127.0.0.1:${port}/healthz`);
  service.child.kill('SIGTERM');
  await service.says(/"stopping"/);
  socket.write('x\r\n\r\n');
  await new Promise((resolve) => socket.once('close', resolve));
  expect(answer).toMatch(/HTTP\/1.1 503 Service Unavailable[^]*The service is stopping/);
  expect((await service.exit).code).toBe(0);
});

it('creates nothing when its port is taken', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as AddressInfo;
  const service = start({ PORT: String(port), ADMIN_PASSWORD: '' });
  expect((await service.exit).code).toBe(1);
  expect(service.output).toMatch(
    new RegExp(`Port ${port} of 127\\.0\\.0\\.1 is taken by another program\\.`),
  );
  expect(readdirSync(dir)).toEqual([]);
  await new Promise((resolve) => taken.close(resolve));
});
