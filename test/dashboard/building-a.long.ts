import { describeInBrowser } from '../support/browser/browser';
import { onDashboard } from '../support/browser/dashboard';
import { imported, suspendedConnector, TICKETS } from '../support/documents/connector-invokers';
import { invokerXml, usingInvoker } from '../support/documents/invokers';
import { gif } from '../support/documents/images';
import { method, saved, workflow } from '../support/documents/workflows';
import { remoteSystem } from '../support/peers/remote-system';
import { unique } from '../support/service/harness';
import { MASTER_PASSWORD } from '../support/service/master-password';

describeInBrowser(
  'the pages of what workflows are built from',
  (at) => {
    const dashboard = onDashboard(at);
    const { open, seen } = dashboard;
    const card = (title: string) =>
      at.page.locator('section.card', {
        has: at.page.getByRole('heading', { name: title, exact: true }),
      });
    const button = (name: string) => at.page.getByRole('button', { name, exact: true });
    const field = (name: string) => at.page.getByLabel(name, { exact: true });
    const dialog = () => at.page.getByRole('dialog');
    const inDialog = (name: string) => dialog().getByRole('button', { name, exact: true });
    const row = (text: string) => at.page.locator('tbody tr', { hasText: text });
    /** Checks a page with axe, also at 360 px. */
    const checkPage = async (): Promise<void> => {
      expect(await dashboard.findings()).toEqual([]);
      await at.page.setViewportSize({ width: 360, height: 740 });
      expect(await dashboard.sidewaysScroll()).toBe(0);
      expect(await dashboard.findings()).toEqual([]);
      await at.page.setViewportSize({ width: 1280, height: 800 });
    };

    describe('connectors', () => {
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
        await at.page.locator('nav a', { hasText: 'Connectors' }).click();
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
        await row(title).waitFor({ state: 'detached' });
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
        await row(titles[2] ?? '').waitFor();
        await field('Select all on this page').check();
        await at.page.getByText('3 selected').waitFor();
        await field(`Select connector ${titles[2]}`).uncheck();
        await checkPage();
        await button('Delete').click();
        await inDialog('Delete').click();
        await seen('.notice', 'Deleted 2 connectors.');
        await row(titles[0] ?? '').waitFor({ state: 'detached' });
        expect(await row('Other').count()).toBe(1);

        await at.page.getByRole('link', { name: titles[2] ?? '' }).click();
        await field('Title').fill('Changed');
        await at.page.locator('nav a', { hasText: 'Runs' }).click();
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
    });

    describe('invokers', () => {
      it('imports by paste and by files, and shows warnings and errors at their lines', async () => {
        const pasted = unique('Pasted/');
        const filed = unique('Filed ');
        await open('invokers');
        await row('Echo').waitFor();
        await button('Import invokers').click();
        await inDialog('Import').click();
        await dialog().getByText('Select a file, or paste XML.').waitFor();
        await dialog().getByLabel('Or paste XML').fill('<invoker>\n<name>x</name\n</invoker>');
        await inDialog('Import').click();
        await dialog().locator('[role=alert]', { hasText: 'Line 3, column' }).waitFor();
        const warned = invokerXml(pasted).replace(
          '<field name="id" type="int"/>',
          '<field name="id"/>',
        );
        await dialog().getByLabel('Or paste XML').fill(warned);
        await dialog()
          .locator('input[type=file]')
          .setInputFiles({
            name: 'filed.xml',
            mimeType: 'application/xml',
            buffer: Buffer.from(invokerXml(filed)),
          });
        expect(await dashboard.findings()).toEqual([]);
        await inDialog('Import').click();
        await seen('.notice', 'Imported 2 invokers.');
        await row(filed).waitFor();
        await checkPage();
        await card('Imported').getByRole('link', { name: 'The field "id" has no type' }).click();
        await seen('h1', `Edit ${pasted}`);
        expect(
          await at.page.evaluate(() => {
            const { value, selectionStart, selectionEnd } = Reflect.get(
              globalThis,
              'document',
            ).activeElement;
            return value.slice(selectionStart, selectionEnd).trim();
          }),
        ).toBe('<field name="id"/>');
      });

      it('edits texts and operations by form and as XML, downloads, and deletes', async () => {
        const name = unique('Edited ');
        await at.service.api('POST', '/api/invoker', {
          body: { xml: invokerXml(name).replace('<hint/>', '<!-- ours --><hint/>') },
        });
        await open(`invokers?find=${encodeURIComponent(name)}`);
        await at.page.getByRole('link', { name }).click();
        await button('More about operation GetMe').click();
        await at.page.getByRole('table', { name: 'Fields of the response 200' }).waitFor();
        await row('tickets[].tags[]').getByText('a, b').waitFor();
        await checkPage();
        await at.page.getByRole('link', { name: 'Edit', exact: true }).click();
        await field('Description').fill('Changed in the form');
        await field('Operation name').fill('WhoAmI');
        await at.page.getByRole('combobox', { name: 'Method' }).selectOption('POST');
        await at.page
          .getByRole('group', { name: 'Headers of the request' })
          .getByRole('button', { name: 'Add header' })
          .click();
        await field('Header 2: name').fill('X-Source');
        await field('Header 2: value').fill('Hypha & friends');
        await button('Add inside q').click();
        await field('Field field: name').fill('inner');
        await button('Add operation').click();
        await field('Operation name').fill('Second');
        await field('Endpoint').fill('{url}/second');
        await checkPage();
        await at.page.getByText('Success, status 200').click();
        expect(await dashboard.findings()).toEqual([]);
        const text = await field('XML').inputValue();
        expect(text).toContain('<!-- ours -->');
        await field('XML').fill(text.replace('<authType>', '<authType'));
        await at.page.getByText('The XML is not complete.').waitFor();
        await button('Save invoker').click();
        await seen('.problem', 'Line 4, column');
        await field('XML').fill(text.replace('apikey', 'token'));
        await field('Operation name').waitFor();
        await button('Save invoker').click();
        await seen('.notice', 'The invoker was saved.');
        const { invoker } = await at.service.data(
          'query($name: String) { invoker(name: $name) { description authType version operations { name request { method endpoint header { name value } body { fields } } } } }',
          { name },
        );
        expect(invoker).toEqual({
          description: 'Changed in the form',
          authType: 'token',
          version: 2,
          operations: [
            {
              name: 'WhoAmI',
              request: {
                method: 'POST',
                endpoint: '{url}/me',
                header: [
                  { name: 'Authorization', value: 'Bearer {token}' },
                  { name: 'X-Source', value: 'Hypha & friends' },
                ],
                body: { fields: { q: { inner: '' } } },
              },
            },
            {
              name: 'Second',
              request: { method: 'GET', endpoint: '{url}/second', header: [], body: null },
            },
          ],
        });
        const download = at.page.waitForEvent('download');
        await button('Download XML').click();
        expect((await download).suggestedFilename()).toBe(`${name}.xml`);
        await usingInvoker(at.service, name);
        await button('Delete invoker').click();
        await inDialog('Delete invoker').click();
        await dialog().locator('[role=alert]', { hasText: 'is in use: workflows' }).waitFor();
        await dialog().getByRole('checkbox').check();
        await inDialog('Delete invoker').click();
        await seen('.notice', 'was deleted.');
        await seen('h1', 'Invokers');
      });
    });
  },
  { env: { HYPHA_CONNECTOR_MASTER_PASSWORD: MASTER_PASSWORD } },
);
