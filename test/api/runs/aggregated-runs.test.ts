import { answerJson, startRemote } from '../../engine/support/remote';
import type { Remote } from '../../engine/support/remote';
import { startService, unique } from '../../support/service/harness';
import type { TestService } from '../../support/service/harness';
import { ended, runEvents } from '../../support/service/watch';
import { method, saved, started, workflow } from '../../support/documents/workflows';

let service: TestService;
let remote: Remote;
let hold: Promise<void> | null = null;

beforeAll(async () => {
  remote = await startRemote(async ({ url }, response) => {
    if (url === '/held') await hold;
    answerJson(response, { tickets: [1, 2, 3], access_token: 'tok-1234567' });
  });
  service = await startService();
});
afterAll(() => Promise.all([service.close(), remote.close()]));

const SCRIPT =
  'var tickets = 0;\nvar last;\n\nResponses.forEach(function (one) { tickets += JSON.parse(one.body).tickets.length; });\nlast = "token " + JSON.parse(Responses[0].body).access_token;';
const aggregator = (more: object = {}): Promise<{ id: number; args: { id: number }[] }> =>
  service.body('POST', '/api/aggregator', {
    body: {
      name: unique('Aggregator '),
      args: [{ name: 'tickets' }, { name: 'last' }],
      script: SCRIPT,
      ...more,
    },
  });
const VALUES =
  'query ($id: ID!) { run(id: $id) { state values { aggregatorId argumentId name stepId index value } } }';
const NAMED = 'query ($id: ID!) { run(id: $id) { values { aggregator { databaseId script } } } }';
const valuesOf = async (runId: number): Promise<any> => {
  await ended(service, runId);
  return (await service.field(VALUES, { id: runId })).values;
};
const calling = (dataAggregator: number, path = '/', more: object = {}): object =>
  method('0', `${remote.url}${path}`, { dataAggregator, ...more });

it('a run stores the aggregator values for REST and GraphQL with secrets masked', async () => {
  const {
    id,
    args: [tickets, last],
  } = await aggregator();
  const loop = { id: 'o', index: '0', type: 'loop', expression: 'For([1, 2])', iterator: 'i' };
  const runId = await started(
    service,
    await saved(service, workflow([method('0_0', remote.url, { dataAggregator: id })], [loop])),
  );
  expect(await valuesOf(runId)).toEqual([
    {
      aggregatorId: id,
      argumentId: tickets?.id,
      name: 'tickets',
      stepId: 'm0_0',
      index: '0_0',
      value: 6,
    },
    {
      aggregatorId: id,
      argumentId: last?.id,
      name: 'last',
      stepId: 'm0_0',
      index: '0_0',
      value: 'token ***',
    },
  ]);
  expect((await service.field(NAMED, { id: runId })).values).toEqual(
    Array(2).fill({ aggregator: { databaseId: id, script: SCRIPT } }),
  );
  const { body } = await service.api('GET', `/api/execution/${runId}`);
  expect(body).toMatchObject({
    state: 'SUCCEEDED',
    arguments: [
      {
        id: tickets?.id,
        aggregatorId: id,
        name: 'tickets',
        stepId: 'm0_0',
        index: '0_0',
        value: 6,
      },
      {
        id: last?.id,
        aggregatorId: id,
        name: 'last',
        stepId: 'm0_0',
        index: '0_0',
        value: 'token ***',
      },
    ],
  });
});

it('a run uses the aggregator as it was at the start, and the next run uses the changed one', async () => {
  const { id } = await aggregator({ script: 'tickets = "before"' });
  const workflowId = await saved(service, workflow([calling(id, '/held')]));
  let release = (): void => undefined;
  hold = new Promise((resolve) => {
    release = resolve;
  });
  const nextRequest = remote.nextRequest();
  const first = await started(service, workflowId);
  await nextRequest;
  expect(
    await service.status('PUT', '/api/aggregator', { body: { id, script: 'tickets = "after"' } }),
  ).toBe(200);
  release();
  hold = null;
  expect(await valuesOf(first)).toMatchObject([{ name: 'tickets', value: 'before' }]);
  expect(await valuesOf(await started(service, workflowId))).toMatchObject([
    { name: 'tickets', value: 'after' },
  ]);
});

it('a run skips an archived aggregator and logs a warning for a deleted one', async () => {
  const { id } = await aggregator();
  const workflowId = await saved(service, workflow([calling(id)]));
  await service.api('PUT', `/api/aggregator/${id}/status`, { body: { active: false } });
  expect(await valuesOf(await started(service, workflowId))).toEqual([]);
  await service.api('DELETE', `/api/aggregator/${id}?force=true`);
  const runId = await started(service, workflowId);
  const logs = (
    await runEvents(
      service,
      runId,
      0,
      'subscription($runId: ID!, $after: Int!) { runEvents(runId: $runId, afterSequence: $after) { __typename ... on RunLog { level stepId message } } }',
    )
  ).filter(({ __typename }) => __typename === 'RunLog');
  expect(logs).toEqual([
    {
      __typename: 'RunLog',
      level: 'WARN',
      stepId: 'm0',
      message: `The aggregator ${id}: AGGREGATOR_NOT_FOUND: there is none by this id.`,
    },
  ]);
  expect(await service.field(VALUES, { id: runId })).toEqual({
    state: 'SUCCEEDED',
    values: [],
  });
});

it('a test run of an unsaved workflow evaluates its aggregators', async () => {
  const { id } = await aggregator();
  const testRunStart = await service.mutate(
    'testRunStart',
    {
      workflow: {
        title: unique('Tested '),
        methods: [
          {
            stepId: 'm',
            index: '0',
            color: '#0000AA',
            methodType: 'HTTP_REQUEST',
            dataAggregator: id,
            request: { endpoint: remote.url, method: 'GET' },
          },
        ],
      },
    },
    'run { databaseId } userErrors { code }',
  );
  expect(await valuesOf(testRunStart.run.databaseId)).toMatchObject([
    { name: 'tickets', value: 3, stepId: 'm' },
    { name: 'last' },
  ]);
});

it('a failed run stores no aggregator values', async () => {
  const { id } = await aggregator();
  const runId = await started(
    service,
    await saved(
      service,
      workflow([calling(id), method('1', 'http://127.0.0.1:9/', { retries: 0 })]),
    ),
  );
  expect(await valuesOf(runId)).toEqual([]);
  const { body } = await service.api('GET', `/api/execution/${runId}`);
  expect([body.state, body]).toEqual([
    'FAILED',
    expect.not.objectContaining({ arguments: expect.anything() }),
  ]);
});
