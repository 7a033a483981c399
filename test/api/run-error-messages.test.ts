import type { TestService } from '../support/harness';
import { startService } from '../support/harness';
import { remoteSystem } from '../support/remote-system';
import type { RemoteSystem } from '../support/remote-system';
import { ended, runEvents } from '../support/watch';
import { method, saved, started, workflow } from '../support/workflows';

let service: TestService;
let remote: RemoteSystem;
beforeAll(async () => {
  remote = await remoteSystem(() => ({ status: 503, body: { error: 'The board is full.' } }));
  service = await startService();
});
afterAll(async () => {
  await service.close();
  await remote.close();
});

it('the error of a run names its call wherever it is shown', async () => {
  const workflowId = await saved(
    service,
    workflow([method('0', `${remote.url}/cards/7?token=abc`)]),
  );
  const id = await started(service, workflowId);
  await ended(service, id);
  const message = `GET ${remote.url}/cards/7 answered 503.`;
  const { run, runs } = await service.data(
    'query($id: ID!) { run(id: $id) { error { code message index } } runs(first: 1) { nodes { error { message } } } }',
    { id: String(id) },
  );
  expect(run.error).toEqual({ code: 'HTTP_STATUS_ERROR', message, index: '0' });
  expect(runs.nodes[0].error.message).toBe(message);
  expect((await service.api('GET', `/api/execution/${id}`)).body.error).toMatchObject({
    code: 'HTTP_STATUS_ERROR',
    message,
  });
  const told = JSON.stringify(await runEvents(service, id));
  expect(told).toContain(JSON.stringify(message).slice(1, -1));
  expect(told).not.toContain('token');
});
