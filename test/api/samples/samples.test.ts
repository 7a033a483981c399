import { testService } from '../../support/service/harness';
import { testRemote } from '../../support/peers/remote-system';
import { ended } from '../../support/service/watch';
import { method, saved, started, workflow } from '../../support/documents/workflows';
import { storeConnection } from '../../support/store/stored';

/* Samples: what each step sent and received last, or what a user has pinned or typed. */

const service = testService();
const tickets = () => [
  { id: 1, title: 'Printer', token: 'abc-secret' },
  { id: 2, title: 'Screen' },
  { id: 3, title: 'Mouse' },
];
let rejectedCard = '';
const remote = testRemote(({ path, body }) => {
  if (path === '/cards' && body.includes(rejectedCard) && rejectedCard !== '')
    return { status: 422, body: { reason: body } };
  if (path === '/long')
    return { body: Array.from({ length: 3_000 }, (_, nth) => ({ nth, text: 'x'.repeat(50) })) };
  return path === '/text'
    ? { text: 'plain <b>', headers: { 'content-type': 'text/plain' } }
    : { body: { tickets: tickets() } };
});
beforeEach(() => {
  rejectedCard = '';
});

const SAMPLES =
  'query ($id: ID!) { workflow(id: $id) { samples { stepId source iteration run { databaseId test } request { method url body } answer { status body bodyText truncated } error { code stepId } } } }';
const samplesOf = async (id: number, token?: string): Promise<any[]> =>
  (await service.field(SAMPLES, { id }, token)).samples;
const change = async (name: string, input: object) =>
  service.field(
    `mutation ($input: ${name === 'sampleSet' ? 'SampleSetInput' : 'SampleRemoveInput'}!) { ${name}(input: $input) { workflow { databaseId } userErrors { code path } } }`,
    { input },
  );
async function tested(input: object): Promise<number> {
  const { run, userErrors } = await startedTest(input);
  expect(userErrors).toEqual([]);
  await ended(service, run.databaseId);
  return run.databaseId;
}
const startedTest = (input: object): Promise<any> =>
  service.field(
    'mutation ($input: TestRunStartInput!) { testRunStart(input: $input) { run { databaseId } userErrors { code message path } } }',
    { input },
  );

const list = (path = '/tickets'): any => method('0', `${remote.url}${path}`);
const card = (): any =>
  method('1_0', `${remote.url}/cards`, {
    request: {
      endpoint: `${remote.url}/cards`,
      method: 'POST',
      header: {},
      body: {
        format: 'json',
        fields: { title: `${list().color}.(response).body.tickets[i].title` },
      },
    },
  });
const loop = { id: 'o1', index: '1', type: 'loop', iterator: 'i', expression: '' };
const document = (): any =>
  workflow(
    [list(), card(), method('2', `${remote.url}/text`)],
    [{ ...loop, expression: `For({%${list().color}.(response).body.tickets%})` }],
  );

it('shows the newest exchange of each step: the first iteration, or the one that failed', async () => {
  const id = await saved(service, document());
  expect(await samplesOf(id)).toEqual([]);
  const runId = await started(service, id, true);
  await ended(service, runId);
  expect(await samplesOf(id)).toMatchObject([
    {
      stepId: 'm0',
      source: 'RUN',
      run: { databaseId: runId, test: false },
      answer: { status: 200 },
    },
    { stepId: 'm1_0', iteration: [0], request: { method: 'POST', body: { title: 'Printer' } } },
    { stepId: 'm2', answer: { body: null, bodyText: 'plain <b>', truncated: false } },
  ]);
  rejectedCard = 'Screen';
  const testId = await tested({ workflowId: id });
  const [first, failed, text] = await samplesOf(id);
  expect(first).toMatchObject({ source: 'TEST', run: { databaseId: testId, test: true } });
  expect(first.answer.body.tickets[0]).toEqual({ id: 1, title: 'Printer', token: '***' });
  expect(failed).toMatchObject({
    iteration: [1],
    answer: { status: 422 },
    error: { code: 'HTTP_STATUS_ERROR', stepId: 'm1_0' },
  });
  expect(text).toMatchObject({ source: 'RUN', run: { databaseId: runId } });
});

