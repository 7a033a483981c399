/** @jest-environment node */
import { Agent, request } from 'node:http';
import { testLibrary, UNREADABLE } from '../../support/graphql/open-library';
import { abandoned } from '../../support/graphql/library-schema';
import { longIt } from '../../support/long';

const JSON_TYPE = { 'content-type': 'application/json' };

describe('GraphQL over HTTP', () => {
  const library = testLibrary({ origins: ['https://app.example.com'] });
  let token: string;
  beforeAll(async () => {
    token = library.signIn('writer', ['USER:READ', 'USER:CREATE', 'USER:UPDATE']);
  });

  const create = (title: string) =>
    library.ask(
      'mutation ($input: BookCreateInput!) { bookCreate(input: $input) { book { title databaseId } userErrors { code message path } } }',
      { variables: { input: { title } }, token },
    );

  describe('statuses', () => {
    it('rejects mutations by GET with an Allow header', async () => {
      const named = await fetch(
        `${library.url}/graphql?query=${encodeURIComponent('mutation { bookCreate(input: { title: "x" }) { book { title } } }')}`,
        { headers: { 'apollo-require-preflight': '1', authorization: `Bearer ${token}` } },
      );
      expect([named.status, named.headers.get('allow')]).toEqual([405, 'POST']);
    });

    it('answers queries by GET only with a preflight header', async () => {
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

    it.each(['variables=null', 'extensions=null', 'variables=null&extensions=null'])(
      'answers queries by GET with %s',
      async (parameters) => {
        const answer = await fetch(`${library.url}/graphql?${parameters}&query=%7Bopen%7D`, {
          headers: JSON_TYPE,
        });
        expect(await answer.json()).toEqual({ data: { open: 'come in' } });
      },
    );

    it('is served under /api too, and ignores browsers and other paths', async () => {
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

    it('lists its methods in Allow', async () => {
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

  describe('error handling', () => {
    it('reports input problems in userErrors', async () => {
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

    it('returns 429 with Retry-After when a caller is rate limited', async () => {
      const answer = await create('limited');
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '30']);
      expect(answer.errors?.[0].extensions).toEqual({
        code: 'RATE_LIMITED',
        reason: 'TOO_MANY_CALLS',
        retryAfter: 30,
        requestId: expect.any(String),
      });
    });

    it('masks internal errors and logs them with the request id', async () => {
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

    it('masks errors of the session lookup over HTTP and WebSocket', async () => {
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

    it('gives every rejected request a code and the request id', async () => {
      const answers = [
        await library.post('[]', JSON_TYPE),
        await library.post('{"query":{}}', JSON_TYPE),
        await library.post('{"query":"{ open }"}', { ...JSON_TYPE, accept: 'image/png' }),
        await library.post(
          '{"query":"{ open }","extensions":{"persistedQuery":{"version":1,"sha256Hash":"x"}}}',
          JSON_TYPE,
        ),
        await library.post(Buffer.from([0x7b, 0xff, 0x7d]), JSON_TYPE),
        await library.post('{"query":"{ open }","__proto__":{"x":1}}', JSON_TYPE),
      ];
      for (const answer of answers) {
        expect(answer.errors?.[0].extensions).toMatchObject({
          code: 'BAD_REQUEST',
          requestId: answer.headers.get('x-request-id'),
        });
      }
      expect(answers.map(({ status }) => status)).toEqual([400, 400, 406, 400, 400, 400]);
    });

    it('quotes at most 1,000 characters of a document or a variable', async () => {
      const long = 'x'.repeat(50_000);
      for (const answer of [
        await library.ask(`{ open "${long}" }`),
        await library.ask(`{ ${long} }`),
        await library.ask('query ($n: Int) { books(first: $n) { totalCount } }', {
          variables: { n: long },
          token,
        }),
      ]) {
        expect(answer.errors?.[0].message.length).toBeLessThanOrEqual(1_001);
        expect(answer.errors?.[0].message).toMatch(/x{500}…$/);
      }
    });

    const ofSize = (bytes: number): string =>
      `{"query":"{ open }","operationName":null,"x":"${'x'.repeat(bytes - 48)}"}`;
    const sent = async (
      bytes: number,
      headers: Record<string, string> = {},
    ): Promise<unknown[]> => {
      const { status, errors } = await library.post(ofSize(bytes), { ...JSON_TYPE, ...headers });
      return [status, errors?.[0].extensions.code];
    };
    const signedIn = (): Record<string, string> => ({ authorization: `Bearer ${token}` });

    it('accepts a body of 1 MiB, without a token of 64 KiB, and rejects one byte more', async () => {
      expect(ofSize(1024 * 1024)).toHaveLength(1024 * 1024);
      expect(await sent(1024 * 1024, signedIn())).toEqual([200, undefined]);
      expect(await sent(1024 * 1024 + 1, signedIn())).toEqual([413, 'PAYLOAD_TOO_LARGE']);
      expect(await sent(64 * 1024)).toEqual([200, undefined]);
      expect(await sent(64 * 1024 + 1)).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    });

    it('rejects a token that is not valid before the size of the body', async () => {
      const rejected = { authorization: 'Bearer e30.e30.x' };
      expect(await sent(64 * 1024, rejected)).toEqual([200, undefined]);
      expect(await sent(64 * 1024 + 1, rejected)).toEqual([401, 'UNAUTHENTICATED']);
      expect(await sent(2 * 1024 * 1024, rejected)).toEqual([401, 'UNAUTHENTICATED']);
    });

    it('sends Cache-Control: no-store and Vary', async () => {
      const { headers } = await library.ask('{ open }');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('vary')).toContain('Authorization');
    });
  });

  describe('file uploads', () => {
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

    it('follow the multipart request specification', async () => {
      expect((await library.post(form(70_000), preflight())).data).toEqual({
        cover: { fileName: 'cover.png', bytes: 70_000 },
      });
    });

    longIt('are accepted up to 20 MiB and rejected above', async () => {
      expect((await library.post(form(20 * 1024 * 1024), preflight())).data.cover.bytes).toBe(
        20 * 1024 * 1024,
      );
      const over = await library.post(form(20 * 1024 * 1024 + 1), preflight());
      expect([over.status, over.errors?.[0].extensions.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    });

    it('accept an operation of 1 MiB next to the file and reject one byte more', async () => {
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

    it('are rejected without a preflight header', async () => {
      const answer = await library.post(form(10), { authorization: `Bearer ${token}` });
      expect([answer.status, answer.errors?.[0].extensions.code]).toEqual([400, 'BAD_REQUEST']);
    });

    it('are rejected for unauthenticated clients without reading the file', async () => {
      const answer = await library.post(form(5_000_000), { 'apollo-require-preflight': 'true' });
      expect(answer.status).toBe(401);
    });

    it('complete when the resolver ignores the file', async () => {
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
      ['a map that is not JSON', { map: '{' }],
      ['a path to a missing variable', { map: '{"0":["variables.nothing.file"]}' }],
      ['a path to the prototype', { map: '{"0":["__proto__.polluted"]}' }],
      ['two files', { map: '{"0":["variables.file"],"1":["variables.file"]}', files: 2 }],
      ['a missing file', { files: 0 }],
      ['operations that are not JSON', { operations: '{' }],
    ])('are rejected with %s', async (_name, more) => {
      const answer = await library.post(form(10, more), preflight());
      expect(answer.errors?.[0].extensions.code).toMatch(
        /^(BAD_REQUEST|BAD_USER_INPUT|PAYLOAD_TOO_LARGE)$/,
      );
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    });

    it('report text in place of a file as an input error', async () => {
      const answer = await library.ask('mutation { cover(file: "text") { bytes } }', { token });
      expect(answer.errors?.[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
    });
  });

  it('keeps the connection open for the next request', async () => {
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
    // The timer that cuts slow senders must not be set for complete requests.
    expect(armed.mock.calls.map(([, delay]) => delay)).not.toContain(5_000);
    armed.mockRestore();
    expect(ports.size).toBe(1);
    agent.destroy();
  });

  it('aborts a resolver when its client disconnects', async () => {
    abandoned.length = 0;
    const asking = request(`${library.url}/graphql`, { method: 'POST', headers: JSON_TYPE });
    asking.on('error', () => undefined);
    asking.end('{"query":"{ forever }"}');
    // After this response the first operation is running.
    await library.ask('{ open }');
    asking.destroy();
    while (abandoned.length === 0) await new Promise(setImmediate);
    expect(abandoned).toEqual(['forever']);
  });
});
