import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Sandbox } from '../../src/platform/scripts/sandbox';
import { createScripts } from '../../src/platform/scripts';
import {
  answering,
  colorOf,
  httpStep,
  runWith,
  scriptsConfig,
  workflow,
} from '../engine/support/run';
import { built } from '../support/service/built';
import { SANDBOX_PROGRAM, SLOW_SANDBOXES } from '../support/service/programs';
import { longIt } from '../support/long';

/* Sandboxes whose thread exits or is slow at start. */

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'hypha-sandboxes-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const { timeoutMs, memoryBytes } = scriptsConfig;
const script = { language: 'js', code: 'RESULT_VAR = 1', variables: [] };

function sandboxOf(code: string): Sandbox {
  const program = join(directory, 'sandbox.cjs');
  writeFileSync(program, code);
  return new Sandbox({ timeoutMs, memoryBytes, program });
}

it('the sandbox restarts a thread that exits at start', async () => {
  const file = join(directory, 'exit');
  writeFileSync(file, '');
  using sandbox = sandboxOf(`
    const { existsSync, rmSync } = require('node:fs');
    if (existsSync(${JSON.stringify(file)})) {
      rmSync(${JSON.stringify(file)});
      process.exit(3);
    }
    require(${JSON.stringify(built(SANDBOX_PROGRAM))});`);
  expect(await sandbox.evaluate(script, new AbortController().signal)).toBe('1');
  expect(existsSync(file)).toBe(false);
});

it('a script fails with an explanation when every thread exits at start', async () => {
  using sandbox = sandboxOf('process.exit(3);');
  await expect(sandbox.evaluate(script, new AbortController().signal)).rejects.toThrow(
    '5 threads in a row ended at start. The thread ended with 3.',
  );
});

longIt('the start of a sandbox does not count towards the step timeout', async () => {
  const scripts = createScripts(scriptsConfig, SLOW_SANDBOXES.start);
  using ofRun = scripts.open();
  const bound = {
    from: [],
    to: [{ color: colorOf('0'), type: 'header', field: 'X-A' }],
    enhancement: { language: 'js', expertCode: 'RESULT_VAR = "b"' },
  };
  const document = {
    ...workflow(httpStep('0', 'http://remote/', { request: { header: { 'X-A': 'a' } } })),
    fieldBinding: [bound],
  };
  // The thread takes three seconds to start.
  const run = await runWith(
    document,
    { http: answering(() => ({})), scripts: ofRun },
    { stepTimeoutMs: 2_000 },
  );
  expect(run).toMatchObject({ state: 'SUCCEEDED', steps: 1 });
});
