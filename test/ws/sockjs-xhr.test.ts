/** @jest-environment node */
import { testService } from '../support/service/harness';
import { testRemote } from '../support/peers/remote-system';
import type { FrontendOptions } from '../support/calls/stomp';
import { frontend, rawStomp, xhrSession } from '../support/calls/stomp';
import { method, workflow } from '../support/documents/workflows';
import { until } from '../support/until';
import { longIt } from '../support/long';

const ORIGIN = 'http://frontend.example:8888';
const CONNECT = 'CONNECT\naccept-version:1.1,1.0\nheart-beat:0,0\n\n\0';
const RIGHTS = ['CONNECTION:READ', 'CONNECTION:UPDATE'];

const service = testService({
  env: { HYPHA_CORS_ORIGINS: ORIGIN, HYPHA_LIMITS_SOCKET_MESSAGE_BYTES: '4096' },
});
const remote = testRemote(() => ({ status: 200, body: { tickets: [1, 2] } }));

it.each<[string, FrontendOptions]>([
  ['a streaming response', { transport: 'xhr-streaming' }],
  ['polls', { transport: 'xhr-polling' }],
  ['polls of the released dialect', { transport: 'xhr-polling', prefix: '/released/ws' }],
])('a frontend receives the log of a test over %s', async (_how, options) => {
  const client = await frontend(service, options);
  const channel = `/execution/logs/${options.transport}${options.prefix ?? ''}`;
  client.subscribe('/no/such/destination');
  client.subscribe(channel);
  await service.api(
    'POST',
    `/api/connection/execution/test?channelId=${encodeURIComponent(channel.slice('/execution/logs/'.length))}`,
    { body: workflow([method('0', remote.url), method('1', remote.url)]) },
  );
  const lines = await client.until(
    channel,
    (all) => all.at(-1)?.status === 'COMPLETE' && all.at(-1).type === 'EXECUTION',
  );
  expect(lines.map(({ type, status }) => `${type} ${status}`)).toEqual([
    'EXECUTION PENDING',
    'FLOWCHART PENDING',
    ...['OPERATION PENDING', 'OPERATION COMPLETE', 'OPERATION PENDING', 'OPERATION COMPLETE'],
    'FLOWCHART COMPLETE',
    'EXECUTION COMPLETE',
  ]);
  expect(client.errors).toEqual([]);
  await client.close();
});

