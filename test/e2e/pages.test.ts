import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import { CHROMIUM, CHROMIUM_OPTIONS, complaintsOf, runOperation, signIn as fillIn } from '../support/browser';
import { ADMIN_EMAIL, ADMIN_PASSWORD, startService } from '../support/harness';
import type { TestService } from '../support/harness';

const inBrowser = CHROMIUM === undefined ? describe.skip : describe;

inBrowser(`the pages in a browser${CHROMIUM === undefined ? ' (skipped: chromium is not installed)' : ''}`, () => {
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
  beforeEach(async () => {
    page = await browser.newPage();
    complaints = complaintsOf(page, service.url);
  });
  afterEach(async () => {
    await page.close();
    expect([...complaints, ...service.logs.filter(({ level }) => level === 'error')]).toEqual([]);
  });

  const signIn = (password: string): Promise<void> => fillIn(page, ADMIN_EMAIL, password);

  it('the start page leads to the tools', async () => {
    await page.goto(service.url);
    await page.click('a[href="/docs"]');
    await page.waitForSelector('.opblock');
    await page.click('nav a[href="/graphql"]');
    await page.waitForSelector('.graphiql-container');
  });

  it('the API browser offers requests that work as they stand, and shows what failures say', async () => {
    await page.goto(`${service.url}/docs`);
    await page.waitForSelector('.opblock');
    await signIn(ADMIN_PASSWORD);
    await page.waitForSelector('#sign-in[data-state=signed-in]');
    await page.click('#operations-User_groups-putRoleById .opblock-summary-control');
    const operation = page.locator('#operations-User_groups-putRoleById');
    expect(await operation.locator('input[placeholder=id]').inputValue()).toBe('2');
    expect(JSON.parse(await operation.locator('textarea').inputValue())).toEqual({ name: 'User' });
    await operation.locator('.execute').click();
    await operation.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor();
    expect(await operation.locator('.responses-table:not(.live-responses-table)').innerText()).toContain('There is no group 4711.');
  });

  it('the API browser calls the service it came from, whatever the public address is', async () => {
    const elsewhere = await startService({ env: { HYPHA_PUBLIC_URL: 'https://hypha.example.com' } });
    try {
      const other = await browser.newPage();
      await other.goto(`${elsewhere.url}/docs`);
      await other.click('#operations-System-getHealthzAtRoot .opblock-summary-control');
      const answered = other.waitForResponse((response) => response.url().endsWith('/healthz'));
      await other.click('#operations-System-getHealthzAtRoot .execute');
      expect((await answered).url()).toBe(`${elsewhere.url}/healthz`);
      await other.close();
    } finally {
      await elsewhere.close();
    }
  });

  it('the API browser signs in, and calls an operation with the token', async () => {
    await page.goto(`${service.url}/docs`);
    await page.waitForSelector('.opblock');
    await signIn('not the password');
    await page.waitForSelector('#sign-in[data-state=failed]');
    await signIn(ADMIN_PASSWORD);
    await page.waitForSelector('#sign-in[data-state=signed-in]');
    const operation = page.locator('.opblock', { hasText: '/api/user/all' });
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('.execute').click();
    const answer = operation.locator('.live-responses-table');
    await answer.waitFor();
    expect(await answer.innerText()).toContain(ADMIN_EMAIL);
    await page.click('#sign-in button');
    await page.waitForSelector('#sign-in[data-state=signed-out]');
    await operation.locator('.execute').click();
    await operation.locator('.live-responses-table', { hasText: 'ACCESS_DENIED' }).waitFor();
  });

  const run = (operation: string): Promise<void> => runOperation(page, operation);
  const result = (text: string) => page.locator('.result-window', { hasText: text }).waitFor();

  it('GraphiQL knows the schema, signs in, queries, and follows a subscription over the socket', async () => {
    await page.goto(`${service.url}/graphql`);
    await page.waitForSelector('.graphiql-container');
    await run('{ auditEvents { nodes { action } } }');
    await result('UNAUTHENTICATED');
    await signIn(ADMIN_PASSWORD);
    await page.waitForSelector('#sign-in[data-state=signed-in]');
    await run('{ auditEvents(first: 1) { nodes { __typename } } }');
    await result('AuditEvent');
    const subscribed = new Promise<void>((resolve) => {
      page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => { if (String(payload).includes('"subscribe"')) resolve(); }));
    });
    await run('subscription { auditEvents { action } }');
    await subscribed;
    // The server may still be reading the frame when the first change comes.
    const seen = page.locator('.result-window', { hasText: 'permission' });
    for (let change = 1; !(await seen.isVisible()); change++) {
      await service.api('POST', '/api/permission', { body: { name: `SEEN_LIVE_${change}`, description: '' } });
    }
  });
});
