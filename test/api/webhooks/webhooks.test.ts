import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { outcome, startService, testService, unique } from '../../support/service/harness';
import type { Answer, TestService } from '../../support/service/harness';
import { movingClock } from '../../support/service/moving-clock';
import { testRemote } from '../../support/peers/remote-system';
import { exchange } from '../../support/calls/rest-transport';
import { longIt } from '../../support/long';
import { ended } from '../../support/service/watch';
import { method, saved, started, workflow } from '../../support/documents/workflows';

const clock = movingClock();
const PER_MINUTE = 30;
const GUESSES = 8;

const service = testService({
  clock,
  env: {
    HYPHA_TOKEN_ACTIVITY_TIME: '864000',
    HYPHA_TOKEN_EXPIRATION_TIME: '864000',
    HYPHA_LIMITS_WEBHOOK_CALLS: String(PER_MINUTE),
    HYPHA_LIMITS_WEBHOOK_GUESSES: String(GUESSES),
  },
});
const remote = testRemote(() => ({ body: {} }));
let workflowId: number;
beforeAll(async () => {
  const body = {
    type: 'object',
    format: 'json',
    data: 'raw',
    fields: {
      count: '${count:integer}',
      names: '${names:array}',
      who: '${user.name}',
      text: 'Hello ${name}!',
    },
  };
  workflowId = await saved(
    service,
    workflow([
      method('0', `${remote.url}/called`, {
        request: { endpoint: `${remote.url}/called`, method: 'POST', header: {}, body },
      }),
    ]),
  );
});
beforeEach(() => {
  remote.forget();
  clock.forward(60_000);
});

const FIELDS = 'databaseId url createdBy { email } schedule { databaseId }';
const scheduled = async (more: object = {}): Promise<number> =>
  (
    await service.api('POST', '/api/scheduler', {
      body: { title: unique('Called '), connectionId: workflowId, ...more },
    })
  ).body.schedulerId as number;
const me = async (token?: string): Promise<number> =>
  (await service.field('{ me { databaseId } }', {}, token)).databaseId as number;
const create = async (scheduleId: number, token?: string): Promise<Answer> =>
  service.api('GET', `/api/webhook/url/${await me(token)}/${scheduleId}`, { token });
async function called(
  more: object = {},
  token?: string,
): Promise<{ scheduleId: number; id: number; path: string }> {
  const scheduleId = await scheduled(more);
  const {
    body: { webhookId, url },
  } = await create(scheduleId, token);
  return { scheduleId, id: webhookId, path: new URL(url).pathname };
}
const call = (path: string, verb = 'GET', options: object = {}): Promise<Answer> =>
  service.api(verb, path, { token: null, ...options });
const runsOf = async (scheduleId: number): Promise<any[]> =>
  (
    await service.field(
      'query ($id: ID!) { runs(filter: { schedule: { eq: $id } }) { nodes { databaseId state trigger startedBy { email } error { code } } } }',
      { id: scheduleId },
    )
  ).nodes;
async function lastEnded(scheduleId: number): Promise<any> {
  for (;;) {
    const run = (await runsOf(scheduleId))[0];
    if (run && !['QUEUED', 'RUNNING'].includes(run.state)) return run;
  }
}

