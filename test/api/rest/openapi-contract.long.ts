import {
  CONFIGURATION_REFUSALS,
  masterPasswordRefusals,
} from '../../support/calls/configuration-calls';
import {
  startDescribedService,
  TOKEN_SECRET,
  WEBHOOK_CALLS,
} from '../../support/service/described-service';
import type { DescribedService } from '../../support/service/described-service';
import { connectorRefusals } from '../../support/calls/connector-refusals';
import { accountRefusals, enforcedRefusal } from '../../support/calls/account-calls';
import { invokerRefusals } from '../../support/calls/invoker-calls';
import { mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { decode, sign } from 'jsonwebtoken';
import mongoose from 'mongoose';
import { ADMIN_EMAIL, ADMIN_PASSWORD, startService, unique } from '../../support/service/harness';
import type { TestService } from '../../support/service/harness';
import { BRANCHES, environment, person, READER } from '../../support/peers/ldap-directory';
import { startDirectory } from '../../support/peers/ldap-server';
import { Contract } from '../../support/calls/openapi-contract';
import type { Seen } from '../../support/calls/openapi-contract';
import {
  AS_PATCH,
  filled,
  PATCHES,
  pictureForm,
  restFixtures,
  successes,
  templateForm,
} from '../../support/calls/rest-calls';
import type { Call, Calls, RestFixtures } from '../../support/calls/rest-calls';
import { ALWAYS_REFUSED } from '../../support/calls/released-client-calls';
import { OFF_CALLS, onlineRefusals } from '../../support/calls/online-calls';
import { mailRefusals, passwordRefusals } from '../../support/calls/mail-refusals';
import { exchange, readRawAnswer } from '../../support/calls/rest-transport';
import { storeConnection } from '../../support/store/stored';
import { ended } from '../../support/service/watch';
import { startingService } from '../../support/service/starting-service';
import { zipOf } from '../../support/documents/zips';
import { refusedCall } from '../../support/calls/refused';
import { NO_WORKFLOWS, REFUSALS } from '../../support/calls/rest-refusals';

let service: TestService;
let contract: Contract;
let nobody: string;
let expired: string;
let port: number;
let fixtures: RestFixtures;
let calls: Calls;
let described: DescribedService;
beforeAll(async () => {
  described = await startDescribedService();
  ({ service, port } = described);
  contract = new Contract(await service.body('GET', '/openapi.json'));
  nobody = (await service.userWith([])).token;
  const claims = decode(service.adminToken.slice('Bearer '.length)) as Record<string, unknown>;
  expired = `Bearer ${sign({ ...claims, exp: Math.floor(Date.now() / 1000) - 60 }, TOKEN_SECRET)}`;
  fixtures = restFixtures(service);
  calls = successes(service, fixtures);
});
afterAll(() => described.close());

const messages = new Map<string, Set<string>>();
/** The failures that were met, as `GET /api/user/{id} 500 USER_NOT_EXIST`. */
const met = new Set<string>();

const withoutNumbers = (text: string): string =>
  text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID').replaceAll(/\d+/g, 'N');
const withoutNames = (text: string): string =>
  withoutNumbers(text)
    .replace(/The group .* has N members?/, 'The group NAME has members')
    .replace(/the title ".*"/, 'the title NAME')
    .replace(/itself: .*\./, 'itself: NAMES.')
    .replace(/already a secret called [^;]+;/, 'already a secret called NAME;')
    .replace(/The secret \S+ is used by ".*"/, 'The secret NAME is used by TITLES')
    .replace(/(nvoker )(?:called )?\S+( already| has no operation called|\.$).*/, '$1NAME$2')
    .replace(/invoker \S+ is in use: .*/, 'invoker NAME is in use')
    .replace(/aggregator called ".*"/, 'aggregator called NAME')
    .replace(/schedule called ".*"/, 'schedule called NAME')
    .replace(/The aggregator ".*" is used by ".*"/, 'The aggregator NAME is used by NAMES')
    .replace(/The connector ".*" is used by ".*"/, 'The connector NAME is used by NAMES')
    .replace(
      /The invoker .* (has no field|requires the field|has no operation with)/,
      'The invoker NAME $1',
    );

function expectDescribed(seen: Seen): void {
  expect([`${seen.method} ${seen.path} ${seen.status}`, ...contract.problemsOf(seen)]).toEqual([
    `${seen.method} ${seen.path} ${seen.status}`,
  ]);
  const { message, error } = (seen.body ?? {}) as { message?: string; error?: string };
  if (seen.status < 400 || message === undefined) return;
  met.add(`${seen.method} ${seen.path} ${seen.status} ${message}`);
  const name = `${message}.${seen.status}`;
  messages.set(name, (messages.get(name) ?? new Set()).add(withoutNames(error ?? '')));
}

async function send(
  method: string,
  path: string,
  { path: target, ...options }: Call,
  to: Pick<TestService, 'api'> = service,
): Promise<Seen> {
  const { status, headers, body, text } = await to.api(method, target, options);
  const seen = { method, path, status, headers, body: text === '' ? undefined : body };
  expectDescribed(seen);
  return seen;
}

/** Sends raw bytes, for requests that no client library can produce. */
async function sendRaw(
  method: string,
  path: string,
  { path: target, token = service.adminToken }: Call,
  headers: Record<string, string>,
  content = '',
): Promise<Seen> {
  const lines = Object.entries({
    Host: 'x',
    ...(token === null ? {} : { Authorization: token }),
    Connection: 'close',
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`);
  const { status, head, json } = readRawAnswer(
    await exchange(
      { port },
      `${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${content}`,
      (received) => /\}$/.test(received),
    ),
  );
  const seen = {
    method,
    path,
    status,
    body: json,
    headers: new Headers(
      head
        .split('\r\n')
        .slice(1)
        .map((line): [string, string] => [
          line.slice(0, line.indexOf(':')),
          line.slice(line.indexOf(':') + 1).trim(),
        ]),
    ),
  };
  expectDescribed(seen);
  return seen;
}

const successOf = async (method: string, path: string): Promise<Call> => {
  const make = calls[`${method} ${path}`];
  if (!make) throw new Error(`No request of this test succeeds at ${method} ${path}: add one.`);
  return make();
};

/** Provokes a refusal that every operation shares, given a request that succeeds. */
const COMMON: Readonly<
  Record<string, (method: string, path: string, call: Call) => Promise<Seen>>
> = {
  BAD_REQUEST: (method, path, call) => sendRaw(method, path, call, { Host: 'a/b' }),
  ACCESS_DENIED: (method, path, call) =>
    send(
      method,
      path,
      path.endsWith('/totp-validate')
        ? { ...call, body: { sessionId: 'none', code: '000000' } }
        : { ...call, token: null },
    ),
  'ACCESS_DENIED.403': (method, path, call) =>
    send(
      method,
      path,
      /\/(login|totp-validate)$/.test(path)
        ? { ...call, headers: { Origin: 'https://elsewhere.example' } }
        : { ...call, token: nobody },
    ),
  'CONFLICT.412': (method, path, call) =>
    send(method, path, { ...call, headers: { ...call.headers, 'If-Match': '"999"' } }),
  TOKEN_EXPIRED: (method, path, call) => send(method, path, { ...call, token: expired }),
  PAYLOAD_TOO_LARGE: (method, path, call) =>
    sendRaw(method, path, call, {
      'Content-Length': String(2 ** 30),
      'Content-Type':
        call.body instanceof FormData
          ? 'multipart/form-data; boundary=b'
          : (call.headers?.['content-type'] ?? 'application/json'),
    }),
  UNSUPPORTED_MEDIA_TYPE: (method, path, call) =>
    sendRaw(
      method,
      path,
      call,
      { 'Content-Length': '2', 'Content-Type': 'text/plain; charset=utf-16' },
      '{}',
    ),
};

const commonFailure = (status: number, code: string): (typeof COMMON)[string] | undefined =>
  COMMON[`${code}.${status}`] ?? COMMON[code];

const OPERATIONS = contractOperations();

/** Refusals with one implementation for all operations: a sample of the operations is tested. */
const OF_ALL: ReadonlySet<string> = new Set([
  'BAD_REQUEST',
  'TOKEN_EXPIRED',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
]);
/** Every fourth operation, and the only one that returns 500 for an expired session. */
const MEETING_ALL: ReadonlySet<string> = new Set([
  'PUT /api/user/{id}/password',
  ...OPERATIONS.filter((_operation, nth) => nth % 4 === 0).map((operation) => operation.join(' ')),
]);
const isLeftToOthers = (method: string, path: string, code: string): boolean =>
  OF_ALL.has(code) && !MEETING_ALL.has(`${method} ${path}`);

/** Names come from the committed description; the tests check the served one. */
function contractOperations(): [string, string][] {
  const { paths } = JSON.parse(readFileSync('schema/openapi.json', 'utf8')) as {
    paths: Record<string, object>;
  };
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map((method): [string, string] => [method.toUpperCase(), path]),
  );
}

/** Parts of the committed description that are no longer served. */
const UNDESCRIBED = { operation: { responses: {} }, codes: [] };

describe('the OpenAPI contract', () => {
  const succeeded = new Map<string, Call>();

  it.each(OPERATIONS)('holds for the success and the failures of %s %s', async (method, path) => {
    const [{ operation, codes } = UNDESCRIBED] = contract
      .operations()
      .filter((one) => one.method === method && one.path === path);
    const call = await successOf(method, path);
    succeeded.set(`${method} ${path}`, call);
    for (const [status, code] of codes.filter(([, one]) => !isLeftToOthers(method, path, one))) {
      const answer = await commonFailure(status, code)?.(method, path, call);
      if (answer && !(path.endsWith('/login') && code === 'ACCESS_DENIED'))
        expect([method, path, answer.status, answer.body.message]).toEqual([
          method,
          path,
          status,
          code,
        ]);
    }
    if (call.body !== undefined && !(call.body instanceof FormData))
      expect([path, ...contract.problemsOfBody(method, path, call.body)]).toEqual([path]);
    const done = await send(method, path, call);
    const refused = ALWAYS_REFUSED[`${method} ${path}`];
    if (refused !== undefined) {
      expect(done.body.message).toBe(refused);
      return;
    }
    const successful = Object.keys(operation.responses as object).filter(
      (status) => status < '300',
    );
    if (successful.length === 1)
      expect(successful).toEqual([
        successful[0] === '2XX' ? `${String(done.status)[0]}XX` : String(done.status),
      ]);
    else if (successful.includes('201') && successful.includes('200')) {
      // The second request has the id and updates the record.
      const again = await send(method, path, {
        ...call,
        body: { ...(call.body as object), id: done.body.id },
      });
      expect([String(again.status), String(done.status)]).toEqual(successful);
    } else {
      const later = await send(method, path, {
        ...(await successOf(method, path)),
        headers: { Prefer: 'wait=5, respond-async' },
      });
      expect([String(done.status), String(later.status), later.headers.get('location')]).toEqual([
        ...successful,
        `${service.url}/api/job/${later.body.jobId}`,
      ]);
    }
  });

  it.each(REFUSALS)(
    'holds for %s %s (%s %j) with %i %s',
    async (method, described, path, body, status, code) => {
      const answer = await send(method, described, { path, body });
      expect([answer.status, answer.body.message]).toEqual([status, code]);
    },
  );

  it.each(CONFIGURATION_REFUSALS)(
    'holds for the configuration file: %s %s (%j) with %i %s',
    async (method, described, call, status, code) => {
      const answer = await send(method, described, call);
      expect([answer.status, answer.body.message]).toEqual([status, code]);
    },
  );

  describe('for responses that need other records', () => {
    const refusal = async (
      method: string,
      described: string,
      call: Call,
    ): Promise<[number, string]> => {
      const { status, body } = await send(method, described, call);
      return [status, body.message];
    };
    const refuses = async (
      status: number,
      code: string,
      method: string,
      described: string,
      call: Call,
    ): Promise<void> => expect(await refusal(method, described, call)).toEqual([status, code]);
    const expectRefusal = async (...request: Parameters<typeof refusedCall>): Promise<void> => {
      const [method, described, call, status, code] = refusedCall(...request);
      await refuses(status, code, method, described, call);
    };
    const schedule = async (): Promise<{
      title: string;
      connectionId: number;
      schedulerId: number;
    }> => {
      const input = { title: unique('Known'), connectionId: await fixtures.saved() };
      return {
        ...input,
        schedulerId: (await service.api('POST', '/api/scheduler', { body: input })).body
          .schedulerId,
      };
    };

    it('holds for users and groups', async () => {
      const { user, group } = fixtures;
      const { enhanceId } = await user();
      await expectRefusal(
        409,
        'EMAIL_ALREADY_EXIST',
        'PUT /api/user/{id}',
        { body: { email: ADMIN_EMAIL } },
        enhanceId,
      );
      await expectRefusal(404, 'SESSION_NOT_EXIST', 'GET /api/user/{id}/logout', {}, enhanceId);
      const { groupId } = await service.userWith([]);
      const [used, other] = [await group(), await group()];
      for (const base of ['role', 'userGroup']) {
        await expectRefusal(409, 'ROLE_IN_USE', `DELETE /api/${base}/{id}`, {}, groupId);
        await expectRefusal(409, 'ROLE_IN_USE', `PUT /api/${base}/list/delete`, {
          body: { identifiers: [groupId] },
        });
        await expectRefusal(
          409,
          'ROLE_ALREADY_EXIST',
          `PUT /api/${base}/{id}`,
          { body: { name: 'admin' } },
          used.enhanceId,
        );
        await expectRefusal(
          409,
          'ROLE_ALREADY_EXIST',
          `PUT /api/${base}/{id}/component`,
          { body: { name: 'admin', components: [] } },
          other.enhanceId,
        );
      }
    });

    it('holds for titles in use', async () => {
      const { saved, workflow } = fixtures;
      const title = unique('taken');
      await service.api('POST', '/api/connection', { body: workflow(title) });
      await expectRefusal(409, 'TITLE_HAS_ALREADY_TAKEN', 'POST /api/connection', {
        body: workflow(title),
      });
      await refuses(409, 'TITLE_HAS_ALREADY_TAKEN', 'PUT', '/api/connection/{id}', {
        path: `/api/connection/${await saved()}`,
        body: workflow(title),
      });
    });

    it('holds for concurrent tests', async () => {
      const { saved } = fixtures;
      const testing = await successOf('POST', '/api/connection/execution/test');
      const held = { ...(testing.body as object), connectionId: await saved() };
      const testRunStart = await service.mutate(
        'testRunStart',
        { workflowId: held.connectionId },
        'run { databaseId }',
      );
      await ended(service, testRunStart.run.databaseId);
      await storeConnection()
        .collection<any>('test_schedules')
        .insertOne({
          _id: 4_711,
          title: 'x',
          workflowId: held.connectionId,
          runId: 4_711,
          testKey: `workflow ${held.connectionId}`,
          createdBy: { userId: 1, email: 'x' },
          createdAt: new Date(),
        });
      await expectRefusal(
        409,
        'CONCURRENT_TEST_IS_FORBIDDEN',
        'POST /api/connection/execution/test',
        {
          ...testing,
          body: held,
        },
      );
      await expectRefusal(
        409,
        'CONCURRENT_TEST_IS_FORBIDDEN',
        'POST /api/execution/{id}/retry',
        {},
        testRunStart.run.databaseId,
      );
    });

    it('holds for runs that have not ended, or have, or are not logged', async () => {
      const { path: cancel } = await successOf('POST', '/api/execution/{id}/cancel');
      const retry = { path: cancel.replace('cancel', 'retry') };
      const shown = cancel.replace('/cancel', '');
      while ((await service.api('GET', shown)).body.state === 'QUEUED');
      await refuses(409, 'EXECUTION_NOT_FINISHED', 'POST', '/api/execution/{id}/retry', retry);
      await service.api('POST', cancel);
      await refuses(409, 'EXECUTION_ALREADY_FINISHED', 'POST', '/api/execution/{id}/cancel', {
        path: cancel,
      });
      const [, notLogged] = /(\d+)\/cancel/.exec(cancel) ?? [];
      for (const [path, called] of [
        ['logs/children', `logs/children?fileName=2026-01-01_00-00_1_f_${notLogged}.log`],
        ['{id}/raw/log', `${notLogged}/raw/log`],
        ...['children', 'details'].map((part) => [
          `log/element/{elementId}/${part}`,
          `log/element/${notLogged}/${part}`,
        ]),
      ])
        await refuses(410, 'RUN_LOG_GONE', 'GET', `/api/execution/${path}`, {
          path: `/api/execution/${called}`,
        });
      await service.api(
        'DELETE',
        `/api/connection/${(await service.api('GET', cancel.replace('/cancel', ''))).body.connectionId}`,
      );
      await refuses(410, 'RUN_NOT_REPEATABLE', 'POST', '/api/execution/{id}/retry', retry);
    });

    it('holds for secrets in use, and invalid ones', async () => {
      const { workflow } = fixtures;
      const [named, free] = [unique('Named'), await fixtures.secret()];
      const { secretId } = await service.body('POST', '/api/secret', {
        body: { name: named, value: 'x', origins: ['https://a'] },
      });
      const naming = workflow();
      await service.api('POST', '/api/connection', {
        body: {
          ...naming,
          fromConnector: {
            methods: [
              { id: 'm', index: '0', request: { endpoint: `https://a/{%secret.${named}%}` } },
            ],
          },
        },
      });
      await expectRefusal(409, 'SECRET_ALREADY_EXIST', 'POST /api/secret', {
        body: { name: named, value: 'x', origins: ['https://a'] },
      });
      await expectRefusal(409, 'SECRET_IN_USE', 'DELETE /api/secret/{id}', {}, secretId);
      for (const [id, body, status, code] of [
        [secretId, { name: unique('other') }, 409, 'SECRET_IN_USE'],
        [free, { name: named }, 409, 'SECRET_ALREADY_EXIST'],
        [free, { name: '1' }, 400, 'NAME_INVALID'],
        [free, { value: '' }, 400, 'SECRET_VALUE_INVALID'],
        [free, { origins: [] }, 400, 'SECRET_ORIGIN_INVALID'],
        [free, { note: 'n'.repeat(1_001) }, 400, 'TEXT_TOO_LONG'],
        [
          free,
          { origins: Array.from({ length: 51 }, (_, nth) => `https://a${nth}`) },
          400,
          'LIST_TOO_LONG',
        ],
        [free, { value: '\ud800' }, 400, 'TEXT_INVALID'],
      ] as const)
        await expectRefusal(status, code, 'PUT /api/secret/{id}', { body }, id);
    });

    it('holds for aggregators in use, and invalid ones', async () => {
      const { saved, workflow } = fixtures;
      const [aggregator, second] = [await fixtures.aggregator(), await fixtures.aggregator()];
      const { name: takenName } = await service.body('GET', `/api/aggregator/${second.id}`);
      const aggregated = workflow();
      await service.api('POST', '/api/connection', {
        body: {
          ...aggregated,
          fromConnector: { methods: [{ id: 'm', index: '0', dataAggregator: aggregator.id }] },
        },
      });
      await expectRefusal(
        409,
        'AGGREGATOR_IN_USE',
        'DELETE /api/aggregator/{id}',
        {},
        aggregator.id,
      );
      await expectRefusal(409, 'AGGREGATOR_ALREADY_EXIST', 'POST /api/aggregator', {
        body: { name: takenName },
      });
      for (const [change, status, code] of [
        [{ name: takenName }, 409, 'AGGREGATOR_ALREADY_EXIST'],
        [{ name: '' }, 400, 'NAME_INVALID'],
        [{ args: [{ name: 'a b' }] }, 400, 'ARGUMENT_NAME_INVALID'],
        [{ args: [{ name: 'tickets' }, { name: 'tickets' }] }, 400, 'NAMED_TWICE'],
        [{ args: second.args }, 404, 'ARGUMENT_NOT_FOUND'],
        [{ script: '\ud800' }, 400, 'TEXT_INVALID'],
        [{ script: 'x'.repeat(65_537) }, 400, 'TEXT_TOO_LONG'],
        [
          { args: Array.from({ length: 51 }, (_, nth) => ({ name: `a${nth}` })) },
          400,
          'LIST_TOO_LONG',
        ],
      ] as const)
        await expectRefusal(status, code, 'PUT /api/aggregator', {
          body: { id: aggregator.id, ...change },
        });
      await refuses(400, 'AGGREGATOR_NOT_FOUND', 'PUT', '/api/connection/{id}', {
        path: `/api/connection/${await saved()}`,
        body: {
          ...workflow(),
          fromConnector: { methods: [{ id: 'm', index: '0', dataAggregator: 4_711 }] },
        },
      });
    });

    it('holds for invalid schedules', async () => {
      const [first, next] = [await schedule(), await schedule()];
      for (const [body, status, code] of [
        [{ title: first.title }, 409, 'TITLE_ALREADY_EXISTS'],
        [{ title: ' ' }, 400, 'TITLE_INVALID'],
        [{ cronExp: '* * * * *' }, 400, 'CRON_INVALID'],
        [{ cronExp: '0 0 0 30 2 ?' }, 400, 'CRON_NEVER_DUE'],
        [{ timeZone: 'Nowhere' }, 400, 'TIME_ZONE_INVALID'],
        [{ notificationResources: [{}] }, 404, 'MESSAGE_TEMPLATE_NOT_FOUND'],
        [{ connectionId: 987_654 }, 404, 'CONNECTION_NOT_FOUND'],
      ] as const) {
        await expectRefusal(status, code, 'POST /api/scheduler', {
          body: Object.assign({ title: unique('Refused'), connectionId: first.connectionId }, body),
        });
        await expectRefusal(status, code, 'PUT /api/scheduler/{id}', { body }, next.schedulerId);
        if ('title' in body)
          await expectRefusal(
            status,
            code,
            'PUT /api/scheduler/{id}/title',
            { body },
            next.schedulerId,
          );
      }
    });

    it('holds for too many widgets', async () => {
      await service.api('POST', '/api/widget', { body: { i: 'Many' } });
      const stored = storeConnection().collection<any>('widgets');
      const one = await stored.findOne({ key: 'Many' });
      const many = Array.from({ length: 200 }, (_, nth) => ({
        ...one,
        _id: 100_000 + nth,
        key: `Many ${nth}`,
        keyFolded: `many ${nth}`,
      }));
      await stored.insertMany(many);
      await expectRefusal(400, 'LIST_TOO_LONG', 'POST /api/widget', { body: { i: 'One more' } });
      await stored.deleteMany({ _id: { $in: many.map(({ _id }) => _id) } });
    });

    it('holds for webhooks', async () => {
      const { workflow } = fixtures;
      const withWebhook = await schedule();
      await service.api('PUT', `/api/connection/${withWebhook.connectionId}`, {
        body: {
          ...workflow(),
          fromConnector: {
            methods: [
              {
                id: 'm',
                index: '0',
                request: { endpoint: `${service.url}/\${count:integer}`, method: 'GET' },
              },
            ],
          },
        },
      });
      const made = { path: `/api/webhook/url/1/${withWebhook.schedulerId}` };
      const { pathname } = new URL((await service.api('GET', made.path)).body.url as string);
      await refuses(
        409,
        'SCHEDULER_HAS_WEBHOOK',
        'GET',
        '/api/webhook/url/{userId}/{schedulerId}',
        made,
      );
      for (const method of ['GET', 'POST'])
        await refuses(400, 'WEBHOOK_PARAMETER_INVALID', method, '/api/webhook/execute/{token}', {
          path: `${pathname}?count=many`,
        });
      for (let nth = 0; nth < WEBHOOK_CALLS; nth += 1) await service.api('GET', pathname);
      for (const method of ['GET', 'POST'])
        await refuses(429, 'TOO_MANY_CALLS', method, '/api/webhook/execute/{token}', {
          path: pathname,
        });
    });

    it('holds for versions and rules', async () => {
      const { version, workflow } = fixtures;
      const versioned = await version();
      for (const [method, name, body] of [
        ['GET', 'version', undefined],
        ['PUT', 'version', { comment: null }],
        ['DELETE', 'version', undefined],
        ['PUT', 'switch-version', undefined],
      ] as const) {
        await expectRefusal(
          404,
          'VERSION_NOT_FOUND',
          `${method} /api/connection/{id}/${name}/{snapshotId}`,
          { body },
          versioned.id,
          'none',
        );
      }
      const [ruleless, blank] = [
        `/api/connection/${versioned.id}/rule`,
        { type: 'regex', expression: ' ' },
      ];
      for (const [method, body] of [
        ['GET', undefined],
        ['PUT', { type: 'regex', expression: 'a' }],
        ['DELETE', undefined],
      ] as const) {
        await refuses(404, 'RULE_NOT_FOUND', method, '/api/connection/{id}/rule/{ruleId}', {
          path: `${ruleless}/4711`,
          body,
        });
      }
      const {
        body: { ruleId },
      } = await service.api('POST', ruleless, { body: { type: 'regex', expression: 'a' } });
      for (const [method, path, body] of [
        ['POST', '', blank],
        ['POST', '/list', [blank]],
        ['PUT', `/${ruleId}`, blank],
      ] as const) {
        await refuses(
          400,
          'RULE_INVALID',
          method,
          `/api/connection/{id}/rule${path.startsWith('/l') ? path : path && '/{ruleId}'}`,
          { path: `${ruleless}${path}`, body },
        );
      }
      await expectRefusal(
        404,
        'VERSION_NOT_FOUND',
        'GET /api/connection/{id}/diff?from=none',
        {},
        versioned.id,
      );
      const current = (await service.api('GET', `/api/connection/${versioned.id}`)).body.nodeId;
      await expectRefusal(
        409,
        'VERSION_IN_USE',
        'DELETE /api/connection/{id}/version/{snapshotId}',
        {},
        versioned.id,
        current,
      );
      await service.api('POST', '/api/connection', { body: workflow(versioned.title) });
      await expectRefusal(
        409,
        'TITLE_HAS_ALREADY_TAKEN',
        'PUT /api/connection/{id}/switch-version/{snapshotId}',
        {},
        versioned.id,
        versioned.snapshotId,
      );
    });

    it('holds for concurrent saves', async () => {
      const { workflow } = fixtures;
      // Masked secrets refer to the version that was read, so only one concurrent save succeeds.
      const secret = {
        ...workflow(),
        fromConnector: {
          methods: [
            {
              id: 'm',
              index: '0',
              color: '#FFCFB5',
              request: {
                endpoint: `${service.url}/healthz`,
                method: 'GET',
                header: { Authorization: 'Bearer x' },
              },
            },
          ],
        },
      };
      const { connectionId } = await service.body('POST', '/api/connection', { body: secret });
      const masked = await service.body('GET', `/api/connection/${connectionId}`, {
        token: (await service.userWith(['CONNECTION:READ'])).token,
      });
      const written = await Promise.all(
        Array.from({ length: 8 }, () =>
          send('PUT', '/api/connection/{id}', {
            path: `/api/connection/${connectionId}`,
            body: masked,
          }),
        ),
      );
      expect(written.map(({ status, body }) => `${status} ${body.message}`)).toContain(
        '409 CONFLICT',
      );
    });

    it('holds for categories, and workflows in them', async () => {
      const { saved, workflow } = fixtures;
      const [parent, child] = [await fixtures.category(), await fixtures.category()];
      const {
        body: { name: above },
      } = await service.api('GET', `/api/category/${parent}`);
      await service.api('PUT', `/api/category/${child}`, {
        body: { name: unique('below'), parentCategory: parent },
      });
      await expectRefusal(409, 'TITLE_HAS_ALREADY_TAKEN', 'POST /api/category', {
        body: { name: above },
      });
      await expectRefusal(409, 'CYCLE_HAS_FOUND', 'POST /api/category', {
        body: { name: unique('circle'), parentCategory: child, subCategories: [parent] },
      });
      for (const [body, status, code] of [
        [{ name: above, parentCategory: child }, 409, 'CYCLE_HAS_FOUND'],
        [{ name: '' }, 400, 'INVALID_CATEGORY_NAME'],
        [{ name: above, parentCategory: 4_711 }, 404, 'PARENT_CATEGORY_NOT_FOUND'],
        [{ name: above, subCategories: [4_711] }, 404, 'SUB_CATEGORY_NOT_FOUND'],
      ] as const)
        await expectRefusal(status, code, 'PUT /api/category/{id}', { body }, parent);
      await expectRefusal(
        409,
        'TITLE_HAS_ALREADY_TAKEN',
        'PUT /api/category/{id}',
        { body: { name: above } },
        child,
      );
      await refuses(400, 'CATEGORY_NOT_FOUND', 'PUT', '/api/connection/{id}', {
        path: `/api/connection/${await saved()}`,
        body: { ...workflow(), categoryId: 4_711 },
      });
      for (const [body, code] of NO_WORKFLOWS)
        await refuses(400, code, 'PUT', '/api/connection/{id}', {
          path: `/api/connection/${await saved()}`,
          body,
        });
    });

    it('holds for invalid files', async () => {
      await expectRefusal(500, 'USER_NOT_EXIST', 'POST /api/storage/profilePicture', {
        body: pictureForm({ email: 'nobody@hypha.test' }),
      });
      await expectRefusal(404, 'GROUP_NOT_FOUND', 'POST /api/storage/groupIcon', {
        body: pictureForm({ userGroupId: '4711' }),
      });
      for (const [name, fields] of [
        ['profilePicture', { email: ADMIN_EMAIL }],
        ['groupIcon', { userGroupId: '2' }],
      ] as const) {
        await expectRefusal(500, 'WRONG_FORMAT', `POST /api/storage/${name}`, {
          body: pictureForm(fields, new Blob(['no picture'])),
        });
      }
      for (const [path, content, code] of [
        ['', 'none', 'TEMPLATE_INVALID'],
        ['/zip', 'none', 'ZIP_FILE_REQUIRED'],
        ['/zip', 'PK\u0003\u0004 and no more', 'ZIP_INVALID'],
        ['/zip', await zipOf({ 'a.json': '1' }), 'TEMPLATE_INVALID'],
      ] as const) {
        await expectRefusal(400, code, `POST /api/storage/template${path}`, {
          body: templateForm(content),
        });
      }
    });

    it('holds for invokers, accounts and enforced second factors', async () => {
      await invokerRefusals(service, refusal);
      await accountRefusals(service, refusal);
      const enforced = await enforcedRefusal();
      expectDescribed({ method: 'POST', path: '/api/second-factor/disable', ...enforced });
      expect([enforced.status, enforced.body.message]).toEqual([400, 'SECOND_FACTOR_REQUIRED']);
    });

    it('holds for a service without master password', async () => {
      const without = await startService();
      for (const [method, described, body] of [
        ['POST', '/api/connector/{id}/graphql-schema', undefined],
        ['POST', '/api/connector/{id}/confirm', undefined],
        ['PUT', '/api/connector/{id}/required-data', {}],
        ['GET', '/api/connector/master-password/status', undefined],
      ] as const) {
        const {
          status,
          headers,
          body: told,
        } = await without.api(method, described.replace('{id}', '1'), { body });
        expectDescribed({ method, path: described, status, headers, body: told });
        expect([status, told.message]).toEqual([403, 'MASTER_PASSWORD_NOT_SET']);
      }
      await without.close();
    });

    it('holds for connectors', async () => {
      for await (const [method, described, call, status, code] of connectorRefusals(service))
        expect([method, described, ...(await refusal(method, described, call))]).toEqual([
          method,
          described,
          status,
          code,
        ]);
    });

    it('holds for master password, mail, passwords and online services', async () => {
      const { saved } = fixtures;
      const workflowId = await saved();
      const scheduled = { title: unique('Notified'), connectionId: workflowId };
      const { schedulerId } = await service.body('POST', '/api/scheduler', { body: scheduled });
      for (const refusals of [
        masterPasswordRefusals(service),
        mailRefusals(service, { id: schedulerId, workflowId }),
        passwordRefusals(service),
        onlineRefusals(service),
      ])
        for await (const [method, described, call, status, code] of refusals)
          expect([method, described, ...(await refusal(method, described, call))]).toEqual([
            method,
            described,
            status,
            code,
          ]);
    });

    it('holds for locked names', async () => {
      for (const path of ['/login', '/api/login']) {
        const wrong = {
          path,
          token: null,
          body: { email: `${unique('locked')}@hypha.test`, password: 'wrong' },
        };
        for (let failures = 0; failures < 5; failures += 1) await send('POST', path, wrong);
        await refuses(429, 'TOO_MANY_ATTEMPTS', 'POST', path, wrong);
      }
    });
  });

  it('holds for directory users and a directory that does not answer', async () => {
    const entries = [READER, ...BRANCHES, person('bob')];
    const own = await startDirectory(entries);
    const other = await startService({ env: environment(own.url) });
    const without = await startService();
    const refused = async (
      at: TestService,
      method: string,
      path: string,
      call: Call,
    ): Promise<unknown> => {
      const { status, body } = await send(method, path, call, at);
      return [status, body.message ?? body.at(-1).title];
    };
    try {
      const body = { email: 'bob@example.com', password: 'secret of bob' };
      const token = await other.login(body.email, body.password);
      const { enhanceId: id } = await other.body('POST', '/login', { token: null, body });
      const password = { password: 'a good password' };
      for (const [method, path, sent] of [
        ['PUT', '/api/user/{id}', password],
        ['PUT', '/api/user/{id}/password', password],
        ['DELETE', '/api/user/{id}/password', undefined],
        ['POST', '/api/user/{id}/invite', undefined],
      ] as const)
        expect(
          await refused(other, method, path, { path: path.replace('{id}', id), body: sent }),
        ).toEqual([400, 'LDAP_USER']);
      const removal = '/api/user/{id}/password';
      expect(await refused(other, 'DELETE', removal, { path: '/api/user/1/password' })).toEqual([
        400,
        'LDAP_OWN_ACCOUNT',
      ]);
      for (const [method, path, sent] of [
        ['DELETE', removal, undefined],
        ['POST', '/api/ldap/test', {}],
      ] as const) {
        const user = await without.userWith([]);
        const target = path.replace('{id}', String(user.id));
        expect(await refused(without, method, path, { path: target, body: sent })).toEqual([
          400,
          'LDAP_NOT_CONFIGURED',
        ]);
      }
      for (const call of OFF_CALLS)
        expect(await refused(without, ...call)).toEqual([400, 'ONLINE_SERVICES_OFF']);
      const request = { path: '/api/auth/forgot-password', token: null, body };
      expect(await refused(without, 'POST', request.path, request)).toEqual([
        400,
        'MAIL_NOT_CONFIGURED',
      ]);
      const created = { email: `${unique('invited')}@hypha.test`, userGroup: 2 };
      const { enhanceId: isNew } = await without.body('POST', '/api/user', {
        body: { ...created, ...password },
      });
      for (const [path, target, sent] of [
        ['/api/user/invite', '/api/user/invite', { ...created, email: 'other@hypha.test' }],
        ['/api/user/{id}/invite', `/api/user/${isNew}/invite`, undefined],
        ['/api/delivery/test', '/api/delivery/test', {}],
      ] as const)
        expect(await refused(without, 'POST', path, { path: target, body: sent })).toEqual([
          400,
          'MAIL_NOT_CONFIGURED',
        ]);
      const change = '/api/user/change-password';
      const passwords = { currentPassword: body.password, newPassword: 'x', confirmPassword: 'x' };
      expect(
        await refused(other, 'POST', change, { path: change, token, body: passwords }),
      ).toEqual([400, 'LDAP_USER']);
      await own.close();
      for (const path of ['/login', '/api/login', '/api/second-factor/begin'])
        expect(
          await refused(other, 'POST', path, {
            path,
            token: path.endsWith('login') ? null : token,
            body: path.endsWith('login') ? body : { password: body.password },
          }),
        ).toEqual([503, 'LDAP_UNAVAILABLE']);
      expect(
        await refused(other, 'POST', '/api/ldap/test', { path: '/api/ldap/test', body: {} }),
      ).toEqual([400, 'Connect']);
    } finally {
      await other.close();
      await without.close();
    }
  });

  it('holds for patches and for undoing them', async () => {
    const { saved, workflow } = fixtures;
    const id = await saved();
    const refused = async (
      below: string,
      operations: unknown,
      on: number = id,
    ): Promise<[number, string]> => {
      const { status, body } = await send('PATCH', `/api/connection/{id}${below}`, {
        path: `/api/connection/${on}${filled(below)}`,
        body: operations,
        headers: AS_PATCH,
      });
      return [status, body.message];
    };
    for (const below of Object.keys(PATCHES)) {
      expect(await refused(below, [], 4711)).toEqual([404, 'CONNECTION_NOT_FOUND']);
      expect(await refused(below, [1])).toEqual([400, 'PATCH_INVALID']);
      expect(await refused(below, [{ op: 'remove', path: '/fromConnector/methods/7' }])).toEqual([
        400,
        'PATH_IS_INVALID',
      ]);
      expect(
        await refused(below, [
          { op: 'add', path: '/title', value: 'one' },
          { op: 'test', path: '/title', value: 'another' },
        ]),
      ).toEqual([409, 'PATCH_TEST_FAILED']);
      expect(
        await refused(below, [
          { op: 'add', path: '/deep', value: JSON.parse('['.repeat(60) + ']'.repeat(60)) },
          { op: 'copy', from: '/deep', path: `/deep${'/0'.repeat(59)}/-` },
        ]),
      ).toEqual([400, 'WORKFLOW_INVALID']);
    }
    const takenTitle = unique('patched');
    await service.api('POST', '/api/connection', { body: workflow(takenTitle) });
    expect(await refused('', [{ op: 'replace', path: '/title', value: ' ' }])).toEqual([
      400,
      'TITLE_INVALID',
    ]);
    expect(await refused('', [{ op: 'replace', path: '/title', value: takenTitle }])).toEqual([
      409,
      'TITLE_HAS_ALREADY_TAKEN',
    ]);
    expect(await refused('', [{ op: 'add', path: '/categoryId', value: 4_711 }])).toEqual([
      400,
      'CATEGORY_NOT_FOUND',
    ]);
    for (const [below, path] of [
      ['', '/fromConnector/methods/0/connector'],
      ['/connector/{connectorId}', '/methods/0/connector'],
      ['/method/{methodId}', '/connector'],
    ] as const) {
      expect(await refused(below, [{ op: 'add', path, value: { connectorId: 4_711 } }])).toEqual([
        400,
        'CONNECTOR_NOT_FOUND',
      ]);
    }
    for (const [below, path] of [
      ['', '/fromConnector/methods/0'],
      ['/connector/{connectorId}', '/methods/0'],
      ['/method/{methodId}', ''],
    ] as const) {
      expect(
        await refused(below, [{ op: 'add', path: `${path}/dataAggregator`, value: 4_711 }]),
      ).toEqual([400, 'AGGREGATOR_NOT_FOUND']);
    }
    for (const [below, path] of [
      ['', '/fromConnector/operators/0/expression'],
      ['/connector/{connectorId}', '/operators/0/expression'],
      ['/operator/{operatorId}', '/expression'],
    ] as const) {
      expect(await refused(below, [{ op: 'replace', path, value: '' }])).toEqual([
        400,
        'OPERATOR_EXPRESSION_IS_EMPTY',
      ]);
    }
    for (const [below, code, part] of [
      ['/method/{methodId}', 'METHOD_NOT_FOUND', 'method/m7'],
      ['/operator/{operatorId}', 'OPERATOR_NOT_FOUND', 'operator/o7'],
      ['/fieldBinding/{fieldBindingId}', 'ENHANCEMENT_NOT_FOUND', 'fieldBinding/b7'],
    ] as const) {
      const { status, body } = await send('PATCH', `/api/connection/{id}${below}`, {
        path: `/api/connection/${id}/${part}`,
        body: [],
        headers: AS_PATCH,
      });
      expect([status, body.message]).toEqual([404, code]);
    }
    const title = unique('undone');
    const renamed = (await service.api('POST', '/api/connection', { body: workflow(title) })).body
      .connectionId as number;
    await service.api('PATCH', `/api/connection/${renamed}`, {
      body: [{ op: 'replace', path: '/title', value: unique('renamed') }],
      headers: AS_PATCH,
    });
    await service.api('POST', '/api/connection', { body: workflow(title) });
    for (const verb of ['GET', 'POST']) {
      for (const [on, status, code] of [
        [renamed, 409, 'TITLE_HAS_ALREADY_TAKEN'],
        [4711, 404, 'CONNECTION_NOT_FOUND'],
      ] as const) {
        const answer = await send(verb, '/api/connection/{id}/undo', {
          path: `/api/connection/${on}/undo`,
        });
        expect([answer.status, answer.body.message]).toEqual([status, code]);
      }
    }
  });

  const requestsOfAll = (): Promise<{ method: string; path: string; call: Call }[]> =>
    Promise.all(
      OPERATIONS.map(async ([method, path]) => ({
        method,
        path,
        call: succeeded.get(`${method} ${path}`) ?? (await successOf(method, path)),
      })),
    );

  it('holds for a failing store and for internal errors', async () => {
    const requests = await requestsOfAll();
    const statuses = new Map<number, number>();
    // While starting, every operation answers 503, as tested below.
    for (const [error, selected] of [
      [
        new mongoose.mongo.MongoNetworkError('away'),
        requests.filter((_request, nth) => nth % 5 === 0),
      ],
      [new Error('broken'), requests],
    ] as const) {
      // A cached session is accepted without the store, a new one is not.
      const token = await service.login(ADMIN_EMAIL, ADMIN_PASSWORD);
      const spies = (
        [
          'find',
          'findOne',
          'insertOne',
          'updateOne',
          'findOneAndUpdate',
          'aggregate',
          'countDocuments',
        ] as const
      ).map((name) =>
        jest.spyOn(mongoose.mongo.Collection.prototype, name).mockImplementation(() => {
          throw error;
        }),
      );
      try {
        for (const { method, path, call } of selected) {
          const { status } = await send(method, path, call);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          if (status < 500 && call.token === undefined)
            await send(method, path, { ...call, token });
        }
      } finally {
        for (const spy of spies) spy.mockRestore();
      }
    }
    expect(Math.min(statuses.get(503) ?? 0, statuses.get(500) ?? 0)).toBeGreaterThan(20);
    // Fails without the store: a directory replaces the picture.
    const picture = join(service.dataDir, 'uploads', `${'0'.repeat(32)}.png`);
    mkdirSync(picture, { recursive: true });
    expect(
      (
        await send('GET', '/api/storage/files/{name}', {
          path: `/api/storage/files/${basename(picture)}`,
        })
      ).status,
    ).toBe(500);
  });

  it('holds while the service starts', async () => {
    const starting = await startingService();
    try {
      for (const { method, path, call } of await requestsOfAll()) {
        const { status } = await send(method, path, call, starting);
        expect([method, path, status]).toEqual([
          method,
          path,
          path.endsWith('/healthz') ? 200 : 503,
        ]);
      }
    } finally {
      await starting.close();
    }
  });
});