it('shows tests of drafts, but no tests of other users', async () => {
  const id = await saved(service, document());
  const methods = [
    { stepId: 'm0', request: { endpoint: `${remote.url}/long`, httpMethod: 'GET' } },
  ];
  await tested({
    draftOf: id,
    workflow: {
      title: 'draft',
      methods: [{ ...methods[0], index: '0', methodType: 'HTTP_REQUEST' }],
    },
  });
  const [sample] = await samplesOf(id);
  expect(sample).toMatchObject({
    stepId: 'm0',
    source: 'TEST',
    answer: { truncated: true, bodyText: null },
  });
  expect(sample.answer.body.length).toBeGreaterThan(500);
  expect(sample.answer.body[400]).toEqual({ nth: 400, text: 'x'.repeat(50) });
  const reader = await service.userWith(['CONNECTION:READ']);
  expect(await samplesOf(id, reader.token)).toEqual([]);
});

it('stores typed and pinned answers, masked, and deletes them with the workflow', async () => {
  const id = await saved(service, document());
  const of = { workflowId: id, stepId: 'm0' };
  expect((await change('sampleSet', of)).userErrors).toEqual([
    { code: 'SAMPLE_MISSING', path: ['stepId'] },
  ]);
  await service.api('POST', `/api/connection/${id}/rule/list`, {
    body: [{ type: 'JSONPath', expression: '$..iban' }],
  });
  const typed = { ...of, status: 201, answer: { tickets: [], password: 'p', iban: 'DE11' } };
  expect((await change('sampleSet', typed)).userErrors).toEqual([]);
  await tested({ workflowId: id });
  expect((await samplesOf(id))[0]).toMatchObject({
    source: 'TYPED',
    run: null,
    request: null,
    answer: { status: 201, body: { tickets: [], password: '***', iban: '***' } },
  });
  expect((await change('sampleRemove', of)).userErrors).toEqual([]);
  expect((await change('sampleRemove', of)).userErrors[0].code).toBe('SAMPLE_MISSING');
  expect((await change('sampleSet', of)).workflow.databaseId).toBe(id);
  expect((await samplesOf(id))[0]).toMatchObject({
    source: 'PINNED',
    answer: { body: { tickets: [{ id: 1 }, {}, {}] } },
  });
  const reader = await service.userWith(['CONNECTION:READ']);
  expect(await samplesOf(id, reader.token)).toHaveLength(1);
  for (const [more, code] of [
    [{ answer: 'x'.repeat(300_000) }, 'SAMPLE_TOO_LARGE'],
    [{ answer: Array.from({ length: 1_000 }, () => 'x'.repeat(300)) }, 'SAMPLE_TOO_LARGE'],
    [{ answer: 1, status: 99 }, 'SAMPLE_STATUS_INVALID'],
    [{ stepId: 'none', answer: 1 }, 'STEP_NOT_FOUND'],
  ] as const)
    expect((await change('sampleSet', { ...of, ...more })).userErrors).toMatchObject([{ code }]);
  await service.api('DELETE', `/api/connection/${id}`);
  expect(
    await storeConnection().collection('step_samples').countDocuments({ workflowId: id }),
  ).toBe(0);
});

