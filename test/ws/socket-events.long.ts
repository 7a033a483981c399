/** @jest-environment node */
import { actorWith, openLibrary } from '../support/graphql/open-library';
import type { Client } from '../support/graphql/open-library';
import { lastWords } from '../support/graphql/library-schema';
import { openForTests } from '../support/open-for-tests';

describe('a socket', () => {
  const library = openForTests(openLibrary);

  /** The answer to a later operation shows that the subscription is active. */
  const listening = async (client: Client, id: string, query: string): Promise<void> => {
    client.subscribe(id, query);
    await client.ask(`after ${id}`, '{ open }');
  };

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
