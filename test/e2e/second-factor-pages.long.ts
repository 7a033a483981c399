import { readFileSync } from 'node:fs';
import { accounts, codeOf } from '../support/calls/account-calls';
import { describeInBrowser, signIn } from '../support/browser/browser';
import { onDashboard } from '../support/browser/dashboard';

describeInBrowser('a sign-in with a second factor', (at) => {
  const dashboard = onDashboard(at);
  const protectedUser = () =>
    accounts(at.service).protectedUser(['MYPROFILE:READ', 'CONNECTION:READ']);

  it.each([
    ['/graphql', '.graphiql-query-editor .CodeMirror'],
    ['/docs', '.opblock'],
  ])('asks for a code on %s', async (path, ready) => {
    const { email, password, recoveryCodes } = await protectedUser();
    await at.page.goto(at.service.url + path);
    await at.page.waitForSelector(ready);
    await signIn(at.page, email, password);
    await at.page.waitForSelector('#sign-in[data-state=code]');
    await at.page.fill('#sign-in [name=code]', 'no such code');
    await at.page.click('#sign-in button');
    await at.page.waitForSelector('#sign-in[data-state=failed]');
    await at.page.fill('#sign-in [name=code]', recoveryCodes[0] ?? '');
    await at.page.click('#sign-in button');
    await at.page.waitForSelector('#sign-in[data-state=signed-in]');
    // The pages share the session.
    await at.page.goto(`${at.service.url}/dashboard/account`);
    await dashboard.seen('.heading', email);
  });

  it('asks for a code on the dashboard', async () => {
    const { email, password, recoveryCodes } = await protectedUser();
    await at.page.goto(`${at.service.url}/dashboard/account`);
    await dashboard.signIn(email, password);
    await at.page.fill('[name=code]', 'no such code');
    await at.page.click('button[type=submit]');
    await at.page.locator('[role=alert]', { hasText: 'code' }).waitFor();
    await at.page.fill('[name=code]', recoveryCodes[1] ?? '');
    await at.page.click('button[type=submit]');
    await dashboard.seen('.heading', email);
  });

  it('sets up a required app on the dashboard, and shows the recovery codes once', async () => {
    const user = await at.service.userWith(['MYPROFILE:READ']);
    await at.service.data(
      'mutation($id: ID!) { userSecondFactorRequire(input: { id: $id }) { userErrors { code } } }',
      { id: String(user.id) },
    );
    await at.page.goto(`${at.service.url}/dashboard/account`);
    const lookOf = (selector: string) =>
      at.page.locator(selector).evaluate((element) => ({
        width: element.getBoundingClientRect().width,
        colour: Reflect.get(globalThis, 'getComputedStyle')(element).backgroundColor,
      }));
    const submit = await lookOf('button[type=submit]');
    for (const field of ['[name=email]', '[name=password]'])
      expect([field, (await lookOf(field)).width]).toEqual([field, submit.width]);
    await dashboard.signIn(user.email, user.password);
    await at.page.getByAltText('QR code of the key').waitFor();
    expect((await lookOf('[name=code]')).width).toBe(submit.width);
    expect(await lookOf('button:text-is("Confirm")')).toEqual(submit);
    expect((await lookOf('button:text-is("Back")')).colour).not.toBe(submit.colour);
    const secretKey = (await at.page.locator('.secret-key').innerText()).replaceAll(/\s/g, '');
    await at.page.fill('[name=code]', codeOf(secretKey));
    await at.page.click('button[type=submit]');
    const codes = at.page.locator('.recovery-codes code');
    await codes.first().waitFor();
    expect(await codes.count()).toBe(10);
    const text = `${(await codes.allInnerTexts()).join('\n')}\n`;
    const [file] = await Promise.all([
      at.page.waitForEvent('download'),
      at.page.getByRole('link', { name: 'Download' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('hypha-recovery-codes.txt');
    expect(readFileSync(await file.path(), 'utf8')).toBe(text);
    await at.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await at.page.getByRole('button', { name: 'Copy' }).click();
    await dashboard.seen('[role=status]', 'Copied.');
    expect(
      await at.page.evaluate(() => Reflect.get(globalThis, 'navigator').clipboard.readText()),
    ).toBe(text);
    expect(await dashboard.findings()).toEqual([]);
    await at.page.getByRole('button', { name: 'Continue' }).click();
    await dashboard.seen('.heading', user.email);
    const { user: changed } = await at.service.data(
      'query($id: ID!) { user(id: $id) { secondFactor } }',
      { id: String(user.id) },
    );
    expect(changed.secondFactor).toBe('ON');
  });
});
