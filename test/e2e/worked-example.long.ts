import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHROMIUM, describeInBrowser } from '../support/browser/browser';
import { onDashboard } from '../support/browser/dashboard';
import { ADMIN_EMAIL, ADMIN_PASSWORD, startService } from '../support/service/harness';
import type { ReachedService } from '../support/service/harness';
import { commandsOf, executed } from '../support/browser/page-commands';
import { freePort, ROOT } from '../support/process';

/** Executes the commands of the page and returns the output of each block. */
async function read(service: ReachedService): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'hypha-example-'));
  for (const name of ['examples', 'node_modules'])
    symlinkSync(join(ROOT, name), join(folder, name));
  const [addresses, ...blocks] = commandsOf('docs/worked-example.md');
  expect(addresses?.commands).toContain('export HELPDESK=');
  const settings = {
    HYPHA: service.url,
    HELPDESK: `http://127.0.0.1:${await freePort()}`,
    BOARD: `http://127.0.0.1:${await freePort()}`,
    EMAIL: ADMIN_EMAIL,
    PASSWORD: ADMIN_PASSWORD,
  };
  const printed = await executed(blocks, settings, folder);
  rmSync(folder, { recursive: true, force: true });
  const outputs = blocks.flatMap(({ prints }, at) =>
    prints === null ? [] : [[prints.trim(), printed[at]?.trim()]],
  );
  expect(outputs).toHaveLength(4);
  for (const [documentedText, printedText] of outputs) expect(printedText).toBe(documentedText);
  return printed;
}

function expectOutput(printed: readonly string[]): void {
  const [, , , checked, saved, watched = ''] = printed;
  expect(checked).toBe('{"status":"200"}');
  expect(saved).toContain('"validation":[]');
  const kinds = watched
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).slice(0, 2));
  // Each event arrives once and in order.
  expect(kinds.map(([sequence]) => Number(sequence))).toEqual(kinds.map((_, at) => at + 1));
  const count = (kind: string): number => kinds.filter(([, each]) => each === kind).length;
  expect(
    ['StepFinished', 'LoopStarted', 'LoopIteration', 'ConditionEvaluated', 'RunFinished'].map(
      count,
    ),
  ).toEqual([5, 1, 7, 7, 1]);
  expect(watched).toContain('RunFinished        {"state":"SUCCEEDED","error":null}');
  expect(printed.join('')).not.toContain('Bearer');
}

describeInBrowser('docs/worked-example.md', (at) => {
  it('works as written, prints the documented output and appears on the dashboard', async () => {
    const printed = await read(at.service);
    expectOutput(printed);
    const failed = Number(
      printed
        .map((text) => /\/dashboard\/runs\/(\d+)/.exec(text)?.[1])
        .find((id) => id !== undefined),
    );
    const { open, seen } = onDashboard(at);
    await open(`runs/${failed}`);
    await seen('main', 'OUTBOUND_CONNECTION_FAILED');
    await seen('main', 'AddCard');
    const { run } = await at.service.data(
      'query ($id: ID!) { run(id: $id) { schedule { title } retries(first: 2) { nodes { databaseId state } } } }',
      { id: failed },
    );
    expect(run).toEqual({
      schedule: { title: 'Tickets to the board' },
      retries: { nodes: [{ databaseId: expect.any(Number), state: 'SUCCEEDED' }] },
    });
    await at.page.locator(`a[href$="/runs/${run.retries.nodes[0].databaseId}"]`).first().click();
    await at.page.locator('.state-succeeded').first().waitFor();
  });
});

// Without a browser only the page is tested.
if (CHROMIUM === undefined) {
  it('docs/worked-example.md works as written and prints the documented output', async () => {
    const service = await startService();
    expectOutput(await read(service));
    await service.close();
  });
}
