import { globalId } from '../../../src/platform/graphql/schema/ids';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Actor } from '../../../src/platform/access/actor';
import { systemActor } from '../../../src/platform/access/actor';
import { startService } from '../../support/service/harness';
import type { TestService } from '../../support/service/harness';
import type { RemoteSystem } from '../../support/peers/remote-system';
import { remoteSystem } from '../../support/peers/remote-system';
import { connectDomain, ONE_PROCESS } from '../../support/store/domain-fixture';
import { longIt } from '../../support/long';
import { ended, runEvents, untilEvent } from '../../support/service/watch';
import { method, saved, started, workflow } from '../../support/documents/workflows';

let dataDir: string;
let remote: RemoteSystem;
let service: TestService | null;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'hypha-recovery-'));
  remote = await remoteSystem(({ path }) => (path === '/hang' ? new Promise(() => undefined) : {}));
  service = null;
});
afterEach(async () => {
  await service?.close();
  await remote.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const hanging = (): object =>
  workflow([method('0', `${remote.url}/fast`), method('1', `${remote.url}/hang`)]);

/** Runs until the second step hangs, then disconnects the store like a killed process. */
async function crashed(): Promise<{
  running: number;
  queued: number;
  test: number;
  waitingTest: number;
  workflowId: number;
}> {
  const { connected, domain } = await connectDomain(dataDir, {
    ...ONE_PROCESS,
    HYPHA_RUN_CONCURRENT: '2',
  });
  await domain.prepare();
  const { workflows, runs, testRuns, runEvents } = domain.services;
  const actor: Actor = {
    ...systemActor('crash'),
    grants: new Set(['CONNECTION:CREATE', 'CONNECTION:READ']),
  };
  const { record } = await workflows.save(actor, null, { document: hanging() });
  const running = await runs.run(actor, record._id, { logging: false });
  const { run: test } = await testRuns.startContent(actor, { document: hanging() });
  const queued = await runs.run(actor, record._id, { logging: false });
  const { run: waitingTest } = await testRuns.startContent(actor, { document: hanging() });
  for (const id of [running._id, test._id]) {
    const abort = new AbortController();
    for await (const { event } of await runEvents.follow(actor, id, 0, abort.signal)) {
      if (event.kind === 'StepStarted' && event.index === '1') abort.abort();
    }
  }
  await connected.close();
  return {
    running: running._id,
    queued: queued._id,
    test: test._id,
    waitingTest: waitingTest._id,
    workflowId: record._id,
  };
}

const restarted = async (): Promise<TestService> => {
  service = await startService({ dataDir, env: { HYPHA_RUN_CONCURRENT: '2' } });
  return service;
};

it('recovery ends the runs of a dead process as interrupted, with a last event after the stored ones', async () => {
  const { running, test } = await crashed();
  const now = await restarted();
  expect(await ended(now, running)).toMatchObject({
    state: 'INTERRUPTED',
    stepCount: 1,
    error: { stepId: 'm1', index: '1', code: 'RUN_INTERRUPTED' },
  });
  expect(await ended(now, test)).toMatchObject({
    state: 'INTERRUPTED',
    test: true,
    workflow: null,
  });
  const events = await runEvents(now, running);
  expect(events.map(({ __typename, sequence }) => `${sequence} ${__typename}`)).toEqual([
    '1 RunStarted',
    '2 StepStarted',
    '3 StepFinished',
    '4 StepStarted',
    '5 RunFinished',
  ]);
  expect(events.at(-1)).toMatchObject({ state: 'INTERRUPTED', error: { code: 'RUN_INTERRUPTED' } });
});

longIt('recovery continues queued runs of a dead process and ends its tests', async () => {
  const { queued, waitingTest } = await crashed();
  const now = await restarted();
  await untilEvent(now, queued, 'StepFinished');
  expect(
    (await now.field('query($id: ID!) { run(id: $id) { state } }', { id: queued })).state,
  ).toBe('RUNNING');
  expect(await ended(now, waitingTest)).toMatchObject({
    state: 'INTERRUPTED',
    test: true,
    startedAt: null,
    workflow: null,
    error: { code: 'RUN_INTERRUPTED' },
  });
});

longIt('recovery counts interrupted runs once as failures, and no tests', async () => {
  const { workflowId, queued } = await crashed();
  for (let start = 0; start < 2; start += 1) {
    const now = await restarted();
    if (start === 0) await untilEvent(now, queued, 'StepFinished');
    const { executionsTimeline, topWorkflows } = await now.data(
      '{ executionsTimeline(days: 1) { executions failures } topWorkflows { workflowId executions failureRate } }',
    );
    // A queued run continues at each start, and the next shutdown interrupts it.
    expect(executionsTimeline).toEqual([{ executions: start + 1, failures: start + 1 }]);
    expect(topWorkflows).toEqual([
      { workflowId: globalId('Workflow', workflowId), executions: start + 1, failureRate: 100 },
    ]);
    await now.close();
    service = null;
  }
});

longIt(
  'a shutdown interrupts running runs, and the next start continues queued ones in order',
  async () => {
    const first = await restarted();
    const id = await saved(first, hanging());
    const [going, waiting] = [[await started(first, id), await started(first, id)], [] as number[]];
    for (let call = 0; call < 4; call += 1) await remote.next();
    for (let run = 0; run < 4; run += 1)
      waiting.push(
        await started(
          first,
          await saved(first, workflow([method('0', `${remote.url}/late/${run}`)])),
        ),
      );
    await first.close();
    remote.forget();
    const now = await restarted();
    for (const runId of going) {
      expect((await ended(now, runId)).state).toBe('INTERRUPTED');
      const events = await runEvents(now, runId);
      expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, nth) => nth + 1));
    }
    const ends = await Promise.all(waiting.map((runId) => ended(now, runId)));
    expect(ends.map(({ state }) => state)).toEqual(waiting.map(() => 'SUCCEEDED'));
    const begun = ends.map(({ startedAt }) => new Date(startedAt).getTime());
    expect(begun).toEqual([...begun].sort((a, b) => a - b));
    expect(remote.received).toHaveLength(4);
    const executionsTimeline = await now.field(
      '{ executionsTimeline(days: 1) { executions failures } }',
    );
    expect(executionsTimeline).toEqual([{ executions: 6, failures: 2 }]);
  },
);
