import { connectorsUpTo } from '../../support/documents/connector-invokers';
import { testService } from '../../support/service/harness';
import { remoteSystem, testRemote } from '../../support/peers/remote-system';
import type { Received, RemoteAnswer } from '../../support/peers/remote-system';
import { ended, runEvents } from '../../support/service/watch';
import { method, saved, started, workflow } from '../../support/documents/workflows';

const service = testService({ env: { HYPHA_RUN_CONCURRENT: '2' } });
const remote = testRemote((request) => answer(request));
let answer: (request: Received) => RemoteAnswer | Promise<RemoteAnswer>;
const never = new Promise<RemoteAnswer>(() => undefined);

beforeAll(async () => {
  await connectorsUpTo(service, 5);
});
beforeEach(() => {
  answer = () => ({ body: { ok: true } });
  remote.forget();
});

const get = (index: string, path: string, color = '#FFCFB5'): object =>
  method(index, `${remote.url}${path}`, { color });
const kinds = (events: any[]): string[] =>
  events.map(({ __typename, index }) =>
    index === undefined ? __typename : `${__typename} ${index}`,
  );
const startTest = (input: object): Promise<any> =>
  service.mutate(
    'testRunStart',
    input,
    'run { databaseId state test } userErrors { code message path }',
  );
const cancel = (id: number): Promise<any> =>
  service.mutate('runCancel', { id }, 'run { databaseId state } userErrors { code message }');

