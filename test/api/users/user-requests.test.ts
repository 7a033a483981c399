import { request } from 'node:http';
import type { ClientRequest } from 'node:http';
import { once } from 'node:events';
import { testService } from '../../support/service/harness';

const AT_ONCE = 50;
const WAITING = 1_000;

const service = testService();
let busy: string;
let other: string;
beforeAll(async () => {
  busy = (await service.userWith(['CONNECTION:CREATE', 'CONNECTION:READ'])).token;
  other = (await service.userWith(['CONNECTION:READ'])).token;
});

/** A request whose body never ends, so that it is active until it is aborted. */
async function openRequest(token: string): Promise<ClientRequest> {
  const open = request(`${service.url}/api/connection`, {
    method: 'POST',
    headers: {
      authorization: token,
      'content-type': 'application/json',
      'content-length': 1_000,
      expect: '100-continue',
    },
  });
  open.on('error', () => undefined);
  open.flushHeaders();
  await once(open, 'continue');
  open.write('{"title":');
  return open;
}

const read = (token: string): Promise<number> =>
  service.status('GET', '/api/connection/all/meta', { token });
const query = async (token: string): Promise<number> =>
  (await service.gql('{ workflows { totalCount } }', {}, token)).status;

it.each([
  ['REST', read],
  ['GraphQL', query],
])(
  'requests of a user over %s wait while too many of them are active, and other users are served',
  async (_transport, ask) => {
    const open = await Promise.all(Array.from({ length: AT_ONCE }, () => openRequest(busy)));
    const answered: string[] = [];
    const waiting = ask(busy).then((status) => {
      answered.push(`busy ${status}`);
    });
    for (let time = 0; time < 5; time += 1) answered.push(`other ${await ask(other)}`);
    answered.push('a request ends');
    open[0].destroy();
    await waiting;
    for (const each of open) each.destroy();
    expect(answered).toEqual([
      ...Array.from({ length: 5 }, () => 'other 200'),
      'a request ends',
      'busy 200',
    ]);
  },
);

it('more waiting requests of a user than may wait are refused', async () => {
  const open = await Promise.all(Array.from({ length: AT_ONCE }, () => openRequest(busy)));
  const leaving = new AbortController();
  const waiting = Array.from({ length: WAITING + 1 }, () =>
    fetch(`${service.url}/api/connection/all/meta`, {
      headers: { authorization: busy },
      signal: leaving.signal,
    }),
  );
  const refused = await Promise.race(waiting);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
  leaving.abort();
  await Promise.allSettled(waiting);
  for (const each of open) each.destroy();
});

it('a user is served again when their requests have ended', async () => {
  expect([await read(busy), await query(busy)]).toEqual([200, 200]);
});
