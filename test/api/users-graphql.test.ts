import { ADMIN_EMAIL, startService, unique } from '../support/harness';
import type { TestService } from '../support/harness';
import { longIt } from '../support/long';
import { workflow } from '../support/workflows';
import { storeCalls } from '../support/stored';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const PASSWORD = 'a good password';
const CREATE =
  'mutation ($input: UserCreateInput!) { userCreate(input: $input) { user { id databaseId email version group { name } detail { name requestTime lang } profilePicture } userErrors { code message path } } }';
const create = async (input: Record<string, unknown> = {}) =>
  (
    await service.data(CREATE, {
      input: {
        email: `${unique('graph')}@hypha.test`,
        password: PASSWORD,
        groupId: '2',
        detail: { name: 'Ada' },
        ...input,
      },
    })
  ).userCreate;
const mutate = async (
  field: string,
  type: string,
  input: Record<string, unknown>,
  result = 'user { version email group { name } detail { name surname } }',
  token?: string,
) =>
  (
    await service.data(
      `mutation ($input: ${type}!) { ${field}(input: $input) { ${result} userErrors { code message path } } }`,
      { input },
      token,
    )
  )[field];
const gid = (type: string, id: number) => Buffer.from(`${type}:${id}`).toString('base64url');

describe('users', () => {
  it('are created, read by either id, and found through node', async () => {
    const { user, userErrors } = await create();
    expect(userErrors).toEqual([]);
    expect(user).toMatchObject({
      id: gid('User', user.databaseId),
      version: 1,
      group: { name: 'User' },
      detail: { name: 'Ada', requestTime: null, lang: 'EN' },
      profilePicture: null,
    });
    const found = await service.data(
      'query ($a: ID!, $b: ID!) { a: user(id: $a) { email } b: user(id: $b) { email } node(id: $a) { id ... on User { email } } none: user(id: 999999) { email } }',
      { a: user.id, b: String(user.databaseId) },
    );
    expect(found).toEqual({
      a: { email: user.email },
      b: { email: user.email },
      node: { id: user.id, email: user.email },
      none: null,
    });
  });

  it('are refused for each cause with its own code and path', async () => {
    expect(
      await create({ email: 'nobody', password: 'short', detail: { name: 'x'.repeat(46) } }),
    ).toEqual({
      user: null,
      userErrors: [
        {
          code: 'EMAIL_INVALID',
          message: expect.stringContaining('not an e-mail'),
          path: ['email'],
        },
        {
          code: 'PASSWORD_INVALID',
          message: expect.stringContaining('8 to 128'),
          path: ['password'],
        },
        { code: 'TEXT_TOO_LONG', message: expect.stringContaining('45'), path: ['detail', 'name'] },
      ],
    });
    expect((await create({ email: ADMIN_EMAIL.toUpperCase() })).userErrors).toEqual([
      {
        code: 'EMAIL_ALREADY_EXIST',
        message: expect.stringContaining('Another user'),
        path: ['email'],
      },
    ]);
    expect((await create({ groupId: '4711' })).userErrors).toEqual([
      {
        code: 'GROUP_NOT_FOUND',
        message: expect.stringContaining('no group 4711'),
        path: ['groupId'],
      },
    ]);
    for (const groupId of [gid('User', 1), 'garbage', '']) {
      expect((await create({ groupId })).userErrors).toEqual([
        { code: 'ID_INVALID', message: expect.any(String), path: ['groupId'] },
      ]);
    }
  });

  it('are told which of several ids is none', async () => {
    expect(
      (await mutate('userGroupChange', 'UserGroupChangeInput', { id: '1', groupId: 'x' }))
        .userErrors,
    ).toMatchObject([{ code: 'ID_INVALID', path: ['groupId'] }]);
    expect(
      (
        await mutate(
          'usersDelete',
          'UserIdsInput',
          { ids: ['4711', gid('Workflow', 1)] },
          'users { email }',
        )
      ).userErrors,
    ).toMatchObject([
      { code: 'ID_INVALID', path: ['ids', '1'] },
      { code: 'USER_NOT_EXIST', path: ['ids', '0'] },
    ]);
    expect(
      (
        await mutate(
          'groupComponentsSet',
          'GroupComponentsSetInput',
          { id: '2', components: [{ componentId: 'x', permissions: [] }] },
          'group { name }',
        )
      ).userErrors,
    ).toMatchObject([{ code: 'ID_INVALID', path: ['components', '0', 'componentId'] }]);
  });

  it('are changed, all of them with optimistic locking', async () => {
    const { user } = await create();
    const id = user.id as string;
    expect(
      (
        await mutate('userDetailChange', 'UserDetailChangeInput', {
          id,
          detail: { surname: 'King' },
          expectedVersion: 1,
        })
      ).user,
    ).toMatchObject({ version: 2, detail: { name: 'Ada', surname: 'King' } });
    expect(
      await mutate('userDetailChange', 'UserDetailChangeInput', {
        id,
        detail: { surname: 'Lost' },
        expectedVersion: 1,
      }),
    ).toEqual({
      user: null,
      userErrors: [{ code: 'CONFLICT', message: expect.any(String), path: ['expectedVersion'] }],
    });
    expect(
      (
        await mutate('userGroupChange', 'UserGroupChangeInput', {
          id,
          groupId: gid('UserGroup', 1),
        })
      ).user,
    ).toMatchObject({ version: 3, group: { name: 'Admin' } });
    expect(
      (await mutate('userGroupChange', 'UserGroupChangeInput', { id, groupId: '4711' })).userErrors,
    ).toMatchObject([{ code: 'GROUP_NOT_FOUND' }]);
    const email = `${unique('graph')}@hypha.test`;
    expect(
      (
        await mutate('userUpdate', 'UserUpdateInput', {
          id,
          email,
          groupId: '2',
          detail: { surname: null },
        })
      ).user,
    ).toMatchObject({ email, group: { name: 'User' }, detail: { name: 'Ada', surname: null } });
    expect(
      (await mutate('userUpdate', 'UserUpdateInput', { id, email: ADMIN_EMAIL })).userErrors,
    ).toMatchObject([{ code: 'EMAIL_ALREADY_EXIST', path: ['email'] }]);
    expect(
      (await mutate('userPasswordChange', 'UserPasswordChangeInput', { id, password: 'short' }))
        .userErrors,
    ).toMatchObject([{ code: 'PASSWORD_INVALID', path: ['password'] }]);
    expect(
      (
        await mutate('userPasswordChange', 'UserPasswordChangeInput', {
          id,
          password: 'a new password',
        })
      ).userErrors,
    ).toEqual([]);
    await service.login(email, 'a new password');
    expect(
      (await mutate('userUpdate', 'UserUpdateInput', { id: '999999' })).userErrors,
    ).toMatchObject([{ code: 'USER_NOT_EXIST' }]);
    expect((await mutate('userDelete', 'UserIdInput', { id })).user).toMatchObject({ email });
    expect((await mutate('userDelete', 'UserIdInput', { id })).userErrors).toMatchObject([
      { code: 'USER_NOT_EXIST' },
    ]);
    expect((await mutate('userDelete', 'UserIdInput', { id: '1' })).userErrors).toMatchObject([
      { code: 'SELF_DELETION' },
    ]);
    expect(
      (await mutate('userGroupChange', 'UserGroupChangeInput', { id: '1', groupId: '2' }))
        .userErrors,
    ).toMatchObject([{ code: 'LAST_ADMINISTRATOR' }]);
  });

  it('are paged by cursor, filtered and ordered', async () => {
    const department = unique('dept');
    for (const name of ['Cleo', 'Ada', 'Bob', 'Ada'])
      await create({ detail: { name, department } });
    const page = (more: string) =>
      service.data(
        `query ($d: String!) { users(filter: { department: { eq: $d } }, ${more}) { nodes { detail { name } } edges { cursor } pageInfo { hasNextPage hasPreviousPage endCursor } totalCount } }`,
        { d: department },
      );
    const names = (users: { nodes: { detail: { name: string } }[] }) =>
      users.nodes.map((user) => user.detail.name);
    const first = (await page('first: 2, orderBy: { field: NAME, direction: ASC }')).users;
    expect([names(first), first.totalCount, first.pageInfo.hasNextPage]).toEqual([
      ['Ada', 'Ada'],
      4,
      true,
    ]);
    const second = (
      await page(
        `first: 2, orderBy: { field: NAME, direction: ASC }, after: "${first.pageInfo.endCursor}"`,
      )
    ).users;
    expect([names(second), second.pageInfo.hasNextPage, second.pageInfo.hasPreviousPage]).toEqual([
      ['Bob', 'Cleo'],
      false,
      true,
    ]);
    expect(
      names((await page('last: 1, orderBy: { field: EMAIL, direction: DESC }')).users),
    ).toHaveLength(1);

    const filtered = await service.data(
      'query ($d: String!) { users(filter: { department: { eq: $d }, or: [{ name: { contains: "CLE" } }, { name: { in: ["Bob"] } }] }) { nodes { detail { name } } } }',
      { d: department },
    );
    expect(names(filtered.users).sort()).toEqual(['Bob', 'Cleo']);
    const byGroup = await service.data(
      'query ($g: ID!) { users(filter: { groupId: { eq: $g } }) { nodes { email } } }',
      { g: gid('UserGroup', 1) },
    );
    expect(byGroup.users.nodes).toContainEqual({ email: ADMIN_EMAIL });
    expect(
      (await service.gql('{ users(first: 101) { nodes { email } } }')).errors?.[0]?.extensions.code,
    ).toBe('BAD_USER_INPUT');
    expect(
      (await service.gql('{ users(after: "nonsense") { nodes { email } } }')).errors?.[0]
        ?.extensions.code,
    ).toBe('BAD_USER_INPUT');
  });

  it('are deleted together or not at all', async () => {
    const [first, second] = [
      (await create()).user.id as string,
      (await create()).user.id as string,
    ];
    const remove = (ids: string[]) =>
      mutate('usersDelete', 'UserIdsInput', { ids }, 'users { email }');
    expect(await remove([first, '999999', second])).toMatchObject({
      users: null,
      userErrors: [{ code: 'USER_NOT_EXIST' }],
    });
    expect((await remove([first, second])).users).toHaveLength(2);
  });

  longIt(
    'are read with group, components and permissions in at most five calls to the store',
    async () => {
      const wide = (await service.api('GET', '/api/role/1')).body.components;
      for (let group = 0; group < 5; group++) {
        const made = await service.api('POST', '/api/role', {
          body: { name: unique('wide'), components: wide },
        });
        await Promise.all(
          Array.from({ length: 20 }, () => create({ groupId: String(made.body.enhanceId) })),
        );
      }
      const query =
        '{ users(first: 100) { totalCount nodes { email group { name components { component { name } permissions { name } } } permissions } } }';
      await service.data('{ me { email } }');
      let answer: any;
      const calls = await storeCalls(async () => {
        answer = await service.data(query);
      });
      expect(answer.users.nodes).toHaveLength(100);
      expect(answer.users.nodes.at(-1).group.components).toHaveLength(10);
      expect(calls.length).toBeGreaterThan(0);
      expect(calls.length).toBeLessThanOrEqual(5);

      const ids = (await service.data('{ users(first: 20) { nodes { id } } }')).users.nodes.map(
        (user: { id: string }) => user.id,
      ) as string[];
      const looked = await storeCalls(async () => {
        await service.data(
          `{ ${ids
            .slice(0, 15)
            .map((id, index) => `u${index}: user(id: "${id}") { email group { name } }`)
            .join(' ')} }`,
        );
      });
      expect(looked.length).toBeLessThanOrEqual(3);
    },
  );
});

