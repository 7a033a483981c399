/** @jest-environment node */
import { Agent, request } from 'node:http';
import { openLibrary, UNREADABLE } from '../support/library-doors';
import type { Library } from '../support/library-doors';
import { abandoned } from '../support/library-schema';
import { longIt } from '../support/long';

const JSON_TYPE = { 'content-type': 'application/json' };
const GRAPHQL_JSON = 'application/graphql-response+json';

describe('GraphQL over HTTP', () => {
  let library: Library;
  let token: string;
  beforeAll(async () => {
    library = await openLibrary({ origins: ['https://app.example.com'] });
    token = library.signIn('writer', ['USER:READ', 'USER:CREATE', 'USER:UPDATE']);
  });
  afterAll(() => library.stop());

  const create = (title: string) =>
    library.ask(
      'mutation ($input: BookCreateInput!) { bookCreate(input: $input) { book { title databaseId } userErrors { code message path } } }',
      { variables: { input: { title } }, token },
    );

  describe('statuses', () => {
    it.each([
      ['what does not parse', '{ open', 'GRAPHQL_PARSE_FAILED'],
      ['what is not valid', '{ nothing }', 'GRAPHQL_VALIDATION_FAILED'],
      [
        'a variable of the wrong type',
        'query ($id: ID!) { book(id: $id) { title } }',
        'BAD_USER_INPUT',
      ],
      [
        'no operation of that name',
        'query A { open } query B { open }',
        'OPERATION_RESOLUTION_FAILURE',
      ],
    ])('%s: 200 for plain JSON, 400 for the new type', async (_name, query, code) => {
      for (const [accept, status] of [
        ['application/json', 200],
        ['*/*', 200],
        [GRAPHQL_JSON, 400],
        [`${GRAPHQL_JSON}, application/json;q=0.5`, 400],
      ] as const) {
        const answer = await library.ask(query, { token, headers: { accept } });
        expect([answer.status, answer.errors?.[0].extensions.code, answer.data]).toEqual([
          status,
          code,
          undefined,
        ]);
        expect(answer.headers.get('content-type')).toContain(
          status === 200 ? 'application/json' : GRAPHQL_JSON,
        );
      }
    });

    it.each(['application/json', GRAPHQL_JSON])(
      'missing rights and limits are 4xx for %s',
      async (accept) => {
        expect((await library.ask('{ me }', { headers: { accept } })).status).toBe(401);
        expect(
          (
            await library.ask('{ books { totalCount } }', {
              token: library.signIn('weak', []),
              headers: { accept },
            })
          ).status,
        ).toBe(403);
        expect(
          (
            await library.ask('{ books(first: 1000) { totalCount } }', {
              token,
              headers: { accept },
            })
          ).status,
        ).toBe(400);
      },
    );

    it('refuses subscriptions, and mutations by GET', async () => {
      expect(
        (await library.ask('subscription { ticks { number } }', { token })).errors?.[0],
      ).toMatchObject({
        message: expect.stringContaining('WebSocket'),
        extensions: { code: 'BAD_REQUEST' },
      });
      const named = await fetch(
        `${library.url}/graphql?query=${encodeURIComponent('mutation { bookCreate(input: { title: "x" }) { book { title } } }')}`,
        { headers: { 'apollo-require-preflight': '1', authorization: `Bearer ${token}` } },
      );
      expect([named.status, named.headers.get('allow')]).toEqual([405, 'POST']);
    });

    it('answers queries by GET to whoever cannot be a forged form', async () => {
      const ask = (headers: Record<string, string>) =>
        fetch(`${library.url}/graphql?query=${encodeURIComponent('{ open }')}`, { headers });
      expect(await (await ask({ 'apollo-require-preflight': '1' })).json()).toEqual({
        data: { open: 'come in' },
      });
      const forged = await ask({});
      expect([forged.status, ((await forged.json()) as any).errors[0].extensions]).toEqual([
        400,
        { code: 'BAD_REQUEST', requestId: forged.headers.get('x-request-id') },
      ]);
    });

    it('is there under /api too, and leaves browsers and other paths to others', async () => {
      const api = await fetch(`${library.url}/api/graphql`, {
        method: 'POST',
        headers: JSON_TYPE,
        body: '{"query":"{ open }"}',
      });
      expect(await api.json()).toEqual({ data: { open: 'come in' } });
      for (const [path, accept] of [
        ['/graphql', 'text/html'],
        ['/graphqlx', '*/*'],
        ['/graphql/x', '*/*'],
      ] as const) {
        expect((await fetch(library.url + path, { headers: { accept } })).status).toBe(404);
      }
    });

    it('says which methods it takes', async () => {
      const allow = 'GET, HEAD, OPTIONS, POST';
      for (const method of ['PUT', 'DELETE', 'PATCH']) {
        const refused = await fetch(`${library.url}/graphql`, { method });
        expect([
          refused.status,
          refused.headers.get('allow'),
          ((await refused.json()) as any).errors[0].extensions,
        ]).toEqual([
          405,
          allow,
          { code: 'BAD_REQUEST', requestId: refused.headers.get('x-request-id') },
        ]);
      }
      const options = await fetch(`${library.url}/graphql`, { method: 'OPTIONS' });
      expect([options.status, options.headers.get('allow')]).toEqual([204, allow]);
      const head = await fetch(`${library.url}/graphql?query=${encodeURIComponent('{ open }')}`, {
        method: 'HEAD',
        headers: { 'apollo-require-preflight': '1' },
      });
      expect([head.status, await head.text()]).toEqual([200, '']);
    });
  });

  describe('errors', () => {
    it('puts what a person can cure into userErrors', async () => {
      expect((await create('new')).data).toEqual({
        bookCreate: { book: { title: 'new', databaseId: 1000 }, userErrors: [] },
      });
      expect((await create('taken')).data).toEqual({
        bookCreate: {
          book: null,
          userErrors: [
            { code: 'CONFLICT', message: 'There is one of this title.', path: ['title'] },
          ],
        },
      });
      expect((await create('bad')).data.bookCreate.userErrors).toEqual([
        { code: 'TEXT_TOO_LONG', message: 'Too short.', path: ['title'] },
        { code: 'LIST_TOO_LONG', message: 'Torn.', path: ['pages', '3'] },
      ]);
      expect((await create('burnt')).data.bookCreate.userErrors).toMatchObject([
        { code: 'CHANGE_DENIED', path: [] },
      ]);
    });

    it('says 429 with Retry-After when someone is too fast', async () => {
      const answer = await create('limited');
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '30']);
      expect(answer.errors?.[0].extensions).toEqual({
        code: 'RATE_LIMITED',
        reason: 'TOO_MANY_ATTEMPTS',
        retryAfter: 30,
        requestId: expect.any(String),
      });
    });

    it('masks faults, and logs them under the request id', async () => {
      for (const answer of [await create('broken'), await library.ask('{ fault }')]) {
        expect(answer.text).not.toMatch(/10\.0\.0\.7|hunter2|stack/);
        const { code, requestId } = answer.errors?.[0].extensions;
        expect([code, requestId]).toEqual([
          'INTERNAL_SERVER_ERROR',
          answer.headers.get('x-request-id'),
        ]);
        expect(
          library.logs.find((line) => line.requestId === requestId && line.level === 'error')?.err
            .stack,
        ).toContain('library-schema');
      }
    });

    it('masks what happens while the session is read, on both doors', async () => {
      const http = await library.ask('{ open }', { token: UNREADABLE });
      expect([http.status, http.errors?.[0].extensions.code]).toEqual([
        500,
        'INTERNAL_SERVER_ERROR',
      ]);
      const token = library.signIn('unlucky', []);
      const client = await library.connect({ init: { token } });
      library.sessions.set(
        token,
        Promise.reject(new Error('the store is away at 10.0.0.7')) as never,
      );
      const socket = await client.ask('1', '{ open }');
      expect(socket.errors[0].extensions.code).toBe('INTERNAL_SERVER_ERROR');
      expect(http.text + JSON.stringify(socket)).not.toContain('10.0.0.7');
      library.sessions.delete(token);
    });

    it('gives every refusal of the door a code and the request id', async () => {
      const answers = [
        await library.post('{', JSON_TYPE),
        await library.post('[]', JSON_TYPE),
        await library.post('{}', JSON_TYPE),
        await library.post('{"query":{}}', JSON_TYPE),
        await library.post('{"query":"{ open }","variables":"{}"}', JSON_TYPE),
        await library.post('[{"query":"{ open }"}]', JSON_TYPE),
        await library.post('{"query":"{ open }"}', { 'content-type': 'text/plain' }),
        await library.post('query={open}', { 'content-type': 'application/x-www-form-urlencoded' }),
        await library.post('{"query":"{ open }"}', { ...JSON_TYPE, accept: 'image/png' }),
        await library.post('{"query":"{ open }"}', { ...JSON_TYPE, 'content-encoding': 'gzip' }),
        await library.post(
          '{"query":"{ open }","extensions":{"persistedQuery":{"version":1,"sha256Hash":"x"}}}',
          JSON_TYPE,
        ),
        await library.post(Buffer.from([0x7b, 0xff, 0x7d]), JSON_TYPE),
        await library.post('{"query":"{ open }","__proto__":{"x":1}}', JSON_TYPE),
      ];
      for (const answer of answers) {
        expect(answer.errors?.[0].extensions).toMatchObject({
          code: expect.stringMatching(/^(BAD_REQUEST|PERSISTED_QUERY_NOT_SUPPORTED)$/),
          requestId: answer.headers.get('x-request-id'),
        });
      }
      expect(answers.map(({ status }) => status)).toEqual([
        400, 400, 400, 400, 400, 400, 400, 400, 406, 415, 200, 400, 400,
      ]);
    });

    it('takes a body of 1 MiB and refuses one byte more', async () => {
      const body = (bytes: number): string =>
        `{"query":"{ open }","operationName":null,"x":"${'x'.repeat(bytes - 48)}"}`;
      expect(body(1024 * 1024)).toHaveLength(1024 * 1024);
      expect((await library.post(body(1024 * 1024), JSON_TYPE)).status).toBe(200);
      const over = await library.post(body(1024 * 1024 + 1), JSON_TYPE);
      expect([over.status, over.errors?.[0].extensions.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    });

    it('is not stored by caches, and says on what it depends', async () => {
      const { headers } = await library.ask('{ open }');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('vary')).toContain('Authorization');
    });
  });

  describe('uploads', () => {
    const form = (
      size: number,
      more: { map?: string; files?: number; operations?: string } = {},
    ): FormData => {
      const data = new FormData();
      data.append(
        'operations',
        more.operations ??
          JSON.stringify({
            query: 'mutation ($file: Upload!) { cover(file: $file) { fileName bytes } }',
            variables: { file: null },
          }),
      );
      data.append('map', more.map ?? '{"0":["variables.file"]}');
      for (let file = 0; file < (more.files ?? 1); file += 1)
        data.append(String(file), new Blob([new Uint8Array(size)]), 'cover.png');
      return data;
    };
    const preflight = (): Record<string, string> => ({
      'apollo-require-preflight': 'true',
      authorization: `Bearer ${token}`,
    });

    it('reads a file by the multipart request specification', async () => {
      expect((await library.post(form(70_000), preflight())).data).toEqual({
        cover: { fileName: 'cover.png', bytes: 70_000 },
      });
    });

    longIt('takes 20 MiB and refuses one byte more', async () => {
      expect((await library.post(form(20 * 1024 * 1024), preflight())).data.cover.bytes).toBe(
        20 * 1024 * 1024,
      );
      const over = await library.post(form(20 * 1024 * 1024 + 1), preflight());
      expect([over.status, over.errors?.[0].extensions.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    });

    it('takes an operation of 1 MiB beside the file and refuses one byte more', async () => {
      const operations = (bytes: number): string =>
        JSON.stringify({
          query: 'mutation ($file: Upload!) { cover(file: $file) { bytes } }',
          variables: { file: null },
        }).padEnd(bytes);
      expect(
        (await library.post(form(10, { operations: operations(1024 * 1024) }), preflight())).data,
      ).toEqual({ cover: { bytes: 10 } });
      expect(
        (await library.post(form(10, { operations: operations(1024 * 1024 + 1) }), preflight()))
          .status,
      ).toBe(413);
    });

    it('refuses what a plain form could send', async () => {
      const answer = await library.post(form(10), { authorization: `Bearer ${token}` });
      expect([answer.status, answer.errors?.[0].extensions.code]).toEqual([400, 'BAD_REQUEST']);
    });

    it('refuses whoever may not, without reading the file', async () => {
      const answer = await library.post(form(5_000_000), { 'apollo-require-preflight': 'true' });
      expect(answer.status).toBe(401);
    });

    it('goes on when nobody asks for the file', async () => {
      const operations = JSON.stringify({
        query: 'mutation ($file: Upload!) { throwAway(file: $file) }',
        variables: { file: null },
      });
      expect((await library.post(form(3_000_000, { operations }), preflight())).data).toEqual({
        throwAway: true,
      });
      expect((await library.ask('{ open }')).status).toBe(200);
    });

    it.each([
      ['no map', { map: '' }],
      ['a map that is no JSON', { map: '{' }],
      ['a path that leads nowhere', { map: '{"0":["variables.nothing.file"]}' }],
      ['a path to the prototype', { map: '{"0":["__proto__.polluted"]}' }],
      ['two files', { map: '{"0":["variables.file"],"1":["variables.file"]}', files: 2 }],
      ['a file that is named and missing', { files: 0 }],
      ['operations that are no JSON', { operations: '{' }],
    ])('refuses %s', async (_name, more) => {
      const answer = await library.post(form(10, more), preflight());
      expect(answer.errors?.[0].extensions.code).toMatch(
        /^(BAD_REQUEST|BAD_USER_INPUT|PAYLOAD_TOO_LARGE)$/,
      );
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    });

    it('answers a file where text belongs as an input error', async () => {
      const answer = await library.ask('mutation { cover(file: "text") { bytes } }', { token });
      expect(answer.errors?.[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
    });
  });

  it('keeps the connection of a client for his next request', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ports = new Set<number | undefined>();
    const ask = () =>
      new Promise<void>((resolve, reject) => {
        const asking = request(
          `${library.url}/graphql`,
          { method: 'POST', headers: JSON_TYPE, agent },
          (response) => {
            ports.add(response.socket.localPort);
            response.resume().on('end', resolve);
          },
        );
        asking.on('error', reject).end('{"query":"{ open }"}');
      });
    const armed = jest.spyOn(globalThis, 'setTimeout');
    for (let round = 0; round < 3; round += 1) await ask();
    // What cuts clients that go on sending after their answer must not wait for one that has sent everything.
    expect(armed.mock.calls.map(([, delay]) => delay)).not.toContain(5_000);
    armed.mockRestore();
    expect(ports.size).toBe(1);
    agent.destroy();
  });

  it('tells a resolver when its client is gone', async () => {
    abandoned.length = 0;
    const asking = request(`${library.url}/graphql`, { method: 'POST', headers: JSON_TYPE });
    asking.on('error', () => undefined);
    asking.end('{"query":"{ forever }"}');
    // An operation of another client that ends says that the first one is running by now.
    await library.ask('{ open }');
    asking.destroy();
    while (abandoned.length === 0) await new Promise(setImmediate);
    expect(abandoned).toEqual(['forever']);
  });
});
