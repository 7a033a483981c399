import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type { Page } from 'playwright-core';
import { CHROMIUM_OPTIONS, newPage } from '../../support/browser/browser';
import { createExample, runAll, scheduled } from '../../support/browser/dashboard-example';
import { ADMIN_EMAIL, ADMIN_PASSWORD, reached, startService } from '../../support/service/harness';
import { systemClock } from '../../../src/platform/clock/clock';
import type { ReachedService } from '../../support/service/harness';
import { ROOT } from '../../support/process';

const DAYS = 14;
const DAY_MS = 86_400_000;

/** Runs the workflows of one day; on some days requests fail. */
async function lived(
  service: ReachedService,
  its: Awaited<ReturnType<typeof createExample>>,
  day: number,
): Promise<void> {
  its.refuse(day % 5 === 2 ? 500 : null);
  const runs: number[] = [];
  for (let time = 0; time < 4 + ((day * 7) % 9); time++)
    runs.push(
      ...(await runAll(
        service,
        [its.workflows[(time * 3 + day) % its.workflows.length] ?? 0],
        true,
      )),
    );
  for (const run of runs) {
    const state = async (): Promise<string> =>
      (await service.data('query($id: ID!) { run(id: $id) { state } }', { id: String(run) })).run
        .state;
    while (['QUEUED', 'RUNNING'].includes(await state()));
  }
}

// Updates the screenshots of the README after a build: `HYPHA_PICTURES=1 HYPHA_LONG_TESTS=1 npx jest dashboard-pictures`.
(process.env.HYPHA_PICTURES === '1' ? it : it.skip)(
  'the screenshots of the dashboard are updated (HYPHA_PICTURES=1)',
  async () => {
    let ahead = -(DAYS - 1) * DAY_MS;
    const service = await startService({
      clock: { ...systemClock, now: () => new Date(Date.now() + ahead) },
    });
    const its = await createExample(service);
    for (let day = 0; day < DAYS; day++) {
      await lived(reached(service.url, await service.login(ADMIN_EMAIL, ADMIN_PASSWORD)), its, day);
      if (day < DAYS - 1) ahead += DAY_MS;
    }
    const now = reached(service.url, await service.login(ADMIN_EMAIL, ADMIN_PASSWORD));
    its.refuse(500);
    const [failed] = await runAll(now, its.workflows.slice(0, 1), true);
    while (
      (await now.data('query($id: ID!) { run(id: $id) { finishedAt } }', { id: String(failed) }))
        .run.finishedAt === null
    );
    its.refuse(null);
    await scheduled(now, its.workflows[0] ?? 0, 'Tickets every working day', '0 0 6 ? * MON-FRI');
    const release = its.hold();
    const [going] = await runAll(now, its.workflows.slice(0, 2), true);

    const browser = await chromium.launch(CHROMIUM_OPTIONS);
    const picture = async (
      name: string,
      path: string,
      size: { width: number; height: number },
      colorScheme: 'light' | 'dark',
      ready: (page: Page) => Promise<void>,
    ): Promise<void> => {
      const page = await newPage(browser, { viewport: size, colorScheme });
      await page.addInitScript(
        (session) => Reflect.get(globalThis, 'sessionStorage').setItem('hypha:session:/', session),
        JSON.stringify({ authorization: now.adminToken, email: ADMIN_EMAIL }),
      );
      await page.goto(`${service.url}/dashboard${path}`);
      await page.waitForSelector('.live-open');
      await page.waitForSelector('.loading', { state: 'detached' });
      await ready(page);
      await page.waitForLoadState('networkidle');
      writeFileSync(join(ROOT, 'docs', 'images', `dashboard-${name}.png`), await page.screenshot());
      await page.context().close();
    };
    const running = (page: Page) => page.locator('.state-running').first().waitFor();
    await picture('overview', '', { width: 1240, height: 800 }, 'light', running);
    await picture(
      'run',
      `/runs/${failed}?step=1_0_0`,
      { width: 1240, height: 640 },
      'dark',
      (page) => page.getByRole('region', { name: 'Body of the response' }).waitFor(),
    );
    await picture('phone', `/runs/${going}`, { width: 360, height: 640 }, 'light', running);
    await browser.close();
    release();
    await its.close();
    await service.close();
  },
);
