import { createHash } from 'node:crypto';
import { symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { loadConfig } from '../../src/config/load';
import { startApp } from '../../src/app';
import { takePort } from '../../src/port';
import { createErrorsAt, DOCUMENTED } from '../../src/rest';
import { createLogger } from '../../src/platform/log/logger';
import { builtClient } from '../support/browser/built-client';
import type { BuiltClient } from '../support/browser/built-client';
import {
  ADMIN_EMAIL,
  ADMIN_PASSWORD,
  answerTo,
  startService,
  unique,
} from '../support/service/harness';
import type { Answer, TestService } from '../support/service/harness';
import { HEADERS_OF_4X } from '../support/browser/released-pages';
import { exchange } from '../support/calls/rest-transport';
import { frontend } from '../support/calls/stomp';

const INLINE = 'window.started = true;\n';
const page = (inline: string): string =>
  `<!doctype html>\n<script>${inline}</script>\n<script type="module" src="/assets/index-BkT3_x9z.js"></script>\n`;
const hashOf = (script: string): string =>
  `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
const PAGE = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

let client: BuiltClient;
let secrets: BuiltClient;
let service: TestService;
let additional: string;
beforeAll(async () => {
  secrets = builtClient({ 'outside.txt': 'outside' });
  client = builtClient({
    'index.html': page(INLINE),
    'assets/index-BkT3_x9z.js': 'export {};\n'.repeat(200),
    'assets/material-components.js': 'export {};',
    'assets/icon.svg': '<svg/>',
    'static/js/main.3f2a1b9c.chunk.js': '1;',
    'logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    '.env': 'SECRET=1',
    dashboard: 'of the client',
  });
  symlinkSync(join(secrets.folder, 'outside.txt'), join(client.folder, 'outside.txt'));
  service = await startService({
    env: { HYPHA_FRONTEND_DIRECTORY: client.folder, HYPHA_SERVER_ADDITIONAL_PORT: '0' },
  });
  additional = service.app.additionalUrl ?? '';
});
afterAll(async () => {
  await service.close();
  client.remove();
  secrets.remove();
});

const get = (path: string, headers: Record<string, string> = {}, url = service.url) =>
  answerTo(url, 'GET', path, null, { headers });

/** Sends the path unchanged, and no headers of its own. */
const sent = (
  method: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number | undefined; etag: string | undefined }> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(service.url);
    request({ host: '127.0.0.1', port, method, path, headers }, (response) => {
      const { statusCode: status, headers: received } = response.resume();
      resolve({ status, etag: received.etag });
    })
      .on('error', reject)
      .end();
  });

describe('a built client', () => {
  it.each(['/', '/users', '/connections/7/view', '/login', '/index.html'])(
    'is shown at %s',
    async (path) => {
      const answer = await get(path, PAGE);
      expect([answer.status, answer.text]).toEqual([200, page(INLINE)]);
      expect(answer.headers.get('cache-control')).toBe('no-cache');
    },
  );

  it('may run its inline scripts and no others, also after the page was changed', async () => {
    const scripts = async (): Promise<string | undefined> =>
      /script-src ([^;]*)/.exec(
        (await get('/', PAGE)).headers.get('content-security-policy') ?? '',
      )?.[1];
    expect(await scripts()).toBe(`'self' ${hashOf(INLINE)}`);
    const file = join(client.folder, 'index.html');
    writeFileSync(file, page('changed();\r\n'));
    utimesSync(file, 1, 1);
    expect(await scripts()).toBe(`'self' ${hashOf('changed();\n')}`);
    writeFileSync(file, page(INLINE));
  });

  it('may call every port of its host', async () => {
    const policy = (await get('/', PAGE)).headers.get('content-security-policy');
    expect(policy).toContain("connect-src 'self' http://127.0.0.1:* ws://127.0.0.1:*");
  });

  it('is cached for a year where a name has a hash, and checked again elsewhere', async () => {
    const cachePolicies = await Promise.all(
      [
        '/assets/index-BkT3_x9z.js',
        '/static/js/main.3f2a1b9c.chunk.js',
        '/assets/material-components.js',
        '/logo.svg',
      ].map(async (path) => (await get(path)).headers.get('cache-control')),
    );
    const year = 'public, max-age=31536000, immutable';
    expect(cachePolicies).toEqual([year, year, 'no-cache', 'no-cache']);
  });

  it('is sent as a whole, in part, only its headers, or not again', async () => {
    const path = '/assets/index-BkT3_x9z.js';
    const full = await get(path);
    expect(full.headers.get('content-type')).toMatch(/javascript/);
    const etag = full.headers.get('etag') ?? '';
    expect(await sent('GET', path, { 'if-none-match': etag })).toEqual({ status: 304, etag });
    expect(await sent('HEAD', path)).toEqual({ status: 200, etag });
    const part = await get(path, { range: 'bytes=0-5' });
    expect([part.status, part.text]).toEqual([206, 'export']);
  });

  it.each([
    '/.env',
    '/%2eenv',
    '/outside.txt',
    '/..%2f..%2fetc%2fpasswd',
    '/assets/../.env',
    '/assets%5c..%5c.env',
    '/logo.svg%00.html',
    '/assets',
    '/assets/lost-BkT3_x9z.js',
  ])('has no file at %s', async (path) => {
    const { status } = await sent('GET', path);
    // `/assets` could be a page of the client: the file system has a folder there.
    expect(status).toBe(path === '/assets' ? 200 : 404);
  });

  it('does not hide the addresses of the service, and the log names its hidden files', async () => {
    expect((await get('/dashboard', PAGE)).text).toContain('id="dashboard"');
    expect((await get('/assets/icon.svg')).text).not.toBe('<svg/>');
    expect((await get('/api/user/all', PAGE)).body).toHaveProperty('success', 'false');
    expect((await get('/healthz')).body).toMatchObject({ status: 'UP' });
    expect(JSON.stringify(service.logs)).toContain('dashboard, assets/icon.svg');
  });

  it('finds the released dialect in config.json, unless its folder has one', async () => {
    const place = (port: string, prefix: string) => ({ protocol: '', hostname: '', port, prefix });
    const { port } = new URL(service.url);
    const made = await get('/config.json');
    expect(made.headers.get('cache-control')).toBe('no-cache');
    expect(made.body).toEqual({
      server: place(port, '/released/api'),
      socket: place(port, '/released/ws'),
    });
    expect((await get('/released/config.json')).body).toEqual(made.body);
    expect((await get('/documented/config.json')).body.server.prefix).toBe('/documented/api');
    client.write({ 'config.json': '{"server":{"hostname":"api.example.com"}}' });
    expect((await get('/config.json')).body).toEqual({ server: { hostname: 'api.example.com' } });
    expect((await get('/', PAGE)).headers.get('content-security-policy')).toContain(
      'http://api.example.com:*',
    );
  });
});

describe('the additional port', () => {
  const call = (
    method: string,
    path: string,
    options: Parameters<typeof answerTo>[4] & { token?: string | null } = {},
  ): Promise<Answer> =>
    answerTo(additional, method, path, options.token ?? null, {
      ...options,
      headers: { ...HEADERS_OF_4X, ...options.headers },
    });

  it('signs in and answers in the released dialect, next to the documented one', async () => {
    const signedIn = await call('POST', '/login', {
      body: { email: ADMIN_EMAIL, password: ADMIN_PASSWORD },
    });
    expect(signedIn.body).toMatchObject({ userGroup: { groupId: expect.any(Number) as number } });
    const token = signedIn.headers.get('authorization');
    const users = await call('GET', '/api/user/all', { token });
    expect(users.body).toEqual(expect.arrayContaining([expect.objectContaining({ userId: 1 })]));
    expect((await service.api('GET', '/api/user/all')).body).toHaveProperty('_embedded');
    expect((await call('GET', '/documented/api/user/all', { token })).body).toHaveProperty(
      '_embedded',
    );
    expect((await call('GET', '/actuator/health/mongoDB', { token })).body).toMatchObject({
      status: 'UP',
    });
    expect((await call('GET', '/websocket/info')).body).toMatchObject({ websocket: true });
    expect((await call('GET', '/', { headers: PAGE })).text).toContain(INLINE);
  });

  it('links to itself', async () => {
    const created = await call('POST', '/api/user', {
      token: service.adminToken,
      body: {
        email: `${unique('ada')}@hypha.test`,
        password: 'Good-Password1',
        userGroup: 2,
        userDetail: { name: 'A', surname: 'B' },
      },
    });
    expect(created.headers.get('location')).toBe(`${additional}/api/user/${created.body.userId}`);
  });

  it('answers failures in the released dialect, also broken requests', async () => {
    const released = { error: 'Unauthorized', detail: expect.any(String) as string };
    expect((await call('GET', '/api/user/all')).body).toMatchObject(released);
    expect((await call('GET', '/documented/api/user/all')).body).toHaveProperty('success');
    const { port } = new URL(additional);
    const broken = await exchange({ port: Number(port) }, 'GET / HTTP/1.1\r\nbroken\r\n\r\n');
    expect(broken).toContain('"detail":');
    const refused = await exchange(
      { port: Number(port) },
      'CONNECT host:1 HTTP/1.1\r\nHost: host:1\r\n\r\n',
    );
    expect(refused).toContain('"detail":');
  });

  it('may be called by pages of the main port, and by no others', async () => {
    const allowed = async (origin: string): Promise<(string | null)[]> => {
      const { headers } = await call('OPTIONS', '/login', {
        headers: { origin, 'access-control-request-method': 'POST' },
      });
      return [
        headers.get('access-control-allow-origin'),
        headers.get('access-control-allow-credentials'),
      ];
    };
    expect(await allowed(service.url)).toEqual([service.url, 'true']);
    expect(await allowed('http://evil.example.com')).toEqual([null, null]);
    const info = await call('GET', '/websocket/info', { headers: { origin: service.url } });
    expect(info.headers.get('access-control-allow-origin')).toBe(service.url);
  });

  it('opens sockets', async () => {
    const socket = await frontend({ url: additional, adminToken: service.adminToken });
    expect(socket.errors).toEqual([]);
    expect(socket.client.connected).toBe(true);
    await socket.close();
  });

  it('links to itself although there is a public URL, whose pages may call it', async () => {
    const other = await startService({
      env: {
        HYPHA_PUBLIC_URL: 'https://hypha.example.com/app',
        HYPHA_SERVER_ADDITIONAL_PORT: '0',
      },
    });
    try {
      const url = other.app.additionalUrl ?? '';
      const origin = 'https://hypha.example.com';
      const answer = await answerTo(url, 'GET', '/config.json', null, { headers: { origin } });
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
      expect(answer.body.server).toMatchObject({ hostname: '', prefix: '/api' });
      const main = await answerTo(other.url, 'GET', '/released/config.json', null);
      expect(main.body.socket).toEqual({
        protocol: 'https',
        hostname: 'hypha.example.com',
        port: '',
        prefix: '/app/released/ws',
      });
    } finally {
      await other.close();
    }
  });
});

it('answers in the dialect of port and path during the start', async () => {
  const { config } = loadConfig(
    { PORT: '0', HYPHA_SERVER_ADDITIONAL_PORT: '0', DATA_DIR: secrets.folder },
    process.cwd(),
  );
  const log = createLogger({ log: { level: 'silent' } });
  const port = await takePort(config, log, createErrorsAt(DOCUMENTED));
  try {
    const failure = async (number: number | null, path: string): Promise<string[]> => {
      const { status, body } = await answerTo(`http://127.0.0.1:${number}`, 'GET', path, null);
      return [String(status), 'detail' in body ? 'released' : 'documented'];
    };
    expect(await failure(port.number, '/api/user/1')).toEqual(['503', 'documented']);
    expect(await failure(port.number, '/released/api/user/1')).toEqual(['503', 'released']);
    expect(await failure(port.additional, '/api/user/1')).toEqual(['503', 'released']);
  } finally {
    await port.stop();
  }
});

