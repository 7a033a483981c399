import { ADMIN_EMAIL, testService, unique } from '../../support/service/harness';
import { longIt } from '../../support/long';
import { workflow } from '../../support/documents/workflows';
import { storeCalls } from '../../support/store/stored';

const service = testService();

const PASSWORD = 'a good password';
const create = (input: object = {}) =>
  service.mutate(
    'userCreate',
    {
      email: `${unique('graph')}@hypha.test`,
      password: PASSWORD,
      groupId: '2',
      detail: { name: 'Ada' },
      ...input,
    },
    'user { id databaseId email version group { name } detail { name requestTime lang } profilePicture } userErrors { code message path }',
  );
const mutate = (
  name: string,
  input: object,
  fields = 'user { version email group { name } detail { name surname } }',
) => service.mutate(name, input, `${fields} userErrors { code message path }`);
const gid = (type: string, id: number) => Buffer.from(`${type}:${id}`).toString('base64url');

describe('users over GraphQL', () => {
  it('are created, read by either id and found through node', async () => {
    const { user, userErrors } = await create();
    expect(userErrors).toEqual([]);
    expect(user).toMatchObject({
      id: gid('User', user.databaseId),
      version: 1,
      group: { name: 'User' },
      detail: { name: 'Ada', requestTime: null, lang: 'EN' },
      profilePicture: null,
    });
    const data = await service.data(
      'query ($a: ID!, $b: ID!) { a: user(id: $a) { email } b: user(id: $b) { email } node(id: $a) { id ... on User { email } } none: user(id: 999999) { email } }',
      { a: user.id, b: String(user.databaseId) },
    );
    expect(data).toEqual({
      a: { email: user.email },
      b: { email: user.email },
      node: { id: user.id, email: user.email },
      none: null,
    });
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

  longIt(
    'are read by id in one document in one store call, besides those of the session',
    async () => {
      await Promise.all(Array.from({ length: 15 }, () => create()));
      const ids = (await service.field('{ users(first: 20) { nodes { id } } }')).nodes.map(
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
      expect(looked).toEqual(['users.find', 'sessions.find', 'directory_state.find', 'users.find']);
    },
  );
});

describe('me and viewerCan', () => {
  it('report the permissions of the current user', async () => {
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

describe('groups and permissions over GraphQL', () => {
  it('are created, changed, paged and deleted', async () => {
    const name = unique('Graph');
    const GROUP =
      'group { id databaseId name description version components { component { name databaseId } permissions { name } } }';
    const made = (
      await mutate(
        'groupCreate',
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
      (await mutate('groupUpdate', { id: made.id, description: 'new', expectedVersion: 1 }, GROUP))
        .group,
    ).toMatchObject({ name, description: 'new', version: 2 });
    expect(
      (await mutate('groupComponentsSet', { id: made.id, components: [] }, GROUP)).group.components,
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
    expect((await mutate('groupDelete', { id: '1' }, 'group { name }')).userErrors).toMatchObject([
      { code: 'ROLE_PROTECTED' },
    ]);
    expect((await mutate('groupsDelete', { ids: [made.id] }, 'groups { name }')).groups).toEqual([
      { name },
    ]);

    const permission = (
      await mutate(
        'permissionCreate',
        { name: unique('DO'), description: 'does' },
        'permission { id name }',
      )
    ).permission;
    expect(
      (
        await mutate(
          'permissionUpdate',
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
      (await mutate('permissionDelete', { id: '4' }, 'permission { id }')).userErrors,
    ).toMatchObject([{ code: 'USERGROUP_NOT_DELETED' }]);
    expect(
      (await mutate('permissionDelete', { id: permission.id }, 'permission { id }')).userErrors,
    ).toEqual([]);
  });

  it('are audited with user, action, before and after, without secrets', async () => {
    const { user } = await create();
    await mutate('userPasswordChange', {
      id: user.id,
      password: 'a new password',
    });
    await mutate('userDelete', { id: user.id });
    const auditEvents = await service.field(
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

it('the actions of a user are listed under the current spelling of the e-mail', async () => {
  const who = await service.userWith(['CONNECTION:READ', 'CONNECTION:CREATE', 'CONNECTION:UPDATE']);
  const adds = async (): Promise<unknown> => {
    const title = unique('spelled');
    expect(
      await service.status('POST', '/api/connection', {
        token: who.token,
        body: workflow([], [], { title }),
      }),
    ).toBe(201);
    return (await service.field('{ auditEvents(first: 1) { nodes { actor { email } } } }')).nodes[0]
      .actor.email;
  };
  expect(await adds()).toBe(who.email);
  const email = who.email.replace(/^m/, 'M');
  expect((await mutate('userUpdate', { id: String(who.id), email })).user).toMatchObject({ email });
  expect(await adds()).toBe(email);
});
