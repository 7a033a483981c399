/** @jest-environment node */
import { openLibrary } from '../support/library-doors';
import type { Library, LibraryAnswer } from '../support/library-doors';

const PLAIN = 'application/json';
const GRAPHQL = 'application/graphql-response+json';
const JSON_TYPE = { 'content-type': PLAIN };

interface Asking {
  readonly library: Library;
  readonly writer: string;
  readonly weak: string;
  readonly headers: Record<string, string>;
}

const nested = (levels: number): unknown =>
  JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as unknown;
const book = (title: string): string =>
  `mutation { bookCreate(input: { title: "${title}" }) { book { title } userErrors { code } } }`;

async function get(
  { library, headers }: Asking,
  query: string,
  more: Record<string, string>,
): Promise<LibraryAnswer> {
  const response = await fetch(`${library.url}/graphql?query=${encodeURIComponent(query)}`, {
    headers: { ...headers, ...more },
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    ...(JSON.parse(text) as object),
  };
}

const posted =
  (body: string, more: Record<string, string> = JSON_TYPE) =>
  ({ library, headers }: Asking) =>
    library.post(body, { ...headers, ...more });

/** What is refused, how it is asked, the code, and the status: for plain JSON, and for the type of GraphQL where it is another. */
const REFUSALS: readonly [
  string,
  (asking: Asking) => Promise<LibraryAnswer>,
  string,
  number,
  number?,
][] = [
  [
    'a document that does not parse',
    ({ library, headers }) => library.ask('{ open', { headers }),
    'GRAPHQL_PARSE_FAILED',
    200,
    400,
  ],
  [
    'a document that is not valid',
    ({ library, headers }) => library.ask('{ nothing }', { headers }),
    'GRAPHQL_VALIDATION_FAILED',
    200,
    400,
  ],
  [
    'the schema, where it is hidden',
    ({ library, headers }) => library.ask('{ __schema { types { name } } }', { headers }),
    'GRAPHQL_VALIDATION_FAILED',
    200,
    400,
  ],
  [
    'an operation that is not named',
    ({ library, headers }) => library.ask('query A { open } query B { open }', { headers }),
    'OPERATION_RESOLUTION_FAILURE',
    200,
    400,
  ],
  [
    'a variable that is missing',
    ({ library, headers, writer }) =>
      library.ask('query ($id: ID!) { book(id: $id) { title } }', { headers, token: writer }),
    'BAD_USER_INPUT',
    200,
    400,
  ],
  [
    'a variable of another type',
    ({ library, headers, writer }) =>
      library.ask('query ($n: Int) { books(first: $n) { totalCount } }', {
        headers,
        token: writer,
        variables: { n: 'x' },
      }),
    'BAD_USER_INPUT',
    200,
    400,
  ],
  [
    'an id that is none, in the answer',
    ({ library, headers, writer }) =>
      library.ask('{ profile(id: "garbage") }', { headers, token: writer }),
    'BAD_USER_INPUT',
    200,
  ],
  [
    'a fault of ours, in the answer',
    ({ library, headers }) => library.ask('{ fault }', { headers }),
    'INTERNAL_SERVER_ERROR',
    200,
  ],
  [
    'a page too large',
    ({ library, headers, writer }) =>
      library.ask('{ books(first: 101) { totalCount } }', { headers, token: writer }),
    'BAD_USER_INPUT',
    400,
  ],
  [
    'a page too large in a variable',
    ({ library, headers, writer }) =>
      library.ask('query ($n: Int) { books(first: $n) { totalCount } }', {
        headers,
        token: writer,
        variables: { n: 101 },
      }),
    'BAD_USER_INPUT',
    400,
  ],
  [
    'too many aliases',
    ({ library, headers }) =>
      library.ask(`{ ${Array.from({ length: 31 }, (_, index) => `a${index}: open`).join(' ')} }`, {
        headers,
      }),
    'QUERY_TOO_COMPLEX',
    400,
  ],
  [
    'variables too deep',
    ({ library, headers }) =>
      library.ask('query ($v: JSON) { echo(value: $v) }', {
        headers,
        variables: { v: nested(70) },
      }),
    'QUERY_TOO_COMPLEX',
    400,
  ],
  [
    'nobody where somebody is needed',
    ({ library, headers }) => library.ask('{ me }', { headers }),
    'UNAUTHENTICATED',
    401,
  ],
  [
    'a token that does not hold',
    ({ library, headers }) => library.ask('{ me }', { headers, token: 'unknown' }),
    'UNAUTHENTICATED',
    401,
  ],
  [
    'a missing right',
    ({ library, headers, weak }) =>
      library.ask('{ books { totalCount } }', { headers, token: weak }),
    'FORBIDDEN',
    403,
  ],
  [
    'too many attempts',
    ({ library, headers, writer }) => library.ask(book('limited'), { headers, token: writer }),
    'RATE_LIMITED',
    429,
  ],
  [
    'an operation that takes too long',
    ({ library, headers }) => library.ask('{ forever }', { headers }),
    'UNAVAILABLE',
    503,
  ],
  [
    'a subscription',
    ({ library, headers, writer }) =>
      library.ask('subscription { ticks { number } }', { headers, token: writer }),
    'BAD_REQUEST',
    400,
  ],
  [
    'a mutation by GET',
    (asking) =>
      get(asking, book('x'), {
        'apollo-require-preflight': '1',
        authorization: `Bearer ${asking.writer}`,
      }),
    'BAD_REQUEST',
    405,
  ],
  ['what a plain link could ask', (asking) => get(asking, '{ open }', {}), 'BAD_REQUEST', 400],
  ['a body that is no JSON', posted('{'), 'BAD_REQUEST', 400],
  ['several operations in a list', posted('[{"query":"{ open }"}]'), 'BAD_REQUEST', 400],
  ['no document', posted('{}'), 'BAD_REQUEST', 400],
  [
    'variables that are a text',
    posted('{"query":"{ open }","variables":"{}"}'),
    'BAD_REQUEST',
    400,
  ],
  [
    'a body of another kind',
    posted('{"query":"{ open }"}', { 'content-type': 'text/plain' }),
    'BAD_REQUEST',
    400,
  ],
  [
    'a form',
    posted('query=%7Bopen%7D', { 'content-type': 'application/x-www-form-urlencoded' }),
    'BAD_REQUEST',
    400,
  ],
  [
    'a body in an encoding',
    posted('{"query":"{ open }"}', { ...JSON_TYPE, 'content-encoding': 'gzip' }),
    'BAD_REQUEST',
    415,
  ],
  [
    'a body too large',
    posted(`{"query":"{ open }","x":"${'x'.repeat(1024 * 1024)}"}`),
    'PAYLOAD_TOO_LARGE',
    413,
  ],
];

describe('a refusal', () => {
  let asking: Omit<Asking, 'headers'>;
  beforeAll(async () => {
    const library = await openLibrary({ introspection: false, limits: { operationMs: 300 } });
    asking = {
      library,
      writer: library.signIn('writer', ['USER:READ', 'USER:CREATE']),
      weak: library.signIn('weak', []),
    };
  });
  afterAll(() => asking.library.stop());

  it.each(REFUSALS)(
    'of %s has one status for each kind of answer',
    async (_what, ask, code, plain, graphql = plain) => {
      for (const [accept, status] of [
        [PLAIN, plain],
        ['*/*', plain],
        [`${PLAIN}; charset=utf-8`, plain],
        [GRAPHQL, graphql],
        [`${GRAPHQL}, ${PLAIN};q=0.9`, graphql],
      ] as const) {
        const answer = await ask({ ...asking, headers: { accept } });
        expect([accept, answer.status, answer.errors?.[0].extensions.code]).toEqual([
          accept,
          status,
          code,
        ]);
        expect(answer.headers.get('content-type')).toContain(
          accept.startsWith(GRAPHQL) ? GRAPHQL : PLAIN,
        );
        expect(answer.headers.get('www-authenticate')).toBe(status === 401 ? 'Bearer' : null);
      }
    },
  );

  it('that people can cure is part of a good answer', async () => {
    for (const accept of [PLAIN, GRAPHQL]) {
      const answer = await asking.library.ask(book('bad'), {
        headers: { accept },
        token: asking.writer,
      });
      expect([answer.status, answer.errors, answer.data.bookCreate.userErrors.length]).toEqual([
        200,
        undefined,
        2,
      ]);
    }
  });
});
