import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describeInBrowser } from '../support/browser/browser';
import { onDashboard } from '../support/browser/dashboard';
import { scheduled } from '../support/browser/dashboard-example';
import { imported, invokerXml, TICKETS } from '../support/documents/connector-invokers';
import { template50 } from '../support/documents/templates';
import { method, saved, workflow } from '../support/documents/workflows';
import { zipOf } from '../support/documents/zips';
import { remoteSystem } from '../support/peers/remote-system';
import type { RemoteSystem } from '../support/peers/remote-system';
import { unique } from '../support/service/harness';

describeInBrowser('the pages to build with', (at) => {
  const dashboard = onDashboard(at);
  const { open, seen } = dashboard;
  let remote: RemoteSystem;
  beforeAll(async () => {
    remote = await remoteSystem(() => ({ status: 200 }));
  });
  afterAll(() => remote.close());

  const button = (name: string) => at.page.getByRole('button', { name, exact: true });
  const dialog = () => at.page.getByRole('dialog');
  const inDialog = (name: string) => dialog().getByRole('button', { name, exact: true });
  const row = (text: string) => at.page.locator('tbody tr', { hasText: text });
  const combobox = (name: string) => at.page.getByRole('combobox', { name, exact: true });
  const menu = (name: string) =>
    at.page.locator('label.field', { hasText: new RegExp(`^${name}`) }).locator('select');
  const field = (name: string) => at.page.getByLabel(name, { exact: true });
  const press = (...keys: string[]): Promise<void> =>
    keys.reduce((before, key) => before.then(() => at.page.keyboard.press(key)), Promise.resolve());
  const newWorkflow = async (title: string, endpoint = `${remote.url}/step`): Promise<number> =>
    saved(at.service, workflow([method('0', endpoint)], [], { title }));
  const expectNarrowAndAccessible = async (): Promise<void> => {
    expect(await dashboard.findings()).toEqual([]);
    await at.page.emulateMedia({ colorScheme: 'dark' });
    await at.page.setViewportSize({ width: 360, height: 740 });
    expect(await dashboard.sidewaysScroll()).toBe(0);
    expect(await dashboard.findings()).toEqual([]);
  };

  describe('schedules', () => {
    const scheduleOf = async (title: string) =>
      (
        await at.service.data(
          'query($title: String!) { schedules(filter: { title: { eq: $title } }) { nodes { databaseId cron timeZone enabled logging overlapPolicy workflow { databaseId } } } }',
          { title },
        )
      ).schedules.nodes[0];

    it('creates one by keyboard, with its times in words, and edits it by fields and as text', async () => {
      const [title, name] = [unique('Orders '), unique('Nightly ')];
      const workflowId = await newWorkflow(title);
      await open('schedules');
      await at.page.getByRole('link', { name: 'New schedule' }).first().click();
      await field('Title').fill(name);
      await press('Enter');
      await at.page.waitForFunction(
        () => Reflect.get(globalThis, 'document').activeElement.getAttribute('role') === 'combobox',
      );
      await at.page.keyboard.type(title);
      await at.page.getByRole('option', { name: title }).waitFor();
      await press('Enter', 'Tab');
      expect(await combobox('Workflow').inputValue()).toBe(`${title} #${workflowId}`);
      await menu('Runs').selectOption({ label: 'Every week' });
      await menu('On').selectOption({ label: 'Tuesday' });
      await field('At').fill('21:30');
      expect(await field('Cron expression').inputValue()).toBe('0 30 21 ? * TUE');
      await combobox('Time zone').fill('berl');
      await at.page.getByRole('option', { name: 'Europe/Berlin' }).click();
      const next = at.page.getByRole('list', { name: 'Next runs' }).getByRole('listitem');
      await next
        .nth(4)
        .getByText(/^Tue, .* 21:30 (?:CES?T|GMT\+[12])$/)
        .waitFor();
      await seen('.next-runs', 'Tuesday');
      await expectNarrowAndAccessible();
      await button('Create schedule').click();
      await seen('h1', name);
      expect(await scheduleOf(name)).toMatchObject({
        cron: '0 30 21 ? * TUE',
        timeZone: 'Europe/Berlin',
        enabled: true,
        logging: false,
        overlapPolicy: 'SKIP',
        workflow: { databaseId: workflowId },
      });
      await field('Cron expression').fill('0 0/7 8-17 * * ?');
      expect(await menu('Runs').inputValue()).toBe('fields');
      await field('Hour').fill('9-17');
      await press('Tab');
      expect(await field('Cron expression').inputValue()).toBe('0 0/7 9-17 * * ?');
      await menu('If it is due while it runs').selectOption('QUEUE');
      await field('Log requests and responses').check();
      await button('Save schedule').click();
      await seen('.notice', 'The schedule was saved.');
      expect(await scheduleOf(name)).toMatchObject({
        cron: '0 0/7 9-17 * * ?',
        logging: true,
        overlapPolicy: 'QUEUE',
      });
      await field('Cron expression').fill('0 0 25 * * ?');
      await seen('.next-runs .warn', '25');
      await button('Save schedule').click();
      await at.page.waitForSelector('[name=cron][aria-invalid]:focus');
      await menu('Runs').selectOption({ label: 'Only on demand' });
      await button('Save schedule').click();
      await row(name).getByText('on demand').locator('visible=true').first().waitFor();
      await button('Delete schedule').click();
      await inDialog('Delete schedule').click();
      await seen('.notice', 'was deleted.');
      expect(await scheduleOf(name)).toBeUndefined();
    });

    it('creates, tries, renews and deletes the webhook of one, and lists the calls', async () => {
      const workflowId = await newWorkflow(
        unique('Called '),
        `${remote.url}/\${ticket.id:integer}/\${tags[0]}`,
      );
      const name = unique('Called ');
      await open(`workflows/${workflowId}`);
      await at.page.getByRole('link', { name: 'New schedule' }).click();
      await menu('Runs').selectOption({ label: 'Only on demand' });
      await field('Title').fill(name);
      await button('Create schedule').click();
      await seen('h1', name);
      const id = (await scheduleOf(name)).databaseId;
      await button('Create webhook').click();
      const address = field('Address, secret like a password');
      const url = await address.inputValue();
      const command = await at.page
        .getByRole('region', { name: 'Command that calls the webhook' })
        .innerText();
      expect(command).toBe(
        `curl -X POST '${url}' \\\n  -H 'Content-Type: application/json' \\\n  -d '{"ticket":{"id":1},"tags":["text"]}'`,
      );
      expect((await fetch(url, { method: 'POST', body: '{"ticket":{"id":4}}' })).status).toBe(200);
      await at.page.getByRole('table', { name: 'Last runs' }).waitFor();
      expect(await at.page.getByRole('link', { name: 'Calls' }).getAttribute('href')).toContain(
        `runs?schedule=${id}&trigger=WEBHOOK`,
      );
      await button('New address').click();
      await inDialog('Replace address').click();
      await seen('.notice', 'The webhook has a new address.');
      await at.page.waitForFunction(
        (before) =>
          [...Reflect.get(globalThis, 'document').querySelectorAll('.copy-text input')].some(
            (input: { value: string }) => input.value !== before,
          ),
        url,
      );
      expect((await fetch(url, { method: 'POST' })).status).toBe(404);
      expect((await fetch(await address.inputValue(), { method: 'POST' })).status).toBe(200);
      await expectNarrowAndAccessible();
      await button('Delete webhook').click();
      await inDialog('Delete webhook').click();
      await button('Create webhook').waitFor();
    });

    it('disables and deletes several at once', async () => {
      const workflowId = await newWorkflow(unique('Bulk '));
      const prefix = unique('Bulk ');
      for (const number of [1, 2])
        await scheduled(at.service, workflowId, `${prefix} ${number}`, '0 0 6 * * ?');
      await open(`schedules?find=${encodeURIComponent(prefix)}`);
      await at.page.getByLabel('Select all on this page').check();
      await button('Disable').click();
      await at.page.getByRole('switch', { checked: true }).first().waitFor({ state: 'detached' });
      expect(await scheduleOf(`${prefix} 2`)).toMatchObject({ enabled: false });
      await expectNarrowAndAccessible();
      await button('Delete').click();
      await inDialog('Delete').click();
      await seen('.blank-title', 'No schedules');
      expect(await scheduleOf(`${prefix} 1`)).toBeUndefined();
    });

    it('offers only what the user may do', async () => {
      const workflowId = await newWorkflow(unique('Read '));
      const id = await scheduled(at.service, workflowId, unique('Read '), '');
      await open(`schedules/${id}`, await at.service.userWith(['SCHEDULE:READ']));
      await at.page.getByRole('heading', { name: 'Settings' }).waitFor();
      expect(await field('Title').isDisabled()).toBe(true);
      expect(await at.page.getByRole('button', { name: /^(?:Save|Delete|Create)/ }).count()).toBe(
        0,
      );
    });
  });

  describe('templates', () => {
    const connectorOf = async (title: string, invoker: string): Promise<number> => {
      const { status, body, text } = await at.service.api('POST', '/api/connector', {
        body: {
          title,
          invoker: { name: invoker },
          requestData: { url: remote.url, token: 'any' },
        },
      });
      if (status !== 201) throw new Error(text);
      return body.connectorId as number;
    };
    const templateCount = async (name: string): Promise<number> =>
      (
        await at.service.data(
          'query($name: String!) { templates(filter: { name: { startsWith: $name } }) { totalCount } }',
          { name },
        )
      ).templates.totalCount;

    it('makes one of a workflow, shows its steps, exports it and creates a workflow of it', async () => {
      const invoker = await imported(at.service, TICKETS);
      const [shop, other] = [
        await connectorOf(unique('Shop '), invoker),
        await connectorOf(unique('Other '), invoker),
      ];
      const [title, name] = [unique('Source '), unique('Template ')];
      const connector = { connectorId: shop, title: 'Shop', invoker: { name: invoker } };
      await saved(
        at.service,
        workflow(
          [
            method('0', `${remote.url}/items`),
            method('1_0', '{url}/item', {
              label: 'Store the item',
              connector,
              methodType: 'CONNECTOR',
            }),
          ],
          [{ id: 'if', index: '1', type: 'if', expression: '1 = 1' }],
          { title },
        ),
      );
      await open('templates');
      await button('New template').click();
      await combobox('Workflow').fill(title);
      await at.page.getByRole('option', { name: title }).click();
      await dialog().getByLabel('Name', { exact: true }).fill(name);
      await dialog().getByLabel('Description').fill('Stores each item in the shop.');
      expect(await dashboard.findings()).toEqual([]);
      await inDialog('Create template').click();
      await seen('h1', name);
      await seen('.step-title', '2.1 Store the item');
      const download = at.page.waitForEvent('download');
      await button('Export').click();
      const file = JSON.parse(readFileSync(await (await download).path(), 'utf8'));
      const { body } = await at.service.api('GET', `/api/template/file/${file.templateId}.json`);
      expect(file).toEqual(body);
      const system = at.page.getByRole('combobox', { name: new RegExp(`\\(${invoker}\\)$`) });
      await system.fill('Other');
      await at.page.getByRole('option', { name: /^Other/ }).click();
      await field('Title of the workflow').fill(`${title} copy`);
      await expectNarrowAndAccessible();
      await button('Create workflow').click();
      await seen('h1', `${title} copy`);
      const { workflows } = await at.service.data(
        'query($title: String!) { workflows(filter: { title: { eq: $title } }) { nodes { steps { ... on MethodStep { connector { connectorId } } } } } }',
        { title: `${title} copy` },
      );
      expect(JSON.stringify(workflows.nodes)).toContain(`"connectorId":${other}`);
    });

    it('finds them by name and deletes several', async () => {
      const name = unique('Several ');
      for (const number of [1, 2])
        await at.service.api('POST', '/api/template', {
          body: { ...template50(), templateId: randomUUID(), name: `${name} ${number}` },
        });
      await open('');
      await dashboard.openByMenu('Templates');
      await at.page.getByRole('searchbox', { name: 'Name' }).fill(name);
      await at.page.waitForURL(/find=/);
      await row(`${name} 2`).waitFor();
      await at.page.getByLabel('Select all on this page').check();
      await expectNarrowAndAccessible();
      await button('Delete').click();
      await inDialog('Delete').click();
      await seen('.blank-title', 'No templates');
      expect(await templateCount(name)).toBe(0);
    });

    it('offers only what the user may do', async () => {
      const { body } = await at.service.api('POST', '/api/template', {
        body: { ...template50(), templateId: randomUUID(), name: unique('Read ') },
      });
      await open('templates', await at.service.userWith(['SCHEDULE:READ']));
      await at.page.getByRole('link', { name: body.name }).click();
      await seen('.card', 'your group needs CONNECTION:CREATE and CONNECTOR:READ');
      expect(await at.page.getByRole('button', { name: /^(?:Delete|Create)/ }).count()).toBe(0);
    });
  });

  describe('categories', () => {
    const newCategory = async (name: string, parentId: number | null = null): Promise<number> => {
      const { categoryCreate } = await at.service.data(
        'mutation($input: CategoryCreateInput!) { categoryCreate(input: $input) { category { databaseId } } }',
        { input: { name, parentId: parentId === null ? null : String(parentId) } },
      );
      return categoryCreate.category.databaseId;
    };
    const categoryOf = async (name: string) =>
      (
        await at.service.data(
          'query($name: String!) { categories(filter: { name: { eq: $name } }) { nodes { databaseId parent { name } } } }',
          { name },
        )
      ).categories.nodes[0];
    const item = (name: string) => at.page.getByRole('treeitem', { name });

    it('shows a tree that works by keyboard, and creates, renames, moves and deletes', async () => {
      const [first, second] = [unique('A first '), unique('A second ')];
      const parentId = await newCategory(first);
      await newCategory(`${first} inner`, parentId);
      await newCategory(second);
      await open(`categories?category=${parentId}`);
      await item(first).first().focus();
      await press('ArrowRight');
      await seen('h2', `${first} inner`);
      await press('ArrowLeft', 'ArrowLeft');
      await item(`${first} inner`).waitFor({ state: 'detached' });
      await press('ArrowRight', 'ArrowDown', 'ArrowDown');
      await seen('h2', second);
      expect(await dashboard.focused()).toContain(second);
      await button('Move').press('Enter');
      await menu('Into').selectOption({ label: `${first} / ${first} inner` });
      expect(await dashboard.findings()).toEqual([]);
      await inDialog('Move').click();
      await at.page.getByRole('treeitem', { name: second, level: 3 }).waitFor();
      await seen('.card', `${first} / ${first} inner / ${second}`);
      expect(await categoryOf(second)).toMatchObject({ parent: { name: `${first} inner` } });
      await button('Rename').click();
      await dialog().getByLabel('Name', { exact: true }).fill(first.toUpperCase());
      await inDialog('Rename').click();
      await at.page.waitForSelector('dialog [name=name][aria-invalid]:focus');
      await dialog().getByLabel('Name', { exact: true }).fill(`${second} renamed`);
      await inDialog('Rename').click();
      await seen('h2', `${second} renamed`);
      await button('New subcategory').click();
      await dialog().getByLabel('Name', { exact: true }).fill(`${second} leaf`);
      await inDialog('Create category').click();
      await seen('h2', `${second} leaf`);
      expect(await categoryOf(`${second} leaf`)).toMatchObject({
        parent: { name: `${second} renamed` },
      });
      await expectNarrowAndAccessible();
      await item(first).first().click();
      await button('Delete').click();
      await dialog().getByLabel('Also delete 3 subcategories').check();
      await inDialog('Delete').click();
      await item(first).first().waitFor({ state: 'detached' });
      expect(await categoryOf(`${second} leaf`)).toBeUndefined();
    });

    it('filters workflows, and moves, copies, exports and deletes them from their list', async () => {
      const [name, title] = [unique('Folder '), unique('Sorted ')];
      const [id, workflowId] = [await newCategory(name), await newWorkflow(title)];
      await open(`workflows?find=${encodeURIComponent(title)}`);
      await button(`Duplicate ${title}`).click();
      await row(`${title} (copy)`).waitFor();
      const download = at.page.waitForEvent('download');
      await button(`Export ${title}`).click();
      const file = JSON.parse(readFileSync(await (await download).path(), 'utf8'));
      expect(file).toMatchObject({ format: 'hypha-workflow', title });
      await at.page.getByLabel(`Select workflow ${title}`, { exact: true }).check();
      await button('Move').click();
      await dialog().locator('select').selectOption({ label: name });
      await inDialog('Move').click();
      await seen('.notice', 'Moved 1 workflow.');
      await row(title).locator('.tag', { hasText: name }).waitFor();
      await open(`categories?category=${id}`);
      await at.page.locator('section.card').getByRole('link', { name: '1 workflow' }).click();
      await row(title).waitFor();
      expect(await at.page.locator('tbody tr').count()).toBe(1);
      await at.page.getByLabel('Select all on this page').check();
      await expectNarrowAndAccessible();
      await button('Delete').click();
      await inDialog('Delete').click();
      await seen('.blank-title', 'No workflows');
      const { workflow: deleted } = await at.service.data(
        'query($id: ID!) { workflow(id: $id) { title } }',
        { id: String(workflowId) },
      );
      expect(deleted).toBeNull();
    });

    it('offers only what the user may do', async () => {
      const name = unique('Read ');
      await newCategory(name);
      await open('categories', await at.service.userWith(['CONNECTION:READ']));
      await item(name).click();
      await seen('h2', name);
      expect(
        await at.page.getByRole('button', { name: /^(?:Delete|New|Rename|Move)/ }).count(),
      ).toBe(0);
    });
  });

  describe('the import', () => {
    const select = (...files: { name: string; content: Buffer | string }[]): Promise<void> =>
      at.page.locator('.file-drop input').setInputFiles(
        files.map(({ name, content }) => ({
          name,
          mimeType: 'application/octet-stream',
          buffer: Buffer.from(content),
        })),
      );
    const card = (name: string) =>
      at.page.locator('section.card', {
        has: at.page.getByRole('heading', { name, exact: true }),
      });

    it('shows what files contain, and imports a workflow, templates and an invoker', async () => {
      const [title, name, invoker] = [unique('Moved '), unique('Tickets '), unique('Shop ')];
      const workflowId = await newWorkflow(title, `${remote.url}/{%secret.token%}`);
      const { workflowExport } = await at.service.data(
        'mutation($id: ID!) { workflowExport(input: { workflowId: $id }) { file { content } } }',
        { id: String(workflowId) },
      );
      await open('templates');
      await at.page.getByRole('link', { name: 'Import', exact: true }).last().click();
      const template = (number: number): string =>
        JSON.stringify({ ...template50(), templateId: randomUUID(), name: `${name} ${number}` });
      await select(
        { name: 'flow.json', content: JSON.stringify(workflowExport.file.content) },
        {
          name: 'templates.zip',
          content: await zipOf({ 'one.json': template(1), 'sub/two.json': template(2) }),
        },
        {
          name: 'shop.xml',
          content: invokerXml(invoker, TICKETS.fields, TICKETS.operations),
        },
      );
      await seen('.card', `The workflow ${title}.`);
      await seen('.card', 'which must exist before it runs: token');
      await seen('.card', '2 templates: one.json, sub/two.json.');
      await seen('.card', `1 invoker: ${invoker}.`);
      await expectNarrowAndAccessible();
      await card('flow.json').getByLabel('Title').fill(`${title} again`);
      await button('Import workflow').click();
      await card('flow.json')
        .getByRole('link', { name: `${title} again` })
        .waitFor();
      await button('Import templates').press('Enter');
      await card('templates.zip')
        .getByRole('link', { name: `${name} 2` })
        .waitFor();
      await button('Import invoker').click();
      await card('shop.xml').getByRole('link', { name: invoker }).waitFor();
      expect(await dashboard.findings()).toEqual([]);
      await card('templates.zip')
        .getByRole('link', { name: `${name} 1` })
        .click();
      await seen('h1', `${name} 1`);
    });

    it('takes dropped files, and says what is wrong with them', async () => {
      await open('import');
      await at.page.locator('.file-drop').evaluate((target) => {
        const transfer = new (Reflect.get(globalThis, 'DataTransfer'))();
        const file = Reflect.get(globalThis, 'File');
        transfer.items.add(new file(['nothing'], 'notes.json'));
        transfer.items.add(
          new file(['{"connection": {}, "name": "", "templateId": "no"}'], 'broken.json'),
        );
        const event = Reflect.get(globalThis, 'DragEvent');
        target.dispatchEvent(
          new event('drop', { bubbles: true, cancelable: true, dataTransfer: transfer }),
        );
      });
      await seen('.card', 'This is no exported workflow');
      await button('Import template').click();
      await card('broken.json').locator('[role=alert] p').first().waitFor();
      await button('Remove broken.json').click();
      await card('broken.json').waitFor({ state: 'detached' });
      await select({
        name: 'instance.zip',
        content: await zipOf({ 'manifest.json': '{}', 'users.ndjson': '' }),
      });
      await seen('.card', 'This is the export of a whole instance.');
    });

    it('offers only what the user may do', async () => {
      await open('import', await at.service.userWith(['SCHEDULE:CREATE', 'SCHEDULE:READ']));
      await select({ name: 'a.xml', content: invokerXml(unique('No '), TICKETS.fields, []) });
      await seen('.card', 'your group needs INVOKER:CREATE or INVOKER:UPDATE');
    });
  });
});
