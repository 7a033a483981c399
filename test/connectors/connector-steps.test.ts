import { answerJson, startRemote } from '../engine/support/remote';
import type { Handler } from '../engine/support/remote';
import { imported, newConnector } from '../support/documents/connector-invokers';
import type { OperationXml } from '../support/documents/connector-invokers';
import { testService } from '../support/service/harness';
import { longIt } from '../support/long';
import { startUntrusted } from '../support/peers/untrusted-server';
import { ended, runEvents } from '../support/service/watch';
import { saved, started, workflow } from '../support/documents/workflows';
import { openForTests } from '../support/open-for-tests';

const TOKEN = 'tok-3n/for"tickets';
const PASSWORD = 'pass&word-77';
const NAMED = 'named-s3cret&of tickets';
const BASIC = `Basic ${Buffer.from(`ann:${PASSWORD}`).toString('base64')}`;
const FIELDS = [
  { name: 'url' },
  { name: 'user' },
  { name: 'password', visibility: 'protected' as const },
  { name: 'token', visibility: 'protected' as const },
  { name: 'basic', visibility: 'private' as const, value: 'Basic {user:password}' },
  { name: 'session', visibility: 'private' as const, value: '%{Login.body.session.id}' },
  { name: 'keyed', visibility: 'private' as const, value: '%{Keyed.body.id}' },
];
const json = (fields: string): string =>
  `<body type="object" format="json" data="raw">${fields}</body>`;
const OPERATIONS: OperationXml[] = [
  { name: 'Test', type: 'test', endpoint: '{url}/me' },
  {
    name: 'Login',
    type: 'auth',
    method: 'POST',
    endpoint: '{url}/login',
    body: json(
      '<field name="user" type="string">{user}</field><field name="password" type="string">{password}</field>',
    ),
  },
  {
    name: 'List',
    endpoint: '{url}/tickets?key={token}',
    header: { Authorization: 'Bearer {token}', Accept: 'application/json' },
  },
  {
    name: 'Create',
    method: 'POST',
    endpoint: '{url}/tickets',
    header: { Authorization: '{basic}' },
    body: json(
      '<field name="title" type="string">none</field><field name="by" type="string">{user}</field>',
    ),
  },
  { name: 'Session', endpoint: '{url}/session', header: { 'X-Session': '{session}' } },
  {
    name: 'Keyed',
    method: 'POST',
    endpoint: '{url}/keyed?key={%secret.of-tickets%}',
    header: { 'X-Key': 'Key {%SECRET.of-Tickets%}' },
    body: json('<field name="key" type="string">{%secret.of-tickets%}</field>'),
  },
  { name: 'Computed', endpoint: '{url}/computed', header: { 'X-Id': '{keyed}' } },
  {
    name: 'Accepted',
    endpoint: '{url}/status/202',
    response: '<success status="200"/><fail status="202"/>',
  },
  {
    name: 'Absent',
    endpoint: '{url}/status/404',
    response: '<success status="404"/><fail status="500"/>',
  },
  {
    name: 'Rpc',
    endpoint: '{url}/rpc',
    response: `<success status="200">${json('<field name="result" type="object"/>')}</success><fail status="200">${json('<field name="error" type="object"><field name="code" type="int"/></field>')}</fail>`,
  },
];
let invoker: string;
let connector: number;
let answer: Handler;
const usual: Handler = ({ url, body, headers }, response) => {
  if (url === '/login') answerJson(response, { session: { id: 'SESSION-of-Ann' } });
  else if (url.startsWith('/status/')) answerJson(response, { why: 'so' }, Number(url.slice(8)));
  else
    answerJson(response, {
      id: 7,
      note: '{token} {%#00000A.(response).body.id%} ${x}',
      sent: body,
      headers,
    });
};

