import { testService } from '../../support/service/harness';
import { testRemote } from '../../support/peers/remote-system';
import { ended } from '../../support/service/watch';
import { method, saved, started, workflow } from '../../support/documents/workflows';

const service = testService();
const remote = testRemote(({ path }) => (path === '/fails' ? { status: 500 } : {}));

const QUERY = `query ($id: ID!) { workflow(id: $id) {
  lastSucceededRun { databaseId }
  diffSinceSuccess { equal steps { stepId kinds fields { path before after } } }
} }`;

it('shows what has changed since the last run that succeeded, also within one version', async () => {
  const id = await saved(service, workflow([method('0', `${remote.url}/works`)]));
  const read = async (): Promise<any> => service.field(QUERY, { id });
  expect(await read()).toEqual({ lastSucceededRun: null, diffSinceSuccess: null });
  // Both edits are merged into one version.
  const edit = (name: string): Promise<any> =>
    service.mutate(
      'stepUpdate',
      { workflowId: String(id), stepId: 'm0', method: { name } },
      'userErrors { code }',
    );
  await edit('first');
  const runId = await started(service, id);
  await ended(service, runId);
  expect(await read()).toMatchObject({
    lastSucceededRun: { databaseId: runId },
    diffSinceSuccess: { equal: true, steps: [] },
  });
  await edit('second');
  await service.mutate(
    'stepUpdate',
    {
      workflowId: String(id),
      stepId: 'm0',
      method: { request: { endpoint: `${remote.url}/fails` } },
    },
    'userErrors { code }',
  );
  await ended(service, await started(service, id));
  const { lastSucceededRun, diffSinceSuccess } = await read();
  expect(lastSucceededRun.databaseId).toBe(runId);
  expect(diffSinceSuccess.steps).toMatchObject([
    {
      stepId: 'm0',
      kinds: ['CHANGED'],
      fields: expect.arrayContaining([{ path: '/name', before: 'first', after: 'second' }]),
    },
  ]);
});
