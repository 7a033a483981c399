import { testService } from '../../support/service/harness';
import { testRemote } from '../../support/peers/remote-system';
import type { RemoteAnswer } from '../../support/peers/remote-system';
import { ended } from '../../support/service/watch';
import { method, saved, started, workflow } from '../../support/documents/workflows';

const OF_ONE = 500;

const service = testService({ env: { HYPHA_RUN_CONCURRENT: '1' } });
const remote = testRemote(({ path }) =>
  path === '/held'
    ? new Promise((resolve) => {
        letGo = resolve;
      })
    : {},
);
let letGo: (answer: RemoteAnswer) => void = () => undefined;

it('an error workflow starts although the run queue is full', async () => {
  const [failing, handler, quick] = [
    await saved(service, workflow([method('0', `${remote.url}/held`)])),
    await saved(service, workflow([method('0', `${remote.url}/told`)])),
    await saved(service, workflow([method('0', `${remote.url}/quick`)])),
  ];
  await service.mutate(
    'errorWorkflowSet',
    { workflowId: failing, errorWorkflowId: handler },
    'userErrors { code }',
  );
  const failed = await started(service, failing);
  await remote.next();
  const { token } = await service.userWith(['CONNECTION:READ', 'CONNECTION:UPDATE']);
  const start = (by?: string): Promise<number> =>
    service.status('POST', `/api/connection/${quick}/execution`, { body: {}, token: by });
  for (const by of [undefined, token]) {
    for (let nth = 0; nth < OF_ONE; nth += 1) expect(await start(by)).toBeLessThan(300);
    expect(await start(by)).toBe(503);
  }
  letGo({ status: 418 });
  expect((await ended(service, failed)).state).toBe('FAILED');
  const { errorRun } = await service.field(
    'query($id: ID!) { run(id: $id) { errorRun { databaseId state } } }',
    {
      id: failed,
    },
  );
  expect((await ended(service, errorRun.databaseId)).state).toBe('SUCCEEDED');
  const { totalCount } = await service.field(
    'query($of: ID!) { runs(filter: { workflow: { eq: $of }, state: { eq: QUEUED } }) { totalCount } }',
    { of: quick },
  );
  expect(totalCount).toBeGreaterThan(OF_ONE);
});
