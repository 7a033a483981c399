import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADMIN_EMAIL, ADMIN_PASSWORD } from '../support/harness';
import { freePort, readyUrl, ROOT, startProcess } from '../support/process';
import type { Running } from '../support/process';


/** What of the project `npm run dev` works with. */
const PARTS = ['src', 'dashboard', 'scripts', 'schema', 'package.json', 'tsconfig.json', 'tsconfig.build.json', 'jest.config.cjs'];

let copy: string;
let dev: Running;
beforeAll(async () => {
  copy = mkdtempSync(join(tmpdir(), 'hypha-dev-'));
  for (const part of PARTS) cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  dev = startProcess({ DATA_DIR: join(copy, 'data'), PORT: String(await freePort()), ADMIN_EMAIL, ADMIN_PASSWORD }, [process.execPath, 'scripts/dev.mjs'], copy);
});
afterAll(async () => {
  dev.child.kill('SIGTERM');
  expect((await dev.exit).code).toBe(0);
  rmSync(copy, { recursive: true, force: true });
});

const settings = 'src/features/system/frontend-settings.ts';
function write(file: string, change: (text: string) => string): void {
  const before = readFileSync(join(copy, file), 'utf8');
  const after = change(before);
  expect(after).not.toBe(before);
  writeFileSync(join(copy, file), after);
}

/** Everything said until now is forgotten, so that what is waited for is said afterwards. */
const afresh = (): void => { dev.output = ''; };

it('starts again after a change, goes on with the last that could be translated, and tells of wrong types', async () => {
  const url = await readyUrl(dev);
  const prefix = async (): Promise<unknown> => ((await (await fetch(`${url}/config.json`)).json()) as { server: { prefix: string } }).server.prefix;
  expect(await prefix()).toBe('/api');

  afresh();
  write(settings, (text) => text.replace('/api`', '/changed`'));
  await dev.says(/frontend-settings\.ts: started again after \d+ ms/);
  await readyUrl(dev);
  expect(await prefix()).toBe('/changed');

  afresh();
  write(settings, (text) => `${text}\nconst = ;\n`);
  await dev.says(/The service that runs is the one before this change/);
  expect(await prefix()).toBe('/changed');

  afresh();
  write(settings, (text) => text.replace('\nconst = ;\n', '\nexport const wrong: number = "text";\n'));
  await dev.says(/frontend-settings\.ts: started again after \d+ ms/);
  await readyUrl(dev);
  expect(await prefix()).toBe('/changed');
  await dev.says(/frontend-settings\.ts.*error TS2322/);

  afresh();
  write(settings, (text) => `${text}\nprocess.exit(3);\n`);
  await dev.says(/The service ended with 3/);

  afresh();
  write(settings, (text) => text.replace('\nprocess.exit(3);\n', ''));
  await readyUrl(dev);
  expect(await prefix()).toBe('/changed');
});
