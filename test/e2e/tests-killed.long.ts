import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADMIN_EMAIL, ADMIN_PASSWORD, answerTo, reached } from '../support/harness';
import type { ReachedService } from '../support/harness';
import { readyUrl, startProcess } from '../support/process';
import type { Running } from '../support/process';
import { remoteSystem } from '../support/remote-system';
import type { RemoteSystem } from '../support/remote-system';
import { method, saved, workflow } from '../support/workflows';

/* A service that is killed while tests run, and started again a moment later. */

jest.setTimeout(120_000);

let dir: string;
let remote: RemoteSystem;
let running: Running[];
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'hypha-tests-killed-'));
  running = [];
  remote = await remoteSystem(() => new Promise(() => undefined));
});
afterAll(async () => {
  for (const { child, exit } of running) {
    child.kill('SIGKILL');
    await exit;
  }
  await remote.close();
  rmSync(dir, { recursive: true, force: true });
});

async function start(): Promise<{ service: ReachedService; process: Running }> {
  const process = startProcess({
    PORT: '0',
    DATA_DIR: join(dir, 'data'),
    ADMIN_EMAIL,
    ADMIN_PASSWORD,
  });
  running.push(process);
  const url = await readyUrl(process);
  const token = (
    await answerTo(url, 'POST', '/login', null, {
      body: { email: ADMIN_EMAIL, password: ADMIN_PASSWORD },
    })
  ).headers.get('authorization');
  return { service: reached(url, token ?? ''), process };
}

interface Kept {
  readonly connectionId: number;
  readonly title: string;
}

const testsOf = async (service: ReachedService): Promise<readonly Kept[]> =>
  ((await service.api('GET', '/api/connection/all?includeTest=true')).body as Kept[]).filter(
    ({ title }) => title.startsWith('!*test_connection_'),
  );

it('removes the workflows of tests that ran when it was killed, and keeps those that their clients still have to start', async () => {
  const first = await start();
  const document = (title: string): object =>
    workflow([method('0', `${remote.url}/held`)], [], { title });
  // As the frontends of the 5.x line test: the service keeps the workflow.
  await first.service.api('POST', '/api/connection/execution/test', {
    body: document('By the service'),
  });
  await remote.next();
  // As those of the 4.x line do: a workflow and a schedule, which is started.
  const connectionId = await saved(
    first.service,
    document('!*test_connection_1700000000000_By the client'),
  );
  const { schedulerId } = (
    await first.service.api('POST', '/api/scheduler', {
      body: {
        title: '!*test_schedule_1700000000000',
        connectionId,
        cronExp: '0 0 0 1 JAN ? 2100',
        status: 1,
        debugMode: true,
      },
    })
  ).body;
  await first.service.api('GET', `/api/scheduler/execute/${schedulerId}`);
  await remote.next();
  const notStarted = await saved(
    first.service,
    document('!*test_connection_1700000000001_Not started'),
  );
  const ordinary = await saved(first.service, document('No test'));
  expect(await testsOf(first.service)).toHaveLength(3);
  first.process.child.kill('SIGKILL');
  await first.process.exit;

  const { service } = await start();
  while ((await testsOf(service)).length > 1);
  expect((await testsOf(service)).map((kept) => kept.connectionId)).toEqual([notStarted]);
  expect((await service.api('GET', '/api/scheduler/all')).body).toEqual([]);
  expect((await service.api('GET', `/api/connection/${ordinary}`)).status).toBe(200);
  const { runs } = await service.data('{ runs(first: 10, includeTest: true) { nodes { state } } }');
  expect(runs.nodes).toEqual([{ state: 'INTERRUPTED' }, { state: 'INTERRUPTED' }]);
});
