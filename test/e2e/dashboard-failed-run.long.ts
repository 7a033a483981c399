import { describeInBrowser } from '../support/browser';
import { onDashboard } from '../support/dashboard';
import { house, runAll } from '../support/dashboard-house';
import type { House } from '../support/dashboard-house';
import { ended } from '../support/watch';

describeInBrowser('the page of a run that failed', (at) => {
  const { open, row, seen, findings, sidewaysScroll } = onDashboard(at);
  let its: House;
  beforeAll(async () => { its = await house(at.service); });
  afterAll(() => its.close());

  async function failed(logging: boolean): Promise<number> {
    its.refuse(503);
    const [id = 0] = await runAll(at.service, its.workflows.slice(0, 1), logging);
    await ended(at.service, id);
    its.refuse(null);
    return id;
  }

  const details = () => at.page.getByRole('region', { name: 'The chosen step' });

  it('opens the failed step with its request, status and answer', async () => {
    const id = await failed(true);
    await open(`runs/${id}`);
    await details().getByText('Put it on the board').waitFor();
    await details().locator('.exchange').getByText(`POST ${its.remote.url}/cards`, { exact: true }).waitFor();
    await details().getByText(/^503 after/).waitFor();
    await details().getByText('The board is full.').waitFor();
    await seen('.error-box', `POST ${its.remote.url}/cards answered 503.`);
    expect(await findings()).toEqual([]);
    await at.page.setViewportSize({ width: 360, height: 640 });
    expect(await sidewaysScroll()).toBe(0);
    await at.page.setViewportSize({ width: 1280, height: 800 });
  });

  it('closes the step, and opens another one', async () => {
    const id = await failed(true);
    await open(`runs/${id}`);
    await details().waitFor();
    await at.page.getByRole('button', { name: 'Close the step' }).click();
    await details().waitFor({ state: 'detached' });
    await at.page.reload();
    await seen('.step-title', 'Put it on the board');
    expect(await details().count()).toBe(0);
    await at.page.getByRole('button', { name: /Read the tickets/ }).click();
    await details().getByText('Read the tickets').waitFor();
  });

  it('says which call failed without a log, and so does the list of runs', async () => {
    const id = await failed(false);
    await open(`runs/${id}`);
    await details().getByText(`POST ${its.remote.url}/cards answered 503.`).waitFor();
    await open('runs');
    await row(id).getByText(`POST ${its.remote.url}/cards answered 503.`).waitFor();
  });
});
