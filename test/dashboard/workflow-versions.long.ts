import { describeInBrowser } from '../support/browser/browser';
import { onDashboard } from '../support/browser/dashboard';
import { method, saved, workflow } from '../support/documents/workflows';
import { remoteSystem } from '../support/peers/remote-system';
import type { RemoteSystem } from '../support/peers/remote-system';
import { unique } from '../support/service/harness';
import { ended } from '../support/service/watch';

describeInBrowser('the versions of a workflow', (at) => {
  const dashboard = onDashboard(at);
  const { open, seen, button, rowWith, dialog, inDialog } = dashboard;
  let remote: RemoteSystem;
  beforeAll(async () => {
    remote = await remoteSystem(() => ({ status: 200 }));
  });
  afterAll(() => remote.close());

  const block = (title: string) =>
    at.page.locator('.diff-part', { has: at.page.getByRole('heading', { name: title }) });
  const firstUrl = async (id: number): Promise<string> =>
    (await at.service.api('GET', `/api/connection/${id}`)).body.fromConnector.methods[0].request
      .endpoint;

  it('compares, names and restores them, and shows what changed since the last success', async () => {
    const id = await saved(
      at.service,
      workflow(
        [
          method('0', `${remote.url}/tickets`, { name: 'GetTickets', color: '#AA0000' }),
          method('1', `${remote.url}/old`, { name: 'TellTeam', color: '#BB0000' }),
        ],
        [],
        { title: unique('Orders ') },
      ),
    );
    const { workflowRun } = await at.service.data(
      'mutation($id: ID!) { workflowRun(input: { workflowId: $id }) { run { databaseId } } }',
      { id: String(id) },
    );
    await ended(at.service, workflowRun.run.databaseId);
    const document = (await at.service.api('GET', `/api/connection/${id}`)).body;
    const { methods } = document.fromConnector;
    const changed = await at.service.api('PUT', `/api/connection/${id}`, {
      body: {
        ...document,
        fromConnector: {
          ...document.fromConnector,
          methods: [
            { ...methods[0], request: { ...methods[0].request, endpoint: `${remote.url}/orders` } },
            method('1', `${remote.url}/{%#AA0000.(response).body.id%}`, {
              id: 'm2',
              name: 'AddCard',
              color: '#CC0000',
            }),
          ],
        },
      },
    });
    expect(changed.status).toBe(200);

    await open(`workflows/${id}/edit`);
    await at.page.getByRole('link', { name: 'Versions' }).click();
    await seen('.lead', `Run ${workflowRun.run.databaseId}`);
    await at.page.getByRole('link', { name: 'What has changed since' }).click();
    await block('GetTickets').locator('.kind-changed').waitFor();
    await block('GetTickets').getByText('URL').waitFor();
    expect(await block('GetTickets').locator('.diff-before').textContent()).toContain('/tickets');
    expect(await block('GetTickets').locator('.diff-after').textContent()).toContain('/orders');
    await block('AddCard').locator('.kind-added').waitFor();
    await block('AddCard').getByText('/GetTickets › id').waitFor();
    await block('TellTeam').locator('.kind-removed').waitFor();
    await dashboard.checkPage();
    await at.page.emulateMedia({ colorScheme: 'dark' });
    expect(await dashboard.findings()).toEqual([]);

    await button('Name version 1').click();
    await dialog().getByLabel('Name or comment').fill('Before the move to orders');
    await inDialog('Save name').click();
    await rowWith('Before the move to orders').waitFor();

    await at.page.goto(`${at.service.url}/dashboard/workflows/${id}/edit`);
    await at.page.getByRole('textbox', { name: 'Title of the workflow' }).fill(' ');
    await seen('.save-state', 'Not complete');
    await at.page.getByRole('link', { name: 'Versions' }).click();
    await button('Restore version 1').click();
    await dialog().getByText('edits in the editor that are not saved').waitFor();
    await inDialog('Restore').click();
    await seen('.notice', 'Version 1 was restored.');
    await rowWith('Before the move to orders').getByText('current', { exact: true }).waitFor();
    expect(await firstUrl(id)).toBe(`${remote.url}/tickets`);
    await seen('.lead', 'nothing has changed since');
  });

  it('only shows them to users who may not change the workflow', async () => {
    const id = await saved(at.service, workflow([method('0', `${remote.url}/a`)], []));
    await open(`workflows/${id}/versions`, await at.service.userWith(['CONNECTION:READ']));
    await at.page.getByRole('radio', { name: 'Compare from version 1' }).waitFor();
    expect(await button('Name version 1').count()).toBe(0);
  });
});
