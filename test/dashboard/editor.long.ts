import { describeInBrowser } from '../support/browser/browser';
import { onDashboard } from '../support/browser/dashboard';
import { method, saved, workflow } from '../support/documents/workflows';
import { remoteSystem } from '../support/peers/remote-system';
import type { RemoteSystem } from '../support/peers/remote-system';
import { unique } from '../support/service/harness';
import { until } from '../support/until';

const TICKETS = [
  { id: 17, title: 'Printer broken', state: 'open' },
  { id: 18, title: 'Coffee is cold', state: 'closed' },
];

describeInBrowser('the workflow editor', (at) => {
  const dashboard = onDashboard(at);
  const { open } = dashboard;
  let remote: RemoteSystem;
  let cardStatus = 200;
  beforeAll(async () => {
    remote = await remoteSystem(({ path }) =>
      path.startsWith('/tickets')
        ? { body: { tickets: TICKETS } }
        : { status: cardStatus, body: { id: 1 } },
    );
  });
  afterAll(() => remote.close());
  beforeEach(() => {
    cardStatus = 200;
    remote.forget();
  });

  const button = (name: string) => at.page.getByRole('button', { name, exact: true });
  const field = (name: string) => at.page.getByRole('textbox', { name, exact: true });
  const block = (title: string) => at.page.locator('.block-button', { hasText: title });
  const isSaved = () => at.page.locator('.save-saved').waitFor();
  const addStep = async (plus: number, title: string): Promise<void> => {
    await button('Add a step here').nth(plus).click();
    await at.page.locator('.plus-menu li button', { hasText: title }).click();
  };
  const typeInto = async (name: string, text: string): Promise<void> => {
    await field(name).click();
    await at.page.keyboard.type(text);
  };
  const pick = (name: RegExp) => at.page.locator('.picker .tree-value', { hasText: name }).first();
  const addHttpStep = async (plus: number, name: string, url: string): Promise<void> => {
    await addStep(plus, 'HTTP request');
    await at.page.getByLabel('Name of the step').fill(name);
    await typeInto('URL', url);
    await isSaved();
  };
  const testEnds = (state: string) =>
    at.page.locator('.test-strip .state', { hasText: state }).waitFor();
  const workflowOf = async (id: number): Promise<any> =>
    (
      await at.service.data(
        'query($id: ID!) { workflow(id: $id) { version title steps { stepId index ... on MethodStep { name color request { endpoint httpMethod header body { fields } } } ... on OperatorStep { expression } } fieldBindings { to { field } enhancement { expertCode } } validation { code } } }',
        { id },
      )
    ).workflow;
  const openNew = async (): Promise<number> => {
    await open('workflows');
    await button('New workflow').first().click();
    await at.page.waitForURL(/workflows\/\d+\/edit/);
    return Number(/workflows\/(\d+)/.exec(at.page.url())?.[1]);
  };
  const steps = (count: number): object =>
    workflow(
      Array.from({ length: count }, (_step, index) =>
        method(String(index), `${remote.url}/tickets`, { name: `Step ${index + 1}` }),
      ),
      [],
      { title: unique('Edited ') },
    );

  it('makes a workflow with a loop, a condition, a script and data of real answers', async () => {
    const id = await openNew();
    await field('Title of the workflow').fill(unique('Tickets to cards '));
    await addHttpStep(0, 'GetTickets', `${remote.url}/tickets`);
    await button('Test this step only').click();
    await testEnds('Succeeded');
    await addStep(1, 'Loop');
    await at.page.getByText('Not saved yet').waitFor();
    await button('Insert data into List').click();
    await pick(/^tickets/).click();
    await isSaved();
    await addStep(2, 'Condition');
    await button('Insert data into Value').click();
    await pick(/^state/).click();
    await typeInto('Compared with', 'open');
    await isSaved();
    await addHttpStep(3, 'AddCard', `${remote.url}/cards`);
    await at.page.locator('.address-row select').selectOption('POST');
    await button('Fields').click();
    await button('Add field').click();
    await at.page.getByLabel('Name of field 1').fill('title');
    await at.page.keyboard.press('Tab');
    await typeInto('Value of title', 'Ticket {');
    await pick(/^title/).click();
    await at.page.getByText('= Ticket Printer broken').waitFor();
    await button('Script').click();
    await button('Add script').click();
    await button('Insert data into Add an input').click();
    await pick(/^title/).click();
    await field('VAR_0').waitFor();
    await isSaved();
    await typeInto('Script', 'RESULT_VAR = VAR_0.toUpperCase();');
    await at.page.locator('.script-result', { hasText: 'Result: PRINTER BROKEN' }).waitFor();
    await isSaved();
    expect(await dashboard.findings()).toEqual([]);
    remote.forget();
    await button('Test').click();
    // The strip of the test before shows one request.
    await at.page.locator('.test-strip', { hasText: /Succeeded\s*2 requests/ }).waitFor();
    await block('For each').locator('.outcome', { hasText: '2 items' }).waitFor();
    expect(remote.received.map(({ path, body }) => [path, body])).toEqual([
      ['/tickets', ''],
      ['/cards', '{"title":"PRINTER BROKEN"}'],
    ]);
    const made = await workflowOf(id);
    expect(made.validation).toEqual([]);
    expect(made.steps.map(({ index }: any) => index)).toEqual(['0', '1', '1_0', '1_0_0']);
    const [tickets, loop, condition] = made.steps;
    expect(loop.expression).toBe(`For({%${tickets.color}.(response).body.tickets%})`);
    expect(condition.expression).toContain(`${tickets.color}.(response).body.tickets[i].state`);
  });

  it('shows the failed step of a test with its answer, which becomes the sample', async () => {
    cardStatus = 422;
    const id = await saved(
      at.service,
      workflow([method('0', `${remote.url}/cards`, { name: 'AddCard' })], [], {
        title: unique('Failing '),
      }),
    );
    await open(`workflows/${id}/edit`);
    await button('Test').click();
    await testEnds('Failed');
    await block('AddCard').locator('.outcome-failed', { hasText: '422' }).waitFor();
    await at.page.locator('.test-strip .link', { hasText: 'AddCard' }).click();
    await button('Answer').click();
    await at.page.locator('.sample-line', { hasText: '422' }).waitFor();
    await button('Pin as sample').click();
    await button('Unpin').waitFor();
    expect(await dashboard.findings()).toEqual([]);
  });

  it('moves, copies, removes, undoes and redoes by keyboard', async () => {
    const id = await saved(at.service, steps(3));
    const names = async (): Promise<string[]> =>
      (await workflowOf(id)).steps.map(({ name }: any) => name);
    await open(`workflows/${id}/edit`);
    await block('Step 1').focus();
    const press = async (...keys: string[]): Promise<void> => {
      for (const key of keys) await at.page.keyboard.press(key);
    };
    await press('ArrowDown', 'ArrowDown', 'Alt+ArrowUp');
    await until(async () => (await names()).join() === 'Step 1,Step 3,Step 2');
    await at.page
      .locator('[role=status]', { hasText: 'Step 3 moved: in the workflow, 2 of 3' })
      .waitFor({ state: 'attached' });
    await press('d');
    await until(async () => (await names()).join() === 'Step 1,Step 3,Step 3,Step 2');
    await isSaved();
    await block('Step 2').focus();
    await block('Step 2').press('Delete');
    await until(async () => (await names()).join() === 'Step 1,Step 3,Step 3');
    await at.page.locator('.notice').getByRole('button', { name: 'Undo' }).click();
    await until(async () => (await names()).length === 4);
    await button('Undo').click();
    await until(async () => (await names()).join() === 'Step 1,Step 3,Step 2');
    await button('Redo').click();
    await until(async () => (await names()).length === 4);
    await block('Step 1').dragTo(button('Add a step here').last());
    await until(async () => (await names()).join() === 'Step 3,Step 3,Step 2,Step 1');
  });

  it('asks before it removes a step that others use', async () => {
    const id = await saved(
      at.service,
      workflow(
        [
          method('0', `${remote.url}/tickets`, { name: 'Read', color: '#AAAAAA' }),
          method('1', `${remote.url}/{%#AAAAAA.(response).body.id%}`, {
            name: 'Use',
            color: '#BBBBBB',
          }),
          // Not its first reference, and without a mark.
          method('2', `${remote.url}/cards`, {
            name: 'Send',
            request: {
              endpoint: `${remote.url}/cards`,
              method: 'POST',
              body: {
                format: 'json',
                fields: { use: '#BBBBBB.(response).body.id', read: '#AAAAAA.(response).body.id' },
              },
            },
          }),
        ],
        [],
        { title: unique('Referring ') },
      ),
    );
    await open(`workflows/${id}/edit`);
    await block('Read').first().click();
    await button('Remove').click();
    await at.page.getByRole('dialog').getByText('2 Use').waitFor();
    await at.page.getByRole('dialog').getByText('3 Send').waitFor();
    await at.page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await until(async () => (await workflowOf(id)).steps.length === 2);
    await block('Deleted step').waitFor();
  });

  it('shows what another user saves at once, and both values of a field that both change', async () => {
    const id = await saved(at.service, steps(2));
    const [first] = (await workflowOf(id)).steps;
    await open(`workflows/${id}/edit?step=${first.stepId}`);
    await field('URL').waitFor();
    const update = (method: object): Promise<unknown> =>
      at.service.mutate(
        'stepUpdate',
        { workflowId: id, stepId: first.stepId, method },
        'workflow { version }',
      );
    await update({ name: 'Renamed' });
    await block('Renamed').waitFor();
    let isOvertaken = false;
    await at.page.route('**/graphql', async (route) => {
      if (!isOvertaken && route.request().postData()?.includes('stepUpdate')) {
        isOvertaken = true;
        await update({ request: { endpoint: `${remote.url}/theirs` } });
      }
      await route.continue();
    });
    await field('URL').click();
    await at.page.keyboard.press('End');
    await at.page.keyboard.type('/mine');
    const dialog = at.page.getByRole('dialog', { name: 'Changed by two people' });
    await dialog.getByText('/theirs').waitFor();
    await dialog.getByText('/mine').waitFor();
    expect(await dashboard.findings()).toEqual([]);
    await dialog.getByRole('button', { name: 'Keep yours' }).click();
    await isSaved();
    expect((await workflowOf(id)).steps[0].request.endpoint).toBe(`${remote.url}/tickets/mine`);
  });

  it('keeps edits that cannot be saved over a reload, and says why', async () => {
    const id = await openNew();
    await addStep(0, 'Loop');
    await at.page.getByText('Not saved yet: The expression is empty.').waitFor();
    await at.page.locator('.save-incomplete').waitFor();
    await until(
      async () =>
        (
          await at.service.data('query($id: ID!) { workflow(id: $id) { draft { content } } }', {
            id,
          })
        ).workflow.draft !== null,
    );
    at.page.once('dialog', (dialog) => void dialog.accept());
    await at.page.reload();
    await block('For each').waitFor();
    await button('1 problem').click();
    await at.page.locator('.problem-list').getByText('The expression is empty.').waitFor();
    await at.page.locator('.problem-list button').click();
    await button('Discard this change').click();
    await block('For each').waitFor({ state: 'detached' });
    await isSaved();
  });

  it('works on a narrow screen, in the dark, and without the right to change', async () => {
    const id = await saved(at.service, steps(2));
    await open(`workflows/${id}/edit`);
    await at.page.emulateMedia({ colorScheme: 'dark' });
    await at.page.setViewportSize({ width: 360, height: 740 });
    await block('Step 1').click();
    await field('URL').waitFor();
    expect(await dashboard.sidewaysScroll()).toBe(0);
    expect(await dashboard.findings()).toEqual([]);
    await button('Close the step').click();
    await block('Step 1').waitFor();
    expect(await dashboard.sidewaysScroll()).toBe(0);
    await at.openPage();
    const reader = await at.service.userWith(['CONNECTION:READ']);
    await open(`workflows/${id}/edit`, reader);
    await at.page.getByText('You may only read it.').waitFor();
    await block('Step 1').click();
    expect(await button('Add a step here').count()).toBe(0);
    expect(await button('Test').count()).toBe(0);
    expect(await dashboard.findings()).toEqual([]);
  });
});
