import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { version } from '../../../package.json';
import { graphqlSchema } from '../../../src/app';
import { systemRoutes } from '../../../src/features/system/system.rest';
import type { ServiceState } from '../../../src/feature';
import {
  installedFile,
  OWN_FILES,
  ownFile,
  READY_CODINGS,
  VENDOR_FILES,
} from '../../../src/pages/assets';
import { printSchema } from '../../../src/platform/graphql/schema/build-schema';
import { createPages } from '../../../src/pages/pages';
import { configOf, openRestTransport } from '../../support/calls/rest-transport';
import type { RestTransport } from '../../support/calls/rest-transport';
import { NEVER_FULL } from '../../../src/platform/store/full-disk';
import { longIt } from '../../support/long';

const BROWSER = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

const state = { ping: async () => undefined as void, prepared: true, stopping: false };
const ports: ServiceState = {
  ping: () => state.ping(),
  prepared: () => state.prepared,
  stopping: () => state.stopping,
  storage: NEVER_FULL,
  openApi: () => ({ openapi: '3.1.0' }),
};

function openPages(env: Record<string, string> = {}): Promise<RestTransport> {
  const config = configOf(env);
  return openRestTransport(systemRoutes(config, ports), {
    env,
    handlers: [createPages({ config, version: '1.2.3' })],
  });
}

let rest: RestTransport;
beforeAll(async () => {
  rest = await openPages();
});
afterAll(() => rest.close());
beforeEach(() =>
  Object.assign(state, { ping: async () => undefined, prepared: true, stopping: false }),
);

