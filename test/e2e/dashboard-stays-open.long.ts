import { describeInBrowser } from '../support/browser';
import { onDashboard } from '../support/dashboard';
import { house, runAll, scheduled } from '../support/dashboard-house';
import type { House } from '../support/dashboard-house';
import { ended } from '../support/watch';
import { method, saved, workflow } from '../support/workflows';

describeInBrowser('a dashboard that stays open', (at) => {
  const dashboard = onDashboard(at);
  const { open, row, seen } = dashboard;
  let its: House;
  beforeAll(async () => { its = await house(at.service); });
  afterAll(() => its.close());
  const [tickets, orders] = [0, 1].map((which) => () => its.workflows[which] ?? 0) as [() => number, () => number];
  const run = async (workflow: number): Promise<number> => (await runAll(at.service, [workflow]))[0] ?? 0;

  it('shows what goes on when all that it showed has ended together', async () => {
    const release = its.hold();
    const runs = await runAll(at.service, Array.from({ length: 13 }, () => tickets()));
    await open('');
    const running = at.page.locator('section', { hasText: 'What runs now' }).last();
    const rowOf = (id: number | undefined) => running.locator(`tr:has(a[href$="/runs/${id}"])`);
    await rowOf(runs[12]).waitFor();
    await rowOf(runs[3]).waitFor();
    expect(await rowOf(runs[2]).count()).toBe(0);
    await at.page.evaluate(() => {
      const { MutationObserver: Mutations, document } = globalThis as any;
      new Mutations(() => { if (document.body.innerText.includes('Nothing runs right now')) Reflect.set(globalThis, 'saidNothing', true); }).observe(document.body, { childList: true, subtree: true });
    });
    const cancel = (id: number) => at.service.data('mutation($id: ID!) { runCancel(input: { id: $id }) { userErrors { code } } }', { id: String(id) });
    await Promise.all(runs.slice(3).map(cancel));
    for (const id of runs.slice(0, 3)) await rowOf(id).waitFor();
    expect(await at.page.evaluate(() => Reflect.has(globalThis, 'saidNothing'))).toBe(false);
    await Promise.all(runs.slice(0, 3).map(cancel));
    release();
    await running.getByText('Nothing runs right now').waitFor();
  });

  it('shows on the page of a run what came of it', async () => {
    its.refuse(500);
    const failed = await run(tickets());
    await ended(at.service, failed);
    its.refuse(null);
    await open(`runs/${failed}`);
    await at.page.locator('.heading .state-failed').waitFor();
    const release = its.hold();
    const { runRetry } = await at.service.data('mutation($id: ID!) { runRetry(input: { id: $id }) { run { databaseId } } }', { id: String(failed) });
    const again = at.page.locator('.facts > div', { hasText: 'Run again as' });
    await again.getByText(`#${runRetry.run.databaseId}`).waitFor();
    await again.locator('.state-running').waitFor();
    release();
    await again.locator('.state-succeeded').waitFor();
  });

  it('finds a workflow however many there are, and shows and takes away what links ask for', async () => {
    for (let nth = 0; nth < 101; nth++) await saved(at.service, workflow([method('0', its.remote.url)], [], { title: `A workflow before others ${nth}` }));
    const last = await saved(at.service, workflow([method('0', its.remote.url)], [], { title: 'Zebras to the zoo' }));
    const found = await run(last);
    const schedule = await scheduled(at.service, orders(), 'Orders at midnight', '0 0 0 * * ?');
    await open(`runs?schedule=${schedule}`);
    await seen('.blank-title', 'No runs');
    await at.page.getByRole('button', { name: 'Schedule Orders at midnight' }).click();
    await row(found).waitFor();
    expect(new URL(at.page.url()).search).toBe('');
    const field = at.page.getByLabel('Workflow');
    await field.pressSequentially('zebras');
    await at.page.locator(`datalist option[value="Zebras to the zoo #${last}"]`).waitFor({ state: 'attached' });
    // As a browser does when one of the list is picked.
    await field.fill(`Zebras to the zoo #${last}`);
    await at.page.waitForURL(new RegExp(`workflow=${last}`));
    await row(found).waitFor();
    await at.page.reload();
    await at.page.waitForFunction((text) => Reflect.get(globalThis, 'document').querySelector('input[list]').value === text, `Zebras to the zoo #${last}`);
    // What finds nothing, or more than one, changes nothing, and says so.
    await field.fill('others');
    await field.press('Enter');
    await field.blur();
    await seen('[role=status]', 'Choose one of 101');
    expect(new URL(at.page.url()).search).toBe(`?workflow=${last}`);
    await field.fill('');
    await at.page.waitForURL(/runs$/);
  });

  it('goes with the time: the last hour of a page that stays open, and what is run again of it', async () => {
    its.refuse(500);
    const failed = await run(tickets());
    await ended(at.service, failed);
    its.refuse(null);
    await open('runs?state=FAILED&since=1h');
    await row(failed).waitFor();
    const asked: string[] = [];
    at.page.on('request', (request) => { if (request.postData()?.includes('runsRetry')) asked.push(JSON.parse(request.postData() ?? '').variables.filter.and[0].queuedAt.gte); });
    // Nobody looks at it for nine hours; who comes back and is quick means the last hour, too.
    await at.page.evaluate(() => Object.defineProperty(Reflect.get(globalThis, 'document'), 'hidden', { value: true, configurable: true }));
    const later = Date.now() + 9 * 3_600_000;
    await at.page.clock.setSystemTime(later);
    await at.page.getByRole('button', { name: 'Retry all of these' }).click();
    await at.page.getByRole('dialog').getByRole('button', { name: 'Retry all of these' }).click();
    await seen('.notice', 'There was nothing to run again.');
    expect(new Date(asked[0] ?? 0).getTime()).toBeGreaterThan(later - 2 * 3_600_000);
    await row(failed).waitFor();
    await at.page.evaluate(() => {
      const { document } = globalThis as any;
      Reflect.deleteProperty(document, 'hidden');
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await seen('.blank-title', 'No runs');
  });

  it('shows a schedule as somebody else has changed it meanwhile, and those he adds and deletes', async () => {
    const id = await scheduled(at.service, tickets(), 'Tickets at noon', '0 0 12 * * ?');
    const row = (title: string) => at.page.locator('tbody tr', { hasText: title });
    await open('schedules');
    await row('Tickets at noon').waitFor();
    await at.service.data('mutation($id: ID!) { scheduleUpdate(input: { id: $id, title: "Tickets at one", enabled: false }) { userErrors { code } } }', { id: String(id) });
    await row('Tickets at one').getByRole('switch', { checked: false }).waitFor();
    await scheduled(at.service, tickets(), 'Tickets at two', '0 0 14 * * ?');
    await row('Tickets at two').waitFor();
    await at.service.data('mutation($id: ID!) { scheduleDelete(input: { id: $id }) { userErrors { code } } }', { id: String(id) });
    await row('Tickets at one').waitFor({ state: 'detached' });
  });

  it('switches a schedule that somebody else has changed at the second try', async () => {
    // Nothing is told of changes: what is read again is read by the page itself.
    (await dashboard.lineThatBreaks()).cut();
    const id = await scheduled(at.service, tickets(), 'Tickets at three', '0 0 15 * * ?');
    const row = (title: string) => at.page.locator('tbody tr', { hasText: title });
    await open('schedules');
    await row('Tickets at three').waitFor();
    await at.service.data('mutation($id: ID!) { scheduleUpdate(input: { id: $id, title: "Tickets at four" }) { userErrors { code } } }', { id: String(id) });
    await row('Tickets at three').getByRole('switch').click();
    await at.page.locator('.notice.bad').waitFor();
    await row('Tickets at four').getByRole('switch').click();
    await row('Tickets at four').getByRole('switch', { checked: false }).waitFor();
  });
});
