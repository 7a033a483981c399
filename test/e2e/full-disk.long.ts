import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { built } from '../support/service/built';
import { ADMIN_EMAIL, ADMIN_PASSWORD, reached } from '../support/service/harness';
import type { ReachedService } from '../support/service/harness';
import { HYPHA } from '../support/service/hypha';
import { remoteSystem } from '../support/peers/remote-system';
import type { RemoteSystem } from '../support/peers/remote-system';
import { method, saved, started as runStarted, workflow } from '../support/documents/workflows';
import { MAIN, readyUrl } from '../support/process';
import type { Running } from '../support/process';
import { canMountSmallDisks, SmallDisk } from '../support/service/small-disk';

const PORT = '0';
jest.setTimeout(120_000);

const METRICS_TOKEN = 'metrics-token-of-a-test';

(canMountSmallDisks ? describe : describe.skip)('on a full disk', () => {
  let folder: string;
  let disk: SmallDisk;
  let running: Running;
  let service: ReachedService;
  let url: string;
  let remote: RemoteSystem;
  let answerRemote: () => void = () => undefined;
  let runs: number[];

  const dataDir = () => join(folder, 'data');
  const env = () => ({
    DATA_DIR: dataDir(),
    PORT,
    ADMIN_EMAIL,
    ADMIN_PASSWORD,
    HYPHA_METRICS_TOKEN: METRICS_TOKEN,
  });
  const start = async (): Promise<void> => {
    running = disk.start([process.execPath, built(MAIN)], folder, env());
    url = await readyUrl(running);
    service = reached(url, await signIn());
  };
  const stop = async (): Promise<void> => {
    running.child.kill('SIGTERM');
    expect((await running.exit).code).toBe(0);
  };
  const command = async (...given: string[]): Promise<Running> => {
    const ended = disk.start([process.execPath, built(HYPHA), ...given], folder, env());
    await ended.exit;
    return ended;
  };
  const signIn = async (): Promise<string> => {
    const { status, headers } = await fetch(`${url}/login`, {
      method: 'POST',
      body: JSON.stringify({ email: ADMIN_EMAIL, password: ADMIN_PASSWORD }),
      headers: { 'content-type': 'application/json' },
    });
    expect(status).toBe(200);
    return headers.get('authorization') ?? '';
  };
  const readiness = async (): Promise<{ status: number; body: any }> => {
    const answer = await fetch(`${url}/readyz`);
    return { status: answer.status, body: await answer.json() };
  };
  const becomes = async (state: string): Promise<void> => {
    while ((await readiness()).body.status !== state) await pause(100);
  };
  const create = (name: string) => service.api('POST', '/api/category', { body: { name } });
  const graphql = async (query: string): Promise<any> =>
    (await service.api('POST', '/graphql', { body: { query } })).body;
  const stateOf = async (run: number | undefined): Promise<string> =>
    (await service.data('query ($id: ID!) { run(id: $id) { state } }', { id: String(run) })).run
      .state;
  const ids = async (): Promise<number[]> =>
    (await service.api('GET', '/api/category/all')).body.map(({ id }: any) => id);

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hypha-full-disk-'));
    mkdirSync(dataDir());
    disk = await SmallDisk.mount(dataDir(), 96);
    await start();
    remote = await remoteSystem(
      ({ path }) =>
        new Promise((resolve) => {
          if (path === '/ends') answerRemote = () => resolve({ body: {} });
        }),
    );
    runs = [];
    for (const path of ['/ends', '/waits']) {
      const id = await saved(service, workflow([method('0', `${remote.url}${path}`)]));
      runs.push(await runStarted(service, id, true));
      await remote.next();
    }
    for (let nth = 0; nth < 12; nth += 1) expect((await create(`Full ${nth}`)).status).toBe(201);
    while (!existsSync(disk.path('reserve'))) await pause(100);
  });
  afterAll(async () => {
    running.child.kill('SIGKILL');
    await running.exit;
    await remote.close();
    disk.unmount();
    rmSync(folder, { recursive: true, force: true });
  });

  it('changes are refused by name, and the instance says that it is degraded', async () => {
    disk.fill('filler');
    await becomes('DEGRADED');
    expect(await readiness()).toEqual({
      status: 200,
      body: { status: 'DEGRADED', reason: expect.stringMatching(/^The disk is full/) },
    });
    await running.says(/The disk of the embedded store is full: only deletes/);
    const before = await ids();
    const refused = await create('More');
    expect([refused.status, refused.body]).toEqual([
      507,
      expect.objectContaining({ message: 'STORAGE_FULL', status: 507 }),
    ]);
    expect(
      (await graphql('mutation { categoryCreate(input: { name: "More" }) { category { id } } }'))
        .errors,
    ).toMatchObject([{ extensions: { code: 'UNAVAILABLE', reason: 'STORAGE_FULL' } }]);
    expect(
      (await service.api('PUT', `/api/category/${before[0]}`, { body: { name: 'Renamed' } }))
        .status,
    ).toBe(507);
    expect(await ids()).toEqual(before);
    const anonymous = await fetch(`${url}/api/category`, { method: 'POST' });
    expect(anonymous.status).toBe(401);
  });

  it('no run starts, and one in progress ends', async () => {
    const id = await service.data('{ workflows(first: 1) { nodes { databaseId } } }');
    const workflowId = id.workflows.nodes[0].databaseId as number;
    expect((await service.api('POST', `/api/connection/${workflowId}/execution`)).status).toBe(507);
    answerRemote();
    while ((await stateOf(runs[0])) === 'RUNNING') await pause(100);
    expect(['SUCCEEDED', 'FAILED']).toContain(await stateOf(runs[0]));
    expect(await stateOf(runs[1])).toBe('RUNNING');
  });

  async function expectServed(): Promise<void> {
    const [first, second, third, fourth] = await ids();
    expect((await service.api('DELETE', `/api/category/${first}`)).status).toBe(204);
    expect(
      (await service.api('PUT', '/api/category/list/delete', { body: { identifiers: [second] } }))
        .status,
    ).toBe(204);
    const { data } = await graphql('{ categories(first: 2) { nodes { id } } }');
    const [{ id }] = data.categories.nodes;
    expect(
      await graphql(
        `mutation { categoryDelete(input: { id: "${id}" }) { userErrors { message } } }`,
      ),
    ).toEqual({
      data: { categoryDelete: { userErrors: [] } },
    });
    expect(await ids()).not.toEqual(expect.arrayContaining([first, second]));
    expect([third, fourth].every((each) => typeof each === 'number')).toBe(true);
    const token = await signIn();
    const signedIn = reached(url, token);
    expect((await signedIn.api('POST', '/api/auth/logout')).status).toBeLessThan(300);
    expect((await signedIn.api('GET', '/api/category/all')).status).toBe(401);
  }

  it('deletes, sign-in, sign-out and reads are served, before and after a restart', async () => {
    await expectServed();
    disk.fill('filler');
    running.child.kill('SIGKILL');
    await running.exit;
    disk.fill('filler');
    await start();
    await becomes('DEGRADED');
    while ((await stateOf(runs[1])) === 'RUNNING') await pause(100);
    expect(await stateOf(runs[1])).toBe('INTERRUPTED');
    await expectServed();
    await stop();
    disk.fill('filler');
    await start();
    await expectServed();
  });

  it('the instance can be exported, the doctor says it, and metrics show it', async () => {
    const exported = await command('export', join(folder, 'rescue.zip'));
    expect(exported.output).toMatch(/^exported: \d+ records/m);
    expect(statSync(join(folder, 'rescue.zip')).size).toBeGreaterThan(1_000);
    const { output } = await command('doctor');
    expect(output).toMatch(
      /ERROR +directory +Only .* free on its disk\. .* serves only deletes, sign-in/,
    );
    const metrics = await (
      await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
    ).text();
    expect(metrics).toMatch(/^hypha_store_full 1$/m);
    expect(metrics).toMatch(/^hypha_disk_free_bytes \d+$/m);
  });

  it('changes are accepted again when there is room, without a restart', async () => {
    disk.remove('filler');
    await becomes('UP');
    expect((await create('Room')).status).toBe(201);
    while (!existsSync(disk.path('reserve'))) await pause(100);
    await stop();
  });
});
