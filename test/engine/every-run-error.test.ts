import { readFileSync } from 'node:fs';
import type {
  MethodDoc,
  Operation,
  OperatorDoc,
  PageParameter,
  RunConnector,
  WorkflowSnapshot,
} from '../../src/engine';
import { createInProcessEngine } from '../../src/features/runs/execution/create-engine';
import type { ExecutionLimits, RunTask } from '../../src/features/runs/execution/run-engine';
import { RUN_ERROR_CODES } from '../../src/features/runs/run-error-codes';
import type { RunErrorCode } from '../../src/features/runs/run-error-codes';
import { systemClock } from '../../src/platform/clock/clock';
import type { ScriptsConfig } from '../../src/platform/scripts';
import { runIn } from './support/pool';
import { answerJson, startRemote } from './support/remote';
import {
  colorOf,
  httpStep,
  ifStep,
  jsonBody,
  loopStep,
  openOutbound,
  openScripts,
  reference,
  workflow,
} from './support/run';
import { openForTests } from '../support/open-for-tests';

/** Input of a run in addition to its workflow. */
interface Around extends Partial<Omit<RunTask, 'document'>> {
  readonly limits?: Partial<ExecutionLimits>;
  readonly scripts?: Partial<ScriptsConfig>;
  /** Error thrown by the outbound port. */
  readonly fault?: Error;
  readonly store?: () => Promise<void>;
}

type Failing = readonly [WorkflowSnapshot, Around?];

/** Codes that need a process, another service or a polyglot engine, with the test that covers them. */
const ELSEWHERE = {
  RUN_CRASHED: 'test/engine/processes/run-pool.test.ts',
  RUN_JOURNAL_UNFIT: 'test/engine/journal.test.ts',
  RUN_INTERRUPTED: 'test/api/run-execution/runs-recovery.test.ts',
  RUN_STALLED: 'test/engine/processes/run-pool-limits.long.ts',
  RUN_TOO_DEEP: 'test/api/runs/runs-too-deep.test.ts',
  SCRIPT_ENGINE_FAILED: 'test/scripts/polyglot.test.ts',
  SCRIPT_ENGINE_UNREACHABLE: 'test/scripts/polyglot.test.ts',
} as const satisfies Partial<Record<RunErrorCode, string>>;
const outbound = openOutbound({ deny: ['127.0.0.9'] });
/** Depth of an answer. */
const DEEP = 20_000;
/** More events than are buffered until the first are stored. */
const MANY = JSON.stringify(Array.from({ length: 1_100 }, () => 0));

const remote = openForTests(() =>
  startRemote(({ url }, response) => {
    const type = new URL(url, 'http://remote').searchParams.get('type');
    if (type !== null)
      return void response
        .writeHead(200, { 'content-type': type })
        .end(url.includes('number') ? '[1e400]' : '{"a": 1,');
    switch (url.split('?', 1)[0]) {
      case '/silent':
        return;
      case '/away':
        response.writeHead(307, { location: 'http://127.0.0.2/' }).end();
        return;
      case '/loop':
        response.writeHead(302, { location: '/loop' }).end();
        return;
      case '/packed':
        response.writeHead(200, { 'content-encoding': 'zstd' }).end('squeezed');
        return;
      case '/torn':
        response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip');
        return;
      case '/deep':
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(`${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`);
        return;
      default:
        answerJson(
          response,
          { id: 7, lines: 'a\r\nb', items: { none: true }, next: 'x', list: [1, 2] },
          url === '/error' ? 500 : 200,
        );
    }
  }),
);
afterAll(() => outbound.close());

const step = (index: string, path = '/', more: Parameters<typeof httpStep>[2] = {}): MethodDoc =>
  httpStep(index, `${remote.url}${path}`, more);
const calling = (path: string, request: object = {}): Failing => [
  workflow(step('0', path, { request: { endpoint: `${remote.url}${path}`, ...request } })),
];
const posting = (body: object, around: Around = {}): Failing => [
  workflow(step('0'), step('1', '/', { request: { method: 'POST', body } })),
  around,
];
const asking = (expression: string): Failing => [workflow(step('0'), ifStep('1', expression))];
const read = (path: string): string => reference('0', `(response).body.${path}`);

