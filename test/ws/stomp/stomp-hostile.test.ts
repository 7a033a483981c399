/** @jest-environment node */
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Destination } from '../../../src/platform/http/dialects/destination';
import type { Limits } from '../../../src/config/config';
import type { Library } from '../../support/graphql/open-library';
import { openLibrary, UNREADABLE } from '../../support/graphql/open-library';
import { longIt } from '../../support/long';
import type { FrontendOptions } from '../../support/calls/stomp';
import { connectedStomp, rawStomp } from '../../support/calls/stomp';

const MOST = {
  anonymousSockets: 3,
  userSockets: 4,
  socketOperations: 5,
  socketMessageBytes: 4_096,
  anonymousSocketMs: 1_000,
};

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

describe('a STOMP socket', () => {
  let library: Library;
  let made = 0;
  let open = 0;
  let token = '';
  const destinations: Destination[] = [
    {
      path: '/quiet/{name}',
      needs: 'authenticated',
      async *messages({ signal }) {
        open += 1;
        try {
          await untilAborted(signal);
          yield* [];
        } finally {
          open -= 1;
        }
      },
    },
    {
      path: '/flood',
      needs: 'authenticated',
      async *messages({ signal }) {
        while (!signal.aborted) {
          made += 1;
          yield await Promise.resolve({ filler: 'x'.repeat(20_000) });
        }
      },
    },
    {
      path: '/broken',
      needs: 'authenticated',
      async *messages() {
        yield await Promise.reject(new Error('the store is away at 10.0.0.7'));
      },
    },
    {
      path: '/grant',
      needs: 'USER:READ',
      async *messages() {
        yield await Promise.resolve(1);
      },
    },
  ];
  const openWith = async (limits: Partial<Limits> = MOST): Promise<void> => {
    library = await openLibrary({ limits, trustedProxies: ['loopback'], destinations });
    token = library.signIn('member', [], { userId: 7 });
  };
  beforeEach(async () => {
    [made, open] = [0, 0];
    await openWith();
  });
  afterEach(() => library.stop());

  const service = (who = token) => ({ url: library.url, adminToken: `Bearer ${who}` });
  const connected = (options: FrontendOptions = {}, who = token) =>
    connectedStomp(service(who), options);
  const untilOpen = async (many: number): Promise<void> => {
    while (open !== many) await new Promise((resolve) => setImmediate(resolve));
  };
  const SUBSCRIBE = (id: string, more = ''): string =>
    `SUBSCRIBE\nid:${id}\ndestination:/quiet/${id}\n${more}\n\0`.replace('\n\n\n', '\n\n');
  const expectServing = async (): Promise<void> => {
    const raw = await connected({}, library.signIn('other', [], { userId: 8 }));
    raw.say(SUBSCRIBE('a', 'receipt:1\n'));
    await raw.until('RECEIPT');
    raw.connection.terminate();
  };

  it.each<[string, string | Buffer, number]>([
    ['something before CONNECT', SUBSCRIBE('a'), 4400],
    ['CONNECT twice', 'CONNECT\n\n\0CONNECT\n\n\0', 4400],
    ['an unsupported version', 'CONNECT\naccept-version:0.9,2.0\n\n\0', 4400],
    ['SEND', 'CONNECT\n\n\0SEND\ndestination:/quiet/a\n\nhello\0', 4400],
    ['a transaction', 'CONNECT\n\n\0BEGIN\ntransaction:t\n\n\0', 4400],
    ['an unknown command', 'CONNECT\n\n\0__proto__\n\n\0', 4400],
    [
      'a subscription without an id',
      'CONNECT\naccept-version:1.2\n\n\0SUBSCRIBE\ndestination:/quiet/a\n\n\0',
      4400,
    ],
    ['two subscriptions with one id', `CONNECT\n\n\0${SUBSCRIBE('a')}${SUBSCRIBE('a')}`, 4400],
    [
      'too many subscriptions',
      `CONNECT\n\n\0${[1, 2, 3, 4, 5, 6].map((nth) => SUBSCRIBE(String(nth))).join('')}`,
      4400,
    ],
    ['no destination', 'CONNECT\n\n\0SUBSCRIBE\nid:a\n\n\0', 4400],
    ['a destination that fails', 'CONNECT\n\n\0SUBSCRIBE\nid:a\ndestination:/broken\n\n\0', 4500],
    ['a long receipt', `CONNECT\n\n\0ACK\nreceipt:${'r'.repeat(300)}\n\n\0`, 4400],
    ['invalid UTF-8', Buffer.from([0x41, 0xff, 0x0a, 0x0a, 0x00]), 4400],
  ])('that sends %s receives an ERROR and is closed', async (_what, message, code) => {
    const raw = await rawStomp(service(), { bare: true });
    raw.say(message);
    expect((await raw.closed()).code).toBe(code);
    expect(raw.received.all.filter((text) => text.startsWith('ERROR\n'))).toEqual([
      raw.received.all.at(-1),
    ]);
    expect(raw.received.all.join('')).not.toContain('10.0.0.7');
    await expectServing();
  });

  it.each(['/execution', '/grant', '/', '/quiet'])(
    'receives nothing from %s, which is unknown or forbidden, and stays open',
    async (destination) => {
      const raw = await connected();
      raw.say(`SUBSCRIBE\nid:a\ndestination:${destination}\nreceipt:1\n\n\0`);
      await raw.until('receipt-id:1');
      raw.say(SUBSCRIBE('b', 'receipt:2\n'));
      await raw.until('receipt-id:2');
      expect(raw.received.all.filter((text) => /^(MESSAGE|ERROR)/.test(text))).toEqual([]);
      raw.connection.terminate();
    },
  );

  it.each<[string, string]>([
    ['invalid JSON', '{'],
    ['a list of numbers', '[1]'],
    ['nested lists', '['.repeat(2_000) + ']'.repeat(2_000)],
  ])('rejects %s as a SockJS message', async (_what, message) => {
    const raw = await rawStomp(service());
    expect(await raw.until('o')).toBe('o');
    raw.say(message);
    expect((await raw.closed()).code).toBe(4400);
    expect(raw.received.all.at(-1)).toBe('c[4400,"A message is a list of texts."]');
  });

  it('ignores empty SockJS messages and joins frames across messages', async () => {
    const raw = await rawStomp(service());
    raw.say('');
    raw.say('[]');
    raw.say(JSON.stringify('CONN'));
    raw.say(JSON.stringify(['ECT\naccept-version:1.1\n\n', '\0\n']));
    expect(await raw.until('CONNECTED')).toMatch(/^a\["CONNECTED\\nversion:1.1\\n/);
    raw.connection.terminate();
  });

  it('is closed with 1009 for a large message and for a large frame of many messages', async () => {
    const one = await connected();
    one.say(`SEND\n\n${'x'.repeat(5_000)}`);
    expect((await one.closed()).code).toBe(1009);
    const other = await connected();
    for (let nth = 0; nth < 5; nth += 1) other.say(nth === 0 ? 'SEND\n\n' : 'x'.repeat(1_100));
    expect((await other.closed()).code).toBe(1009);
    await expectServing();
  });

  it('is closed before its frames are read if its token cannot be verified', async () => {
    const raw = await rawStomp(service(UNREADABLE), { bare: true });
    raw.say(`CONNECT\n\n\0${SUBSCRIBE('a')}`);
    expect((await raw.closed()).code).toBe(4500);
    const anonymous = await rawStomp(service('unknown'), { bare: true });
    anonymous.say(`CONNECT\n\n\0${SUBSCRIBE('a')}`);
    expect((await anonymous.closed()).code).toBe(4403);
    expect([raw.received.all, anonymous.received.all, open]).toEqual([
      ['ERROR\nmessage:INTERNAL_SERVER_ERROR\n\n\0'],
      [],
      0,
    ]);
  });

  it('counts together with GraphQL sockets towards the limit of a user', async () => {
    const inside = await Promise.all([1, 2].map(() => connected()));
    for (let nth = 0; nth < 2; nth += 1) await library.connect({ init: { token } });
    const raw = await rawStomp(service(), { bare: true });
    expect((await raw.closed()).code).toBe(4429);
    for (const one of inside) expect(one.ended).toBeNull();
  });

  it('stops producing messages for a client that does not read', async () => {
    const raw = await connected();
    raw.connection.pause();
    raw.say('SUBSCRIBE\nid:a\ndestination:/flood\n\n\0');
    let [before, same] = [-1, 0];
    // Until nothing more is produced while ten other clients are served.
    while (same < 10 || made === 0) {
      await expectServing();
      same = made === before ? same + 1 : 0;
      before = made;
    }
    // The kernel buffers some messages.
    expect(made).toBeLessThan(1_000);
    raw.connection.terminate();
  });

  it('leaves nothing behind after thousands of subscriptions', async () => {
    const raw = await connected();
    const pair = `${SUBSCRIBE('a')}UNSUBSCRIBE\nid:a\n\n\0`;
    const many = Math.floor(MOST.socketMessageBytes / pair.length);
    for (let nth = 0; nth < 10; nth += 1) raw.say(pair.repeat(many));
    raw.say(SUBSCRIBE('z', 'receipt:last\n'));
    await raw.until('receipt-id:last');
    await untilOpen(1);
    raw.connection.terminate();
    await untilOpen(0);
  });

  it.each([
    '/websocket',
    '/websocket/1/2/xhr',
    '/websocket/1/2/3/websocket',
    '/websocket/a.b/c/websocket',
    '/ws/iframe.html',
  ])('is not available at %s', async (path) => {
    const stream = connect(Number(new URL(library.url).port), '127.0.0.1');
    stream.write(
      `GET ${path}?token=${token} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
    );
    const [answer] = (await once(stream, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1.1 404 /);
    stream.destroy();
  });

  it('is closed with 1001 when the service stops', async () => {
    const raw = await connected();
    await library.stopSockets();
    expect(await raw.closed()).toMatchObject({ code: 1001 });
  });

  longIt('receives the heart-beats that it requests and need not send any', async () => {
    const raw = await rawStomp(service(), { bare: true });
    raw.say('CONNECT\naccept-version:1.2\nheart-beat:1000,1000\n\n\0');
    expect(await raw.until('CONNECTED')).toContain('heart-beat:10000,0\n');
    await raw.received.until(
      (all) => all.filter((text) => text === '\n').length === 2,
      () => raw.ended,
    );
    raw.connection.terminate();
  });

  longIt('is closed if it never sends CONNECT', async () => {
    const raw = await rawStomp(service(), { bare: true });
    expect((await raw.closed()).code).toBe(4408);
  });
});
