import type { ServerResponse } from 'node:http';
import { answerJson, startRemote } from '../engine/support/remote';
import type { Received, Remote } from '../engine/support/remote';
import { testService, unique } from '../support/service/harness';
import type { Answer } from '../support/service/harness';
import { imported, TICKETS } from '../support/documents/connector-invokers';
import type { OperationXml } from '../support/documents/connector-invokers';
import { startUntrusted } from '../support/peers/untrusted-server';
import { openForTests } from '../support/open-for-tests';

let tickets: string;
let answer: (request: Received, response: ServerResponse) => void;

const service = testService();
const remote = openForTests(() => startRemote((request, response) => answer(request, response)));
const other = openForTests(() => startRemote((_request, response) => answerJson(response, {})));
beforeAll(async () => {
  tickets = await imported(service);
});
beforeEach(() => {
  answer = (_request, response) => answerJson(response, {});
  remote.received.length = 0;
  other.received.length = 0;
});

const SECRET = 'the-stored-token';
const check = (body: Record<string, unknown>, token?: string): Promise<Answer> =>
  service.api('POST', '/api/connector/check', {
    body: { invoker: { name: tickets }, ...body },
    ...(token && { token }),
  });
const requestInput = (more: Record<string, unknown> = {}) => ({
  requestData: { url: remote.url, token: 'right', ...more },
});
const stored = async (more: Record<string, unknown> = {}): Promise<number> => {
  const made = await service.api('POST', '/api/connector', {
    body: {
      title: unique('Tickets '),
      invoker: { name: tickets },
      requestData: { url: remote.url, token: SECRET },
      ...more,
    },
  });
  if (made.status !== 201) throw new Error(made.text);
  return made.body.connectorId as number;
};
const lastCheck = async (id: number) =>
  (await service.api('GET', `/api/connector/${id}`)).body.lastCheck;
const tokens = (of: Remote): unknown[] => of.received.map(({ headers }) => headers.authorization);

describe('the answer of the remote system to a connector check', () => {
  it.each([[200], [201], [204]])('%d means that the credentials are valid', async (status) => {
    answer = (_request, response) => {
      response.writeHead(status);
      response.end();
    };
    const checked = await check(requestInput());
    expect([checked.status, checked.body]).toEqual([200, { status: '200' }]);
    expect(remote.received).toMatchObject([
      { method: 'GET', url: '/me', headers: { authorization: 'Bearer right' } },
    ]);
  });

  it('401 means that the credentials are invalid', async () => {
    answer = (_request, response) => answerJson(response, {}, 401);
    const checked = await check(requestInput());
    expect([checked.status, checked.body]).toEqual([
      200,
      { status: '401 UNAUTHORIZED', error: 'Error in remote system' },
    ]);
  });

  it.each([400, 403, 404, 500, 503])('%d means that the check has no result', async (status) => {
    answer = (_request, response) =>
      answerJson(response, { detail: 'of the remote system' }, status);
    const checked = await check(requestInput());
    expect([checked.status, checked.body.message]).toEqual([500, 'COMMUNICATION_FAILED']);
    expect(checked.body.error).toBe(`The remote system answers ${status}.`);
  });

  it.each<[string, unknown, string]>([
    ['every property of the fail body', { error: { code: 0, text: 'x' }, more: 1 }, '401'],
    ['values of other types under the same names', { error: { code: null, text: [] } }, '401'],
    ['only some properties', { error: { code: 1 } }, '200'],
    ['none of the properties', {}, '200'],
    ['the names on another level', { code: 1, text: 'x' }, '200'],
    ['a list instead of an object', [{ error: { code: 1, text: 'x' } }], '200'],
  ])('200 with a body that has %s', async (_what, body, status) => {
    const name = await imported(service, {
      ...TICKETS,
      operations: [
        {
          ...TICKETS.operations[0],
          fail: '<body type="object" format="json" data="raw"><field name="error" type="object"><field name="code" type="int"/><field name="text" type="string"/></field></body>',
        },
      ],
    });
    answer = (_request, response) => answerJson(response, body);
    expect((await check({ ...requestInput(), invoker: { name } })).body).toEqual(
      status === '401' ? { status, error: '401' } : { status },
    );
  });

  it.each(['plain', 'with "quotes" # and \\', 'x") { id } other(by: "y'])(
    'answers a GraphQL query with the value %j',
    async (token) => {
      const name = await imported(service, {
        ...TICKETS,
        operations: [
          {
            ...TICKETS.operations[0],
            method: 'POST',
            body: '<body type="object" format="json" data="graphql"><field name="query" type="string">{ # who\n me(token: "{token}") { id } }</field></body>',
          },
        ],
      });
      expect((await check({ ...requestInput({ token }), invoker: { name } })).body).toEqual({
        status: '200',
      });
      expect(remote.received.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
        { query: `{  me(token: ${JSON.stringify(token)}) { id } }` },
      ]);
    },
  );

  it('is returned over GraphQL, too', async () => {
    const ask = async (fields: object[]) =>
      (
        await service.data(
          'mutation($input: ConnectorCheckInput!) { connectorCheck(input: $input) { check { accepted status error } userErrors { code path } } }',
          { input: { invokerName: tickets, requestData: fields } },
        )
      ).connectorCheck;
    expect(await ask([{ name: 'url', value: remote.url }])).toEqual({
      check: { accepted: true, status: '200', error: null },
      userErrors: [],
    });
    expect(await ask([{ name: 'url', value: 'http://127.0.0.1:1' }])).toEqual({
      check: null,
      userErrors: [{ code: 'COMMUNICATION_FAILED', path: [] }],
    });
    expect(await ask([{ name: 'uri', value: remote.url }])).toEqual({
      check: null,
      userErrors: [{ code: 'REQUIRED_DATA_UNKNOWN', path: ['requestData', '0', 'name'] }],
    });
  });
});

