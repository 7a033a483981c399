/** @jest-environment node */
import { watchTests } from '../../../examples/clients/stomp';
import { testService } from '../../support/service/harness';
import { holdingRemote } from '../../support/peers/remote-system';
import type { FrontendOptions } from '../../support/calls/stomp';
import { connectedStomp, frontend } from '../../support/calls/stomp';
import { method, workflow } from '../../support/documents/workflows';
import { openForTests } from '../../support/open-for-tests';

const SECRET = 'do-not-tell-this-one';

const service = testService();
const remote = openForTests(() =>
  holdingRemote(({ path }) => ({
    status: path === '/missing' ? 404 : 200,
    body: { tickets: [1, 2] },
  })),
);

const RIGHTS = ['CONNECTION:READ', 'CONNECTION:UPDATE'];
const calling = (path = '/quick'): any => workflow([method('0', remote.url + path)]);
const start = async (
  channelId: string,
  document: object = calling(),
  token?: string,
): Promise<any> =>
  (
    await service.api(
      'POST',
      `/api/connection/execution/test?channelId=${encodeURIComponent(channelId)}`,
      { body: document, token },
    )
  ).body;
const LOGS = '/execution/logs/';
const short = ({ id, executionId, type, status, indexPath }: any): string =>
  `${String(id).replace(String(executionId), 'R')} ${type} ${indexPath ?? ''} ${status}`;
const isEnd = ({ type, status }: any): boolean => type === 'EXECUTION' && status !== 'PENDING';
const hasEnded =
  (tests = 1) =>
  (lines: readonly any[]): boolean =>
    lines.filter(isEnd).length >= tests;
const QUICK = [
  'R EXECUTION  PENDING',
  'R-1 FLOWCHART  PENDING',
  'R-2 OPERATION 0 PENDING',
  'R-2 OPERATION 0 COMPLETE',
  'R-1 FLOWCHART  COMPLETE',
  'R EXECUTION  COMPLETE',
];

/** Starts a test and returns the logs that its channel receives. */
async function receiveLogs(
  channelId: string,
  options: FrontendOptions & { document?: object } = {},
): Promise<any[]> {
  const client = await frontend(service, options);
  client.subscribe(LOGS + channelId);
  await start(channelId, options.document, options.token ?? undefined);
  const lines = await client.until(LOGS + channelId, hasEnded());
  await client.close();
  return lines;
}

it('a frontend subscribes, starts a test and receives its logs to the end', async () => {
  const operators = [
    { id: 'o', index: '1', type: 'loop', iterator: 'i', expression: 'For([10, 20])' },
    { id: 'c', index: '1_0', type: 'if', expression: 'true' },
  ];
  const secret = method('0', remote.url, {
    request: {
      endpoint: `${remote.url}/quick`,
      method: 'POST',
      header: { Authorization: `Bearer ${SECRET}` },
      body: null,
    },
  });
  const lines = await receiveLogs('whole', {
    document: workflow([secret, method('1_0_0', `${remote.url}/quick`)], operators),
  });
  expect(lines.map(short)).toEqual([
    ...QUICK.slice(0, 4),
    'R-4 LOOP 1 PENDING',
    ...[0, 1].flatMap((turn) => [
      `R-${6 + 4 * turn} IF 1_0 PENDING`,
      `R-${6 + 4 * turn} IF 1_0 COMPLETE`,
      `R-${7 + 4 * turn} OPERATION 1_0_0 PENDING`,
      `R-${7 + 4 * turn} OPERATION 1_0_0 COMPLETE`,
    ]),
    'R-4 LOOP 1 COMPLETE',
    ...QUICK.slice(4),
  ]);
  expect(lines[3]).toMatchObject({
    properties: { DIRECTION: 'source', name: 'call 0', loopIndex: '' },
    error: null,
    segment: {
      request: { url: `${remote.url}/quick`, http_method: 'POST' },
      response: { status: 200, payload: expect.stringContaining('tickets') },
    },
  });
  for (const end of lines.slice(-2))
    expect([end.type, end.startTime]).toEqual([
      end.type,
      lines.find(({ id, status }) => id === end.id && status === 'PENDING')?.startTime,
    ]);
  expect(lines[4].properties).toMatchObject({ size: 2, iterator: 'i' });
  expect(
    lines
      .filter(({ type, status }) => type === 'IF' && status === 'COMPLETE')
      .map(({ segment, properties }) => [
        segment.result,
        properties.expression,
        properties.loopIndex,
      ]),
  ).toEqual([
    ['true', 'true', '0'],
    ['true', 'true', '1'],
  ]);
  expect(
    lines
      .filter(({ indexPath, status }) => indexPath === '1_0_0' && status === 'COMPLETE')
      .map(({ properties }) => properties.loopIndex),
  ).toEqual(['0', '1']);
  expect(JSON.stringify(lines)).not.toContain(SECRET);
});

