import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedStore } from '@hypha/embedded-mongo';
import WebSocket from 'ws';
import { version } from '../../package.json';
import { ADMIN_EMAIL, ADMIN_PASSWORD } from '../support/service/harness';
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

/** A database that accepts connections and does not answer until `answer` is called. */
interface DelayedStore {
  readonly uri: string;
  /** Resolves when a client waits for an answer. */
  readonly firstRequest: Promise<void>;
  /** Answers pending and future requests. */
  answer(): void;
  close(): Promise<void>;
}

/** An embedded store behind a TCP port, like a MongoDB server. */
async function startDelayedStore(): Promise<DelayedStore> {
  const dir = mkdtempSync(join(tmpdir(), 'hypha-delayed-'));
  const store = await openEmbeddedStore({ dir, placement: 'inline', durability: 'test' });
  const path = decodeURIComponent(/^mongodb:\/\/([^/?]+)/.exec(store.uri)?.[1] ?? '');
  let answering = false;
  const waiting: (() => void)[] = [];
  const open = new Set<Socket>();
  let onRequest: () => void;
  const firstRequest = new Promise<void>((resolve) => {
    onRequest = resolve;
  });
  const server = createServer((client) => {
    open.add(client);
    client.on('error', () => undefined).once('close', () => open.delete(client));
    const connect = (): void => {
      if (client.destroyed) return;
      const upstream = createConnection(path);
      open.add(upstream);
      upstream
        .on('error', () => client.destroy())
        .once('close', () => {
          open.delete(upstream);
          client.destroy();
        });
      client.once('close', () => upstream.destroy());
      client.pipe(upstream).pipe(client);
    };
    if (answering) connect();
    else {
      client.once('readable', () => onRequest());
      waiting.push(connect);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    uri: `mongodb://127.0.0.1:${port}/hypha?directConnection=true`,
    firstRequest,
    answer() {
      answering = true;
      for (const connect of waiting.splice(0)) connect();
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of open) socket.destroy();
      await closed;
      await store.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

describe('a service that is starting', () => {
  let store: DelayedStore;
  beforeEach(async () => {
    store = await startDelayedStore();
  });
  afterEach(() => store.close());

  it('answers only /healthz and rejects other requests with Retry-After', async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const service = start({ PORT: String(port), MONGODB_URI: store.uri, HYPHA_LOG_LEVEL: 'info' });
    await store.firstRequest;

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
    // Health checks are not logged.
    expect(service.output).toMatch(/"path":"\/nowhere","status":503/);
    expect(service.output).not.toMatch(/"path":"\/(healthz|readyz)"/);
  });

  it('exits on a signal', async () => {
    const service = start({ MONGODB_URI: store.uri });
    await store.firstRequest;
    service.child.kill('SIGTERM');
    store.answer();
    expect((await service.exit).code).toBe(0);
  });
});

it('a service that is stopping reports that it is not ready', async () => {
  const service = start({});
  const { port } = new URL(await readyUrl(service));
  // A partly sent request keeps its connection open.
  const socket = createConnection(Number(port), '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk.toString();
  });
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  await new Promise((resolve) => socket.once('data', resolve));
  socket.write('GET /readyz HTTP/1.1\r\nHost: ');
  // The earlier write has arrived when this request is answered.
  await fetch(`http://127.0.0.1:${port}/healthz`);
  service.child.kill('SIGTERM');
  await service.says(/"stopping"/);
  socket.write('x\r\n\r\n');
  await new Promise((resolve) => socket.once('close', resolve));
  expect(answer).toMatch(/HTTP\/1.1 503 Service Unavailable[^]*The service is stopping/);
  expect((await service.exit).code).toBe(0);
});

it('a service creates no files when its port is taken', async () => {
  const otherServer = createServer();
  await new Promise<void>((resolve) => otherServer.listen(0, '127.0.0.1', resolve));
  const { port } = otherServer.address() as AddressInfo;
  const service = start({ PORT: String(port), ADMIN_PASSWORD: '' });
  expect((await service.exit).code).toBe(1);
  expect(service.output).toMatch(
    new RegExp(`Port ${port} of 127\\.0\\.0\\.1 is taken by another program\\.`),
  );
  expect(readdirSync(dir)).toEqual([]);
  await new Promise((resolve) => otherServer.close(resolve));
});
