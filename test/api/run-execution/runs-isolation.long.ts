import { childrenOf } from '../../engine/support/pool';
import { startService } from '../../support/service/harness';
import type { TestService } from '../../support/service/harness';
import {
  hostileRemote,
  hostileSettings,
  hostileWorkflows,
  largeWorkflow,
} from '../../support/peers/hostile-remote';
import type { HostileRemote } from '../../support/peers/hostile-remote';
import { ended, runEvents, untilEvent } from '../../support/service/watch';
import { method, saved, started, workflow } from '../../support/documents/workflows';

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

const start = async (document: object, logging = false): Promise<number> =>
  started(service, await saved(service, document), logging);

// Other kinds of hostile runs: test/api/run-execution/runs-hostile.long.ts.
it('a run that uses too much memory ends with its code and events without a gap', async () => {
  const { code, document } = hostileWorkflows(remote)[1] ?? { code: '', document: {} };
  const hostile = await start(document, true);
  expect(await ended(service, hostile)).toMatchObject({
    state: 'FAILED',
    error: { code, attempt: 1 },
  });
  const { lastSequence } = await service.field(
    'query($id: ID!) { run(id: $id) { lastSequence } }',
    { id: hostile },
  );
  const events = await runEvents(service, hostile);
  expect(events.map(({ sequence }) => sequence)).toEqual(
    Array.from({ length: lastSequence }, (_, nth) => nth + 1),
  );
  expect(events.at(-1)).toMatchObject({
    __typename: 'RunFinished',
    state: 'FAILED',
    error: { code },
  });
});

it('a large valid response is read and truncated in the log', async () => {
  const runId = await start(largeWorkflow(remote), true);
  expect(await ended(service, runId)).toMatchObject({ state: 'SUCCEEDED', stepCount: 1 });
  const finished = (await runEvents(service, runId)).find(
    ({ __typename }) => __typename === 'StepFinished',
  );
  expect(finished.response.payload).toMatch(/… \(cut, \d{8} in all\)$/);
});

it('a crash is logged with the last output of the process', async () => {
  const runId = await start(workflow([method('0', `${remote.url}/hang`)]));
  await untilEvent(service, runId, 'StepStarted');
  for (const child of childrenOf()) process.kill(child, 'SIGKILL');
  expect(await ended(service, runId)).toMatchObject({
    state: 'FAILED',
    error: { stepId: null, code: 'RUN_CRASHED' },
  });
  expect(service.logs.find(({ runId: of }) => of === runId)).toMatchObject({
    msg: 'An internal error ended a run.',
    err: { message: expect.stringContaining('SIGKILL') },
  });
});