describe('the pages', () => {
  it('show the version and the address that the browser used on the start page', async () => {
    const { status, headers, text } = await rest.call('GET', '/', { headers: BROWSER });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    for (const part of [
      '1.2.3',
      `${rest.url}/api/login`,
      'href="/docs"',
      'href="/graphql"',
      'href="/healthz"',
      `${rest.url.replace('http', 'ws')}/graphql`,
    ]) {
      expect(text).toContain(part);
    }
  });

  longIt('load only files of the service, and each of these exists', async () => {
    for (const path of ['/', '/docs', '/graphql']) {
      const { text, headers } = await rest.call('GET', path, { headers: BROWSER });
      expect(headers.get('content-type')).toContain('text/html');
      const files = [...text.matchAll(/(?:src|href)="([^"]+\.(?:js|css|svg))"/g)].map(
        (match) => match[1] ?? '',
      );
      expect(files.length).toBeGreaterThan(1);
      expect(files.filter((file) => !file.startsWith('/'))).toEqual([]);
      for (const file of files)
        expect([file, (await rest.call('GET', file)).status]).toEqual([file, 200]);
      expect(text).not.toMatch(/https?:\/\/(?!127\.0\.0\.1)/);
      expect(text).not.toMatch(/<script(?![^>]*src=)/);
    }
  });

  it('serve a dashboard script below 100,000 compressed bytes', async () => {
    const script = await (
      await fetch(`http://127.0.0.1:${rest.port}/assets/dashboard.js`)
    ).arrayBuffer();
    expect(script.byteLength).toBeGreaterThan(10_000);
    expect(gzipSync(Buffer.from(script)).length).toBeLessThan(100_000);
  });

  it('import only modules that are served', async () => {
    for (const name of OWN_FILES.filter((file) => file.endsWith('.js'))) {
      const imports = [...readFileSync(ownFile(name), 'utf8').matchAll(/from '([^']+)'/g)].map(
        (match) => new URL(match[1] ?? '', `${rest.url}/assets/${name}`),
      );
      for (const url of imports)
        expect([url.pathname, (await rest.call('GET', url.pathname)).status]).toEqual([
          url.pathname,
          200,
        ]);
    }
    const client = (await rest.call('GET', '/vendor/graphql-ws/client.js')).text;
    for (const [, file] of client.matchAll(/from '\.\/([^']+)'/g))
      expect((await rest.call('GET', `/vendor/graphql-ws/${file}`)).status).toBe(200);
  });

  it('serve listed files with their type and cache headers, and no other files', async () => {
    const script = await rest.call('GET', '/assets/docs.js');
    expect(script.headers.get('content-type')).toMatch(/^text\/javascript/);
    expect(script.headers.get('cache-control')).toBe('public, max-age=3600');
    for (const path of [
      '/assets/',
      '/assets/../pages.ts',
      '/assets/..%2fpages.ts',
      '/vendor/react',
      '/vendor/graphiql/package.json',
      '/package.json',
    ]) {
      expect([path, (await rest.call('GET', path)).status]).toEqual([path, 404]);
    }
  });

  it('serve GraphiQL to browsers only', async () => {
    expect((await rest.call('GET', '/graphql', { headers: BROWSER })).text).toContain(
      'graphiql.js',
    );
    for (const accept of [
      '*/*',
      'application/json',
      'application/graphql-response+json',
      'application/json, text/html;q=0.5',
    ]) {
      expect((await rest.call('GET', '/graphql', { headers: { Accept: accept } })).status).toBe(
        404,
      );
    }
    expect((await rest.call('GET', '/graphql?query={me}', { headers: BROWSER })).status).toBe(404);
  });

  it('omit GraphiQL and the API browser and links to them if both are disabled', async () => {
    const closed = await openPages({
      HYPHA_GRAPHQL_INTROSPECTION: 'false',
      HYPHA_DOCS_ENABLED: 'false',
    });
    try {
      expect((await closed.call('GET', '/graphql', { headers: BROWSER })).status).toBe(404);
      for (const path of [
        '/docs',
        '/api/docs',
        '/swagger-ui.html',
        '/openapi.json',
        '/v3/api-docs',
        '/schema.graphql',
      ])
        expect([path, (await closed.call('GET', path, { headers: BROWSER })).status]).toEqual([
          path,
          404,
        ]);
      expect((await closed.call('GET', '/', { headers: BROWSER })).text).not.toMatch(
        /href="\/(graphql|docs|openapi.json|schema.graphql)"/,
      );
    } finally {
      await closed.close();
    }
  });

  it('answer a wrong method with 405 and HEAD without a body', async () => {
    for (const path of ['/', '/docs', '/assets/docs.js']) {
      const wrong = await rest.call('POST', path);
      expect([wrong.status, wrong.headers.get('allow'), wrong.json.message]).toEqual([
        405,
        'GET, HEAD, OPTIONS',
        'METHOD_NOT_ALLOWED',
      ]);
      const options = await rest.call('OPTIONS', path);
      expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
      const head = await rest.call('HEAD', path);
      expect([head.status, head.text]).toEqual([200, '']);
    }
  });

  it('include the GraphQL schema, for callers without a session too', async () => {
    const { status, headers, text } = await rest.call('GET', '/schema.graphql');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(text).toBe(`${printSchema(graphqlSchema()).trimEnd()}\n`);
  });

  it('redirect from the addresses of the released line', async () => {
    for (const [from, to] of [
      ['/api/docs', '/docs'],
      ['/swagger-ui.html', '/docs'],
      ['/swagger-ui/index.html', '/docs'],
    ] as const) {
      const { status, headers } = await rest.call('GET', from);
      expect([status, headers.get('location')]).toEqual([308, to]);
    }
  });

  it('do not echo a forwarded host', async () => {
    const answer = await fetch(`${rest.url}/`, { headers: { 'X-Forwarded-Host': '"><script>' } });
    expect(await answer.text()).not.toContain('"><script>');
  });
});

