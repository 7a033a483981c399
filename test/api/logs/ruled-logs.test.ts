import { testService } from '../../support/service/harness';
import { testRemote } from '../../support/peers/remote-system';
import type { RemoteAnswer } from '../../support/peers/remote-system';
import { storeConnection } from '../../support/store/stored';
import { ended, runEvents } from '../../support/service/watch';
import { method, saved, started, workflow } from '../../support/documents/workflows';

const HIDDEN = ['ssn-4711', 'DE89370400440532013000', 'pin-0815', 'GB29NWBK60161331926819'];
/* The number is also part of the workflow, whose snapshots store it unmasked. */
const RULES = [
  { type: 'regex', expression: 'ssn-\\d+' },
  { type: 'JSONPath', expression: '$..iban' },
  { type: 'XPath', expression: '//pin | //@account' },
];
const ANSWERS: Readonly<Record<string, RemoteAnswer>> = {
  '/json': {
    headers: { 'x-person': 'ssn-4711' },
    body: {
      people: [{ iban: 'DE89370400440532013000', name: 'Ada ssn-4711' }],
      kept: 'still here',
    },
  },
  '/xml': {
    headers: { 'content-type': 'application/xml' },
    text: '<p account="GB29NWBK60161331926819"><pin>pin-0815</pin><kept>still there</kept></p>',
  },
  '/person': {
    headers: { 'x-ssn-4711081547110815': 'here' },
    body: { mail: 'bob@x.test', name: 'Ada Lövelace', kept: 'still here' },
  },
  '/echo': { text: '{"asked":"\\u0062ob\\u0040x.test"', headers: { 'content-type': 'text/plain' } },
  '/long/text': {
    headers: { 'content-type': 'text/plain', 'x-long': 'y'.repeat(9_000) },
    text: `x ssn-4711 ${'x'.repeat(200_000)} end`,
  },
  '/long/json': {
    headers: { 'x-long': 'y'.repeat(9_000) },
    body: { iban: 'DE', long: 'x'.repeat(200_000) },
  },
  '/fails/ssn-4711': { status: 418, body: { iban: 'DE89370400440532013000' } },
};

const TEST =
  'mutation($input: TestRunStartInput!) { testRunStart(input: $input) { run { databaseId } userErrors { code path } } }';

const service = testService({ env: { HYPHA_RUN_CONCURRENT: '1' } });
const remote = testRemote(({ path }) =>
  path === '/held'
    ? new Promise((resolve) => {
        letGo = resolve;
      })
    : (ANSWERS[path.split('?')[0] ?? ''] ?? {}),
);
let letGo: (answer: RemoteAnswer) => void = () => undefined;

const document = (): any =>
  workflow(
    [
      method('0', `${remote.url}/json?who=ssn-4711`, {
        name: 'asks ssn-4711',
        label: 'for ssn-4711',
      }),
      method('1', `${remote.url}/xml`, {
        request: {
          endpoint: `${remote.url}/xml`,
          method: 'POST',
          header: { 'Content-Type': 'application/json' },
          body: {
            type: 'object',
            format: 'json',
            data: 'raw',
            fields: { to: { iban: 'DE89370400440532013000' }, note: 'kept note' },
          },
        },
      }),
      method('2_1', `${remote.url}/fails/ssn-4711`),
    ],
    [
      { id: 'c', index: '2', type: 'if', expression: '"ssn-4711" = "ssn-4711"' },
      { id: 'l', index: '2_0', type: 'loop', expression: 'For(["ssn-4711"])', iterator: 'i' },
    ],
  );

const stored = async (): Promise<string> =>
  JSON.stringify(
    await Promise.all(
      ['runs', 'run_event_batches'].map((name) =>
        storeConnection().collection(name).find().toArray(),
      ),
    ),
  );

async function textsOf(runId: number): Promise<string> {
  const parts: string[] = [
    JSON.stringify(await runEvents(service, runId)),
    (await service.api('GET', `/api/execution/${runId}/raw/log`)).text,
    (await service.api('GET', `/api/execution/${runId}`)).text,
  ];
  const walk = async (id: string): Promise<void> => {
    const { body, text } = await service.api('GET', `/api/execution/log/element/${id}/children`);
    parts.push(text, (await service.api('GET', `/api/execution/log/element/${id}/details`)).text);
    for (const child of body) await walk(child.id);
  };
  await walk(String(runId));
  return parts.join('\n');
}

