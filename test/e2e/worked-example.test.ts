import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADMIN_EMAIL, ADMIN_PASSWORD, startService } from '../support/harness';
import { commandsOf, executed } from '../support/page-commands';
import { freePort, ROOT } from '../support/process';

it('docs/worked-example.md works as it is written, and prints what it says', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hypha-example-'));
  for (const name of ['examples', 'node_modules']) symlinkSync(join(ROOT, name), join(folder, name));
  const service = await startService();
  const [addresses, ...blocks] = commandsOf('docs/worked-example.md');
  expect(addresses?.commands).toContain('export HELPDESK=');
  const settings = {
    HYPHA: service.url, HELPDESK: `http://127.0.0.1:${await freePort()}`, BOARD: `http://127.0.0.1:${await freePort()}`, EMAIL: ADMIN_EMAIL, PASSWORD: ADMIN_PASSWORD,
  };
  const printed = await executed(blocks, settings, folder);
  const told = blocks.flatMap(({ prints }, at) => (prints === null ? [] : [[prints, printed[at]]]));
  expect(told).toHaveLength(2);
  for (const [said, was] of told) expect(was).toBe(said);

  const [, , , checked, saved, watched = ''] = printed;
  expect(checked).toBe('{"status":"200"}');
  expect(saved).toContain('"validation":[]');
  const kinds = watched.trim().split('\n').map((line) => line.trim().split(/\s+/).slice(0, 2));
  // Each of them, in order and once.
  expect(kinds.map(([sequence]) => Number(sequence))).toEqual(kinds.map((_, at) => at + 1));
  const count = (kind: string): number => kinds.filter(([, each]) => each === kind).length;
  expect(['StepFinished', 'LoopStarted', 'LoopIteration', 'ConditionEvaluated', 'RunFinished'].map(count)).toEqual([5, 1, 7, 7, 1]);
  expect(watched).toContain('RunFinished        {"state":"SUCCEEDED","error":null}');
  expect(printed.join('')).not.toContain('Bearer');
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});
