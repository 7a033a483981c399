import { describeInBrowser } from '../support/browser/browser';
import { onDashboard } from '../support/browser/dashboard';
import { imported, suspendedConnector, TICKETS } from '../support/documents/connector-invokers';
import { gif } from '../support/documents/images';
import { method, saved, workflow } from '../support/documents/workflows';
import { remoteSystem } from '../support/peers/remote-system';
import { unique } from '../support/service/harness';
import { MASTER_PASSWORD } from '../support/service/master-password';

describeInBrowser(
  'the pages of connectors',
  (at) => {
    const dashboard = onDashboard(at);
    const { open, seen, card, button, field, dialog, inDialog, rowWith, checkPage } = dashboard;

    /** A system that accepts the token `right`. */
    const ticketSystem = () =>
      remoteSystem(({ headers }) => ({
        status: headers.authorization === 'Bearer right' ? 200 : 401,
      }));

    it('creates a connector after a test, changes it, and deletes it although it is used', async () => {
      const remote = await ticketSystem();
      const invoker = await imported(at.service);
      const title = unique('Help desk ');
      await open('');
      await dashboard.openByMenu('Connectors');
      await at.page.getByRole('link', { name: 'New connector' }).first().click();
      await at.page.getByLabel('Name').fill(invoker);
      await at.page.getByRole('link', { name: invoker }).click();
      await field('Title').fill(title);
      await field('url').fill('http://127.0.0.1:1');
      await field('token').fill('wrong');
      await checkPage();
      const stages = at.page.getByRole('list', { name: 'Result of the test' });
      await button('Test').click();
      await stages.locator('.state-failed', { hasText: 'Reach the system' }).waitFor();
      await field('url').fill(remote.url);
      await button('Test').click();
      await stages.locator('.state-failed', { hasText: 'Sign in' }).waitFor();
      await field('token').fill('right');
      await button('Test').focus();
      await at.page.keyboard.press('Enter');
      await stages.getByText('The system accepts the credentials.').waitFor();
      await button('Create connector').click();
      await seen('h1', title);
      const id = Number(/connectors\/(\d+)$/.exec(at.page.url())?.[1]);
      expect(await field('token').inputValue()).toBe('');

      const user = unique('Uses the connector ');
      await saved(
        at.service,
        workflow(
          [method('0', '{url}/me', { methodType: 'CONNECTOR', connector: { connectorId: id } })],
          [],
          { title: user },
        ),
      );
      await button('Test').click();
      await stages.getByText('The system accepts the credentials.').waitFor();
      await card('Settings').locator('.card-head', { hasText: 'Accepted' }).waitFor();
      await field('Description').fill('Tickets of the customers');
      await field('Timeout, seconds').fill('2.5');
      await field('Validate certificates').uncheck();
      await button('Save connector').click();
      await seen('.notice', 'The connector was saved.');
      const { connector } = await at.service.data(
        'query($id: ID!) { connector(id: $id) { description timeout sslCert requestData { name stored value } } }',
        { id: String(id) },
      );
      expect(connector).toEqual({
        description: 'Tickets of the customers',
        timeout: 2_500,
        sslCert: true,
        requestData: [
          { name: 'url', stored: true, value: remote.url },
          { name: 'token', stored: true, value: null },
        ],
      });
      await card('Icon').locator('input[type=file]').setInputFiles({
        name: 'icon.gif',
        mimeType: 'image/gif',
        buffer: gif(),
      });
      await button('Upload icon').click();
      await seen('.notice', 'The icon was saved.');
      await at.page.reload();
      await card('Used by').getByRole('link', { name: user }).waitFor();
      await checkPage();

      await button('Delete connector').click();
      await dialog().getByRole('link', { name: user }).waitFor();
      expect(await dashboard.findings()).toEqual([]);
      await dialog().getByRole('checkbox').check();
      await inDialog('Delete connector').click();
      await seen('.notice', `${title}`);
      await seen('h1', 'Connectors');
      await rowWith(title).waitFor({ state: 'detached' });
      await remote.close();
    });

    it('asks for the master password when saved values would be sent elsewhere', async () => {
      const remote = await ticketSystem();
      const moved = await ticketSystem();
      const invoker = await imported(at.service);
      const { connectorCreate } = await at.service.data(
        'mutation($input: ConnectorCreateInput!) { connectorCreate(input: $input) { connector { databaseId } } }',
        {
          input: {
            title: unique('Moved '),
            invokerName: invoker,
            requestData: [
              { name: 'url', value: remote.url },
              { name: 'token', value: 'right' },
            ],
          },
        },
      );
      await open(`connectors/${connectorCreate.connector.databaseId}`);
      await field('url').fill(moved.url);
      await button('Test').click();
      await at.page.getByText('(status 401). Saved hidden values are not sent').waitFor();
      moved.forget();
      await button('Save connector').click();
      await seen('.problem', 'would send the field "token" to another origin');
      await field('Master password').fill('not the master password');
      await button('Save connector').click();
      await seen('.problem', 'master password');
      await field('Master password').fill(MASTER_PASSWORD);
      await button('Save connector').click();
      await seen('.notice', 'The connector was saved.');
      expect(await field('Master password').count()).toBe(0);
      expect(await field('token').inputValue()).toBe('');
      await button('Test').click();
      await at.page.getByText('The system accepts the credentials.').waitFor();
      expect(moved.received).toHaveLength(1);

      const suspended = await suspendedConnector(at.service, TICKETS);
      await open(`connectors/${suspended}`);
      await card('Credentials need confirmation').getByText('http://127.0.0.2:9').waitFor();
      await checkPage();
      await button('Confirm credentials').click();
      await dialog().getByLabel('Master password').fill(MASTER_PASSWORD);
      await inDialog('Confirm credentials').click();
      await seen('.notice', 'The credentials were confirmed.');
      await card('Credentials need confirmation').waitFor({ state: 'detached' });
      await Promise.all([remote.close(), moved.close()]);
    });

    it('deletes the selected connectors, and asks before unsaved changes are left', async () => {
      const invoker = await imported(at.service);
      const titles = [unique('Selected '), unique('Selected '), unique('Other ')];
      for (const title of titles)
        await at.service.api('POST', '/api/connector', {
          body: { title, invoker: { name: invoker }, requestData: { url: 'x', token: 'x' } },
        });
      await open(`connectors?invoker=${encodeURIComponent(invoker)}`);
      await rowWith(titles[2] ?? '').waitFor();
      await field('Select all on this page').check();
      await at.page.getByText('3 selected').waitFor();
      await field(`Select connector ${titles[2]}`).uncheck();
      await checkPage();
      await button('Delete').click();
      await inDialog('Delete').click();
      await seen('.notice', 'Deleted 2 connectors.');
      await rowWith(titles[0] ?? '').waitFor({ state: 'detached' });
      expect(await rowWith('Other').count()).toBe(1);

      await at.page.getByRole('link', { name: titles[2] ?? '' }).click();
      await field('Title').fill('Changed');
      await dashboard.openByMenu('Runs');
      await inDialog('Stay').click();
      await seen('h1', titles[2] ?? '');
      await at.page.goBack();
      await inDialog('Stay').click();
      expect(await field('Title').inputValue()).toBe('Changed');
      await at.page.goBack();
      await inDialog('Leave without saving').click();
      await seen('h1', 'Connectors');
      await button(`Invoker ${invoker}: show all invokers`).waitFor();
    });
  },
  { env: { HYPHA_CONNECTOR_MASTER_PASSWORD: MASTER_PASSWORD } },
);
