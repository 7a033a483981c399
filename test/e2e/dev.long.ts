import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADMIN_EMAIL, ADMIN_PASSWORD } from '../support/service/harness';
import { freePort, readyUrl, ROOT, startProcess } from '../support/process';
import type { Running } from '../support/process';

/** The files that `npm run dev` needs. */
const PARTS = [
  'src',
  'packages',
  'dashboard',
  'scripts',
  'schema',
  'package.json',
  'tsconfig.json',
  '.swcrc',
  'jest.config.cjs',
];

const settings = 'src/platform/http/frontend-settings.ts';

let copy: string;
let dev: Running;
beforeAll(async () => {
  copy = mkdtempSync(join(tmpdir(), 'hypha-dev-'));
  for (const part of PARTS) cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  // Only the changed file is type-checked, to save time.
  write('tsconfig.json', (text) => text.replace(/"include": \[.*\]/, `"files": ["${settings}"]`));
  dev = startProcess(
    { DATA_DIR: join(copy, 'data'), PORT: String(await freePort()), ADMIN_EMAIL, ADMIN_PASSWORD },
    [process.execPath, 'scripts/dev.mjs'],
    copy,
  );
});
afterAll(async () => {
  dev.child.kill('SIGTERM');
  expect((await dev.exit).code).toBe(0);
  rmSync(copy, { recursive: true, force: true });
});

function write(file: string, change: (text: string) => string): void {
  const before = readFileSync(join(copy, file), 'utf8');
  const after = change(before);
  expect(after).not.toBe(before);
  writeFileSync(join(copy, file), after);
}

/** Clears the output so that later waits match only new lines. */
const clearOutput = (): void => {
  dev.output = '';
};

it('npm run dev keeps the service after a syntax error, restarts it after a change or an exit and reports type errors', async () => {
  const url = await readyUrl(dev);
  const prefix = async (): Promise<unknown> =>
    ((await (await fetch(`${url}/config.json`)).json()) as { server: { prefix: string } }).server
      .prefix;
  expect(await prefix()).toBe('/api');

  clearOutput();
  write(settings, (text) => `${text}\nconst = ;\n`);
  await dev.says(/The service that runs is the one before this change/);
  expect(await prefix()).toBe('/api');

  clearOutput();
  write(settings, (text) => text.replace('\nconst = ;\n', '\nprocess.exit(3);\n'));
  await dev.says(/frontend-settings\.ts: started again after \d+ ms/);
  await dev.says(/The service ended with 3/);

  clearOutput();
  write(settings, (text) =>
    text
      .replace('\nprocess.exit(3);\n', '\nexport const wrong: number = "text";\n')
      .replace('/api`', '/changed`'),
  );
  await readyUrl(dev);
  expect(await prefix()).toBe('/changed');
  await dev.says(/frontend-settings\.ts.*error TS2322/);
});
