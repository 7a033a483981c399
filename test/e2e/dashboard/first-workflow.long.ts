import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import { CHROMIUM, CHROMIUM_OPTIONS, complaintsOf, newPage } from '../../support/browser/browser';
import { onDashboard } from '../../support/browser/dashboard';
import { startMailServer } from '../../support/peers/mail-server';
import type { MailServer } from '../../support/peers/mail-server';
import { remoteSystem } from '../../support/peers/remote-system';
import type { RemoteSystem } from '../../support/peers/remote-system';
import { ROOT } from '../../support/process';
import { startService } from '../../support/service/harness';
import type { TestService } from '../../support/service/harness';
import { until } from '../../support/until';

const ORDERS = [
  { id: 17, article: 'Printer', paid: true },
  { id: 18, article: 'Coffee', paid: true },
];
const TOKEN = 'token-of-the-accounting';

/** With HYPHA_PICTURES=1, updates the screenshots of docs/building.md. */
const picture = async (page: Page, name: string): Promise<void> => {
  if (process.env.HYPHA_PICTURES === '1')
    await page.screenshot({ path: join(ROOT, 'docs', 'images', `${name}.png`) });
};

(CHROMIUM === undefined ? describe.skip : describe)('a new user, only in the dashboard', () => {
  let [mail, orders, accounting]: [MailServer?, RemoteSystem?, RemoteSystem?] = [];
  let service: TestService;
  let browser: Browser;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    [mail, orders, accounting] = await Promise.all([
      startMailServer(),
      remoteSystem(() => ({ body: { orders: ORDERS } })),
      remoteSystem(({ body }) =>
        body.includes('Coffee') ? { status: 422, body: { error: 'unknown article' } } : {},
      ),
    ]);
    // Sockets of other origins than the public address are refused.
    const { HYPHA_PUBLIC_URL: _address, ...env } = mail.env;
    service = await startService({ env });
    browser = await chromium.launch(CHROMIUM_OPTIONS);
    page = await newPage(browser, { viewport: { width: 1440, height: 900 } });
    complaints = complaintsOf(page, service.url);
  });
  afterAll(async () => {
    await browser.close();
    await Promise.all([service.close(), mail?.close(), orders?.close(), accounting?.close()]);
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  const dialog = () => page.getByRole('dialog');
  const isSaved = () => page.locator('.save-saved').waitFor();
  const typeInto = async (name: string, text: string): Promise<void> => {
    await field(name).click();
    await page.keyboard.type(text);
  };
  const addHttpStep = async (plus: number, name: string, url: string): Promise<void> => {
    await button('Add a step here').nth(plus).click();
    await page.locator('.plus-menu li button', { hasText: 'HTTP request' }).click();
    await page.getByLabel('Name of the step').fill(name);
    await typeInto('URL', url);
    await isSaved();
  };
  const pick = (name: RegExp) => page.locator('.picker .tree-value', { hasText: name }).first();

  it('sends each item of a list on with a token, on a schedule, and is mailed when it fails', async () => {
    const dashboard = onDashboard({ page, service });
    await dashboard.open('');
    await page.getByRole('heading', { name: 'Start' }).waitFor();

    await dashboard.openByMenu('Secrets');
    await button('New secret').first().click();
    await dialog().getByLabel('Name').fill('accounting');
    await dialog().getByLabel('Value').fill(TOKEN);
    await dialog()
      .getByLabel(/^Origins/)
      .fill(accounting?.url ?? '');
    await dialog()
      .getByRole('button', { name: /^Create/ })
      .click();
    await dialog().waitFor({ state: 'detached' });

    await dashboard.openByMenu('Workflows');
    await button('New workflow').first().click();
    await field('Title of the workflow').fill('Orders to accounting');
    await addHttpStep(0, 'GetOrders', `${orders?.url}/orders`);
    await button('Test this step only').click();
    await page.locator('.test-strip .state', { hasText: 'Succeeded' }).waitFor();
    await button('Add a step here').nth(1).click();
    await page.locator('.plus-menu li button', { hasText: 'Loop' }).click();
    await button('Insert data into List').click();
    await pick(/^orders/).click();
    await isSaved();
    await addHttpStep(2, 'AddInvoice', `${accounting?.url}/invoices`);
    await page.locator('.address-row select').selectOption('POST');
    await button('Add header').click();
    await page.getByLabel('Name of header 1').fill('Authorization');
    await page.keyboard.press('Tab');
    await typeInto('Value of Authorization', 'Bearer {');
    await pick(/accounting/).click();
    await button('Fields').click();
    await button('Add field').click();
    await page.getByLabel('Name of field 1').fill('article');
    await page.keyboard.press('Tab');
    await typeInto('Value of article', '{');
    await pick(/^article/).click();
    await page.getByText('= Printer').waitFor();
    await isSaved();
    await button('Test').click();
    await page.locator('.test-strip .state', { hasText: 'Failed' }).waitFor();
    await page.locator('.outcome-failed', { hasText: '422' }).first().waitFor();
    expect(accounting?.received.map(({ headers, body }) => [headers.authorization, body])).toEqual([
      [`Bearer ${TOKEN}`, '{"article":"Printer"}'],
      [`Bearer ${TOKEN}`, '{"article":"Coffee"}'],
    ]);
    await picture(page, 'editor');
    await page.setViewportSize({ width: 390, height: 844 });
    await button('Close the step').click();
    await picture(page, 'editor-phone');
    await page.setViewportSize({ width: 1440, height: 900 });

    await page.getByRole('link', { name: 'Choose when it runs' }).click();
    await field('Title').fill('Orders every 5 minutes');
    await page
      .locator('label.field', { hasText: /^Runs/ })
      .locator('select')
      .selectOption({ label: 'Every few minutes' });
    await page.getByText('Every 5 minutes').last().waitFor();
    await button('Create schedule').click();
    await page.getByRole('heading', { name: 'Orders every 5 minutes' }).waitFor();
    const schedule = page.url();

    await dashboard.openByMenu('Notifications');
    await page.getByRole('link', { name: 'Templates', exact: true }).click();
    await button('New template').click();
    await dialog().getByLabel('Name').fill('A run failed');
    await dialog().getByLabel('Subject').first().fill('Orders failed');
    await dialog().getByLabel('Text').first().fill('Look at the run.');
    await dialog().getByRole('button', { name: 'Create template' }).click();
    await page.getByRole('heading', { name: 'A run failed' }).waitFor();

    await page.goto(schedule);
    await button('New notification').click();
    await dialog().getByLabel('Name').fill('Mail me');
    await dialog().locator('select').first().selectOption('ALERT');
    await dialog().locator('select').nth(1).selectOption({ index: 1 });
    await dialog()
      .getByLabel(/^Recipients/)
      .fill('me@example.com');
    await dialog().getByRole('button', { name: 'Create notification' }).click();
    await dialog().waitFor({ state: 'detached' });

    await page.getByRole('button', { name: /^Start now/ }).click();
    await until(() => mail?.mails.find(({ subject }) => subject === 'Orders failed'));
    await page.locator('.state-failed').first().waitFor();
    expect(complaints).toEqual([]);
  });
});
