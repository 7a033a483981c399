/** @jest-environment node */
import { testLibrary } from '../support/graphql/open-library';
import type { Client } from '../support/graphql/open-library';
import { Feed, current } from '../support/graphql/library-feed';
import { longIt } from '../support/long';
import { rounds } from '../support/rounds';

const FEED = 'subscription ($after: Int! = 0) { feed(after: $after) { number text recipient } }';
const READ = ['USER:READ'];
let sequence = 0;
const library = testLibrary();
beforeEach(() => {
  current.feed = new Feed();
});
afterEach(() => current.feed.end());

const nextTick = (): Promise<void> => new Promise(setImmediate);
const numbers = (client: Client, id: string): number[] =>
  client.messages
    .filter((message) => message.id === id && message.type === 'next' && message.payload.data)
    .map(({ payload }) => payload.data.feed.number as number);
const from = (after: number, to: number): number[] =>
  Array.from({ length: to - after }, (_, nth) => after + 1 + nth);
const isOver = (client: Client, id: string) =>
  client.until((message) => message.id === id && message.type === 'complete');

async function member(name: string): Promise<Client> {
  return library.connect({
    init: { token: library.signIn(name, READ, { email: `${name}@library.test` }) },
  });
}

/** Subscribes to the feed and returns the id of the subscription. */
async function subscribe(client: Client, after = 0, query = FEED): Promise<string> {
  sequence += 1;
  const id = `feed ${sequence}`;
  client.subscribe(id, query, { after });
  await client.ask(`after ${id}`, '{ open }');
  return id;
}

