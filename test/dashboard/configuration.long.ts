import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeInBrowser } from '../support/browser/browser';
import { onDashboard } from '../support/browser/dashboard';
import { MASTER_PASSWORD } from '../support/service/master-password';

const FILE = `# Configuration of the service.

server:
  port: 8080   # behind the proxy
#  ssl:
#    key-alias: tomcat
spring:
  mail:
    host: smtp.example.com
    password: "planted secret"
hypha:
  # Seconds without a request.
  token:
    activity-time: 18000
  cors:
    origins:
      - https://a.example
`;

describeInBrowser('the page System configuration', (at) => {
  const dashboard = onDashboard(at);
  const { open, seen } = dashboard;
  const row = (text: string) => at.page.locator('tbody tr', { hasText: text });
  const dialog = () => at.page.getByRole('dialog');
  const save = () => dialog().getByRole('button', { name: 'Save', exact: true }).click();
  const path = () => join(at.service.dataDir, 'src/main/resources/application.yml');
  const write = async (text: string): Promise<void> => {
    // The first change creates the file with its directory.
    await at.service.api('PATCH', '/api/application-config', {
      body: { fields: [{ path: 'hypha.log.level', value: 'info' }] },
    });
    writeFileSync(path(), text);
  };

  it('shows keys with their meaning, changes them, and restores a backup', async () => {
    await write(FILE);
    await open('configuration');
    await seen('h1', 'System configuration');
    await row('Port of the service.').waitFor();
    expect(await at.page.locator('body').innerText()).not.toContain('planted secret');
    await row('Port of the service.').getByRole('button', { name: 'Edit' }).click();
    await dialog().getByLabel('Value').fill('70000');
    await save();
    await dialog()
      .getByText(/could not start with this configuration/)
      .waitFor();
    await dialog().getByLabel('Value').fill('9090');
    await save();
    await seen('.notice', 'restart of the service');
    await seen('h2', 'Restart needed');
    expect(readFileSync(path(), 'utf8')).toBe(FILE.replace('8080', '9090'));
    await at.page.getByLabel('Search').fill('inactivity');
    await seen('.blank-title', 'No keys');
    await at.page.getByLabel('Search').fill('key-alias');
    await row('key-alias').waitFor();
    await at.page
      .getByRole('button', { name: /^Restore/ })
      .first()
      .click();
    await at.page
      .locator('dialog[open]')
      .getByRole('button', { name: 'Restore', exact: true })
      .click();
    // The restored file was backed up before.
    await at.page
      .getByRole('button', { name: /^Restore/ })
      .nth(1)
      .waitFor();
    expect(readFileSync(path(), 'utf8')).toBe(FILE);
    expect(await dashboard.findings()).toEqual([]);
  });

  it('adds a known key, and an unknown one only after a second yes', async () => {
    const addKey = async (key: string, value: string): Promise<void> => {
      await at.page.getByRole('button', { name: 'Add key' }).click();
      await dialog().getByLabel('Key', { exact: true }).fill(key);
      await dialog().getByLabel('Value').fill(value);
    };
    const add = () => dialog().getByRole('button', { name: 'Add key' }).click();
    const secondYes = () => dialog().getByLabel(/Add it although/);
    await write(FILE);
    await open('configuration');
    await addKey('hypha.own.cancelled', 'x');
    await secondYes().waitFor();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().waitFor({ state: 'hidden' });
    expect(readFileSync(path(), 'utf8')).toBe(FILE);

    await addKey('hypha.own.key', 'x');
    await add();
    // The browser asks for the second yes.
    expect(await secondYes().evaluate((box) => box.matches(':invalid'))).toBe(true);
    expect(readFileSync(path(), 'utf8')).toBe(FILE);
    await secondYes().check();
    await add();
    await dialog().waitFor({ state: 'hidden' });
    const withUnknown = `${FILE}  own:\n    key: x\n`;
    expect(readFileSync(path(), 'utf8')).toBe(withUnknown);

    await addKey('hypha.run.timeout', '600000');
    await dialog().getByText('HYPHA_RUN_TIMEOUT').waitFor();
    expect(await secondYes().count()).toBe(0);
    await add();
    await dialog().waitFor({ state: 'hidden' });
    expect(readFileSync(path(), 'utf8')).toBe(`${withUnknown}  run:\n    timeout: 600000\n`);
  });
});

describeInBrowser(
  'the page System configuration of a service with a master password',
  (at) => {
    const { open } = onDashboard(at);
    const password = () => at.page.getByRole('textbox', { name: 'Master password' });

    it('is shown once the master password was entered', async () => {
      await open('configuration');
      await password().fill('wrong');
      await at.page.keyboard.press('Enter');
      await at.page.getByText('The master password is wrong.').waitFor();
      await password().fill(MASTER_PASSWORD);
      await at.page.keyboard.press('Enter');
      await at.page.getByRole('button', { name: 'Add key' }).waitFor();
      expect(await password().count()).toBe(0);
    });
  },
  { env: { HYPHA_CONNECTOR_MASTER_PASSWORD: MASTER_PASSWORD } },
);
