import { testService } from '../../support/service/harness';
import { testRemote } from '../../support/peers/remote-system';
import { ended, runEvents } from '../../support/service/watch';
import { method, saved, started, workflow } from '../../support/documents/workflows';

/* A reference to a part of a response that is not there: null is sent, and the run says so. */

const TICKET = { id: 7, title: 'Printer', owner: null, tags: ['a', 'b'], state: { name: 'open' } };
const MANY = Object.fromEntries(Array.from({ length: 30 }, (_, nth) => [`k${nth}`, nth]));
const QUERY = `query($id: ID!) { run(id: $id) { state warnings error { code message } events { nodes {
  ... on RunLog { level code path keys stepId stepIndex message }
} } } }`;

const service = testService();
const remote = testRemote(({ path }) =>
  path === '/xml'
    ? {
        headers: { 'content-type': 'application/xml' },
        text: '<order id="1"><item>a</item><total>5</total></order>',
      }
    : { body: path === '/list' ? [{ owner: null }, MANY, MANY] : TICKET },
);
beforeEach(() => remote.forget());

const first = (path = '/ticket') => method('0', `${remote.url}${path}`) as { color: string };
const read = (path: string): string => `${first().color}.(response).${path}`;
const posting = (fields: object, more: object = {}): object =>
  method('1', `${remote.url}/cards`, {
    request: {
      endpoint: `${remote.url}/cards`,
      method: 'POST',
      header: {},
      body: { format: 'json', fields },
    },
    ...more,
  });

async function outcome(methods: object[], operators: object[] = []) {
  const runId = await started(service, await saved(service, workflow(methods, operators)));
  await ended(service, runId);
  const run = await service.field(QUERY, { id: String(runId) });
  const logs = run.events.nodes.filter(({ code }: { code?: string }) => code === 'REFERENCE_EMPTY');
  return { runId, run, logs };
}

it('a field that is not there is a warning with its path and the names that are there', async () => {
  const { runId, run, logs } = await outcome([first(), posting({ t: read('body.titel') })]);
  expect(run).toMatchObject({ state: 'SUCCEEDED', warnings: 1, error: null });
  expect(logs).toEqual([
    {
      level: 'WARN',
      code: 'REFERENCE_EMPTY',
      path: read('body.titel'),
      keys: ['id', 'title', 'owner', 'tags', 'state'],
      stepId: 'm1',
      stepIndex: '1',
      message: `${read('body.titel')} is empty, so that null is used: there is no field "titel"; there are id, title, owner, tags, state.`,
    },
  ]);
  expect(remote.received.at(-1)?.body).toBe('{"t":null}');
  expect((await service.api('GET', `/api/execution/${runId}`)).body.warnings).toBe(1);
});

it.each([
  ['within an object', 'body.state.nam', ['name']],
  ['of a missing object', 'body.stat.name', ['id', 'title', 'owner', 'tags', 'state']],
  ['beyond the end of a list', 'body.tags[2]', []],
  ['that is a header', 'header.X-Total', expect.arrayContaining(['content-type'])],
])('it is reported %s', async (_where, path, keys) => {
  const { run, logs } = await outcome([first(), posting({ t: read(path) })]);
  expect(run).toMatchObject({ state: 'SUCCEEDED', warnings: 1 });
  expect(logs).toMatchObject([{ path: read(path), keys }]);
});

