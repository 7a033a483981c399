import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { z } from 'zod';
import {
  Conflict,
  NotFound,
  RateLimited,
  Refused,
  Unavailable,
} from '../../src/platform/errors/errors';
import { parseJson } from '../../src/platform/json/parse-json';
import { Reply, route } from '../../src/platform/http/route';
import { BodyId, IdParams, QueryFlag, wholeNumberIn } from '../../src/platform/http/scalars';
import { createRestApi } from '../../src/platform/http/rest-api';
import { createLogger } from '../../src/platform/log/logger';
import {
  configOf,
  exchange,
  openRestDoor,
  readRawAnswer,
  testAuthenticate,
} from '../support/rest-door';
import type { RestDoor } from '../support/rest-door';

const common = { tag: 'test', summary: 'A test.', success: 200 } as const;
const Anything = z.looseObject({});
const failing = (path: string, error: () => unknown, more: object = {}) =>
  route({
    ...common,
    ...more,
    method: 'post',
    path,
    needs: 'public',
    handle: async () => {
      throw error();
    },
  });

const LARGE = { text: 'x'.repeat(5_000) };

const routes = [
  // The parameter path stands first: the literal one has to win all the same.
  route({
    ...common,
    method: 'get',
    path: '/thing/:id',
    needs: 'authenticated',
    params: IdParams,
    handle: async ({ params }) => ({ id: params.id }),
  }),
  route({
    ...common,
    method: 'delete',
    path: '/thing/:id',
    needs: 'USER:DELETE',
    params: IdParams,
    success: 204,
    handle: async () => undefined,
  }),
  route({
    ...common,
    method: 'get',
    path: '/thing/all',
    needs: 'public',
    handle: async () => ['all'],
  }),
  route({
    ...common,
    method: 'delete',
    path: '/:id',
    needs: 'public',
    params: IdParams,
    success: 204,
    handle: async () => undefined,
  }),
  route({
    ...common,
    method: 'get',
    path: '/odd',
    needs: 'USER:READ',
    statuses: { ACCESS_DENIED: 500, TOKEN_EXPIRED: 500 },
    handle: async () => ({}),
  }),
  route({
    ...common,
    method: 'get',
    path: '/own/:id',
    needs: { own: 'MYPROFILE:READ', others: 'USER:READ' },
    params: IdParams,
    handle: async () => ({}),
  }),
  route({
    ...common,
    method: 'get',
    path: '/check/:name',
    needs: 'public',
    handle: async ({ params }) => params,
  }),
  route({
    ...common,
    method: 'get',
    path: '/search',
    needs: 'public',
    query: z.object({ days: wholeNumberIn(1, 366).default(7), flag: QueryFlag.optional() }),
    handle: async ({ query }) => query,
  }),
  route({
    ...common,
    method: 'post',
    path: '/echo',
    needs: 'public',
    body: Anything,
    handle: async ({ body }) => body,
  }),
  route({
    ...common,
    method: 'post',
    path: '/strict',
    needs: 'public',
    body: z.object({ enhanceId: BodyId, name: z.string() }),
    handle: async ({ body }) => body,
  }),
  route({
    ...common,
    method: 'post',
    path: '/created',
    needs: 'public',
    body: z.object({ email: z.string() }),
    invalidAs: 'CREATION_ERROR',
    success: 201,
    handle: async () => new Reply({ ok: true }, { Location: '/api/created/1' }),
  }),
  route({
    ...common,
    method: 'post',
    path: '/login',
    alsoAtRoot: true,
    needs: 'public',
    anyContentType: true,
    body: Anything,
    handle: async ({ body, maybeActor }) => ({ body, who: maybeActor?.userId ?? null }),
  }),
  route({
    ...common,
    method: 'put',
    path: '/action',
    needs: 'public',
    handle: async () => undefined,
  }),
  route({
    ...common,
    method: 'post',
    path: '/workflow',
    needs: 'public',
    bodyLimit: 'workflow',
    body: Anything,
    handle: async () => ({ ok: true }),
  }),
  route({
    ...common,
    method: 'post',
    path: '/upload',
    needs: 'public',
    upload: { part: 'file' },
    body: z.object({ email: z.string() }),
    invalidAs: 'WRONG_FORMAT',
    handle: async ({ file, body }) => ({
      name: file?.fileName,
      type: file?.mimeType,
      size: file?.bytes.length,
      email: body.email,
    }),
  }),
  route({
    ...common,
    method: 'get',
    path: '/file',
    needs: 'public',
    handle: async () => new Reply(Buffer.from([1, 2, 3]), { 'Content-Type': 'image/png' }),
  }),
  route({
    ...common,
    method: 'get',
    path: '/stream',
    needs: 'public',
    handle: async () => new Reply(Readable.from(['a', 'b', 'c']), { 'Content-Type': 'text/plain' }),
  }),
  route({ ...common, method: 'get', path: '/large', needs: 'public', handle: async () => LARGE }),
  failing('/fault', () => new Error('secret inside: /home/x.ts Bearer abcdefgh')),
  failing('/thrown-text', () => 'a text'),
  failing('/conflict', () => new Conflict('TITLE_HAS_ALREADY_TAKEN', 'The title is taken.')),
  failing('/refused', () => new Refused('USERGROUP_NOT_DELETED', 'A group grants it.')),
  failing(
    '/operator',
    () =>
      new Refused(
        'OPERATOR_EXPRESSION_IS_EMPTY',
        'An operator has no expression: index=0_1, type=if.',
      ),
  ),
  failing('/missing', () => new NotFound('CONNECTION_NOT_FOUND', 'No workflow 5.')),
  failing('/limited', () => new RateLimited('Too many.', 29.2)),
  failing('/away', () => new Unavailable()),
];

