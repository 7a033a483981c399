import {
  answering,
  colorOf,
  httpStep,
  jsonBody,
  reference,
  runWith,
  workflow,
} from '../support/run';
import type { OutboundRequest, RunConnector, ScriptCall } from '../../../src/engine';

/* Body field types that an invoker declares. */

const DECLARED = {
  text: 'x',
  list: [],
  texts: ['a', 'b'],
  objects: [{ name: 'x', tags: ['y'] }],
  box: { value: '' },
  empty: {},
  deep: { list: [], texts: 'none', box: {} },
};
const ANSWER = {
  one: 'ada',
  number: 7,
  yes: true,
  list: [1, 2],
  object: { deep: true },
  nothing: null,
  objects: [{ n: 1 }, { n: 2 }],
};

async function sent(
  fields: unknown,
  declared: unknown = DECLARED,
  more: {
    format?: string;
    fieldBinding?: unknown[];
    scripts?: { evaluate: (script: ScriptCall) => Promise<string> };
  } = {},
): Promise<unknown> {
  const requests: OutboundRequest[] = [];
  const body = { type: 'object', format: more.format ?? 'json', data: 'raw', value: declared };
  const operation = {
    name: 'Save',
    type: '',
    request: { endpoint: 'http://remote/save', method: 'POST', header: [], body },
    success: null,
    fail: null,
    pagination: [],
  };
  const connector: RunConnector = {
    id: 3,
    title: 'Remote',
    verifyTls: true,
    timeoutMs: 0,
    values: {},
    origins: [],
    fieldOrigins: {},
    suspended: [],
    invoker: { name: 'Remote', requiredData: [], operations: [operation], pagination: [] },
    invokerName: 'Remote',
  };
  const http = answering((request) => {
    requests.push(request);
    return ANSWER;
  });
  const step = {
    ...httpStep('1', '', { request: { body: { ...jsonBody(fields), format: null } } }),
    name: 'Save',
    methodType: 'CONNECTOR',
    connector: { connectorId: 3 },
  };
  const result = await runWith(
    { ...workflow(httpStep('0', 'http://remote/'), step), fieldBinding: more.fieldBinding ?? [] },
    { http, connectors: new Map([[3, connector]]), ...(more.scripts && { scripts: more.scripts }) },
  );
  if (result.error) return result.error.code;
  const text = String(requests.at(-1)?.body);
  return more.format === 'xml'
    ? text.replace(/^<\?xml[^>]*>\s*/, '').replaceAll(/\n\s*/g, '')
    : JSON.parse(text);
}

const from = (path: string): string => reference('0', `(response).body.${path}`);
const bare = (path: string): string => `${colorOf('0')}.(response).body.${path}`;

it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
  [
    'a single value is a list of one where a list is declared',
    { list: from('one'), texts: bare('number'), objects: from('object') },
    { list: ['ada'], texts: [7], objects: [{ deep: true }] },
  ],
  [
    'a list is unchanged',
    { list: from('list'), objects: from('objects') },
    { list: [1, 2], objects: [{ n: 1 }, { n: 2 }] },
  ],
  [
    'a value is the `value` of an object where an object is declared',
    { box: from('one'), empty: from('list') },
    { box: { value: 'ada' }, empty: { value: [1, 2] } },
  ],
  ['an object is unchanged', { box: from('object') }, { box: { deep: true } }],
  [
    'a missing value is null',
    { list: from('nothing'), box: from('missing'), texts: from('missing.deep') },
    { list: null, box: null, texts: null },
  ],
  [
    'a declared text does not convert numbers and booleans',
    { text: from('number'), deep: { texts: from('yes') } },
    { text: 7, deep: { texts: true } },
  ],
  [
    'nested fields and fields of elements are converted',
    {
      deep: { list: from('one'), box: from('one') },
      objects: [{ name: from('one'), tags: from('one') }, { tags: from('list') }],
    },
    {
      deep: { list: ['ada'], box: { value: 'ada' } },
      objects: [{ name: 'ada', tags: ['ada'] }, { tags: [1, 2] }],
    },
  ],
  [
    'an undeclared field is unchanged',
    { other: from('one'), constructor: from('one') },
    { other: 'ada', constructor: 'ada' },
  ],
  [
    'mixed text and literals are unchanged',
    { list: `n: ${from('one')}`, box: 'plain', texts: ['a'] },
    { list: 'n: ada', box: 'plain', texts: ['a'] },
  ],
  [
    'a parameter is converted like other values',
    { list: '${nobody}', text: '${nobody}' },
    { list: null, text: null },
  ],
])('a declared body field: %s', async (_what, fields, body) => {
  expect(await sent(fields)).toEqual(body);
});

it('a script result is converted like any other value', async () => {
  const end = (index: string, type: string, field: string): object => ({
    color: colorOf(index),
    type,
    field,
  });
  const binding = (field: string): object => ({
    from: [end('0', 'response', 'body.one')],
    to: [end('1', 'request', field)],
    enhancement: { language: 'js', expertCode: `RESULT_VAR = '${field}'` },
  });
  const scripts = {
    evaluate: ({ code }: ScriptCall) => Promise.resolve(JSON.stringify(code.slice(14, -1))),
  };
  expect(
    await sent({ list: 1, deep: { box: 2 }, text: 3 }, DECLARED, {
      fieldBinding: ['list', 'deep.box', 'text'].map(binding),
      scripts,
    }),
  ).toEqual({ list: ['list'], deep: { box: { value: 'deep.box' } }, text: 'text' });
});

it('a scalar body and an operation without a body stay unchanged', async () => {
  expect(await sent(from('list'))).toEqual([1, 2]);
  expect(await sent({ list: from('one') }, null)).toEqual({ list: 'ada' });
});

it('elements of a list body get the declared element type', async () => {
  expect(await sent([{ tags: from('one') }], [{ tags: [] }])).toEqual([{ tags: ['ada'] }]);
});

it('a list body declared as an object and a scalar element stay unchanged', async () => {
  expect(await sent([from('one'), { list: from('one') }])).toEqual(['ada', { list: 'ada' }]);
  expect(await sent({ objects: [from('one'), bare('list')] })).toEqual({
    objects: ['ada', [1, 2]],
  });
});

it('an XML element is read as one or several according to the document', async () => {
  expect(
    await sent(
      { root: { list: from('one'), box: from('one') } },
      { root: { list: [], box: {} } },
      { format: 'xml' },
    ),
  ).toBe('<root><list>ada</list><box>ada</box></root>');
});