const service = testService({ env: { HYPHA_STEP_BACKOFF: '5' } });
const remote = openForTests(() => startRemote((request, response) => answer(request, response)));
const elsewhere = openForTests(() => startRemote(usual));
beforeAll(async () => {
  await service.api('POST', '/api/secret', {
    body: { name: 'of-tickets', value: NAMED, origins: [remote.url] },
  });
  invoker = await imported(service, { fields: FIELDS, operations: OPERATIONS });
  connector = await newConnector(service, invoker, {
    url: remote.url,
    user: 'ann',
    password: PASSWORD,
    token: TOKEN,
  });
});
beforeEach(() => {
  answer = usual;
  remote.received.length = 0;
  elsewhere.received.length = 0;
});

const step = (
  index: string,
  name: string,
  request: object | null = null,
  more: object = {},
): object => ({
  id: `m${index}`,
  index,
  name,
  color: `#0000${index.replace('_', 'B').padStart(2, 'A').slice(-2)}`,
  methodType: 'CONNECTOR',
  connector: { connectorId: connector },
  request,
  ...more,
});
const runOf = async (document: object): Promise<any> => {
  const id = await started(service, await saved(service, document), true);
  return { ...(await ended(service, id)), events: await runEvents(service, id) };
};
const run = (...methods: object[]): Promise<any> => runOf(workflow(methods));