describe('a webhook', () => {
  it('is created, shown with its schedule in both APIs and revoked', async () => {
    const scheduleId = await scheduled();
    const made = await create(scheduleId);
    expect(made).toMatchObject({
      status: 201,
      body: {
        webhookId: expect.any(Number),
        url: expect.stringMatching(new RegExp(`^${service.url}/api/webhook/execute/[\\w-]{43}$`)),
        apiToken: null,
      },
    });
    expect((await service.api('GET', `/api/scheduler/${scheduleId}`)).body.webhook).toEqual(
      made.body,
    );
    expect(
      (await service.api('GET', '/api/scheduler/all')).body.find(
        (one: any) => one.schedulerId === scheduleId,
      ).webhook,
    ).toEqual(made.body);
    const shown = {
      databaseId: made.body.webhookId,
      url: made.body.url,
      createdBy: { email: 'admin@hypha.test' },
      schedule: { databaseId: scheduleId },
    };
    expect(
      (
        await service.field(`query ($id: ID!) { schedule(id: $id) { webhook { ${FIELDS} } } }`, {
          id: scheduleId,
        })
      ).webhook,
    ).toEqual(shown);
    expect(outcome(await create(scheduleId))).toEqual([409, 'SCHEDULER_HAS_WEBHOOK']);

    const { pathname } = new URL(made.body.url);
    expect(await service.api('DELETE', `/api/webhook/${made.body.webhookId}`)).toMatchObject({
      status: 204,
    });
    expect(await service.api('DELETE', `/api/webhook/${made.body.webhookId}`)).toMatchObject({
      status: 204,
    });
    expect(outcome(await call(pathname))).toEqual([404, 'WEBHOOK_NOT_FOUND']);
    expect((await service.api('GET', `/api/scheduler/${scheduleId}`)).body.webhook).toBeNull();
    expect(await runsOf(scheduleId)).toEqual([]);
    expect((await create(scheduleId)).body.url).not.toBe(made.body.url);
  });

  it('is created and revoked in GraphQL, and found by its id', async () => {
    const scheduleId = await scheduled();
    const make =
      'mutation ($id: ID!) { webhookCreate(input: { scheduleId: $id }) { webhook { id url databaseId } userErrors { code path } } }';
    const { webhook } = await service.field(make, { id: scheduleId });
    expect(
      await service.field(`query ($id: ID!) { node(id: $id) { ... on Webhook { ${FIELDS} } } }`, {
        id: webhook.id,
      }),
    ).toMatchObject({ url: webhook.url, schedule: { databaseId: scheduleId } });
    expect(await service.field(make, { id: scheduleId })).toEqual({
      webhook: null,
      userErrors: [{ code: 'SCHEDULER_HAS_WEBHOOK', path: ['scheduleId'] }],
    });
    expect(await service.field(make, { id: 987_654 })).toEqual({
      webhook: null,
      userErrors: [{ code: 'SCHEDULER_NOT_FOUND', path: ['scheduleId'] }],
    });
    const revoke =
      'mutation ($id: ID!) { webhookDelete(input: { id: $id }) { webhook { databaseId } userErrors { code path } } }';
    expect(await service.field(revoke, { id: webhook.id })).toEqual({
      webhook: { databaseId: webhook.databaseId },
      userErrors: [],
    });
    expect(await service.field(revoke, { id: webhook.id })).toEqual({
      webhook: null,
      userErrors: [{ code: 'WEBHOOK_NOT_FOUND', path: ['id'] }],
    });
  });

  longIt(
    'starts its schedule while the schedule is concurrently moved to other workflows',
    async () => {
      const { path, scheduleId } = await called();
      const other = await saved(service, workflow([]));
      const outcomes = await Promise.all(
        Array.from({ length: 40 }, (_, nth) =>
          nth % 2 === 0
            ? call(`${path}?count=1&names=[a]&user=x&name=y`)
            : service.api('PUT', `/api/scheduler/${scheduleId}`, {
                body: { connectionId: nth % 4 === 1 ? other : workflowId },
              }),
        ),
      );
      expect(outcomes.map(({ status }) => status)).toEqual(outcomes.map(() => 200));
    },
  );

  it('is one if several are created for one schedule at once', async () => {
    const scheduleId = await scheduled();
    const answers = await Promise.all(Array.from({ length: 8 }, () => create(scheduleId)));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      201,
      ...Array.from({ length: 7 }, () => 409),
    ]);
  });

  it('is deleted with its schedule and with its workflow', async () => {
    const first = await called();
    await service.api('DELETE', `/api/scheduler/${first.scheduleId}`);
    const id = await saved(service, workflow([]));
    const second = await called({ connectionId: id });
    await service.api('DELETE', `/api/connection/${id}`);
    for (const { path } of [first, second])
      expect(outcome(await call(path))).toEqual([404, 'WEBHOOK_NOT_FOUND']);
  });

  it('starts nothing after its creator is deleted, and can be replaced', async () => {
    const { id, token } = await service.userWith(['SCHEDULE:READ', 'SCHEDULE:UPDATE']);
    const { path, scheduleId } = await called({}, token);
    expect(await call(path)).toMatchObject({ status: 200 });
    const shown = async (): Promise<unknown[]> => [
      (await service.api('GET', `/api/scheduler/${scheduleId}`)).body.webhook,
      (
        await service.field('query ($id: ID!) { schedule(id: $id) { webhook { databaseId } } }', {
          id: scheduleId,
        })
      ).webhook,
    ];
    expect(await shown()).toEqual([
      { webhookId: expect.any(Number), url: expect.stringContaining(path), apiToken: null },
      { databaseId: expect.any(Number) },
    ]);
    await service.api('DELETE', `/api/user/${id}`);
    expect(outcome(await call(path))).toEqual([404, 'WEBHOOK_NOT_FOUND']);
    expect(await shown()).toEqual([null, null]);
    const next = await create(scheduleId);
    expect(next.status).toBe(201);
    expect(await call(new URL(next.body.url).pathname)).toMatchObject({ status: 200 });
  });

  it('that was created with an API token shows it, and ends with it', async () => {
    const scopes = ['SCHEDULE:READ', 'SCHEDULE:UPDATE', 'MYPROFILE:READ'];
    const withToken = async (expiresInDays: number) => {
      const { body } = await service.api('POST', '/api/api-token', {
        body: { name: 'hooks', scopes, expiresInDays },
      });
      const bearer = `Bearer ${body.token}`;
      const scheduleId = await scheduled();
      return { ...body, scheduleId, bearer };
    };
    const revoked = await withToken(90);
    const made = await create(revoked.scheduleId, revoked.bearer);
    const shownToken = (({ apiTokenId, name, expiresAt }) => ({ apiTokenId, name, expiresAt }))(
      revoked,
    );
    expect(made).toMatchObject({ status: 201, body: { apiToken: shownToken } });
    const ofSchedule = async (id: number) =>
      (await service.api('GET', `/api/scheduler/${id}`)).body.webhook;
    expect(await ofSchedule(revoked.scheduleId)).toEqual(made.body);
    const inGraphql = await service.data(
      `query ($id: ID!) { schedule(id: $id) { webhook { apiToken { apiTokenId name expiresAt } } } }`,
      { id: revoked.scheduleId },
    );
    expect(inGraphql.schedule.webhook.apiToken).toEqual(shownToken);
    const { pathname } = new URL(made.body.url);
    expect(await call(pathname)).toMatchObject({ status: 200 });
    await service.mutate(
      'apiTokenRevoke',
      { id: String(revoked.apiTokenId) },
      'userErrors { code }',
    );
    expect(outcome(await call(pathname))).toEqual([404, 'WEBHOOK_NOT_FOUND']);
    expect(await ofSchedule(revoked.scheduleId)).toBeNull();

    const expiring = await withToken(1);
    const webhookCreate = await service.mutate(
      'webhookCreate',
      { scheduleId: expiring.scheduleId },
      'webhook { url apiToken { apiTokenId } } userErrors { code }',
      expiring.bearer,
    );
    expect(webhookCreate.webhook.apiToken).toEqual({ apiTokenId: expiring.apiTokenId });
    const expiringPath = new URL(webhookCreate.webhook.url).pathname;
    expect(await call(expiringPath)).toMatchObject({ status: 200 });
    const inSession = await called();
    clock.forward(24 * 3_600_000);
    expect(outcome(await call(expiringPath))).toEqual([404, 'WEBHOOK_NOT_FOUND']);
    expect(await call(inSession.path)).toMatchObject({ status: 200 });
  });

  it('requires the permission to start its schedule, and belongs to its creator', async () => {
    const { scheduleId } = await called();
    const reader = await service.userWith(['SCHEDULE:READ']);
    const starter = await service.userWith(['SCHEDULE:READ', 'SCHEDULE:UPDATE']);
    const seen = async (token: string) => [
      (await service.api('GET', `/api/scheduler/${scheduleId}`, { token })).body.webhook,
      (
        await service.field(
          'query ($id: ID!) { schedule(id: $id) { webhook { url } } }',
          { id: scheduleId },
          token,
        )
      ).webhook,
    ];
    expect(await seen(reader.token)).toEqual([null, null]);
    expect(await seen(starter.token)).toEqual([
      expect.objectContaining({ url: expect.any(String) }),
      { url: expect.any(String) },
    ]);
    expect((await create(await scheduled(), reader.token)).status).toBe(403);
    expect(
      await service.status('GET', `/api/webhook/url/${reader.id}/${await scheduled()}`, {
        token: starter.token,
      }),
    ).toBe(403);
    expect(outcome(await create(987_654, starter.token))).toEqual([404, 'SCHEDULER_NOT_FOUND']);
    expect(await service.status('GET', `/api/webhook/url/undefined/${scheduleId}`)).toBe(400);
  });

  it('lists the types of its parameters and its URL', async () => {
    expect(await service.body('GET', '/api/webhook/supported/types')).toEqual([
      'string',
      'number',
      'integer',
      'boolean',
      'array',
      'object',
      'undefined',
    ]);
    expect(await call('/api/webhook/health')).toMatchObject({ status: 200, text: '' });
  });
});

