import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADMIN_EMAIL, ADMIN_PASSWORD, reachedAt } from '../../support/service/harness';
import type { ReachedService } from '../../support/service/harness';
import { built } from '../../support/service/built';
import { MAIN, readyUrl, startProcess } from '../../support/process';
import type { Running } from '../../support/process';
import { remoteSystem } from '../../support/peers/remote-system';
import type { RemoteSystem } from '../../support/peers/remote-system';
import { ended, runEvents, untilEvent } from '../../support/service/watch';
import { method, saved, started, workflow } from '../../support/documents/workflows';

let dataDir: string;
let remote: RemoteSystem;
let running: Running;
let answer: () => void;

beforeAll(async () => {
  built(MAIN);
  dataDir = mkdtempSync(join(tmpdir(), 'hypha-requeued-'));
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  remote = await remoteSystem(async ({ path }) => {
    if (path === '/hang') await answered;
    return {};
  });
});
afterAll(async () => {
  answer();
  running.child.kill('SIGKILL');
  await running.exit;
  await remote.close();
  rmSync(dataDir, { recursive: true, force: true });
});

async function start(): Promise<ReachedService> {
  running = startProcess({
    PORT: '0',
    DATA_DIR: dataDir,
    ADMIN_EMAIL,
    ADMIN_PASSWORD,
    HYPHA_OUTBOUND_ALLOW: '127.0.0.1',
    HYPHA_SCRIPT_TIMEOUT: '600000',
    HYPHA_STEP_TIMEOUT: '600000',
    HYPHA_RUN_CONCURRENT: '8',
  });
  return reachedAt(await readyUrl(running));
}

async function restarted(signal: NodeJS.Signals): Promise<ReachedService> {
  running.child.kill(signal);
  await running.exit;
  return start();
}

const computing = (): object => {
  const step = method('0', `${remote.url}/never`, {
    request: { endpoint: `${remote.url}/never`, method: 'GET', header: { 'X-A': 'a' }, body: null },
  }) as { readonly color: string };
  return workflow([step], [], {
    fieldBinding: [
      {
        from: [],
        to: [{ color: step.color, type: 'header', field: 'X-A' }],
        enhancement: { language: 'js', expertCode: 'for (;;);' },
      },
    ],
  });
};
const sequencesOf = async (service: ReachedService, id: number): Promise<number[]> =>
  (await runEvents(service, id)).map(({ sequence }) => sequence as number);

it('a restart requeues runs that had sent nothing and ends others as interrupted with their step', async () => {
  const first = await start();
  const sending = await started(
    first,
    await saved(
      first,
      workflow([method('0', `${remote.url}/fast`), method('1', `${remote.url}/hang`)]),
    ),
  );
  for (let call = 0; call < 2; call += 1) await remote.next();
  const unsent = await started(first, await saved(first, computing()));
  await untilEvent(first, unsent, 'StepStarted');
  const quick = await Promise.all(
    Array.from({ length: 4 }, async (_, nth) =>
      started(first, await saved(first, workflow([method('0', `${remote.url}/once/${nth}`)]))),
    ),
  );

  const second = await restarted('SIGKILL');
  expect(await ended(second, sending)).toMatchObject({
    state: 'INTERRUPTED',
    error: {
      stepId: 'm1',
      code: 'RUN_INTERRUPTED',
      message: expect.stringContaining('ended unexpectedly, at step "call 1" (1)'),
    },
  });
  for (const [nth, id] of quick.entries()) {
    const { state } = await ended(second, id);
    const sent = remote.received.filter(({ path }) => path === `/once/${nth}`).length;
    // A run whose request may have been sent at the kill must not start again.
    expect([
      ['SUCCEEDED', 1],
      ['INTERRUPTED', 1],
      ['INTERRUPTED', 0],
    ]).toContainEqual([state, sent]);
  }
  await untilEvent(second, unsent, 'StepStarted');

  const third = await restarted('SIGTERM');
  await untilEvent(third, unsent, 'StepStarted');
  const { body } = await third.api('POST', `/api/execution/${unsent}/cancel`);
  expect(body).toMatchObject({ state: 'CANCELLED' });
  const sequences = await sequencesOf(third, unsent);
  expect(sequences).toEqual(sequences.map((_, nth) => nth + 1));
  expect(remote.received.some(({ path }) => path === '/never')).toBe(false);
});
