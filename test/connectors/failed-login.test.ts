import { imported, newConnector } from '../support/documents/connector-invokers';
import { testService } from '../support/service/harness';
import type { TestService } from '../support/service/harness';
import { testRemote } from '../support/peers/remote-system';
import type { RemoteAnswer } from '../support/peers/remote-system';
import { ended, runEvents } from '../support/service/watch';
import { saved, started, workflow } from '../support/documents/workflows';

/* A value of a connector that an operation returns is missing: the run shows the call that failed. */

const PASSWORD = 'pass&word "77"';
const FIRST = 'first/ticket-4711';
const SECRETS = [
  PASSWORD,
  JSON.stringify(PASSWORD).slice(1, -1),
  encodeURIComponent(PASSWORD),
  Buffer.from(`ann:${PASSWORD}`).toString('base64'),
  FIRST,
  'planted-token',
  'planted-under-another-name',
];
const EXCHANGE =
  'query($id: ID!) { run(id: $id) { error { code message stepName index } errorExchange { request { url method header payload } response { status header payload } } } }';

const FORM = 'application/x-www-form-urlencoded';
const text = (field: string, value: string): string =>
  `<field name="${field}" type="string">${value}</field>`;
const body = (format: string, ...fields: string[]): string =>
  `<body type="object" format="${format}" data="raw">${fields.join('')}</body>`;
const credentials = [text('user', '{user}'), text('pwd', '{password}')];

const LOGINS = {
  json: { body: body('json', ...credentials) },
  form: { header: { 'Content-Type': FORM }, body: body('json', ...credentials) },
  basic: { header: { Authorization: '{basic}' } },
  chained: { header: { 'X-Ticket': '{ticket}' } },
};
type Login = keyof typeof LOGINS;
let answer: RemoteAnswer;
const connectors = new Map<Login, number>();

async function connectorsOf(of: TestService, logins: readonly Login[], url: string): Promise<void> {
  for (const login of logins) {
    const invoker = await imported(of, {
      fields: [
        { name: 'url' },
        { name: 'user' },
        { name: 'password', visibility: 'protected' },
        { name: 'basic', visibility: 'private', value: 'Basic {user:password}' },
        { name: 'ticket', visibility: 'private', value: '%{First.body.ref}' },
        { name: 'session', visibility: 'private', value: '%{Login.body.session}' },
      ],
      operations: [
        { name: 'Test', type: 'test', endpoint: '{url}/me' },
        { name: 'First', endpoint: '{url}/first' },
        { name: 'Login', method: 'POST', endpoint: '{url}/login?q=1', ...LOGINS[login] },
        { name: 'List', endpoint: '{url}/list', header: { 'X-Session': '{session}' } },
      ],
    });
    connectors.set(
      login,
      await newConnector(of, invoker, { url, user: 'ann', password: PASSWORD }),
    );
  }
}

async function failedRun(of: TestService, login: Login, logging = false) {
  const step = {
    id: 'm0',
    index: '0',
    name: 'List',
    label: 'Read the list',
    color: '#00000A',
    methodType: 'CONNECTOR',
    connector: { connectorId: connectors.get(login) },
    request: null,
  };
  const id = await started(of, await saved(of, workflow([step])), logging);
  await ended(of, id);
  const { run } = await of.data(EXCHANGE, { id: String(id) });
  return { id, run, events: await runEvents(of, id) };
}

const service = testService({ env: { HYPHA_STEP_RETRIES: '0' } });
const remote = testRemote(({ path }) => (path === '/first' ? { body: { ref: FIRST } } : answer));
beforeAll(async () => {
  await connectorsOf(service, ['json', 'form', 'basic', 'chained'], remote.url);
});
beforeEach(() => {
  remote.forget();
  answer = {
    status: 403,
    body: { reason: 'The account is closed.', sent: PASSWORD, ref: FIRST, token: 'planted-token' },
  };
});

