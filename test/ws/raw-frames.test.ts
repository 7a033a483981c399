/** @jest-environment node */
import { testLibrary } from '../support/graphql/open-library';
import type { Client } from '../support/graphql/open-library';
import { Feed, current } from '../support/graphql/library-feed';

const FEED = 'subscription { feed { number text } }';
const LINES = 50;

describe('frames of shared results, which are written past the ws library', () => {
  const library = testLibrary();
  beforeAll(async () => {
    current.feed = new Feed();
  });
  afterAll(() => current.feed.end());

  const connect = (): Promise<Client> =>
    library.connect({ init: { token: library.signIn('reader', ['USER:READ']) } });

  it('the server declines compression, which such frames would bypass', async () => {
    // The client library offers permessage-deflate by default.
    const { connection } = await connect();
    expect(connection.extensions).toBe('');
  });

  it('a client reads them in order between pongs and messages of the library', async () => {
    const clients = [await connect(), await connect()];
    const pongs = clients.map(() => 0);
    for (const [nth, client] of clients.entries()) {
      client.connection.on('pong', () => (pongs[nth] += 1));
      client.subscribe('feed', FEED);
      await client.ask('subscribed', '{ open }');
    }
    for (let line = 0; line < LINES; line += 1) {
      current.feed.append('ü'.repeat(line * 100));
      for (const client of clients) {
        client.connection.ping();
        client.subscribe(`query ${line}`, '{ open }');
      }
      await new Promise(setImmediate);
    }
    for (const [nth, client] of clients.entries()) {
      const results = await client.results('feed', LINES);
      expect(results.map(({ data }) => [data.feed.number, data.feed.text.length])).toEqual(
        Array.from({ length: LINES }, (_, line) => [line + 1, line * 100]),
      );
      await client.ask('last', '{ open }');
      while (pongs[nth] < LINES) await new Promise(setImmediate);
      expect(client.closed).toBeNull();
    }
  });
});
