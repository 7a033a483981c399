import type { Locator, Page } from 'playwright-core';
import { describeInBrowser, newPage } from '../../support/browser/browser';
import { onDashboard } from '../../support/browser/dashboard';
import { createExample, runAll, scheduled } from '../../support/browser/dashboard-example';
import type { Example } from '../../support/browser/dashboard-example';
import { ADMIN_EMAIL } from '../../support/service/harness';
import { ended } from '../../support/service/watch';
import { method, saved, workflow } from '../../support/documents/workflows';

/** The last character overrides the direction of the following text. */
const TURNED = 'Tickets of שלום \u202E';
const DAY_MS = 86_400_000;
const GRANTS = [
  ['CONNECTION', 'READ'],
  ['DASHBOARD', 'READ'],
] as const;

describeInBrowser('numbers, times and names on the dashboard', (at) => {
  const dashboard = onDashboard(at);
  const { open, seen } = dashboard;
  let its: Example;
  beforeAll(async () => {
    its = await createExample(at.service);
    const [run = 0] = await runAll(at.service, [orders()]);
    await ended(at.service, run);
  });
  afterAll(() => its.close());
  const orders = (): number => its.workflows[1] ?? 0;
  const figure = (name: string): Locator => at.page.locator('.figure', { hasText: name });
  const button = (name: string): Locator =>
    at.page.getByRole('button', { name, exact: true }).first();

  const listed = (count: number): Promise<void> =>
    at.page
      .waitForFunction(
        (expected) =>
          Reflect.get(globalThis, 'document').querySelectorAll('tbody tr').length === expected,
        count,
      )
      .then(() => undefined);

  /** Changes the responses of an operation. */
  const answered = (page: Page, operation: string, change: (data: any) => void): Promise<unknown> =>
    page.route(/\/graphql$/, async (route) => {
      if (!route.request().postData()?.includes(`query ${operation}(`)) return route.fallback();
      const response = await route.fetch();
      const answer = await response.json();
      change(answer.data);
      return route.fulfill({ response, json: answer });
    });

  it('show run counts that link to the counted runs', async () => {
    await open('');
    await figure('Completed today').getByText('1', { exact: true }).waitFor();
    await figure('Success rate, 14 days').getByText('100 %', { exact: true }).waitFor();
    const { width = 0, height = 0 } = (await at.page.locator('.u-over').boundingBox()) ?? {};
    await at.page.locator('.u-over').hover({ position: { x: width - 20, y: height / 2 } });
    await seen('.tip', ': 1 run, 0 failed');
    // A day of the chart links only to the runs that were counted.
    await at.page.locator('.u-over').click({ position: { x: width - 20, y: height / 2 } });
    await listed(1);
    await button('Clear filters').click();
    await at.page.locator('.chip.taken').waitFor({ state: 'detached' });
    await open('');
    await figure('Failed today').click();
    await seen('.blank-title', 'No runs');
    await at.page.goBack();
    await figure('Completed today').click();
    await listed(1);
    const [yesterday, thisMorning] = [-1, 0].map((days) =>
      new Date(Date.now() + days * DAY_MS).toISOString().replace(/T.*/, 'T00:00:00.000Z'),
    );
    await open(`runs?started=${yesterday}/${thisMorning}`);
    await seen('.blank-title', 'No runs');
    await at.page.locator('.chip.taken', { hasText: 'Started' }).click();
    await listed(1);
    for (const wrong of ['x/y', '2026-99-99T00:00:00.000Z/2026-99-99T00:00:00.000Z']) {
      await open(`runs?started=${wrong}`);
      await listed(1);
    }
    await open('');
    await answered(at.page, 'Overview', ({ executionsTimeline }) =>
      Object.assign(executionsTimeline.at(-1), { executions: 20_000, failures: 1 }),
    );
    await at.page.routeWebSocket(/\/graphql$/, () => undefined);
    await at.page.reload();
    await figure('Success rate').getByText('> 99.9 %').waitFor();
  });

  it('include a chart whose days can be selected by keyboard and link to their runs', async () => {
    await open('');
    const days = at.page.locator('.chart a');
    await days.nth(13).waitFor({ state: 'attached' });
    const names = await days.allTextContents();
    const press = (key: string): Promise<void> => at.page.keyboard.press(key);
    /** The tooltip describes the focused day. */
    const isAt = async (nth: number, runs: string): Promise<void> => {
      await days.nth(nth).and(at.page.locator(':focus')).waitFor({ state: 'attached' });
      await at.page
        .locator('.tip', { hasText: new RegExp(`^${names[nth]}: ${runs}, 0 failed$`) })
        .waitFor();
    };
    await button('90 d').focus();
    await press('Tab');
    await isAt(13, '1 run');
    for (const [key, nth] of [
      ['ArrowRight', 13],
      ['ArrowLeft', 12],
      ['ArrowLeft', 11],
      ['ArrowRight', 12],
      ['Home', 0],
      ['ArrowLeft', 0],
    ] as const) {
      await press(key);
      await isAt(nth, nth === 13 ? '1 run' : '0 runs');
    }
    // The chart is drawn again.
    await at.page.emulateMedia({ colorScheme: 'dark' });
    await isAt(0, '0 runs');
    await at.page.emulateMedia({ colorScheme: null });
    await press('Tab');
    expect(await at.page.locator('.chart :focus').count()).toBe(0);
    await at.page.locator('.tip').waitFor({ state: 'hidden' });
    await press('Shift+Tab');
    await isAt(0, '0 runs');
    await press('End');
    await isAt(13, '1 run');
    await press('Enter');
    await seen('h1', 'Runs');
    await listed(1);
    await at.page.locator('.chip.taken', { hasText: 'Started' }).waitFor();
  });

  it('are hidden without permission and shown again when it is granted', async () => {
    const reader = await at.service.userWith(GRANTS.map((grant) => grant.join(':')));
    const components = (await at.service.api('GET', '/api/component/all')).body._embedded
      .componentResources as { enhanceId: number; name: string }[];
    const give = async (grants: readonly (readonly [string, string])[]): Promise<void> => {
      const body = {
        components: grants.map(([name, permission]) => ({
          enhanceId: components.find((each) => each.name === name)?.enhanceId,
          name,
          permissions: [permission],
        })),
      };
      expect(
        (await at.service.api('PUT', `/api/role/${reader.groupId}/component`, { body })).status,
      ).toBe(200);
    };
    const values = async (): Promise<string[]> => at.page.locator('.figure-value').allInnerTexts();
    const shown = async (): Promise<void> => {
      await at.page
        .locator('.blank-title', { hasText: 'Access denied' })
        .first()
        .waitFor({ state: 'detached' });
      await at.page.locator('.top-list', { hasText: 'Orders to accounting' }).waitFor();
      await at.page.locator('nav a', { hasText: 'Workflows' }).waitFor({ state: 'attached' });
      expect((await values()).slice(1)).toEqual(['1', '0', '100 %']);
    };
    const removeAccess = async (): Promise<void> => {
      await give([]);
      await at.page.locator('.blank-title', { hasText: 'Access denied' }).nth(3).waitFor();
      expect(await values()).toEqual(['–', '–', '–', '–']);
      await at.page.locator('nav a').first().waitFor({ state: 'detached' });
    };
    await open('', reader);
    await at.page.waitForSelector('.live-open');
    await removeAccess();
    await give(GRANTS);
    await button('Try again').click();
    await shown();
    // The page is live again.
    const [run = 0] = await runAll(at.service, [orders()], true);
    await figure('Completed today').getByText('2', { exact: true }).waitFor();
    await ended(at.service, run);
    // The title of the selected workflow, which no event updates, is hidden too.
    await at.page.goto(`${at.service.url}/dashboard/runs?workflow=${orders()}`);
    const field = at.page.getByLabel('Workflow');
    await at.page.waitForFunction(
      (text) => Reflect.get(globalThis, 'document').querySelector('input[list]').value === text,
      `Orders to accounting #${orders()}`,
    );
    await give([]);
    await seen('.blank-title', 'Access denied');
    await at.page.waitForFunction(
      () =>
        !Reflect.get(globalThis, 'document').querySelector('input[list]').value.includes('Orders'),
    );
    expect(await field.inputValue()).not.toContain('Orders');
  });

  it('show times with the UTC offset of their date, and another year', async () => {
    const page = await newPage(at.browser, { timezoneId: 'Europe/Berlin' });
    await page.addInitScript(
      (session) => Reflect.get(globalThis, 'sessionStorage').setItem('hypha:session:/', session),
      JSON.stringify({ authorization: at.service.adminToken, email: ADMIN_EMAIL }),
    );
    const year = new Date().getFullYear();
    const times = [
      `${year}-01-05T06:00:00Z`,
      `${year}-04-05T06:00:00Z`,
      `${year + 5}-07-01T10:00:00Z`,
    ];
    await answered(page, 'Workflows', ({ workflows: { nodes } }) =>
      times.forEach((updatedAt, nth) => Object.assign(nodes[nth], { updatedAt })),
    );
    await page.goto(`${at.service.url}/dashboard/workflows`);
    const cells = page.locator('td.only-wide time');
    await cells.nth(2).waitFor();
    const titles = await cells.evaluateAll((all) =>
      // Without how long ago it was.
      all.slice(0, 3).map((each) => each.getAttribute('title').replace(/ \(.*\)$/, '')),
    );
    expect(titles).toEqual([
      `5 Jan ${year}, 07:00:00 CET`,
      `5 Apr ${year}, 08:00:00 CEST`,
      `1 Jul ${year + 5}, 12:00:00 CEST`,
    ]);
    const [january = '', , july] = await cells.allInnerTexts();
    expect(july).toBe(`1 Jul ${year + 5}, 12:00`);
    expect(january).not.toContain(String(year));
    await page.context().close();
  });

  it('are replaced by a link out of an invalid address', async () => {
    await open('runs?state=FAILED&after=garbage');
    await at.page.getByRole('link', { name: 'First page' }).click();
    await seen('.blank-title', 'No runs');
    expect(new URL(at.page.url()).search).toBe('?state=FAILED');
    await open('audit?before=garbage');
    await at.page.getByRole('link', { name: 'First page' }).click();
    await at.page.locator('table[aria-label=Changes] tbody tr').first().waitFor();
    await open(`workflows?find=${'x'.repeat(201)}`);
    await seen('.blank', 'No results match');
    // The service rejects this filter for long lists.
    await at.page.route(/\/graphql$/, (route) =>
      route.request().postData()?.includes('HTTP_STATUS_ERROR')
        ? route.fulfill({
            json: {
              errors: [
                {
                  message: 'No index has that.',
                  extensions: { code: 'BAD_USER_INPUT', reason: 'BAD_REQUEST' },
                },
              ],
            },
          })
        : route.fallback(),
    );
    await open('runs?trigger=MANUAL&error=HTTP_STATUS_ERROR');
    await seen('.blank', 'No index has that.');
    expect(await button('Try again').count()).toBe(0);
    await at.page.getByRole('link', { name: 'Show all' }).click();
    await seen('.row-link', 'Orders to accounting');
  });

  it('keep their direction next to right-to-left text', async () => {
    const id = await saved(
      at.service,
      workflow([method('0', its.remote.url, { label: TURNED })], [], { title: TURNED }),
    );
    const runs = await runAll(at.service, [id, id], true);
    for (const run of runs) await ended(at.service, run);
    await scheduled(at.service, id, 'שלום 7', '');
    /** Numbers whose first digit is not left of their last digit. */
    const turned = (): Promise<string[]> =>
      at.page.evaluate(() => {
        const { document, Range: Place } = globalThis as any;
        const left = (text: any, offset: number): number => {
          const one = new Place();
          one.setStart(text, offset);
          one.setEnd(text, offset + 1);
          return one.getBoundingClientRect().left;
        };
        return [...document.querySelectorAll('main *')]
          .filter(
            (each) =>
              each.childElementCount === 0 &&
              /^[\s#×]*\d[\d.]*$/.test(each.textContent) &&
              each.textContent.trim().length > 1 &&
              each.checkVisibility(),
          )
          .filter(
            ({ firstChild, lastChild }) =>
              left(firstChild, firstChild.data.search(/\S/)) >
              left(lastChild, lastChild.length - 1),
          )
          .map((each) => each.outerHTML);
      });
    await open('schedules');
    await at.page.locator('.cell-actions button').click();
    const sides = await at.page.locator('.notice bdi').evaluate(({ firstChild }) =>
      ['7', 'was', '.'].map((text) => {
        const word = new (Reflect.get(globalThis, 'Range'))();
        const offset = firstChild.data.lastIndexOf(text);
        word.setStart(firstChild, offset);
        word.setEnd(firstChild, offset + 1);
        return word.getBoundingClientRect().left as number;
      }),
    );
    expect(sides).toEqual([...sides].sort((one, other) => one - other));
    for (const path of ['workflows', `runs/${runs[0]}?step=0`, '']) {
      await open(path);
      await at.page.locator('main').getByText('שלום').first().waitFor();
      await at.page.waitForSelector('.loading', { state: 'detached' });
      expect([path, await turned()]).toEqual([path, []]);
    }
  });
});