describe('a test of a part of a workflow', () => {
  const RUN =
    'query ($id: ID!) { run(id: $id) { state stepCount warnings error { code } events { nodes { __typename ... on StepFinished { stepId loopIndex } ... on LoopFinished { turns } } } } }';
  const seen = async (runId: number) => {
    const { events, ...run } = await service.field(RUN, { id: String(runId) });
    return {
      ...run,
      events: events.nodes.map(({ __typename, ...event }: any) => [__typename, event]),
    };
  };
  beforeEach(() => remote.forget());

  it('ends after a step, in a loop after its first iteration', async () => {
    const id = await saved(service, document());
    expect(await seen(await tested({ workflowId: id, until: 'm1_0' }))).toMatchObject({
      state: 'SUCCEEDED',
      stepCount: 2,
      events: expect.arrayContaining([['LoopFinished', { turns: 1 }]]),
    });
    expect(remote.received.map(({ path }) => path)).toEqual(['/tickets', '/cards']);
    const whole = await tested({ workflowId: id, until: 'o1' });
    expect((await seen(whole)).stepCount).toBe(4);
    expect((await samplesOf(id)).map(({ stepId }) => stepId)).toEqual(['m0', 'm1_0']);
  });

  it('ends where the step was not reached', async () => {
    const never = { id: 'c', index: '1', type: 'if', expression: 'false' };
    const id = await saved(
      service,
      workflow(
        [
          list(),
          method('1_0', `${remote.url}/inner`),
          method('2', `${remote.url}/off`, { enabled: false }),
          method('3', `${remote.url}/later`),
        ],
        [never],
      ),
    );
    for (const until of ['m1_0', 'm2']) await tested({ workflowId: id, until });
    expect(remote.received.map(({ path }) => path)).toEqual(['/tickets', '/tickets']);
    expect((await startedTest({ workflowId: id, only: 'm2' })).userErrors).toMatchObject([
      { code: 'BAD_REQUEST', path: ['only'] },
    ]);
  });

  it('executes one step with the samples of the others, also when it is retried', async () => {
    const condition = {
      id: 'c',
      index: '1_0',
      type: 'if',
      expression: `{%${list().color}.(response).body.tickets[i].id%} > 5`,
    };
    const inner = { ...card(), id: 'inner', index: '1_0_0' };
    const id = await saved(
      service,
      workflow(
        [list(), inner],
        [{ ...loop, expression: `For({%${list().color}.(response).body.tickets%})` }, condition],
      ),
    );
    expect((await startedTest({ workflowId: id, only: 'inner' })).userErrors).toEqual([
      { code: 'SAMPLE_MISSING', path: ['only'], message: expect.stringContaining('call 0') },
    ]);
    await change('sampleSet', {
      workflowId: id,
      stepId: 'm0',
      answer: { tickets: [{ id: 1, title: 'Typed' }, {}] },
    });
    const runId = await tested({ workflowId: id, only: 'inner' });
    expect(await seen(runId)).toMatchObject({
      state: 'SUCCEEDED',
      stepCount: 1,
      warnings: 1,
      events: expect.arrayContaining([['StepFinished', { stepId: 'inner', loopIndex: [0] }]]),
    });
    const { run } = await service.mutate('runRetry', { id: String(runId) }, 'run { databaseId }');
    await ended(service, run.databaseId);
    expect(remote.received.map(({ path, body }) => [path, body])).toEqual([
      ['/cards', '{"title":"Typed"}'],
      ['/cards', '{"title":"Typed"}'],
    ]);
  });

  it('is rejected for steps that do not exist', async () => {
    const id = await saved(service, document());
    for (const [part, code] of [
      [{ until: 'none' }, 'STEP_NOT_FOUND'],
      [{ only: 'o1' }, 'STEP_NOT_FOUND'],
      [{ only: 'm0', until: 'm0' }, 'BAD_REQUEST'],
    ] as const)
      expect((await startedTest({ workflowId: id, ...part })).userErrors).toMatchObject([{ code }]);
    await tested({ workflowId: id, only: 'm0' });
    const { title, ...rest } = {
      title: 'draft',
      methods: [
        {
          stepId: 'x',
          index: '0',
          methodType: 'HTTP_REQUEST',
          request: { endpoint: `${remote.url}/text`, httpMethod: 'GET' },
        },
      ],
    };
    await tested({ workflow: { title, ...rest }, draftOf: id, only: 'x' });
    expect((await samplesOf(id)).map(({ stepId }) => stepId)).toEqual(['m0', 'x']);
  });
});