describe('the files of the pages', () => {
  it('are all installed and listed', () => {
    for (const file of VENDOR_FILES)
      expect([file.path, existsSync(installedFile(file))]).toEqual([file.path, true]);
    expect(readdirSync(ownFile('.')).sort()).toEqual([...OWN_FILES].sort());
  });

  longIt('are copied into a build', () => {
    const out = mkdtempSync(join(tmpdir(), 'hypha-assets-'));
    try {
      mkdirSync(join(out, 'pages'));
      // Stands in for the list of the build, which the script reads.
      writeFileSync(
        join(out, 'pages', 'assets.js'),
        `module.exports = { VENDOR_FILES: ${JSON.stringify(VENDOR_FILES)}, READY_CODINGS: ${JSON.stringify(READY_CODINGS)}, installedFile: (file) => ${JSON.stringify(resolve('node_modules'))} + '/' + file.package + '/' + file.file };`,
      );
      execFileSync(process.execPath, [
        '-e',
        `import(${JSON.stringify(resolve('scripts/copy-assets.mjs'))}).then(({ copyAssets }) => copyAssets(${JSON.stringify(out)}))`,
      ]);
      for (const { path } of VENDOR_FILES)
        expect(existsSync(join(out, 'public', 'vendor', path))).toBe(true);
      for (const name of OWN_FILES)
        expect(existsSync(join(out, 'pages', 'public', name))).toBe(true);
      const large = [
        ...VENDOR_FILES.map(({ path }) => join(out, 'public', 'vendor', path)),
        ...OWN_FILES.map((name) => join(out, 'pages', 'public', name)),
      ].filter((file) => /\.(?:js|css)$/.test(file) && statSync(file).size > 1_024);
      expect(large.length).toBeGreaterThan(8);
      for (const file of large) {
        expect(brotliDecompressSync(readFileSync(`${file}.br`)).equals(readFileSync(file))).toBe(
          true,
        );
        expect(gunzipSync(readFileSync(`${file}.gz`)).equals(readFileSync(file))).toBe(true);
      }
    } finally {
      rmSync(out, { recursive: true, force: true });
    }
  });
});

describe('the health endpoints', () => {
  it('report liveness independently of the store', async () => {
    state.ping = async () => {
      throw new Error('away');
    };
    for (const path of ['/healthz', '/api/healthz']) {
      const answer = await rest.call('GET', path, {
        headers: { Authorization: 'Bearer broken-store' },
      });
      expect([answer.status, answer.json]).toEqual([200, { status: 'UP', version }]);
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
  });

  it('report readiness if the store and the seed are ready, and 503 otherwise', async () => {
    expect((await rest.call('GET', '/readyz')).json).toEqual({ status: 'UP' });
    for (const trouble of [
      { prepared: false },
      { stopping: true },
      {
        ping: async () => {
          throw new Error('away');
        },
      },
    ]) {
      Object.assign(
        state,
        { ping: async () => undefined, prepared: true, stopping: false },
        trouble,
      );
      const answer = await rest.call('GET', '/readyz');
      expect([answer.status, answer.json.message, answer.headers.get('retry-after')]).toEqual([
        503,
        'SERVICE_UNAVAILABLE',
        '2',
      ]);
      expect(answer.text).not.toContain('away');
    }
  });

  longIt('give up on an unresponsive store after two seconds', async () => {
    state.ping = () => new Promise(() => undefined);
    expect((await rest.call('GET', '/readyz')).status).toBe(503);
  });

  it('report the addresses of the APIs: the local one or the public one', async () => {
    const same = { protocol: '', hostname: '', port: '' };
    expect((await rest.call('GET', '/config.json')).json).toEqual({
      server: { ...same, prefix: '/api' },
      socket: { ...same, prefix: '/ws' },
    });
    const behindProxy = await openPages({ HYPHA_PUBLIC_URL: 'https://hypha.example.com:8443' });
    try {
      const place = { hostname: 'hypha.example.com', port: '8443' };
      expect((await behindProxy.call('GET', '/api/config.json')).json).toEqual({
        server: { protocol: 'https', ...place, prefix: '/api' },
        socket: { protocol: 'wss', ...place, prefix: '/ws' },
      });
    } finally {
      await behindProxy.close();
    }
  });
});