async function ruled(): Promise<number> {
  const id = await saved(service, document());
  expect(await service.status('POST', `/api/connection/${id}/rule/list`, { body: RULES })).toBe(
    201,
  );
  return id;
}

it.each(['logged', 'test', 'test in an editor', 'draft in an editor'])(
  'masking rules hide values in the log of a recorded run: %s',
  async (kind) => {
    const id = await ruled();
    const runId =
      kind === 'logged'
        ? await started(service, id, true)
        : kind === 'test'
          ? ((await service.field(TEST, { input: { workflowId: id } })).run.databaseId as number)
          : kind === 'draft in an editor'
            ? await draft(id)
            : await inEditor({ ...document(), connectionId: id });
    expect((await ended(service, runId)).state).toBe('FAILED');
    for (const text of [await stored(), await textsOf(runId)]) {
      for (const secret of HIDDEN) expect([secret, text.includes(secret)]).toEqual([secret, false]);
      for (const visible of ['still here', 'still there', 'kept note', 'Ada ***'])
        expect([visible, text.includes(visible)]).toEqual([visible, true]);
    }
    // The remote system receives the unmasked value.
    expect(remote.received.map(({ path }) => path)).toContain('/json?who=ssn-4711');
  },
);

async function draft(draftOf: number): Promise<number> {
  const {
    title,
    fromConnector: { methods, operators },
  } = document();
  const stepOf = ({ id: stepId, ...step }: any): object => ({
    stepId,
    ...step,
    ...(step.type && { type: step.type.toUpperCase() }),
  });
  const { run, userErrors } = await service.field(TEST, {
    input: {
      draftOf,
      workflow: { title, methods: methods.map(stepOf), operators: operators.map(stepOf) },
    },
  });
  expect(userErrors).toEqual([]);
  return run.databaseId as number;
}

async function inEditor(content: any): Promise<number> {
  const { status, body } = await service.api('POST', '/api/connection/execution/test', {
    body: content,
  });
  expect(status).toBe(200);
  const [run] = await storeConnection()
    .collection<any>('runs')
    .find({ test: true })
    .sort({ queuedAt: -1, _id: -1 })
    .limit(1)
    .toArray();
  expect(body.schedulerId).toEqual(expect.any(Number));
  return run._id as number;
}

it('masking rules hide values that the next step sends encoded, in its URL, a form or a header name', async () => {
  const successOf = (name: string): string => `{%#FFCFB5.(response).success.${name}%}`;
  const endpoint = `${remote.url}/echo?mail=${successOf('mail')}&who=${successOf('name')}`;
  const id = await saved(
    service,
    workflow([
      method('0', `${remote.url}/person`, { color: '#FFCFB5' }),
      method('1', endpoint, {
        request: {
          endpoint,
          method: 'POST',
          body: {
            format: 'x-www-form-urlencoded',
            fields: { mail: successOf('mail'), who: successOf('name'), note: 'kept note' },
          },
        },
      }),
    ]),
  );
  const rules = ['[a-z]+@x\\.test', 'Ada Lövelace', 'ssn-\\d+'].map((expression) => ({
    type: 'regex',
    expression,
  }));
  expect(await service.status('POST', `/api/connection/${id}/rule/list`, { body: rules })).toBe(
    201,
  );
  const runId = await started(service, id, true);
  expect((await ended(service, runId)).state).toBe('SUCCEEDED');
  // The remote system receives the unmasked value.
  expect(remote.received.at(-1)).toMatchObject({
    path: '/echo?mail=bob%40x.test&who=Ada%20L%C3%B6velace',
    body: 'mail=bob%40x.test&who=Ada+L%C3%B6velace&note=kept+note',
  });
  const shown = await textsOf(runId);
  for (const visible of [
    '/echo?mail=***&who=***',
    'mail=***&who=***&note=kept+note',
    'x-***',
    'still here',
  ])
    expect([visible, shown.includes(visible)]).toEqual([visible, true]);
  const batches = JSON.stringify(
    await storeConnection().collection<any>('run_event_batches').find({ runId }).toArray(),
  );
  for (const text of [batches, shown])
    expect(text).not.toMatch(/bob|x\.test|Ada|velace|4711081547110815/);
});