/** A field binding of the second step. */
function bound(
  expertCode: string,
  {
    to = 'x',
    type = 'request',
    language = 'js',
    scripts,
  }: { to?: string; type?: string; language?: string; scripts?: Partial<ScriptsConfig> } = {},
): Failing {
  const [document] = posting(jsonBody({ x: 1 }));
  const ends = {
    from: [{ color: colorOf('0'), type: 'response', field: 'success.id' }],
    to: [{ color: colorOf('1'), type, field: to }],
  };
  return [
    { ...document, fieldBinding: [{ ...ends, enhancement: { language, expertCode } }] },
    { stepTimeoutMs: 60_000, scripts },
  ];
}

/** A connector step; `null`: its invoker is missing. */
function connected(
  operation: Partial<Operation> | null,
  fields: RunConnector['values'] = {},
  value = '%{nothing}',
  others: readonly Operation[] = [],
  suspended: readonly string[] = [],
): Failing {
  const call: MethodDoc = {
    id: 'm0',
    index: '0',
    name: 'Get',
    color: colorOf('0'),
    methodType: 'CONNECTOR',
    connector: { connectorId: 3 },
    request: null,
  };
  const request = { endpoint: `${remote.url}/{token}`, method: 'GET', header: [], body: null };
  const requiredData = [{ name: 'token', type: 'string', visibility: 'private' as const, value }];
  const operations = operation && [
    { name: 'Get', type: '', request, success: null, fail: null, pagination: [], ...operation },
    ...others,
  ];
  const invoker = operations && { name: 'Echo', requiredData, operations, pagination: [] };
  const connector: RunConnector = {
    id: 3,
    title: 'Remote',
    verifyTls: true,
    timeoutMs: 0,
    values: fields,
    origins: [remote.url],
    fieldOrigins: { token: [remote.url] },
    suspended,
    invoker,
    invokerName: 'Echo',
  };
  return [
    { fromConnector: { connectorId: -1, methods: [call], operators: [] }, fieldBinding: [] },
    { connectors: new Map([[3, connector]]) },
  ];
}

/** The same, with a value computed by another operation. */
const computed = (request: Partial<Operation['request']>): Failing =>
  connected({}, {}, '%{Login.body.id}', [
    {
      name: 'Login',
      type: '',
      request: { endpoint: `${remote.url}/`, method: 'GET', header: [], body: null, ...request },
      success: null,
      fail: null,
      pagination: [],
    },
  ]);

const page = (name: string, action: string, ref: string): PageParameter => ({
  name,
  action,
  ref,
  value: '',
});
const paged = (...pagination: PageParameter[]): Failing =>
  connected({ type: 'page', pagination }, { token: 't' });

