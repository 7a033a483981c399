import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answerJson, startRemote } from '../engine/support/remote';
import type { Remote } from '../engine/support/remote';
import { imported, newConnector } from '../support/documents/connector-invokers';
import type { OperationXml } from '../support/documents/connector-invokers';
import { ADMIN_PASSWORD, startService } from '../support/service/harness';
import type { TestService } from '../support/service/harness';
import { RUN_PROGRAM } from '../support/service/programs';
import { ended } from '../support/service/watch';
import { saved, started, workflow } from '../support/documents/workflows';

/* The message to a run process contains no value that the run does not need. */

/** Run processes that record the messages they receive. */
interface RecordedChildren {
  /** A program that records each message and then behaves like that of the service. */
  readonly program: string;
  /** All messages as JSON lines; a map is the list of its entries. */
  text(): string;
  forget(): void;
  remove(): void;
}

function recordedChildren(): RecordedChildren {
  const directory = mkdtempSync(join(tmpdir(), 'hypha-children-'));
  const [program, record] = [join(directory, 'recording-child.cjs'), join(directory, 'messages')];
  writeFileSync(
    program,
    `
    const { appendFileSync } = require('node:fs');
    process.on('message', (message) => appendFileSync(${JSON.stringify(record)}, JSON.stringify(message, (_name, value) => (value instanceof Map || value instanceof Set ? [...value] : value)) + '\\n'));
    require(${JSON.stringify(RUN_PROGRAM)});`,
  );
  const forget = (): void => writeFileSync(record, '');
  forget();
  return {
    program,
    text: () => readFileSync(record, 'utf8'),
    forget,
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

const hidden = (name: string, value = '') => ({ name, visibility: 'protected' as const, value });
const computed = (name: string, value: string) => ({ name, visibility: 'private' as const, value });
const VALUES = {
  user: 'Ulla-Example',
  password: 'Password-of-Ulla',
  token: 'Token-of-Ulla',
  spare: 'Spare-of-Ulla',
  pin: 'Pin-of-Ulla',
  tenant: 'tenant-of-ulla',
  fixed: 'Fixed-by-the-invoker',
  unasked: 'Unasked-by-anybody',
  ofOther: 'Token-of-Otto',
  ofOtherSpare: 'Spare-of-Otto',
  ofThird: 'Token-of-a-third',
  named: 'Named-and-used',
  unnamed: 'Named-by-another',
};
type FieldName = keyof typeof VALUES;
const FIELDS = [
  { name: 'url' },
  { name: 'user' },
  ...['password', 'token', 'spare', 'pin', 'tenant'].map((name) => hidden(name)),
  computed('fixed', VALUES.fixed),
  hidden('unasked', VALUES.unasked),
  computed('basic', 'Basic {user:password}'),
  computed('session', '%{Login.body.session}'),
  computed('renewed', '%{Renew.header.x-session}'),
  hidden('overridden', '%{Login.body.session}'),
];
const body = (fields: string): string =>
  `<body type="object" format="json" data="raw">${fields}</body>`;
const OPERATIONS: OperationXml[] = [
  { name: 'Open', endpoint: '{url}/open' },
  { name: 'Token', endpoint: '{url}/token?of={token}' },
  { name: 'Basic', endpoint: '{url}/basic', header: { Authorization: '{basic}' } },
  {
    name: 'Login',
    method: 'POST',
    endpoint: '{url}/login',
    header: { 'X-Pin': '{pin}' },
    body: body('<field name="as" type="string">{user}</field>'),
  },
  {
    name: 'Renew',
    endpoint: '{url}/renew',
    header: { 'X-Session': '{session}', 'X-Spare': '{spare}' },
  },
  {
    name: 'Session',
    method: 'POST',
    endpoint: '{url}/session',
    body: body(
      '<field name="deep" type="object"><field name="session" type="string">{session}</field></field>',
    ),
  },
  { name: 'Renewed', endpoint: '{url}/renewed', header: { 'X-Session': '{renewed}' } },
  { name: 'Fixed', endpoint: '{url}/fixed', header: { 'X-Fixed': '{fixed}' } },
  { name: 'Overridden', endpoint: '{url}/overridden', header: { 'X-Given': '{overridden}' } },
  { name: 'Elsewhere', endpoint: 'https://{tenant}.example.com/' },
];

let service: TestService;
let remote: Remote;
let children: RecordedChildren;
let own: number;
let other: number;

beforeAll(async () => {
  children = recordedChildren();
  remote = await startRemote((_request, response) => {
    response.setHeader('x-session', 'Renewed-session');
    answerJson(response, { session: 'Opened-session', data: '{spare} {token}' });
  });
  service = await startService({
    env: { HYPHA_RUN_ISOLATION: 'processes', HYPHA_CONNECTOR_MASTER_PASSWORD: 'Master-password-1' },
    runProgram: children.program,
  });
  const invoker = await imported(service, { fields: FIELDS, operations: OPERATIONS });
  const requestDataWith = (more: object): object => ({
    url: remote.url,
    user: VALUES.user,
    password: VALUES.password,
    token: VALUES.token,
    spare: VALUES.spare,
    pin: VALUES.pin,
    tenant: VALUES.tenant,
    overridden: 'Given-instead',
    ...more,
  });
  own = await newConnector(service, invoker, requestDataWith({}));
  other = await newConnector(
    service,
    invoker,
    requestDataWith({ token: VALUES.ofOther, spare: VALUES.ofOtherSpare }),
  );
  await newConnector(service, invoker, requestDataWith({ token: VALUES.ofThird }));
  for (const name of ['named', 'unnamed'] as const)
    expect(
      (
        await service.api('POST', '/api/secret', {
          body: { name, value: VALUES[name], origins: [remote.url] },
        })
      ).status,
    ).toBe(201);
});
beforeEach(() => {
  remote.received.length = 0;
  children.forget();
});
afterAll(async () => {
  await Promise.all([service.close(), remote.close()]);
  children.remove();
});

const step = (name: string, request: object | null = null, more: object = {}): object => ({
  id: 'm',
  index: '0',
  name,
  color: '#0000A0',
  methodType: 'CONNECTOR',
  connector: { connectorId: own },
  request,
  ...more,
});

/** Runs a workflow of these steps and returns the request texts and the start message. */
async function sentFor(...methods: object[]): Promise<{ requests: string; message: string }> {
  const runId = await started(service, await saved(service, workflow(methods)));
  expect(await ended(service, runId)).toMatchObject({ state: 'SUCCEEDED', error: null });
  const messages = children
    .text()
    .split('\n')
    .filter((line) => line.includes('"kind":"execute"'));
  expect(messages).toHaveLength(1);
  return {
    requests: JSON.stringify(
      remote.received.map(({ url, headers, body: text }) => ({ url, headers, text })),
    ),
    message: messages[0] ?? '',
  };
}

const among = (text: string): string[] =>
  Object.keys(VALUES)
    .filter((name) => text.includes(VALUES[name as FieldName]))
    .sort();
const bodyOf = (fields: unknown, more: object = {}): object => ({
  method: 'POST',
  body: { type: 'object', format: 'json', data: 'raw', fields, ...more },
});
const BASIC = Buffer.from(`${VALUES.user}:${VALUES.password}`).toString('base64');

it.each<[string, () => object, FieldName[], string | null]>([
  ['an operation without credentials', () => step('Open'), [], null],
  ['a field in the address of the operation', () => step('Token'), ['token'], null],
  ['a field computed from others', () => step('Basic'), ['password', 'user'], BASIC],
  ['a field computed by an operation', () => step('Session'), ['pin', 'user'], 'Opened-session'],
  [
    'a field computed by an operation that needs another',
    () => step('Renewed'),
    ['pin', 'spare', 'user'],
    'Renewed-session',
  ],
  ['a default of the invoker', () => step('Fixed'), ['fixed'], null],
  ['a value entered instead of an expression', () => step('Overridden'), [], 'Given-instead'],
  [
    'a field in the address of the step',
    () => step('Open', { endpoint: '{url}/{spare}' }),
    ['spare'],
    null,
  ],
  [
    'a field in a header of the step',
    () => step('Open', { header: { 'X-A': 'x {spare} y {nobody}' } }),
    ['spare'],
    null,
  ],
  [
    'a field deep in the body of the step',
    () => step('Open', bodyOf({ a: [{ b: '{spare}' }] })),
    ['spare'],
    null,
  ],
  ['a field in a text body', () => step('Open', bodyOf('{"a": "{spare}"}')), ['spare'], null],
  [
    'a field in a text with escapes of JSON',
    () => step('Open', bodyOf('{"a": "\\u007bsp\\u0061re}"}')),
    ['spare'],
    null,
  ],
  [
    'a field in a form',
    () => step('Open', bodyOf({ a: '{spare}' }, { format: 'x-www-form-urlencoded' })),
    ['spare'],
    null,
  ],
  [
    'a field in a body in XML',
    () =>
      step('Open', bodyOf({ a: { __oc__value: '{spare}', '@id': '{pin}' } }, { format: 'xml' })),
    ['pin', 'spare'],
    null,
  ],
  [
    'a field of another connector',
    () => step('Open', { header: { 'X-A': `{#${other}.token}` } }),
    ['ofOther'],
    null,
  ],
  [
    'a named secret',
    () => step('Open', { header: { Authorization: 'Bearer {%secret.named%}' } }),
    ['named'],
    null,
  ],
  [
    'a named secret of a step without a connector',
    () =>
      step(
        'free',
        {
          endpoint: `${remote.url}/free`,
          method: 'GET',
          header: { Authorization: 'Bearer {%secret.named%}' },
        },
        { methodType: 'HTTP_REQUEST', connector: null },
      ),
    ['named'],
    null,
  ],
])('a run process receives only what its steps use: %s', async (_what, made, needed, sent) => {
  const { requests, message } = await sentFor(
    made(),
    step('Open', bodyOf({ data: '{%#0000A0.(response).body.data%}' }), {
      id: 'n',
      index: '1',
      color: '#0000A1',
    }),
  );
  expect(among(message)).toEqual([...needed].sort());
  // It received what it needed, and data stays data.
  for (const text of sent === null ? needed.map((name) => VALUES[name]) : [sent])
    expect(requests).toContain(text);
  expect(requests).toContain('{spare} {token}');
});

it('a run process receives no key of the service, before or with a run', async () => {
  await sentFor(step('Token'));
  const keys = [
    ADMIN_PASSWORD,
    'Master-password-1',
    ...(process.env.MONGODB_URI === undefined ? [] : [process.env.MONGODB_URI]),
  ];
  const keyFiles = readdirSync(service.dataDir, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => readFileSync(join(service.dataDir, name), 'utf8').trim())
    .filter((text) => /^[\w-]{64}$/.test(text));
  expect(keyFiles.length).toBeGreaterThan(0);
  for (const key of [...keys, ...keyFiles]) expect(children.text()).not.toContain(key);
  expect(children.text()).not.toContain(service.dataDir);
});