describe('a step that calls a connector', () => {
  it('sends the request of the operation with the credentials', async () => {
    expect(await run(step('0', 'List'), step('1', 'Create'))).toMatchObject({
      state: 'SUCCEEDED',
      stepCount: 2,
    });
    expect(remote.received).toMatchObject([
      {
        method: 'GET',
        url: `/tickets?key=${encodeURIComponent(TOKEN)}`,
        headers: { authorization: `Bearer ${TOKEN}`, accept: 'application/json' },
      },
      {
        method: 'POST',
        url: '/tickets',
        headers: { authorization: BASIC },
        body: '{"title":"none","by":"ann"}',
      },
    ]);
  });

  it('overrides the request of the operation', async () => {
    await run(
      step('0', 'List'),
      step('1', 'Create', {
        endpoint: '{url}/tickets/{%#0000A0.(response).body.id%}?a={user}&b={nobody}',
        method: 'PUT',
        header: { Authorization: 'Token {token}', 'X-More': '{user}' },
        body: {
          type: 'object',
          format: 'json',
          data: 'raw',
          fields: {
            title: '{token}',
            text: 'as {user}',
            note: '{%#0000A0.(response).body.note%}',
            list: ['{url}'],
          },
        },
      }),
    );
    const [, sent] = remote.received;
    expect(sent).toMatchObject({
      method: 'PUT',
      url: '/tickets/7?a=ann&b={nobody}',
      headers: { authorization: `Token ${TOKEN}`, 'x-more': 'ann' },
    });
    // An answer is data: nothing in it is filled in.
    expect(JSON.parse(sent?.body ?? '')).toEqual({
      title: TOKEN,
      text: 'as ann',
      note: '{token} {%#00000A.(response).body.id%} ${x}',
      list: [remote.url],
    });
  });

  it('requests a session once in a run for any number of steps', async () => {
    const document = workflow(
      [step('0_0', 'Session'), step('1', 'Session')],
      [{ id: 'o0', index: '0', type: 'loop', expression: 'For([1, 2, 3])', iterator: 'i' }],
    );
    expect(await runOf(document)).toMatchObject({ state: 'SUCCEEDED', stepCount: 4 });
    expect(remote.received.map(({ url }) => url)).toEqual([
      '/login',
      '/session',
      '/session',
      '/session',
      '/session',
    ]);
    expect(remote.received[0]?.body).toBe(JSON.stringify({ user: 'ann', password: PASSWORD }));
    expect(remote.received[4]?.headers['x-session']).toBe('SESSION-of-Ann');
  });

  it('never reveals credentials that an answer returns', async () => {
    const { events, state } = await run(
      step('0', 'List'),
      step('1', 'Create'),
      step('2', 'Session'),
      step('3', 'Create', {
        body: {
          format: 'json',
          fields: {
            seen: '{%#0000A1.(response).body.sent%}',
            again: '{%#0000A3.(request).x%}',
            secret: '{token}',
          },
        },
      }),
      step('4', 'Create', {
        body: { format: 'json', fields: { was: '{%#0000A3.(request).secret%}' } },
      }),
    );
    expect(state).toBe('SUCCEEDED');
    const eventText = JSON.stringify(events);
    for (const secret of [
      TOKEN,
      JSON.stringify(TOKEN).slice(1, -1),
      PASSWORD,
      encodeURIComponent(TOKEN),
      encodeURIComponent(PASSWORD),
      BASIC.slice(6),
      'SESSION-of-Ann',
    ])
      expect(eventText).not.toContain(secret);
    const requests = events.flatMap(({ request }: any) => (request ? [request] : []));
    expect(requests[0].url).toBe(`${remote.url}/tickets?key=***`);
    expect(requests[1]).toMatchObject({
      header: { Authorization: '***' },
      payload: '{"title":"none","by":"ann"}',
    });
    // A later step cannot read them either.
    expect(remote.received.at(-1)?.body).toBe('{"was":"***"}');
  });

  it('sends credentials to no other origin', async () => {
    const away = (request: object) => run(step('0', 'List', request, { retries: 0 }));
    expect((await away({ endpoint: `${elsewhere.url}/tickets` })).error).toMatchObject({
      code: 'SECRET_ORIGIN_REFUSED',
      index: '0',
    });
    expect(
      (
        await away({
          endpoint: `${elsewhere.url}/x`,
          header: { Authorization: null, 'X-Key': '{basic}' },
        })
      ).error,
    ).toMatchObject({ code: 'SECRET_ORIGIN_REFUSED' });
    answer = (_request, response) => {
      response.writeHead(307, { location: `${elsewhere.url}/stolen` }).end();
    };
    expect((await away({})).error).toMatchObject({ code: 'SECRET_ORIGIN_REFUSED' });
    expect(elsewhere.received).toHaveLength(0);
    expect(
      (await away({ endpoint: `${elsewhere.url}/by/{user}`, header: { Authorization: null } }))
        .state,
    ).toBe('SUCCEEDED');
    expect(elsewhere.received).toMatchObject([{ url: '/by/ann' }]);
  });

  it('sends the named secrets of its operation, and never reveals them', async () => {
    const { state, events } = await run(
      step('0', 'Keyed'),
      step('1', 'Create', {
        body: { format: 'json', fields: { seen: '{%#0000A0.(request).key%}' } },
      }),
    );
    expect(state).toBe('SUCCEEDED');
    expect(remote.received).toMatchObject([
      {
        url: `/keyed?key=${encodeURIComponent(NAMED)}`,
        headers: { 'x-key': `Key ${NAMED}` },
        body: JSON.stringify({ key: NAMED }),
      },
      { body: '{"seen":"***"}' },
    ]);
    for (const text of [NAMED, encodeURIComponent(NAMED)])
      expect(JSON.stringify(events)).not.toContain(text);
    expect(
      (await run(step('0', 'Keyed', { endpoint: `${elsewhere.url}/x` }, { retries: 0 }))).error,
    ).toMatchObject({ code: 'SECRET_ORIGIN_REFUSED', index: '0' });
    expect(elsewhere.received).toHaveLength(0);
  });

  it('receives no named secret of an overridden part of its operation', async () => {
    answer = (_request, response) => answerJson(response, { told: NAMED });
    const { state, events } = await run(
      step('0', 'Keyed', {
        endpoint: '{url}/x',
        header: { 'x-key': null },
        body: { format: 'json', fields: { a: 1 } },
      }),
    );
    // A run cannot mask what it does not know.
    expect([state, JSON.stringify(events).includes(NAMED)]).toEqual(['SUCCEEDED', true]);
  });

  it('computes no value with a named secret, and sends no mark instead', async () => {
    expect((await run(step('0', 'Computed'))).error).toMatchObject({
      code: 'SECRET_NOT_ALLOWED_HERE',
      index: '0',
    });
    expect(remote.received).toHaveLength(0);
  });

  it('counts the statuses as success that the step names, in place of its operation', async () => {
    answer = (_request, response) => answerJson(response, { error: { code: 1 } });
    const outcomeOf = async (successStatus: string | null): Promise<string | null> =>
      (await run(step('0', 'Rpc', {}, { successStatus }))).error?.code ?? null;
    expect(await outcomeOf(null)).toBe('OPERATION_FAILED');
    expect(await outcomeOf('200-299')).toBeNull();
    expect(await outcomeOf('201')).toBe('HTTP_STATUS_ERROR');
  });

  longIt('reads the answer in the format of its operation', async () => {
    expect((await run(step('0', 'Accepted'))).error).toMatchObject({
      code: 'OPERATION_FAILED',
      index: '0',
    });
    expect(
      (
        await run(
          step('0', 'Accepted'),
          step('1', 'Create', {
            body: {
              format: 'json',
              fields: ['{%#0000A0.(response).fail.why%}', '{%#0000A0.(response).success.why%}'],
            },
          }),
        )
      ).state,
    ).toBe('SUCCEEDED');
    expect(remote.received.at(-1)?.body).toBe('["so",null]');
    expect(
      (
        await run(
          step('0', 'Absent'),
          step('1', 'Create', {
            body: { format: 'json', fields: ['{%#0000A0.(response).success.why%}'] },
          }),
        )
      ).state,
    ).toBe('SUCCEEDED');
    expect(remote.received.at(-1)?.body).toBe('["so"]');
    for (const [body, code] of [
      [{ result: {} }, undefined],
      [{ error: { code: 1 } }, 'OPERATION_FAILED'],
      [{ error: {} }, undefined],
      [{ result: {}, error: { code: 1 } }, undefined],
    ] as const) {
      answer = (_request, response) => answerJson(response, body);
      expect([body, (await run(step('0', 'Rpc'))).error?.code]).toEqual([body, code]);
    }
  });

  it.each(['text/html; charset=utf-8', 'text/csv', 'application/x-ours'])(
    'reads an answer as JSON when the operation declares JSON or nothing else, whatever its type %s',
    async (type) => {
      answer = ({ url }, response) => {
        response
          .writeHead(200, { 'content-type': type })
          .end(url === '/rpc' ? '{"error":{"code":1}}' : '{"id":{"a":7}}');
      };
      expect(
        (
          await run(
            step('0', 'List'),
            step('1', 'Create', {
              body: { format: 'json', fields: ['{%#0000A0.(response).success.id.a%}'] },
            }),
          )
        ).state,
      ).toBe('SUCCEEDED');
      expect(remote.received.at(-1)?.body).toBe('[7]');
      expect((await run(step('0', 'Rpc'))).error?.code).toBe('OPERATION_FAILED');
      answer = (_request, response) => {
        response.writeHead(200, { 'content-type': type }).end('[Info] no JSON');
      };
      expect(
        (
          await run(
            step('0', 'List'),
            step('1', 'Create', {
              body: { format: 'json', fields: ['{%#0000A0.(response).success%}'] },
            }),
          )
        ).state,
      ).toBe('SUCCEEDED');
      expect(remote.received.at(-1)?.body).toBe('["[Info] no JSON"]');
    },
  );

  it.each([
    ['an operation with status 401', 401],
    ['an operation with a server error', 500],
    ['an answer without the field', 200],
  ])('makes no call without required values: %s', async (_what, status) => {
    answer = (request, response) =>
      request.url === '/login'
        ? answerJson(response, { session: {} }, status)
        : usual(request, response);
    expect((await run(step('0', 'Session'))).error).toMatchObject({
      index: '0',
      code: 'CREDENTIALS_NOT_COMPUTED',
    });
    expect(remote.received.map(({ url }) => url)).not.toContain('/session');
  });

  it('resolves untyped data with its own connector or that of the workflow', async () => {
    const document = workflow([step('0', 'List', null, { methodType: null, connector: null })]);
    const legacy = {
      ...document,
      fromConnector: { ...document.fromConnector, connectorId: connector },
    };
    expect((await runOf(legacy)).state).toBe('SUCCEEDED');
    expect((await run(step('0', 'List', null, { methodType: null }))).state).toBe('SUCCEEDED');
    expect(remote.received.map(({ headers }) => headers.authorization)).toEqual([
      `Bearer ${TOKEN}`,
      `Bearer ${TOKEN}`,
    ]);
  });

  it('uses values of another connector, which are sent where that connector allows', async () => {
    const other = await newConnector(service, invoker, {
      url: elsewhere.url,
      user: 'bob',
      password: 'bob-secret',
      token: 'token-of-bob',
    });
    await run(
      step('0', 'List', {
        endpoint: `{#${other}.url}/x`,
        header: {
          Authorization: null,
          'X-Token': `{#${other}.token}`,
          'X-User': `{#${other}.user} {user}`,
        },
      }),
    );
    expect(elsewhere.received).toMatchObject([
      { url: '/x', headers: { 'x-token': 'token-of-bob', 'x-user': 'bob ann' } },
    ]);
    expect(
      (
        await run(
          step('0', 'List', { header: { Authorization: null, 'X-Token': `{#${other}.token}` } }),
        )
      ).error?.code,
    ).toBe('SECRET_ORIGIN_REFUSED');
  });

  it('ends with a specific code when its target does not exist', async () => {
    expect((await run(step('0', 'Nothing'))).error).toMatchObject({
      code: 'OPERATION_NOT_FOUND',
      index: '0',
    });
    expect((await run(step('0', 'List', null, { connector: null }))).error).toMatchObject({
      code: 'CONNECTOR_NOT_FOUND',
      index: '0',
    });
    const [lonely, orphanConnector] = [
      await imported(service, { fields: FIELDS, operations: OPERATIONS }),
      await newConnector(service, invoker, {
        url: remote.url,
        user: 'u',
        password: 'p',
        token: 't',
      }),
    ];
    const orphan = await newConnector(service, lonely, {
      url: remote.url,
      user: 'u',
      password: 'p',
      token: 't',
    });
    const [first, second] = [
      await saved(
        service,
        workflow([step('0', 'List', null, { connector: { connectorId: orphanConnector } })]),
      ),
      await saved(
        service,
        workflow([step('0', 'List', null, { connector: { connectorId: orphan } })]),
      ),
    ];
    expect(
      (await service.api('DELETE', `/api/connector/${orphanConnector}?force=true`)).status,
    ).toBe(204);
    expect((await service.api('DELETE', `/api/invoker/${lonely}/force`)).status).toBe(204);
    expect(await ended(service, await started(service, first))).toMatchObject({
      error: { code: 'CONNECTOR_NOT_FOUND', index: '0' },
    });
    expect(await ended(service, await started(service, second))).toMatchObject({
      error: { code: 'INVOKER_NOT_FOUND', index: '0' },
    });
    expect(remote.received).toHaveLength(0);
  });
});

