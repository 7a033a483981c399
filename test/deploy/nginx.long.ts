import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedStore } from '@hypha/embedded-mongo';
import { NGINX, openDeployedNginx } from '../support/peers/front';
import type { Front } from '../support/peers/front';
import { reached, startService } from '../support/service/harness';
import type { ReachedService, TestService } from '../support/service/harness';
import { MASTER_PASSWORD } from '../support/service/master-password';
import { freePort } from '../support/process';
import { frontend, xhrSession } from '../support/calls/stomp';
import { socketOf } from '../support/service/watch';

const METRICS_TOKEN = 'metrics-token-of-a-test';
const withNginx = NGINX === undefined ? describe.skip : describe;

withNginx('deploy/nginx.conf', () => {
  let service: TestService;
  let front: Front;
  let proxied: ReachedService;
  let port: number;
  beforeAll(async () => {
    service = await startService({
      env: {
        HYPHA_CONNECTOR_MASTER_PASSWORD: MASTER_PASSWORD,
        HYPHA_METRICS_TOKEN: METRICS_TOKEN,
        HYPHA_TRUSTED_PROXIES: 'loopback',
      },
    });
    port = await freePort();
    front = await openDeployedNginx(port, [service.url]);
    proxied = reached(`http://127.0.0.1:${port}`, service.adminToken);
  });
  afterAll(async () => {
    await front.close();
    await service.close();
  });

  it('forwards REST, GraphQL, pages and probes, with the host and address of the client', async () => {
    const user = await proxied.api('GET', '/api/user/all');
    expect([user.status, user.headers.get('server')]).toEqual([
      200,
      expect.stringContaining('nginx'),
    ]);
    expect(await proxied.data('{ me { email } }')).toMatchObject({ me: {} });
    const page = await fetch(`${proxied.url}/`, { headers: { Accept: 'text/html' } });
    expect(await page.text()).toContain(proxied.url);
    expect((await proxied.api('GET', '/readyz')).status).toBe(200);
    const [request] = service.logs.filter(({ path }) => path === '/api/user/all');
    expect(request).toMatchObject({ address: '127.0.0.1', status: 200 });
  });

  it('forwards X-Master-Password', async () => {
    const status = async (password: string): Promise<number> =>
      (
        await proxied.api('GET', '/api/connector/master-password/status', {
          headers: { 'X-Master-Password': password },
        })
      ).status;
    expect(await status(MASTER_PASSWORD)).toBe(200);
    expect(await status('another one')).not.toBe(200);
  });

  it.each(['/graphql', '/ws'])('upgrades sockets at %s', async (path) => {
    const client = socketOf({ ...proxied, url: proxied.url });
    const { value } = await client.iterate({ query: `{ me { email } }` }).next();
    expect([path, value.errors]).toEqual([path, undefined]);
    await client.dispose();
    const upgraded = await new Promise<string>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () =>
        socket.write(
          `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
            'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n' +
            'Sec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n',
        ),
      );
      socket.once('data', (chunk) => {
        resolve(chunk.toString().split('\r\n')[0] ?? '');
        socket.destroy();
      });
      socket.once('error', reject);
    });
    expect(upgraded).toBe('HTTP/1.1 101 Switching Protocols');
  });

  it('upgrades STOMP over SockJS at /websocket', async () => {
    const client = await frontend(proxied);
    expect(client.client.connected).toBe(true);
    await client.close();
  });

  it('leaves limits of bodies below 200M to the service, and refuses larger ones', async () => {
    const large = await proxied.api('POST', '/api/connection', {
      body: `"${'x'.repeat(21 * 1024 * 1024)}"`,
    });
    expect([large.status, large.body.message]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () =>
        socket.write(
          `POST /api/connection HTTP/1.1\r\nHost: x\r\nContent-Length: ${200 * 1024 * 1024 + 1}\r\n\r\n`,
        ),
      );
      socket.once('data', (chunk) => {
        resolve(chunk.toString());
        socket.destroy();
      });
      socket.once('error', reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*nginx/);
  });

  it('forwards no spelling of /metrics, and what only begins with it', async () => {
    const token = `Bearer ${METRICS_TOKEN}`;
    const statusAt = async (each: ReachedService, path: string): Promise<number> =>
      (await each.api('GET', path, { token })).status;
    for (const path of ['/metrics', '/metrics/', '/metrics?a=1'])
      expect([path, await statusAt(service, path)]).toEqual([path, 200]);
    for (const path of [
      ...['/metrics', '/metrics/', '/metrics?a=1', '/metrics//', '//metrics', '///metrics/'],
      ...['/Metrics', '/METRICS/', '/%6detrics', '/metrics%2f', '/metrics/any'],
    ]) {
      const answer = await fetch(`${proxied.url}${path}`, { headers: { Authorization: token } });
      expect([path, answer.status, await answer.text()]).toEqual([
        path,
        404,
        expect.stringContaining('<center>nginx'),
      ]);
    }
    const other = await fetch(`${proxied.url}/metrics-of-others`);
    expect([other.status, await other.text()]).toEqual([404, expect.not.stringContaining('nginx')]);
  });
});

withNginx('deploy/nginx.conf in front of two processes', () => {
  const env = {
    HYPHA_CONNECTOR_MASTER_PASSWORD: MASTER_PASSWORD,
    HYPHA_TOKEN_SECRET: 'a-token-secret-of-both-processes-of-a-test',
    HYPHA_TRUSTED_PROXIES: 'loopback',
  };
  let dir: string;
  let store: Awaited<ReturnType<typeof openEmbeddedStore>>;
  let processes: TestService[];
  let front: Front;
  let proxied: ReachedService;
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'hypha-front-'));
    store = await openEmbeddedStore({ dir, placement: 'inline', durability: 'test' });
    processes = [];
    for (let nth = 0; nth < 2; nth += 1)
      processes.push(await startService({ env: { ...env, MONGODB_URI: store.uri } }));
    const port = await freePort();
    front = await openDeployedNginx(
      port,
      processes.map(({ url }) => url),
    );
    proxied = reached(`http://127.0.0.1:${port}`, processes[0].adminToken);
  });
  afterAll(async () => {
    await front.close();
    for (const service of processes) await service.close();
    await store.close();
    rmSync(dir, { recursive: true, force: true });
  });

  it('requests and sockets of one user reach both', async () => {
    for (let nth = 0; nth < 8; nth += 1) {
      expect((await proxied.api('GET', '/api/user/all')).status).toBe(200);
      const client = socketOf(proxied);
      const { value } = await client.iterate({ query: '{ me { email } }' }).next();
      expect(value.errors).toBeUndefined();
      await client.dispose();
    }
    for (const { logs } of processes)
      expect(logs.filter(({ path }) => path === '/api/user/all')).not.toEqual([]);
  });

  it('all requests of a SockJS session over XHR reach one', async () => {
    for (let nth = 0; nth < 8; nth += 1) {
      const session = xhrSession(proxied);
      expect(await (await session.open('xhr')).line()).toBe('o');
      expect(await session.send('CONNECT\naccept-version:1.1\nheart-beat:0,0\n\n\0')).toBe(204);
      expect(await (await session.open('xhr')).frame()).toMatch(/^a\["CONNECTED/);
    }
  });
});
