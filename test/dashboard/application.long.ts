import { describeInBrowser } from '../support/browser/browser';
import { onDashboard } from '../support/browser/dashboard';
import { method, saved, workflow } from '../support/documents/workflows';
import { remoteSystem } from '../support/peers/remote-system';
import type { RemoteSystem } from '../support/peers/remote-system';
import { unique } from '../support/service/harness';
import { ended } from '../support/service/watch';

describeInBrowser('the dashboard as an application', (at) => {
  const dashboard = onDashboard(at);
  const { open, seen, button, dialog, findings } = dashboard;
  let remote: RemoteSystem;
  beforeAll(async () => {
    remote = await remoteSystem(({ path }) => ({ status: path === '/broken' ? 500 : 200 }));
  });
  afterAll(() => remote.close());

  const newWorkflow = (title: string, path = '/step'): Promise<number> =>
    saved(at.service, workflow([method('0', `${remote.url}${path}`)], [], { title }));
  const runOf = async (workflowId: number): Promise<number> => {
    const { workflowRun } = await at.service.data(
      'mutation($id: ID!) { workflowRun(input: { workflowId: $id }) { run { databaseId } } }',
      { id: String(workflowId) },
    );
    await ended(at.service, workflowRun.run.databaseId);
    return workflowRun.run.databaseId;
  };
  const type = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await at.page.keyboard.press(key);
  };
  const palette = () => at.page.getByRole('dialog', { name: 'Command palette' });
  const search = () => palette().getByRole('combobox');
  const option = (group: string, name: string | RegExp) =>
    palette().getByRole('group', { name: group }).getByRole('option', { name });
  const expectPath = (path: string): Promise<void> =>
    at.page.waitForURL((url) => url.pathname === `/dashboard/${path}`);

  describe('command palette', () => {
    it('opens pages, records and runs by keyboard', async () => {
      const title = unique('Orders to accounting ');
      const workflowId = await newWorkflow(title);
      const run = await runOf(workflowId);
      await open('workflows');
      await type('Control+k');
      await search().waitFor();
      expect(await findings()).toEqual([]);
      await search().pressSequentially('cnnct');
      await option('Pages', 'Connectors').and(at.page.locator('[aria-selected=true]')).waitFor();
      await type('Enter');
      await expectPath('connectors');
      await palette().waitFor({ state: 'detached' });

      await type('Control+k');
      await search().fill(title.toUpperCase());
      await option('Workflows', title).waitFor();
      await type('ArrowUp', 'ArrowDown', 'Enter');
      await expectPath(`workflows/${workflowId}`);

      await button('Search').click();
      await search().fill(`#${run}`);
      await option('Runs', `Run ${run}: ${title} Succeeded`).click();
      await expectPath(`runs/${run}`);
    });

    it('offers the actions of the page, and creates a workflow', async () => {
      await open('workflows');
      await type('Control+k');
      await search().fill('test');
      await option('This page', /^Test/).waitFor({ state: 'detached' });
      await search().fill('new work');
      await type('Enter');
      await at.page.waitForURL(/\/workflows\/\d+\/edit/);
      await at.page.getByRole('textbox', { name: 'Title of the workflow' }).waitFor();
      await type('Control+k');
      await search().fill('test');
      await option('This page', /^Test/).waitFor();
      await at.page.setViewportSize({ width: 360, height: 740 });
      await at.page.emulateMedia({ colorScheme: 'dark' });
      expect(await dashboard.sidewaysScroll()).toBe(0);
      expect(await findings()).toEqual([]);
      await search().fill('no such thing');
      await palette().getByRole('status').getByText('No matches').waitFor();
      await type('Escape');
      await palette().waitFor({ state: 'detached' });
    });

    it('lists only what the user may open', async () => {
      await open('', await at.service.userWith(['CONNECTION:READ', 'DASHBOARD:READ']));
      await seen('h1', 'Overview');
      await at.page.getByRole('link', { name: /^Account/ }).waitFor();
      await type('Control+k');
      await option('Pages', 'Workflows').waitFor();
      expect(await option('Pages', 'Users').count()).toBe(0);
      expect(await option('Actions', 'New workflow').count()).toBe(0);
    });
  });

  it('shows the keys of the page and its documentation on "?"', async () => {
    const workflowId = await newWorkflow(unique('Keys '));
    await open(`workflows/${workflowId}/edit`);
    const title = at.page.getByRole('textbox', { name: 'Title of the workflow' });
    await title.press('?');
    expect(await title.inputValue()).toContain('?');
    await at.page.locator('[data-step]').first().focus();
    await type('?');
    await dialog().getByText('docs/workflows.md').waitFor();
    await dialog().getByText('Duplicate the step').waitFor();
    expect(await findings()).toEqual([]);
    await button('Close').click();
    await dialog().waitFor({ state: 'detached' });
  });

  describe('failures', () => {
    it('shows the request id of a failed page and of a failed action, to copy', async () => {
      const workflowId = await newWorkflow(unique('Faults '));
      let failing = true;
      await at.page.route('**/graphql', async (route) => {
        const text = route.request().postData() ?? '';
        if (!/query Workflow\(|workflowRun/.test(text) || !failing) return route.fallback();
        return route.fulfill({
          json: {
            errors: [
              {
                message: 'Unexpected error.',
                extensions: { code: 'INTERNAL_SERVER_ERROR', requestId: 'req-4711' },
              },
            ],
          },
        });
      });
      await open(`workflows/${workflowId}`);
      await seen('.blank', 'req-4711');
      await at.page.evaluate(() => {
        const { navigator } = globalThis as unknown as { navigator: object };
        Object.defineProperty(navigator, 'clipboard', {
          value: { writeText: (text: string) => Reflect.set(globalThis, 'copied', text) },
        });
      });
      await button('Copy the request id').click();
      await seen('.request-id', 'Copied.');
      expect(await at.page.evaluate(() => Reflect.get(globalThis, 'copied'))).toBe('req-4711');
      failing = false;
      await button('Try again').click();
      await button('Run now').waitFor();
      failing = true;
      await button('Run now').click();
      await seen('.notice', 'req-4711');
    });
  });

  describe('the tab', () => {
    const title = (text: string): Promise<unknown> =>
      at.page.waitForFunction(
        (expected) => Reflect.get(globalThis, 'document').title === expected,
        text,
      );
    const icon = (): Promise<string | null> =>
      at.page.locator('link[rel=icon]').getAttribute('href');
    const setHidden = (isHidden: boolean): Promise<void> =>
      at.page.evaluate((hidden) => {
        const document = Reflect.get(globalThis, 'document');
        Object.defineProperty(document, 'hidden', { configurable: true, value: hidden });
        document.dispatchEvent(new (Reflect.get(globalThis, 'Event'))('visibilitychange'));
      }, isHidden);

    it('counts the failures since the user last looked, in its title and icon', async () => {
      const workflowId = await newWorkflow(unique('Failing '), '/broken');
      await open('');
      await title('Overview · Hypha');
      await at.page.goto(`${at.service.url}/dashboard/account`);
      await title('Account · Hypha');
      expect(await icon()).toMatch(/\/icon\.svg$/);
      await runOf(workflowId);
      await at.page.reload();
      await title('(1) Account · Hypha');
      expect(await icon()).toMatch(/\/icon-failures\.svg$/);
      await at.page.getByRole('link', { name: 'Hypha', exact: true }).click();
      await title('Overview · Hypha');

      await setHidden(true);
      await runOf(workflowId);
      await title('(1) Overview · Hypha');
      await setHidden(false);
      await title('Overview · Hypha');
      expect(await icon()).toMatch(/\/icon\.svg$/);
    });
  });

  it('shows how long ago something was, with the exact time, and updates it', async () => {
    const workflowId = await newWorkflow(unique('Recent '));
    await runOf(workflowId);
    await open(`runs?workflow=${workflowId}`);
    const time = at.page.locator('tbody time').locator('visible=true').first();
    await time.getByText(/^\d+ s ago$/).waitFor();
    expect(await time.getAttribute('title')).toMatch(/^\d+ \w+ \d{4}, [\d:]{8} .*\(\d+ s ago\)$/);
    const first = (await time.textContent()) ?? '';
    await time.getByText(first).waitFor({ state: 'detached' });
  });

  it('enables a schedule again that was disabled by mistake', async () => {
    const title = unique('Hourly ');
    const workflowId = await newWorkflow(unique('Scheduled '));
    const { scheduleCreate } = await at.service.data(
      'mutation($input: ScheduleCreateInput!) { scheduleCreate(input: $input) { schedule { id } } }',
      { input: { title, workflowId: String(workflowId), cron: '0 0 * * * ?', enabled: true } },
    );
    const isEnabled = async (): Promise<boolean> =>
      (
        await at.service.data('query($id: ID!) { schedule(id: $id) { enabled } }', {
          id: scheduleCreate.schedule.id,
        })
      ).schedule.enabled;
    await open(`schedules?search=${encodeURIComponent(title)}`);
    const control = at.page.getByRole('switch', { name: `${title} enabled` });
    await control.click();
    await seen('.notice', 'is disabled.');
    expect(await isEnabled()).toBe(false);
    await button('Undo').click();
    await control.and(at.page.locator('[aria-checked=true]')).waitFor();
    expect(await isEnabled()).toBe(true);
  });

  it('loads without moving what is already shown', async () => {
    const workflowId = await newWorkflow(unique('Still '));
    const run = await runOf(workflowId);
    const pages = [
      ['', '.figures'],
      ['workflows', 'tbody tr'],
      [`runs/${run}`, '.facts'],
      [`workflows/${workflowId}/edit`, '[data-step]'],
    ] as const;
    const shifts: Record<string, number> = {};
    for (const [path, content] of pages) {
      await open(path);
      await at.page.locator(content).first().waitFor();
      await at.page.waitForLoadState('networkidle');
      shifts[path] = await at.page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            const { PerformanceObserver } = globalThis as unknown as {
              PerformanceObserver: new (callback: (list: { getEntries(): object[] }) => void) => {
                observe(options: object): void;
                takeRecords(): object[];
              };
            };
            const sum = (entries: object[]): number =>
              entries.reduce((total, entry) => total + Reflect.get(entry, 'value'), 0);
            const observer = new PerformanceObserver((list) => resolve(sum(list.getEntries())));
            observer.observe({ type: 'layout-shift', buffered: true });
            Reflect.get(
              globalThis,
              'requestAnimationFrame',
            )(() => setTimeout(() => resolve(sum(observer.takeRecords())), 0));
          }),
      );
    }
    expect(Object.entries(shifts).filter(([, sum]) => sum >= 0.1)).toEqual([]);
  });
});