describe('me and viewerCan', () => {
  it('tell what the signed-in user may do', async () => {
    const { token, id } = await service.userWith([
      'MYPROFILE:READ',
      'MYPROFILE:UPDATE',
      'USER:READ',
    ]);
    const { me, user } = await service.data(
      '{ me { databaseId email permissions viewerCan { read changePassword changeDetail changePicture update changeGroup delete } } user(id: 1) { viewerCan { read changePassword delete } group { viewerCan { read update } } } }',
      {},
      token,
    );
    expect(me).toMatchObject({
      databaseId: id,
      permissions: ['MYPROFILE:READ', 'MYPROFILE:UPDATE', 'USER:READ'],
      viewerCan: {
        read: true,
        changePassword: true,
        changeDetail: true,
        changePicture: true,
        update: false,
        changeGroup: false,
        delete: false,
      },
    });
    expect(user).toEqual({
      viewerCan: { read: true, changePassword: false, delete: false },
      group: { viewerCan: { read: false, update: false } },
    });
  });
});

describe('groups and permissions', () => {
  it('are created, changed, paged and deleted', async () => {
    const name = unique('Graph');
    const GROUP =
      'group { id databaseId name description version components { component { name databaseId } permissions { name } } }';
    const made = (
      await mutate(
        'groupCreate',
        'GroupCreateInput',
        { name, components: [{ componentId: gid('Component', 1), permissions: ['READ'] }] },
        GROUP,
      )
    ).group;
    expect(made).toMatchObject({
      name,
      version: 1,
      components: [
        { component: { name: 'CONNECTION', databaseId: 1 }, permissions: [{ name: 'READ' }] },
      ],
    });
    expect(
      (await mutate('groupCreate', 'GroupCreateInput', { name: name.toUpperCase() }, GROUP))
        .userErrors,
    ).toMatchObject([{ code: 'ROLE_ALREADY_EXIST', path: ['name'] }]);
    expect(
      (
        await mutate(
          'groupUpdate',
          'GroupUpdateInput',
          { id: made.id, description: 'new', expectedVersion: 1 },
          GROUP,
        )
      ).group,
    ).toMatchObject({ name, description: 'new', version: 2 });
    expect(
      (
        await mutate(
          'groupUpdate',
          'GroupUpdateInput',
          { id: made.id, name: 'x', expectedVersion: 1 },
          GROUP,
        )
      ).userErrors,
    ).toMatchObject([{ code: 'CONFLICT' }]);
    expect(
      (
        await mutate(
          'groupComponentsSet',
          'GroupComponentsSetInput',
          { id: made.id, components: [{ componentId: '4', permissions: ['READ', 'FLY'] }] },
          GROUP,
        )
      ).userErrors,
    ).toMatchObject([{ code: 'PERMISSION_NOT_FOUND' }]);
    expect(
      (
        await mutate(
          'groupComponentsSet',
          'GroupComponentsSetInput',
          { id: made.id, components: [] },
          GROUP,
        )
      ).group.components,
    ).toEqual([]);
    const { userGroups, userGroup, components, node } = await service.data(
      `query ($id: ID!, $n: String!) { userGroups(filter: { name: { eq: $n } }, orderBy: { field: NAME }) { nodes { name } totalCount } userGroup(id: $id) { name icon } components { name } node(id: $id) { ... on UserGroup { name } } }`,
      { id: made.id, n: name },
    );
    expect([userGroups, userGroup, node, components.length]).toEqual([
      { nodes: [{ name }], totalCount: 1 },
      { name, icon: null },
      { name },
      10,
    ]);
    expect(
      (await mutate('groupDelete', 'GroupIdInput', { id: '1' }, 'group { name }')).userErrors,
    ).toMatchObject([{ code: 'ROLE_PROTECTED' }]);
    expect(
      (await mutate('groupsDelete', 'GroupIdsInput', { ids: [made.id] }, 'groups { name }')).groups,
    ).toEqual([{ name }]);

    const permission = (
      await mutate(
        'permissionCreate',
        'PermissionCreateInput',
        { name: unique('DO'), description: 'does' },
        'permission { id name }',
      )
    ).permission;
    expect(
      (
        await mutate(
          'permissionCreate',
          'PermissionCreateInput',
          { name: permission.name.toLowerCase() },
          'permission { id }',
        )
      ).userErrors,
    ).toMatchObject([{ code: 'PERMISSION_ALREADY_EXIST', path: ['name'] }]);
    expect(
      (
        await mutate(
          'permissionUpdate',
          'PermissionUpdateInput',
          { id: permission.id, name: `${permission.name}2` },
          'permission { name description }',
        )
      ).permission,
    ).toEqual({ name: `${permission.name}2`, description: 'does' });
    expect(
      await service.data(
        'query ($id: ID!) { permission(id: $id) { name } permissions(filter: { name: { contains: "read" } }) { nodes { name } } }',
        { id: permission.id },
      ),
    ).toEqual({
      permission: { name: `${permission.name}2` },
      permissions: { nodes: [{ name: 'READ' }] },
    });
    expect(
      (await mutate('permissionDelete', 'PermissionDeleteInput', { id: '4' }, 'permission { id }'))
        .userErrors,
    ).toMatchObject([{ code: 'USERGROUP_NOT_DELETED' }]);
    expect(
      (
        await mutate(
          'permissionDelete',
          'PermissionDeleteInput',
          { id: permission.id },
          'permission { id }',
        )
      ).userErrors,
    ).toEqual([]);
  });

  it('are audited with who, what, before and after, and no secret', async () => {
    const { user } = await create();
    await mutate('userPasswordChange', 'UserPasswordChangeInput', {
      id: user.id,
      password: 'a new password',
    });
    await mutate('userDelete', 'UserIdInput', { id: user.id });
    const { auditEvents } = await service.data(
      'query ($id: String!) { auditEvents(filter: { targetType: { eq: USER }, targetId: { eq: $id } }) { nodes { action actor { email } before after requestId } } }',
      { id: String(user.databaseId) },
    );
    expect(auditEvents.nodes.map(({ action }: { action: string }) => action)).toEqual([
      'USER_DELETE',
      'USER_PASSWORD',
      'USER_CREATE',
    ]);
    expect(auditEvents.nodes[0]).toMatchObject({
      actor: { email: ADMIN_EMAIL },
      before: { email: user.email },
      after: null,
      requestId: expect.stringMatching(/./),
    });
    expect(JSON.stringify(auditEvents)).not.toMatch(/argon2|a new password/);
  });
});

it('what a user does is his under his e-mail as it is spelled by now', async () => {
  const who = await service.userWith(['CONNECTION:READ', 'CONNECTION:CREATE', 'CONNECTION:UPDATE']);
  const adds = async (): Promise<unknown> => {
    const title = unique('spelled');
    expect(
      (
        await service.api('POST', '/api/connection', {
          token: who.token,
          body: workflow([], [], { title }),
        })
      ).status,
    ).toBe(201);
    return (await service.data('{ auditEvents(first: 1) { nodes { actor { email } } } }'))
      .auditEvents.nodes[0].actor.email;
  };
  expect(await adds()).toBe(who.email);
  const email = who.email.replace(/^m/, 'M');
  expect(
    (await mutate('userUpdate', 'UserUpdateInput', { id: String(who.id), email })).user,
  ).toMatchObject({ email });
  expect(await adds()).toBe(email);
});
