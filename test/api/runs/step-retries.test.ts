import { startRemote } from '../../engine/support/remote';
import type { Remote } from '../../engine/support/remote';
import { startService } from '../../support/service/harness';
import type { TestService } from '../../support/service/harness';
import { ended, runEvents } from '../../support/service/watch';
import { method, saved, started, workflow } from '../../support/documents/workflows';

let service: TestService;
let remote: Remote;
let statuses: number[] = [];

beforeAll(async () => {
  remote = await startRemote((_request, response) => {
    response.writeHead(statuses.shift() ?? 200, { 'content-type': 'application/json' }).end('{}');
  });
  service = await startService({ env: { HYPHA_STEP_BACKOFF: '5' } });
});
beforeEach(() => {
  remote.received.length = 0;
});
afterAll(() => Promise.all([service.close(), remote.close()]));

const EVENTS = `subscription($runId: ID!, $after: Int!) {
  runEvents(runId: $runId, afterSequence: $after) { __typename ... on StepStarted { attempt } ... on StepFinished { finished: attempt state statusCode error { code } } }
}`;

it('a repeatable step is retried, with an event for each attempt', async () => {
  statuses = [503, 429];
  const runId = await started(service, await saved(service, workflow([method('0', remote.url)])));
  expect(await runEvents(service, runId, 0, EVENTS)).toEqual([
    { __typename: 'RunStarted' },
    { __typename: 'StepStarted', attempt: 1 },
    {
      __typename: 'StepFinished',
      finished: 1,
      state: 'FAILED',
      statusCode: 503,
      error: { code: 'HTTP_STATUS_ERROR' },
    },
    { __typename: 'StepStarted', attempt: 2 },
    {
      __typename: 'StepFinished',
      finished: 2,
      state: 'FAILED',
      statusCode: 429,
      error: { code: 'HTTP_STATUS_ERROR' },
    },
    { __typename: 'StepStarted', attempt: 3 },
    { __typename: 'StepFinished', finished: 3, state: 'SUCCEEDED', statusCode: 200, error: null },
    { __typename: 'RunFinished' },
  ]);
  expect(await ended(service, runId)).toMatchObject({ state: 'SUCCEEDED', stepCount: 1 });
});

it('a step follows its retry settings from either API', async () => {
  const id = await saved(
    service,
    workflow([
      {
        ...method('0', remote.url),
        request: { endpoint: remote.url, method: 'POST' },
        retries: 1,
        backoff: 1,
      },
    ]),
  );
  statuses = [503, 503];
  expect(await ended(service, await started(service, id))).toMatchObject({
    state: 'FAILED',
    error: { code: 'HTTP_STATUS_ERROR', attempt: 2 },
  });
  const stepUpdate = await service.mutate(
    'stepUpdate',
    { workflowId: id, stepId: 'm0', method: { retries: 3, backoff: 0, timeout: 20000 } },
    'workflow { steps { ... on MethodStep { retries backoff timeout } } } userErrors { code }',
  );
  expect(stepUpdate).toEqual({
    workflow: { steps: [{ retries: 3, backoff: 0, timeout: 20_000 }] },
    userErrors: [],
  });
  statuses = [503, 503, 503];
  expect(await ended(service, await started(service, id))).toMatchObject({
    state: 'SUCCEEDED',
    stepCount: 1,
  });
});

it('invalid retry settings are reported before the workflow runs', async () => {
  const document = workflow([{ ...method('0', remote.url), retries: 50, timeout: 'soon' }]);
  expect(await service.body('POST', '/api/connection/validate', { body: document })).toMatchObject({
    valid: false,
    errors: [
      { index: '0', field: 'timeout', code: 'STEP_SETTING_INVALID' },
      { index: '0', field: 'retries', code: 'STEP_SETTING_INVALID' },
    ],
  });
});
