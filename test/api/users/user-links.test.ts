import { testService } from '../../support/service/harness';
import type { TestService } from '../../support/service/harness';

type Person = Awaited<ReturnType<TestService['userWith']>>;

const service = testService();

describe('the users of a group', () => {
  const PAGE =
    'query($id: ID!, $first: Int, $after: String) { userGroup(id: $id) { users(first: $first, after: $after, orderBy: { field: EMAIL, direction: DESC }) { totalCount nodes { email } pageInfo { hasNextPage endCursor } } } }';

  it('are a list with a count, paged, ordered and filtered', async () => {
    const { groupId } = await service.userWith(['USERGROUP:READ', 'USER:READ'], 'zed');
    for (const name of ['ann', 'bob', 'cy']) {
      await service.api('POST', '/api/user', {
        body: {
          email: `${name}@links.test`,
          password: 'a password of theirs',
          userGroup: groupId,
          userDetail: { name, surname: 'Test' },
        },
      });
    }
    const seen: string[] = [];
    for (let after: string | null = null, isOver = false; !isOver;) {
      const { users }: any = await service.field(PAGE, { id: groupId, first: 3, after });
      expect(users.totalCount).toBe(4);
      seen.push(...users.nodes.map(({ email }: any) => email));
      after = users.pageInfo.endCursor;
      isOver = !users.pageInfo.hasNextPage;
    }
    expect(seen).toEqual(['zed@hypha.test', 'cy@links.test', 'bob@links.test', 'ann@links.test']);
    const { users } = await service.field(
      'query($id: ID!) { userGroup(id: $id) { users(filter: { email: { startsWith: "B" } }) { totalCount nodes { email group { databaseId } } } } }',
      { id: groupId },
    );
    expect(users).toEqual({
      totalCount: 1,
      nodes: [{ email: 'bob@links.test', group: { databaseId: groupId } }],
    });
  });

  it('require the permission to list users wherever the group was found', async () => {
    const [lister, member] = [
      await service.userWith(['USER:READ']),
      await service.userWith(['USERGROUP:READ']),
    ];
    const ownGroup = async ({ token }: Person) =>
      service.gql('{ me { group { name users { totalCount } } } }', {}, token);
    expect((await ownGroup(lister)).data.me.group.users.totalCount).toBe(1);
    const { data, errors } = await ownGroup(member);
    expect([
      data.me.group.users,
      typeof data.me.group.name,
      errors?.map(({ path, extensions }) => [path, extensions.code]),
    ]).toEqual([null, 'string', [[['me', 'group', 'users'], 'FORBIDDEN']]]);
  });
});

