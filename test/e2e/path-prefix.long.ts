import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';
import WebSocket from 'ws';
import {
  CHROMIUM,
  CHROMIUM_OPTIONS,
  complaintsOf,
  newPage,
  openOperation,
  runOperation,
  signIn,
} from '../support/browser/browser';
import { NGINX, openFront, openNginx } from '../support/peers/front';
import type { Front } from '../support/peers/front';
import { ADMIN_EMAIL, ADMIN_PASSWORD, startService, unique } from '../support/service/harness';
import type { TestService } from '../support/service/harness';
import { png } from '../support/documents/images';
import { freePort } from '../support/process';

const PREFIX = '/apps/hypha';
const HTML = { Accept: 'text/html' };

/** The minimal proxy is used where nginx is not installed. */
const [program, open] = NGINX === undefined ? ['a proxy', openFront] : ['nginx', openNginx];
const inBrowser = CHROMIUM === undefined ? it.skip : it;

let service: TestService;
let port: number;
let origin: string;
let base: string;
let browser: Browser | undefined;

beforeAll(async () => {
  port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  base = origin + PREFIX;
  service = await startService({ env: { HYPHA_PUBLIC_URL: `${base}/` } });
  if (CHROMIUM !== undefined) browser = await chromium.launch(CHROMIUM_OPTIONS);
});
afterAll(async () => {
  await browser?.close();
  await service.close();
});

