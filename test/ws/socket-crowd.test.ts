/** @jest-environment node */
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { openLibrary, UNANSWERED } from '../support/library-doors';
import type { Client, Library } from '../support/library-doors';
import { longIt } from '../support/long';

const MOST = { anonymousSockets: 3, userSockets: 4 };

describe('how many sockets there may be', () => {
  let library: Library;
  beforeEach(async () => {
    library = await openLibrary({ limits: MOST, trustedProxies: ['loopback'] });
  });
  afterEach(() => library.stop());

  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
  const stranger = (address: string): Promise<Client> => library.connect(from(address));
  const turnedAway = async (address: string, init?: Record<string, unknown>): Promise<number> => {
    const client = await library.open(from(address));
    client.send({ type: 'connection_init', payload: init });
    return (await client.close()).code;
  };
  /** The service may hear of a socket's end a little later than its client. */
  const isLetIn = async (address: string, init?: Record<string, unknown>): Promise<boolean> => {
    const client = await library.open(from(address));
    client.send({ type: 'connection_init', payload: init });
    return client
      .until(({ type }) => type === 'connection_ack')
      .then(
        () => true,
        () => false,
      );
  };
  const answers = async (client: Client): Promise<void> => {
    expect((await client.ask('open', '{ open }')).data).toEqual({ open: 'come in' });
  };

  it('without a session: so many from one address and no more, and again one when one has left', async () => {
    const inside = await Promise.all(
      Array.from({ length: MOST.anonymousSockets }, () => stranger('203.0.113.1')),
    );
    for (let attempt = 0; attempt < 3; attempt += 1)
      expect(await turnedAway('203.0.113.1')).toBe(4429);
    await answers(await stranger('203.0.113.2'));
    for (const client of inside) await answers(client);
    inside[0]?.connection.close();
    await inside[0]?.close();
    while (!(await isLetIn('203.0.113.1'))) continue;
  });

  it('of one address as many when others were there first, whoever came while there were few', async () => {
    const [one, other] = ['203.0.113.1', '203.0.113.2'];
    for (const address of [other, one, other, one, other, one])
      await answers(await stranger(address));
    for (const address of [one, other]) expect(await turnedAway(address)).toBe(4429);
    await answers(await stranger('203.0.113.3'));
  });

  it('an IPv6 address counts as its /64', async () => {
    for (let host = 1; host <= MOST.anonymousSockets; host += 1)
      await stranger(`2001:db8:1:2::${host}`);
    expect(await turnedAway('2001:db8:1:2:ffff::9')).toBe(4429);
    await answers(await stranger('2001:db8:1:3::1'));
  });

  it('an address that is full of strangers still lets in whoever has a session', async () => {
    const token = library.signIn('member', []);
    const inside = await Promise.all(
      Array.from({ length: MOST.anonymousSockets }, () => stranger('203.0.113.1')),
    );
    const member = await library.connect({ ...from('203.0.113.1'), init: { token } });
    expect((await member.ask('me', '{ me }')).data).toEqual({ me: 'reader@library.test' });
    for (const client of inside) await answers(client);
  });

  longIt(
    'one that is too many and says nothing is closed when its time to say something is over',
    async () => {
      await Promise.all(
        Array.from({ length: MOST.anonymousSockets }, () => stranger('203.0.113.1')),
      );
      expect((await (await library.open(from('203.0.113.1'))).close()).code).toBe(4429);
    },
  );

  it('of one user: so many wherever he is, and no other user minds', async () => {
    const token = library.signIn('busy', [], { userId: 70 });
    const inside = await Promise.all(
      Array.from({ length: MOST.userSockets }, (_, index) =>
        library.connect({ ...from(`198.51.100.${index}`), init: { token } }),
      ),
    );
    expect(await turnedAway('198.51.100.99', { token })).toBe(4429);
    const other = library.signIn('other', [], { userId: 71 });
    await library.connect({ ...from('198.51.100.1'), init: { token: other } });
    for (const client of inside) await answers(client);
    inside[0]?.connection.terminate();
    while (!(await isLetIn('198.51.100.1', { token }))) continue;
  });

  it('the library of the protocol hears 4429 as the reason why it is not let in', async () => {
    await Promise.all(Array.from({ length: MOST.anonymousSockets }, () => library.connect()));
    const client = createClient({
      url: `${library.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
    });
    const failure = await client
      .iterate({ query: '{ open }' })
      .next()
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 4429 });
    await client.dispose();
  });
});

describe('a socket without a session', () => {
  longIt('is closed after its time, and one with a session is not', async () => {
    const library = await openLibrary({ limits: { anonymousSocketMs: 1_000 } });
    try {
      const member = await library.connect({ init: { token: library.signIn('member', []) } });
      const nobody = await library.connect();
      expect(await nobody.close()).toEqual({
        code: 4401,
        reason: expect.stringContaining('session'),
      });
      expect((await member.ask('1', '{ open }')).data).toEqual({ open: 'come in' });
    } finally {
      await library.stop();
    }
  });

  longIt(
    'is closed after its time also when it says nothing, or when nothing is known of its token so soon',
    async () => {
      const library = await openLibrary({ limits: { anonymousSocketMs: 1_000 } });
      try {
        const silent = await library.open();
        const waiting = await library.open();
        waiting.send({ type: 'connection_init', payload: { Authorization: UNANSWERED } });
        for (const client of [silent, waiting])
          expect(await client.close()).toEqual({
            code: 4401,
            reason: expect.stringContaining('session'),
          });
      } finally {
        await library.stop();
      }
    },
  );

  it('that sends a ping no answer can be made of is closed, and nobody else notices', async () => {
    const library = await openLibrary();
    try {
      const client = await library.connect();
      client.send(`{"type":"ping","payload":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`);
      expect((await client.close()).code).toBe(4400);
      expect((await (await library.connect()).ask('1', '{ open }')).data).toEqual({
        open: 'come in',
      });
    } finally {
      await library.stop();
    }
  });
});
