/** @jest-environment node */
import { openLibrary, UNANSWERED } from '../support/graphql/open-library';
import type { Client, Library } from '../support/graphql/open-library';
import { longIt } from '../support/long';

const MOST = { anonymousSockets: 3, userSockets: 4 };

describe('the connection limiter', () => {
  let library: Library;
  beforeEach(async () => {
    library = await openLibrary({ limits: MOST, trustedProxies: ['loopback'] });
  });
  afterEach(() => library.stop());

  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
  const anonymous = (address: string): Promise<Client> => library.connect(from(address));
  const rejected = async (address: string, init?: Record<string, unknown>): Promise<number> => {
    const client = await library.open(from(address));
    client.send({ type: 'connection_init', payload: init });
    return (await client.close()).code;
  };
  /** The service may notice a closed socket later than its client: callers retry. */
  const isAccepted = async (address: string, init?: Record<string, unknown>): Promise<boolean> => {
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

  it('limits anonymous sockets per address and accepts another one after a disconnect', async () => {
    const inside = await Promise.all(
      Array.from({ length: MOST.anonymousSockets }, () => anonymous('203.0.113.1')),
    );
    for (let attempt = 0; attempt < 3; attempt += 1)
      expect(await rejected('203.0.113.1')).toBe(4429);
    await answers(await anonymous('203.0.113.2'));
    for (const client of inside) await answers(client);
    inside[0]?.connection.close();
    await inside[0]?.close();
    while (!(await isAccepted('203.0.113.1'))) continue;
  });

  it('counts IPv6 addresses by their /64 prefix', async () => {
    for (let host = 1; host <= MOST.anonymousSockets; host += 1)
      await anonymous(`2001:db8:1:2::${host}`);
    expect(await rejected('2001:db8:1:2:ffff::9')).toBe(4429);
    await answers(await anonymous('2001:db8:1:3::1'));
  });

  it('accepts a signed-in user from an address whose anonymous limit is reached', async () => {
    const token = library.signIn('member', []);
    const inside = await Promise.all(
      Array.from({ length: MOST.anonymousSockets }, () => anonymous('203.0.113.1')),
    );
    const member = await library.connect({ ...from('203.0.113.1'), init: { token } });
    expect((await member.ask('me', '{ me }')).data).toEqual({ me: 'reader@library.test' });
    for (const client of inside) await answers(client);
  });

  longIt('closes a silent socket above the limit after the connection_init timeout', async () => {
    await Promise.all(
      Array.from({ length: MOST.anonymousSockets }, () => anonymous('203.0.113.1')),
    );
    expect((await (await library.open(from('203.0.113.1'))).close()).code).toBe(4429);
  });

  it('limits the sockets of a user across addresses without affecting other users', async () => {
    const token = library.signIn('busy', [], { userId: 70 });
    const inside = await Promise.all(
      Array.from({ length: MOST.userSockets }, (_, index) =>
        library.connect({ ...from(`198.51.100.${index}`), init: { token } }),
      ),
    );
    expect(await rejected('198.51.100.99', { token })).toBe(4429);
    const other = library.signIn('other', [], { userId: 71 });
    await library.connect({ ...from('198.51.100.1'), init: { token: other } });
    for (const client of inside) await answers(client);
    inside[0]?.connection.terminate();
    while (!(await isAccepted('198.51.100.1', { token }))) continue;
  });
});

describe('a socket without a session', () => {
  longIt(
    'is closed after its time limit, also if it is silent or its token is still being checked',
    async () => {
      const library = await openLibrary({ limits: { anonymousSocketMs: 1_000 } });
      try {
        const member = await library.connect({ init: { token: library.signIn('member', []) } });
        const anonymous = await library.connect();
        const silent = await library.open();
        const waiting = await library.open();
        waiting.send({ type: 'connection_init', payload: { Authorization: UNANSWERED } });
        for (const client of [anonymous, silent, waiting])
          expect(await client.close()).toEqual({
            code: 4401,
            reason: expect.stringContaining('session'),
          });
        expect((await member.ask('1', '{ open }')).data).toEqual({ open: 'come in' });
      } finally {
        await library.stop();
      }
    },
  );

  it('is closed after a malformed ping without affecting other clients', async () => {
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
