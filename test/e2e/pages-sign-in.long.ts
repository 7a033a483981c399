import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import { CHROMIUM, CHROMIUM_OPTIONS, complaintsOf, runOperation, signIn } from '../support/browser';
import { ADMIN_EMAIL, ADMIN_PASSWORD, startService, unique } from '../support/harness';
import type { TestService } from '../support/harness';

const inBrowser = CHROMIUM === undefined ? describe.skip : describe;

inBrowser(`the sign-in of the pages${CHROMIUM === undefined ? ' (skipped: chromium is not installed)' : ''}`, () => {
  let service: TestService;
  let browser: Browser;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    service = await startService();
    browser = await chromium.launch(CHROMIUM_OPTIONS);
  });
  afterAll(async () => {
    await browser.close();
    await service.close();
  });
  const openPage = async (viewport = { width: 1280, height: 800 }): Promise<void> => {
    page = await (await browser.newContext({ viewport })).newPage();
    complaints = complaintsOf(page, service.url);
  };
  beforeEach(() => openPage());
  afterEach(async () => {
    await page.context().close();
    expect([...complaints, ...service.logs.filter(({ level }) => level === 'error')]).toEqual([]);
  });

  const state = (wanted: string) => page.waitForSelector(`#sign-in[data-state=${wanted}]`);
  const open = async (path: string): Promise<void> => {
    await page.goto(service.url + path);
    await page.waitForSelector(path === '/docs' ? '.opblock' : '.graphiql-query-editor .CodeMirror');
  };
  const signedIn = async (path: string): Promise<void> => {
    await open(path);
    await signIn(page, ADMIN_EMAIL, ADMIN_PASSWORD);
    await state('signed-in');
  };
  /** What the browser keeps under these names, for the tab or for good. */
  const kept = (storage: 'sessionStorage' | 'localStorage') => page.evaluate((name) => JSON.stringify(Reflect.get(globalThis, name)), storage);
  const token = async (): Promise<string> => /Bearer [\w.-]+/.exec(await kept('sessionStorage'))?.[0] ?? 'none';
  const result = (text: string) => page.locator('.result-window', { hasText: text }).waitFor();
  const change = () => service.api('POST', '/api/permission', { body: { name: unique('CHANGE_').toUpperCase(), description: '' } });

  it('is one for both pages, survives a reload, and holds in every tab of GraphiQL', async () => {
    await signedIn('/docs');
    await page.reload();
    await state('signed-in');
    const operation = page.locator('#operations-Users-getUserAll, .opblock:has-text("/api/user/all")').first();
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('.execute').click();
    await operation.locator('.live-responses-table', { hasText: ADMIN_EMAIL }).waitFor();
    await page.click('nav a[href="/graphql"]');
    await page.waitForSelector('.graphiql-query-editor .CodeMirror');
    await state('signed-in');
    for (const field of ['email', 'databaseId']) {
      await page.click('.graphiql-tab-add');
      await runOperation(page, `{ me { ${field} __typename } }`);
      await result(`"${field}"`);
    }
    await page.reload();
    await page.waitForSelector('.graphiql-query-editor .CodeMirror');
    await page.click('.graphiql-execute-button');
    await result('"databaseId"');
  });

  it('shows the token nowhere and keeps it for this browser tab only; a sign-out forgets it and ends the session', async () => {
    await signedIn('/graphql');
    const authorization = await token();
    const secret = authorization.replace('Bearer ', '');
    expect(secret.length).toBeGreaterThan(20);
    await page.click('.graphiql-editor-tools button:has-text("Headers")');
    await runOperation(page, '{ me { email } }');
    await result(ADMIN_EMAIL);
    await page.click('.graphiql-tab-add');
    expect(await kept('localStorage')).not.toContain(secret);
    expect(await page.content()).not.toContain(secret);
    expect(await page.locator('.graphiql-editor-tool').innerText()).not.toContain('Bearer');
    expect((await service.api('GET', '/api/user/all', { token: authorization })).status).toBe(200);
    const left = page.waitForResponse((response) => response.url().endsWith('/api/auth/logout'));
    await page.click('#sign-in button');
    await left;
    await state('signed-out');
    expect(await token()).toBe('none');
    expect((await service.api('GET', '/api/user/all', { token: authorization })).body.message).toBe('ACCESS_DENIED');
  });

  it('lets the headers editor name somebody else', async () => {
    const other = await service.userWith(['USER:READ']);
    await signedIn('/graphql');
    await page.click('.graphiql-editor-tools button:has-text("Headers")');
    await page.locator('.graphiql-editor-tool .graphiql-editor:not(.hidden) .CodeMirror').click();
    await page.keyboard.insertText(JSON.stringify({ authorization: other.token }));
    await runOperation(page, '{ me { email } }');
    await result(other.email);
  });

  it('says when the session has ended, and asks again: after a refusal of either API, on a socket, at a reload', async () => {
    await signedIn('/graphql');
    await service.api('POST', '/api/auth/logout', { token: await token() });
    await runOperation(page, '{ auditEvents(first: 1) { nodes { action } } }');
    await state('ended');
    expect(await page.locator('#sign-in output').innerText()).toBe('Your session has ended. Sign in again.');
    expect(await page.locator('#sign-in [name=password]').isVisible()).toBe(true);
    expect(await token()).toBe('none');

    await signIn(page, ADMIN_EMAIL, ADMIN_PASSWORD);
    await state('signed-in');
    await runOperation(page, 'subscription { auditEvents { action } }');
    const listening = page.locator('.result-window', { hasText: 'newestFirst' });
    while (!(await listening.isVisible())) await change();
    await service.api('POST', '/api/auth/logout', { token: await token() });
    await state('ended');

    await signIn(page, ADMIN_EMAIL, ADMIN_PASSWORD);
    await state('signed-in');
    await service.api('POST', '/api/auth/logout', { token: await token() });
    await page.reload();
    await state('ended');

    await signedIn('/docs');
    await service.api('POST', '/api/auth/logout', { token: await token() });
    const operation = page.locator('.opblock', { hasText: '/api/user/all' }).first();
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('.execute').click();
    await state('ended');
  });

  it('a subscription shows all its events, the newest first, until its tab is left', async () => {
    await signedIn('/graphql');
    await runOperation(page, 'subscription { auditEvents { after } }');
    const shown = async (): Promise<{ state: string; received: number; newestFirst: { data: { auditEvents: { after: { name: string } } } }[] } | null> => {
      const text = await page.evaluate(() => String(Reflect.get(globalThis, 'document').querySelector('.result-window .CodeMirror')?.CodeMirror.getValue()));
      return text.startsWith('{') ? JSON.parse(text) : null;
    };
    const listening = page.locator('.result-window', { hasText: 'newestFirst' });
    while (!(await listening.isVisible())) await change();
    const names: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      const name = unique('EVENT_').toUpperCase();
      await service.api('POST', '/api/permission', { body: { name, description: '' } });
      names.unshift(name);
    }
    const isListed = async (): Promise<boolean> => (await shown())?.newestFirst[0]?.data.auditEvents.after.name === names[0];
    while (!(await isListed())) await page.evaluate(() => new Promise((resolve) => { Reflect.get(globalThis, 'requestAnimationFrame')(resolve); }));
    const list = await shown();
    expect(list?.newestFirst.slice(0, 5).map(({ data }) => data.auditEvents.after.name)).toEqual(names);
    expect([list?.state, list?.received]).toEqual(['listening', list?.newestFirst.length]);
    await page.click('.graphiql-tab-add');
    await page.waitForSelector('.graphiql-execute-button[aria-label^="Execute"]');
    await change();
    expect(await page.locator('.result-window').innerText()).not.toContain('newestFirst');
  });

  it.each([360, 414])('the pages fit a phone of %i pixels: nothing to scroll sideways, and every control in reach', async (width) => {
    await page.context().close();
    await openPage({ width, height: 740 });
    const reach = async (selector: string): Promise<void> => {
      const box = await page.locator(selector).first().boundingBox();
      expect([selector, box !== null && box.x >= 0 && box.x + box.width <= width && box.width > 20 && box.y >= 0 && box.y + box.height <= 740]).toEqual([selector, true]);
    };
    const isFlat = async (): Promise<void> => {
      expect(await page.evaluate(() => Number(Reflect.get(globalThis, 'document').documentElement.scrollWidth))).toBe(width);
    };
    await page.goto(service.url);
    await isFlat();
    await signedIn('/graphql');
    await isFlat();
    await runOperation(page, '{ me { email } }');
    await result(ADMIN_EMAIL);
    for (const control of ['.graphiql-execute-button', '.graphiql-tab-add', '.graphiql-toggle-editor-tools', '#sign-in button', 'nav a', '.result-window', '.graphiql-sidebar button']) await reach(control);
    expect((await page.locator('.result-window').boundingBox())?.width).toBeGreaterThan(width * 0.8);
    await page.click('.graphiql-sidebar button >> nth=0');
    await page.waitForSelector('.graphiql-doc-explorer');
    expect((await page.locator('.graphiql-plugin').boundingBox())?.width).toBeGreaterThan(width * 0.9);
    await isFlat();
    await page.click('.graphiql-sidebar button >> nth=0');
    await reach('.graphiql-execute-button');
    await open('/docs');
    await isFlat();
    const operation = page.locator('.opblock', { hasText: '/api/user/all' }).first();
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('.execute').click();
    await operation.locator('.live-responses-table').waitFor();
    await isFlat();
  });
});