it('a session streams frames after a prelude, and refuses a second receiver', async () => {
  const session = xhrSession(service, { headers: { origin: ORIGIN } });
  const stream = await session.open('xhr_streaming');
  expect(
    ['access-control-allow-origin', 'access-control-allow-credentials', 'content-encoding'].map(
      (name) => stream.response.headers.get(name),
    ),
  ).toEqual([ORIGIN, 'true', null]);
  expect(await stream.line()).toBe('h'.repeat(2_048));
  expect(await stream.line()).toBe('o');
  const second = await session.open('xhr');
  expect([await second.line(), await second.line()]).toEqual([
    'c[2010,"Another connection still open"]',
    null,
  ]);
  expect(await session.send(CONNECT)).toBe(204);
  expect(await stream.frame()).toMatch(/^a\["CONNECTED\\nversion:1.1\\n/);
  await stream.abort();
});

it('a streaming response ends after 128 KiB, and the next one continues', async () => {
  const session = xhrSession(service);
  let stream = await session.open('xhr_streaming');
  const receipts: string[] = [];
  await session.send(CONNECT);
  let responses = 1;
  const next = async (): Promise<string> => {
    for (;;) {
      const frame = await stream.frame();
      if (frame !== null) return frame;
      responses += 1;
      stream = await session.open('xhr_streaming');
    }
  };
  const long = 'r'.repeat(250);
  const reading = (async () => {
    while (receipts.length < 700)
      for (const [, id] of (await next()).matchAll(/receipt-id:(\d+)/g)) receipts.push(id);
  })();
  for (let nth = 0; nth < 700; nth += 10)
    await session.send(
      ...[...Array(10).keys()].map((more) => `ACK\nreceipt:${nth + more}${long}\n\n\0`),
    );
  await reading;
  expect(receipts.map(Number)).toEqual(receipts.map((_id, nth) => nth));
  expect(responses).toBeGreaterThan(1);
  await stream.abort();
});

it('a session whose response is interrupted is closed', async () => {
  const session = xhrSession(service);
  const stream = await session.open('xhr_streaming');
  expect([await stream.line(), await stream.line()].at(-1)).toBe('o');
  await stream.abort();
  await until(async () => (await session.send(CONNECT)) === 404);
  const after = await session.open('xhr');
  expect(await after.line()).toBe('c[1002,"Connection interrupted"]');
});

longIt('a session without a next request is closed', async () => {
  const session = xhrSession(service);
  const poll = await session.open('xhr');
  expect([await poll.line(), await poll.line()]).toEqual(['o', null]);
  await until(async () => (await session.send('\n')) === 404);
});

it.each<[string, string | null, number]>([
  ['no token', null, 4401],
  ['an invalid token', 'Bearer nonsense', 4403],
])('a session with %s is closed with the reason', async (_what, token, code) => {
  const poll = await xhrSession(service, { token }).open('xhr');
  expect(await poll.line()).toMatch(new RegExp(`^c\\[${code},"`));
});

it('a session is closed when its user signs out', async () => {
  const { token } = await service.userWith(RIGHTS);
  const session = xhrSession(service, { token });
  const stream = await session.open('xhr_streaming');
  await session.send(CONNECT, 'SUBSCRIBE\nid:s\ndestination:/user/session\nreceipt:1\n\n\0');
  for (let frame = ''; !frame.includes('RECEIPT'); frame = (await stream.frame()) ?? 'RECEIPT');
  await service.data('mutation { logout { userErrors { code } } }', {}, token);
  expect(await stream.frame()).toContain('FORCE_LOGOUT');
  expect(await stream.frame()).toMatch(/^c\[4403,/);
  expect(await stream.line()).toBeNull();
});

it('no one else reads from or writes to a session, even with its name', async () => {
  const { token } = await service.userWith(RIGHTS);
  const own = xhrSession(service, { session: 'shared' });
  const poll = await own.open('xhr');
  expect(await poll.line()).toBe('o');
  expect(await xhrSession(service, { session: 'shared', token }).send(CONNECT)).toBe(404);
  const other = await xhrSession(service, { session: 'shared', token }).open('xhr');
  expect(await other.line()).toBe('o');
  expect(await own.send(CONNECT)).toBe(204);
});

it('a message that is too large closes the session', async () => {
  const session = xhrSession(service);
  const poll = await session.open('xhr');
  expect(await poll.line()).toBe('o');
  expect(await session.send('x'.repeat(5_000))).toBe(413);
  const next = await session.open('xhr');
  expect(await next.line()).toMatch(/^c\[1009,/);
});

it('a page of another origin opens no session', async () => {
  const { status } = await xhrSession(service, {
    headers: { origin: 'http://elsewhere.example' },
  }).post('xhr');
  expect(status).toBe(403);
});

it.each([
  ['POST', 'xhr_send'],
  ['GET', 'eventsource'],
  ['GET', 'htmlfile'],
  ['GET', 'jsonp'],
  ['POST', 'jsonp_send'],
  ['GET', 'xhr'],
])('%s of %s is 404', async (verb, transport) => {
  for (const prefix of ['/websocket', '/ws', '/released/ws', '/api/websocket'])
    expect(
      (await service.api(verb, `${prefix}/000/unknown1/${transport}?token=x`, { token: null }))
        .status,
    ).toBe(404);
});

it('there is no page for iframes', async () => {
  expect((await service.api('GET', '/websocket/iframe.html', { token: null })).status).toBe(404);
});

it.each(['/released', '/documented', ''])('sockets below %s speak that dialect', async (mount) => {
  const isReleased = mount === '/released';
  for (const prefix of [`${mount}/ws`, `${mount}/websocket`, `${mount}/api/websocket`]) {
    const info = await service.api('GET', `${prefix}/info?t=1`, { token: null });
    expect([info.status, info.body.websocket]).toEqual([200, true]);
    const raw = await rawStomp(service, { prefix });
    expect(await raw.until('o')).toBe('o');
    raw.connection.terminate();
  }
  const client = await frontend(service, { prefix: `${mount}/ws` });
  client.subscribe(`/execution/logs/of${mount}`);
  await service.api(
    'POST',
    `/api/connection/execution/test?channelId=${encodeURIComponent(`of${mount}`)}`,
    { body: workflow([method('0', remote.url)]) },
  );
  const [first] = await client.until(`/execution/logs/of${mount}`, (all) => all.length > 0);
  expect([first.type, first.segment, 'indexPath' in first]).toEqual([
    'EXECUTION',
    isReleased ? {} : null,
    !isReleased,
  ]);
  await client.close();
});
