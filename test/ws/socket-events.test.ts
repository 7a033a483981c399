/** @jest-environment node */
import { actorWith, openLibrary, testLibrary } from '../support/graphql/open-library';
import type { Client } from '../support/graphql/open-library';
import { lastWords, ticksMade } from '../support/graphql/library-schema';
import { longDescribe, longIt } from '../support/long';

const TICKS = 'subscription { ticks { number } }';

const library = testLibrary();

/** The answer to a later operation shows that the subscription is active. */
const listening = async (client: Client, id: string, query: string): Promise<void> => {
  client.subscribe(id, query);
  await client.ask(`after ${id}`, '{ open }');
};

describe('events over a socket', () => {
  const tick = (number: number, text?: string): void =>
    library.bus.publish('tick', { number, text });

  it('the result of an event is computed once for equal subscriptions of one session', async () => {
    const sessions = ['one', 'two'].map((name) => ({
      name,
      token: library.signIn(name, ['USER:READ'], { email: `${name}@library.test` }),
    }));
    const members = await Promise.all(
      sessions.flatMap(({ name, token }) =>
        Array.from({ length: 20 }, async () => ({
          name,
          client: await library.connect({ init: { token } }),
        })),
      ),
    );
    await Promise.all(
      members.map(({ client }) =>
        listening(client, 'ticks', 'subscription { ticks { number recipient } }'),
      ),
    );
    await listening(members[0].client, 'alias', 'subscription { mine: ticks { recipient } }');
    ticksMade.length = 0;
    tick(1);
    for (const { name, client } of members)
      expect(await client.results('ticks', 1)).toEqual([
        { data: { ticks: { number: 1, recipient: `${name}@library.test` } } },
      ]);
    expect(await members[0].client.results('alias', 1)).toEqual([
      { data: { mine: { recipient: 'one@library.test' } } },
    ]);
    // Under load a result may be computed again, but never once for each subscriber.
    expect(ticksMade.length).toBeGreaterThanOrEqual(3);
    expect(ticksMade.length).toBeLessThan(12);
    library.signIn('one', []);
    tick(2);
    for (const { name, client } of members) {
      const [, second] = await client.results('ticks', 2);
      if (name === 'one') expect(second.errors[0].extensions.code).toBe('FORBIDDEN');
      else expect(second.data.ticks).toEqual({ number: 2, recipient: 'two@library.test' });
    }
    const ids = members
      .flatMap(({ client }) => client.messages)
      .flatMap(({ payload }) => payload?.errors ?? [])
      .map(({ extensions }) => extensions.requestId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('receiving events does not count as use of the session', async () => {
    const client = await library.connect({
      init: { token: library.signIn('idler', ['USER:READ']) },
    });
    await listening(client, 'ticks', TICKS);
    library.readings.length = 0;
    tick(1);
    await client.results('ticks', 1);
    expect(new Set(library.readings)).toEqual(new Set(['event']));
    library.readings.length = 0;
    await client.ask('use', '{ open }');
    expect(library.readings).toContain('operation');
  });

  it('the sockets of an ended session close after all final events are sent', async () => {
    const token = library.signIn('slow to say', ['USER:READ']);
    const [speaking, silent] = await Promise.all([
      library.connect({ init: { token } }),
      library.connect({ init: { token } }),
    ]);
    await listening(speaking, 'last', 'subscription { sessionEnded }');
    let say = (): void => undefined;
    lastWords.mayBeSent = new Promise((resolve) => {
      say = resolve;
    });
    library.sessions.set(token, { state: 'rejected' });
    for (const reason of ['FIRST', 'SECOND', 'THIRD'])
      library.bus.publish('session.ended', {
        sessionId: 'session of slow to say',
        userId: 7,
        reason,
      });
    // A socket without a final event closes at once, so the other one would be closed if it did not wait.
    expect((await silent.close()).code).toBe(4403);
    await Promise.all([1, 2, 3].map((index) => speaking.ask(`alive ${index}`, '{ open }')));
    expect(speaking.closed).toBeNull();
    say();
    expect(await speaking.close()).toEqual({
      code: 4403,
      reason: expect.stringContaining('FIRST'),
    });
    expect(await speaking.results('last', 3)).toEqual(
      ['FIRST', 'SECOND', 'THIRD'].map((sessionEnded) => ({ data: { sessionEnded } })),
    );
  });

  longIt('disconnects a slow reader with an error when a thousand events wait', async () => {
    const client = await library.connect({
      init: { token: library.signIn('slow', ['USER:READ']) },
    });
    await listening(client, 'slow', 'subscription { ticks { number text } }');
    client.connection.pause();
    // More than the kernel buffers for a client that does not read.
    const text = 'x'.repeat(50_000);
    for (let number = 1; number <= 1_300; number += 1) {
      tick(number, text);
      await new Promise(setImmediate);
    }
    client.connection.resume();
    await client.until(({ type, id }) => type === 'complete' && id === 'slow');
    const results = client.messages
      .filter(({ id, type }) => id === 'slow' && type === 'next')
      .map(({ payload }) => payload);
    expect(results.at(-1).errors[0]).toMatchObject({
      message: expect.stringContaining('too slowly'),
      extensions: { code: 'UNAVAILABLE' },
    });
    expect(results.slice(0, -1).map(({ data }) => data.ticks.number)).toEqual(
      results.slice(0, -1).map((_, index) => index + 1),
    );
    expect((await client.ask('next', '{ open }')).data).toEqual({ open: 'come in' });
  });
});

longDescribe('a socket', () => {
  it('closes at the end of its session even if a final event never arrives', async () => {
    const token = library.signIn('speechless', ['USER:READ']);
    const client = await library.connect({ init: { token } });
    await listening(client, 'last', 'subscription { sessionEnded }');
    lastWords.mayBeSent = new Promise(() => undefined);
    library.bus.publish('session.ended', {
      sessionId: 'session of speechless',
      userId: 7,
      reason: 'LOGOUT',
    });
    expect((await client.close()).code).toBe(4403);
    lastWords.mayBeSent = Promise.resolve();
  });

  it('closes when its session expires or is ended by another process', async () => {
    const tokens = ['idle', 'elsewhere'].map((name) => library.signIn(name, []));
    const clients = await Promise.all(tokens.map((token) => library.connect({ init: { token } })));
    library.sessions.set(tokens[0] ?? '', { state: 'expired', credential: 'session' });
    library.sessions.set(tokens[1] ?? '', { state: 'rejected' });
    for (const client of clients) expect((await client.close()).code).toBe(4403);
  });

  it('closes when its token expires', async () => {
    const [token, expiresAt] = [library.signIn('short', []), Date.now() + 1_500];
    library.sessions.set(token, { state: 'signed-in', actor: actorWith([]), expiresAt });
    const client = await library.connect({ init: { token } });
    expect(await client.close()).toEqual({ code: 4403, reason: 'The token has expired.' });
  });

  it('closes when its client sends operations without reading the results', async () => {
    const client = await library.connect();
    client.connection.pause();
    const value = 'y'.repeat(100_000);
    for (let id = 0; id < 500 && !client.closed; id += 1) {
      client.subscribe(`f${id}`, 'query ($v: JSON) { echo(value: $v) }', { v: value });
      await new Promise(setImmediate);
    }
    client.connection.resume();
    expect([1006, 1013]).toContain((await client.close()).code);
    expect((await library.ask('{ open }')).status).toBe(200);
  });
});

describe('a service that stops', () => {
  it('closes every socket with 1001 and accepts no new one', async () => {
    const library = await openLibrary();
    try {
      const clients = await Promise.all([
        library.connect(),
        library.connect({ path: '/ws' }),
        library.open(),
      ]);
      clients[0].subscribe('1', 'subscription { count(to: 1) }');
      await clients[0].results('1', 1);
      await Promise.all([library.stopSockets(), library.stopSockets()]);
      for (const client of clients) expect((await client.close()).code).toBe(1001);
      await expect(library.open()).rejects.toThrow('503');
    } finally {
      await library.stop();
    }
  });

  it('does not wait for a client that does not read', async () => {
    const library = await openLibrary();
    const client = await library.connect();
    client.connection.pause();
    await library.stopSockets();
    await library.stop();
  });
});
