import { describeInBrowser } from '../support/browser/browser';
import { onDashboard } from '../support/browser/dashboard';
import { createExample, scheduled } from '../support/browser/dashboard-example';
import type { Example } from '../support/browser/dashboard-example';
import { method, saved, started, workflow } from '../support/documents/workflows';
import { ended } from '../support/service/watch';

describeInBrowser('looking at runs on the dashboard', (at) => {
  const dashboard = onDashboard(at);
  const { open, seen } = dashboard;
  let example: Example;

  beforeAll(async () => {
    example = await createExample(at.service);
  });
  afterAll(() => example.close());

  /** Runs the workflow that puts tickets on a board, until its end. */
  async function runTickets({ status = null as number | null, logging = false } = {}) {
    example.refuse(status);
    const id = await started(at.service, example.workflows[0] ?? 0, logging);
    await ended(at.service, id);
    return id;
  }

  it('a failed run shows its failed step, what to do, and the step in the editor', async () => {
    const workflowId = example.workflows[0];
    await at.service.body('PUT', `/api/connection/${workflowId}/resume`, {
      body: { resume: true },
    });
    const id = await runTickets({ status: 422 });
    await open(`runs/${id}`);
    const failure = at.page.getByRole('region', { name: 'Failure' });
    await failure.getByText('Read the response in a test run.').waitFor();
    await seen('.details .exchange', 'The board is full.');
    await dashboard.checkPage();
    expect(
      await failure.getByRole('link', { name: 'Edit this step' }).getAttribute('href'),
    ).toMatch(new RegExp(`/dashboard/workflows/${workflowId}/edit\\?step=[^&]+&tab=answer$`));
    example.refuse(null);
    await failure.getByRole('button', { name: 'Retry from the failed step' }).click();
    await dashboard.inDialog('Retry from the failed step').click();
    await seen('.notice', `Run ${id} was retried as run`);
    await at.page.locator('.heading .state-succeeded').waitFor();
  });

  it('a timeline shows waiting, retries, and the durations of the iterations of a loop', async () => {
    const id = await runTickets({ logging: true });
    await open(`runs/${id}`);
    await dashboard.button('Timeline').click();
    await at.page.waitForURL(/view=timeline/);
    await dashboard.rowWith('Queue').waitFor();
    await dashboard.button('Steps of For each i').click();
    await dashboard.rowWith('Put it on the board').waitFor();
    const durations = at.page.getByRole('region', { name: 'Durations of For each i' });
    await durations.getByText('6 iterations,').waitFor();
    await durations.getByText('As a table').click();
    await durations.getByRole('table').waitFor();
    await dashboard.checkPage();

    const retried = await saved(
      at.service,
      workflow([method('0', `${example.remote.url}/cards`, { retries: 1, backoff: 20 })]),
    );
    example.refuse(503);
    const failed = await started(at.service, retried);
    await ended(at.service, failed);
    await open(`runs/${failed}?view=timeline`);
    await at.page.getByRole('row', { name: /call 0 .* 1$/ }).waitFor();
    expect(await at.page.locator('.cell-bar .part-failed').count()).toBe(2);
  });

  it('a failed run is compared with the last success: first difference, durations, versions', async () => {
    const success = await runTickets({ logging: true });
    const failed = await runTickets({ status: 422, logging: true });
    await runTickets({ logging: true });
    await open(`runs/${failed}`);
    await at.page.getByRole('link', { name: 'Compare with the last success' }).click();
    await at.page.waitForURL(`**/runs/${failed}/compare/${success}`);
    await seen('p', 'First other result: 2.1.1 Put it on the board, iteration 1');
    await seen(`.compare-side[aria-label="Run ${failed}"]`, 'The board is full.');
    await seen(`.compare-side[aria-label="Run ${success}"]`, '"card": 7');
    await seen('p', 'Both ran the same version of the workflow.');
    await at.page
      .getByRole('table', { name: 'Durations' })
      .getByRole('row', { name: /Put it on the board .*×4/ })
      .waitFor();
    await dashboard.checkPage();

    const unlogged = await runTickets();
    await at.page.goto(`${at.service.url}/dashboard/runs/${failed}/compare/${unlogged}`);
    await seen('p', `Run ${unlogged} ran without logging: its answers were not stored.`);
    await at.page.getByRole('combobox', { name: 'Compare with' }).selectOption(String(success));
    await at.page.waitForURL(`**/runs/${failed}/compare/${success}`);
  });

  it('a text in the logs of all runs leads to the run with the step and iteration open', async () => {
    const id = await runTickets({ logging: true });
    await open('runs');
    await at.page.getByRole('searchbox', { name: 'Search in the logs of all runs' }).fill('103');
    await at.page.keyboard.press('Enter');
    await at.page.waitForURL('**/runs/search?find=103');
    await at.page.getByRole('combobox', { name: 'Kind' }).selectOption('OPERATION');
    await at.page.waitForURL(/type=OPERATION/);
    await dashboard.checkPage();
    await dashboard
      .rowWith('iteration 4')
      .filter({ hasText: `#${id}` })
      .getByRole('link', { name: 'Put it on the board' })
      .click();
    await at.page.waitForURL(/turns=1%3A3/);
    await seen('.details dd', '2.1.1, iteration 4');
    await seen('.details pre', '"ticket": 103');
  });

  it('the overview shows what fails since when, slow workflows and the next runs', async () => {
    const workflowId = example.workflows[0] ?? 0;
    const title = 'Open tickets to the board';
    await scheduled(at.service, workflowId, 'Every January', '0 0 0 1 1 ?');
    for (let run = 0; run < 4; run++) await runTickets();
    await runTickets({ status: 503 });
    const failed = await runTickets({ status: 422 });
    await open('');
    const failing = dashboard
      .card('What fails now')
      .getByRole('listitem')
      .filter({ hasText: title });
    await failing.getByText('2 failures, the first').waitFor();
    await failing.getByText('answered 422').waitFor();
    expect(await failing.getByRole('link', { name: `Run ${failed}` }).count()).toBe(1);
    await dashboard.card('Next runs').getByText('Every January').waitFor();
    await dashboard.checkPage();

    example.refuse(null);
    const release = example.hold();
    const slow = await started(at.service, workflowId);
    // The page shows that the run takes longer than usual.
    await dashboard.row(slow).getByText('2 s', { exact: true }).waitFor();
    release();
    await ended(at.service, slow);
    await dashboard
      .card('Slow')
      .getByRole('link', { name: `Run ${slow}` })
      .waitFor();
    await failing.waitFor({ state: 'detached' });
    await dashboard.checkPage();
  });
});
