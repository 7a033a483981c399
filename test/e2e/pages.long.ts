import { describeInBrowser, openOperation, runOperation, signIn as fillIn } from '../support/browser';
import { ADMIN_EMAIL, ADMIN_PASSWORD, startService } from '../support/harness';

describeInBrowser('the pages in a browser', (at) => {
  const signIn = (password: string): Promise<void> => fillIn(at.page, ADMIN_EMAIL, password);

  it('the start page leads to the tools', async () => {
    await at.page.goto(at.service.url);
    await at.page.click('a[href="/docs"]');
    await at.page.waitForSelector('.opblock');
    await at.page.click('nav a[href="/graphql"]');
    await at.page.waitForSelector('.graphiql-container');
  });

  it('the API browser offers requests that work as they stand, and shows what failures say', async () => {
    await at.page.goto(`${at.service.url}/docs`);
    await at.page.waitForSelector('.opblock');
    await signIn('not the password');
    await at.page.waitForSelector('#sign-in[data-state=failed]');
    await signIn(ADMIN_PASSWORD);
    await at.page.waitForSelector('#sign-in[data-state=signed-in]');
    const operation = await openOperation(at.page, '/api/role/{id}', 'User_groups-putRoleById');
    expect(await operation.locator('input[placeholder=id]').inputValue()).toBe('2');
    expect(JSON.parse(await operation.locator('textarea').inputValue())).toEqual({ name: 'User' });
    await operation.locator('.execute').click();
    await operation.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor();
    expect(await operation.locator('.responses-table:not(.live-responses-table)').innerText()).toContain('There is no group 4711.');
  });

  it('the API browser calls the service it came from, whatever the public address is', async () => {
    const elsewhere = await startService({ env: { HYPHA_PUBLIC_URL: 'https://hypha.example.com' } });
    try {
      const other = await at.browser.newPage();
      await other.goto(`${elsewhere.url}/docs`);
      const operation = await openOperation(other, '/healthz', 'System-getHealthzAtRoot');
      const answered = other.waitForResponse((response) => response.url().endsWith('/healthz'));
      await operation.locator('.execute').click();
      expect((await answered).url()).toBe(`${elsewhere.url}/healthz`);
      await other.close();
    } finally {
      await elsewhere.close();
    }
  });

  const run = (operation: string): Promise<void> => runOperation(at.page, operation);
  const result = (text: string) => at.page.locator('.result-window', { hasText: text }).waitFor();

  it('GraphiQL knows the schema, signs in, queries, and follows a subscription over the socket', async () => {
    await at.page.goto(`${at.service.url}/graphql`);
    await at.page.waitForSelector('.graphiql-container');
    await run('{ auditEvents { nodes { action } } }');
    await result('UNAUTHENTICATED');
    await signIn(ADMIN_PASSWORD);
    await at.page.waitForSelector('#sign-in[data-state=signed-in]');
    await run('{ auditEvents(first: 1) { nodes { __typename } } }');
    await result('AuditEvent');
    const subscribed = new Promise<void>((resolve) => {
      at.page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => { if (String(payload).includes('"subscribe"')) resolve(); }));
    });
    await run('subscription { auditEvents { action } }');
    await subscribed;
    // The server may still be reading the frame when the first change comes.
    const seen = at.page.locator('.result-window', { hasText: 'permission' });
    for (let change = 1; !(await seen.isVisible()); change++) {
      await at.service.api('POST', '/api/permission', { body: { name: `SEEN_LIVE_${change}`, description: '' } });
    }
  });
});
