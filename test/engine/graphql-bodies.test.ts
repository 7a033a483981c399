import { buildSchema, graphqlSync, parse } from 'graphql';
import {
  answering,
  colorOf,
  httpStep,
  jsonBody,
  reference,
  runWith,
  workflow,
} from './support/run';
import type { OutboundRequest } from '../../src/engine';

/* What a remote system makes of a GraphQL query that a step has sent. */

/** The query as it is sent, with the values that an answer brought. */
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
/** What the remote system is asked for: the fields, and what each is given. */
function asked(query: string): unknown {
  const calls: unknown[] = [];
  const note = (field: string) => (given: unknown) => {
    calls.push([field, { ...(given as object) }]);
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
  ['a comment that nothing follows', 'query { said(by: "Ann") } # the end'],
])('a query with %s is sent in one line, and means what it did', async (_what, query) => {
  const line = await sent(query);
  expect(line).not.toMatch(/[\r\n]/);
  expect(asked(line)).toEqual([['said', { by: 'Ann' }]]);
  expect(asked(line)).toEqual(asked(query));
});

it.each([
  ['a mark of comments', 'query {\n said(by: "no # comment")\n}', 'no # comment'],
  ['its own mark', 'query {\n said(by: "a \\"quoted\\" # word\\\\")\n}', 'a "quoted" # word\\'],
  ['nothing', 'query {\n said(by: "")\n}', ''],
  ['lines', 'query {\n said(by: """\n  one\n    # two \\"""\n  """) # x\n}', 'one\n  # two """'],
])('a string with %s stays what it is', async (_what, query, by) => {
  expect(asked(await sent(query))).toEqual([['said', { by }]]);
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

it.each(HOSTILE)('a value in a string is data: %j', async (text) => {
  expect(asked(await sent(`query {\n said(by: "${value('text')}") # it\n}`, { text }))).toEqual([
    ['said', { by: text }],
  ]);
  expect(
    asked(await sent(`{ said(by: "<${value('text')}|${value('text')}>") }`, { text })),
  ).toEqual([['said', { by: `<${text}|${text}>` }]]);
});

it.each(HOSTILE)('and in a string of several lines: %j', async (text) => {
  const [call, ...others] = asked(await sent(`{ said(by: """${value('text')}""") }`, { text })) as [
    [string, { by: string }],
  ];
  // Lines that are blank around it, and how lines end, are no part of such a string.
  expect([call[0], call[1].by.trim(), others]).toEqual([
    'said',
    text.replaceAll('\r\n', '\n').trim(),
    [],
  ]);
});

it.each(HOSTILE)('in a comment it is nothing: %j', async (text) => {
  expect(asked(await sent(`{ # by ${value('text')}\n said(by: "Ann")\n}`, { text }))).toEqual([
    ['said', { by: 'Ann' }],
  ]);
});

it('a value outside of strings is written as it is, and a query that is one reference is the query', async () => {
  expect(
    asked(
      await sent(`{ said(by: "${value('text')}", at: ${value('id')}) }`, { id: 7, text: 'Ann' }),
    ),
  ).toEqual([['said', { by: 'Ann', at: 7 }]]);
  const query = '{ # one\n said(by: "Ann") }';
  expect(
    parse(await sent(`${colorOf('0')}.(response).body.query`, { query }), { noLocation: true }),
  ).toEqual(parse(query, { noLocation: true }));
});