let door: RestDoor;
beforeAll(async () => {
  door = await openRestDoor(routes, {
    grants: ['USER:READ', 'USER:DELETE'],
    limits: { jsonBytes: 1000, workflowBytes: 5000, uploadBytes: 2000 },
    env: { HYPHA_CORS_ORIGINS: 'https://app.example.com' },
  });
});
afterAll(() => door.close());

const json = (value: unknown): { body: string; headers: Record<string, string> } => ({
  body: JSON.stringify(value),
  headers: { 'Content-Type': 'application/json' },
});
const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

/** The error body of spec 2.7, whole: nothing more, nothing less. */
function expectFailure(
  answer: { status: number; json: any },
  status: number,
  code: string,
  path: string,
): void {
  expect(answer.json).toEqual({
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+0000$/),
    status,
    error: expect.any(String),
    message: code,
    success: 'false',
    path,
  });
  expect(answer.status).toBe(status);
}

describe('who may', () => {
  it('answers 401 without a token, 403 without the right, 401 TOKEN_EXPIRED after its time', async () => {
    const anonymous = await door.call('GET', '/api/thing/1');
    expectFailure(anonymous, 401, 'ACCESS_DENIED', '/api/thing/1');
    expect(anonymous.headers.get('www-authenticate')).toBe('Bearer');
    expectFailure(
      await door.call('GET', '/api/thing/1', bearer('nonsense')),
      401,
      'ACCESS_DENIED',
      '/api/thing/1',
    );
    expectFailure(
      await door.call('DELETE', '/api/thing/1', bearer('weak')),
      403,
      'ACCESS_DENIED',
      '/api/thing/1',
    );
    expectFailure(
      await door.call('GET', '/api/thing/1', bearer('old')),
      401,
      'TOKEN_EXPIRED',
      '/api/thing/1',
    );
    expect((await door.call('GET', '/api/thing/1', bearer('good'))).json).toEqual({ id: 1 });
  });

  it('keeps the documented odd statuses of a route for every way to be refused', async () => {
    expectFailure(await door.call('GET', '/api/odd'), 500, 'ACCESS_DENIED', '/api/odd');
    expectFailure(
      await door.call('GET', '/api/odd', bearer('weak')),
      500,
      'ACCESS_DENIED',
      '/api/odd',
    );
    expectFailure(
      await door.call('GET', '/api/odd', bearer('old')),
      500,
      'TOKEN_EXPIRED',
      '/api/odd',
    );
  });

  it('asks for the right before it looks at the input, so a stranger learns nothing', async () => {
    expectFailure(
      await door.call('GET', '/api/thing/nonsense'),
      401,
      'ACCESS_DENIED',
      '/api/thing/nonsense',
    );
  });

  it('reads no token from the query', async () => {
    expectFailure(
      await door.call('GET', '/api/thing/1?token=Bearer%20good'),
      401,
      'ACCESS_DENIED',
      '/api/thing/1',
    );
  });

  it('serves a public operation whatever is wrong with the token that came along', async () => {
    for (const token of ['nonsense', 'old', 'broken-store']) {
      const { headers, body } = json({});
      const answer = await door.call('POST', '/api/login', {
        body,
        headers: { ...headers, Authorization: `Bearer ${token}` },
      });
      expect(answer.json).toEqual({ body: {}, who: null });
    }
  });

  it('refuses to start with a route that does not say what it needs, or with two for one path', () => {
    const config = configOf();
    const start =
      (...list: object[]) =>
      () =>
        createRestApi({
          routes: list as typeof routes,
          authenticate: testAuthenticate([]),
          config,
          log: createLogger(config, { write: () => undefined }),
        });
    expect(start({ ...common, method: 'get', path: '/x', handle: async () => 1 })).toThrow(
      'does not say what it needs',
    );
    expect(start(...routes, ...routes)).toThrow('Two routes answer');
    const twin = (path: string) => ({
      ...common,
      method: 'get',
      path,
      needs: 'public',
      handle: async () => 1,
    });
    expect(start(twin('/x/:id'), twin('/x/:name'))).toThrow('Two routes answer GET /api/x/:name');
  });
});

