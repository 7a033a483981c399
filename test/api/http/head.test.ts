import { startService } from '../../support/service/harness';
import type { TestService } from '../../support/service/harness';
import { movingClock } from '../../support/service/moving-clock';
import type { MovingClock } from '../../support/service/moving-clock';
import { longIt } from '../../support/long';
import { storeConnection } from '../../support/store/stored';
import { method, saved, workflow } from '../../support/documents/workflows';

let clock: MovingClock;
let service: TestService;
beforeAll(async () => {
  clock = movingClock();
  service = await startService({ clock });
  await saved(service, workflow([method('0', 'http://127.0.0.1/')]));
});
afterAll(() => service.close());

async function everything(): Promise<Record<string, unknown[]>> {
  const { db } = storeConnection();
  const names = (await db?.listCollections().toArray())?.map(({ name }) => name).sort() ?? [];
  return Object.fromEntries(
    await Promise.all(
      names.map(
        async (name) =>
          [
            name,
            await storeConnection().collection(name).find().sort({ _id: 1 }).toArray(),
          ] as const,
      ),
    ),
  );
}

const head = (path: string, token: string | null) => service.api('HEAD', path, { token });

/** Paths of GET operations, with existing ids and names as parameters. */
async function pathsOfGet(id: number): Promise<string[]> {
  const { paths } = (await service.body('GET', '/openapi.json')) as {
    paths: Record<string, Record<string, unknown>>;
  };
  const described = Object.entries(paths)
    .filter(([, methods]) => 'get' in methods)
    .map(([path]) =>
      path
        .replace('{id}', /user\//.test(path) ? String(id) : '1')
        .replace('{email}', 'admin@hypha.test')
        .replace(/\{\w+\}/g, 'Admin'),
    );
  const graphql = [
    '{ me { email } }',
    'mutation { logout { sessionId } }',
    '{ users { totalCount } }',
  ].map((query) => `/graphql?query=${encodeURIComponent(query)}`);
  return [...described, ...graphql, '/', '/docs', '/graphql', '/login', '/ws'];
}

longIt('HEAD changes nothing on any path for any caller', async () => {
  const member = await service.userWith(['MYPROFILE:READ', 'MYPROFILE:UPDATE']);
  const paths = await pathsOfGet(member.id);
  expect(paths.length).toBeGreaterThan(25);
  // The activity time of the sessions is due to be written again.
  clock.forward(600_000);
  const before = await everything();
  expect(before.sessions.length).toBeGreaterThan(1);
  const statuses = new Map<string, number>();
  for (const path of paths) {
    for (const token of [service.adminToken, member.token, null]) {
      const { status } = await head(path, token);
      if (token === service.adminToken) statuses.set(path, status);
    }
  }
  expect(await everything()).toEqual(before);
  expect([...statuses.values()].filter((status) => status === 200).length).toBeGreaterThan(20);

  expect(await service.status('GET', `/api/user/${member.id}`, { token: member.token })).toBe(200);
  expect(await everything()).not.toEqual(before);
});

it('HEAD is not offered where GET changes something', async () => {
  const member = await service.userWith([]);
  const answer = await head(`/api/user/${member.id}/logout`, member.token);
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, OPTIONS']);
  expect((await service.api('OPTIONS', `/api/user/${member.id}/logout`)).headers.get('allow')).toBe(
    'GET, OPTIONS',
  );
  expect(
    await service.status('GET', `/api/user/${member.id}/logout`, { token: member.token }),
  ).toBe(200);
});
