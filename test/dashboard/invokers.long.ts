import { describeInBrowser } from '../support/browser/browser';
import { onDashboard } from '../support/browser/dashboard';
import { invokerXml, usingInvoker } from '../support/documents/invokers';
import { unique } from '../support/service/harness';

describeInBrowser('the pages of invokers', (at) => {
  const dashboard = onDashboard(at);
  const { open, seen, card, button, field, dialog, inDialog, rowWith, checkPage } = dashboard;

  it('imports by paste and by files, and shows warnings and errors at their lines', async () => {
    const pasted = unique('Pasted/');
    const filed = unique('Filed ');
    await open('invokers');
    await rowWith('Echo').waitFor();
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
    await rowWith(filed).waitFor();
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
    await rowWith('tickets[].tags[]').getByText('a, b').waitFor();
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