it('it is reported in XML, in an address, a loop and a condition, once for each step', async () => {
  const { run, logs } = await outcome(
    [
      first('/xml'),
      method('1_0', `${remote.url}/{%${read('body.order.totl')}%}/{%${read('body.order.totl')}%}`),
      method('2_0', remote.url),
    ],
    [
      { id: 'o1', index: '1', type: 'loop', iterator: 'i', expression: `SplitString("a,b", ",")` },
      {
        id: 'o2',
        index: '2',
        type: 'loop',
        iterator: 'j',
        expression: `For({%${read('body.order.items')}%})`,
      },
      { id: 'o3', index: '3', type: 'if', expression: `{%${read('body.order.stat')}%} = "open"` },
    ],
  );
  expect(run).toMatchObject({ state: 'SUCCEEDED', warnings: 3 });
  expect(
    logs.map(({ stepId, keys }: { stepId: string; keys: string[] }) => [stepId, keys]),
  ).toEqual(['m1_0', 'o2', 'o3'].map((id) => [id, ['@id', 'item', 'total']]));
});

it('it is reported in the iteration in which it is missing, after others with null', async () => {
  const { run, logs } = await outcome(
    [first('/list'), { ...posting({ t: read('body[i].owner') }), index: '1_0' }],
    [
      {
        id: 'o1',
        index: '1',
        type: 'loop',
        iterator: 'i',
        expression: `For({%${read('body')}%})`,
      },
    ],
  );
  expect(run).toMatchObject({ state: 'SUCCEEDED', warnings: 1 });
  expect(logs).toMatchObject([
    { path: read('body[i].owner'), keys: Array.from({ length: 20 }, (_, nth) => `k${nth}`) },
  ]);
  expect(remote.received.slice(1).map(({ body }) => body)).toEqual(
    Array.from({ length: 3 }, () => '{"t":null}'),
  );
});

it.each([
  ['a value that is null', 'NotNull', 'body.owner'],
  ['IsNull', 'IsNull', 'body.titel'],
  ['NotNull', 'NotNull', 'body.titel'],
  ['IsEmpty', 'IsEmpty', 'body.titel'],
  ['NotEmpty', 'NotEmpty', 'body.titel'],
  ['PropertyExists', 'PropertyExists "a"', 'body.titel'],
  ['PropertyNotExists', 'PropertyNotExists "a"', 'body.titel'],
  ['a comparison with null', '= null', 'body.titel'],
])('it is not reported for %s', async (_what, relation, path) => {
  const expression = `{%${read(path)}%} ${relation}`;
  const { run } = await outcome(
    [first(), posting({ owner: read('body.owner'), other: read('fail.message') })],
    [{ id: 'o1', index: '2', type: 'if', expression }],
  );
  expect(run).toMatchObject({ state: 'SUCCEEDED', warnings: 0 });
});

it('a step that demands its values ends the run instead, before anything is sent', async () => {
  const { run } = await outcome([first(), posting({ t: read('body.titel') }, { required: true })]);
  expect(run).toMatchObject({ state: 'FAILED', warnings: 0 });
  expect(run.error).toEqual({
    code: 'REFERENCE_EMPTY',
    message: `Step "call 1" (1): The step demands its values, and ${read('body.titel')} is empty: there is no field "titel"; there are id, title, owner, tags, state.`,
  });
  expect(remote.received).toHaveLength(1);
  const { run: ofNull } = await outcome([
    first(),
    posting({ t: read('body.owner') }, { required: true }),
  ]);
  expect(ofNull.error.message).toContain('its value is null');
  const { run: good } = await outcome([
    first(),
    posting({ t: read('body.title') }, { required: true }),
  ]);
  expect(good).toMatchObject({ state: 'SUCCEEDED' });
});

it('a value that is no boolean is refused when the workflow is saved', async () => {
  const answer = await service.api('POST', '/api/connection', {
    body: workflow([posting({}, { required: 'yes' })]),
  });
  expect(answer).toMatchObject({ status: 400, body: { message: expect.any(String) } });
});

it('masking rules hide names there, in runs without a log too', async () => {
  const workflowId = await saved(service, workflow([first(), posting({ t: read('body.titel') })]));
  await service.api('POST', `/api/connection/${workflowId}/rule`, {
    body: { type: 'regex', expression: 'owner' },
  });
  const runId = await started(service, workflowId);
  await ended(service, runId);
  const run = await service.field(QUERY, { id: String(runId) });
  expect(run.warnings).toBe(1);
  expect(JSON.stringify(run.events)).not.toContain('owner');
  expect(await runEvents(service, runId)).toHaveLength(7);
});