it('the client example of the guide receives the logs of a test', async () => {
  const { token } = await service.userWith(RIGHTS);
  const lines: any[] = [];
  await new Promise<void>((resolve) => {
    const client = watchTests(
      service.url,
      token,
      'guide',
      (line) => {
        lines.push(line);
        if (isEnd(line))
          void service.data('mutation { logout { userErrors { code } } }', {}, token);
      },
      () => void client.deactivate().then(resolve),
    );
    void start('guide', calling(), token);
  });
  expect(lines.map(short)).toEqual(QUICK);
});

it('a failed step is reported with its error, and so are its enclosing loop and run', async () => {
  const operators = [{ id: 'o', index: '0', type: 'loop', iterator: 'i', expression: 'For([1])' }];
  const lines = await receiveLogs('failing', {
    document: workflow([method('0_0', `${remote.url}/missing`)], operators),
  });
  expect(lines.map(short).slice(-5)).toEqual([
    'R-4 OPERATION 0_0 PENDING',
    'R-4 OPERATION 0_0 FAIL',
    'R-2 LOOP 0 FAIL',
    'R-1 FLOWCHART  FAIL',
    'R EXECUTION  FAIL',
  ]);
  const error = (way: readonly string[]): object => ({
    error: {
      code: 'HTTP_STATUS_ERROR',
      message: expect.any(String),
      originOfErrorPath: '0_0',
      stackTrace: [
        expect.stringMatching(/^HTTP_STATUS_ERROR: /),
        ...way,
        expect.stringMatching(/^at workflow /),
        `at run ${lines.at(-1).executionId}`,
      ],
    },
  });
  expect([lines.at(-4), lines.at(-1)]).toMatchObject([
    error(['at step call 0_0 (0_0), try 1, turn 0']),
    error([expect.stringMatching(/^at step /)]),
  ]);
});

it.each<[string, FrontendOptions]>([
  ['at the newer prefix', { prefix: '/ws' }],
  ['below the address of the API', { prefix: '/api/websocket' }],
  ['in version 1.1 of the older frontends', { versions: ['1.1', '1.0'], query: '&schedulerId=12' }],
  ['in version 1.0', { versions: ['1.0'] }],
  ['without SockJS', { bare: true }],
])('a test is received %s', async (what, options) => {
  expect((await receiveLogs(`the same ${what} é:\\`, options)).map(short)).toEqual(QUICK);
});

it('a channel without a test sends nothing and leaves the socket open', async () => {
  const client = await frontend(service);
  client.subscribe(`${LOGS}unknown`);
  client.subscribe(`${LOGS}known`);
  await start('known');
  await client.until(`${LOGS}known`, hasEnded());
  expect(client.messages[`${LOGS}unknown`] ?? []).toEqual([]);
  await client.close();
});

it('a socket receives the end of its session and is closed', async () => {
  const { token } = await service.userWith(RIGHTS);
  const [client, silent, other] = [
    await frontend(service, { token }),
    await frontend(service, { token }),
    await frontend(service),
  ];
  client.subscribe('/user/session', { receipt: 'there' });
  await client.receipt('there');
  await service.data('mutation { logout { userErrors { code } } }', {}, token);
  expect(await client.until('/user/session', (all) => all.length > 0)).toEqual([
    { event: 'FORCE_LOGOUT' },
  ]);
  for (const one of [client, silent])
    expect(await one.closed()).toMatchObject({
      code: 4403,
      reason: expect.stringContaining('ended'),
    });
  expect(other.client.connected).toBe(true);
  await other.close();
});

it('a user who loses the permission receives no lines, and again receives them with it', async () => {
  const { token, groupId } = await service.userWith(RIGHTS);
  const allow = (components: unknown[]): Promise<unknown> =>
    service.api('PUT', `/api/role/${groupId}/component`, { body: { components } });
  const { body: group } = await service.api('GET', `/api/role/${groupId}`);
  const client = await frontend(service, { token });
  client.subscribe('/user/session');
  await allow([]);
  client.subscribe(`${LOGS}taken`, { receipt: 'there' });
  await client.receipt('there');
  expect(client.messages[`${LOGS}taken`] ?? []).toEqual([]);
  await allow(group.components);
  await start('taken', calling(), token);
  expect((await client.until(`${LOGS}taken`, hasEnded())).map(short)).toEqual(QUICK);
  expect(client.errors).toEqual([]);
  await client.close();
});

