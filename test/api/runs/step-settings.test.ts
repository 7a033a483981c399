import { startRemote } from '../../engine/support/remote';
import type { Remote } from '../../engine/support/remote';
import { startService } from '../../support/service/harness';
import type { TestService } from '../../support/service/harness';
import { ended, runEvents } from '../../support/service/watch';
import { method, saved, started, workflow } from '../../support/documents/workflows';

let service: TestService;
let remote: Remote;

beforeAll(async () => {
  remote = await startRemote((request, response) => {
    response
      .writeHead(Number(request.url?.slice(1)), { 'content-type': 'application/json' })
      .end('{"a":[1,2]}');
  });
  service = await startService();
});
beforeEach(() => {
  remote.received.length = 0;
});
afterAll(() => Promise.all([service.close(), remote.close()]));

const run = async (document: object): Promise<any> =>
  ended(service, await started(service, await saved(service, document)));
const step = (index: string, status: number, more: object = {}): object =>
  method(index, `${remote.url}/${status}`, more);

const EVENTS = `subscription($runId: ID!, $after: Int!) {
  runEvents(runId: $runId, afterSequence: $after) { __typename ... on RunLog { level stepId message } } }`;

it('a disabled step is skipped with everything in it, and references to it are null', async () => {
  const document = workflow(
    [
      step('0', 200, {
        color: '#AAAAAA',
        enabled: false,
        request: { endpoint: '', method: 'NONE' },
      }),
      step('1_0', 500),
      step('2_0', 200, { enabled: false }),
      step('3_0', 201),
    ],
    [
      { id: 'o1', index: '1', type: 'if', expression: '1 =', enabled: false },
      { id: 'o2', index: '2', type: 'loop', expression: 'For([1, 2])' },
      { id: 'o3', index: '3', type: 'if', expression: '{%#AAAAAA.(response).body.a%} IsNull' },
    ],
  );
  const validation = await service.api('POST', '/api/connection/validate', { body: document });
  expect(validation.body).toEqual({ valid: true, errors: [] });
  const runId = await started(service, await saved(service, document));
  expect(await ended(service, runId)).toMatchObject({ state: 'SUCCEEDED', stepCount: 1 });
  expect(remote.received.map(({ url }) => url)).toEqual(['/201']);
  const events = await runEvents(service, runId, 0, EVENTS);
  expect(events.filter(({ __typename }) => __typename === 'RunLog')).toEqual([
    {
      __typename: 'RunLog',
      level: 'INFO',
      stepId: 'm0',
      message: 'Step "call 0" (0) is disabled, and skipped.',
    },
    {
      __typename: 'RunLog',
      level: 'INFO',
      stepId: 'o1',
      message: 'Operator (index=1, type=if) is disabled, and skipped.',
    },
    {
      __typename: 'RunLog',
      level: 'INFO',
      stepId: 'm2_0',
      message: 'Step "call 2_0" (2_0) is disabled, and skipped.',
    },
  ]);
});

it('a step that is disabled still may not share its colour', async () => {
  const { body } = await service.api('POST', '/api/connection/validate', {
    body: workflow([
      step('0', 200, { color: '#AAAAAA' }),
      step('1', 200, { color: '#AAAAAA', enabled: false }),
    ]),
  });
  expect(body.errors).toMatchObject([{ code: 'COLOR_DUPLICATE' }]);
});

it('successStatus says which statuses are a success', async () => {
  const accepted = await run(
    workflow(
      [step('0', 404, { color: '#AAAAAA', successStatus: '200-299, 404' }), step('1_0', 200)],
      [{ id: 'o', index: '1', type: 'if', expression: '{%#AAAAAA.(response).success.a[1]%} = 2' }],
    ),
  );
  expect(accepted).toMatchObject({ state: 'SUCCEEDED', stepCount: 2 });
  const refused = await run(workflow([step('0', 202, { successStatus: '200' })]));
  expect(refused).toMatchObject({
    state: 'FAILED',
    error: { code: 'HTTP_STATUS_ERROR', message: expect.stringContaining('/202 answered 202.') },
  });
});

it.each(['x', '200-', '299-200', '99', '600', '200,,201'])(
  'the statuses %s are a problem of the step',
  async (successStatus) => {
    const { body } = await service.api('POST', '/api/connection/validate', {
      body: workflow([step('0', 200, { successStatus })]),
    });
    expect(body.errors).toMatchObject([{ code: 'STEP_SETTING_INVALID', path: ['successStatus'] }]);
  },
);
