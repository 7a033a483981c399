/** @jest-environment node */
import { openLibrary } from '../../support/graphql/open-library';
import type { Library, LibraryAnswer } from '../../support/graphql/open-library';

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

const get = (
  { library, headers }: Asking,
  query: string,
  more: Record<string, string>,
): Promise<LibraryAnswer> => library.get({ query }, { ...headers, ...more });

const posted =
  (body: string, more: Record<string, string> = JSON_TYPE) =>
  ({ library, headers }: Asking) =>
    library.post(body, { ...headers, ...more });

const PAGE = 'query ($n: Int) { books(first: $n) { totalCount } }';
const requestOf =
  (query: string, as?: 'writer' | 'weak', variables?: unknown) =>
  ({ library, headers, ...tokens }: Asking): Promise<LibraryAnswer> =>
    library.ask(query, { headers, variables, token: as && tokens[as] });

/** Case, request, code, status for application/json, and status for the GraphQL type where it differs. */
const REFUSALS: readonly [
  string,
  (asking: Asking) => Promise<LibraryAnswer>,
  string,
  number,
  number?,
][] = [
  ['a syntax error', requestOf('{ open'), 'GRAPHQL_PARSE_FAILED', 200, 400],
  ['an invalid document', requestOf('{ nothing }'), 'GRAPHQL_VALIDATION_FAILED', 200, 400],
  [
    'introspection that is disabled',
    requestOf('{ __schema { types { name } } }'),
    'GRAPHQL_VALIDATION_FAILED',
    200,
    400,
  ],
  [
    'an ambiguous operation',
    requestOf('query A { open } query B { open }'),
    'OPERATION_RESOLUTION_FAILURE',
    200,
    400,
  ],
  [
    'a missing variable',
    requestOf('query ($id: ID!) { book(id: $id) { title } }', 'writer'),
    'BAD_USER_INPUT',
    200,
    400,
  ],
  [
    'a variable of the wrong type',
    requestOf(PAGE, 'writer', { n: 'x' }),
    'BAD_USER_INPUT',
    200,
    400,
  ],
  ['an invalid id', requestOf('{ profile(id: "garbage") }', 'writer'), 'BAD_USER_INPUT', 200],
  ['an internal error', requestOf('{ fault }'), 'INTERNAL_SERVER_ERROR', 200],
  [
    'a page size above the limit',
    requestOf('{ books(first: 101) { totalCount } }', 'writer'),
    'BAD_USER_INPUT',
    400,
  ],
  [
    'a page size variable above the limit',
    requestOf(PAGE, 'writer', { n: 101 }),
    'BAD_USER_INPUT',
    400,
  ],
  [
    'too many aliases',
    requestOf(`{ ${Array.from({ length: 31 }, (_, index) => `a${index}: open`).join(' ')} }`),
    'QUERY_TOO_COMPLEX',
    400,
  ],
  [
    'variables that are nested too deeply',
    requestOf('query ($v: JSON) { echo(value: $v) }', undefined, { v: nested(70) }),
    'QUERY_TOO_COMPLEX',
    400,
  ],
  ['no token', requestOf('{ me }'), 'UNAUTHENTICATED', 401],
  [
    'an unknown token',
    ({ library, headers }) => library.ask('{ me }', { headers, token: 'unknown' }),
    'UNAUTHENTICATED',
    401,
  ],
  ['a missing permission', requestOf('{ books { totalCount } }', 'weak'), 'FORBIDDEN', 403],
  ['too many attempts', requestOf(book('limited'), 'writer'), 'RATE_LIMITED', 429],
  ['an operation that takes too long', requestOf('{ forever }'), 'UNAVAILABLE', 503],
  ['a subscription', requestOf('subscription { ticks { number } }', 'writer'), 'BAD_REQUEST', 400],
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
  [
    'a GET request without preflight header',
    (asking) => get(asking, '{ open }', {}),
    'BAD_REQUEST',
    400,
  ],
  ['a body that is not JSON', posted('{'), 'BAD_REQUEST', 400],
  ['a batch of operations', posted('[{"query":"{ open }"}]'), 'BAD_REQUEST', 400],
  ['no document', posted('{}'), 'BAD_REQUEST', 400],
  [
    'variables that are a string',
    posted('{"query":"{ open }","variables":"{}"}'),
    'BAD_REQUEST',
    400,
  ],
  [
    'another content type',
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
    'an encoded body',
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

describe('a rejected GraphQL request', () => {
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
    'with %s has one status per response type',
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

  it('with input problems returns 200 with userErrors', async () => {
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
