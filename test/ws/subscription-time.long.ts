/** @jest-environment node */
import { openLibrary } from '../support/graphql/open-library';
import { Feed, current } from '../support/graphql/library-feed';

const [READERS, EVENTS, WORK_MS] = [20, 20, 1];

it('the event loop goes on while many subscriptions are served at once', async () => {
  const library = await openLibrary();
  const feed = new Feed();
  current.feed = feed;
  feed.onMaking = () => {
    for (const from = performance.now(); performance.now() - from < WORK_MS;);
  };
  const clients = await Promise.all(
    Array.from({ length: READERS }, () =>
      library.connect({ init: { token: library.signIn('reader', ['USER:READ']) } }),
    ),
  );
  // Different documents share no results.
  for (const [nth, client] of clients.entries()) {
    client.subscribe('feed', `subscription { feed { line${nth}: number carefully } }`);
    await client.ask('subscribed', '{ open }');
  }
  let iterations = 0;
  let isOver = false;
  const count = (): void => {
    iterations += 1;
    if (!isOver) setImmediate(count);
  };
  for (let line = 0; line < EVENTS; line += 1) feed.append();
  setImmediate(count);
  const results = await Promise.all(clients.map((client) => client.results('feed', EVENTS)));
  isOver = true;
  for (const [nth, received] of results.entries())
    expect(received.map(({ data }) => data.feed[`line${nth}`])).toEqual(
      Array.from({ length: EVENTS }, (_, line) => line + 1),
    );
  // Without pauses, all of it would be a single iteration.
  expect(iterations).toBeGreaterThan(5);
  feed.end();
  await library.stop();
});
