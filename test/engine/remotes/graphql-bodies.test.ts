import { buildSchema, graphqlSync, parse } from 'graphql';
import {
  answering,
  colorOf,
  httpStep,
  jsonBody,
  reference,
  runWith,
  workflow,
} from '../support/run';
import type { OutboundRequest } from '../../../src/engine';

/* How a remote system reads a GraphQL query that a step sent. */

/** The query as sent, with values from an answer. */
async function sent(query: string, values: object = {}): Promise<string> {
  const requests: OutboundRequest[] = [];
  const http = answering((request) => {
    requests.push(request);
    return values;
  });
  const step = httpStep('1', 'http://remote/', {
    request: { method: 'POST', body: { ...jsonBody({ query }), data: 'graphql' } },
  });
  const result = await runWith(workflow(httpStep('0', 'http://remote/'), step), { http });
  expect(result.error).toBeUndefined();
  return (JSON.parse(String(requests.at(-1)?.body)) as { query: string }).query;
}

const value = (name: string): string => reference('0', `(response).body.${name}`);
const schema = buildSchema(
  'type Query { said(by: String, at: Int): String, other(by: String): String }',
);
/** The requested fields and their arguments. */
function collectFields(query: string): unknown {
  const calls: unknown[] = [];
  const note = (field: string) => (args: unknown) => {
    calls.push([field, { ...(args as object) }]);
    return null;
  };
  const { errors } = graphqlSync({
    schema,
    source: query,
    rootValue: { said: note('said'), other: note('other') },
  });
  expect(errors).toBeUndefined();
  return calls;
}

it.each([
  ['a comment at the end of a line', 'query { # who\n  said(by: "Ann")\n}'],
  [
    'comments between, with marks in them',
    '# "one\nquery {\r\n  # """ two\r  said(by: "Ann") # three "\n}\n# four',
  ],
  ['no line break', 'query { said(by: "Ann") }'],
  ['a comment at the end', 'query { said(by: "Ann") } # the end'],
])('a query with %s is sent in one line with the same meaning', async (_what, query) => {
  const line = await sent(query);
  expect(line).not.toMatch(/[\r\n]/);
  expect(collectFields(line)).toEqual([['said', { by: 'Ann' }]]);
  expect(collectFields(line)).toEqual(collectFields(query));
});

it.each([
  ['a mark of comments', 'query {\n said(by: "no # comment")\n}', 'no # comment'],
  ['its own mark', 'query {\n said(by: "a \\"quoted\\" # word\\\\")\n}', 'a "quoted" # word\\'],
  ['nothing', 'query {\n said(by: "")\n}', ''],
  ['lines', 'query {\n said(by: """\n  one\n    # two \\"""\n  """) # x\n}', 'one\n  # two """'],
])('a string with %s is unchanged', async (_what, query, by) => {
  expect(collectFields(await sent(query))).toEqual([['said', { by }]]);
});

const HOSTILE = [
  'Ann',
  '',
  '"',
  '""',
  '"""',
  '\\',
  '\\"',
  'a\nb\r\nc',
  '# no',
  'x") other(by: "y',
  'x""") other(by: """y',
  'x\\"""',
  '""""',
  '\\\\',
  'ü\u2028\t\u0001',
  '{%secret.A%}',
];

it.each(HOSTILE)('a value inside a string stays data: %j', async (text) => {
  expect(
    collectFields(await sent(`query {\n said(by: "${value('text')}") # it\n}`, { text })),
  ).toEqual([['said', { by: text }]]);
  expect(
    collectFields(await sent(`{ said(by: "<${value('text')}|${value('text')}>") }`, { text })),
  ).toEqual([['said', { by: `<${text}|${text}>` }]]);
});

it.each(HOSTILE)('a value inside a block string stays data: %j', async (text) => {
  const [call, ...others] = collectFields(
    await sent(`{ said(by: """${value('text')}""") }`, { text }),
  ) as [[string, { by: string }]];
  // Surrounding blank lines and line endings are not part of a block string.
  expect([call[0], call[1].by.trim(), others]).toEqual([
    'said',
    text.replaceAll('\r\n', '\n').trim(),
    [],
  ]);
});

it.each(HOSTILE)('a value inside a comment is dropped: %j', async (text) => {
  expect(
    collectFields(await sent(`{ # by ${value('text')}\n said(by: "Ann")\n}`, { text })),
  ).toEqual([['said', { by: 'Ann' }]]);
});

it('a value outside strings is inserted unquoted, and a single reference is the whole query', async () => {
  expect(
    collectFields(
      await sent(`{ said(by: "${value('text')}", at: ${value('id')}) }`, { id: 7, text: 'Ann' }),
    ),
  ).toEqual([['said', { by: 'Ann', at: 7 }]]);
  const query = '{ # one\n said(by: "Ann") }';
  expect(
    parse(await sent(`${colorOf('0')}.(response).body.query`, { query }), { noLocation: true }),
  ).toEqual(parse(query, { noLocation: true }));
});
