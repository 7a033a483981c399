/** @jest-environment node */
import { imported, newConnector, TICKETS } from '../../support/documents/connector-invokers';
import { testService, unique } from '../../support/service/harness';
import { testRemote } from '../../support/peers/remote-system';
import { frontend } from '../../support/calls/stomp';
import { EMPTY, statement } from '../../support/documents/two-containers';
import { method, workflow } from '../../support/documents/workflows';

const LOGS = '/execution/logs';
const CLIENT = { crossDomain: 'true', timeout: '10000' };
const END = `${'='.repeat(22)}END_OF_EXECUTION${'='.repeat(22)}`;
let connectors: readonly number[];

const service = testService();
const remote = testRemote(({ path }) =>
  path === '/silent'
    ? new Promise(() => undefined)
    : {
        status: path === '/missing' ? 404 : path === '/busy' ? 503 : 200,
        body: { ids: [7, 8] },
      },
);
beforeAll(async () => {
  const invoker = await imported(service, {
    ...TICKETS,
    operations: ['List', 'Each', 'Create'].map((name) => ({ name, endpoint: '{url}/x' })),
  });
  const values = { url: remote.url, token: 't' };
  connectors = [
    await newConnector(service, invoker, values),
    await newConnector(service, invoker, values),
  ];
});

async function call(verb: string, path: string, body?: object): Promise<any> {
  const answer = await service.api(verb, `/released/api/${path}`, { body, headers: CLIENT });
  if (answer.status >= 300) throw new Error(`${path} was refused: ${answer.text}`);
  return answer.body;
}

const step = (index: string, name: string, color: string, path: string): object => ({
  name,
  index,
  color,
  request: { endpoint: `{url}${path}`, method: 'GET', body: null },
  response: { success: { status: '200', body: null }, fail: null },
  dataAggregator: null,
});
const operator = (index: string, type: string, condition: object, more: object = {}): object => ({
  index,
  type,
  condition,
  dataAggregator: null,
  ...more,
});

/** As the 4.x editor writes it. */
const written = (lastPath: string, title = '!*test_connection_1_'): object => ({
  title: unique(title),
  description: '',
  fromConnector: {
    connectorId: connectors[0],
    methods: [step('0', 'List', '#FFCFB5', '/list'), step('1_0', 'Each', '#C77E7E', '/each')],
    operators: [
      operator(
        '1',
        'loop',
        {
          leftStatement: statement('#FFCFB5', 'success.ids'),
          relationalOperator: '',
          rightStatement: EMPTY,
        },
        { iterator: 'i' },
      ),
    ],
  },
  toConnector: {
    connectorId: connectors[1],
    methods: [step('0_0', 'Create', '#98BEC7', lastPath)],
    operators: [
      operator('0', 'if', {
        leftStatement: statement('#FFCFB5', 'success.ids'),
        relationalOperator: 'NotEmpty',
        rightStatement: EMPTY,
      }),
    ],
  },
  fieldBinding: [],
});

/** Saves a workflow and a schedule of it, as the test button of the 4.x editor does. */
async function prepare(document: object, debugMode = true): Promise<number> {
  const { connectionId } = await call('POST', 'connection', document);
  const { schedulerId } = await call('POST', 'scheduler', {
    cronExp: '0 0 0 1 JAN ? 2100',
    debugMode,
    status: 1,
    title: unique('!*test_schedule_'),
    connectionId,
  });
  return schedulerId as number;
}

const watch = async (schedulerId: number) => {
  const client = await frontend(service, {
    versions: ['1.1', '1.0'],
    query: `&schedulerId=${schedulerId}`,
  });
  client.subscribe(LOGS, { receipt: 'there' });
  await client.receipt('there');
  return client;
};
const hasEnded = (lines: readonly any[]): boolean => lines.at(-1)?.message === END;