it.each([
  [
    '/long/text',
    [{ type: 'regex', expression: 'ssn-\\d+' }],
    /^x \*\*\* x{60000,}\*\*\*… \(cut, 200015 in all\)$/,
  ],
  ['/long/json', [{ type: 'JSONPath', expression: '$.iban' }], /^\*\*\*… \(cut, 200023 in all\)$/],
])('a truncated text says so even if its end is masked: %s', async (path, rules, shown) => {
  const id = await saved(service, workflow([method('0', `${remote.url}${path}`)]));
  expect(await service.status('POST', `/api/connection/${id}/rule/list`, { body: rules })).toBe(
    201,
  );
  const runId = await started(service, id, true);
  await ended(service, runId);
  const finished = (await runEvents(service, runId)).find(
    ({ __typename }) => __typename === 'StepFinished',
  );
  expect(finished.response.payload).toMatch(shown);
  expect(finished.response.header['x-long']).toMatch(
    rules[0]?.type === 'regex'
      ? /^y{7000,}\*\*\*… \(cut, 9000 in all\)$/
      : /^y{8000}… \(cut, 9000 in all\)$/,
  );
});

it('a workflow without masking rules shows all values', async () => {
  const runId = await started(service, await saved(service, document()), true);
  await ended(service, runId);
  const text = await textsOf(runId);
  for (const shown of HIDDEN.slice(1, 2).concat('ssn-4711'))
    expect([shown, text.includes(shown)]).toEqual([shown, true]);
});

it('a draft and its workflow share one test at a time and one log', async () => {
  const id = await saved(service, document());
  const runId = await draft(id);
  await ended(service, runId);
  const {
    body: { result },
  } = await service.api('GET', `/api/execution/log-files?connectionId=${id}`);
  expect(result).toEqual([expect.stringMatching(new RegExp(`_${id}_f_${runId}\\.log$`))]);
  const {
    body: [root],
  } = await service.api('GET', `/api/execution/logs/children?fileName=${result[0]}`);
  expect(root).toMatchObject({
    executionId: runId,
    connectionId: id,
    error: { stack_trace: expect.arrayContaining([expect.stringContaining(`(${id})`)]) },
  });
  const test = (input: object) =>
    service.data(TEST, { input }).then(({ testRunStart }) => testRunStart);
  expect(await test({ draftOf: 987_654, workflow: { title: 'Of none' } })).toEqual({
    run: null,
    userErrors: [{ code: 'CONNECTION_NOT_FOUND', path: ['draftOf'] }],
  });
  expect(await test({ draftOf: id, workflowId: id })).toEqual({
    run: null,
    userErrors: [{ code: 'BAD_REQUEST', path: ['draftOf'] }],
  });
});

describe('a queued test of a deleted workflow', () => {
  async function waiting(): Promise<{ id: number; runId: number }> {
    const id = await ruled();
    remote.forget();
    await started(service, await saved(service, workflow([method('0', `${remote.url}/held`)])));
    await remote.next();
    return { id, runId: await draft(id) };
  }

  it('is cancelled with the workflow', async () => {
    const { id, runId } = await waiting();
    expect(await service.status('DELETE', `/api/connection/${id}`)).toBe(204);
    expect((await ended(service, runId)).state).toBe('CANCELLED');
    letGo({});
  });

  it('records nothing before the process knows the deletion', async () => {
    const { id, runId } = await waiting();
    await storeConnection().collection<any>('masking_rules').deleteMany({ workflowId: id });
    await storeConnection().collection<any>('workflows').deleteOne({ _id: id });
    letGo({});
    expect((await ended(service, runId)).state).toBe('FAILED');
    const events = (await runEvents(service, runId)).filter(
      ({ __typename: kind }: any) => kind === 'StepFinished',
    );
    expect(events.length).toBeGreaterThan(0);
    expect(await textsOf(runId)).not.toContain('GB29NWBK60161331926819');
  });
});