it.each<[string, string | null, number]>([
  ['no token', null, 4401],
  ['an empty token', '', 4401],
  ['an invalid token', 'Bearer nonsense', 4403],
])('a socket with %s is closed at once with a reason', async (_what, token, code) => {
  const client = await frontend(service, { token });
  expect(client.client.connected).toBe(false);
  expect((await client.closed()).code).toBe(code);
});

it('a token without its scheme is accepted', async () => {
  const client = await frontend(service, { token: service.adminToken.replace('Bearer ', '') });
  expect(client.client.connected).toBe(true);
  await client.close();
});

it.each([
  ['that is unknown', '/no/such/destination', RIGHTS],
  ['of 4.x without a schedule', '/execution/logs', RIGHTS],
  ['with an empty channel name', LOGS, RIGHTS],
  ['with a channel name that is too long', LOGS + 'x'.repeat(129), RIGHTS],
  ['with a channel name of two lines', `${LOGS}a\nb`, RIGHTS],
  ['that needs another permission', `${LOGS}any`, ['USER:READ']],
])('a destination %s sends nothing, and others still do', async (_what, destination, rights) => {
  const { token } = await service.userWith(rights);
  const client = await frontend(service, { token });
  client.subscribe(destination, { receipt: 'there' });
  await client.receipt('there');
  client.subscribe('/user/session', { receipt: 'other' });
  await client.receipt('other');
  await service.data('mutation { logout { userErrors { code } } }', {}, token);
  await client.until('/user/session', (all) => all.length > 0);
  expect([client.messages[destination] ?? [], client.errors]).toEqual([[], []]);
  await client.close();
});

it('an unsubscribed channel sends nothing more and its id can be reused', async () => {
  const raw = await connectedStomp(service);
  raw.say(`SUBSCRIBE\nid:a\ndestination:${LOGS}free\n\n\0UNSUBSCRIBE\nid:a\nreceipt:gone\n\n\0`);
  await raw.until('receipt-id:gone');
  await start('free');
  raw.say(`SUBSCRIBE\nid:a\ndestination:${LOGS}free\n\n\0`);
  await raw.until('message-id:a-6');
  raw.say('DISCONNECT\nreceipt:bye\n\n\0');
  expect(await raw.closed()).toMatchObject({ code: 1000 });
  const messages = raw.received.all.filter((text) => text.startsWith('MESSAGE'));
  expect(messages.map((text) => /message-id:(.*)/.exec(text)?.[1])).toEqual(
    [1, 2, 3, 4, 5, 6].map((nth) => `a-${nth}`),
  );
  expect(raw.received.all.at(-1)).toContain('RECEIPT\nreceipt-id:bye\n');
});

describe('the info request of SockJS', () => {
  const ORIGIN = 'http://frontend.example:8888';
  const other = testService({ env: { HYPHA_CORS_ORIGINS: ORIGIN } });

  it.each(['/websocket', '/ws', '/api/websocket', '/api/ws'])(
    'is answered at %s with any token for pages of a configured origin',
    async (prefix) => {
      const answer = await other.api(
        'GET',
        `${prefix}/info?token=Bearer%20nonsense&schedulerId=1&t=1`,
        { token: null, headers: { origin: ORIGIN } },
      );
      expect([answer.status, answer.body]).toEqual([
        200,
        { websocket: true, origins: ['*:*'], cookie_needed: false, entropy: expect.any(Number) },
      ]);
      expect(
        Object.fromEntries(
          ['access-control-allow-origin', 'access-control-allow-credentials', 'cache-control'].map(
            (name) => [name, answer.headers.get(name)],
          ),
        ),
      ).toEqual({
        'access-control-allow-origin': ORIGIN,
        'access-control-allow-credentials': 'true',
        'cache-control': expect.stringContaining('no-store'),
      });
    },
  );

  it('is rejected for pages of other origins, and so is the socket', async () => {
    const { headers } = await other.api('GET', '/websocket/info', {
      token: null,
      headers: { origin: 'http://elsewhere.example' },
    });
    expect(headers.get('access-control-allow-origin')).toBeNull();
    await expect(
      connectedStomp(other, { headers: { origin: 'http://elsewhere.example' } } as FrontendOptions),
    ).rejects.toThrow('403');
  });

  it('does not write the token to the log', async () => {
    await other.api('GET', '/websocket/info?token=Bearer%20tell-nobody', { token: null });
    const client = await frontend(other);
    await client.close();
    const log = JSON.stringify(other.logs);
    expect(log).toContain('/websocket/info');
    for (const secret of ['tell-nobody', other.adminToken.slice(20)])
      expect(log).not.toContain(secret);
  });
});