describe('a run', () => {
  it('calls remote systems, passes data on and is stored with its steps', async () => {
    answer = ({ path }) =>
      path === '/users'
        ? {
            body: {
              list: [
                { n: 1, name: 'Ada' },
                { n: 2, name: 'Bo"b' },
              ],
            },
          }
        : { body: {} };
    const post = method('1_0', `${remote.url}/echo/{%#FFCFB5.(response).body.list[i].n%}`, {
      color: '#C77E7E',
      request: {
        endpoint: `${remote.url}/echo/{%#FFCFB5.(response).body.list[i].n%}`,
        method: 'POST',
        header: { 'Content-Type': 'application/json' },
        body: {
          type: 'object',
          format: 'json',
          data: 'raw',
          fields: {
            who: '#FFCFB5.(response).body.list[i].name',
            all: '#FFCFB5.(response).body.list[i]',
          },
        },
      },
    });
    const id = await saved(
      service,
      workflow(
        [get('0', '/users'), post],
        [
          {
            id: 'loop',
            index: '1',
            type: 'loop',
            iterator: 'i',
            expression: 'For({%#FFCFB5.(response).body.list%})',
          },
        ],
      ),
    );
    const run = await ended(service, await started(service, id));
    expect(run).toMatchObject({
      state: 'SUCCEEDED',
      error: null,
      stepCount: 3,
      test: false,
      logging: false,
      workflow: { databaseId: id },
    });
    expect(remote.received.map(({ method: verb, path }) => `${verb} ${path}`)).toEqual([
      'GET /users',
      'POST /echo/1',
      'POST /echo/2',
    ]);
    expect(JSON.parse(remote.received[2]?.body ?? '')).toEqual({
      who: 'Bo"b',
      all: { n: 2, name: 'Bo"b' },
    });
    expect(new Date(run.startedAt).getTime()).toBeGreaterThanOrEqual(
      new Date(run.queuedAt).getTime(),
    );
    expect(new Date(run.finishedAt).getTime()).toBeGreaterThanOrEqual(
      new Date(run.startedAt).getTime(),
    );
  });

  it('decides with if and iterates over objects with ForIn', async () => {
    answer = () => ({ body: { byKey: { a: 1, b: 2 }, state: 'open' } });
    const id = await saved(
      service,
      workflow(
        [
          get('0', '/x'),
          get('1_0', '/yes', '#111111'),
          get('2_0', '/no', '#222222'),
          get('3_0', '/turn', '#333333'),
        ],
        [
          { index: '1', type: 'if', expression: '({%#FFCFB5.(response).body.state%} = "open")' },
          { index: '2', type: 'if', expression: '({%#FFCFB5.(response).body.state%} != "open")' },
          {
            index: '3',
            type: 'loop',
            iterator: 'k',
            expression: 'ForIn({%#FFCFB5.(response).body.byKey%})',
          },
        ],
      ),
    );
    const runId = await started(service, id, true);
    const events = await runEvents(service, runId);
    expect(remote.received.map(({ path }) => path)).toEqual(['/x', '/yes', '/turn', '/turn']);
    expect(
      events
        .filter(({ __typename }) => __typename === 'ConditionEvaluated')
        .map(({ index, result }) => [index, result]),
    ).toEqual([
      ['1', true],
      ['2', false],
    ]);
    expect(
      events
        .filter(({ __typename }) => __typename === 'LoopIteration')
        .map(({ turn, size, value }) => [turn, size, value]),
    ).toEqual([
      [0, 2, 'a'],
      [1, 2, 'b'],
    ]);
  });

  it('writes its events in order, one pair for each executed step, without gaps', async () => {
    const id = await saved(
      service,
      workflow(
        [get('0', '/a'), get('1_0', '/b', '#111111')],
        [{ index: '1', type: 'loop', iterator: 'i', expression: 'For([1, 2])' }],
      ),
    );
    const events = await runEvents(service, await started(service, id));
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, nth) => nth + 1));
    expect(kinds(events)).toEqual([
      'RunStarted',
      'StepStarted 0',
      'StepFinished 0',
      'LoopStarted 1',
      'LoopIteration 1',
      'StepStarted 1_0',
      'StepFinished 1_0',
      'LoopIteration 1',
      'StepStarted 1_0',
      'StepFinished 1_0',
      'LoopFinished 1',
      'RunFinished',
    ]);
    expect(
      events
        .filter(({ __typename }) => __typename === 'StepFinished')
        .map(({ loopIndex }) => loopIndex),
    ).toEqual([[], [0], [1]]);
  });

  it('fails with the step, the index and the error code', async () => {
    const other = await remoteSystem(() => ({}));
    await other.close();
    const id = await saved(
      service,
      workflow([get('0', '/a'), method('1', other.url, { id: 'gone' })]),
    );
    const run = await ended(service, await started(service, id));
    expect(run).toMatchObject({
      state: 'FAILED',
      error: { stepId: 'gone', index: '1', attempt: 3, code: expect.stringMatching(/^OUTBOUND_/) },
    });
  });

  it.each([
    ['CONNECTOR', 'x', 'OPERATION_NOT_FOUND'],
    ['WEBHOOK', '/api/webhook/execute/none', 'WEBHOOK_NOT_FOUND'],
  ])(
    'ends at a %s step that calls an unknown target, and keeps the step unchanged',
    async (methodType, path, code) => {
      const document = workflow([
        get('0', '/a'),
        method('1', path.startsWith('/') ? service.url + path : path, {
          methodType,
          connector: { connectorId: 5, title: 'c', invoker: null },
        }),
      ]);
      const id = await saved(service, document);
      expect(await service.body('GET', `/api/connection/${id}`)).toMatchObject(document);
      const run = await ended(service, await started(service, id));
      expect(run).toMatchObject({ state: 'FAILED', error: { index: '1', code } });
    },
  );

  it('of an unfinished step fails with a code without a call', async () => {
    const id = await saved(
      service,
      workflow([get('0', '/a')], [{ id: 'broken', index: '1', type: 'if', expression: '(1 = ' }]),
    );
    const run = await ended(service, await started(service, id));
    expect(run).toMatchObject({
      state: 'FAILED',
      error: { stepId: 'broken', index: '1', code: expect.stringMatching(/^EXPRESSION_/) },
    });
    expect(remote.received).toEqual([]);
  });

  it('executes the snapshot with which it was queued after later saves and a deletion', async () => {
    let release: (value: RemoteAnswer) => void = () => undefined;
    answer = ({ path }) =>
      path === '/first'
        ? new Promise((resolve) => {
            release = resolve;
          })
        : {};
    const document = workflow([get('0', '/first'), get('1', '/old', '#111111')]);
    const id = await saved(service, document);
    const runId = await started(service, id);
    await remote.next();
    await service.api('PUT', `/api/connection/${id}`, {
      body: { ...document, fromConnector: { methods: [get('0', '/new')], operators: [] } },
    });
    release({});
    expect((await ended(service, runId)).state).toBe('SUCCEEDED');
    expect(remote.received.map(({ path }) => path)).toEqual(['/first', '/old']);
  });

  it('waits while enough runs are running', async () => {
    const waiting: ((value: RemoteAnswer) => void)[] = [];
    answer = () => new Promise((resolve) => waiting.push(resolve));
    const id = await saved(service, workflow([get('0', '/slow')]));
    const ids = [
      await started(service, id),
      await started(service, id),
      await started(service, id),
    ];
    await remote.next();
    await remote.next();
    const runs = await service.field(
      'query($id: ID!) { runs(filter: { workflow: { eq: $id }, state: { in: [QUEUED, RUNNING] } }) { nodes { databaseId state } } }',
      { id },
    );
    expect(runs.nodes.map(({ state }: any) => state)).toEqual(['QUEUED', 'RUNNING', 'RUNNING']);
    for (const resolve of waiting.splice(0)) resolve({});
    await remote.next();
    for (const resolve of waiting.splice(0)) resolve({});
    for (const runId of ids) expect((await ended(service, runId)).state).toBe('SUCCEEDED');
  });
});

