import { killRunProcesses } from '../engine/support/pool';
import { describeInBrowser } from '../support/browser/browser';
import { onDashboard } from '../support/browser/dashboard';
import { method, saved, started, workflow } from '../support/documents/workflows';
import { holdingRemote } from '../support/peers/remote-system';
import type { RemoteSystem } from '../support/peers/remote-system';

describeInBrowser(
  'runs that go on after a crash, on the dashboard',
  (at) => {
    const dashboard = onDashboard(at);
    const { open, seen } = dashboard;
    let remote: RemoteSystem & { release(): void };
    let workflowId: number;

    const button = (name: string) => at.page.getByRole('button', { name, exact: true });
    const dialog = () => at.page.getByRole('dialog');
    const paths = (): string[] => remote.received.map(({ path }) => path);
    const keys = (): unknown[] =>
      remote.received
        .filter(({ path }) => path === '/held')
        .map(({ headers }) => headers['idempotency-key']);

    beforeAll(async () => {
      remote = await holdingRemote();
      const post = (index: string, path: string): object =>
        method(index, remote.url + path, {
          request: { endpoint: remote.url + path, method: 'POST', header: {}, body: null },
        });
      workflowId = await saved(
        at.service,
        workflow([post('0', '/first'), post('1', '/held'), post('2', '/last')]),
      );
    });
    afterAll(() => remote.close());

    it('are chosen on the page of their workflow, until they are not', async () => {
      await open(`workflows/${workflowId}`);
      await seen('dd', 'Runs end');
      expect(await dashboard.findings()).toEqual([]);
      await button('Let them go on').click();
      await seen('dd', 'Runs go on');
      await open(`workflows/${workflowId}`);
      await seen('dd', 'Runs go on');
      await button('Let them end').click();
      await seen('dd', 'Runs end');
      await open(`workflows/${workflowId}`);
      await seen('dd', 'Runs end');
    });

    /** Opens the page of a run whose process is killed while its second step is held. */
    async function openInterrupted(): Promise<number> {
      await at.service.body('PUT', `/api/connection/${workflowId}/resume`, {
        body: { resume: true },
      });
      remote.forget();
      const id = await started(at.service, workflowId);
      await open(`runs/${id}`);
      while ((await remote.next()).path !== '/held');
      killRunProcesses();
      await at.page.locator('.heading .state-interrupted').waitFor();
      await at.page.locator('.error-box').getByRole('link', { name: 'Step 2' }).waitFor();
      expect(paths()).toEqual(['/first', '/held']);
      // The service has reported the death of the process.
      at.service.logs.length = 0;
      return id;
    }

    async function confirm(name: string): Promise<void> {
      await button(name).click();
      await dialog().getByRole('button', { name, exact: true }).click();
    }

    async function succeeds(first: number): Promise<void> {
      await seen('.notice', `Run ${first} was retried as run`);
      await at.page.waitForURL((url) => !url.pathname.endsWith(`/runs/${first}`));
      await at.page.locator('.heading .state-succeeded').waitFor();
      expect(await button('Send again').count()).toBe(0);
    }

    it('go on after the step whose answer is not known', async () => {
      const id = await openInterrupted();
      await button('Send again').waitFor();
      expect(await dashboard.findings()).toEqual([]);
      await confirm('Go on as done');
      await succeeds(id);
      expect(paths()).toEqual(['/first', '/held', '/last']);
    });

    it('send the step again whose answer is not known, with its key', async () => {
      const id = await openInterrupted();
      await confirm('Send again');
      while ((await remote.next()).path !== '/held');
      remote.release();
      await succeeds(id);
      expect(paths()).toEqual(['/first', '/held', '/held', '/last']);
      expect(keys()[1]).toBe(keys()[0]);
    });
  },
  { env: { HYPHA_RUN_ISOLATION: 'processes' } },
);
