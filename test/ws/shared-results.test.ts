/** @jest-environment node */
import fc from 'fast-check';
import type { Actor } from '../../src/platform/access/actor';
import { testLibrary } from '../support/graphql/open-library';
import type { Client } from '../support/graphql/open-library';
import { Feed, current } from '../support/graphql/library-feed';
import { rounds } from '../support/rounds';

/* Sending to many subscribers costs as much as sending to one: the source, the resolvers and the values count their uses. */

const LINES = 20;
const READERS = new Set(['USER:READ']);
const DELETERS = new Set(['USER:READ', 'USER:DELETE']);
let sequence = 0;
const library = testLibrary();
beforeEach(() => {
  current.feed = new Feed();
});
afterEach(() => current.feed.end());

interface Listener {
  readonly client: Client;
  readonly id: string;
}

/** A subscribed socket of a user; by default one of the readers. */
async function listener(
  name: string,
  query: string,
  { headers, ...actor }: Partial<Actor> & { headers?: Record<string, string> } = {},
): Promise<Listener> {
  const client = await library.connect({
    headers,
    init: {
      token: library.signIn(name, [], { email: `${name}@library.test`, grants: READERS, ...actor }),
    },
  });
  sequence += 1;
  const id = `feed ${sequence}`;
  client.subscribe(id, query);
  await client.ask(`after ${id}`, '{ open }');
  return { client, id };
}

/** Waits until all subscribers received these lines and wait for the next one. */
async function settled(listeners: readonly Listener[], lines: number): Promise<void> {
  await Promise.all(listeners.map(({ client, id }) => client.results(id, lines)));
  sequence += 1;
  await Promise.all(
    listeners.map(({ client }, nth) => client.ask(`settled ${sequence} ${nth}`, '{ open }')),
  );
}

/** The cost of all lines after the first, and the results of each subscriber. */
async function costOf(
  listeners: readonly Listener[],
): Promise<{ read: number; executed: number; written: number; results: any[][] }> {
  const { feed } = current;
  feed.append('the first');
  await settled(listeners, 1);
  const before = { ...feed };
  for (let line = 1; line <= LINES; line += 1) {
    feed.append(`line ${line}`);
    await Promise.all(listeners.map(({ client, id }) => client.results(id, line + 1)));
  }
  const results = await Promise.all(
    listeners.map(({ client, id }) => client.results(id, LINES + 1)),
  );
  return {
    read: feed.read - before.read,
    executed: feed.executed - before.executed,
    written: feed.written - before.written,
    results,
  };
}

const PLAIN = 'subscription { feed { number plainly } }';

it('an event is read, executed and serialised once for all sessions of a user group', async () => {
  const alone = await costOf([await listener('one', PLAIN)]);
  expect([alone.read, alone.executed]).toEqual([LINES, LINES]);
  current.feed.end();
  current.feed = new Feed();
  const members = await costOf(
    await Promise.all(
      Array.from({ length: 20 }, (_, nth) =>
        listener(`one of ten ${nth % 10}`, PLAIN, { userId: nth % 10 }),
      ),
    ),
  );
  // A busy machine may repeat some work; without sharing it would be ten or twenty times as much.
  for (const cost of ['read', 'executed', 'written'] as const)
    expect(members[cost]).toBeLessThan(3 * alone[cost]);
  for (const results of members.results)
    expect(results.map(({ data }) => data.feed)).toEqual(
      alone.results[0].map(({ data }) => data.feed),
    );
});

