import { describeInBrowser } from '../support/browser';
import { onDashboard } from '../support/dashboard';
import { house, runAll } from '../support/dashboard-house';
import type { House } from '../support/dashboard-house';
import { ended, untilEvent } from '../support/watch';
import { watchedLine } from '../support/watched-line';

describeInBrowser('the dashboard, while the service is away or there in part', (at) => {
  const dashboard = onDashboard(at);
  const { open, row, seen } = dashboard;
  let its: House;
  beforeAll(async () => { its = await house(at.service); });
  afterAll(() => its.close());
  const runs = (count: number): Promise<number[]> => runAll(at.service, Array.from({ length: count }, () => its.workflows[1] ?? 0));

  it('follows nothing twice when a part of a result was not to be had', async () => {
    const line = await watchedLine(at.page);
    await open('runs');
    await line.reaches({ begun: 1, followed: 1 });
    line.spoil('UNAVAILABLE');
    const [first = 0] = await runs(1);
    await line.reaches({ begun: 2, followed: 1 });
    await row(first).locator('.state-succeeded').waitFor();
  });

  it('follows no more what it says that it does not show', async () => {
    const line = await watchedLine(at.page);
    await open('runs');
    await line.reaches({ begun: 1, followed: 1 });
    line.spoil('INTERNAL_SERVER_ERROR');
    await runs(1);
    await seen('.notice.bad', 'Changes are not shown as they happen');
    await line.reaches({ begun: 1, followed: 0 });
  });

  it('says of no step that it has not run before it has heard of the run', async () => {
    const line = await dashboard.lineThatBreaks();
    line.cut();
    const release = its.hold();
    const [id = 0] = await runAll(at.service, [its.workflows[0] ?? 0]);
    await untilEvent(at.service, id, 'StepStarted');
    await open(`runs/${id}?step=0`);
    await at.page.waitForSelector('.live-lost');
    await seen('[role=status]', 'reading its events');
    expect(await at.page.locator('.outcome').allInnerTexts()).toEqual(Array.from({ length: 5 }, () => '…'));
    expect(await at.page.getByText('has not run').count()).toBe(0);
    line.mend();
    await at.page.locator('.details .state-succeeded').waitFor();
    await at.page.locator('.step-line', { hasText: 'Tell the team' }).click();
    await seen('.details', 'This step has not run.');
    release();
  });

  it('follows all of a page again as soon as it says that it is live', async () => {
    const line = await watchedLine(at.page);
    await at.page.clock.install();
    await open('');
    await line.reaches({ begun: 3, followed: 3 });
    line.cut();
    await at.page.waitForSelector('.live-lost');
    // From now on the time of the page goes on by hand: each list waits for many seconds of its own.
    await at.page.clock.pauseAt(await at.page.evaluate(() => Date.now() + 1_000));
    for (let second = 0; second < 60; second++) await at.page.clock.runFor(1_000);
    line.mend();
    while (await at.page.locator('.live-open').count() === 0) await at.page.clock.runFor(100);
    await line.reaches({ begun: 6, followed: 3 });
  });

  it('says that the connection is lost when nothing comes any more, and opens another', async () => {
    const line = await watchedLine(at.page);
    await at.page.clock.install();
    await open('runs');
    await line.reaches({ begun: 1, followed: 1 });
    line.fallSilent();
    await at.page.clock.fastForward('00:10');
    await at.page.clock.fastForward('00:05');
    await at.page.waitForSelector('.live-lost', { timeout: 5_000 });
    const [missed = 0] = await runs(1);
    await row(missed).locator('.state-succeeded').waitFor();
    await at.page.waitForSelector('.live-open');
  });

  it('shows nothing of one question under another, and offers nothing for it; the pages of one question stay', async () => {
    const ids = await runs(30);
    await ended(at.service, ids.at(-1) ?? 0);
    await open('runs');
    await row(ids.at(-1) ?? 0).waitFor();
    await at.page.route(/\/graphql$/, (route) => route.fulfill({ status: 503, body: '' }));
    const refused = at.page.waitForResponse(/\/graphql$/);
    await at.page.click('text=Older');
    await refused;
    expect(new URL(at.page.url()).searchParams.has('after')).toBe(true);
    expect(await row(ids.at(-1) ?? 0).count()).toBe(1);
    await at.page.locator('.chip', { hasText: 'Failed' }).click();
    await seen('.blank-title', 'No connection');
    expect(await at.page.locator('tbody tr').count()).toBe(0);
    expect(await at.page.getByRole('button', { name: 'Retry all of these' }).count()).toBe(0);
    await at.page.unroute(/\/graphql$/);
    await at.page.click('text=Try again');
    await seen('.blank-title', 'No runs');
  });
});