it('the log shows the warnings at their step, condition and loop, over all of its interfaces', async () => {
  const missing = (id: string, type: string, index: string, expression: string): object => ({
    id,
    type,
    index,
    expression,
    ...(type === 'loop' && { iterator: 'i' }),
  });
  const workflowId = await saved(
    service,
    workflow(
      [first(), { ...posting({ t: read('body.titel') }), index: '1_0_0' }],
      [
        missing('o1', 'loop', '1', 'SplitString("a,b", ",")'),
        missing('o2', 'if', '1_0', `{%${read('body.stat')}%} != "open"`),
        missing('o3', 'loop', '2', `For({%${read('body.items')}%})`),
      ],
    ),
  );
  const runId = await started(service, workflowId, true);
  await ended(service, runId);

  const warningOf = (name: string) => {
    const path = read(`body.${name}`);
    const keys = ['id', 'title', 'owner', 'tags', 'state'];
    return {
      code: 'REFERENCE_EMPTY',
      path,
      keys,
      message: `${path} is empty, so that null is used: there is no field "${name}"; there are ${keys.join(', ')}.`,
    };
  };
  const rest = (path: string) => service.body('GET', `/api/execution/${path}`);
  const search = `logs/search?connectionId=${workflowId}`;
  const shown = (elements: any[]) =>
    elements.map(({ indexPath, properties, warnings }) => [
      `${indexPath} ${properties.loopIndex}`.trim(),
      warnings.map(({ path }: { path: string }) => path.split('.').at(-1)),
    ]);
  expect(shown(await rest(search))).toEqual([
    ['0', []],
    ['1', []],
    ['1_0 0', ['stat']],
    ['1_0_0 0', ['titel']],
    ['1_0 1', []],
    ['1_0_0 1', []],
    ['2', ['items']],
  ]);
  expect(shown(await rest(`${search}&text=${encodeURIComponent('field "titel"')}`))).toEqual([
    ['1_0_0 0', ['titel']],
  ]);

  const elements: any[] = await rest(search);
  const of = (index: string) => elements.find(({ indexPath }) => indexPath === index);
  for (const [index, name] of [
    ['1_0', 'stat'],
    ['1_0_0', 'titel'],
    ['2', 'items'],
  ] as const) {
    const { id } = of(index);
    expect((await rest(`log/element/${id}/details`)).warnings).toEqual([warningOf(name)]);
    const logElement = await service.field(
      'query($id: ID!) { logElement(elementId: $id) { element { state warnings { code path keys message } } } }',
      { id },
    );
    expect(logElement.element).toEqual({ state: 'COMPLETE', warnings: [warningOf(name)] });
  }
  const children = await rest(`log/element/${of('1').id}/children?loopIndex=0`);
  expect(shown(children)).toEqual([['1_0 0', ['stat']]]);
  const logTurn = await service.field(
    'query($id: ID!) { logTurn(elementId: $id, loopIndex: [0]) { value } }',
    { id: of('1').id },
  );
  expect(logTurn).toEqual({ value: 'a' });

  const { text } = await service.api('GET', `/api/execution/${runId}/raw/log`);
  const events = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events.filter(({ kind }) => kind === 'RunLog')).toMatchObject([
    { index: '1_0', loopIndex: [0], path: warningOf('stat').path },
    { index: '1_0_0', loopIndex: [0], path: warningOf('titel').path },
    { index: '2', loopIndex: [], path: warningOf('items').path },
  ]);
  const released = await service.api('GET', `/released/api/execution/${search}`);
  expect(released.body).toHaveLength(7);
  for (const element of released.body) expect(element).not.toHaveProperty('warnings');
});
