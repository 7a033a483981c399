import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../support/browser/browser';
import { onDashboard } from '../../support/browser/dashboard';
import { remoteSystem } from '../../support/peers/remote-system';
import type { RemoteSystem } from '../../support/peers/remote-system';
import { ended } from '../../support/service/watch';
import { method, saved, started, workflow } from '../../support/documents/workflows';

/** Too many for one button each. */
const OUTER = 12;
/** Several pages of the log, also for the failed run. */
const INNER = 250;
/** More than a browser page keeps. */
const TURNS = 2_100;

function gate(): { opened: Promise<void>; open: () => void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** Counts the run events that a page receives. */
function eventsSentTo(page: Page): () => number {
  let events = 0;
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      events += payload.toString().split('"runEvents"').length - 1;
    }),
  );
  return () => events;
}

describeInBrowser('a long run on the dashboard', (at) => {
  const dashboard = onDashboard(at);
  const step = (title: string) => at.page.locator('.step-line', { hasText: title });
  const turn = (title: string, text: string): Promise<void> =>
    step(title).getByText(text, { exact: true }).waitFor();
  let remote: RemoteSystem;
  let failsAt: number | null = null;
  let long = 0;
  let failed = 0;

  beforeAll(async () => {
    let cards = 0;
    remote = await remoteSystem(({ path }) => {
      if (path === '/tickets') {
        cards = 0;
        return {
          body: {
            outer: Array.from({ length: OUTER }, (_, nth) => nth),
            inner: [...Array.from({ length: INNER - 1 }, () => 'rest'), 'call'],
          },
        };
      }
      if (path !== '/card') return { body: { text: 'ok' } };
      cards += 1;
      return failsAt === cards
        ? { status: 500, body: { error: 'The board is full.' } }
        : { status: 201, body: { card: cards } };
    });
    const id = await saved(
      at.service,
      workflow(
        [
          method('0', `${remote.url}/tickets`, { label: 'Read the tickets', color: '#FFCFB5' }),
          method('1_0', `${remote.url}/card`, { label: 'Make a card' }),
          method('1_1_0_0', `${remote.url}/tell`, { label: 'Tell the team' }),
        ],
        [
          {
            id: 'outer',
            index: '1',
            type: 'loop',
            iterator: 'i',
            expression: 'For({%#FFCFB5.(response).body.outer%})',
          },
          {
            id: 'inner',
            index: '1_1',
            type: 'loop',
            iterator: 'j',
            expression: 'For({%#FFCFB5.(response).body.inner%})',
          },
          {
            id: 'if',
            index: '1_1_0',
            type: 'if',
            expression: '{%#FFCFB5.(response).body.inner[j]%} = "call"',
          },
        ],
      ),
    );
    long = await started(at.service, id, true);
    await ended(at.service, long);
    failsAt = 4;
    failed = await started(at.service, id, true);
    await ended(at.service, failed);
  });
  afterAll(() => remote.close());

  it('is shown from its log without events and loads the opened iterations with requests and responses', async () => {
    const events = eventsSentTo(at.page);
    await dashboard.open(`runs/${long}`);
    await turn('For each i', `iteration ${OUTER} of ${OUTER}`);
    await turn('For each j', `iteration ${INNER} of ${INNER}`);
    await step('Tell the team').locator('.state-succeeded').waitFor();
    expect(events()).toBe(0);
    await step('If').locator('.verdict-true').waitFor();
    await step('For each j').getByRole('button', { name: 'Previous iteration' }).focus();
    await at.page.keyboard.press('Enter');
    await turn('For each j', `iteration ${INNER - 1} of ${INNER}`);
    await step('If').locator('.verdict-false').waitFor();
    await step('Tell the team').locator('.outcome', { hasText: '–' }).waitFor();
    await step('Tell the team').locator('.step-name').click();
    await at.page.getByText('This step did not run in this iteration.').waitFor();
    await dashboard.open(`runs/${long}?turns=1:7,1_1:3&step=1_0`);
    await turn('For each i', `iteration 8 of ${OUTER}`);
    await turn('For each j', `iteration 4 of ${INNER}`);
    await turn('For each i', 'i = 7');
    await turn('For each j', 'j = 3');
    await at.page
      .getByRole('region', { name: 'Body of the response' })
      .getByText('"card": 8')
      .waitFor();
    await step('For each i').getByRole('button', { name: 'Next iteration' }).click();
    await at.page
      .getByRole('region', { name: 'Body of the response' })
      .getByText('"card": 9')
      .waitFor();
    await turn('For each j', `iteration ${INNER} of ${INNER}`);
    // The number is limited to the last iteration.
    await at.page.getByLabel('Go to an iteration of For each i').fill('11');
    await at.page.keyboard.press('Enter');
    await turn('For each i', `iteration 11 of ${OUTER}`);
    await at.page
      .getByRole('region', { name: 'Body of the response' })
      .getByText('"card": 11')
      .waitFor();
    await at.page.locator('.details').getByText('2.1, iteration 11').waitFor();
    await at.page.getByLabel('Go to an iteration of For each i').fill('99999');
    await at.page.keyboard.press('Enter');
    await turn('For each i', `iteration ${OUTER} of ${OUTER}`);
  });

  it('ends at the failed step and loads messages on request', async () => {
    await dashboard.open(`runs/${failed}?step=1_0`);
    await turn('For each i', `iteration 4 of ${OUTER}`);
    await step('For each i').locator('.state-failed').waitFor();
    await step('For each i').locator('.outcome-time', { hasText: /\d/ }).waitFor();
    await step('Make a card').locator('.state-failed').waitFor();
    await step('For each j').locator('.outcome', { hasText: '–' }).waitFor();
    await at.page
      .getByRole('region', { name: 'Body of the response' })
      .getByText('The board is full.')
      .waitFor();
    await step('For each i').getByRole('button', { name: 'Previous iteration' }).click();
    await step('Make a card').locator('.state-succeeded').waitFor();
    await at.page.locator('.details .state-succeeded').waitFor();
    expect(await at.page.locator('.details .error-box').count()).toBe(0);
    await turn('For each j', `iteration ${INNER} of ${INNER}`);
    await at.page.getByRole('button', { name: 'Load messages' }).click();
    await at.page.getByText('None.').waitFor();
    await turn('For each i', `iteration 3 of ${OUTER}`);
  });

  it('continues loading after the service was unavailable', async () => {
    const line = await dashboard.lineThatBreaks();
    await dashboard.open(`runs/${long}`);
    await turn('For each j', `iteration ${INNER} of ${INNER}`);
    await at.page.waitForSelector('.live-open');
    await at.page.route(/\/graphql$/, (route) =>
      /LogPlace/.test(route.request().postData() ?? '')
        ? route.fulfill({ status: 503, body: 'away' })
        : route.continue(),
    );
    line.cut();
    await at.page.waitForSelector('.live-lost');
    await step('For each i').getByRole('button', { name: 'Previous iteration' }).click();
    await at.page.locator('.blank-title', { hasText: 'No connection' }).waitFor();
    await at.page.unroute(/\/graphql$/);
    line.mend();
    await turn('For each i', `iteration ${OUTER - 1} of ${OUTER}`);
    await turn('For each j', `iteration ${INNER} of ${INNER}`);
    await at.page
      .locator('.blank-title', { hasText: 'No connection' })
      .waitFor({ state: 'detached' });
  });

  it('shows the newest iterations, marks dropped ones and loads them from the log after its end', async () => {
    const gates = { '/items': gate(), '/last': gate() };
    const slow = await remoteSystem(async ({ path }) => {
      await gates[path as keyof typeof gates].opened;
      return { body: { items: [...Array.from({ length: TURNS - 1 }, () => 'rest'), 'call'] } };
    });
    const id = await saved(
      at.service,
      workflow(
        [
          method('0', `${slow.url}/items`, { color: '#FFCFB5' }),
          method('1_0_0', `${slow.url}/last`),
        ],
        [
          {
            id: 'each',
            index: '1',
            type: 'loop',
            iterator: 'i',
            expression: 'For({%#FFCFB5.(response).body.items%})',
          },
          {
            id: 'if',
            index: '1_0',
            type: 'if',
            expression: '{%#FFCFB5.(response).body.items[i]%} = "call"',
          },
        ],
      ),
    );
    const run = await started(at.service, id, true);
    await dashboard.open(`runs/${run}?step=1_0`);
    await at.page.locator('.step-line .state-running').waitFor();
    gates['/items'].open();
    await step('For each i').getByText(`iteration ${TURNS} of ${TURNS}`).waitFor();
    await step('If').locator('.verdict-true').waitFor();
    await at.page.evaluate(() => {
      const page = globalThis as any;
      page.history.pushState(null, '', '?step=1_0&turns=1:0');
      page.dispatchEvent(new Event('popstate'));
    });
    await step('If').locator('.outcome', { hasText: 'not shown' }).waitFor();
    await dashboard.seen('.details', 'The result of this iteration is not shown');
    expect(await step('call 1_0_0').locator('.outcome').innerText()).toBe('–');
    gates['/last'].open();
    await ended(at.service, run);
    await step('If').locator('.verdict-false').waitFor();
    await step('For each i').getByText(`iteration 1 of ${TURNS}`).waitFor();
    await slow.close();
  });
});
