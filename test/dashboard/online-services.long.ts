import { describeInBrowser } from '../support/browser/browser';
import { onDashboard } from '../support/browser/dashboard';
import { unique } from '../support/service/harness';
import { invokerXml, operationXml, uploadInvoker } from '../support/documents/invokers';
import { startPortal } from '../support/peers/portal';
import type { TestPortal } from '../support/peers/portal';

let portal: TestPortal;
const env: Record<string, string> = {};
beforeAll(async () => {
  portal = await startPortal();
  Object.assign(env, portal.env);
});
afterAll(() => portal.close());

describeInBrowser(
  'the page of the online services',
  (at) => {
    const dashboard = onDashboard(at);
    const button = (name: string) => at.page.getByRole('button', { name, exact: true });

    it('synchronises, shows the history, and takes what waits for a decision', async () => {
      const name = unique('Portal');
      await uploadInvoker(at.service, invokerXml(name));
      const offered = invokerXml(name, operationXml('Offered'));
      portal.files.invokers.set(name, offered);
      await dashboard.open('');
      await dashboard.openByMenu('Online services');
      await at.page.getByText('Nothing was synchronised yet.').waitFor();
      await button('Synchronise invokers').click();
      await at.page.getByText('1 conflicts').waitFor();
      await at.page.getByText('Exists here with other content').waitFor();
      expect(await dashboard.findings()).toEqual([]);
      expect(await dashboard.sidewaysScroll()).toBe(0);
      await button(`Take ${name} from the portal`).click();
      await at.page.getByRole('dialog').getByRole('button', { name: 'Take' }).click();
      await at.page.getByText('No version of the portal waits').nth(1).waitFor();
      expect((await at.service.api('GET', `/api/invoker/${name}/xml`)).text).toBe(offered);
    });
  },
  { env },
);