describe('the values of a check request', () => {
  const ask = async (
    fields: readonly {
      name: string;
      visibility?: 'public' | 'protected' | 'private';
      value?: string;
    }[],
    operations: readonly OperationXml[],
    requestData: Record<string, string> = {},
  ) => {
    const name = await imported(service, { fields: [{ name: 'url' }, ...fields], operations });
    return check({ invoker: { name }, requestData: { url: remote.url, ...requestData } });
  };
  const test = (
    header: Record<string, string>,
    more: Partial<OperationXml> = {},
  ): OperationXml => ({ name: 'GetMe', type: 'test', endpoint: '{url}/me', header, ...more });

  it('are basic credentials when the invoker declares them', async () => {
    await ask(
      [
        { name: 'user' },
        { name: 'password', visibility: 'protected' },
        { name: 'auth', visibility: 'private', value: 'Basic {user:password}' },
      ],
      [test({ Authorization: '{auth}' })],
      { user: 'jürgen', password: 'a:b{c}' },
    );
    expect(tokens(remote)).toEqual([`Basic ${Buffer.from('jürgen:a:b{c}').toString('base64')}`]);
  });

  it.each([
    ['Bearer %{login.body.session.token}', 'Bearer t-1'],
    ['%{login.body.list[1].id}', '9007199254740993'],
    ['%{login.header.X-Token}', 'h-1'],
    ['a %{login.body.n} b %{login.body.flag}', 'a 5 b true'],
    ['%{body.session.token}', 'test-token'],
    ['no expression {at} all', ''],
    ['literal', 'literal'],
  ])('are computed: %s', async (expression, expected) => {
    answer = ({ url }, response) => {
      if (url === '/login') response.setHeader('X-Token', 'h-1');
      response.setHeader('content-type', 'application/json');
      response.end(
        url === '/test'
          ? '{"session":{"token":"test-token"}}'
          : '{"session":{"token":"t-1"},"list":[{},{"id":9007199254740993}],"n":5,"flag":true}',
      );
    };
    const login: OperationXml = {
      name: 'login',
      method: 'POST',
      endpoint: '{url}/login',
      body: '<body type="object" format="json" data="raw"><field name="user" type="string">{user}</field></body>',
    };
    const checked = await ask(
      [{ name: 'user' }, { name: 'key', visibility: 'private', value: expression }],
      [login, { name: 'test', endpoint: '{url}/test' }, test({ 'X-Key': '{key}' })],
      { user: 'a "quoted" name' },
    );
    expect([checked.status, checked.body]).toEqual([200, { status: '200' }]);
    expect(remote.received.at(-1)?.headers['x-key'] ?? '').toBe(expected);
    const logins = remote.received.filter(({ url }) => url === '/login');
    expect(logins.map(({ body }) => JSON.parse(body))).toEqual(
      expression.includes('login') ? [{ user: 'a "quoted" name' }] : [],
    );
  });

  it.each(['session.token', 'r:reply.session.token', 'reply.session.token'])(
    'are computed from XML: %s',
    async (place) => {
      answer = ({ url }, response) => {
        response.setHeader('content-type', 'text/xml');
        response.end(
          url === '/login'
            ? '<r:reply xmlns:r="u"><session><token> x-1 </token></session></r:reply>'
            : '<ok/>',
        );
      };
      await ask(
        [{ name: 'key', visibility: 'private', value: `%{login.body.${place}}` }],
        [{ name: 'login', endpoint: '{url}/login' }, test({ 'X-Key': '{key}' })],
      );
      expect(remote.received.at(-1)?.headers['x-key']).toBe('x-1');
    },
  );

  it('are the whole body, without quotes', async () => {
    answer = (_request, response) => answerJson(response, 'a-token');
    await ask(
      [{ name: 'key', visibility: 'private', value: '%{login.body}' }],
      [{ name: 'login', endpoint: '{url}/login' }, test({ 'X-Key': '{key}' })],
    );
    expect(remote.received.at(-1)?.headers['x-key']).toBe('a-token');
  });

  it('are used unchanged when a user entered them', async () => {
    await ask(
      [{ name: 'password', visibility: 'protected' }],
      [test({ 'X-Key': '{password}', 'X-Odd': '{unknown} {password}' })],
      { password: '%{login.body.x} {a:b} {c}' },
    );
    expect(remote.received[0]?.headers).toMatchObject({
      'x-key': '%{login.body.x} {a:b} {c}',
      'x-odd': '{unknown} %{login.body.x} {a:b} {c}',
    });
  });

  it('add no parameter to an address', async () => {
    await ask(
      [{ name: 'user' }, { name: 'area' }],
      [test({}, { endpoint: '{url}/in/{area}/me?user={user}&fixed=1' })],
      { user: 'a&fixed=2#x', area: 'x y/z?q' },
    );
    expect(remote.received[0]?.url).toBe('/in/x%20y/z%3Fq/me?user=a%26fixed%3D2%23x&fixed=1');
  });

  it('default to those of the invoker', async () => {
    await ask([{ name: 'key', value: 'the-default' }], [test({ 'X-Key': '{key}' })]);
    expect(remote.received[0]?.headers['x-key']).toBe('the-default');
  });

  it.each<[string, string, OperationXml[], RegExp]>([
    ['a missing operation', '%{nobody.body.x}', [], /no operation nobody/],
    [
      'a missing field',
      '%{login.body.y}',
      [{ name: 'login', endpoint: '{url}/login' }],
      /login has no body y/,
    ],
    [
      'a missing header',
      '%{login.header.X-No}',
      [{ name: 'login', endpoint: '{url}/login' }],
      /login has no header X-No/,
    ],
    [
      'a value that depends on itself',
      '%{login.body.x}',
      [{ name: 'login', endpoint: '{url}/login', header: { a: '{key}' } }],
      /one has to know it already/,
    ],
    ['an invalid expression', '%{nothing}', [], /cannot be read/],
  ])('cannot be %s', async (_what, value, operations, reason) => {
    const checked = await ask(
      [{ name: 'key', visibility: 'private', value }],
      [...operations, test({ 'X-Key': '{key}' })],
    );
    expect([checked.status, checked.body.message]).toEqual([500, 'COMMUNICATION_FAILED']);
    expect(checked.body.error).toMatch(reason);
  });

  it('are invalid when a login rejects them', async () => {
    answer = ({ url }, response) => answerJson(response, {}, url === '/login' ? 401 : 200);
    const checked = await ask(
      [{ name: 'key', visibility: 'private', value: '%{login.body.x}' }],
      [{ name: 'login', endpoint: '{url}/login' }, test({ 'X-Key': '{key}' })],
    );
    expect(checked.body).toEqual({ status: '401 UNAUTHORIZED', error: 'Error in remote system' });
  });
});

