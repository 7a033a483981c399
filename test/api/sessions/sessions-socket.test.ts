import { createClient } from 'graphql-ws';
import type { Client } from 'graphql-ws';
import WebSocket from 'ws';
import { testService } from '../../support/service/harness';

const service = testService();

const REVOKED = 4403;

interface Watched {
  readonly client: Client;
  readonly closed: Promise<number>;
  readonly events: AsyncGenerator<{
    data?: { sessionEvents: { kind: string; reason: string } } | null;
  }>;
  /** Resolves when the subscription is active: a later query on the same socket was answered. */
  readonly ready: Promise<void>;
}

function watch(token: string): Watched {
  let closedWith: (code: number) => void = () => undefined;
  const closed = new Promise<number>((resolve) => {
    closedWith = resolve;
  });
  const client = createClient({
    url: `${service.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { Authorization: token },
    retryAttempts: 0,
    lazy: true,
    on: { closed: (event) => closedWith((event as { code: number }).code) },
  });
  const events = client.iterate<{ sessionEvents: { kind: string; reason: string } }>({
    query: 'subscription { sessionEvents { kind reason } }',
  }) as Watched['events'];
  const ready = (async () => {
    for await (const answer of client.iterate({ query: '{ me { email } }' }))
      if (answer.errors) throw new Error(JSON.stringify(answer.errors));
  })();
  return { client, closed, events, ready };
}

const member = () => service.userWith(['MYPROFILE:READ', 'MYPROFILE:UPDATE']);

it.each<
  [
    string,
    string,
    (user: { id: number; token: string; email: string; password: string }) => Promise<unknown>,
  ]
>([
  [
    'its user signs out',
    'LOGOUT',
    ({ token }) => service.api('POST', '/api/auth/logout', { token }),
  ],
  ['another user ends it', 'ENDED', ({ id }) => service.api('GET', `/api/user/${id}/logout`)],
  [
    'its password changes',
    'PASSWORD_CHANGED',
    ({ id }) =>
      service.api('PUT', `/api/user/${id}/password`, { body: { password: 'another password' } }),
  ],
  [
    'its user is disabled',
    'USER_DISABLED',
    ({ id }) => service.api('PUT', `/api/user/${id}/disable`),
  ],
  ['its user is deleted', 'USER_DELETED', ({ id }) => service.api('DELETE', `/api/user/${id}`)],
])('the socket of a session is notified and closed when %s', async (_case, reason, act) => {
  const user = await member();
  const { events, ready, closed } = watch(user.token);
  const first = events.next();
  await ready;
  await act(user);
  expect((await first).value).toMatchObject({
    data: { sessionEvents: { kind: 'FORCE_LOGOUT', reason } },
  });
  expect(await closed).toBe(REVOKED);
});

it('the sockets of other sessions stay open', async () => {
  const user = await member();
  const other = await service.login(user.email, user.password);
  const watched = watch(other);
  const first = watched.events.next();
  await watched.ready;
  await service.api('POST', '/api/auth/logout', { token: user.token });
  await service.api('POST', '/api/auth/logout', { token: other });
  expect((await first).value).toMatchObject({ data: { sessionEvents: { reason: 'LOGOUT' } } });
  expect(await watched.closed).toBe(REVOKED);
});