describe('the settings of a client', () => {
  const problems = (env: Record<string, string>): string => {
    try {
      loadConfig(env, process.cwd());
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };

  it('are refused if there is no client, or the ports are the same', () => {
    expect(problems({ HYPHA_FRONTEND_DIRECTORY: secrets.folder })).toContain('no index.html');
    expect(problems({ HYPHA_FRONTEND_DIRECTORY: './missing' })).toContain('no index.html');
    expect(problems({ PORT: '9090', HYPHA_SERVER_ADDITIONAL_PORT: '9090' })).toContain(
      'must differ from server.port',
    );
  });

  it('stop the start if the additional port is taken', async () => {
    const otherServer = createServer();
    await new Promise<void>((resolve) => otherServer.listen(0, '127.0.0.1', resolve));
    const { port } = otherServer.address() as AddressInfo;
    const { config } = loadConfig(
      { PORT: '0', HYPHA_SERVER_ADDITIONAL_PORT: String(port), DATA_DIR: secrets.folder },
      process.cwd(),
    );
    const log = createLogger({ log: { level: 'silent' } });
    await expect(startApp(config, { log })).rejects.toThrow(
      `Port ${port} of 127.0.0.1 is taken by another program. Stop it, or choose another one with hypha.server.additional-port.`,
    );
    otherServer.close();
  });
});
