import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService, unique } from '../support/service/harness';
import type { TestService } from '../support/service/harness';
import { hypha } from '../support/service/hypha';
import type { Ended } from '../support/service/hypha';
import { invokerXml, operationXml } from '../support/documents/invokers';
import { startPortal } from '../support/peers/portal';
import type { TestPortal } from '../support/peers/portal';

let folder: string;
let portal: TestPortal;
let service: TestService;

const start = async (): Promise<void> => {
  service = await startService({ dataDir: join(folder, 'data'), env: portal.env });
};
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hypha-cli-online-'));
  portal = await startPortal();
  await start();
});
afterAll(async () => {
  await service.close();
  await portal.close();
  rmSync(folder, { recursive: true, force: true });
});

const sync = (args: readonly string[], env: Record<string, string> = portal.env): Promise<Ended> =>
  hypha(['online-services', 'sync', ...args], {
    cwd: folder,
    env: { DATA_DIR: join(folder, 'data'), ...env },
  });
const statusOf = async (name: string): Promise<number> =>
  (await service.api('GET', `/api/invoker/${name}`)).status;

describe('`hypha online-services sync`', () => {
  it('lists in a dry run what the next synchronisation does', async () => {
    const name = unique('Command');
    portal.files.invokers.set(name, invokerXml(name));
    expect(await sync(['invokers', '--dry-run'])).toMatchObject({
      code: 0,
      stdout: `added     ${name}\ndry run: 1 added\n`,
    });
    expect(await statusOf(name)).toBe(404);
    expect(await sync(['invokers'])).toMatchObject({
      code: 0,
      stdout: `added     ${name}\n1 added\n`,
    });
    expect(await statusOf(name)).toBe(200);
    const [newest] = (await service.api('GET', '/api/sync-history')).body;
    expect(newest).toMatchObject({
      state: 'SUCCEEDED',
      startedBy: expect.stringMatching(/^hypha /),
    });
  });

  it('fails if an item fails', async () => {
    portal.files.invokers.clear();
    portal.files.invokers.set('Broken', '<invoker>');
    const { code, stdout } = await sync(['invokers']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^failed {4}Broken: /m);
    expect(stdout).toMatch(/1 failed/);
  });

  it('works with a stopped service', async () => {
    await service.close();
    const name = unique('Stopped');
    portal.files.invokers.clear();
    portal.files.invokers.set(name, invokerXml(name, operationXml('Stopped')));
    expect(await sync(['invokers'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/1 added/),
    });
    await start();
    expect(await statusOf(name)).toBe(200);
  });

  it.each<[readonly string[], Record<string, string>, number, RegExp]>([
    [['connectors'], {}, 2, /Allowed choices are invokers, templates/],
    [[], {}, 2, /missing required argument/],
  ])('refuses %j', async (given, env, code, says) => {
    expect(await sync(given, env)).toMatchObject({ code, stderr: expect.stringMatching(says) });
  });

  it('says that the online services are off', async () => {
    await service.close();
    expect(await sync(['templates'], {})).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /The templates were not synchronised: The online services are off/,
      ),
    });
    await start();
  });
});
