/** @jest-environment node */
import { request } from 'node:http';
import type { ClientRequest } from 'node:http';
import { route } from '../../src/platform/http/route';
import { openRestDoor } from '../support/rest-door';
import type { RestDoor } from '../support/rest-door';
import { until } from '../support/until';

const AT_ONCE = 50;
const WAITING = 1_000;

/** Ends the requests that are being handled, by user. */
const handled: { userId: number; end: () => void }[] = [];
let door: RestDoor;
beforeAll(async () => {
  const work = route({
    method: 'get',
    path: '/work',
    needs: 'authenticated',
    tag: 'Test',
    summary: 'Works until it is told to end',
    success: 200,
    handle: ({ actor: { userId } }) =>
      new Promise((resolve) => handled.push({ userId, end: () => resolve({ user: userId }) })),
  });
  door = await openRestDoor([work]);
});
afterAll(async () => {
  await door.close();
});

interface Sent {
  readonly client: ClientRequest;
  readonly answered: Promise<{ status?: number; retryAfter?: string } | null>;
}

/** Sends a request on a connection of its own. */
function send(token = 'good'): Sent {
  const client = request(`${door.url}/api/work`, {
    agent: false,
    headers: { authorization: `Bearer ${token}` },
  });
  const answered: Sent['answered'] = new Promise((resolve) => {
    client.on('response', (response) => {
      response.resume();
      resolve({ status: response.statusCode, retryAfter: response.headers['retry-after'] });
    });
    client.on('error', () => resolve(null));
  });
  client.end();
  return { client, answered };
}
const sendMany = (count: number): Sent[] => Array.from({ length: count }, () => send());
const handledOf = (userId: number) => handled.filter((one) => one.userId === userId);

/** Ends all requests, also those that begin only then. */
async function endUntil(answered: Promise<unknown>): Promise<void> {
  let isOver = false;
  void answered.then(() => (isOver = true));
  await until(() => {
    for (const { end } of handled.splice(0)) end();
    return isOver;
  });
}

it('handles 50 requests of a user at once, and those of others meanwhile', async () => {
  const all = sendMany(AT_ONCE + 2);
  await until(() => handledOf(7).length === AT_ONCE);
  const other = send('other');
  await until(() => handledOf(8).length === 1);
  expect(handledOf(7)).toHaveLength(AT_ONCE);
  const answers = Promise.all([...all, other].map(({ answered }) => answered));
  await endUntil(answers);
  expect(new Set((await answers).map((answer) => answer?.status))).toEqual(new Set([200]));
});

it('refuses more than 1,000 waiting requests, and does not count those of clients that are gone', async () => {
  const all = sendMany(AT_ONCE + WAITING + 1);
  expect(await Promise.race(all.map(({ answered }) => answered))).toEqual({
    status: 503,
    retryAfter: '5',
  });
  expect(handled).toHaveLength(AT_ONCE);
  for (const { client } of all) client.destroy();
  const next = send();
  await endUntil(next.answered);
  expect(await next.answered).toMatchObject({ status: 200 });
});