describe('the contract checker', () => {
  const answer = (change: Partial<Seen> = {}, headers: Record<string, string> = {}): Seen => ({
    method: 'GET',
    path: '/api/permission/all',
    status: 200,
    body: {
      _embedded: {
        permissionResources: [{ enhanceId: 1, name: 'A', description: null, ...permissionFields }],
      },
    },
    headers: new Headers({
      'Content-Type': 'application/json; charset=utf-8',
      'X-Request-Id': '7f3c1a52-0c3b-4c0e-9d53-6a1f0e6b2d18',
      ...headers,
    }),
    ...change,
  });
  const refusal = {
    timestamp: '2026-01-31T09:30:00.000+0000',
    status: 401,
    error: 'No.',
    message: 'ACCESS_DENIED',
    success: 'false',
    path: '/api/permission/all',
  };
  let permissionFields: Record<string, unknown> = {};
  beforeAll(async () => {
    const { body } = await service.api('GET', '/api/permission/all');
    permissionFields = { ...body._embedded.permissionResources[0] };
  });

  it('accepts a described response', () => {
    expect(contract.problemsOf(answer())).toEqual([]);
    expect(
      contract.problemsOf(answer({ status: 401, body: refusal }, { 'WWW-Authenticate': 'Bearer' })),
    ).toEqual([]);
  });

  it.each<[string, () => Seen, RegExp]>([
    [
      'another media type',
      () => answer({}, { 'Content-Type': 'application/problem+json' }),
      /is application\/problem\+json/,
    ],
    ['a status', () => answer({ status: 202 }), /status 202 .* is not described/],
    [
      'a missing header',
      () => answer({ status: 401, body: refusal }),
      /WWW-Authenticate is missing/,
    ],
    [
      'a header of another form',
      () => answer({}, { 'X-Request-Id': 'seven' }),
      /X-Request-Id is seven/,
    ],
    [
      'a field',
      () => answer({ body: { _embedded: { permissionResources: [] }, more: 1 } }),
      /additional properties/,
    ],
    [
      'a missing field',
      () => answer({ body: { _embedded: {} } }),
      /must have required property 'permissionResources'/,
    ],
    [
      'a value of another type',
      () =>
        answer({
          body: { _embedded: { permissionResources: [{ ...permissionFields, enhanceId: 'one' }] } },
        }),
      /enhanceId must be integer/,
    ],
    [
      'a code',
      () =>
        answer(
          { status: 401, body: { ...refusal, message: 'ROLE_IN_USE' } },
          { 'WWW-Authenticate': 'Bearer' },
        ),
      /the code ROLE_IN_USE is not described/,
    ],
  ])('rejects %s that is not described', (_what, made, words) => {
    expect(contract.problemsOf(made()).join('; ')).toMatch(words);
  });
});

