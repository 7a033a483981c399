import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeInBrowser } from '../support/browser';
import { onDashboard } from '../support/dashboard';
import { house, runAll, scheduled, ticketsToBoard } from '../support/dashboard-house';
import type { House } from '../support/dashboard-house';
import { ADMIN_EMAIL, ADMIN_PASSWORD, startService } from '../support/harness';
import { freePort } from '../support/process';
import { ended } from '../support/watch';
import { method, saved, workflow } from '../support/workflows';

describeInBrowser('the dashboard, for whoever reads it, wherever', (at) => {
  const dashboard = onDashboard(at);
  const { open, row, seen } = dashboard;
  let its: House;
  beforeAll(async () => { its = await house(at.service); });
  afterAll(() => its.close());
  const run = async (which: number, logging = false): Promise<number> => (await runAll(at.service, [its.workflows[which] ?? 0], logging))[0] ?? 0;

  it('is signed in with the other pages of the tab', async () => {
    await at.page.goto(`${at.service.url}/dashboard`);
    await dashboard.signIn(ADMIN_EMAIL, ADMIN_PASSWORD);
    await seen('h1', 'Overview');
    await at.page.goto(`${at.service.url}/graphql`);
    await at.page.waitForSelector('#sign-in[data-state=signed-in]');
    await at.page.click('#sign-in button');
    await at.page.waitForSelector('#sign-in[data-state=signed-out]');
    await at.page.goto(`${at.service.url}/dashboard`);
    await at.page.waitForSelector('form.gate-form');
  });

  it('says of a run what there is no longer, and that there is none', async () => {
    await open('runs/4711');
    await seen('.blank-title', 'There is no such run');
    // Of a workflow the logs of the last two that ended well are kept.
    const runs = [await run(1, true), await run(1, true), await run(1, true)];
    for (const id of runs) await ended(at.service, id);
    await open(`runs/${runs[0]}?step=0`);
    await seen('.quiet', 'What its steps did is no longer kept.');
    await seen('.details', 'What this step did is no longer kept.');
    expect(await at.page.locator('.outcome').allInnerTexts()).toEqual(['not kept', 'not kept']);
    expect(await at.page.getByText('has not run').count()).toBe(0);
  });

  it('begins again by itself when the connection was lost, and misses nothing', async () => {
    const line = await dashboard.lineThatBreaks();
    await open('runs');
    await at.page.waitForSelector('.live-open');
    line.cut();
    await at.page.waitForSelector('.live-lost');
    const missed = await run(1);
    await ended(at.service, missed);
    line.mend();
    await row(missed).locator('.state-succeeded').waitFor();
    await at.page.waitForSelector('.live-open');
  });

  it('goes on by itself when the service was restarted', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'hypha-dashboard-'));
    const start = async (port: number) => startService({ dataDir, env: { PORT: String(port) } });
    const port = await freePort();
    const first = await start(port);
    // A browser complains of connections that are refused.
    const page = await at.browser.newPage();
    await page.goto(`${first.url}/dashboard/runs`);
    await page.fill('[name=email]', ADMIN_EMAIL);
    await page.fill('[name=password]', ADMIN_PASSWORD);
    await page.click('button[type=submit]');
    await page.waitForSelector('.live-open');
    await first.close();
    await page.waitForSelector('.live-lost');
    await page.click('nav >> text=Workflows');
    await page.locator('.blank-title', { hasText: 'No connection' }).waitFor();
    const second = await start(port);
    await page.waitForSelector('.live-open');
    await page.locator('.blank-title', { hasText: 'No workflows' }).waitFor();
    const workflow = await saved(second, ticketsToBoard(its.remote.url, '<img src="/x" onerror="document.title=1"> & "quotes"'));
    await page.locator('.row-link', { hasText: '<img src="/x" onerror="document.title=1"> & "quotes"' }).click();
    await page.waitForURL(new RegExp(`workflows/${workflow}$`));
    await page.locator('h1', { hasText: '<img' }).waitFor();
    expect(await page.title()).toContain('<img');
    await page.close();
    await second.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('says that its session has ended, and asks for another', async () => {
    await open('runs', await at.service.userWith(['CONNECTION:READ']));
    await at.page.waitForSelector('.live-open');
    await at.service.data('mutation { logout { userErrors { code } } }', {}, await dashboard.token());
    await seen('form', 'Your session has ended.');
  });

  it('keeps a strict policy, and has a page for what is not there', async () => {
    const answer = await fetch(`${at.service.url}/dashboard/runs/1`);
    expect(answer.headers.get('content-security-policy')).not.toMatch(/unsafe|data:|\*|https?:/);
    expect(await answer.text()).not.toMatch(/<style|style=|<script(?! type="module" src="\/assets\/dashboard\.js")/);
    await open('nowhere/at/all');
    await seen('.blank-title', 'There is no such page');
    expect((await fetch(`${at.service.url}/dashboard`, { method: 'POST' })).status).toBe(405);
    expect((await fetch(`${at.service.url}/dashboards`)).status).toBe(404);
  });

  it('has no sideways scroll on a phone and no serious finding of axe, light and dark', async () => {
    await at.openPage({ width: 360, height: 740 });
    its.refuse(400);
    const failed = await run(0, true);
    await ended(at.service, failed);
    its.refuse(null);
    for (const path of ['', 'runs', `runs?workflow=${its.workflows[0]}&schedule=4711`, `runs/${failed}?step=1_0_0`, 'schedules', 'workflows', `workflows/${its.workflows[0]}`, 'audit', 'nowhere']) {
      await open(path);
      await at.page.waitForSelector('.loading', { state: 'detached' });
      for (const colorScheme of ['light', 'dark'] as const) {
        await at.page.emulateMedia({ colorScheme });
        expect([path, colorScheme, await dashboard.sidewaysScroll(), await dashboard.findings()]).toEqual([path, colorScheme, 0, []]);
      }
    }
  });

  it('has room for titles in which nothing can be broken, and for many steps', async () => {
    const steps = Array.from({ length: 60 }, (_, nth) => method(String(nth), `${its.remote.url}/${'q'.repeat(400)}`, { label: nth === 50 ? 'L'.repeat(200) : `Step ${nth}` }));
    const workflowId = await saved(at.service, workflow(steps, [], { title: 'T'.repeat(128), description: 'D'.repeat(500) }));
    await scheduled(at.service, workflowId, 'S'.repeat(45), '0 0 6 1 1 ?');
    const [id = 0] = await runAll(at.service, [workflowId], true);
    await ended(at.service, id);
    for (const viewport of [{ width: 360, height: 740 }, { width: 1280, height: 800 }]) {
      await at.page.setViewportSize(viewport);
      for (const path of ['', 'runs', `runs?workflow=${workflowId}`, `runs/${id}?step=50`, 'schedules', 'workflows', `workflows/${workflowId}?step=50`]) {
        await open(path);
        await at.page.waitForSelector('.loading', { state: 'detached' });
        expect([path, viewport.width, await dashboard.sidewaysScroll()]).toEqual([path, viewport.width, 0]);
        // What is cut off at the side of a card cannot be reached.
        expect([path, viewport.width, await at.page.evaluate(() => [...Reflect.get(globalThis, 'document').querySelectorAll('.card')].filter((card) => card.scrollWidth > card.clientWidth + 1).length)]).toEqual([path, viewport.width, 0]);
      }
      // The chosen step and what it did are in sight, without looking for them.
      for (const path of [`runs/${id}?step=50`, `workflows/${workflowId}?step=50`]) {
        await open(path);
        const [line, details] = [at.page.locator('.step-line.selected'), at.page.locator('.details')];
        await details.getByText('50', { exact: true }).waitFor();
        for (const part of [line, details]) expect(await part.evaluate((element) => element.getBoundingClientRect().top < Reflect.get(globalThis, 'innerHeight') && element.getBoundingClientRect().bottom > 0)).toBe(true);
        await details.getByRole('button', { name: 'Close the step' }).click();
        await details.waitFor({ state: 'detached' });
        expect(new URL(at.page.url()).search).toBe('');
      }
    }
  });

  it('does not say that nothing runs to who may not see it', async () => {
    await open('runs', await at.service.userWith(['CONNECTION:UPDATE']));
    await seen('.blank', 'Your group may not read runs, but for your own tests.');
    await at.page.click('.brand');
    await at.page.locator('.blank-title').nth(3).waitFor();
    expect(await at.page.locator('.blank-title').allInnerTexts()).toEqual(Array.from({ length: 4 }, () => 'Not for you to see'));
    expect(await at.page.locator('main a').count()).toBe(0);
    await at.page.goto(`${at.service.url}/dashboard/workflows/${its.workflows[0]}`);
    await seen('.blank', 'Your group may not read workflows.');
    expect([await at.page.locator('h1').innerText(), await at.page.title()]).toEqual([`Workflow ${its.workflows[0]}`, `Workflow ${its.workflows[0]} · Hypha`]);
  });

  it('shows nothing any more of what its reader may see no longer', async () => {
    const failed = await run(0);
    await ended(at.service, failed);
    for (const [path, kept] of [['', []], ['runs', []], [`runs/${failed}`, [`Run ${failed}`]], ['workflows', []], [`workflows/${its.workflows[0]}`, [`Workflow ${its.workflows[0]}`]]] as const) {
      await at.openPage();
      const reader = await at.service.userWith(['CONNECTION:READ', 'DASHBOARD:READ']);
      await open(path, reader);
      await at.page.waitForSelector('.live-open');
      await at.page.locator('main').getByText('Open tickets to the board').first().waitFor();
      expect((await at.service.api('PUT', `/api/role/${reader.groupId}/component`, { body: { components: [] } })).status).toBe(200);
      await seen('.blank-title', 'Not for you to see');
      await at.page.locator('main').getByText('Open tickets to the board').first().waitFor({ state: 'detached' });
      await at.page.locator('nav a').first().waitFor({ state: 'detached' });
      if (kept.length > 0) expect(await at.page.locator('h1').allInnerTexts()).toEqual(kept);
    }
  });

  it('can be used by keyboard', async () => {
    await open('');
    await at.page.keyboard.press('Tab');
    expect(await dashboard.focused()).toBe('Skip to the page');
    for (const name of ['Hypha', 'Overview', 'Runs']) {
      await at.page.keyboard.press('Tab');
      expect(await dashboard.focused()).toBe(name);
    }
    await at.page.keyboard.press('Enter');
    await seen('h1', 'Runs');
    // Who reads on is at the page, not in the bar.
    await at.page.waitForSelector('#page:focus');
  });

  it('leads past the bar to the page, and stays where it is', async () => {
    await open('?days=7');
    await at.page.keyboard.press('Tab');
    expect(await dashboard.focused()).toBe('Skip to the page');
    await at.page.keyboard.press('Enter');
    await at.page.waitForSelector('#page:focus');
    expect(new URL(at.page.url()).search).toBe('?days=7');
    await at.page.getByRole('button', { name: '7 d', pressed: true }).waitFor();
  });
});