/** For each code that occurs in a single process, a run that ends with it. */
const ENDING: Readonly<Record<Exclude<RunErrorCode, keyof typeof ELSEWHERE>, () => Failing>> = {
  BINDING_FIELD_UNKNOWN: () => bound('RESULT_VAR = 1', { to: 'y' }),
  BINDING_NOT_FOUND: () =>
    posting(
      jsonBody({ x: `${colorOf('0')}.(response).body.id;${colorOf('0')}.(response).body.next` }),
    ),
  BINDING_TYPE_UNKNOWN: () => bound('RESULT_VAR = 1', { type: 'answer' }),
  COLOR_DUPLICATE: () => [workflow(step('0'), step('1', '/', { color: colorOf('0') }))],
  COLOR_INVALID: () => [workflow(step('0', '/', { color: 'red' }))],
  CONNECTOR_NOT_FOUND: () => [
    workflow(step('0', '/', { methodType: 'CONNECTOR', connector: { connectorId: 4 } })),
  ],
  CREDENTIALS_NEED_CONFIRMATION: () => connected({}, { token: 't' }, '', [], ['token']),
  CREDENTIALS_NOT_COMPUTED: () => connected({}),
  EXPRESSION_BAD_PATTERN: () => asking('"a" Matches "("'),
  EXPRESSION_DIVISION_BY_ZERO: () => asking('1 / 0 = 1'),
  EXPRESSION_NOT_BOOLEAN: () => asking('1'),
  EXPRESSION_NUMBER_TOO_LARGE: () => asking('9007199254740993 + 0.5 = 1'),
  EXPRESSION_SYNTAX: () => asking('1 ='),
  EXPRESSION_TYPE_MISMATCH: () => [
    workflow(step('0'), loopStep('1', `For(${read('items')})`, 'i')),
  ],
  REFERENCE_EMPTY: () => [
    workflow(step('0'), {
      ...step('1', `/?x=${reference('0', '(response).body.titel')}`),
      required: true,
    }),
  ],
  HTTP_STATUS_ERROR: () => calling('/error'),
  INDEX_DUPLICATE: () => [workflow(step('0'), ifStep('0', 'true'))],
  INDEX_INVALID: () => [workflow(step('0'), { ...step('1'), index: 'x' })],
  INVOKER_NOT_FOUND: () => connected(null),
  ITERATOR_INVALID: () => [workflow(loopStep('0', 'For([1])', '1'))],
  ITERATOR_UNKNOWN: () => asking('i = 1'),
  JUMP_NOT_AVAILABLE: () => [workflow(step('0', '/', { jump: '1' }))],
  SAMPLE_MISSING: () => [
    workflow(loopStep('0', 'For([])', 'i'), { ...step('0_0'), id: 'only' }),
    { part: { until: null, only: 'only', samples: new Map() } },
  ],
  LOOP_TOO_LONG: () => [
    workflow(loopStep('0', 'For([1, 2])', 'i')),
    { limits: { maxLoopTurns: 1 } },
  ],
  METHOD_HAS_CHILDREN: () => [workflow(step('0'), step('0_0'))],
  METHOD_TYPE_UNKNOWN: () => [workflow(step('0', '/', { methodType: 'NEW' }))],
  OPERATION_FAILED: () =>
    connected(
      { success: { status: '201', body: null }, fail: { status: '200', body: null } },
      { token: 't' },
    ),
  OPERATION_NOT_FOUND: () => connected({ name: 'Other' }),
  OPERATOR_EXPRESSION_IS_EMPTY: () => asking(' '),
  OPERATOR_TYPE_UNKNOWN: () => [
    workflow({ id: 'o', index: '0', type: 'switch', expression: '1' } satisfies OperatorDoc),
  ],
  OUTBOUND_ADDRESS_REFUSED: () => [workflow(httpStep('0', 'http://127.0.0.9/'))],
  OUTBOUND_BAD_REQUEST: () => computed({ header: [{ name: 'X A', value: 'a' }] }),
  OUTBOUND_BAD_RESPONSE: () => calling('/torn'),
  OUTBOUND_BAD_URL: () => [workflow(httpStep('0', 'nowhere:'))],
  OUTBOUND_CONNECTION_FAILED: () => [workflow(httpStep('0', 'http://127.0.0.1:9/'))],
  OUTBOUND_REDIRECT_REFUSED: () => calling('/away', { method: 'POST', body: jsonBody({ a: 1 }) }),
  OUTBOUND_TIMEOUT: () => [workflow(step('0', '/silent')), { stepTimeoutMs: 20 }],
  OUTBOUND_TLS_FAILED: () => [workflow(httpStep('0', remote.url.replace('http:', 'https:')))],
  OUTBOUND_TOO_LARGE: () => [workflow(step('0')), { limits: { maxResponseBytes: 3 } }],
  OUTBOUND_TOO_MANY_REDIRECTS: () => calling('/loop'),
  PAGES_REPEAT: () =>
    paged(
      page('result', 'read', 'response.body.$.list'),
      page('next', 'read', 'response.body.$.next'),
    ),
  PAGE_WITHOUT_LIST: () => paged(page('result', 'read', 'response.body.$.items')),
  REFERENCE_SYNTAX: () => [workflow(httpStep('0', '{%#00000A.(nothing)%}'))],
  REQUEST_BODY_INVALID: () =>
    posting({ type: 'object', format: 'xml', data: 'raw', fields: { a: 1, b: 2 } }),
  REQUEST_BODY_TOO_LARGE: () =>
    posting(jsonBody({ a: 'long' }), { limits: { maxRequestBytes: 5 } }),
  REQUEST_HEADER_INVALID: () => calling('/', { header: { 'X A': 'a' } }),
  REQUEST_HEADER_UNSAFE: () => [
    workflow(step('0'), step('1', '/', { request: { header: { 'X-A': read('lines') } } })),
  ],
  REQUEST_METHOD_INVALID: () => calling('/', { method: 'BREW' }),
  REQUEST_URL_IS_EMPTY: () => [workflow(httpStep('0', ' '))],
  REQUEST_URL_UNSAFE: () => [workflow(step('0'), httpStep('1', `http://${read('lines')}/`))],
  RESPONSE_ENCODING_UNKNOWN: () => calling('/packed'),
  RESPONSE_NOT_JSON: () => calling('/?type=application/json'),
  RESPONSE_NOT_XML: () => [
    workflow(step('0', '/?type=text/xml'), ifStep('1', `${read('a')} IsNull`)),
  ],
  RESPONSE_NUMBER_TOO_LARGE: () => calling('/number?type=application/json'),
  RUN_EVENTS_REFUSED: () => [
    workflow(loopStep('0', `For(${MANY})`, 'i'), ifStep('0_0', 'true')),
    { store: () => Promise.reject(new Error('disk full')) },
  ],
  RUN_FAULT: () => [workflow(step('0')), { fault: new TypeError('of ours') }],
  RUN_OUT_OF_MEMORY: () => [
    workflow(step('0'), ifStep('1', `${read('id')} = 7`)),
    { limits: { maxKeptBytes: 5 } },
  ],
  RUN_TIMEOUT: () => [workflow(step('0', '/silent')), { runTimeoutMs: 20 }],
  RUN_TOO_LARGE: () => [workflow(step('0')), { limits: { maxStoredBytes: 100 } }],
  RUN_TOO_MANY_EVENTS: () => [workflow(step('0')), { limits: { maxEvents: 1 } }],
  RUN_TOO_MANY_TURNS: () => [
    workflow(loopStep('0', 'For([1, 2])', 'i')),
    { limits: { maxTurns: 1 } },
  ],
  SCRIPT_ENGINE_OFF: () => bound('RESULT_VAR = 1', { language: 'python' }),
  SCRIPT_ERROR: () => bound('throw 1'),
  SCRIPT_LANGUAGE_UNKNOWN: () => bound('RESULT_VAR = 1', { language: 'perl' }),
  SCRIPT_OUT_OF_MEMORY: () => bound('RESULT_VAR = new ArrayBuffer(1e9)'),
  SCRIPT_RESULT_INVALID: () => bound('RESULT_VAR = () => 1'),
  SCRIPT_TIMEOUT: () => bound('for (;;);', { scripts: { timeoutMs: 50 } }),
  SECRET_NOT_ALLOWED_HERE: () => asking('"{%secret.key%}" = "a"'),
  SECRET_ORIGIN_REFUSED: () => computed({ endpoint: 'http://elsewhere.example/' }),
  SECRET_NOT_FOUND: () => calling('/?key={%secret.key%}'),
  STEP_SETTING_INVALID: () => [workflow(step('0', '/', { retries: '11' }))],
  VALUE_TOO_LARGE: () => [
    workflow(
      step('0', '/deep'),
      step('1', '/', {
        request: {
          method: 'POST',
          body: {
            type: 'object',
            format: 'xml',
            data: 'raw',
            fields: { a: reference('0', '(response).body') },
          },
        },
      }),
    ),
  ],
  WEBHOOK_NOT_FOUND: () => [
    workflow(httpStep('0', 'http://here:1/api/webhook/execute/revoked', { methodType: 'WEBHOOK' })),
    { callMarking: { addresses: ['http://here:1/'], header: 'x-run', mark: '' } },
  ],
  WEBHOOK_PARAMETER_INVALID: () => [
    workflow(httpStep('0', `${remote.url}/\${count:integer}`)),
    { parameters: '{"count":"many"}' },
  ],
};

it.each(Object.entries(ENDING))('a run ends with %s', async (code, failing) => {
  const [document, { limits, scripts: ofScripts, fault, ...around } = {}] = failing();
  const scripts = openScripts(ofScripts);
  const http = fault ? { send: () => Promise.reject(fault) } : outbound;
  const engine = createInProcessEngine({
    http,
    scripts,
    clock: systemClock,
    limits: { maxStoredBytes: 1024 * 1024, ...limits },
  });
  const { outcome } = await runIn(engine, document, { stepTimeoutMs: 5_000, ...around });
  scripts.close();
  expect(outcome).toMatchObject({ state: 'FAILED', error: { code } });
});

it.each(Object.entries(ELSEWHERE))(
  'another file tests a run that ends with %s: %s',
  (code, file) => {
    expect(readFileSync(file, 'utf8')).toMatch(new RegExp(`(?:code: |toBe\\(|, )'${code}'`));
  },
);

it('the tests cover every run error code', () => {
  expect([...Object.keys(ENDING), ...Object.keys(ELSEWHERE)].sort()).toEqual(
    Object.keys(RUN_ERROR_CODES).sort(),
  );
});