it('a result is never sent to a caller for whom it would differ', async () => {
  const NAMES = [
    'userId',
    'email',
    'groupId',
    'groupName',
    'sessionId',
    'grants',
    'userAgent',
    'baseUrl',
  ] as const;
  const groups = [
    { groupId: 2, groupName: 'Readers', grants: READERS },
    { groupId: 3, groupName: 'Same rights', grants: new Set(READERS) },
    { groupId: 4, groupName: 'Deleters', grants: DELETERS },
  ];
  const subsets = fc.sample(fc.subarray([...NAMES], { minLength: 2 }), {
    numRuns: rounds(15),
    seed: 82,
  });
  for (const [round, names] of [...NAMES.map((name) => [name]), ...subsets].entries()) {
    const query = `subscription { feed { number asSeen(of: ${JSON.stringify(names)}) } }`;
    const members = await Promise.all(
      Array.from({ length: 12 }, async (_, nth) => {
        const name = `${round} and ${nth % 6}`;
        const who = {
          userId: nth % 6,
          email: `${name}@library.test`,
          sessionId: `session of ${name}`,
          ...groups[nth % 3],
          headers: { 'user-agent': `browser ${nth}`, host: `host-${nth % 2}.test` },
        };
        const seen = {
          ...who,
          grants: [...who.grants],
          userAgent: `browser ${nth}`,
          baseUrl: `http://host-${nth % 2}.test`,
        };
        return { ...(await listener(name, query, who)), expected: names.map((of) => seen[of]) };
      }),
    );
    const { results } = await costOf(members);
    for (const [nth, received] of results.entries())
      expect(received.map(({ data }) => data.feed)).toEqual(
        received.map((_, line) => ({ number: line + 1, asSeen: members[nth].expected })),
      );
    for (const { client } of members) client.connection.terminate();
    current.feed.end();
    current.feed = new Feed();
  }
});

it('a member that loses access receives nothing that its user group still receives', async () => {
  const { feed } = current;
  const members = await Promise.all(
    Array.from({ length: 6 }, (_, nth) => listener(`colleague ${nth}`, PLAIN, { userId: nth })),
  );
  feed.append('for all');
  await settled(members, 1);
  library.signIn('colleague 2', [], { userId: 2 });
  library.sessions.set(library.signIn('colleague 4', []), { state: 'rejected' });
  feed.append('for four');
  await Promise.all(members.map(({ client, id }) => client.results(id, 2)));
  for (const [nth, { client, id }] of members.entries()) {
    const [, second] = await client.results(id, 2);
    if (nth !== 2 && nth !== 4)
      expect(second).toEqual({ data: { feed: { number: 2, plainly: { text: 'for four' } } } });
    else
      expect(second).toMatchObject({
        data: null,
        errors: [{ extensions: { code: nth === 2 ? 'FORBIDDEN' : 'UNAUTHENTICATED' } }],
      });
  }
});

it('texts of any length arrive complete under any subscription id', async () => {
  const { feed } = current;
  const clients = await Promise.all(
    [0, 1].map(() =>
      library.connect({ init: { token: library.signIn('a listener', [], { grants: READERS }) } }),
    ),
  );
  const ids = clients.map((_, nth) => `Märchen № ${nth} \u{1f409} "\\`);
  for (const [nth, client] of clients.entries()) {
    client.subscribe(ids[nth], 'subscription { feed { text } }');
    await client.ask(`after ${ids[nth]}`, '{ open }');
  }
  const around = (size: number): number[] => Array.from({ length: 160 }, (_, nth) => size - nth);
  const texts = [
    ...around(160).flatMap((length) => ['x'.repeat(length), 'ü'.repeat(length)]),
    ...around(65_535)
      .filter((length) => length % 2 === 0)
      .map((length) => 'y'.repeat(length)),
    ...around(32_768)
      .filter((length) => length % 8 === 0)
      .map((length) => 'é'.repeat(length)),
  ];
  for (const [line, text] of texts.entries()) {
    feed.append(text);
    await Promise.all(clients.map((client, nth) => client.results(ids[nth], line + 1)));
  }
  for (const [nth, client] of clients.entries())
    expect(
      (await client.results(ids[nth], texts.length)).map(({ data }) => data.feed.text),
    ).toEqual(texts);
});