describe('the audit log of connector checks', () => {
  const checks = async (): Promise<any[]> =>
    (
      await service.data(
        '{ auditEvents(first: 100, filter: { action: { eq: CONNECTOR_CHECK } }) { nodes { actor { email } target { type targetId } before after } } }',
      )
    ).auditEvents.nodes;

  it('records user, target and result, but no value', async () => {
    const [countBefore, id] = [(await checks()).length, await stored()];
    const { token, email } = await service.userWith(['CONNECTOR:UPDATE']);
    const more = {
      requestData: { url: other.url, token: 'a token of nobody' },
      sslCert: true,
      timeout: 5_000,
    };
    expect((await check({ connectorId: id, invoker: undefined })).status).toBe(200);
    expect(
      (
        await service.api('POST', '/api/connector/check', {
          token,
          body: { connectorId: id, ...more },
        })
      ).status,
    ).toBe(200);
    expect(
      (
        await check({
          invoker: { name: tickets },
          requestData: { url: 'http://127.0.0.1:1', token: 'a token of nobody' },
        })
      ).status,
    ).toBe(500);
    const { title } = (await service.api('GET', `/api/connector/${id}`)).body;
    const rows = await checks();
    expect(rows.slice(0, rows.length - countBefore).reverse()).toEqual([
      {
        actor: { email: expect.any(String) },
        target: { type: 'CONNECTOR', targetId: String(id) },
        before: null,
        after: {
          title,
          version: 1,
          invoker: tickets,
          sslCert: false,
          timeout: 0,
          given: [],
          usesStored: true,
        },
      },
      {
        actor: { email },
        target: { type: 'CONNECTOR', targetId: String(id) },
        before: null,
        after: {
          title,
          version: 1,
          invoker: tickets,
          sslCert: true,
          timeout: 5_000,
          given: ['url', 'token'],
          usesStored: false,
        },
      },
      {
        actor: { email: expect.any(String) },
        target: { type: 'CONNECTOR', targetId: 'unsaved' },
        before: null,
        after: {
          invoker: tickets,
          sslCert: false,
          timeout: 0,
          given: ['url', 'token'],
          usesStored: false,
        },
      },
    ]);
    for (const value of [SECRET, 'a token of nobody', other.url])
      expect(JSON.stringify(rows)).not.toContain(value);
  });

  it('does not record a rejected check', async () => {
    const countBefore = (await checks()).length;
    const { token } = await service.userWith(['CONNECTOR:CREATE']);
    const id = await stored();
    for (const [body, by, status] of [
      [{ connectorId: 2_147_483_647 }, undefined, 404],
      [{ connectorId: id, requestData: { pin: '1' } }, undefined, 400],
      [{ connectorId: id }, token, 403],
    ] as const) {
      expect((await service.api('POST', '/api/connector/check', { token: by, body })).status).toBe(
        status,
      );
    }
    expect(await checks()).toHaveLength(countBefore);
  });
});