describe('the settings of a connector', () => {
  longIt('set the timeout of a step that sets none', async () => {
    const slow = await service.api('PUT', `/api/connector/${connector}`, {
      body: { timeout: 200 },
    });
    expect(slow.status).toBe(200);
    answer = () => undefined;
    expect((await run(step('0', 'List'))).error).toMatchObject({
      code: 'OUTBOUND_TIMEOUT',
      attempt: 1,
    });
    answer = (request, response) => {
      setTimeout(() => usual(request, response), 300);
    };
    expect((await run(step('0', 'List', null, { timeout: 20_000 }))).state).toBe('SUCCEEDED');
    await service.api('PUT', `/api/connector/${connector}`, { body: { timeout: 0 } });
  });

  it('set whether certificates are validated', async () => {
    const untrusted = await startUntrusted((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
    const strict = await newConnector(service, invoker, {
      url: untrusted.url,
      user: 'u',
      password: 'p',
      token: 't',
    });
    const call = () => run(step('0', 'List', null, { connector: { connectorId: strict } }));
    expect((await call()).error).toMatchObject({ code: 'OUTBOUND_TLS_FAILED' });
    expect(
      (await service.api('PUT', `/api/connector/${strict}`, { body: { sslCert: true } })).status,
    ).toBe(200);
    expect((await call()).state).toBe('SUCCEEDED');
    await untrusted.close();
  });
});

describe('the formats of an operation', () => {
  const FORMATS: OperationXml[] = [
    {
      name: 'Soap',
      method: 'POST',
      endpoint: '{url}/soap',
      header: { 'Content-Type': 'text/xml' },
      body: '<body type="object" format="xml" data="raw"><field name="login" type="object"><field name="token" type="string">{token}</field></field></body>',
      response:
        '<success status="200"><body type="object" format="xml" data="raw"/></success><fail status="500"/>',
    },
    {
      name: 'Form',
      method: 'POST',
      endpoint: '{url}/form',
      header: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: json(
        '<field name="a" type="object"><field name="b" type="string">{user}</field></field>',
      ),
    },
    {
      name: 'Text',
      endpoint: '{url}/text',
      response:
        '<success status="200"><body type="string" format="text" data="raw"/></success><fail status="500"/>',
    },
  ];
  const copy = (fields: unknown): object => ({
    id: 'c',
    index: '1',
    name: 'copy',
    color: '#0000C1',
    methodType: 'HTTP_REQUEST',
    request: { endpoint: `${remote.url}/copy`, method: 'POST', body: { format: 'json', fields } },
  });

  it('encode credentials in requests and decode answers', async () => {
    const formats = await newConnector(
      service,
      await imported(service, { fields: FIELDS, operations: FORMATS }),
      { url: remote.url, user: 'a&b', password: 'p', token: TOKEN },
    );
    const of = (name: string): object =>
      step('0', name, null, { connector: { connectorId: formats } });
    answer = ({ url }, response) => {
      response
        .writeHead(200, { 'content-type': 'text/plain' })
        .end(url === '/soap' ? '<r><id>7</id></r>' : '{"a":1}');
    };
    expect((await run(of('Soap'), copy(['{%#0000A0.(response).body.r.id%}']))).state).toBe(
      'SUCCEEDED',
    );
    expect(remote.received.map(({ body }) => body.replaceAll(/\n\s*/g, ''))).toEqual([
      `<?xml version="1.0" encoding="UTF-8"?><login><token>${TOKEN}</token></login>`,
      '["7"]',
    ]);
    expect((await run(of('Form'))).state).toBe('SUCCEEDED');
    expect(remote.received.at(-1)?.body).toBe(`a=${encodeURIComponent('{"b":"a&b"}')}`);
    expect((await run(of('Text'), copy(['{%#0000A0.(response).body%}']))).state).toBe('SUCCEEDED');
    expect(remote.received.at(-1)?.body).toBe('["{\\"a\\":1}"]');
  });

  it('include a form with JSON in one field', async () => {
    const name = 'CheckMK';
    await imported(service, { fields: FIELDS, operations: FORMATS }, name);
    const checkmk = await newConnector(service, name, {
      url: remote.url,
      user: 'ann',
      password: 'p',
      token: TOKEN,
    });
    expect(
      (await run(step('0', 'Form', null, { connector: { connectorId: checkmk } }))).state,
    ).toBe('SUCCEEDED');
    expect([...new URLSearchParams(remote.received.at(-1)?.body)]).toEqual([
      ['request', '{"a":{"b":"ann"}}'],
    ]);
  });
});