describe('a webhook call', () => {
  it('starts even a disabled schedule without a user, with the values of query and body', async () => {
    const { scheduleId, path } = await called({ status: false });
    const answer = await call(`${path}?names=[Ann,7]&count=3`, 'POST', {
      body: { count: 1, user: { name: 'Bo' }, name: 'you' },
    });
    expect(answer).toMatchObject({ status: 200, text: '' });
    expect([...answer.headers.keys()].filter((name) => /run|location|etag/i.test(name))).toEqual(
      [],
    );
    expect(await lastEnded(scheduleId)).toMatchObject({
      state: 'SUCCEEDED',
      trigger: 'WEBHOOK',
      startedBy: null,
    });
    expect(remote.received.map(({ body }) => JSON.parse(body))).toEqual([
      { count: 3, names: ['Ann', 7], who: 'Bo', text: 'Hello you!' },
    ]);
  });

  it('passes null for missing parameters', async () => {
    const { scheduleId, path } = await called();
    expect(await call(path)).toMatchObject({ status: 200, text: '' });
    expect(await call(path, 'POST')).toMatchObject({ status: 200, text: '' });
    expect(await lastEnded(scheduleId)).toMatchObject({ state: 'SUCCEEDED' });
    expect(await runsOf(scheduleId)).toHaveLength(2);
  });

  it.each(['1234567890123456789', '-98765432109876543210987654321', '9007199254740993'])(
    'passes the integer %s exactly from a query, a body and a step of the service',
    async (number) => {
      const { scheduleId, path } = await called();
      const onwards = {
        id: 'w',
        index: '0',
        name: 'onwards',
        methodType: 'WEBHOOK',
        request: {
          endpoint: `${service.url}${path}`,
          method: 'POST',
          header: {},
          body: {
            type: 'object',
            format: 'json',
            data: 'raw',
            fields: { count: '${count:integer}' },
          },
        },
      };
      const caller = await called({ connectionId: await saved(service, workflow([onwards])) });
      expect(await call(`${path}?count=${number}`)).toMatchObject({ status: 200 });
      expect(
        await call(path, 'POST', { body: `{"count":${number},"names":[${number}]}` }),
      ).toMatchObject({ status: 200 });
      expect(await call(caller.path, 'POST', { body: `{"count":${number}}` })).toMatchObject({
        status: 200,
      });
      expect(await lastEnded(caller.scheduleId)).toMatchObject({ state: 'SUCCEEDED' });
      while ((await runsOf(scheduleId)).filter(({ state }) => state === 'SUCCEEDED').length < 3);
      expect(remote.received.map(({ body }) => /"count":([^,]*)/.exec(body)?.[1])).toEqual([
        number,
        number,
        number,
      ]);
      expect(remote.received.some(({ body }) => body.includes(`"names":[${number}]`))).toBe(true);
    },
  );

  it.each([['text/plain'], ['application/vnd.acme+json']])(
    'parses a body of type %s as JSON',
    async (type) => {
      const { scheduleId, path } = await called();
      expect(
        await call(path, 'POST', { body: '{"name":"typed"}', headers: { 'content-type': type } }),
      ).toMatchObject({ status: 200 });
      await lastEnded(scheduleId);
      expect(remote.received.at(-1)?.body).toContain('Hello typed!');
    },
  );

  it.each<[string, unknown, number, string]>([
    ['', '{"count":"many"}', 400, 'WEBHOOK_PARAMETER_INVALID'],
    ['?count=1.5', undefined, 400, 'WEBHOOK_PARAMETER_INVALID'],
    ['?other=[9007199254740993.55]', undefined, 400, 'WEBHOOK_PARAMETER_INVALID'],
    ['?other=[1,1e400]', '{}', 400, 'WEBHOOK_PARAMETER_INVALID'],
    ['', '{"other":[1,1e400]}', 400, 'WEBHOOK_PARAMETER_INVALID'],
    ['', `{"a":${'['.repeat(200)}${']'.repeat(200)}}`, 400, 'BAD_REQUEST'],
    ['?a=%ff', '{}', 400, 'BAD_REQUEST'],
    ['', JSON.stringify({ name: 'x'.repeat(1_100_000) }), 413, 'PAYLOAD_TOO_LARGE'],
  ])('with %s and invalid input starts nothing: %#', async (search, body, status, code) => {
    const { scheduleId, path } = await called();
    expect(outcome(await call(path + search, 'POST', { body }))).toEqual([status, code]);
    expect(await runsOf(scheduleId)).toEqual([]);
  });

  it('is answered alike for any invalid token, before its body is read', async () => {
    const { path } = await called();
    const wrong = [
      path.slice(0, -1),
      `${path}A`,
      `${path.slice(0, -1)}${path.endsWith('A') ? 'B' : 'A'}`,
      '/api/webhook/execute/x',
      '/api/webhook/execute/%00',
      `/api/webhook/execute/${'9'.repeat(5_000)}`,
    ];
    const answers = await Promise.all(
      wrong.map((one) => call(one, 'POST', { body: 'no JSON at all' })),
    );
    expect(
      new Set(
        answers.map(({ status, body }) => JSON.stringify([status, body.message, body.error])),
      ),
    ).toEqual(new Set([JSON.stringify([404, 'WEBHOOK_NOT_FOUND', 'There is no such webhook.'])]));
  });

  it('is not started by HEAD or other methods', async () => {
    const { scheduleId, path } = await called();
    expect((await call(path, 'HEAD')).status).toBe(200);
    expect((await call(`${path.slice(0, -3)}xyz`, 'HEAD')).status).toBe(404);
    for (const verb of ['PUT', 'DELETE', 'PATCH'])
      expect((await call(path, verb)).status).toBe(405);
    expect(await runsOf(scheduleId)).toEqual([]);
  });

  longIt('is rate limited for each webhook and succeeds again later', async () => {
    const [one, other] = [await called(), await called()];
    const answers = await Promise.all(Array.from({ length: PER_MINUTE + 5 }, () => call(one.path)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(5);
    expect(outcome(refused[0])).toEqual([429, 'TOO_MANY_CALLS']);
    const seconds = Number(refused[0].headers.get('retry-after'));
    expect(seconds).toBe(60 / PER_MINUTE);
    expect((await call(other.path)).status).toBe(200);
    clock.forward(seconds * 1_000);
    expect([(await call(one.path)).status, (await call(one.path)).status]).toEqual([200, 429]);
  });

  it('is limited for wrong tokens of an address, and never for a correct token', async () => {
    const { scheduleId, path } = await called();
    const guess = (): Promise<Answer> => call(`/api/webhook/execute/${'A'.repeat(43)}`);
    for (let nth = 0; nth < GUESSES; nth += 1) expect((await guess()).status).toBe(404);
    expect(outcome(await guess())).toEqual([429, 'TOO_MANY_CALLS']);
    expect([
      (await call(path)).status,
      (await guess()).status,
      (await call(path, 'POST', { body: '{"count":1}' })).status,
    ]).toEqual([200, 429, 200]);
    expect(await runsOf(scheduleId)).toHaveLength(2);
    clock.forward(60_000);
    expect((await guess()).status).toBe(404);
  });
});

it('the token of a webhook is not in the store, the log or the audit', async () => {
  const { path, id, scheduleId } = await called();
  const token = path.slice(path.lastIndexOf('/') + 1);
  await call(path);
  await call(path.replace('webhook', '%77ebhook'));
  await call(path, 'PUT');
  await call(`${path}/`, 'POST', { body: '[' });
  // Typical spellings of assembled URLs.
  for (const mistyped of [
    path.replace('execute/', 'execute//'),
    path.replace('execute/', 'execute%2F'),
    path.replace('/api/webhook', '/API//Webhook'),
  ])
    expect((await call(mistyped)).status).toBeGreaterThan(400);
  // Requests that fail before they reach a handler.
  const raw = [
    `POST ${path} HTTP/1.1\r\nHost: x\r\nExpect: tea\r\nConnection: close\r\n\r\n`,
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
    `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
  ];
  for (const bytes of raw)
    expect(await exchange({ port: Number(new URL(service.url).port) }, bytes)).toMatch(
      /^HTTP\/1.1 4/,
    );
  await service.api('DELETE', `/api/webhook/${id}`);
  expect(JSON.stringify(service.logs)).not.toContain(token);
  expect(
    service.logs.filter(({ path: logged }) => String(logged).startsWith('/api/webhook/execute/***'))
      .length,
  ).toBeGreaterThan(2);
  const auditEvents = await service.field(
    'query ($id: String!) { auditEvents(first: 9, filter: { targetType: { eq: WEBHOOK }, targetId: { eq: $id } }) { nodes { before after } } }',
    { id: String(id) },
  );
  expect(auditEvents.nodes).toEqual([
    { before: { scheduleId }, after: null },
    { before: null, after: { scheduleId } },
  ]);
  expect(
    JSON.stringify(await service.field('{ auditEvents(first: 100) { nodes { before after } } }')),
  ).not.toContain(token);
  const files = readdirSync(service.dataDir, { recursive: true, withFileTypes: true }).filter(
    (file) => file.isFile(),
  );
  expect(
    files.filter((file) => readFileSync(join(file.parentPath, file.name)).includes(token)),
  ).toEqual([]);
});

it.each([
  ['HTTP_REQUEST', (url: string) => url],
  ['HTTP_REQUEST', (url: string) => url.replace(/^http:\/\//, '')],
  ['HTTP_REQUEST', (url: string) => `http://127.0.0.1:1/?u=${encodeURIComponent(url)}`],
  ['WEBHOOK', (url: string) => url.replace(/^http:\/\//, '')],
  ['WEBHOOK', (url: string) => url.replace('http:', '')],
  ['WEBHOOK', (url: string) => url.replace(/:\d+\//, ':99999/')],
  ['WEBHOOK', (url: string) => url.replace('/execute', '//execute')],
])(
  'the token of a webhook is not in the log of a run that calls it by a step %s, even at an invalid address: %#',
  async (methodType, addressOf) => {
    const { path } = await called();
    const token = path.slice(path.lastIndexOf('/') + 1);
    const endpoint = addressOf(service.url + path);
    const runId = await started(
      service,
      await saved(
        service,
        workflow([
          method('0', endpoint, {
            methodType,
            request: { endpoint, method: 'GET', header: {}, body: null },
          }),
        ]),
      ),
      true,
    );
    await ended(service, runId);
    const { text } = await service.api('GET', `/api/execution/${runId}/raw/log`);
    expect(text).toContain('***');
    expect(
      text + JSON.stringify(await service.body('GET', `/api/execution/${runId}`)),
    ).not.toContain(token);
  },
);

it('the parameters of a webhook call are in no log', async () => {
  const { path } = await called();
  const value = unique('handed-over-');
  expect((await call(`${path}?ticket=${value}&${value}&names=[${value}]`)).status).toBe(200);
  expect((await call(`${path.slice(0, -1)}?ticket=${value}`)).status).toBe(404);
  expect((await call(`${path}?count=${value}`)).status).toBe(400);
  expect(service.logs.filter((line) => JSON.stringify(line).includes(value))).toEqual([]);
  expect(service.logs).toContainEqual(
    expect.objectContaining({ path: '/api/webhook/execute/***?count=***', status: 400 }),
  );
});

longIt('a webhook outlives a change of the token secret', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'hypha-webhooks-'));
  const withSecret = (secret: string): Promise<TestService> =>
    startService({ dataDir, env: { HYPHA_TOKEN_SECRET: secret } });
  const first = await withSecret('a secret of tokens that is long enough');
  const id = await saved(first, workflow([]));
  const {
    body: { schedulerId },
  } = await first.api('POST', '/api/scheduler', { body: { title: 'Called', connectionId: id } });
  const { webhook } = await first.mutate(
    'webhookCreate',
    { scheduleId: schedulerId },
    'webhook { url }',
  );
  await first.close();
  const second = await withSecret('another secret of tokens, as long as that');
  expect(await second.status('GET', new URL(webhook.url).pathname, { token: null })).toBe(200);
  await second.close();
  rmSync(dataDir, { recursive: true, force: true });
});