describe('the log of requests and responses', () => {
  const secret = 'Bearer very-secret-value';
  const document = () =>
    workflow([
      method('0', `${remote.url}/s`, {
        request: {
          endpoint: `${remote.url}/s`,
          method: 'GET',
          header: { Authorization: secret, 'x.dotted': '$a' },
        },
      }),
    ]);

  it('is recorded with masked values only if the run is logged', async () => {
    answer = () => ({ body: { hello: 'world' }, headers: { 'set-cookie': 'sid=topsecret' } });
    const id = await saved(service, document());
    const plain = (await runEvents(service, await started(service, id))).find(
      ({ __typename }) => __typename === 'StepFinished',
    );
    expect([plain.request, plain.response]).toEqual([null, null]);
    const logged = (await runEvents(service, await started(service, id, true))).find(
      ({ __typename }) => __typename === 'StepFinished',
    );
    expect(logged).toMatchObject({
      statusCode: 200,
      request: { url: `${remote.url}/s`, method: 'GET' },
      response: { status: 200 },
    });
    expect(logged.response.payload).toContain('world');
    expect(JSON.stringify(logged)).not.toContain('very-secret');
    expect(JSON.stringify(logged)).not.toContain('topsecret');
    expect(remote.received[1]?.headers.authorization).toBe(secret);
  });
});

