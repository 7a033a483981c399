import { print } from 'graphql';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import {
  LoginDocument,
  LogoutDocument,
  MeDocument,
  UserCreateDocument,
  UsersDocument,
} from '../../generated/operations';
import { ADMIN_EMAIL, ADMIN_PASSWORD, testService, unique } from '../../support/service/harness';

describe('a typed client', () => {
  const service = testService();

  const ask = async <R, V>(
    document: TypedDocumentNode<R, V>,
    variables: V,
    token: string | null = service.adminToken,
  ): Promise<R> =>
    (await service.data(print(document), variables as Record<string, unknown>, token)) as R;

  it('signs in, reads its user and signs out', async () => {
    const { login } = await ask(
      LoginDocument,
      { input: { email: ADMIN_EMAIL, password: ADMIN_PASSWORD } },
      null,
    );
    expect(login).toMatchObject({ userErrors: [], user: { email: ADMIN_EMAIL } });
    const token = `Bearer ${login.token}`;
    const { me } = await ask(MeDocument, {}, token);
    expect(me).toMatchObject({ email: ADMIN_EMAIL, group: { name: 'Admin' } });
    expect(me.permissions).toContain('USER:DELETE');
    await ask(LogoutDocument, {}, token);
    expect((await service.gql(print(MeDocument), {}, token)).status).toBe(401);
  });

  it('adds users and pages through them without duplicates', async () => {
    const stem = unique('typed');
    const group = (await ask(MeDocument, {})).me.group;
    expect(group.name).toBe('Admin');
    for (let index = 0; index < 5; index += 1) {
      const { userCreate } = await ask(UserCreateDocument, {
        input: { email: `${stem}.${index}@hypha.test`, password: 'long enough', groupId: '2' },
      });
      expect(userCreate.userErrors).toEqual([]);
    }
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const { users }: Awaited<ReturnType<typeof page>> = await page(stem, after);
      expect(users.totalCount).toBe(5);
      seen.push(...users.nodes.map(({ email }) => email));
      after = users.pageInfo.hasNextPage ? (users.pageInfo.endCursor ?? null) : null;
    } while (after !== null);
    expect(seen).toEqual([4, 3, 2, 1, 0].map((index) => `${stem}.${index}@hypha.test`));
  });

  const page = (stem: string, after: string | null) =>
    ask(UsersDocument, {
      first: 2,
      after,
      filter: { email: { contains: stem } },
      orderBy: { field: 'EMAIL', direction: 'DESC' },
    });
});