it('a 4.x client receives the text log of the run of its schedule', async () => {
  const schedulerId = await prepare(written('/create'));
  const other = await prepare(written('/create'));
  const client = await watch(schedulerId);
  await call('GET', `scheduler/execute/${other}`);
  await call('GET', `scheduler/execute/${schedulerId}`);
  const lines = await client.until(LOGS, hasEnded);
  const isStructure = ({ message }: any): boolean =>
    / -- index: |^Loop: |^Response |^URL: /.test(message);
  expect(
    lines.filter(isStructure).map(({ connector, message }) => `${connector.dir} ${message}`),
  ).toEqual([
    'from Function: List -- next function: null -- next operator: 1 -- index: 0',
    `from URL: ${remote.url}/list`,
    'from Response : {"ids":[7,8]}',
    'from FOR -- next function: 1_0 -- next operator: null -- index: 1',
    'from LOOP_OPERATOR_RESULT: NOT_EMPTY -- index: 1',
    ...[0, 1].flatMap((turn) => [
      `from Loop: i -------- index: ${turn}`,
      'from Function: Each -- next function: null -- next operator: null -- index: 1_0',
      `from URL: ${remote.url}/each`,
      'from Response : {"ids":[7,8]}',
    ]),
    'from Operator: -- next function: null -- next operator: null -- type: loop -- index: 1',
    'to IF -- next function: 0_0 -- next operator: null -- index: 0',
    'to OPERATOR_RESULT: TRUE -- index: 0',
    'to Function: Create -- next function: null -- next operator: null -- index: 0_0',
    `to URL: ${remote.url}/create`,
    'to Response : {"ids":[7,8]}',
    'to Operator: -- next function: null -- next operator: null -- type: if -- index: 0',
  ]);
  expect(lines.find(({ message }) => message.startsWith('Function: Create'))).toEqual({
    message: expect.any(String),
    type: 'INFO',
    stackTrace: null,
    methodData: { color: '#98BEC7' },
    connector: { name: expect.stringMatching(/./), dir: 'to' },
  });
  expect(new Set(lines.map(({ message }) => /^=+$/.exec(message)?.[0].length))).toEqual(
    new Set([undefined, 76, 60]),
  );
  await client.close();
});

it.each([
  ['a refused request', '/missing', 'HTTP_STATUS_ERROR', '404'],
  ['a time-out', '/silent', 'OUTBOUND_TIMEOUT', 'within 600 ms (the timeout of the connector)'],
  ['a step that was tried three times', '/busy', 'HTTP_STATUS_ERROR', '503'],
  ['a step that could not be sent', ':port', 'OUTBOUND_BAD_URL', ''],
])('%s is the last line of its step, of the type ERROR', async (_name, path, code, message) => {
  await call('PUT', `connector/${connectors[1]}`, { timeout: 600 });
  const schedulerId = await prepare(written(path));
  const client = await watch(schedulerId);
  await call('GET', `scheduler/execute/${schedulerId}`);
  const lines = await client.until(LOGS, hasEnded);
  expect(lines.filter(({ type }) => type === 'ERROR')).toEqual([lines.at(-2)]);
  expect(lines.at(-2)).toMatchObject({
    message: expect.stringContaining(message),
    stackTrace: [
      expect.stringMatching(new RegExp(`^${code}: `)),
      'at step 0_0',
      expect.stringMatching(/./),
      expect.stringMatching(/./),
    ],
    methodData: { color: '#98BEC7' },
    connector: { dir: 'to' },
  });
  // A line without an index belongs to the element of the line before it.
  const places = lines.flatMap(({ message: text }) => / -- index: (\S+)$/.exec(text)?.[1] ?? []);
  expect(places.at(-1)).toBe('0_0');
  await client.close();
});

it('the log of a test of the 5.x line can be followed by its schedule', async () => {
  const { schedulerId } = await call(
    'POST',
    'connection/execution/test',
    workflow([method('0', remote.url)]),
  );
  const client = await watch(schedulerId);
  const lines = await client.until(LOGS, hasEnded);
  expect(lines[1].message).toBe(
    'Function: call 0 -- next function: null -- next operator: null -- index: 0',
  );
  await client.close();
});

it('a run of a schedule without logging sends no lines', async () => {
  const [silent, logged] = [
    await prepare(written('/a', 'Saved '), false),
    await prepare(written('/a', 'Saved ')),
  ];
  const [one, other] = [await watch(silent), await watch(logged)];
  for (const id of [silent, logged]) await call('GET', `scheduler/execute/${id}`);
  await other.until(LOGS, hasEnded);
  expect(one.messages[LOGS] ?? []).toEqual([]);
  await Promise.all([one.close(), other.close()]);
});
