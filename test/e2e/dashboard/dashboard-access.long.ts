import { until } from '../../support/until';
import type { Locator } from 'playwright-core';
import { describeInBrowser } from '../../support/browser/browser';
import { onDashboard } from '../../support/browser/dashboard';
import { createExample, runAll, scheduled } from '../../support/browser/dashboard-example';
import type { Example } from '../../support/browser/dashboard-example';
import { ended } from '../../support/service/watch';
import { method, saved, workflow } from '../../support/documents/workflows';

describeInBrowser('the dashboard on any device and with any permission', (at) => {
  const dashboard = onDashboard(at);
  const { open, row, seen } = dashboard;
  let its: Example;
  beforeAll(async () => {
    its = await createExample(at.service);
  });
  afterAll(() => its.close());
  /** Waits until the control has the focus. */
  const has = (control: Locator): Promise<void> => control.and(at.page.locator(':focus')).waitFor();
  const press = async (control: Locator, key = 'Enter'): Promise<void> => {
    await control.focus();
    await at.page.keyboard.press(key);
  };
  const button = (name: string | RegExp): Locator =>
    at.page.getByRole('button', { name, exact: true });
  const height = (): Promise<number> => at.page.evaluate(() => Reflect.get(globalThis, 'scrollY'));
  const startOf = async (schedule: number): Promise<number> => {
    const { scheduleStart } = await at.service.data(
      'mutation($id: ID!) { scheduleStart(input: { id: $id }) { run { databaseId } } }',
      { id: String(schedule) },
    );
    await ended(at.service, scheduleStart.run.databaseId);
    return scheduleStart.run.databaseId;
  };
  const run = async (index: number, logging = false): Promise<number> =>
    (await runAll(at.service, [its.workflows[index] ?? 0], logging))[0] ?? 0;

  /** Creates a notification and a failed message with long texts. Returns the id of the template. */
  const longNotification = async (schedule: number): Promise<number> => {
    const long = 'M'.repeat(128);
    const { messageTemplateCreate } = await at.service.data(
      'mutation($input: MessageTemplateCreateInput!) { messageTemplateCreate(input: $input) { messageTemplate { databaseId } } }',
      {
        input: {
          name: long,
          channel: 'EMAIL',
          contents: [{ language: 'EN', subject: long, body: '{UNKNOWN} '.repeat(90) }],
        },
      },
    );
    const id: number = messageTemplateCreate.messageTemplate.databaseId;
    await at.service.data(
      'mutation($input: NotificationCreateInput!) { notificationCreate(input: $input) { userErrors { code } } }',
      {
        input: {
          scheduleId: String(schedule),
          name: long,
          eventType: 'PRE',
          templateId: String(id),
          recipients: [`${'r'.repeat(60)}@${'h'.repeat(60)}.test`],
        },
      },
    );
    await startOf(schedule);
    await until(async () => {
      const { deliveries } = await at.service.data('{ deliveries { nodes { state } } }');
      return deliveries.nodes.some(({ state }: { state: string }) => state === 'FAILED');
    });
    return id;
  };

  it('reports a missing run and removed step results', async () => {
    await open('runs/4711');
    await seen('.blank-title', 'Run not found');
    // Only the last two successful runs of a workflow keep their logs.
    const runs = [await run(1, true), await run(1, true), await run(1, true)];
    for (const id of runs) await ended(at.service, id);
    // The events are removed some time after the last run has ended.
    const notice = at.page.getByText('The results of the steps are no longer stored.').first();
    await until(async () => {
      await open(`runs/${runs[0]}?step=0`);
      return notice.waitFor({ timeout: 5_000 }).then(
        () => true,
        () => false,
      );
    });
    await seen('.details', 'The result of this step is no longer stored.');
    expect(await at.page.locator('.outcome').allInnerTexts()).toEqual(['not stored', 'not stored']);
    expect(await at.page.getByText('has not run').count()).toBe(0);
  });

  it('shows the sign-in form when the session ends, while open and when opened', async () => {
    await open('runs', await at.service.userWith(['CONNECTION:READ']));
    await at.page.waitForSelector('.live-open');
    const session = await at.page.evaluate(() =>
      String(Reflect.get(globalThis, 'sessionStorage').getItem('hypha:session:/')),
    );
    await at.service.data(
      'mutation { logout { userErrors { code } } }',
      {},
      await dashboard.token(),
    );
    await seen('form', 'Your session has ended.');
    await at.page.reload();
    await seen('form', 'Sign in');
    await at.page.evaluate(
      (text) => Reflect.get(globalThis, 'sessionStorage').setItem('hypha:session:/', text),
      session,
    );
    await at.page.reload();
    await seen('form', 'Your session has ended.');
  });

  it('sends a strict content security policy and shows a page for unknown addresses', async () => {
    const answer = await fetch(`${at.service.url}/dashboard/runs/1`);
    const policy = answer.headers.get('content-security-policy') ?? '';
    // The QR code of a second factor is a data URL.
    expect(policy.replace("img-src 'self' data:", '')).not.toMatch(/unsafe|data:|\*|https?:/);
    expect(await answer.text()).not.toMatch(
      /<style|style=|<script(?! type="module" src="\/assets\/dashboard\.js")/,
    );
    await open('nowhere/at/all');
    await seen('.blank-title', 'Page not found');
    expect((await fetch(`${at.service.url}/dashboard`, { method: 'POST' })).status).toBe(405);
    expect((await fetch(`${at.service.url}/dashboards`)).status).toBe(404);
  });

  it('passes axe without horizontal scrolling on a light phone and a dark desktop, with long titles and many steps', async () => {
    const steps = Array.from({ length: 60 }, (_, nth) =>
      method(String(nth), `${its.remote.url}/${'q'.repeat(400)}`, {
        label: nth === 50 ? 'L'.repeat(200) : `Step ${nth}`,
      }),
    );
    const title = `<img src="/x"> & "${'T'.repeat(100)}`;
    const workflowId = await saved(
      at.service,
      workflow(steps, [], { title, description: 'D'.repeat(500) }),
    );
    const schedule = await scheduled(at.service, workflowId, 'S'.repeat(45), '0 0 6 1 1 ?');
    const template = await longNotification(schedule);
    await startOf(
      await scheduled(at.service, its.workflows[1] ?? 0, 'Orders at noon', '0 0 12 * * ?'),
    );
    const [id = 0] = await runAll(at.service, [workflowId], true);
    await ended(at.service, id);
    its.refuse(400);
    const failed = await run(0, true);
    await ended(at.service, failed);
    its.refuse(null);
    const listed = `runs?workflow=${workflowId}&started=2026-05-03T22:00:00.000Z/2026-05-04T22:00:00.000Z`;
    const [chosenOfRun, chosenOfWorkflow] = [
      `runs/${id}?step=50`,
      `workflows/${workflowId}?step=50`,
    ];
    for (const { viewport, colorScheme, paths } of [
      {
        viewport: { width: 360, height: 740 },
        colorScheme: 'light',
        paths: [
          '',
          listed,
          chosenOfRun,
          'schedules',
          `schedules/${schedule}`,
          'notifications',
          'notifications/templates',
          `notifications/templates/${template}`,
          'workflows',
          chosenOfWorkflow,
          'audit',
        ],
      },
      {
        viewport: { width: 1280, height: 800 },
        colorScheme: 'dark',
        paths: [
          '',
          `runs/${failed}?step=1_0_0`,
          'schedules?order=next',
          `schedules/${schedule}`,
          'notifications',
          `notifications/templates/${template}`,
        ],
      },
    ] as const) {
      await at.page.setViewportSize(viewport);
      await at.page.emulateMedia({ colorScheme });
      for (const path of paths) {
        await open(path);
        await at.page.waitForSelector('.loading', { state: 'detached' });
        expect([
          path,
          viewport.width,
          await dashboard.sidewaysScroll(),
          await dashboard.findings(),
        ]).toEqual([path, viewport.width, 0, []]);
        // Content that overflows a card cannot be reached.
        expect([
          path,
          viewport.width,
          await at.page.evaluate(
            () =>
              [...Reflect.get(globalThis, 'document').querySelectorAll('.card')].filter(
                (card) => card.scrollWidth > card.clientWidth + 1,
              ).length,
          ),
        ]).toEqual([path, viewport.width, 0]);
        if (path !== chosenOfRun && path !== chosenOfWorkflow) continue;
        // The selected step and its details are visible without scrolling.
        await at.page
          .locator('h1', { hasText: path === chosenOfRun ? `Run ${id}` : title })
          .waitFor();
        const [line, details] = [
          at.page.locator('.step-line.selected'),
          at.page.locator('.details'),
        ];
        await details.getByText('51', { exact: true }).waitFor();
        for (const part of [line, details])
          expect(
            await part.evaluate(
              (element) =>
                element.getBoundingClientRect().top < Reflect.get(globalThis, 'innerHeight') &&
                element.getBoundingClientRect().bottom > 0,
            ),
          ).toBe(true);
        await details.getByRole('button', { name: 'Close the step' }).click();
        await details.waitFor({ state: 'detached' });
        expect(new URL(at.page.url()).search).toBe('');
      }
    }
  });

  it('shows missing permissions instead of empty lists', async () => {
    await open('runs', await at.service.userWith(['CONNECTION:UPDATE']));
    await seen('.blank', 'Your group has no permission to read runs other than your own tests.');
    await at.page.click('.brand');
    await at.page.locator('.blank-title').nth(3).waitFor();
    expect(await at.page.locator('.blank-title').allInnerTexts()).toEqual(
      Array.from({ length: 4 }, () => 'Access denied'),
    );
    expect(await at.page.locator('main a').count()).toBe(0);
    await at.page.goto(`${at.service.url}/dashboard/workflows/${its.workflows[0]}`);
    await seen('.blank', 'Your group has no permission to read workflows.');
    expect([await at.page.locator('h1').innerText(), await at.page.title()]).toEqual([
      `Workflow ${its.workflows[0]}`,
      `Workflow ${its.workflows[0]} · Hypha`,
    ]);
  });

  it('removes data when its user loses the permission', async () => {
    const failed = await run(0);
    await ended(at.service, failed);
    for (const [path, heading] of [
      [`runs/${failed}`, `Run ${failed}`],
      [`workflows/${its.workflows[0]}`, `Workflow ${its.workflows[0]}`],
    ] as const) {
      await at.openPage();
      const reader = await at.service.userWith(['CONNECTION:READ', 'DASHBOARD:READ']);
      await open(path, reader);
      await at.page.waitForSelector('.live-open');
      await at.page.locator('main').getByText('Open tickets to the board').first().waitFor();
      expect(
        (
          await at.service.api('PUT', `/api/role/${reader.groupId}/component`, {
            body: { components: [] },
          })
        ).status,
      ).toBe(200);
      await seen('.blank-title', 'Access denied');
      await at.page
        .locator('main')
        .getByText('Open tickets to the board')
        .first()
        .waitFor({ state: 'detached' });
      await at.page.locator('nav a').first().waitFor({ state: 'detached' });
      expect(await at.page.locator('h1').allInnerTexts()).toEqual([heading]);
    }
  });

  it('keeps the keyboard focus during an action', async () => {
    await scheduled(at.service, its.workflows[1] ?? 0, 'By keyboard', '0 0 6 1 1 ?');
    await open('schedules?find=keyboard');
    const turn = at.page.getByRole('switch', { name: 'By keyboard' });
    await turn.focus();
    for (const checked of [false, true]) {
      await at.page.keyboard.press('Space');
      await at.page.getByRole('switch', { name: 'By keyboard', checked }).waitFor();
    }
    await has(turn);
    await press(button('Start now: By keyboard'));
    await seen('.notice', 'was started');
    await has(button('Start now: By keyboard'));
    const id = await run(1);
    await ended(at.service, id);
    await open('runs');
    const again = row(id).getByRole('button', { name: 'Retry' });
    await press(again);
    await press(button('Retry the run'));
    await seen('.notice', 'was retried as run');
    await has(again);
    // Sorting a list moves its rows.
    await again.evaluate((element) =>
      Reflect.get(globalThis, 'document').querySelector('tbody').append(element.closest('tr')),
    );
    await has(again);
  });

  it('moves the keyboard focus when the used control disappears', async () => {
    const schedule = await scheduled(at.service, its.workflows[1] ?? 0, 'Handed on', '0 0 6 1 1 ?');
    const scheduledRun = await startOf(schedule);
    await open(`runs?schedule=${schedule}`);
    await row(scheduledRun).waitFor();
    await press(button('Schedule Handed on: show all schedules'));
    await has(at.page.getByRole('checkbox', { name: 'Interrupted' }));
    await at.page.keyboard.press('Space');
    await press(button('Clear filters'));
    await has(at.page.getByRole('checkbox', { name: 'Include test runs' }));
    // A cancelled run can be retried with the same key.
    const release = its.hold();
    const held = await run(0);
    await row(held).locator('.state-running').waitFor();
    await press(button(`Cancel run ${held}`));
    await at.page.keyboard.press('Tab');
    await has(button('Cancel the run'));
    await at.page.keyboard.press('Enter');
    await row(held).locator('.state-cancelled').waitFor();
    await has(button(`Retry run ${held}`));
    release();
    const messages = button('Close this message');
    await at.page.keyboard.press('Enter');
    await press(button('Retry the run'));
    await messages.nth(1).waitFor();
    await press(messages.first());
    await has(at.page.getByRole('link', { name: 'View run' }));
    await press(messages);
    await messages.waitFor({ state: 'detached' });
    await at.page.waitForSelector('main :focus');
  });

  it('keeps the keyboard focus on the iterations of a loop and returns it to the step', async () => {
    const id = await run(0, true);
    await ended(at.service, id);
    await open(`runs/${id}?step=1_0_0`);
    const turns = at.page.getByRole('group', { name: 'Iteration of For each i' });
    await turns.getByText('i = 5').waitFor();
    const before = button('Previous iteration');
    await before.focus();
    for (const turn of [5, 4, 3, 2, 1]) {
      await at.page.keyboard.press('Enter');
      await turns.getByText(`iteration ${turn} of 6`).waitFor();
      await turns.getByText(`i = ${turn - 1}`).waitFor();
    }
    await at.page.keyboard.press('Enter');
    await has(before);
    await press(button('Newest'));
    await has(button('Next iteration'));
    await press(button('Close the step'));
    await has(at.page.locator('#step-1_0_0'));
  });

  it('restores the scroll position on back and forward', async () => {
    await ended(
      at.service,
      (
        await runAll(
          at.service,
          Array.from({ length: 25 }, () => its.workflows[1] ?? 0),
        )
      ).at(-1) ?? 0,
    );
    await open('runs');
    await at.page.locator('tbody tr').nth(24).waitFor();
    await at.page.mouse.wheel(0, 400);
    await at.page.waitForFunction(() => Reflect.get(globalThis, 'scrollY') === 400);
    await at.page.locator('.row-link').nth(14).click();
    await seen('h1', 'Run ');
    await at.page.locator('.step-line').first().waitFor();
    expect(await height()).toBe(0);
    // The list loads after the browser restores the scroll position.
    await at.page.route(/\/graphql$/, async (route) => {
      await new Promise((resolve) => {
        setTimeout(resolve, 200);
      });
      await route.continue();
    });
    await at.page.goBack();
    await at.page.waitForFunction(() => Reflect.get(globalThis, 'scrollY') === 400);
    await at.page.goForward();
    await at.page.waitForFunction(() => Reflect.get(globalThis, 'scrollY') === 0);
    await at.page.goBack();
    await at.page.waitForFunction(() => Reflect.get(globalThis, 'scrollY') === 400);
  });

  it('selects the only matching workflow and reports ambiguous matches', async () => {
    await open('runs');
    const field = at.page.getByLabel('Workflow', { exact: true });
    await field.fill('to ');
    await at.page.keyboard.press('Enter');
    await at.page.keyboard.press('Tab');
    await seen('.filters [role=status]', 'Choose one of');
    expect([await field.inputValue(), new URL(at.page.url()).search]).toEqual(['to ', '']);
    await field.fill('nothing like this');
    await at.page.keyboard.press('Enter');
    await seen('.filters [role=status]', 'No matches');
    // Enter is pressed before the response arrives.
    await field.fill('orders to acc');
    await at.page.keyboard.press('Enter');
    await at.page.waitForURL(/workflow=/);
    expect(await field.inputValue()).toBe(`Orders to accounting #${its.workflows[1]}`);
  });

  it('reports that a step failed before it sent a request', async () => {
    const [tickets, card] = ['#FFCFB5', '#C77E7E'];
    const steps = [
      method('0', `${its.remote.url}/tickets`, { color: tickets }),
      method('1', `${its.remote.url}/cards`, {
        color: card,
        request: {
          endpoint: `${its.remote.url}/cards`,
          method: 'POST',
          header: {},
          body: {
            type: 'object',
            format: 'json',
            data: 'raw',
            fields: { title: `${tickets}.(response).body.tickets[0].title` },
          },
        },
      }),
    ];
    const enhancement = { language: 'js', expertCode: 'throw new Error("no title")' };
    const id = await saved(at.service, {
      ...workflow(steps),
      fieldBinding: [
        {
          from: [{ color: tickets, type: 'response', field: 'body.tickets[0].title' }],
          to: [{ color: card, type: 'request', field: 'title' }],
          enhancement,
        },
      ],
    });
    const [failed = 0] = await runAll(at.service, [id], true);
    await ended(at.service, failed);
    await open(`runs/${failed}?step=1`);
    await seen('.details .error-box', 'SCRIPT_ERROR');
    await seen('.details', 'No request was sent.');
  });

  it('sorts schedules by next run and shows workflow and last run on a phone', async () => {
    await scheduled(at.service, its.workflows[1] ?? 0, 'Never by itself', '');
    await scheduled(at.service, its.workflows[1] ?? 0, 'Switched off', '0 0 5 * * ?', false);
    const soon = await scheduled(
      at.service,
      its.workflows[1] ?? 0,
      'At each minute',
      '0 * * * * ?',
    );
    await startOf(soon);
    await at.page.setViewportSize({ width: 360, height: 740 });
    await open('schedules?order=next');
    await seen('.filters', 'Only schedules with a next run');
    const first = at.page.locator('tbody tr').first();
    await first.getByText('At each minute', { exact: true }).waitFor();
    await first.getByText('Orders to accounting').locator('visible=true').waitFor();
    await first.getByText('Last run:').locator('visible=true').waitFor();
    expect(
      await at.page
        .locator('tbody')
        .getByText(/Never by itself|Switched off/)
        .count(),
    ).toBe(0);
    await at.service.data(
      'mutation($id: ID!) { scheduleDelete(input: { id: $id }) { userErrors { code } } }',
      { id: String(soon) },
    );
  });

  it('hides runs and links to runs from users without permission', async () => {
    await startOf(await scheduled(at.service, its.workflows[1] ?? 0, 'For others', '0 0 6 1 1 ?'));
    await open(
      'schedules?find=others',
      await at.service.userWith(['SCHEDULE:READ', 'SCHEDULE:UPDATE']),
    );
    const line = at.page.locator('tbody tr', { hasText: 'For others' });
    await line.waitFor();
    await at.page.locator('nav a', { hasText: 'Runs' }).waitFor({ state: 'detached' });
    expect(await line.getByText('never').count()).toBe(0);
    await button('Start now: For others').click();
    await seen('.notice', 'was started.');
    expect(await at.page.locator('.notice a').count()).toBe(0);
  });

  it('has a skip link that keeps the address', async () => {
    await open('?days=7');
    await at.page.keyboard.press('Tab');
    expect(await dashboard.focused()).toBe('Skip to content');
    await at.page.keyboard.press('Enter');
    await at.page.waitForSelector('#page:focus');
    expect(new URL(at.page.url()).search).toBe('?days=7');
    await at.page.getByRole('button', { name: '7 d', pressed: true }).waitFor();
  });
});
