import { startService, testService } from '../../support/service/harness';
import { ended } from '../../support/service/watch';
import { method, saved, started, workflow } from '../../support/documents/workflows';

const service = testService();

const CREATE = `mutation { exampleWorkflowCreate { workflow { databaseId title steps { stepId } validation { code } } userErrors { code } } }`;

it('the example runs as it is created, and another one gets a free title', async () => {
  const { workflow: example, userErrors } = await service.field(CREATE);
  expect(userErrors).toEqual([]);
  expect(example).toMatchObject({ title: 'Example: tickets to cards', validation: [] });
  expect(example.steps).toHaveLength(4);
  const runId = await started(service, example.databaseId as number, true);
  expect(await ended(service, runId)).toMatchObject({
    state: 'SUCCEEDED',
    stepCount: 3,
  });
  const second = await service.field(CREATE);
  expect(second.workflow.title).toBe('Example: tickets to cards 2');
});

it('the systems of the example exist only for runs', async () => {
  for (const mark of ['', `1.1.${'a'.repeat(43)}`]) {
    const headers = { 'X-Hypha-Run': mark };
    await service.refuses(404, 'NOT_FOUND', 'GET', '/api/example/tickets', { headers });
    await service.refuses(404, 'NOT_FOUND', 'POST', '/api/example/cards', { headers, body: {} });
  }
  const document = workflow([
    method('0', `${service.url}/api/example/cards`),
    method('1', `${service.url}/api/example/cards`),
  ]);
  const runId = await started(service, await saved(service, document));
  expect(await ended(service, runId)).toMatchObject({
    state: 'FAILED',
    error: { message: expect.stringContaining('answered 404') },
  });
});

it('a card is at most 64 KiB', async () => {
  const large = { format: 'json', fields: { text: 'x'.repeat(65_536) } };
  const endpoint = `${service.url}/api/example/cards`;
  const runId = await started(
    service,
    await saved(
      service,
      workflow([method('0', endpoint, { request: { endpoint, method: 'POST', body: large } })]),
    ),
  );
  expect(await ended(service, runId)).toMatchObject({
    error: { message: expect.stringContaining('answered 413') },
  });
});

it('the example needs a loopback address', async () => {
  const other = await startService({ env: { HOST: '127.0.0.2' } });
  try {
    expect(await other.field(CREATE)).toMatchObject({
      workflow: null,
      userErrors: [{ code: 'EXAMPLE_NOT_AVAILABLE' }],
    });
  } finally {
    await other.close();
  }
});
