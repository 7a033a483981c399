import { setTimeout as pause } from 'node:timers/promises';
import type { Page, WebSocketRoute } from 'playwright-core';
import { describeInBrowser } from '../../support/browser/browser';
import { onDashboard } from '../../support/browser/dashboard';
import { createExample, runAll, scheduled } from '../../support/browser/dashboard-example';
import type { Example } from '../../support/browser/dashboard-example';
import { ended, untilEvent } from '../../support/service/watch';

/** The sockets of a page: counts subscriptions and simulates network failures. */
interface WatchedLine {
  /** Waits for these numbers of started and active subscriptions. */
  reaches(counts: { begun: number; followed: number }): Promise<void>;
  /** Closes the sockets and rejects new ones. */
  cut(): void;
  mend(): void;
  /** Drops all traffic of the open sockets, including their close. */
  fallSilent(): void;
  /** Adds a partial error to the next result. */
  spoil(code: string): void;
}

const PATIENCE_MS = 10_000;
const LOOK_MS = 20;

async function watchedLine(page: Page): Promise<WatchedLine> {
  const followed = new Set<string>();
  const open = new Set<WebSocketRoute>();
  let begun = 0;
  let isCut = false;
  let spoiledBy: string | null = null;

  await page.routeWebSocket(/\/graphql$/, (socket) => {
    followed.clear();
    if (isCut) return void socket.close({ code: 4_000 });
    open.add(socket);
    const service = socket.connectToServer();
    socket.onMessage((text) => {
      if (!open.has(socket)) return;
      const { id, type } = JSON.parse(String(text));
      if (type === 'complete') followed.delete(id);
      if (type === 'subscribe') {
        begun += 1;
        followed.add(id);
      }
      service.send(text);
    });
    service.onMessage((text) => {
      if (!open.has(socket)) return;
      const message = JSON.parse(String(text));
      if (message.type === 'complete' || message.type === 'error') followed.delete(message.id);
      if (message.type === 'next' && spoiledBy !== null) {
        message.payload.errors = [
          { message: 'A part is missing.', extensions: { code: spoiledBy } },
        ];
        spoiledBy = null;
      }
      socket.send(JSON.stringify(message));
    });
    socket.onClose((code, reason) => {
      if (open.delete(socket)) void service.close({ code, reason });
    });
    service.onClose((code, reason) => {
      if (open.delete(socket)) void socket.close({ code, reason });
    });
  });

  return {
    async reaches(counts) {
      for (
        const begin = Date.now();
        begun !== counts.begun || followed.size !== counts.followed;
        await pause(LOOK_MS)
      ) {
        if (Date.now() - begin > PATIENCE_MS)
          throw new Error(
            `The page started ${begun} subscriptions, of which ${followed.size} are active.`,
          );
      }
    },
    cut() {
      isCut = true;
      for (const socket of open) void socket.close({ code: 4_000 });
      open.clear();
    },
    mend() {
      isCut = false;
    },
    fallSilent() {
      open.clear();
    },
    spoil(code) {
      spoiledBy = code;
    },
  };
}