describe('a test run', () => {
  it('starts over REST, runs the sent document and leaves no workflow behind', async () => {
    let release: (value: RemoteAnswer) => void = () => undefined;
    answer = () =>
      new Promise((resolve) => {
        release = resolve;
      });
    const document = workflow([get('0', '/test')]);
    await saved(service, document);
    const { status, body } = await service.api(
      'POST',
      '/api/connection/execution/test?channelId=abc',
      { body: document },
    );
    expect(status).toBe(200);
    const { connectionId, title } = body.connection;
    expect(title.endsWith(document.title)).toBe(true);
    await remote.next();
    const titles = async (query: string) =>
      (await service.api('GET', `/api/connection/all${query}`)).body.map(
        (one: any) => one.connectionId,
      ) as number[];
    expect(await titles('')).not.toContain(connectionId);
    expect(await titles('?includeTest=true')).toContain(connectionId);
    release({ body: { secret: 1 } });
    const events = await runEvents(service, body.runId);
    expect(events.at(-1)).toMatchObject({ __typename: 'RunFinished', state: 'SUCCEEDED' });
    expect(events.find(({ __typename }) => __typename === 'StepFinished').response.status).toBe(
      200,
    );
    expect(await titles('?includeTest=true')).not.toContain(connectionId);
    expect(await ended(service, body.runId)).toMatchObject({ test: true, workflow: null });
  });

  it('runs either a saved workflow or a document from an editor', async () => {
    const id = await saved(service, workflow([get('0', '/saved')]));
    const bySaved = await startTest({ workflowId: id });
    expect(bySaved).toMatchObject({ run: { test: true }, userErrors: [] });
    expect(await ended(service, bySaved.run.databaseId)).toMatchObject({
      state: 'SUCCEEDED',
      workflow: { databaseId: id },
    });
    const byEditor = await startTest({
      workflow: {
        methods: [
          {
            index: '0',
            methodType: 'HTTP_REQUEST',
            request: { endpoint: `${remote.url}/editor`, method: 'GET' },
          },
        ],
      },
    });
    expect((await ended(service, byEditor.run.databaseId)).state).toBe('SUCCEEDED');
    expect(remote.received.map(({ path }) => path)).toEqual(['/saved', '/editor']);
    expect((await startTest({ workflowId: id, workflow: null })).userErrors).toEqual([]);
    for (const input of [
      {},
      { workflowId: null },
      { workflowId: null, workflow: null },
      { workflowId: id, workflow: { title: 'x' } },
      { workflowId: id, workflow: {} },
    ]) {
      expect(await startTest(input)).toMatchObject({
        run: null,
        userErrors: [{ code: 'ONE_OF_REQUIRED' }],
      });
    }
  });

  it('is hidden from the list of runs by default', async () => {
    const id = await saved(service, workflow([get('0', '/t')]));
    const { run } = await startTest({ workflowId: id });
    await ended(service, run.databaseId);
    const count = async (includeTest: boolean): Promise<number> =>
      (
        await service.field(
          'query($id: ID!, $t: Boolean!) { workflow(id: $id) { runs(includeTest: $t) { totalCount } } }',
          { id, t: includeTest },
        )
      ).runs.totalCount;
    expect([await count(false), await count(true)]).toEqual([0, 1]);
  });

  it('can be followed with testRunEvents, unlike a plain run', async () => {
    const query =
      'subscription($runId: ID!, $after: Int!) { testRunEvents(runId: $runId, afterSequence: $after) { __typename sequence } }';
    const id = await saved(service, workflow([get('0', '/t')]));
    const { run } = await startTest({ workflowId: id });
    expect((await runEvents(service, run.databaseId, 0, query)).at(-1).__typename).toBe(
      'RunFinished',
    );
    const plain = await started(service, id);
    await ended(service, plain);
    await expect(runEvents(service, plain, 0, query)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('runCancel', () => {
  it('ends a running run and aborts its remote call', async () => {
    answer = () => never;
    const id = await saved(service, workflow([get('0', '/hang'), get('1', '/after', '#111111')]));
    const runId = await started(service, id);
    await remote.next();
    expect(await cancel(runId)).toMatchObject({
      run: { databaseId: runId, state: 'CANCELLED' },
      userErrors: [],
    });
    const events = await runEvents(service, runId);
    expect(events.at(-1)).toMatchObject({
      __typename: 'RunFinished',
      state: 'CANCELLED',
      error: null,
    });
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, nth) => nth + 1));
    expect(remote.received).toHaveLength(1);
  });

  it('ends a queued run before it starts', async () => {
    answer = () => never;
    const id = await saved(service, workflow([get('0', '/hang')]));
    const ids = [
      await started(service, id),
      await started(service, id),
      await started(service, id),
    ];
    await remote.next();
    await remote.next();
    expect((await cancel(ids[2])).run.state).toBe('CANCELLED');
    expect(kinds(await runEvents(service, ids[2]))).toEqual(['RunFinished']);
    for (const runId of ids.slice(0, 2)) await cancel(runId);
    expect(await ended(service, ids[2])).toMatchObject({ startedAt: null, state: 'CANCELLED' });
  });

  it('is applied to the runs of a deleted workflow', async () => {
    answer = () => never;
    const id = await saved(service, workflow([get('0', '/hang')]));
    const runId = await started(service, id);
    await remote.next();
    await service.api('DELETE', `/api/connection/${id}`);
    expect(await ended(service, runId)).toMatchObject({ state: 'CANCELLED', workflow: null });
  });

  it('is recorded in the audit with its author, like the start', async () => {
    answer = () => never;
    const runId = await started(service, await saved(service, workflow([get('0', '/hang')])));
    await remote.next();
    await cancel(runId);
    const auditEvents = await service.field(
      'query($id: String!) { auditEvents(filter: { targetType: { eq: RUN }, targetId: { eq: $id } }) { nodes { action actor { email } } } }',
      { id: String(runId) },
    );
    expect(auditEvents.nodes).toEqual([
      { action: 'RUN_CANCEL', actor: { email: 'admin@hypha.test' } },
      { action: 'RUN_START', actor: { email: 'admin@hypha.test' } },
    ]);
  });
});
