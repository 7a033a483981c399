import { childrenOf } from '../engine/support/pool';
import { startService } from '../support/harness';
import type { TestService } from '../support/harness';
import { hostileRemote, hostileSettings, hostileWorkflows, largeWorkflow, ordinaryWorkflow } from '../support/hostile-remote';
import type { HostileRemote } from '../support/hostile-remote';
import { ended, runEvents, untilEvent } from '../support/watch';
import { method, saved, started, workflow } from '../support/workflows';

let service: TestService;
let remote: HostileRemote;

beforeAll(async () => {
  [remote, service] = await Promise.all([hostileRemote(), startService({ env: hostileSettings })]);
});
afterAll(async () => {
  await service.close();
  expect(childrenOf()).toEqual([]);
  await remote.close();
});

const start = async (document: object, logging = false): Promise<number> => started(service, await saved(service, document), logging);

it.each([3, 4, 1, 0, 2])('a run that goes too far ends with its code, its events without a gap, while another one goes on (%i)', async (nth) => {
  const { code, document } = hostileWorkflows(remote)[nth] ?? { code: '', document: {} };
  const [hostile, ordinary] = [await start(document, true), await start(ordinaryWorkflow(remote))];
  expect(await ended(service, hostile)).toMatchObject({ state: 'FAILED', error: { code, attempt: 1 } });
  expect(await ended(service, ordinary)).toMatchObject({ state: 'SUCCEEDED', steps: 10 });
  const last = (await service.data('query($id: ID!) { run(id: $id) { lastSequence } }', { id: hostile })).run.lastSequence as number;
  const events = await runEvents(service, hostile, Math.max(0, last - 100));
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, nth) => last - events.length + 1 + nth));
  expect(events.at(-1)).toMatchObject({ __typename: 'RunFinished', state: 'FAILED', error: { code } });
});

it('a large answer with which nothing is wrong is read, and cut where it is recorded', async () => {
  const runId = await start(largeWorkflow(remote), true);
  expect(await ended(service, runId)).toMatchObject({ state: 'SUCCEEDED', steps: 1 });
  const finished = (await runEvents(service, runId)).find(({ __typename }) => __typename === 'StepFinished');
  expect(finished.response.payload).toMatch(/… \(cut, \d{8} in all\)$/);
});

it('a run that blocks its process is cancelled', async () => {
  const runId = await start(hostileWorkflows(remote).find(({ code }) => code === 'RUN_STALLED')?.document ?? {});
  await untilEvent(service, runId, 'StepFinished');
  const { runCancel } = await service.data('mutation($id: ID!) { runCancel(input: { id: $id }) { run { state steps } userErrors { code } } }', { id: runId });
  expect(runCancel).toEqual({ run: { state: 'CANCELLED', steps: 1 }, userErrors: [] });
});

it('a crash is told to the log, with what the process said last', async () => {
  const runId = await start(workflow([method('0', `${remote.url}/hang`)]));
  await untilEvent(service, runId, 'StepStarted');
  for (const child of childrenOf()) process.kill(child, 'SIGKILL');
  expect(await ended(service, runId)).toMatchObject({ state: 'FAILED', error: { stepId: null, code: 'RUN_CRASHED' } });
  expect(service.logs.find(({ runId: of }) => of === runId)).toMatchObject({ msg: 'a run met a fault of ours', err: { message: expect.stringContaining('SIGKILL') } });
});