describeInBrowser('a dashboard that stays open', (at) => {
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
  const runsOf = (count: number): Promise<number[]> =>
    runAll(
      at.service,
      Array.from({ length: count }, () => orders()),
    );
  const details = () => at.page.getByRole('region', { name: 'Selected step' });
  const failed = async (logging: boolean): Promise<number> => {
    its.refuse(503);
    const [id = 0] = await runAll(at.service, [tickets()], logging);
    await ended(at.service, id);
    its.refuse(null);
    return id;
  };

  it('shows the remaining runs when all listed runs end together', async () => {
    const release = its.hold();
    const runs = await runAll(
      at.service,
      Array.from({ length: 13 }, () => tickets()),
    );
    await open('');
    const running = at.page.locator('section', { hasText: 'Running' }).last();
    const rowOf = (id: number | undefined) => running.locator(`tr:has(a[href$="/runs/${id}"])`);
    await rowOf(runs[12]).waitFor();
    await rowOf(runs[3]).waitFor();
    expect(await rowOf(runs[2]).count()).toBe(0);
    await at.page.evaluate(() => {
      const { MutationObserver: Mutations, document } = globalThis as any;
      new Mutations(() => {
        if (document.body.innerText.includes('No active runs'))
          Reflect.set(globalThis, 'saidNothing', true);
      }).observe(document.body, { childList: true, subtree: true });
    });
    const cancel = (id: number) =>
      at.service.data(
        'mutation($id: ID!) { runCancel(input: { id: $id }) { userErrors { code } } }',
        { id: String(id) },
      );
    await Promise.all(runs.slice(3).map(cancel));
    for (const id of runs.slice(0, 3)) await rowOf(id).waitFor();
    expect(await at.page.evaluate(() => Reflect.has(globalThis, 'saidNothing'))).toBe(false);
    await Promise.all(runs.slice(0, 3).map(cancel));
    release();
    await running.getByText('No active runs').waitFor();
  });

  it('updates its relative time filter for the list and for retries', async () => {
    const id = await failed(false);
    await open('runs?state=FAILED&since=1h');
    await row(id).waitFor();
    const queuedAfter: string[] = [];
    at.page.on('request', (request) => {
      if (request.postData()?.includes('runsRetry'))
        queuedAfter.push(JSON.parse(request.postData() ?? '').variables.filter.and[0].queuedAt.gte);
    });
    // After nine hours in a hidden tab, a retry still means the last hour.
    await at.page.evaluate(() =>
      Object.defineProperty(Reflect.get(globalThis, 'document'), 'hidden', {
        value: true,
        configurable: true,
      }),
    );
    const later = Date.now() + 9 * 3_600_000;
    await at.page.clock.setSystemTime(later);
    await at.page.getByRole('button', { name: 'Retry all matching runs' }).click();
    await at.page
      .getByRole('dialog')
      .getByRole('button', { name: 'Retry all matching runs' })
      .click();
    await seen('.notice', 'No runs to retry.');
    expect(new Date(queuedAfter[0] ?? 0).getTime()).toBeGreaterThan(later - 2 * 3_600_000);
    await row(id).waitFor();
    await at.page.evaluate(() => {
      const { document } = globalThis as any;
      Reflect.deleteProperty(document, 'hidden');
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await seen('.blank-title', 'No runs');
  });

  it('shows schedules that another user updates, creates and deletes', async () => {
    const id = await scheduled(at.service, tickets(), 'Tickets at noon', '0 0 12 * * ?');
    const row = (title: string) => at.page.locator('tbody tr', { hasText: title });
    await open('schedules');
    await row('Tickets at noon').waitFor();
    await at.service.data(
      'mutation($id: ID!) { scheduleUpdate(input: { id: $id, title: "Tickets at one", enabled: false }) { userErrors { code } } }',
      { id: String(id) },
    );
    await row('Tickets at one').getByRole('switch', { checked: false }).waitFor();
    await scheduled(at.service, tickets(), 'Tickets at two', '0 0 14 * * ?');
    await row('Tickets at two').waitFor();
    await at.service.data(
      'mutation($id: ID!) { scheduleDelete(input: { id: $id }) { userErrors { code } } }',
      { id: String(id) },
    );
    await row('Tickets at one').waitFor({ state: 'detached' });
  });

  it('does not subscribe twice after a partial error', async () => {
    const line = await watchedLine(at.page);
    await open('runs');
    await line.reaches({ begun: 1, followed: 1 });
    line.spoil('UNAVAILABLE');
    const [first = 0] = await runsOf(1);
    await line.reaches({ begun: 2, followed: 1 });
    await row(first).locator('.state-succeeded').waitFor();
  });

  it('ends a subscription whose failure it reports', async () => {
    const line = await watchedLine(at.page);
    await open('runs');
    await line.reaches({ begun: 1, followed: 1 });
    line.spoil('INTERNAL_SERVER_ERROR');
    await runsOf(1);
    await seen('.notice.bad', 'Changes are not shown as they happen');
    await line.reaches({ begun: 1, followed: 0 });
  });

  it('does not report a step as not run before the events are loaded', async () => {
    const line = await dashboard.lineThatBreaks();
    line.cut();
    const release = its.hold();
    const [id = 0] = await runAll(at.service, [its.workflows[0] ?? 0]);
    await untilEvent(at.service, id, 'StepStarted');
    await open(`runs/${id}?step=0`);
    await at.page.waitForSelector('.live-lost');
    await seen('[role=status]', 'loading events');
    expect(await at.page.locator('.outcome').allInnerTexts()).toEqual(
      Array.from({ length: 5 }, () => '…'),
    );
    expect(await at.page.getByText('has not run').count()).toBe(0);
    line.mend();
    await at.page.locator('.details .state-succeeded').waitFor();
    await at.page.locator('.step-line', { hasText: 'Tell the team' }).click();
    await seen('.details', 'This step has not run.');
    release();
  });

  it('does not report a step of an ended run as running before its end is loaded', async () => {
    const id = await failed(false);
    let release = (): void => undefined;
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    await at.page.routeWebSocket(/\/graphql$/, (socket) => {
      const server = socket.connectToServer();
      let sent = Promise.resolve();
      server.onMessage((message) => {
        sent = sent.then(async () => {
          if (String(message).includes('"StepFinished"')) await isReleased;
          socket.send(message);
        });
      });
    });
    await open(`runs/${id}?step=0`);
    const outcome = at.page
      .locator('.step-line', { hasText: 'Read the tickets' })
      .locator('.outcome');
    await seen('[role=status]', 'loading event 2 of');
    await outcome.getByText('…').waitFor();
    expect(await at.page.locator('.state-running').count()).toBe(0);
    await details().getByText('Started').waitFor();
    release();
    await outcome.locator('.state-succeeded').waitFor();
    await details().locator('.state-succeeded').waitFor();
  });

  it('restores all subscriptions before it reports a live connection', async () => {
    const line = await watchedLine(at.page);
    await at.page.clock.install();
    await open('');
    await line.reaches({ begun: 3, followed: 3 });
    line.cut();
    await at.page.waitForSelector('.live-lost');
    // The clock is advanced manually: each list has its own retry delay.
    await at.page.clock.pauseAt(await at.page.evaluate(() => Date.now() + 1_000));
    for (let second = 0; second < 60; second++) await at.page.clock.runFor(1_000);
    line.mend();
    while ((await at.page.locator('.live-open').count()) === 0) await at.page.clock.runFor(100);
    await line.reaches({ begun: 6, followed: 3 });
  });

  it('detects a silent connection and opens a new one', async () => {
    const line = await watchedLine(at.page);
    await at.page.clock.install();
    await open('runs');
    await line.reaches({ begun: 1, followed: 1 });
    line.fallSilent();
    await at.page.clock.fastForward('00:10');
    await at.page.clock.fastForward('00:05');
    await at.page.waitForSelector('.live-lost');
    const [missed = 0] = await runsOf(1);
    await row(missed).locator('.state-succeeded').waitFor();
    await at.page.waitForSelector('.live-open');
  });

  it('keeps the rows of a failed page, but not those of another filter', async () => {
    const bad = await failed(false);
    const ids = await runsOf(26);
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
    expect(await at.page.getByRole('button', { name: 'Retry all matching runs' }).count()).toBe(0);
    await at.page.unroute(/\/graphql$/);
    await at.page.click('text=Try again');
    await row(bad).waitFor();
  });

  it('opens the failed step with its request, status and response until it is closed', async () => {
    const id = await failed(true);
    await open(`runs/${id}`);
    await details().getByText('Put it on the board', { exact: true }).waitFor();
    await details()
      .locator('.exchange')
      .getByText(`POST ${its.remote.url}/cards`, { exact: true })
      .waitFor();
    await details()
      .getByText(/^503 after/)
      .waitFor();
    await details().getByText('The board is full.').waitFor();
    await seen('.error-box', `POST ${its.remote.url}/cards answered 503.`);
    await at.page.getByRole('button', { name: 'Close the step' }).click();
    await details().waitFor({ state: 'detached' });
    await at.page.reload();
    await seen('.step-title', 'Put it on the board');
    expect(await details().count()).toBe(0);
  });

  it('shows the failed request of a run without a log, also in the list of runs', async () => {
    const id = await failed(false);
    await open(`runs/${id}`);
    await details().getByText(`POST ${its.remote.url}/cards answered 503.`).waitFor();
    await details().getByText('The board is full.').waitFor();
    await details()
      .getByText(/^503 after/)
      .waitFor();
    await open('runs');
    const message = `Step "Put it on the board" (1_0_0): POST ${its.remote.url}/cards answered 503.`;
    await row(id).getByText(message).waitFor();
    await open(`runs/${id}`);
    await at.page.getByRole('button', { name: 'Retry with logging' }).click();
    await at.page.getByRole('dialog').getByRole('button', { name: 'Retry with logging' }).click();
    await at.page.locator('.heading .tag', { hasText: 'with logging' }).waitFor();
  });
});