describe('the description', () => {
  /** Failures that cannot be provoked reliably, with the reason. */
  const UNMET: Readonly<Record<string, string>> = {
    'DELETE /api/user/{id} 409 LAST_ADMINISTRATOR':
      'only when two administrators delete each other at once',
    'PUT /api/user/list/delete 409 LAST_ADMINISTRATOR': 'the same',
    'PUT /api/user/{id}/disable 409 LAST_ADMINISTRATOR': 'the same',
    'POST /api/auth/forgot-password 500 INTERNAL_SERVER_ERROR': 'answers before it reads the store',
    'POST /api/storage/invoker 409 INVOKER_ALREADY_EXISTS':
      'only when another file of this name is added at once',
    ...Object.fromEntries(
      [
        'GET /api/application-config 400 CONFIG_INVALID',
        'GET /api/application-config 500 CONFIG_FILE_NOT_WRITABLE',
        'PATCH /api/application-config 500 CONFIG_FILE_NOT_WRITABLE',
        'GET /api/application-config/backups 500 CONFIG_FILE_NOT_WRITABLE',
        'GET /api/application-config/backups/{name} 400 CONFIG_INVALID',
        'GET /api/application-config/backups/{name} 500 CONFIG_FILE_NOT_WRITABLE',
        'POST /api/application-config/backups/{name}/restore 400 CONFIG_INVALID',
        'POST /api/application-config/backups/{name}/restore 409 CONFIG_FILE_CHANGED',
        'POST /api/application-config/backups/{name}/restore 500 CONFIG_FILE_NOT_WRITABLE',
      ].map((name) => [name, 'needs a damaged file: application-config.test.ts']),
    ),
    ...Object.fromEntries(
      [
        'PATCH /api/application-config 409 CONFIG_FILE_NOT_SHARED',
        'POST /api/application-config/backups/{name}/restore 409 CONFIG_FILE_NOT_SHARED',
      ].map((name) => [name, 'needs a MongoDB: shared-config.test.ts']),
    ),
  };

  /** Refusals of many operations, covered by `documented-codes.test.ts`, `input-limits.test.ts` and `full-disk.long.ts`. */
  const OF_MANY =
    /\b(?:INPUT_QUEUE_FULL|INPUT_TOO_COMPLEX|CONFIG_FILE_NOT_WRITABLE|CONFIG_FILE_NOT_SHARED|STORAGE_FULL)\b/;

  it('names no failure that the tests did not meet', () => {
    const unmet = contract
      .operations()
      .flatMap(({ method, path, codes }) =>
        codes
          .filter(([, code]) => !isLeftToOthers(method, path, code))
          .map(([status, code]) => `${method} ${path} ${status} ${code}`),
      )
      .filter((name) => !met.has(name) && !(name in UNMET) && !OF_MANY.test(name));
    expect(unmet).toEqual([]);
  });

  it('has an example text for each code that the service really returns', async () => {
    const { components } = await service.body('GET', '/openapi.json');
    const invented = Object.entries<any>(components.examples)
      .filter(
        ([name, { value }]) =>
          !messages.get(name)?.has(withoutNames(value.error)) && !OF_MANY.test(name),
      )
      .map(([name, { value }]) => [name, value.error, [...(messages.get(name) ?? [])]]);
    expect(invented).toEqual([]);
  });

  it('names the media type of each file', async () => {
    expect(
      Object.keys(
        contract.operation('GET', '/api/storage/files/{name}').responses[200].content as object,
      ),
    ).toEqual(['image/*']);
  });
});
