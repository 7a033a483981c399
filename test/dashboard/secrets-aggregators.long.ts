import { describeInBrowser } from '../support/browser/browser';
import { onDashboard } from '../support/browser/dashboard';
import { method, saved, workflow } from '../support/documents/workflows';
import { remoteSystem } from '../support/peers/remote-system';
import { unique } from '../support/service/harness';

describeInBrowser('the pages of secrets, aggregators and support files', (at) => {
  const dashboard = onDashboard(at);
  const { open, seen, card, button, field, dialog, inDialog, rowWith, checkPage } = dashboard;

  it('creates a secret, changes it without showing its value, and deletes it', async () => {
    const name = unique('shop-token-');
    await open('secrets');
    await button('New secret').click();
    await dialog().getByLabel('Name').fill(name);
    await dialog().getByLabel('Value').fill('planted value');
    await dialog().getByLabel('Origins').fill('https://shop.example\nnot an origin');
    await inDialog('Create secret').click();
    await dialog().locator('[role=alert]', { hasText: 'is not an origin such as' }).waitFor();
    expect(await dashboard.findings()).toEqual([]);
    await dialog().getByLabel('Origins').fill('https://shop.example\nhttps://*.shop.example');
    await inDialog('Create secret').click();
    await seen('h1', name);
    const id = /secrets\/(\d+)$/.exec(at.page.url())?.[1] ?? '';
    const workflowTitle = unique('Uses the secret ');
    await saved(
      at.service,
      workflow([method('0', `https://shop.example/{%secret.${name}%}`)], [], {
        title: workflowTitle,
      }),
    );
    await field('Note').fill('Of the shop');
    await field('Value').fill('another planted value');
    await button('Save secret').click();
    await seen('.notice', 'The secret was saved.');
    expect(await field('Value').inputValue()).toBe('');
    await card('Used by').getByRole('link', { name: workflowTitle }).waitFor();
    expect(await at.page.content()).not.toContain('planted value');
    await checkPage();
    const { secret } = await at.service.data(
      'query($id: ID!) { secret(id: $id) { note origins version } }',
      { id },
    );
    expect(secret).toEqual({
      note: 'Of the shop',
      origins: ['https://shop.example', 'https://*.shop.example'],
      version: 2,
    });
    await button('Delete secret').click();
    await dialog().getByRole('link', { name: workflowTitle }).waitFor();
    await inDialog('Cancel').click();
    await open(`secrets?find=${name}`);
    await field(`Select secret ${name}`).check();
    await checkPage();
    await button('Delete').click();
    await inDialog('Delete').click();
    await dialog().locator('[role=alert]', { hasText: workflowTitle }).waitFor();
    await dialog().getByRole('checkbox').check();
    await inDialog('Delete').click();
    await at.page.getByText('No secrets').waitFor();
  });

  it('creates an aggregator, changes its variables, archives and deletes it', async () => {
    const name = unique('Totals ');
    await open('aggregators');
    await at.page.getByRole('link', { name: 'New aggregator' }).first().click();
    await field('Name').fill(name);
    await field('Variable').fill('not a name');
    await field('Script').fill('total = Responses.length;');
    await button('Create aggregator').click();
    await seen('.problem', 'JavaScript variable name');
    await at.page.waitForSelector('input[name="arguments.0.name"]:focus');
    await at.page.keyboard.press('ControlOrMeta+A');
    await at.page.keyboard.type('total');
    await checkPage();
    await at.page.keyboard.press('Enter');
    await seen('h1', name);
    await button('Add variable').click();
    await field('Variable').last().fill('failed');
    await button('Remove variable 1').click();
    await button('Save aggregator').click();
    await seen('.notice', 'The aggregator was saved.');
    await card('Used by').getByText('No workflow uses it.').waitFor();
    await checkPage();
    await button(`Archive ${name}`).click();
    await seen('.heading .tag', 'Archived');
    const id = /aggregators\/(\d+)$/.exec(at.page.url())?.[1] ?? '';
    const { aggregator } = await at.service.data(
      'query($id: ID!) { aggregator(id: $id) { active script arguments { name } } }',
      { id },
    );
    expect(aggregator).toEqual({
      active: false,
      script: 'total = Responses.length;',
      arguments: [{ name: 'failed' }],
    });
    await open(`aggregators?state=archived&find=${encodeURIComponent(name)}`);
    await rowWith(name).getByText('Archived').waitFor();
    await checkPage();
    await button(`Activate ${name}`).click();
    await at.page.getByText('No results match the filters.').waitFor();
    await open(`aggregators/${id}`);
    await button('Delete aggregator').click();
    await inDialog('Delete aggregator').click();
    await seen('h1', 'Aggregators');
    await rowWith(name).waitFor({ state: 'detached' });
  });

  it('packs a support file, downloads it, and deletes it', async () => {
    const remote = await remoteSystem(() => ({}));
    const title = unique('Packed ');
    await saved(at.service, workflow([method('0', remote.url)], [], { title }));
    await open('support-files');
    await at.page.getByText('No support files').waitFor();
    await button('New support file').click();
    await inDialog('Pack').click();
    await dialog().getByText('Select a workflow.').waitFor();
    await dialog().getByRole('combobox', { name: 'Workflow' }).fill(title);
    await at.page.keyboard.press('Tab');
    await at.page.waitForFunction(
      (text) =>
        Reflect.get(globalThis, 'document')
          .querySelector('dialog[open] input[type=search]')
          .value.startsWith(`${text} #`),
      title,
    );
    await dialog().getByLabel('Run the workflow first').check();
    await dialog().getByLabel('Also hide texts').fill('token=[^&]+');
    expect(await dashboard.findings()).toEqual([]);
    await inDialog('Pack').click();
    await seen('.notice', 'The support file is ready.');
    await rowWith(title).waitFor();
    expect(remote.received).toHaveLength(1);
    await checkPage();
    const download = at.page.waitForEvent('download');
    await rowWith(title)
      .getByRole('button', { name: /^Download / })
      .click();
    expect((await download).suggestedFilename()).toMatch(/\.zip$/);
    await rowWith(title).getByRole('checkbox').check();
    await button('Delete').click();
    await inDialog('Delete').click();
    await rowWith(title).waitFor({ state: 'detached' });
    await remote.close();
  });
});
