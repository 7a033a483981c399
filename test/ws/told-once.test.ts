/** @jest-environment node */
import fc from 'fast-check';
import type { Actor } from '../../src/platform/access/actor';
import { openLibrary } from '../support/library-doors';
import type { Client, Library } from '../support/library-doors';
import { Tale, telling } from '../support/library-tale';
import { rounds } from '../support/rounds';

/* What is told to many costs as much as what is told to one: held by what the source, the resolvers and the values themselves count. */

const LINES = 20;
const READERS = new Set(['USER:READ']);
const DELETERS = new Set(['USER:READ', 'USER:DELETE']);

let library: Library;
let sequence = 0;
beforeAll(async () => {
  library = await openLibrary();
});
beforeEach(() => {
  telling.tale = new Tale();
});
afterEach(() => telling.tale.end());
afterAll(() => library.stop());

interface Listener {
  readonly client: Client;
  readonly id: string;
}

/** A socket of a user, who is one of the readers unless it is said otherwise, that hears the tale. */
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
  const id = `tale ${sequence}`;
  client.subscribe(id, query);
  await client.ask(`after ${id}`, '{ open }');
  return { client, id };
}

/** All have heard what was told, and wait for what comes next. */
async function settled(listeners: readonly Listener[], lines: number): Promise<void> {
  await Promise.all(listeners.map(({ client, id }) => client.results(id, lines)));
  sequence += 1;
  await Promise.all(
    listeners.map(({ client }, nth) => client.ask(`settled ${sequence} ${nth}`, '{ open }')),
  );
}

/** What all the lines after the first cost that are told to a crowd, and what each of the crowd was told. */
async function costOf(
  listeners: readonly Listener[],
): Promise<{ read: number; executed: number; written: number; results: any[][] }> {
  const { tale } = telling;
  tale.tell('the first');
  await settled(listeners, 1);
  const before = { ...tale };
  for (let line = 1; line <= LINES; line += 1) {
    tale.tell(`line ${line}`);
    await Promise.all(listeners.map(({ client, id }) => client.results(id, line + 1)));
  }
  const results = await Promise.all(
    listeners.map(({ client, id }) => client.results(id, LINES + 1)),
  );
  return {
    read: tale.read - before.read,
    executed: tale.executed - before.executed,
    written: tale.written - before.written,
    results,
  };
}

const PLAIN = 'subscription { tale { number plainly } }';

it('reads, executes and writes an event once for a crowd, whatever sessions of a group it is in', async () => {
  const alone = await costOf([await listener('one', PLAIN)]);
  expect([alone.read, alone.executed]).toEqual([LINES, LINES]);
  telling.tale.end();
  telling.tale = new Tale();
  const crowd = await costOf(
    await Promise.all(
      Array.from({ length: 20 }, (_, nth) =>
        listener(`one of ten ${nth % 10}`, PLAIN, { userId: nth % 10 }),
      ),
    ),
  );
  // A busy machine may do it again for a part of the crowd: twenty times as much is what it costs without a group, ten times without sharing between sessions.
  for (const cost of ['read', 'executed', 'written'] as const)
    expect(crowd[cost]).toBeLessThan(3 * alone[cost]);
  for (const results of crowd.results)
    expect(results.map(({ data }) => data.tale)).toEqual(
      alone.results[0].map(({ data }) => data.tale),
    );
});

it('makes it for each group, and tells each what its rights make of it', async () => {
  const query = 'subscription { tale { number plainly mayDelete } }';
  const kinds = [
    { groupId: 2, grants: READERS },
    { groupId: 3, groupName: 'Deleters', grants: DELETERS },
    { groupId: 4, groupName: 'Others', grants: READERS },
  ];
  const listeners = await Promise.all(
    Array.from({ length: 12 }, (_, nth) =>
      listener(`of a group ${nth}`, query, { userId: nth, ...kinds[nth % 3] }),
    ),
  );
  const { executed, results } = await costOf(listeners);
  expect(executed).toBeGreaterThanOrEqual(3 * LINES);
  expect(executed).toBeLessThan(6 * LINES);
  for (const [nth, told] of results.entries())
    expect(told.map(({ data }) => data.tale.mayDelete)).toEqual(told.map(() => nth % 3 === 1));
});

it('makes it for each session when it depends on more of who asks than his rights', async () => {
  const listeners = await Promise.all(
    Array.from({ length: 12 }, (_, nth) =>
      listener(`himself ${nth % 4}`, 'subscription { tale { plainly toldTo } }', {
        userId: nth % 4,
      }),
    ),
  );
  const { executed, results } = await costOf(listeners);
  expect(executed).toBeGreaterThanOrEqual(4 * LINES);
  expect(executed).toBeLessThan(8 * LINES);
  for (const [nth, told] of results.entries())
    expect(new Set(told.map(({ data }) => data.tale.toldTo))).toEqual(
      new Set([`himself ${nth % 4}@library.test`]),
    );
});

it('never tells anybody what was made for another, whatever a result looks at', async () => {
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
    const query = `subscription { tale { number asSeen(of: ${JSON.stringify(names)}) } }`;
    const crowd = await Promise.all(
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
    const { results } = await costOf(crowd);
    for (const [nth, told] of results.entries())
      expect(told.map(({ data }) => data.tale)).toEqual(
        told.map((_, line) => ({ number: line + 1, asSeen: crowd[nth].expected })),
      );
    for (const { client } of crowd) client.connection.terminate();
    telling.tale.end();
    telling.tale = new Tale();
  }
});

it('tells nobody of a group what only its other members may still hear', async () => {
  const { tale } = telling;
  const crowd = await Promise.all(
    Array.from({ length: 6 }, (_, nth) => listener(`colleague ${nth}`, PLAIN, { userId: nth })),
  );
  tale.tell('for all');
  await settled(crowd, 1);
  library.signIn('colleague 2', [], { userId: 2 });
  library.sessions.set(library.signIn('colleague 4', []), { state: 'rejected' });
  tale.tell('for four');
  await Promise.all(crowd.map(({ client, id }) => client.results(id, 2)));
  for (const [nth, { client, id }] of crowd.entries()) {
    const [, second] = await client.results(id, 2);
    if (nth !== 2 && nth !== 4)
      expect(second).toEqual({ data: { tale: { number: 2, plainly: { said: 'for four' } } } });
    else
      expect(second).toMatchObject({
        data: null,
        errors: [{ extensions: { code: nth === 2 ? 'FORBIDDEN' : 'UNAUTHENTICATED' } }],
      });
  }
});

it('tells texts of any length whole, whatever a subscription is called', async () => {
  const { tale } = telling;
  const clients = await Promise.all(
    [0, 1].map(() =>
      library.connect({ init: { token: library.signIn('a listener', [], { grants: READERS }) } }),
    ),
  );
  const ids = clients.map((_, nth) => `Märchen № ${nth} \u{1f409} "\\`);
  for (const [nth, client] of clients.entries()) {
    client.subscribe(ids[nth], 'subscription { tale { text } }');
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
    tale.tell(text);
    await Promise.all(clients.map((client, nth) => client.results(ids[nth], line + 1)));
  }
  for (const [nth, client] of clients.entries())
    expect(
      (await client.results(ids[nth], texts.length)).map(({ data }) => data.tale.text),
    ).toEqual(texts);
});
