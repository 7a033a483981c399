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
} from '../../../src/platform/errors/errors';
import { parseJson } from '../../../src/platform/json/parse-json';
import { Reply, routesTagged } from '../../../src/platform/http/route';
import { BodyId, IdParams, QueryFlag, wholeNumberIn } from '../../../src/platform/http/scalars';
import { RestApi } from '../../../src/platform/http/rest-api';
import { createLogger } from '../../../src/platform/log/logger';
import {
  configOf,
  exchange,
  openRestTransport,
  readRawAnswer,
  testAuthenticate,
} from '../../support/calls/rest-transport';
import type { RestTransport } from '../../support/calls/rest-transport';

const route = routesTagged('test');

const common = { summary: 'A test.' } as const;
const Anything = z.looseObject({});
const failing = (path: `/${string}`, error: () => unknown, more: object = {}) =>
  route(`POST ${path}`, {
    ...common,
    ...more,
    needs: 'public',
    handle: async () => {
      throw error();
    },
  });

const routes = [
  // Registered before the literal path, which must still win.
  route('GET /thing/:id', {
    ...common,
    needs: 'authenticated',
    params: IdParams,
    handle: async ({ params }) => ({ id: params.id }),
  }),
  route('DELETE /thing/:id', {
    ...common,
    needs: 'USER:DELETE',
    params: IdParams,
    success: 204,
    handle: async () => undefined,
  }),
  route('GET /thing/all', {
    ...common,
    needs: 'public',
    handle: async () => ['all'],
  }),
  route('DELETE /:id', {
    ...common,
    needs: 'public',
    params: IdParams,
    success: 204,
    handle: async () => undefined,
  }),
  route('GET /odd', {
    ...common,
    needs: 'USER:READ',
    statuses: { ACCESS_DENIED: 500, TOKEN_EXPIRED: 500 },
    handle: async () => ({}),
  }),
  route('GET /own/:id', {
    ...common,
    needs: { own: 'MYPROFILE:READ', others: 'USER:READ' },
    params: IdParams,
    handle: async () => ({}),
  }),
  route('GET /check/:name', {
    ...common,
    needs: 'public',
    handle: async ({ params }) => params,
  }),
  route('GET /search', {
    ...common,
    needs: 'public',
    query: z.object({ days: wholeNumberIn(1, 366).default(7), flag: QueryFlag.optional() }),
    handle: async ({ query }) => query,
  }),
  route('POST /echo', {
    ...common,
    needs: 'public',
    body: Anything,
    handle: async ({ body }) => body,
  }),
  route('POST /strict', {
    ...common,
    needs: 'public',
    body: z.object({ enhanceId: BodyId, name: z.string() }),
    handle: async ({ body }) => body,
  }),
  route('POST /created', {
    ...common,
    needs: 'public',
    body: z.object({ email: z.string() }),
    invalidAs: 'CREATION_ERROR',
    success: 201,
    handle: async () => new Reply({ ok: true }, { Location: '/api/created/1' }),
  }),
  route('POST /login', {
    ...common,
    alsoAtRoot: true,
    needs: 'public',
    anyContentType: true,
    body: Anything,
    handle: async ({ body, maybeActor }) => ({ body, who: maybeActor?.userId ?? null }),
  }),
  route('PUT /action', {
    ...common,
    needs: 'public',
    handle: async () => undefined,
  }),
  route('POST /workflow', {
    ...common,
    needs: 'public',
    bodyLimit: 'workflow',
    body: Anything,
    handle: async () => ({ ok: true }),
  }),
  route('POST /upload', {
    ...common,
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
  route('GET /file', {
    ...common,
    needs: 'public',
    handle: async () => new Reply(Buffer.from([1, 2, 3]), { 'Content-Type': 'image/png' }),
  }),
  route('GET /stream', {
    ...common,
    needs: 'public',
    handle: async () => new Reply(Readable.from(['a', 'b', 'c']), { 'Content-Type': 'text/plain' }),
  }),
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

let rest: RestTransport;
beforeAll(async () => {
  rest = await openRestTransport(routes, {
    grants: ['USER:READ', 'USER:DELETE'],
    limits: { jsonBytes: 1000, workflowBytes: 5000, uploadBytes: 2000 },
    env: { HYPHA_CORS_ORIGINS: 'https://app.example.com' },
  });
});
afterAll(() => rest.close());

const json = (value: unknown): { body: string; headers: Record<string, string> } => ({
  body: JSON.stringify(value),
  headers: { 'Content-Type': 'application/json' },
});
const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

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

async function expectRefusal(
  status: number,
  code: string,
  ...request: Parameters<RestTransport['call']>
): Promise<void> {
  expectFailure(await rest.call(...request), status, code, request[1].split('?')[0] ?? '');
}

describe('access control', () => {
  it('returns 401 without a token, 403 without the permission and 401 TOKEN_EXPIRED for an expired token', async () => {
    const anonymous = await rest.call('GET', '/api/thing/1');
    expectFailure(anonymous, 401, 'ACCESS_DENIED', '/api/thing/1');
    expect(anonymous.headers.get('www-authenticate')).toBe('Bearer');
    await expectRefusal(401, 'ACCESS_DENIED', 'GET', '/api/thing/1', bearer('nonsense'));
    await expectRefusal(403, 'ACCESS_DENIED', 'DELETE', '/api/thing/1', bearer('weak'));
    await expectRefusal(401, 'TOKEN_EXPIRED', 'GET', '/api/thing/1', bearer('old'));
    expect((await rest.call('GET', '/api/thing/1', bearer('good'))).json).toEqual({ id: 1 });
  });

  it('uses the documented exceptional statuses of a route for each kind of refusal', async () => {
    await expectRefusal(500, 'ACCESS_DENIED', 'GET', '/api/odd');
    await expectRefusal(500, 'ACCESS_DENIED', 'GET', '/api/odd', bearer('weak'));
    await expectRefusal(500, 'TOKEN_EXPIRED', 'GET', '/api/odd', bearer('old'));
  });

  it('ignores a token in the query string', async () => {
    await expectRefusal(401, 'ACCESS_DENIED', 'GET', '/api/thing/1?token=Bearer%20good');
  });

  it('serves a public operation even if the token is invalid', async () => {
    for (const token of ['nonsense', 'old', 'broken-store']) {
      const { headers, body } = json({});
      const answer = await rest.call('POST', '/api/login', {
        body,
        headers: { ...headers, Authorization: `Bearer ${token}` },
      });
      expect(answer.json).toEqual({ body: {}, who: null });
    }
  });

  it('throws at startup for a route without access rule or two routes for one path', () => {
    const config = configOf();
    const start =
      (...list: object[]) =>
      () =>
        new RestApi({
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

describe('routing', () => {
  it('prefers a literal path to a parameter, regardless of registration order', async () => {
    expect((await rest.call('GET', '/api/thing/all')).json).toEqual(['all']);
    expect((await rest.call('GET', '/api/thing/all/')).json).toEqual(['all']);
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
  ])('returns 404 with a JSON body for %s', async (path) => {
    const answer = readRawAnswer(
      await exchange(rest, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
    );
    expectFailure(answer, 404, 'NOT_FOUND', path);
  });

  it('returns 405 with an Allow header for a known path and a wrong method', async () => {
    const answer = await rest.call('PATCH', '/api/thing/1');
    expectFailure(answer, 405, 'METHOD_NOT_ALLOWED', '/api/thing/1');
    expect(answer.headers.get('allow')).toBe('DELETE, GET, HEAD, OPTIONS');
    expect((await rest.call('DELETE', '/api/thing/all')).headers.get('allow')).toBe(
      'GET, HEAD, OPTIONS',
    );
    await expectRefusal(405, 'METHOD_NOT_ALLOWED', 'GET', '/login');
    await expectRefusal(405, 'METHOD_NOT_ALLOWED', 'PROPFIND', '/api/thing/1');
  });

  it('does not match a path that consists of a parameter alone', async () => {
    await expectRefusal(405, 'METHOD_NOT_ALLOWED', 'GET', '/api/5');
    await expectRefusal(404, 'NOT_FOUND', 'GET', '/api/five');
    expect((await rest.call('DELETE', '/api/5')).status).toBe(204);
  });

  it('answers OPTIONS with an Allow header and HEAD like GET without a body', async () => {
    const options = await rest.call('OPTIONS', '/api/thing/1');
    expect([options.status, options.headers.get('allow')]).toEqual([
      204,
      'DELETE, GET, HEAD, OPTIONS',
    ]);
    await expectRefusal(404, 'NOT_FOUND', 'OPTIONS', '/api/nothing');
    for (const path of ['/api/thing/all', '/api/file', '/api/stream']) {
      const head = await rest.call('HEAD', path);
      const get = await rest.call('GET', path);
      expect([head.status, head.text, head.headers.get('content-type')]).toEqual([
        200,
        '',
        get.headers.get('content-type'),
      ]);
      expect(get.text).not.toBe('');
    }
  });

  it.each(['1.5', 'x', '1e3', '99999999999', '2147483648', '01', '%20', '-', '0x1'])(
    'rejects %s as an id',
    async (id) => {
      await expectRefusal(400, 'BAD_REQUEST', 'GET', `/api/thing/${id}`, bearer('good'));
    },
  );

  it('decodes path parameters with slashes and umlauts', async () => {
    expect((await rest.call('GET', '/api/check/a%2Fb%20%C3%BC')).json).toEqual({ name: 'a/b ü' });
  });

  it.each([
    '/api/check/%',
    '/api/check/%ff',
    '/api/check/%E0%A4%A',
    '/%zz',
    '/api/search?days=%zz',
  ])('returns 400 for the invalid percent encoding in %s', async (target) => {
    const answer = readRawAnswer(
      await exchange(rest, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
    );
    expectFailure(answer, 400, 'BAD_REQUEST', target.split('?')[0] ?? '');
  });
});

describe('query parameters', () => {
  it('apply defaults and parse integers and flags', async () => {
    expect((await rest.call('GET', '/api/search')).json).toEqual({ days: 7 });
    expect((await rest.call('GET', '/api/search?days=366&flag=true&unknown=1')).json).toEqual({
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
  ])('are rejected for ?%s', async (query) => {
    await expectRefusal(400, 'BAD_REQUEST', 'GET', `/api/search?${query}`);
  });

  it('cannot reach the object prototype', async () => {
    expect((await rest.call('GET', '/api/search?__proto__=1&constructor=2')).json).toEqual({
      days: 7,
    });
    expect(({} as Record<string, unknown>)['1']).toBeUndefined();
  });
});

describe('request body parsing', () => {
  it('ignores unknown properties and accepts an id sent as a string', async () => {
    const answer = await rest.call(
      'POST',
      '/api/strict',
      json({ enhanceId: '12', name: 'x', more: true }),
    );
    expect(answer.json).toEqual({ enhanceId: 12, name: 'x' });
  });

  it('names the invalid field without its value', async () => {
    const answer = await rest.call('POST', '/api/strict', json({ enhanceId: 'hunter2', name: 5 }));
    expectFailure(answer, 400, 'BAD_REQUEST', '/api/strict');
    expect(answer.json.error).toMatch(
      /^The body does not fit\. enhanceId: Expected a whole number; name: .*[^.]\.$/,
    );
    expect(answer.text).not.toContain('hunter2');
  });

  it('returns the error code of the route for an invalid body and BAD_REQUEST for malformed JSON', async () => {
    await expectRefusal(500, 'CREATION_ERROR', 'POST', '/api/created', json({}));
    await expectRefusal(500, 'CREATION_ERROR', 'POST', '/api/created', json(null));
    await expectRefusal(500, 'CREATION_ERROR', 'POST', '/api/created');
    await expectRefusal(400, 'BAD_REQUEST', 'POST', '/api/created', {
      body: '{"email":',
      headers: { 'Content-Type': 'application/json' },
    });
  });

  it.each([
    ['bad JSON', '{"a":hunter2}'],
    ['two values', '{}{}'],
    ['a lone comma', ','],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['deep arrays', '['.repeat(400) + ']'.repeat(400)],
  ])('returns 400 for %s', async (_name, body) => {
    const answer = await rest.call('POST', '/api/echo', {
      body,
      headers: { 'Content-Type': 'application/json' },
    });
    expectFailure(answer, 400, 'BAD_REQUEST', '/api/echo');
    expect(answer.text).not.toContain('hunter2');
  });

  it('rejects the name __proto__ at any depth and in any escape', async () => {
    for (const body of [
      '{"__proto__":{"admin":true}}',
      '{"a":[{"\\u005f_proto__":{"admin":true}}]}',
    ]) {
      await expectRefusal(400, 'BAD_REQUEST', 'POST', '/api/echo', {
        body,
        headers: { 'Content-Type': 'application/json' },
      });
    }
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it.each([
    ['too many values', `[${'1,'.repeat(400)}1]`, 413],
    [
      'too many names in one object',
      JSON.stringify(Object.fromEntries(Array.from({ length: 21 }, (_, nth) => [nth, nth]))),
      413,
    ],
    ['nesting of 101 levels', '['.repeat(101) + ']'.repeat(101), 400],
  ])('rejects %s', (_name, body, status) => {
    // Measured by the parser itself: the server of these tests accepts only 1,000 bytes.
    expect(() => parseJson(Buffer.from(body), { depth: 100, values: 300, names: 20 })).toThrow(
      expect.objectContaining({ kind: status === 413 ? 'too-large' : 'malformed' }),
    );
  });

  it.each(['1e400', '-1e400', '1e-400', '[1,{"a":12345678901234567890}]', `1${'0'.repeat(400)}`])(
    'rejects the number in %s, which a double cannot represent',
    async (number) => {
      const answer = await rest.call('POST', '/api/echo', {
        body: `{"a":${number}}`,
        headers: { 'Content-Type': 'application/json' },
      });
      expectFailure(answer, 400, 'BAD_REQUEST', '/api/echo');
    },
  );

  it('accepts every number that a double can represent and long digits in strings', async () => {
    const body = {
      a: [
        9007199254740991, 9007199254740992, 12345678901234567890, 1e21, 1.7976931348623157e308,
        5e-324, 0, -0.1,
      ],
      b: '12345678901234567890 1e400',
    };
    expect((await rest.call('POST', '/api/echo', json(body))).json).toEqual(body);
    expect(
      (
        await rest.call('POST', '/api/echo', {
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
  ])('returns 415 for %s', async (type) => {
    await expectRefusal(415, 'UNSUPPORTED_MEDIA_TYPE', 'POST', '/api/echo', {
      body: '{}',
      headers: { 'Content-Type': type },
    });
  });

  it('returns 415 for a compressed body', async () => {
    const answer = await rest.call('POST', '/api/echo', {
      body: '{}',
      headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
    });
    expectFailure(answer, 415, 'UNSUPPORTED_MEDIA_TYPE', '/api/echo');
  });

  it('accepts JSON with a charset, a +json type, a byte order mark or no type', async () => {
    for (const type of [
      'application/json; charset=UTF-8',
      'application/merge-patch+json',
      'APPLICATION/JSON',
    ]) {
      expect(
        (
          await rest.call('POST', '/api/echo', {
            body: '\uFEFF{"a":1}',
            headers: { 'Content-Type': type },
          })
        ).json,
      ).toEqual({ a: 1 });
    }
    const answer = await exchange(
      rest,
      'POST /api/echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 7\r\n\r\n{"a":1}',
    );
    expect(readRawAnswer(answer).json).toEqual({ a: 1 });
  });

  it('ignores the content type of a login at both of its paths', async () => {
    for (const path of ['/login', '/api/login']) {
      const answer = await rest.call('POST', path, {
        body: '{"email":"a"}',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      });
      expect(answer.json).toEqual({ body: { email: 'a' }, who: null });
    }
  });

  it('accepts a body at the limit and returns 413 for one more byte, with and without Content-Length', async () => {
    const bodyOf = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`;
    const headers = { 'Content-Type': 'application/json' };
    expect((await rest.call('POST', '/api/echo', { body: bodyOf(1000), headers })).status).toBe(
      200,
    );
    await expectRefusal(413, 'PAYLOAD_TOO_LARGE', 'POST', '/api/echo', {
      body: bodyOf(1001),
      headers,
    });
    expect((await rest.call('POST', '/api/workflow', { body: bodyOf(5000), headers })).status).toBe(
      200,
    );
    await expectRefusal(413, 'PAYLOAD_TOO_LARGE', 'POST', '/api/workflow', {
      body: bodyOf(5001),
      headers,
    });
    const chunk = `${(600).toString(16)}\r\n${'x'.repeat(600)}\r\n`;
    const chunked = await exchange(
      rest,
      `POST /api/echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}${chunk}0\r\n\r\n`,
    );
    expectFailure(readRawAnswer(chunked), 413, 'PAYLOAD_TOO_LARGE', '/api/echo');
  });

  it('returns a readable 413 before a much too large body is complete', async () => {
    const answer = await rest.call('POST', '/api/echo', {
      body: Buffer.alloc(8 * 1024 * 1024, 'x'),
      headers: { 'Content-Type': 'application/json' },
    });
    expectFailure(answer, 413, 'PAYLOAD_TOO_LARGE', '/api/echo');
  });

  it('accepts a body where none is expected', async () => {
    expect((await rest.call('DELETE', '/api/5', json({ a: 1 }))).status).toBe(204);
    expect((await rest.call('PUT', '/api/action', json({}))).status).toBe(200);
    expect(
      (
        await rest.call('PUT', '/api/action', {
          body: 'nonsense',
          headers: { 'Content-Type': 'text/plain' },
        })
      ).status,
    ).toBe(200);
    const empty = await rest.call('PUT', '/api/action');
    expect([empty.status, empty.text, empty.headers.get('content-length')]).toEqual([200, '', '0']);
  });
});

describe('upload parsing', () => {
  const form = (...parts: [string, string | Blob, string?][]) => {
    const data = new FormData();
    for (const [name, value, fileName] of parts) {
      if (typeof value === 'string') data.append(name, value);
      else data.append(name, value, fileName);
    }
    return { body: data };
  };
  const picture = (bytes: number) => new Blob([new Uint8Array(bytes)], { type: 'image/png' });

  it('reads one file and the form fields in any order', async () => {
    const expected = { name: 'größe.png', type: 'image/png', size: 3, email: 'a@b.c' };
    expect(
      (
        await rest.call(
          'POST',
          '/api/upload',
          form(['email', 'a@b.c'], ['file', picture(3), 'größe.png']),
        )
      ).json,
    ).toEqual(expected);
    expect(
      (
        await rest.call(
          'POST',
          '/api/upload',
          form(['file', picture(3), 'größe.png'], ['email', 'a@b.c']),
        )
      ).json,
    ).toEqual(expected);
  });

  it('accepts a file at the limit and returns 413 for one more byte', async () => {
    expect(
      (await rest.call('POST', '/api/upload', form(['email', 'a'], ['file', picture(2000), 'a'])))
        .json.size,
    ).toBe(2000);
    await expectRefusal(
      413,
      'PAYLOAD_TOO_LARGE',
      'POST',
      '/api/upload',
      form(['email', 'a'], ['file', picture(2001), 'a']),
    );
    await expectRefusal(
      413,
      'PAYLOAD_TOO_LARGE',
      'POST',
      '/api/upload',
      form(['email', 'a'], ['file', picture(4_000_000), 'a']),
    );
  });

  it('returns the error code of the route if the file or a field is missing', async () => {
    await expectRefusal(500, 'WRONG_FORMAT', 'POST', '/api/upload', form(['email', 'a']));
    await expectRefusal(
      500,
      'WRONG_FORMAT',
      'POST',
      '/api/upload',
      form(['file', picture(1), 'a']),
    );
  });

  it('returns 400 for a second file, a wrong part, a repeated field and too many fields', async () => {
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
      await expectRefusal(400, 'BAD_REQUEST', 'POST', '/api/upload', form(...parts));
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
  ])('returns 400 for a malformed form: %s', async (_name, type, body) => {
    await expectRefusal(400, 'BAD_REQUEST', 'POST', '/api/upload', {
      body,
      headers: { 'Content-Type': type },
    });
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
    'logs a client that disconnects in the middle of %s without an error',
    async (_name, path, type, start) => {
      const mark = `leaver-${type.length}`;
      const socket = connect(rest.port, '127.0.0.1');
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${mark}\r\nContent-Type: ${type}\r\nContent-Length: 900\r\n\r\n${start}`,
      );
      await once(rest.http.server, 'request');
      socket.destroy();
      const { requestId } = await untilLogged(
        (line) => line.clientRequestId === mark && line.msg === 'request',
      );
      expect(
        rest.lines.filter((line) => line.requestId === requestId && line.level === 'error'),
      ).toEqual([]);
    },
  );
});

async function untilLogged(
  matches: (line: Record<string, any>) => boolean,
): Promise<Record<string, any>> {
  for (;;) {
    const line = rest.lines.find(matches);
    if (line) return line;
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}

describe('error handling', () => {
  it.each([
    ['/api/conflict', 409, 'TITLE_HAS_ALREADY_TAKEN'],
    ['/api/refused', 500, 'USERGROUP_NOT_DELETED'],
    ['/api/operator', 400, 'OPERATOR_EXPRESSION_IS_EMPTY'],
    ['/api/missing', 404, 'CONNECTION_NOT_FOUND'],
    ['/api/limited', 429, 'TOO_MANY_ATTEMPTS'],
    ['/api/away', 503, 'SERVICE_UNAVAILABLE'],
  ] as const)('of %s returns %i %s', async (path, status, code) => {
    const answer = await rest.call('POST', path);
    expectFailure(answer, status, code, path);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('sets Retry-After for 429 and 503', async () => {
    expect((await rest.call('POST', '/api/limited')).headers.get('retry-after')).toBe('30');
    expect((await rest.call('POST', '/api/away')).headers.get('retry-after')).toBe('5');
  });

  it('returns only the request id of an internal error and logs it once without secrets', async () => {
    const answer = await rest.call('POST', '/api/fault', {
      headers: { 'X-Request-Id': 'fault-1' },
    });
    expectFailure(answer, 500, 'INTERNAL_SERVER_ERROR', '/api/fault');
    const requestId = answer.headers.get('x-request-id') ?? '';
    expect(answer.json.error).toContain(requestId);
    expect(answer.text).not.toMatch(/secret inside|\.ts|at /);
    const faults = rest.lines.filter(
      (line) => line.requestId === requestId && line.msg === 'fault',
    );
    expect(faults).toHaveLength(1);
    expect(faults[0]?.err.stack).toContain('manners.test');
    expect(faults[0]?.err.message).toContain('secret inside');
    expect(rest.rawLog.join('')).not.toContain('abcdefgh');
    await expectRefusal(500, 'INTERNAL_SERVER_ERROR', 'POST', '/api/thrown-text');
  });

  it.each([
    ['nonsense', 'nonsense\r\n\r\n', 400],
    ['a bad version', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n', 400],
    ['a bad header', 'GET /api/x HTTP/1.1\r\nHost: x\r\nbad header: \x01\r\n\r\n', 400],
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
  ])('answers %s with a JSON body', async (_name, bytes, status) => {
    const answer = readRawAnswer(await exchange(rest, bytes));
    expect(answer.head).toMatch(/content-type: application\/json/i);
    expectFailure(answer, status, 'BAD_REQUEST', answer.json.path);
    expect(answer.json.path).toMatch(/^\/|^$/);
  });
});

describe('response headers', () => {
  it('contain a generated request id, and the id of the client is logged if it is valid', async () => {
    for (const [clientId, logged] of [
      ['abc-1', 'abc-1'],
      ['a b', undefined],
      ['x'.repeat(101), undefined],
      ['{"a":1}', undefined],
    ] as const) {
      const id = (
        await rest.call('GET', '/api/thing/all', { headers: { 'X-Request-Id': clientId } })
      ).headers.get('x-request-id');
      expect(id).toMatch(/^[0-9a-f-]{36}$/);
      expect(
        (await untilLogged((line) => line.requestId === id && line.msg === 'request'))
          .clientRequestId,
      ).toBe(logged);
    }
  });

  it('contain the security headers and no X-Powered-By', async () => {
    const { headers } = await rest.call('GET', '/api/nothing');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(headers.get('x-powered-by')).toBeNull();
  });

  it('allow the configured origin and the request headers of its frontend', async () => {
    const preflight = await rest.call('OPTIONS', '/api/thing/1', {
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
    const answer = await rest.call('GET', '/api/nothing', {
      headers: { Origin: 'https://app.example.com' },
    });
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://app.example.com');
    expect(answer.headers.get('access-control-expose-headers')).toBe(
      'Authorization, X-Request-Id, ETag, Location, Retry-After, Deprecation, Link, Preference-Applied',
    );
  });

  it('allow no other origin except the own one', async () => {
    for (const origin of ['https://evil.example.com', 'https://app.example.com.evil.com', 'null']) {
      const answer = await rest.call('GET', '/api/thing/all', { headers: { Origin: origin } });
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
      expect(answer.headers.get('vary')).toContain('Origin');
    }
    expect(
      (await rest.call('GET', '/api/thing/all', { headers: { Origin: rest.url } })).headers.get(
        'access-control-allow-origin',
      ),
    ).toBe(rest.url);
  });

  it('tell a page of another origin nothing in a preflight', async () => {
    const preflight = await rest.call('OPTIONS', '/api/thing/1', {
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
});

describe('the request log', () => {
  it('is one JSON object a line without secrets', async () => {
    await rest.call('POST', '/api/login?token=Bearer%20tok3n&password=hunter2&days=1', {
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
    expect(rest.rawLog.join('')).not.toMatch(/tok3n|hunter2|pa55|s3cr3t|c00kie|m4ster/);
    for (const raw of rest.rawLog) expect(raw).toMatch(/^\{.*\}\n$/);
  });
});
