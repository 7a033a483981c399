import { describeInBrowser, openOperation, runOperation, signIn } from '../support/browser/browser';
import { saved, started, workflow } from '../support/documents/workflows';
import { ended } from '../support/service/watch';
import { ADMIN_EMAIL, ADMIN_PASSWORD, unique } from '../support/service/harness';

describeInBrowser('the API pages', (at) => {
  const state = (name: string) => at.page.waitForSelector(`#sign-in[data-state=${name}]`);
  const signedIn = async (): Promise<void> => {
    await at.page.goto(`${at.service.url}/graphql`);
    await at.page.waitForSelector('.graphiql-query-editor .CodeMirror');
    await signIn(at.page, ADMIN_EMAIL, ADMIN_PASSWORD);
    await state('signed-in');
  };
  const readStorage = (storage: 'sessionStorage' | 'localStorage') =>
    at.page.evaluate((name) => JSON.stringify(Reflect.get(globalThis, name)), storage);
  const token = async (): Promise<string> =>
    /Bearer [\w.-]+/.exec(await readStorage('sessionStorage'))?.[0] ?? 'none';
  const result = (text: string) => at.page.locator('.result-window', { hasText: text }).waitFor();
  const change = () =>
    at.service.api('POST', '/api/permission', {
      body: { name: unique('CHANGE_').toUpperCase(), description: '' },
    });

  it('share one sign-in across the API browser, GraphiQL tabs and reloads', async () => {
    await at.page.goto(at.service.url);
    await at.page.click('a[href="/docs"]');
    await at.page.waitForSelector('.opblock');
    await signIn(at.page, ADMIN_EMAIL, 'not the password');
    await state('failed');
    await signIn(at.page, ADMIN_EMAIL, ADMIN_PASSWORD);
    await state('signed-in');
    // The example request works unchanged, and error responses are documented.
    const operation = await openOperation(at.page, '/api/role/{id}', 'User_groups-putRoleById');
    expect(await operation.locator('input[placeholder=id]').inputValue()).toBe('2');
    expect(JSON.parse(await operation.locator('textarea').inputValue())).toEqual({ name: 'User' });
    await operation.locator('.execute').click();
    await operation
      .locator('.live-responses-table .response-col_status', { hasText: '200' })
      .waitFor();
    expect(
      await operation.locator('.responses-table:not(.live-responses-table)').innerText(),
    ).toContain('There is no group 4711.');
    await at.service.api('POST', '/api/auth/logout', { token: await token() });
    await operation.locator('.execute').click();
    await state('ended');
    await signIn(at.page, ADMIN_EMAIL, ADMIN_PASSWORD);
    await state('signed-in');
    await at.page.click('nav a[href="/graphql"]');
    await at.page.waitForSelector('.graphiql-query-editor .CodeMirror');
    await state('signed-in');
    for (const field of ['email', 'databaseId']) {
      await at.page.click('.graphiql-tab-add');
      await runOperation(at.page, `{ me { ${field} __typename } }`);
      await result(`"${field}"`);
    }
    await at.page.reload();
    await at.page.waitForSelector('.graphiql-query-editor .CodeMirror');
    await at.page.click('.graphiql-execute-button');
    await result('"databaseId"');
    // The editor of headers may name another user.
    const other = await at.service.userWith(['USER:READ']);
    await at.page.click('.graphiql-editor-tools button:has-text("Headers")');
    await at.page
      .locator('.graphiql-editor-tool .graphiql-editor:not(.hidden) .CodeMirror')
      .click();
    await at.page.keyboard.insertText(JSON.stringify({ authorization: other.token }));
    await runOperation(at.page, '{ me { email } }');
    await result(other.email);
  });

  it('open GraphiQL with five tabs that work, and keep the tabs of the user', async () => {
    const workflowId = await saved(at.service, workflow([]));
    const runId = await started(at.service, workflowId);
    await ended(at.service, runId);
    await signedIn();
    expect(await at.page.locator('#sign-in output').innerText()).toBe(
      `Signed in as ${ADMIN_EMAIL}`,
    );
    expect(await at.page.locator('nav a[href="/dashboard"]').innerText()).toBe('Dashboard');
    const tabs = at.page.locator('.graphiql-tab-button');
    const names = ['Me', 'Workflows', 'RunWorkflow', 'WatchRun', 'UsersWithGroups'];
    await at.page.waitForFunction(
      (count) =>
        Reflect.get(globalThis, 'document').querySelectorAll('.graphiql-tab-button').length ===
        count,
      names.length,
    );
    expect(await tabs.allInnerTexts()).toEqual(names);
    const results = [
      '"name": "Admin"',
      '"steps": []',
      '"state": "QUEUED"',
      '"stepCount": 0',
      '"lastLogin"',
    ];
    for (const [nth, text] of results.entries()) {
      await tabs.nth(nth).click();
      // GraphiQL parses the document after a debounce.
      if (nth > 0)
        await at.page.waitForFunction(
          (name) =>
            Reflect.get(globalThis, 'localStorage').getItem('graphiql:operationName') === name,
          names[nth],
        );
      await at.page.click('.graphiql-execute-button');
      await result(text);
    }
    await at.page.click('.graphiql-tab-add');
    await runOperation(at.page, 'query Own { __typename }');
    await result('"Query"');
    // GraphiQL stores its tabs after a debounce.
    await at.page.waitForFunction(() =>
      Reflect.get(globalThis, 'localStorage').getItem('graphiql:tabState')?.includes('query Own'),
    );
    await at.page.reload();
    await at.page.waitForSelector('.graphiql-query-editor .CodeMirror');
    expect(await tabs.allInnerTexts()).toEqual([...names, 'Own']);
  });

  it('keep the token hidden and in this browser tab only, until sign-out ends the session', async () => {
    await signedIn();
    const authorization = await token();
    const secret = authorization.replace('Bearer ', '');
    expect(secret.length).toBeGreaterThan(20);
    await at.page.click('.graphiql-editor-tools button:has-text("Headers")');
    await runOperation(at.page, '{ me { email } }');
    await result(ADMIN_EMAIL);
    await at.page.click('.graphiql-tab-add');
    expect(await readStorage('localStorage')).not.toContain(secret);
    expect(await at.page.content()).not.toContain(secret);
    expect(await at.page.locator('.graphiql-editor-tool').innerText()).not.toContain('Bearer');
    expect((await at.service.api('GET', '/api/user/all', { token: authorization })).status).toBe(
      200,
    );
    const left = at.page.waitForResponse((response) => response.url().endsWith('/api/auth/logout'));
    await at.page.click('#sign-in button');
    await left;
    await state('signed-out');
    expect(await token()).toBe('none');
    expect(
      (await at.service.api('GET', '/api/user/all', { token: authorization })).body.message,
    ).toBe('ACCESS_DENIED');
  });

  it('ask for sign-in when the session ends, after a request and on a socket', async () => {
    await signedIn();
    await at.service.api('POST', '/api/auth/logout', { token: await token() });
    await runOperation(at.page, '{ auditEvents(first: 1) { nodes { action } } }');
    await state('ended');
    expect(await at.page.locator('#sign-in output').innerText()).toBe(
      'Your session has ended. Sign in again.',
    );
    expect(await at.page.locator('#sign-in [name=password]').isVisible()).toBe(true);
    expect(await token()).toBe('none');

    await signIn(at.page, ADMIN_EMAIL, ADMIN_PASSWORD);
    await state('signed-in');
    await runOperation(at.page, 'subscription { auditEvents { action } }');
    const listening = at.page.locator('.result-window', { hasText: 'newestFirst' });
    while (!(await listening.isVisible())) await change();
    await at.service.api('POST', '/api/auth/logout', { token: await token() });
    await state('ended');
  });

  it('show all events of a subscription, newest first, until its tab is closed', async () => {
    await signedIn();
    await runOperation(at.page, 'subscription { auditEvents { after } }');
    const shown = async (): Promise<{
      state: string;
      received: number;
      newestFirst: { data: { auditEvents: { after: { name: string } } } }[];
    } | null> => {
      const text = await at.page.evaluate(() =>
        String(
          Reflect.get(globalThis, 'document')
            .querySelector('.result-window .CodeMirror')
            ?.CodeMirror.getValue(),
        ),
      );
      return text.startsWith('{') ? JSON.parse(text) : null;
    };
    const listening = at.page.locator('.result-window', { hasText: 'newestFirst' });
    while (!(await listening.isVisible())) await change();
    const names: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      const name = unique('EVENT_').toUpperCase();
      await at.service.api('POST', '/api/permission', { body: { name, description: '' } });
      names.unshift(name);
    }
    const isListed = async (): Promise<boolean> =>
      (await shown())?.newestFirst[0]?.data.auditEvents.after.name === names[0];
    while (!(await isListed()))
      await at.page.evaluate(
        () =>
          new Promise((resolve) => {
            Reflect.get(globalThis, 'requestAnimationFrame')(resolve);
          }),
      );
    const list = await shown();
    expect(list?.newestFirst.slice(0, 5).map(({ data }) => data.auditEvents.after.name)).toEqual(
      names,
    );
    expect([list?.state, list?.received]).toEqual(['listening', list?.newestFirst.length]);
    await at.page.click('.graphiql-tab-add');
    await at.page.waitForSelector('.graphiql-execute-button[aria-label^="Execute"]');
    await change();
    expect(await at.page.locator('.result-window').innerText()).not.toContain('newestFirst');
  });

  it('fit a phone without horizontal scrolling and with every control in reach', async () => {
    const width = 360;
    await at.openPage({ width, height: 740 });
    const reach = async (selector: string): Promise<void> => {
      const box = await at.page.locator(selector).first().boundingBox();
      expect([
        selector,
        box !== null &&
          box.x >= 0 &&
          box.x + box.width <= width &&
          box.width > 20 &&
          box.y >= 0 &&
          box.y + box.height <= 740,
      ]).toEqual([selector, true]);
    };
    const isFlat = async (): Promise<void> => {
      expect(
        await at.page.evaluate(() =>
          Number(Reflect.get(globalThis, 'document').documentElement.scrollWidth),
        ),
      ).toBe(width);
    };
    await at.page.goto(at.service.url);
    await isFlat();
    await signedIn();
    await isFlat();
    await runOperation(at.page, '{ me { email } }');
    await result(ADMIN_EMAIL);
    for (const control of [
      '.graphiql-execute-button',
      '.graphiql-tab-add',
      '.graphiql-toggle-editor-tools',
      '#sign-in button',
      'nav a',
      '.result-window',
      '.graphiql-sidebar button',
    ])
      await reach(control);
    expect((await at.page.locator('.result-window').boundingBox())?.width).toBeGreaterThan(
      width * 0.8,
    );
    await at.page.click('.graphiql-sidebar button >> nth=0');
    await at.page.waitForSelector('.graphiql-doc-explorer');
    expect((await at.page.locator('.graphiql-plugin').boundingBox())?.width).toBeGreaterThan(
      width * 0.9,
    );
    await isFlat();
    await at.page.click('.graphiql-sidebar button >> nth=0');
    await reach('.graphiql-execute-button');
  });
});