for (const strips of [true, false]) {
  describe(`a path prefix that ${program} ${strips ? 'removes' : 'keeps'}`, () => {
    let front: Front;
    beforeAll(async () => {
      front = await open({
        port,
        target: Number(new URL(service.url).port),
        prefix: PREFIX,
        strips,
      });
    });
    afterAll(() => front.close());

    const call = (method: string, path: string, body?: unknown): Promise<Response> =>
      fetch(base + path, {
        method,
        redirect: 'manual',
        body: body === undefined ? undefined : JSON.stringify(body),
        headers: {
          Authorization: service.adminToken,
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
      });

    it('is part of all links on the pages', async () => {
      for (const path of ['/', '/docs', '/graphql', '/dashboard']) {
        const page = await fetch(base + path, { headers: HTML });
        const text = await page.text();
        const links = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link);
        expect([path, page.status, links.length >= 3]).toEqual([path, 200, true]);
        for (const link of links) {
          expect(link.startsWith(`${PREFIX}/`)).toBe(true);
          expect([link, (await fetch(origin + link, { headers: HTML })).status]).toEqual([
            link,
            200,
          ]);
        }
      }
      expect(await (await fetch(base, { headers: HTML })).text()).toContain(`${base}/api/login`);
    });

    it('is part of redirects from old addresses', async () => {
      for (const path of ['/api/docs', '/swagger-ui.html']) {
        const answer = await call('GET', path);
        expect([answer.status, new URL(answer.headers.get('location') ?? '', base).href]).toEqual([
          308,
          `${base}/docs`,
        ]);
      }
    });

    it('is part of every address in responses and headers', async () => {
      const endpoint = (protocol: string, last: string) => ({
        protocol,
        hostname: '127.0.0.1',
        port: String(port),
        prefix: PREFIX + last,
      });
      expect(await (await call('GET', '/config.json')).json()).toEqual({
        server: endpoint('http', '/api'),
        socket: endpoint('ws', '/ws'),
      });
      expect(
        ((await (await call('GET', '/openapi.json')).json()) as { servers: unknown }).servers,
      ).toMatchObject([{ url: base }, { url: PREFIX }]);
      const made = await call('POST', '/api/user', {
        email: `${unique('prefixed')}@hypha.test`,
        password: 'long enough',
        userGroup: 2,
        userDetail: { name: 'P' },
      });
      const location = made.headers.get('location') ?? '';
      expect(location.startsWith(`${base}/api/user/`)).toBe(true);
      expect(
        (await fetch(location, { headers: { Authorization: service.adminToken } })).status,
      ).toBe(200);
      expect(made.headers.get('set-cookie')).toBeNull();
    });

    it('is part of picture links over REST and GraphQL', async () => {
      const form = new FormData();
      form.set('email', ADMIN_EMAIL);
      form.set('file', new Blob([new Uint8Array(png())], { type: 'image/png' }), 'me.png');
      const sent = await fetch(`${base}/api/storage/profilePicture`, {
        method: 'POST',
        body: form,
        headers: { Authorization: service.adminToken },
      });
      const rest = ((await sent.json()) as { userDetail: { profilePicture: string } }).userDetail
        .profilePicture;
      const answer = (await (
        await call('POST', '/graphql', { query: '{ me { profilePicture } }' })
      ).json()) as { data: { me: { profilePicture: string } } };
      expect(rest.startsWith(`${base}/api/storage/files/`)).toBe(true);
      expect(answer.data.me.profilePicture).toBe(rest);
      expect(
        (await fetch(rest, { headers: { Authorization: service.adminToken } })).headers.get(
          'content-type',
        ),
      ).toBe('image/png');
    });

    it.each(['/graphql', '/ws', '/ws/'])(
      'accepts sockets at %s from its own origin only',
      async (path) => {
        const openedBy = (from: string) =>
          new Promise<string>((resolve) => {
            const socket = new WebSocket(
              base.replace('http', 'ws') + path,
              'graphql-transport-ws',
              { origin: from },
            );
            socket
              .on('open', () => {
                socket.close();
                resolve('open');
              })
              .on('error', ({ message }) => resolve(message));
          });
        expect(await openedBy(origin)).toBe('open');
        expect(await openedBy('http://evil.example.com')).toMatch(/403/);
      },
    );

    // One suite suffices: the browser loads the same files in both.
    if (strips)
      inBrowser('works with the API browser, GraphiQL and the dashboard', async () => {
        if (browser === undefined) throw new Error('no browser');
        const page = await newPage(browser);
        const complaints = complaintsOf(page, `${base}/`);
        await page.goto(`${base}/`);
        await page.click(`a[href="${PREFIX}/docs"]`);
        await page.waitForSelector('.opblock');
        await signIn(page, ADMIN_EMAIL, ADMIN_PASSWORD);
        await page.waitForSelector('#sign-in[data-state=signed-in]');
        const operation = await openOperation(page, '/api/user/all');
        await operation.locator('.execute').click();
        await operation.locator('.live-responses-table', { hasText: ADMIN_EMAIL }).waitFor();
        await page.click(`nav a[href="${PREFIX}/graphql"]`);
        await page.waitForSelector('#sign-in[data-state=signed-in]');
        await page.waitForSelector('.graphiql-query-editor .CodeMirror');
        await runOperation(page, '{ me { email } }');
        await page.locator('.result-window', { hasText: ADMIN_EMAIL }).waitFor();
        // The dashboard shares the sign-in, and its links include the prefix.
        await page.goto(`${base}/dashboard/schedules`);
        await page.waitForSelector('.live-open');
        await page.getByRole('button', { name: 'Watch' }).click();
        await page.click(`nav a[href="${PREFIX}/dashboard/runs"]`);
        await page.locator('h1', { hasText: 'Runs' }).waitFor();
        await page.close();
        expect(complaints).toEqual([]);
      });
  });
}

it('a direct connection to the service needs no path prefix', async () => {
  for (const path of ['/', '/docs', '/healthz', '/apps/hyphae']) {
    expect([path, (await fetch(service.url + path, { headers: HTML })).status]).toEqual([
      path,
      path === '/apps/hyphae' ? 404 : 200,
    ]);
  }
});

inBrowser(
  'the API browser calls the service that served it, independent of the public URL',
  async () => {
    if (browser === undefined) throw new Error('no browser');
    const page = await newPage(browser);
    await page.goto(`${service.url}/docs`);
    const operation = await openOperation(page, '/healthz', 'System-getHealthzAtRoot');
    const answered = page.waitForResponse((response) => response.url().endsWith('/healthz'));
    await operation.locator('.execute').click();
    const { url, status } = await answered.then((response) => ({
      url: response.url(),
      status: response.status(),
    }));
    expect([url, status]).toEqual([`${service.url}${PREFIX}/healthz`, 200]);
    await page.close();
  },
);
