import { describeInBrowser } from '../../support/browser/browser';
import { onDashboard } from '../../support/browser/dashboard';
import { createExample, runAll, scheduled } from '../../support/browser/dashboard-example';
import type { Example } from '../../support/browser/dashboard-example';
import { ADMIN_EMAIL, ADMIN_PASSWORD, unique } from '../../support/service/harness';
import { ended } from '../../support/service/watch';

describeInBrowser('the dashboard', (at) => {
  const dashboard = onDashboard(at);
  const { open, row, seen } = dashboard;
  let its: Example;
  beforeAll(async () => {
    its = await createExample(at.service);
  });
  afterAll(() => its.close());
  const [tickets, orders] = [0, 1].map((index) => () => its.workflows[index] ?? 0) as [
    () => number,
    () => number,
  ];
  const run = async (workflow: number): Promise<number> =>
    (await runAll(at.service, [workflow]))[0] ?? 0;

  it('asks for sign-in, opens the requested page and stays signed in until sign-out', async () => {
    await at.page.goto(`${at.service.url}/dashboard/runs?state=FAILED`);
    await dashboard.signIn(ADMIN_EMAIL, 'not the password');
    await at.page.locator('[role=alert]', { hasText: /\S/ }).waitFor();
    await dashboard.signIn(ADMIN_EMAIL, ADMIN_PASSWORD);
    await seen('h1', 'Runs');
    expect(new URL(at.page.url()).search).toBe('?state=FAILED');
    await at.page.reload();
    await seen('h1', 'Runs');
    await at.page.click('text=Sign out');
    await at.page.waitForSelector('input[type=password]');
    expect(
      await at.page.evaluate(() => JSON.stringify(Reflect.get(globalThis, 'sessionStorage'))),
    ).not.toContain('Bearer');
  });

  it('shows running, completed and failed runs live', async () => {
    await open('');
    await at.page.waitForSelector('.live-open');
    const release = its.hold();
    const held = await run(tickets());
    const running = at.page.locator('section', { hasText: 'Running' });
    await running
      .locator('tr', { hasText: `#${held}` })
      .locator('.state-running')
      .waitFor();
    its.refuse(500);
    release();
    await at.page
      .locator('section', { hasText: 'Recent failures' })
      .locator('tr', { hasText: `#${held}` })
      .locator('code', { hasText: 'HTTP_STATUS_ERROR' })
      .waitFor();
    await running.locator('tr', { hasText: `#${held}` }).waitFor({ state: 'detached' });
    its.refuse(null);
    await at.page
      .locator('.top-list li', { hasText: 'Open tickets to the board' })
      .getByText('100 % failed')
      .waitFor();
    // Screen readers get the chart as a table.
    expect(await at.page.locator('.chart tbody tr').last().locator('td').allInnerTexts()).toEqual([
      '1',
      '1',
    ]);
    expect(await at.page.locator('.plot canvas').count()).toBe(1);
    // Runs count for the day on which they started.
    await at.page
      .locator('.figure', { hasText: 'Failed today' })
      .getByText('1', { exact: true })
      .waitFor();
  });

  it('lists runs by the filters and pages of the address', async () => {
    const ids = await runAll(
      at.service,
      Array.from({ length: 26 }, () => orders()),
    );
    await open('runs');
    await row(ids.at(-1) ?? 0).waitFor();
    await at.page.click('text=Older');
    await row(ids[0] ?? 0).waitFor();
    await at.page.goBack();
    await row(ids.at(-1) ?? 0).waitFor();
    await at.page.locator('.chip', { hasText: 'Failed' }).click();
    await row(ids.at(-1) ?? 0).waitFor({ state: 'detached' });
    await at.page.waitForSelector('.state-failed');
    expect(new URL(at.page.url()).searchParams.get('state')).toBe('FAILED');
    await at.page.getByLabel('Workflow').fill('to accounting');
    await at.page.waitForFunction(
      () => Reflect.get(globalThis, 'document').querySelectorAll('datalist option').length === 1,
    );
    await at.page.keyboard.press('Enter');
    await seen('.blank-title', 'No runs');
    expect(await at.page.getByLabel('Workflow').inputValue()).toBe(
      `Orders to accounting #${orders()}`,
    );
    await at.page.click('text=Clear filters');
    await row(ids.at(-1) ?? 0).waitFor();
    expect(new URL(at.page.url()).search).toBe('');
    const shared = await run(tickets());
    await open(`runs?workflow=${tickets()}&since=24h`);
    await row(shared).waitFor();
    expect(await at.page.locator('tbody tr', { hasText: 'Orders to accounting' }).count()).toBe(0);
  });

  it('cancels a run after confirmation and retries ended runs', async () => {
    const release = its.hold();
    const held = await run(tickets());
    await open('runs');
    await row(held).locator('.state-running').waitFor();
    await row(held).getByRole('button', { name: 'Cancel' }).click();
    await at.page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await row(held).getByRole('button', { name: 'Cancel' }).click();
    await at.page.getByRole('dialog').getByRole('button', { name: 'Cancel the run' }).click();
    await row(held).locator('.state-cancelled').waitFor();
    release();
    await row(held).getByRole('button', { name: 'Retry' }).click();
    await at.page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await row(held).getByRole('button', { name: 'Retry' }).click();
    await at.page.getByRole('dialog').getByText('The whole workflow runs again').waitFor();
    await at.page.getByRole('dialog').getByRole('button', { name: 'Retry the run' }).click();
    await at.page.locator('.notice', { hasText: `Run ${held} was retried as run` }).waitFor();
    await row(held + 1)
      .locator('.state-succeeded')
      .waitFor();
    // A bulk retry skips runs that were already retried.
    its.refuse(500);
    const failed = await runAll(at.service, [tickets(), tickets()]);
    for (const id of failed) await ended(at.service, id);
    its.refuse(null);
    await open('runs?state=FAILED&error=HTTP_STATUS_ERROR&since=1h');
    await row(failed[1] ?? 0).waitFor();
    await at.page.getByRole('button', { name: 'Retry all matching runs' }).click();
    await at.page
      .getByRole('dialog')
      .getByRole('button', { name: 'Retry all matching runs' })
      .click();
    await seen('.notice', 'queued for a retry');
    const { run: first } = await at.service.data(
      'query($id: ID!) { run(id: $id) { retries { totalCount } } }',
      { id: String(failed[0]) },
    );
    expect(first.retries.totalCount).toBe(1);
  });

  it('follows the steps of a run through a lost connection to its error and its retry', async () => {
    const line = await dashboard.lineThatBreaks();
    const step = (title: string) => at.page.locator('.step-line', { hasText: title });
    const release = its.hold();
    const id = (await runAll(at.service, [tickets()], true))[0] ?? 0;
    await open(`runs/${id}?step=1_0_0`);
    await step('Read the tickets').locator('.state-succeeded').waitFor();
    await step('For each i').getByText('iteration 1 of 6').waitFor();
    await step('If').locator('.verdict-true').waitFor();
    await step('Put it on the board').locator('.state-running').waitFor();
    expect(await step('Tell the team').locator('.outcome').innerText()).toBe('–');
    line.cut();
    await at.page.waitForSelector('.live-lost');
    its.refuse(507);
    release();
    await ended(at.service, id);
    line.mend();
    await at.page
      .locator('[role=alert]', { hasText: 'HTTP_STATUS_ERROR' })
      .getByText('Step 2.1.1')
      .waitFor();
    await step('Put it on the board').locator('.state-failed').waitFor();
    await step('For each i').locator('.state-failed').waitFor();
    await step('For each i')
      .locator('.outcome-time')
      .getByText(/^[\d.]+ m?s$/)
      .waitFor();
    its.refuse(null);
    await at.page
      .getByRole('region', { name: 'Body of the request' })
      .getByText('"ticket": 100')
      .waitFor();
    await at.page
      .getByRole('region', { name: 'Body of the response' })
      .getByText('The board is full.')
      .waitFor();
    await at.page.locator('.heading').getByRole('button', { name: 'Retry run' }).click();
    await at.page.getByRole('dialog').getByRole('button', { name: 'Retry the run' }).click();
    await seen('h1', `Run ${id + 1}`);
    await at.page.locator('.heading .state-succeeded').waitFor();
    await at.page.locator('.facts', { hasText: 'Retry of' }).getByText(`#${id}`).waitFor();
    await step('For each i').getByText('iteration 6 of 6').waitFor();
    await step('Put it on the board').click();
    await at.page
      .getByRole('region', { name: 'Body of the request' })
      .getByText('"ticket": 105')
      .waitFor();
    await at.page.getByRole('button', { name: 'Previous iteration' }).click();
    await step('For each i').getByText('iteration 5 of 6').waitFor();
    await step('If').locator('.verdict-false').waitFor();
    await at.page.getByText('This step did not run in this iteration.').waitFor();
    expect(new URL(at.page.url()).search).toBe('?step=1_0_0&turns=1%3A4');
    await open(`runs/${id}`);
    await at.page
      .locator('.facts', { hasText: 'Retries' })
      .getByText(`#${id + 1}`)
      .waitFor();
  });

  it('shows schedules with next runs, enables, starts and searches them', async () => {
    const early = await scheduled(at.service, tickets(), 'Tickets at six', '0 0 6 * * ?', false);
    await scheduled(at.service, orders(), 'Orders on demand', '');
    await open('schedules');
    const row = (title: string) => at.page.locator('tbody tr', { hasText: title });
    const next = (title: string) => row(title).locator('td.num');
    await next('Orders on demand').getByText('on demand').waitFor();
    await next('Tickets at six').getByText('not due').waitFor();
    await row('Tickets at six').getByRole('switch').click();
    await at.page
      .locator('[role=switch][aria-checked=true][aria-label^="Tickets at six"]')
      .waitFor();
    await next('Tickets at six').locator('summary').click();
    expect(await next('Tickets at six').locator('li').count()).toBe(5);
    const { schedule } = await at.service.data(
      'query($id: ID!) { schedule(id: $id) { enabled } }',
      { id: String(early) },
    );
    expect(schedule.enabled).toBe(true);
    // A concurrent change of another user is not overwritten.
    await at.page.route(/\/graphql$/, async (route) => {
      if (!/EnableSchedule/.test(route.request().postData() ?? '')) return route.fallback();
      await at.service.data(
        'mutation($id: ID!) { scheduleUpdate(input: { id: $id, title: "Tickets at seven" }) { userErrors { code } } }',
        { id: String(early) },
      );
      return route.continue();
    });
    await row('Tickets at six').getByRole('switch').click();
    await at.page.locator('.notice.bad').waitFor();
    await at.page.unroute(/\/graphql$/);
    await at.page.getByRole('button', { name: 'Close this message' }).click();
    await row('Orders on demand').getByRole('button', { name: 'Start' }).click();
    await row('Orders on demand').locator('.state-succeeded').waitFor();
    await at.page.fill('input[type=search]', 'seven');
    await row('Orders on demand').waitFor({ state: 'detached' });
    await at.page.waitForURL(/[?&]find=seven/);
    await row('Tickets at seven').waitFor();
  });

  it('shows a workflow with its steps and versions, compares versions and runs it', async () => {
    const document = (await at.service.api('GET', `/api/connection/${tickets()}`)).body;
    const { methods, operators } = document.fromConnector;
    await open('workflows?find=tickets');
    await at.page.click('text=Open tickets to the board');
    await seen('h1', 'Open tickets to the board');
    await at.page.locator('.step-line', { hasText: 'Tell the team' }).waitFor();
    // Another user saves it while the page is open.
    const answer = await at.service.api('PUT', `/api/connection/${tickets()}`, {
      body: {
        ...document,
        fromConnector: {
          ...document.fromConnector,
          operators,
          methods: methods.filter(({ index }: { index: string }) => index !== '2'),
        },
      },
    });
    expect(answer.status).toBe(200);
    await at.page
      .locator('.step-line', { hasText: 'Tell the team' })
      .waitFor({ state: 'detached' });
    await at.page.getByRole('radio', { name: 'Compare from version 1' }).check();
    await at.page.getByRole('radio', { name: 'Compare to version 2' }).check();
    await at.page
      .locator('.diff-part', { hasText: 'Removed' })
      .getByText('Tell the team', { exact: false })
      .first()
      .waitFor();
    await at.page.reload();
    await at.page.locator('.diff-part .kind-removed').waitFor();
    await at.page.getByRole('button', { name: 'Run with logging' }).click();
    await at.page.locator('.heading .state-succeeded').waitFor();
    // A page size of one simulates many versions.
    await at.page.route(/\/graphql$/, (route) => {
      const body = JSON.parse(route.request().postData() ?? '{}');
      return body.query?.includes('query WorkflowVersions')
        ? route.continue({
            postData: JSON.stringify({ ...body, variables: { ...body.variables, first: 1 } }),
          })
        : route.continue();
    });
    await open(`workflows/${tickets()}`);
    await at.page.getByRole('radio', { name: 'Compare from version 2' }).waitFor();
    await at.page.getByRole('button', { name: 'Show older' }).click();
    await at.page.getByRole('radio', { name: 'Compare from version 1' }).check();
    await at.page.getByRole('button', { name: 'Show older' }).waitFor({ state: 'detached' });
    expect(await at.page.locator('table[aria-label=Versions] tbody tr').count()).toBe(2);
    await at.page.unroute(/\/graphql$/);
    // The list updates the last run although the workflow is unchanged.
    await open('workflows?find=tickets');
    await at.page.waitForSelector('.live-open');
    const last = await run(tickets());
    await at.page.locator(`a[href$="/runs/${last}"] .state-succeeded`).waitFor();
    await open('workflows/4711');
    await seen('.blank-title', 'Workflow not found');
  });

  it('shows audit events live', async () => {
    await open('audit?type=PERMISSION');
    await seen('.blank-title', 'No changes');
    const name = unique('SEEN_').toUpperCase();
    await at.page.waitForSelector('.live-open');
    await at.service.api('POST', '/api/permission', { body: { name, description: '' } });
    await at.page.getByRole('button', { name: /^More about event/ }).click();
    await at.page
      .getByRole('region', { name: /^After event \d+$/ })
      .getByText(name)
      .waitFor();
    await at.page.selectOption('label:has-text("Action") select', 'SESSION_OPEN');
    await seen('td.cell-main', 'Session open');
    expect(new URL(at.page.url()).search).toBe('?action=SESSION_OPEN');
  });

  it('shows and changes the overlap policy of a schedule, as plain text without permission', async () => {
    const id = await scheduled(at.service, tickets(), 'Tickets every hour', '0 0 * * * ?');
    await open('schedules');
    const choice = at.page.getByRole('combobox', { name: 'Tickets every hour: overlap policy' });
    expect(await choice.inputValue()).toBe('SKIP');
    const answered = at.page.waitForResponse(
      (response) => response.request().postData()?.includes('SetOverlapPolicy') === true,
    );
    await choice.selectOption({ label: 'queue while running' });
    await answered;
    const { schedule } = await at.service.data(
      'query($id: ID!) { schedule(id: $id) { overlapPolicy } }',
      { id: String(id) },
    );
    expect(schedule.overlapPolicy).toBe('QUEUE');
    await at.page.reload();
    await choice.waitFor();
    expect([await choice.inputValue(), await dashboard.findings()]).toEqual(['QUEUE', []]);
    await at.page.setViewportSize({ width: 360, height: 640 });
    expect(await dashboard.sidewaysScroll()).toBe(0);
    await at.openPage();
    await open('schedules', await at.service.userWith(['SCHEDULE:READ']));
    await seen('.line', 'queue while running');
    expect(await at.page.getByRole('combobox', { name: /overlap policy/ }).count()).toBe(0);
  });
});