describe('the stored secrets of a connector', () => {
  it('are used when the request contains none, and the result is saved', async () => {
    const id = await stored();
    expect((await check({ connectorId: id, invoker: undefined })).body).toEqual({ status: '200' });
    expect(tokens(remote)).toEqual([`Bearer ${SECRET}`]);
    expect(await lastCheck(id)).toEqual({ at: expect.any(Number), status: '200', error: null });
    answer = (_request, response) => answerJson(response, {}, 503);
    await check({ connectorId: id, requestData: { url: remote.url } });
    expect(await lastCheck(id)).toEqual({
      at: expect.any(Number),
      status: 'COMMUNICATION_FAILED',
      error: 'The remote system answers 503.',
    });
    await service.api('PUT', `/api/connector/${id}`, {
      body: { requestData: { token: 'another' } },
    });
    expect(await lastCheck(id)).toBeNull();
  });

  it('are not sent to another address', async () => {
    const id = await stored();
    for (const url of [other.url, `${remote.url}/`, other.url.replace('http:', 'HTTP:')])
      await check({ connectorId: id, requestData: { url } });
    expect([...tokens(remote), ...tokens(other)]).toEqual(['Bearer', 'Bearer', 'Bearer']);
    expect(await lastCheck(id)).toBeNull();
  });

  it('are not sent to another address in a protected field', async () => {
    const name = await imported(service, {
      fields: [
        { name: 'host', visibility: 'protected' },
        { name: 'token', visibility: 'protected' },
      ],
      operations: [
        {
          name: 'GetMe',
          type: 'test',
          endpoint: 'http://{host}/me',
          header: { Authorization: 'Bearer {token}' },
        },
      ],
    });
    const id = await stored({
      invoker: { name },
      requestData: { host: new URL(remote.url).host, token: SECRET },
    });
    await check({
      connectorId: id,
      invoker: { name },
      requestData: { host: new URL(other.url).host },
    });
    await check({ connectorId: id, invoker: { name } });
    expect([tokens(other), tokens(remote)]).toEqual([['Bearer'], [`Bearer ${SECRET}`]]);
  });

  it('are not sent by another invoker, or without certificate validation that was enabled', async () => {
    const id = await stored();
    const name = await imported(service, {
      ...TICKETS,
      operations: [
        {
          name: 'GetMe',
          type: 'test',
          endpoint: `${other.url}/{token}`,
          header: { Authorization: 'Bearer {token}' },
        },
      ],
    });
    await check({ connectorId: id, invoker: { name } });
    await check({ connectorId: id, sslCert: true, requestData: { url: remote.url } });
    expect([tokens(other), tokens(remote)]).toEqual([['Bearer'], ['Bearer']]);
  });

  it('are unavailable to users who may only add connectors', async () => {
    const id = await stored();
    const { token } = await service.userWith(['CONNECTOR:CREATE', 'CONNECTOR:READ']);
    expect((await check({ connectorId: id }, token)).body.message).toBe('ACCESS_DENIED');
    expect((await check(requestInput(), token)).body).toEqual({ status: '200' });
    expect(tokens(remote)).toEqual(['Bearer right']);
  });

  it('do not follow a redirect to another origin', async () => {
    const id = await stored();
    answer = (_request, response) => {
      response.writeHead(302, { location: `${other.url}/caught` });
      response.end();
    };
    const checked = await check({ connectorId: id });
    expect([checked.status, checked.body.message]).toEqual([500, 'COMMUNICATION_FAILED']);
    expect(checked.body.error).toContain('OUTBOUND_REDIRECT_REFUSED');
    expect(other.received).toEqual([]);
  });
});

