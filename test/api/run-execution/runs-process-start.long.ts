import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../../support/service/harness';
import type { TestService } from '../../support/service/harness';
import { built } from '../../support/service/built';
import { RUN_PROGRAM } from '../../support/service/programs';
import { remoteSystem } from '../../support/peers/remote-system';
import type { RemoteSystem } from '../../support/peers/remote-system';
import { ended } from '../../support/service/watch';
import { method, saved, started, workflow } from '../../support/documents/workflows';

/* Files tell the run processes whether to exit at startup or to start slowly. */

let directory: string;
let remote: RemoteSystem;
let service: TestService;
const file = (name: string): string => join(directory, name);

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'hypha-starts-'));
  writeFileSync(
    file('child.cjs'),
    `
    const { existsSync } = require('node:fs');
    if (existsSync(${JSON.stringify(file('exit'))})) process.exit(3);
    while (!existsSync(${JSON.stringify(file('open'))})) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    require(${JSON.stringify(built(RUN_PROGRAM))});`,
  );
  writeFileSync(file('exit'), '');
  remote = await remoteSystem(() => ({}));
  service = await startService({
    env: { HYPHA_RUN_ISOLATION: 'processes', HYPHA_OUTBOUND_ALLOW: '127.0.0.1' },
    runProgram: file('child.cjs'),
  });
});
afterAll(async () => {
  await service.close();
  await remote.close();
  rmSync(directory, { recursive: true, force: true });
});

const startedRun = async (): Promise<number> =>
  started(service, await saved(service, workflow([method('0', `${remote.url}/called`)])));

async function waitingForProcess(id: number): Promise<any> {
  for (;;) {
    const run = await service.field(
      'query($id: ID!) { run(id: $id) { state startedAt wait { reason message } } }',
      { id },
    );
    if (run.wait?.reason === 'PROCESS_START') return run;
  }
}

it('a run fails with a message after five of its processes exit at startup', async () => {
  const id = await startedRun();
  expect(await waitingForProcess(id)).toMatchObject({ state: 'QUEUED' });
  expect(await ended(service, id)).toMatchObject({
    state: 'FAILED',
    stepCount: 0,
    error: {
      stepId: null,
      code: 'RUN_FAULT',
      message: expect.stringContaining('5 in a row ended at start'),
    },
  });
  rmSync(file('exit'));
});

it('a run stays queued with a reason until its process has started', async () => {
  const id = await startedRun();
  expect(await waitingForProcess(id)).toMatchObject({
    state: 'QUEUED',
    startedAt: null,
    wait: { message: expect.stringMatching(/process/) },
  });
  expect(await service.body('GET', `/api/execution/${id}`)).toMatchObject({
    state: 'QUEUED',
    startTime: null,
    wait: { reason: 'PROCESS_START', message: expect.any(String) },
  });

  const cancelled = await startedRun();
  await waitingForProcess(cancelled);
  expect(await service.body('POST', `/api/execution/${cancelled}/cancel`)).toMatchObject({
    state: 'CANCELLED',
    startTime: null,
  });

  writeFileSync(file('open'), '');
  expect(await ended(service, id)).toMatchObject({ state: 'SUCCEEDED', stepCount: 1 });
  expect(await service.body('GET', `/api/execution/${id}`)).not.toHaveProperty('wait');
  expect(remote.received).toHaveLength(1);
});