it.each<[Login, object]>([
  ['json', { payload: '{"user":"ann","pwd":"***"}' }],
  ['form', { payload: 'user=ann&pwd=***' }],
  ['basic', { header: expect.objectContaining({ Authorization: '***' }), payload: '' }],
  ['chained', { header: expect.objectContaining({ 'X-Ticket': '***' }), payload: '' }],
])('a login by %s that is refused is kept without its secrets', async (login, request) => {
  if (login === 'chained') answer = { status: 403, body: { ref: FIRST, token: 'planted-token' } };
  const { id, run, events } = await failedRun(service, login);
  expect(run.error).toEqual({
    code: 'CREDENTIALS_NOT_COMPUTED',
    message: `Step "Read the list" (0): POST ${remote.url}/login answered 403: The remote system answers 403 to the operation Login.`,
    stepName: 'Read the list',
    index: '0',
  });
  expect(run.errorExchange).toMatchObject({
    request: { url: `${remote.url}/login?q=1`, method: 'POST', ...request },
    response: { status: 403 },
  });
  expect(JSON.parse(run.errorExchange.response.payload)).toEqual(
    login === 'chained'
      ? { ref: '***', token: '***' }
      : { reason: 'The account is closed.', sent: '***', ref: FIRST, token: '***' },
  );
  const { body: shown } = await service.api('GET', `/api/execution/${id}`);
  expect(shown.error).toMatchObject(run.errorExchange);
  const all = JSON.stringify([run, events, shown]);
  for (const secret of SECRETS)
    if (login === 'chained' || secret !== FIRST) expect(all).not.toContain(secret);
  expect(remote.received.map(({ path }) => path)).not.toContain('/list');
});

it('an answer without the value shows its names, and none of its values', async () => {
  answer = {
    headers: { 'x-ref': 'planted-under-another-name' },
    body: { result: { ref: 'planted-under-another-name', size: 42 }, list: ['planted-token'] },
  };
  const { run, id } = await failedRun(service, 'json', true);
  expect(run.error.message).toBe(
    `Step "Read the list" (0): POST ${remote.url}/login answered 200: The answer to the operation Login has no body session.`,
  );
  expect(run.errorExchange.response).toMatchObject({
    status: 200,
    header: { 'x-ref': '***', 'content-type': expect.stringContaining('json') },
    payload: '{"result":{"ref":"***","size":"***"},"list":["***"]}',
  });
  const log = await service.api('GET', `/api/execution/${id}/raw/log`);
  expect(log.text).toContain('/login');
  for (const secret of SECRETS) expect(log.text).not.toContain(secret);

  answer = { headers: { 'content-type': 'text/html' }, text: '<p>planted-under-another-name</p>' };
  expect((await failedRun(service, 'json')).run.errorExchange.response.payload).toBe('***');
});

it('a 401 names the operation, and a failed connection too', async () => {
  answer = { status: 401, body: { why: 'no' } };
  const { run } = await failedRun(service, 'json');
  expect(run.error.message).toContain(
    'answered 401: The remote system answers 401 to the operation Login, which computes a value of the connector.',
  );
  expect(run.errorExchange.response).toMatchObject({ status: 401, payload: '{"why":"no"}' });

  await connectorsOf(service, ['basic'], 'http://127.0.0.1:1');
  const { run: unreachable } = await failedRun(service, 'basic');
  expect(unreachable.error).toMatchObject({
    code: 'OUTBOUND_CONNECTION_FAILED',
    message: expect.stringMatching(
      /^Step "Read the list" \(0\): POST http:\/\/127\.0\.0\.1:1\/login: The operation Login, which computes a value of the connector: /,
    ),
  });
  expect(unreachable.errorExchange).toMatchObject({
    request: { url: 'http://127.0.0.1:1/login?q=1', header: { Authorization: '***' } },
    response: null,
  });
});

it('a long refusal is cut', async () => {
  answer = { status: 500, text: 'x'.repeat(100_000), headers: { 'content-type': 'text/plain' } };
  const { payload } = (await failedRun(service, 'json')).run.errorExchange.response;
  expect(payload.startsWith('x'.repeat(16 * 1024))).toBe(true);
  expect(payload.length).toBeLessThan(17 * 1024);
});

describe('with run.record-failures off', () => {
  const silent = testService({ env: { HYPHA_RUN_RECORD_FAILURES: 'false' } });
  beforeAll(async () => {
    await connectorsOf(silent, ['json'], remote.url);
  });

  it('only the message is kept', async () => {
    const { run } = await failedRun(silent, 'json');
    expect(run).toMatchObject({
      error: { message: expect.stringContaining('/login answered 403') },
      errorExchange: null,
    });
  });
});