describe('a check of a misbehaving remote system', () => {
  const code = async (body: Record<string, unknown>): Promise<string> => {
    const checked = await check(body);
    expect([checked.status, checked.body.message]).toEqual([500, 'COMMUNICATION_FAILED']);
    return (
      /\((OUTBOUND_\w+)\)/.exec(checked.body.error as string)?.[1] ?? (checked.body.error as string)
    );
  };

  it('ends at the timeout of the connector when there is no answer', async () => {
    answer = () => undefined;
    expect(await code({ ...requestInput(), timeout: 200 })).toBe('OUTBOUND_TIMEOUT');
    expect((await check({ ...requestInput(), timeout: 200 })).body.error).toContain(
      'No complete answer within 200 ms (the timeout of the connector).',
    );
  });

  it('does not exceed the timeout with several values', async () => {
    const name = await imported(service, {
      fields: [{ name: 'url' }, { name: 'key', visibility: 'private', value: '%{login.body.x}' }],
      operations: [
        { name: 'login', endpoint: '{url}/login' },
        { name: 'GetMe', type: 'test', endpoint: '{url}/me', header: { k: '{key}' } },
      ],
    });
    answer = ({ url }, response) => {
      if (url === '/login') answerJson(response, { x: '1' });
    };
    expect(await code({ invoker: { name }, requestData: { url: remote.url }, timeout: 300 })).toBe(
      'OUTBOUND_TIMEOUT',
    );
    expect(remote.received.map(({ url }) => url)).toEqual(['/login', '/me']);
  });

  it.each([
    ['http://169.254.169.254/', 'OUTBOUND_ADDRESS_REFUSED'],
    ['no url', 'OUTBOUND_BAD_URL'],
    ['', 'OUTBOUND_BAD_URL'],
  ])('does not call %s', async (url, expected) => {
    expect(await code(requestInput({ url }))).toBe(expected);
  });

  it('calls a system with an untrusted certificate only when the connector allows it', async () => {
    const untrusted = await startUntrusted((request, response) => {
      response.writeHead(request.headers.authorization === 'Bearer right' ? 200 : 401);
      response.end();
    });
    expect(await code(requestInput({ url: untrusted.url }))).toBe('OUTBOUND_TLS_FAILED');
    expect((await check({ ...requestInput({ url: untrusted.url }), sslCert: true })).body).toEqual({
      status: '200',
    });
    const id = await stored({ sslCert: true, requestData: { url: untrusted.url, token: 'right' } });
    expect((await check({ connectorId: id })).body).toEqual({ status: '200' });
    expect(await code({ connectorId: id, sslCert: false })).toBe('OUTBOUND_TLS_FAILED');
    await untrusted.close();
  });

  it('makes no call when the invoker has no test', async () => {
    const name = await imported(service, {
      ...TICKETS,
      operations: [{ name: 'GetMe', endpoint: '{url}/me' }],
    });
    expect(await code({ ...requestInput(), invoker: { name } })).toBe(
      `The invoker ${name} has no operation of the type test.`,
    );
    expect(remote.received).toEqual([]);
  });
});