describe('paths and methods', () => {
  it('lets a literal path win over a parameter, whatever the order of registration', async () => {
    expect((await door.call('GET', '/api/thing/all')).json).toEqual(['all']);
    expect((await door.call('GET', '/api/thing/all/')).json).toEqual(['all']);
  });

  it.each([
    '/api',
    '/api/',
    '/api/nothing',
    '/api/thing',
    '/api/thing/1/more',
    '/nothing',
    '/THING/all',
    '/api/thing//all',
    '/api/../etc/passwd',
  ])('answers 404 with JSON for %s', async (path) => {
    const answer = readRawAnswer(
      await exchange(door, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
    );
    expectFailure(answer, 404, 'NOT_FOUND', path);
  });

  it('answers 405 with Allow for a known path and a wrong method', async () => {
    const answer = await door.call('PATCH', '/api/thing/1');
    expectFailure(answer, 405, 'METHOD_NOT_ALLOWED', '/api/thing/1');
    expect(answer.headers.get('allow')).toBe('DELETE, GET, HEAD, OPTIONS');
    expect((await door.call('DELETE', '/api/thing/all')).headers.get('allow')).toBe(
      'GET, HEAD, OPTIONS',
    );
    expectFailure(await door.call('GET', '/login'), 405, 'METHOD_NOT_ALLOWED', '/login');
    expectFailure(
      await door.call('PROPFIND', '/api/thing/1'),
      405,
      'METHOD_NOT_ALLOWED',
      '/api/thing/1',
    );
  });

  it('does not take a path of nothing but a parameter for a known one', async () => {
    expectFailure(await door.call('GET', '/api/5'), 405, 'METHOD_NOT_ALLOWED', '/api/5');
    expectFailure(await door.call('GET', '/api/five'), 404, 'NOT_FOUND', '/api/five');
    expect((await door.call('DELETE', '/api/5')).status).toBe(204);
  });

  it('answers OPTIONS with Allow and HEAD like GET without a body', async () => {
    const options = await door.call('OPTIONS', '/api/thing/1');
    expect([options.status, options.headers.get('allow')]).toEqual([
      204,
      'DELETE, GET, HEAD, OPTIONS',
    ]);
    expectFailure(await door.call('OPTIONS', '/api/nothing'), 404, 'NOT_FOUND', '/api/nothing');
    for (const path of ['/api/thing/all', '/api/file', '/api/stream']) {
      const head = await door.call('HEAD', path);
      const get = await door.call('GET', path);
      expect([head.status, head.text, head.headers.get('content-type')]).toEqual([
        200,
        '',
        get.headers.get('content-type'),
      ]);
      expect(get.text).not.toBe('');
    }
  });

  it.each(['1.5', 'x', '1e3', '99999999999', '2147483648', '01', '%20', '-', '0x1'])(
    'refuses %s as an id',
    async (id) => {
      expectFailure(
        await door.call('GET', `/api/thing/${id}`, bearer('good')),
        400,
        'BAD_REQUEST',
        `/api/thing/${id}`,
      );
    },
  );

  it('decodes parameters, slashes and umlauts too', async () => {
    expect((await door.call('GET', '/api/check/a%2Fb%20%C3%BC')).json).toEqual({ name: 'a/b ü' });
  });

  it.each([
    '/api/check/%',
    '/api/check/%ff',
    '/api/check/%E0%A4%A',
    '/%zz',
    '/api/search?days=%zz',
  ])('answers 400 for the broken encoding of %s', async (target) => {
    const answer = readRawAnswer(
      await exchange(door, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
    );
    expectFailure(answer, 400, 'BAD_REQUEST', target.split('?')[0] ?? '');
  });
});

describe('queries', () => {
  it('fills defaults and reads whole numbers and flags', async () => {
    expect((await door.call('GET', '/api/search')).json).toEqual({ days: 7 });
    expect((await door.call('GET', '/api/search?days=366&flag=true&unknown=1')).json).toEqual({
      days: 366,
      flag: true,
    });
  });

  it.each([
    'days=0',
    'days=367',
    'days=',
    'days=1.5',
    'days=-1',
    'days=1&days=2',
    'days=%31x',
    'flag=yes',
    'flag=',
    'days[]=1&days=x',
  ])('refuses ?%s', async (query) => {
    expectFailure(
      await door.call('GET', `/api/search?${query}`),
      400,
      'BAD_REQUEST',
      '/api/search',
    );
  });

  it('does not let a query reach the prototype', async () => {
    expect((await door.call('GET', '/api/search?__proto__=1&constructor=2')).json).toEqual({
      days: 7,
    });
    expect(({} as Record<string, unknown>)['1']).toBeUndefined();
  });
});

describe('bodies', () => {
  it('ignores unknown properties and reads an id sent as text', async () => {
    const answer = await door.call(
      'POST',
      '/api/strict',
      json({ enhanceId: '12', name: 'x', more: true }),
    );
    expect(answer.json).toEqual({ enhanceId: 12, name: 'x' });
  });

  it('names the field that does not fit, and never its value', async () => {
    const answer = await door.call('POST', '/api/strict', json({ enhanceId: 'hunter2', name: 5 }));
    expectFailure(answer, 400, 'BAD_REQUEST', '/api/strict');
    expect(answer.json.error).toMatch(
      /^The body does not fit\. enhanceId: Expected a whole number; name: .*[^.]\.$/,
    );
    expect(answer.text).not.toContain('hunter2');
  });

  it('answers with the code of the route for a body that does not fit, and with BAD_REQUEST for one that is no JSON', async () => {
    expectFailure(
      await door.call('POST', '/api/created', json({})),
      500,
      'CREATION_ERROR',
      '/api/created',
    );
    expectFailure(
      await door.call('POST', '/api/created', json(null)),
      500,
      'CREATION_ERROR',
      '/api/created',
    );
    expectFailure(await door.call('POST', '/api/created'), 500, 'CREATION_ERROR', '/api/created');
    expectFailure(
      await door.call('POST', '/api/created', {
        body: '{"email":',
        headers: { 'Content-Type': 'application/json' },
      }),
      400,
      'BAD_REQUEST',
      '/api/created',
    );
  });

  it.each([
    ['bad JSON', '{"a":hunter2}'],
    ['two values', '{}{}'],
    ['a lone comma', ','],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['deep arrays', '['.repeat(400) + ']'.repeat(400)],
  ])('answers 400 for %s', async (_name, body) => {
    const answer = await door.call('POST', '/api/echo', {
      body,
      headers: { 'Content-Type': 'application/json' },
    });
    expectFailure(answer, 400, 'BAD_REQUEST', '/api/echo');
    expect(answer.text).not.toContain('hunter2');
  });

  it('refuses the name __proto__ at any depth, spelt in any way', async () => {
    for (const body of [
      '{"__proto__":{"admin":true}}',
      '{"a":[{"\\u005f_proto__":{"admin":true}}]}',
    ]) {
      expectFailure(
        await door.call('POST', '/api/echo', {
          body,
          headers: { 'Content-Type': 'application/json' },
        }),
        400,
        'BAD_REQUEST',
        '/api/echo',
      );
    }
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it.each([
    ['more values than anybody needs', `[${'1,'.repeat(400)}1]`, 413],
    [
      'more names in one object than anybody needs',
      JSON.stringify(Object.fromEntries(Array.from({ length: 21 }, (_, nth) => [nth, nth]))),
      413,
    ],
    ['nesting of 101 levels', '['.repeat(101) + ']'.repeat(101), 400],
  ])('refuses %s', async (_name, body, status) => {
    // The door of these tests reads no more than 1,000 bytes: what is counted here is counted by the parser.
    const parsing = parseJson(Buffer.from(body), { depth: 100, values: 300, names: 20 });
    await expect(parsing).rejects.toMatchObject({
      kind: status === 413 ? 'too-large' : 'malformed',
    });
  });

  it.each(['1e400', '-1e400', '1e-400', '[1,{"a":12345678901234567890}]', `1${'0'.repeat(400)}`])(
    'refuses the number in %s, which no double holds',
    async (number) => {
      const answer = await door.call('POST', '/api/echo', {
        body: `{"a":${number}}`,
        headers: { 'Content-Type': 'application/json' },
      });
      expectFailure(answer, 400, 'BAD_REQUEST', '/api/echo');
    },
  );

  it('takes every number a double holds, and long ones in texts', async () => {
    const body = {
      a: [
        9007199254740991, 9007199254740992, 12345678901234567890, 1e21, 1.7976931348623157e308,
        5e-324, 0, -0.1,
      ],
      b: '12345678901234567890 1e400',
    };
    expect((await door.call('POST', '/api/echo', json(body))).json).toEqual(body);
    expect(
      (
        await door.call('POST', '/api/echo', {
          ...json(body),
          body: '{"a":[100000000000000000000, 0e-500, 0.30000000000000000001]}',
        })
      ).json,
    ).toEqual({ a: [1e20, 0, 0.3] });
  });

  it.each([
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'nonsense',
  ])('answers 415 for %s', async (type) => {
    expectFailure(
      await door.call('POST', '/api/echo', { body: '{}', headers: { 'Content-Type': type } }),
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      '/api/echo',
    );
  });

  it('answers 415 for a compressed body', async () => {
    const answer = await door.call('POST', '/api/echo', {
      body: '{}',
      headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
    });
    expectFailure(answer, 415, 'UNSUPPORTED_MEDIA_TYPE', '/api/echo');
  });

  it('takes JSON with a charset, with a +json type, with a byte order mark and without a type', async () => {
    for (const type of [
      'application/json; charset=UTF-8',
      'application/merge-patch+json',
      'APPLICATION/JSON',
    ]) {
      expect(
        (
          await door.call('POST', '/api/echo', {
            body: '\uFEFF{"a":1}',
            headers: { 'Content-Type': type },
          })
        ).json,
      ).toEqual({ a: 1 });
    }
    const answer = await exchange(
      door,
      'POST /api/echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 7\r\n\r\n{"a":1}',
    );
    expect(readRawAnswer(answer).json).toEqual({ a: 1 });
  });

  it('does not look at the content type of a sign-in, at either of its addresses', async () => {
    for (const path of ['/login', '/api/login']) {
      const answer = await door.call('POST', path, {
        body: '{"email":"a"}',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      });
      expect(answer.json).toEqual({ body: { email: 'a' }, who: null });
    }
  });

  it('takes a body of the limit and answers 413 for one byte more, announced or not', async () => {
    const bodyOf = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`;
    const headers = { 'Content-Type': 'application/json' };
    expect((await door.call('POST', '/api/echo', { body: bodyOf(1000), headers })).status).toBe(
      200,
    );
    expectFailure(
      await door.call('POST', '/api/echo', { body: bodyOf(1001), headers }),
      413,
      'PAYLOAD_TOO_LARGE',
      '/api/echo',
    );
    expect((await door.call('POST', '/api/workflow', { body: bodyOf(5000), headers })).status).toBe(
      200,
    );
    expectFailure(
      await door.call('POST', '/api/workflow', { body: bodyOf(5001), headers }),
      413,
      'PAYLOAD_TOO_LARGE',
      '/api/workflow',
    );
    const chunk = `${(600).toString(16)}\r\n${'x'.repeat(600)}\r\n`;
    const chunked = await exchange(
      door,
      `POST /api/echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}${chunk}0\r\n\r\n`,
    );
    expectFailure(readRawAnswer(chunked), 413, 'PAYLOAD_TOO_LARGE', '/api/echo');
  });

  it('answers a far too large body before it has come, and the client can read the answer', async () => {
    const answer = await door.call('POST', '/api/echo', {
      body: Buffer.alloc(8 * 1024 * 1024, 'x'),
      headers: { 'Content-Type': 'application/json' },
    });
    expectFailure(answer, 413, 'PAYLOAD_TOO_LARGE', '/api/echo');
  });

  it('tolerates bodies where none is wanted: DELETE with JSON, {} on an action, even nonsense', async () => {
    expect((await door.call('DELETE', '/api/5', json({ a: 1 }))).status).toBe(204);
    expect((await door.call('PUT', '/api/action', json({}))).status).toBe(200);
    expect(
      (
        await door.call('PUT', '/api/action', {
          body: 'nonsense',
          headers: { 'Content-Type': 'text/plain' },
        })
      ).status,
    ).toBe(200);
    const empty = await door.call('PUT', '/api/action');
    expect([empty.status, empty.text, empty.headers.get('content-length')]).toEqual([200, '', '0']);
  });
});

describe('uploads', () => {
  const form = (...parts: [string, string | Blob, string?][]) => {
    const data = new FormData();
    for (const [name, value, fileName] of parts) {
      if (typeof value === 'string') data.append(name, value);
      else data.append(name, value, fileName);
    }
    return { body: data };
  };
  const picture = (bytes: number) => new Blob([new Uint8Array(bytes)], { type: 'image/png' });

  it('reads one file and the fields around it, in any order', async () => {
    const expected = { name: 'größe.png', type: 'image/png', size: 3, email: 'a@b.c' };
    expect(
      (
        await door.call(
          'POST',
          '/api/upload',
          form(['email', 'a@b.c'], ['file', picture(3), 'größe.png']),
        )
      ).json,
    ).toEqual(expected);
    expect(
      (
        await door.call(
          'POST',
          '/api/upload',
          form(['file', picture(3), 'größe.png'], ['email', 'a@b.c']),
        )
      ).json,
    ).toEqual(expected);
  });

  it('takes a file of the limit and answers 413 for one byte more', async () => {
    expect(
      (await door.call('POST', '/api/upload', form(['email', 'a'], ['file', picture(2000), 'a'])))
        .json.size,
    ).toBe(2000);
    expectFailure(
      await door.call('POST', '/api/upload', form(['email', 'a'], ['file', picture(2001), 'a'])),
      413,
      'PAYLOAD_TOO_LARGE',
      '/api/upload',
    );
    expectFailure(
      await door.call(
        'POST',
        '/api/upload',
        form(['email', 'a'], ['file', picture(4_000_000), 'a']),
      ),
      413,
      'PAYLOAD_TOO_LARGE',
      '/api/upload',
    );
  });

  it('answers with the code of the route when file or field is missing', async () => {
    expectFailure(
      await door.call('POST', '/api/upload', form(['email', 'a'])),
      500,
      'WRONG_FORMAT',
      '/api/upload',
    );
    expectFailure(
      await door.call('POST', '/api/upload', form(['file', picture(1), 'a'])),
      500,
      'WRONG_FORMAT',
      '/api/upload',
    );
  });

  it('answers 400 for a second file, a file in another part, a field sent twice, a flood of fields', async () => {
    for (const parts of [
      [
        ['email', 'a'],
        ['file', picture(1), 'a'],
        ['file', picture(1), 'b'],
      ],
      [
        ['email', 'a'],
        ['other', picture(1), 'a'],
      ],
      [
        ['email', 'a'],
        ['email', 'b'],
        ['file', picture(1), 'a'],
      ],
      [...Array.from({ length: 60 }, (_, at) => [`f${at}`, 'x']), ['file', picture(1), 'a']],
      [
        ['email', 'x'.repeat(70_000)],
        ['file', picture(1), 'a'],
      ],
    ] as [string, string | Blob, string?][][]) {
      expectFailure(
        await door.call('POST', '/api/upload', form(...parts)),
        400,
        'BAD_REQUEST',
        '/api/upload',
      );
    }
  });

  it.each([
    ['no boundary', 'multipart/form-data', 'x'],
    [
      'no end',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
    ],
    ['no parts', 'multipart/form-data; boundary=b', 'nothing'],
  ])('answers 400 for a broken body: %s', async (_name, type, body) => {
    expectFailure(
      await door.call('POST', '/api/upload', { body, headers: { 'Content-Type': type } }),
      400,
      'BAD_REQUEST',
      '/api/upload',
    );
  });

  it('answers 415 for JSON where a form is wanted', async () => {
    expectFailure(
      await door.call('POST', '/api/upload', json({})),
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      '/api/upload',
    );
  });

  it.each([
    [
      'a form',
      '/api/upload',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
    ],
    ['JSON', '/api/echo', 'application/json', '{"a":'],
  ])(
    'lets a client that leaves in the middle of %s go, and logs it',
    async (_name, path, type, start) => {
      const mark = `leaver-${type.length}`;
      const socket = connect(door.port, '127.0.0.1');
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${mark}\r\nContent-Type: ${type}\r\nContent-Length: 900\r\n\r\n${start}`,
      );
      await once(door.http.server, 'request');
      socket.destroy();
      const { requestId } = await untilLogged(
        (line) => line.clientRequestId === mark && line.msg === 'request',
      );
      expect(
        door.lines.filter((line) => line.requestId === requestId && line.level === 'error'),
      ).toEqual([]);
    },
  );
});

/** Waits for a line of the log; the time limit of the test is the time limit. */
async function untilLogged(
  wanted: (line: Record<string, any>) => boolean,
): Promise<Record<string, any>> {
  for (;;) {
    const line = door.lines.find(wanted);
    if (line) return line;
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}

describe('failures', () => {
  it.each([
    ['/api/conflict', 409, 'TITLE_HAS_ALREADY_TAKEN'],
    ['/api/refused', 500, 'USERGROUP_NOT_DELETED'],
    ['/api/operator', 400, 'OPERATOR_EXPRESSION_IS_EMPTY'],
    ['/api/missing', 404, 'CONNECTION_NOT_FOUND'],
    ['/api/limited', 429, 'TOO_MANY_ATTEMPTS'],
    ['/api/away', 503, 'SERVICE_UNAVAILABLE'],
  ] as const)('%s answers %i %s', async (path, status, code) => {
    const answer = await door.call('POST', path);
    expectFailure(answer, status, code, path);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('says when to come back', async () => {
    expect((await door.call('POST', '/api/limited')).headers.get('retry-after')).toBe('30');
    expect((await door.call('POST', '/api/away')).headers.get('retry-after')).toBe('5');
  });

  it('names the operator without an expression', async () => {
    expect((await door.call('POST', '/api/operator')).json.error).toContain('index=0_1, type=if');
  });

  it('tells nothing of a fault but the request id, and logs it once with its stack and without secrets', async () => {
    const answer = await door.call('POST', '/api/fault', {
      headers: { 'X-Request-Id': 'fault-1' },
    });
    expectFailure(answer, 500, 'INTERNAL_SERVER_ERROR', '/api/fault');
    const requestId = answer.headers.get('x-request-id') ?? '';
    expect(answer.json.error).toContain(requestId);
    expect(answer.text).not.toMatch(/secret inside|\.ts|at /);
    const faults = door.lines.filter(
      (line) => line.requestId === requestId && line.msg === 'fault',
    );
    expect(faults).toHaveLength(1);
    expect(faults[0]?.err.stack).toContain('manners.test');
    expect(faults[0]?.err.message).toContain('secret inside');
    expect(door.rawLog.join('')).not.toContain('abcdefgh');
    expectFailure(
      await door.call('POST', '/api/thrown-text'),
      500,
      'INTERNAL_SERVER_ERROR',
      '/api/thrown-text',
    );
  });

  it.each([
    ['nonsense', 'nonsense\r\n\r\n', 400],
    ['a bad version', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n', 400],
    ['a bad header', 'GET /api/x HTTP/1.1\r\nHost: x\r\nbad header: \x01\r\n\r\n', 400],
    [
      'a flood of headers',
      `GET /api/x HTTP/1.1\r\nHost: x\r\n${`X-Flood: ${'x'.repeat(100)}\r\n`.repeat(400)}\r\n`,
      431,
    ],
    ['a very long address', `GET /api/${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
    [
      'two lengths',
      'POST /api/echo HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
      400,
    ],
    [
      'length and chunks',
      'POST /api/echo HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['no Host', 'GET /api/thing/all HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    [
      'a Host that is none',
      'GET /api/thing/all HTTP/1.1\r\nHost: a/b"><script>\r\nConnection: close\r\n\r\n',
      400,
    ],
    [
      'two Hosts',
      'GET /api/thing/all HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n',
      400,
    ],
    [
      'an unmet expectation',
      'GET /api/thing/all HTTP/1.1\r\nHost: x\r\nExpect: tea\r\nConnection: close\r\n\r\n',
      417,
    ],
  ])('answers %s with a JSON body', async (_name, bytes, status) => {
    const answer = readRawAnswer(await exchange(door, bytes));
    expect(answer.head).toMatch(/content-type: application\/json/i);
    expectFailure(answer, status, 'BAD_REQUEST', answer.json.path);
    expect(answer.json.path).toMatch(/^\/|^$/);
  });
});

describe('headers', () => {
  it('answers a request id of ours, and logs the one that came beside it when it is sane', async () => {
    for (const [theirs, logged] of [
      ['abc-1', 'abc-1'],
      ['a b', undefined],
      ['x'.repeat(101), undefined],
      ['{"a":1}', undefined],
    ] as const) {
      const id = (
        await door.call('GET', '/api/thing/all', { headers: { 'X-Request-Id': theirs } })
      ).headers.get('x-request-id');
      expect(id).toMatch(/^[0-9a-f-]{36}$/);
      expect(
        (await untilLogged((line) => line.requestId === id && line.msg === 'request'))
          .clientRequestId,
      ).toBe(logged);
    }
  });

  it('sends the security headers and does not say what it is built with', async () => {
    const { headers } = await door.call('GET', '/api/nothing');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(headers.get('x-powered-by')).toBeNull();
  });

  it('lets the configured origin in, with everything its frontend sends', async () => {
    const preflight = await door.call('OPTIONS', '/api/thing/1', {
      headers: {
        Origin: 'https://app.example.com',
        'Access-Control-Request-Method': 'DELETE',
        'Access-Control-Request-Headers': 'authorization,crossdomain,timeout,x-master-password',
      },
    });
    expect(preflight.status).toBe(204);
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      'access-control-allow-origin': 'https://app.example.com',
      'access-control-allow-credentials': 'true',
      'access-control-allow-headers': 'authorization,crossdomain,timeout,x-master-password',
      'access-control-max-age': '7200',
    });
    expect(preflight.headers.get('access-control-allow-methods')).toContain('DELETE');
    expect(preflight.headers.get('vary')).toContain('Origin');
    const answer = await door.call('GET', '/api/nothing', {
      headers: { Origin: 'https://app.example.com' },
    });
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://app.example.com');
    expect(answer.headers.get('access-control-expose-headers')).toBe(
      'Authorization, X-Request-Id, ETag, Location, Retry-After, Deprecation, Link, Preference-Applied',
    );
  });

  it('gives other origins nothing, and its own everything', async () => {
    for (const origin of ['https://evil.example.com', 'https://app.example.com.evil.com', 'null']) {
      const answer = await door.call('GET', '/api/thing/all', { headers: { Origin: origin } });
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
      expect(answer.headers.get('vary')).toContain('Origin');
    }
    expect(
      (await door.call('GET', '/api/thing/all', { headers: { Origin: door.url } })).headers.get(
        'access-control-allow-origin',
      ),
    ).toBe(door.url);
  });

  it('tells a page of another origin nothing of what it may send', async () => {
    const preflight = await door.call('OPTIONS', '/api/thing/1', {
      headers: {
        Origin: 'https://evil.example.com',
        'Access-Control-Request-Method': 'DELETE',
        'Access-Control-Request-Headers': 'authorization',
      },
    });
    for (const header of [
      'access-control-allow-origin',
      'access-control-allow-credentials',
      'access-control-expose-headers',
    ]) {
      expect(preflight.headers.get(header)).toBeNull();
    }
  });

  it('compresses what is large for who takes it, and says that answers differ by that', async () => {
    for (const coding of ['gzip', 'br']) {
      const large = await door.call('GET', '/api/large', {
        headers: { 'Accept-Encoding': coding },
      });
      expect([large.headers.get('content-encoding'), large.headers.get('vary')]).toEqual([
        coding,
        expect.stringContaining('Accept-Encoding'),
      ]);
      expect(large.json).toEqual(LARGE);
      expect(
        (
          await door.call('GET', '/api/thing/all', { headers: { 'Accept-Encoding': coding } })
        ).headers.get('content-encoding'),
      ).toBeNull();
    }
    const plain = readRawAnswer(
      await exchange(door, 'GET /api/large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'),
    );
    expect([/content-encoding/i.test(plain.head), plain.json]).toEqual([false, LARGE]);
  });

  it('keeps Location and other headers of a reply', async () => {
    const answer = await door.call('POST', '/api/created', json({ email: 'a' }));
    expect([answer.status, answer.headers.get('location')]).toEqual([201, '/api/created/1']);
  });

  it('answers 304 to a client that has the same answer already', async () => {
    const first = await door.call('GET', '/api/thing/all');
    const again = await exchange(
      door,
      `GET /api/thing/all HTTP/1.1\r\nHost: x\r\nIf-None-Match: ${first.headers.get('etag')}\r\nConnection: close\r\n\r\n`,
    );
    expect(readRawAnswer(again)).toMatchObject({ status: 304, json: undefined });
  });
});

describe('the log', () => {
  it('is one JSON object a line and never holds a secret', async () => {
    await door.call('POST', '/api/login?token=Bearer%20tok3n&password=hunter2&days=1', {
      body: JSON.stringify({ email: 'a', password: 'pa55' }),
      headers: {
        'Content-Type': 'application/json',
        Authorization: 'Bearer s3cr3t',
        Cookie: 'sid=c00kie',
        'X-Master-Password': 'm4ster',
        'X-Request-Id': 'quiet',
      },
    });
    const line = await untilLogged((entry) => entry.clientRequestId === 'quiet');
    expect(line).toMatchObject({
      level: 'info',
      method: 'POST',
      status: 200,
      address: '127.0.0.1',
      msg: 'request',
    });
    expect(line.path).toBe('/api/login?token=***&password=***&days=1');
    expect(door.rawLog.join('')).not.toMatch(/tok3n|hunter2|pa55|s3cr3t|c00kie|m4ster/);
    for (const raw of door.rawLog) expect(raw).toMatch(/^\{.*\}\n$/);
  });
});
