import { until } from '../support/until';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';
import { CHROMIUM, CHROMIUM_OPTIONS, complaintsOf, newPage } from '../support/browser/browser';
import { startService } from '../support/service/harness';
import type { TestService } from '../support/service/harness';
import { startMailServer } from '../support/peers/mail-server';
import { freePort } from '../support/process';
import { openForTests } from '../support/open-for-tests';

const NEW = 'a new and long password';
const inBrowser = CHROMIUM === undefined ? it.skip : it;
let service: TestService;
let browser: Browser | undefined;
const mail = openForTests(startMailServer);
beforeAll(async () => {
  const port = String(await freePort());
  const env = { ...mail.env, PORT: port, HYPHA_PUBLIC_URL: `http://127.0.0.1:${port}` };
  service = await startService({ env });
  if (CHROMIUM !== undefined) browser = await chromium.launch(CHROMIUM_OPTIONS);
});
afterAll(async () => {
  await service.close();
  await browser?.close();
});

inBrowser('a user sets a new password with the link of the mail, once', async () => {
  const user = await service.userWith([]);
  const body = { email: user.email };
  await service.api('POST', '/api/auth/forgot-password', { token: null, body });
  const { text } = await until(() => mail.mails.at(0));
  const link = /http:\S+/.exec(text)?.[0] ?? '';
  const page = await newPage(browser!);
  const complaints = complaintsOf(page, service.url);

  const submit = async (first: string, second: string, shown: string): Promise<void> => {
    await page.fill('[name=newPassword]', first);
    await page.fill('[name=confirmPassword]', second);
    await page.click('button');
    await page.locator('[role=status]', { hasText: shown }).waitFor();
  };
  await page.goto(link);
  await page.waitForURL(`${service.url}/set-password`);
  await submit(NEW, 'something else', 'The two passwords differ.');
  await submit(NEW, NEW, 'The password was set. Sign in with it.');
  expect(await page.locator('button').isDisabled()).toBe(true);
  await expect(service.login(user.email, NEW)).resolves.toContain('Bearer');

  await page.goto(link);
  await submit(NEW, NEW, 'This link was used or has expired.');
  await page.goto(`${service.url}/set-password`);
  await page.locator('[role=status]', { hasText: 'This link was used or has expired.' }).waitFor();
  expect(complaints).toEqual([]);
  await page.context().close();
});

inBrowser.each(['/dashboard', '/docs', '/graphql'])(
  'a user who forgot the password asks for a link from %s',
  async (path) => {
    const user = await service.userWith([]);
    const page = await newPage(browser!);
    await page.goto(service.url + path);
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await page.waitForURL(`${service.url}/forgot-password`);
    const complaints = complaintsOf(page, service.url);
    await page.fill('[name=email]', user.email);
    await page.click('button');
    await page.locator('[role=status]', { hasText: 'a mail with a link is on its way' }).waitFor();
    const { text } = await until(() => mail.mails.find(({ to }) => to[0] === user.email));
    await page.goto(/http:\S+/.exec(text)?.[0] ?? '');
    await page.fill('[name=newPassword]', NEW);
    await page.fill('[name=confirmPassword]', NEW);
    await page.click('button');
    await page.locator('[role=status]', { hasText: 'The password was set.' }).waitFor();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.waitForURL(`${service.url}/dashboard`);
    expect(complaints).toEqual([]);
    await page.context().close();
  },
);