describe('the sessions of a user', () => {
  const LIST =
    'query($id: ID!, $order: SessionOrder) { user(id: $id) { sessions(orderBy: $order) { totalCount nodes { sessionId current userAgent createdAt lastAccessed } } } }';
  const listOf = async (token: string, id: number, order?: object) =>
    service.gql(LIST, { id, order }, token);

  it('are valid ones, newest first, with a mark for the current one', async () => {
    const person = await service.userWith(['MYPROFILE:READ', 'MYPROFILE:UPDATE']);
    const tokens = [
      person.token,
      await service.login(person.email, person.password),
      await service.login(person.email, person.password),
    ];
    const mySessions = await service.field(
      '{ mySessions { sessionId current userAgent createdAt lastAccessed } }',
      {},
      tokens[1],
    );
    const { sessions } = (await listOf(tokens[1], person.id)).data.user;
    expect(sessions).toEqual({ totalCount: 3, nodes: mySessions });
    const oldestFirst = (
      await listOf(tokens[1], person.id, { field: 'CREATED_AT', direction: 'ASC' })
    ).data.user.sessions.nodes;
    expect(oldestFirst).toEqual(mySessions.toReversed());
    expect(
      (await listOf(tokens[1], person.id, { field: 'LAST_ACCESSED', direction: 'ASC' })).data.user
        .sessions.totalCount,
    ).toBe(3);
    await service.mutate('logout', {}, 'userErrors { code }', tokens[0]);
    expect((await listOf(tokens[1], person.id)).data.user.sessions.totalCount).toBe(2);
  });

  it('are paged to their end in both directions', async () => {
    const person = await service.userWith(['MYPROFILE:READ']);
    for (let nth = 0; nth < 4; nth += 1) await service.login(person.email, person.password);
    const sessionIds = (await listOf(person.token, person.id)).data.user.sessions.nodes.map(
      ({ sessionId }: any) => sessionId,
    );
    expect(sessionIds).toHaveLength(5);
    for (const [way, cursor, more, end] of [
      ['first', 'after', 'hasNextPage', 'endCursor'],
      ['last', 'before', 'hasPreviousPage', 'startCursor'],
    ]) {
      const seen: string[] = [];
      for (let at: string | null = null, isOver = false; !isOver;) {
        const me = await service.field(
          `query($at: String) { me { sessions(${way}: 2, ${cursor}: $at) { nodes { sessionId } pageInfo { end: ${end} more: ${more} } } } }`,
          { at },
          person.token,
        );
        seen.splice(
          way === 'first' ? seen.length : 0,
          0,
          ...me.sessions.nodes.map(({ sessionId }: any) => sessionId),
        );
        at = me.sessions.pageInfo.end;
        isOver = !me.sessions.pageInfo.more;
      }
      expect(seen).toEqual(sessionIds);
    }
  });

  it('require MYPROFILE:READ for oneself and USER:READ for others', async () => {
    const [owner, reader, bare] = [
      await service.userWith(['MYPROFILE:READ']),
      await service.userWith(['USER:READ']),
      await service.userWith(['USER:UPDATE']),
    ];
    expect((await listOf(owner.token, owner.id)).data.user.sessions.totalCount).toBe(1);
    expect((await listOf(reader.token, owner.id)).data.user.sessions.nodes).toMatchObject([
      { current: false },
    ]);
    const own = await service.gql('{ me { email sessions { totalCount } } }', {}, bare.token);
    expect([own.data.me, own.errors?.[0]?.extensions.code]).toEqual([
      { email: bare.email, sessions: null },
      'FORBIDDEN',
    ]);
    const updater = await service.userWith(['USER:UPDATE', 'MYPROFILE:READ']);
    const { data, errors } = await service.gql(
      'mutation($id: ID!) { userDetailChange(input: { id: $id, detail: { department: "x" } }) { user { email sessions { totalCount } } userErrors { code } } }',
      { id: owner.id },
      updater.token,
    );
    expect([data.userDetailChange.user, errors?.[0]?.extensions.code]).toEqual([
      { email: owner.email, sessions: null },
      'FORBIDDEN',
    ]);
  });
});

describe('the last login of a user', () => {
  const userOf = (id: number): Promise<any> =>
    service.field('query($id: ID!) { user(id: $id) { lastLogin version updatedAt } }', {
      id,
    });

  it('is null before the first one, then the start of the newest session, without a change of the user', async () => {
    const made = await service.api('POST', '/api/user', {
      body: {
        email: 'new@links.test',
        password: 'a password of theirs',
        userGroup: 2,
        userDetail: { name: 'New', surname: 'Test' },
      },
    });
    const id = made.body.enhanceId as number;
    const before = await userOf(id);
    expect(before).toMatchObject({ lastLogin: null, version: 1 });
    for (let nth = 0; nth < 2; nth += 1) {
      const login = await service.mutate(
        'login',
        { email: 'new@links.test', password: 'a password of theirs' },
        'user { lastLogin } session { createdAt } userErrors { code }',
        null,
      );
      expect(login.user.lastLogin).toBe(login.session.createdAt);
      expect(await userOf(id)).toEqual({ ...before, lastLogin: login.session.createdAt });
    }
    await service.gql(
      'mutation { login(input: { email: "new@links.test", password: "not the password" }) { token } }',
      {},
      null,
    );
    expect((await userOf(id)).version).toBe(1);
    const userDetailChange = await service.mutate(
      'userDetailChange',
      { id, expectedVersion: 1, detail: { department: 'x' } },
      'user { version } userErrors { code }',
    );
    expect(userDetailChange).toEqual({ user: { version: 2 }, userErrors: [] });
  });

  it('is correct for many concurrent logins of the same user', async () => {
    const person = await service.userWith(['MYPROFILE:READ']);
    const tokens = await Promise.all(
      Array.from({ length: 8 }, () => service.login(person.email, person.password)),
    );
    expect(new Set(tokens).size).toBe(8);
    const me = await service.field(
      '{ me { lastLogin version sessions(first: 1) { totalCount nodes { createdAt } } } }',
      {},
      tokens[0],
    );
    expect(me).toEqual({
      version: 1,
      lastLogin: me.sessions.nodes[0].createdAt,
      sessions: { totalCount: 9, nodes: me.sessions.nodes },
    });
  });
});