/** A pseudo-random number generator. */
function chooser(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

it('each subscriber receives every event after its position once and in order while subscribers come and go', async () => {
  for (let seed = 1; seed <= rounds(20); seed += 1) {
    const { feed } = current;
    const choose = chooser(seed);
    const clients = await Promise.all(
      Array.from({ length: 6 }, (_, nth) => member(`member ${nth % 3}`)),
    );
    const subscriptions: { client: Client; id: string; after: number; hasLeft: boolean }[] = [];
    for (let step = 0; step < 60; step += 1) {
      const action = choose(6);
      const client = clients[choose(clients.length)];
      if (action < 3) for (let lines = choose(4); lines >= 0; lines -= 1) feed.append();
      else if (action === 3) await nextTick();
      else if (action === 4 || subscriptions.length === 0) {
        sequence += 1;
        const one = {
          client,
          id: `feed ${sequence}`,
          after: choose(feed.length + 1),
          hasLeft: false,
        };
        subscriptions.push(one);
        client.subscribe(one.id, FEED, { after: one.after });
      } else {
        const one = subscriptions[choose(subscriptions.length)];
        if (one.hasLeft) continue;
        one.hasLeft = true;
        one.client.send({ type: 'complete', id: one.id });
      }
    }
    await Promise.all(clients.map((client, nth) => client.ask(`heard ${seed} ${nth}`, '{ open }')));
    feed.append();
    feed.end();
    for (const { client, id, after, hasLeft } of subscriptions) {
      if (!hasLeft) await isOver(client, id);
      const received = numbers(client, id);
      expect(received).toEqual(from(after, hasLeft ? after + received.length : feed.length));
    }
    for (const client of clients) client.connection.terminate();
    current.feed = new Feed();
  }
});

describe('a subscriber that loses its permission or session', () => {
  it('receives no later event while the others receive all events', async () => {
    for (let seed = 1; seed <= rounds(20); seed += 1) {
      const { feed } = current;
      const choose = chooser(seed * 7);
      const names = Array.from({ length: 3 }, (_, nth) => `${seed} of ${nth}`);
      const members = await Promise.all(
        names.flatMap((name) =>
          [0, 1].map(async () => ({ name, client: await member(name), id: '' })),
        ),
      );
      for (const one of members) one.id = await subscribe(one.client, 0);
      const lost = names[choose(names.length)];
      const isEnded = choose(2) === 1;
      const goesAt = choose(20);
      let lastSent = 0;
      for (let line = 0; line < 25; line += 1) {
        if (line === goesAt) {
          lastSent = feed.length;
          if (isEnded) {
            library.sessions.set(library.signIn(lost, []), { state: 'rejected' });
            library.bus.publish('session.ended', {
              sessionId: `session of ${lost}`,
              userId: 7,
              reason: 'LOGOUT',
            });
          } else library.signIn(lost, []);
        }
        for (let lines = choose(3); lines >= 0; lines -= 1) feed.append();
        for (let turns = choose(3); turns > 0; turns -= 1) await nextTick();
      }
      feed.end();
      const requests = new Set<string>();
      for (const { name, client, id } of members) {
        if (name === lost && isEnded) expect((await client.close()).code).toBe(4403);
        else await isOver(client, id);
        const received = numbers(client, id);
        if (name !== lost) expect(received).toEqual(from(0, feed.length));
        else expect(received).toEqual(from(0, Math.min(received.length, lastSent)));
        if (name !== lost || isEnded) continue;
        const errors = client.messages.flatMap(({ payload }) => payload?.errors ?? []);
        expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
        requests.add(errors[0].extensions.requestId);
      }
      if (!isEnded) expect(requests.size).toBe(2);
      for (const { client } of members) client.connection.terminate();
      current.feed = new Feed();
    }
  });

  it('does not receive a result that was being computed at that time', async () => {
    const { feed } = current;
    const clients = await Promise.all([0, 1, 2].map(() => member('careful')));
    const ids = await Promise.all(
      clients.map((client) => subscribe(client, 0, 'subscription { feed { number carefully } }')),
    );
    feed.append('for all');
    await Promise.all(clients.map((client, nth) => client.results(ids[nth], 1)));
    await Promise.all(clients.map((client, nth) => client.ask(`settled ${nth}`, '{ open }')));
    let make = (): void => undefined;
    feed.mayBeMade = new Promise<void>((resolve) => {
      make = resolve;
    });
    const isBeingMade = new Promise<void>((resolve) => {
      feed.onMaking = resolve;
    });
    feed.append('for nobody');
    await isBeingMade;
    library.signIn('careful', []);
    make();
    for (const [nth, client] of clients.entries()) {
      await isOver(client, ids[nth]);
      expect(numbers(client, ids[nth])).toEqual([1]);
      expect((await client.results(ids[nth], 2))[1].errors).toMatchObject([
        { extensions: { code: 'FORBIDDEN' } },
      ]);
    }
  });
});

longIt('a slow subscriber delays no other subscriber and misses nothing', async () => {
  const { feed } = current;
  const [slow, quick] = [await member('slow'), await member('slow')];
  const [slowId, quickId] = [await subscribe(slow), await subscribe(quick)];
  slow.connection.pause();
  const text = 'x'.repeat(50_000);
  for (let line = 1; line <= 400; line += 1) {
    feed.append(text);
    await quick.results(quickId, line);
  }
  slow.connection.resume();
  feed.end();
  await isOver(slow, slowId);
  expect(numbers(slow, slowId)).toEqual(from(0, 400));
  expect(slow.closed).toBeNull();
});

it('each subscriber receives a field error with its own request id, and later events', async () => {
  const { feed } = current;
  const clients = await Promise.all([0, 1, 2].map(() => member('unlucky')));
  const ids = await Promise.all(
    clients.map((client) => subscribe(client, 0, 'subscription { feed { number checkedText } }')),
  );
  for (const text of ['once', '', 'twice']) feed.append(text);
  const results = await Promise.all(clients.map((client, nth) => client.results(ids[nth], 3)));
  for (const [first, second, third] of results) {
    expect([first, third]).toEqual([
      { data: { feed: { number: 1, checkedText: 'once' } } },
      { data: { feed: { number: 3, checkedText: 'twice' } } },
    ]);
    expect(second).toMatchObject({
      data: { feed: { number: 2, checkedText: null } },
      errors: [{ path: ['feed', 'checkedText'] }],
    });
  }
  expect(new Set(results.map(([, { errors }]) => errors[0].extensions.requestId)).size).toBe(3);
});

it('each subscriber is notified when the event source fails', async () => {
  const { feed } = current;
  const clients = await Promise.all([0, 1].map(() => member('abandoned')));
  const ids = await Promise.all(clients.map((client) => subscribe(client)));
  feed.append();
  feed.end(new Error('password=hunter2'));
  const requests = new Set<string>();
  for (const [nth, client] of clients.entries()) {
    await isOver(client, ids[nth]);
    const [first, last] = await client.results(ids[nth], 2);
    expect(first.data.feed.number).toBe(1);
    expect(last.errors).toMatchObject([{ extensions: { code: 'INTERNAL_SERVER_ERROR' } }]);
    expect(JSON.stringify(last)).not.toContain('hunter2');
    requests.add(last.errors[0].extensions.requestId);
  }
  expect(requests.size).toBe(2);
});
