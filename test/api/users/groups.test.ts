import { outcome, testService, unique } from '../../support/service/harness';

const service = testService();
const OPERATORS = [{ enhanceId: 3, name: 'SCHEDULE', permissions: ['READ', 'UPDATE'] }];
const create = (base: string, more: Record<string, unknown> = {}) =>
  service.api('POST', `/api${base}`, {
    body: {
      name: unique('Operators'),
      description: 'run jobs',
      icon: null,
      components: OPERATORS,
      ...more,
    },
  });
const newGroup = async (more: Record<string, unknown> = {}): Promise<number> =>
  (await create('/role', more)).body.enhanceId;
const read = (id: number) => service.body('GET', `/api/role/${id}`);
const newMember = (groupId: number, email = `${unique('member')}@hypha.test`) =>
  service.api('POST', '/api/user', {
    body: { email, password: 'a good password', userGroup: groupId },
  });

describe.each(['/userGroup', '/role'])('groups at %s', (base) => {
  it('can be created, listed, read, changed and deleted', async () => {
    const name = unique('Operators');
    const made = await create(base, { name: `  ${name} ` });
    expect(made.status).toBe(201);
    const id = made.body.enhanceId as number;
    const group = {
      enhanceId: id,
      name,
      description: 'run jobs',
      icon: null,
      components: [
        {
          enhanceId: 3,
          name: 'SCHEDULE',
          description: 'Event description',
          permissions: ['UPDATE', 'READ'],
        },
      ],
    };
    expect(made.body).toEqual(group);
    expect(made.headers.get('location')).toBe(`${service.url}/api${base}/${id}`);

    const list = await service.api('GET', `/api${base}/all`);
    expect([list.status, Object.keys(list.body)]).toEqual([200, ['_embedded']]);
    expect(list.body._embedded.userGroupResources).toContainEqual(group);
    expect(await service.body('GET', `/api${base}/${id}`)).toEqual(group);

    const changed = await service.api('PUT', `/api${base}/${id}`, {
      body: { enhanceId: String(id), name: `${name} 2`, description: null },
    });
    expect([changed.status, changed.body]).toEqual([
      200,
      { ...group, name: `${name} 2`, description: null },
    ]);

    const granted = await service.api('PUT', `/api${base}/${id}/component`, {
      body: {
        ...group,
        name: `${name} 3`,
        components: [
          { componentId: 1, permissions: ['READ'] },
          { name: 'APP', permissions: [] },
        ],
      },
    });
    expect(granted.status).toBe(200);
    expect(granted.body).toMatchObject({
      name: `${name} 3`,
      components: [
        { enhanceId: 1, name: 'CONNECTION', permissions: ['READ'] },
        { enhanceId: 8, permissions: [] },
      ],
    });

    const deletion = await service.api('DELETE', `/api${base}/${id}`);
    expect([deletion.status, deletion.text]).toEqual([204, '']);
    await service.refuses(404, 'GROUP_NOT_FOUND', 'GET', `/api${base}/${id}`);
    await service.refuses(404, 'GROUP_NOT_FOUND', 'DELETE', `/api${base}/${id}`);
  });

  it('have unique names regardless of case', async () => {
    const name = unique('Straße');
    await create(base, { name });
    expect(
      outcome(await create(base, { name: ` ${name.toUpperCase().replace('STRASSE', 'STRAßE')}` })),
    ).toEqual([409, 'ROLE_ALREADY_EXIST']);
    expect(outcome(await create(base, { name: 'aDMIN' }))).toEqual([409, 'ROLE_ALREADY_EXIST']);
    const other = (await create(base)).body.enhanceId as number;
    await service.refuses(409, 'ROLE_ALREADY_EXIST', 'PUT', `/api${base}/${other}`, {
      body: { name },
    });
    expect(
      await service.body('GET', `/api${base}/exists/${encodeURIComponent(name)}`),
    ).toMatchObject({
      status: 200,
      message: 'EXISTS',
      detail: 'EXISTS',
      path: `/api${base}/exists/${encodeURIComponent(name)}`,
    });
    expect((await service.api('GET', `/api${base}/exists/admin`)).body.message).toBe('EXISTS');
    expect((await service.api('GET', `/api${base}/exists/nobody`)).body.message).toBe('NOT_EXISTS');
  });

  it.each<[string, Record<string, unknown>, [number, string]]>([
    ['no name', { name: undefined }, [400, 'BAD_REQUEST']],
    ['a blank name', { name: '  ' }, [400, 'BAD_REQUEST']],
    ['a name of 46 characters', { name: 'x'.repeat(46) }, [400, 'BAD_REQUEST']],
    ['a name that is not a string', { name: ['x'] }, [400, 'BAD_REQUEST']],
    [
      'an unknown component',
      { components: [{ enhanceId: 99, permissions: ['READ'] }] },
      [404, 'WRONG_COMPONENT'],
    ],
    ['an unnamed component', { components: [{ permissions: ['READ'] }] }, [404, 'WRONG_COMPONENT']],
    [
      'an unknown permission',
      { components: [{ enhanceId: 1, permissions: ['READ', 'FLY'] }] },
      [404, 'PERMISSION_NOT_FOUND'],
    ],
    [
      'a permission that is not a string',
      { components: [{ enhanceId: 1, permissions: [{ $ne: 1 }] }] },
      [400, 'BAD_REQUEST'],
    ],
  ])('are rejected with %s', async (_case, more, expected) => {
    expect(outcome(await create(base, more))).toEqual(expected);
  });
});

describe('PUT /role/{id}/component', () => {
  it('changes nothing when one entry is invalid', async () => {
    const id = await newGroup();
    const before = await read(id);
    const wrong = await service.api('PUT', `/api/role/${id}/component`, {
      body: {
        name: 'lost',
        components: [
          { enhanceId: 1, permissions: ['READ'] },
          { enhanceId: 2, permissions: ['FLY'] },
        ],
      },
    });
    expect(outcome(wrong)).toEqual([404, 'PERMISSION_NOT_FOUND']);
    await service.refuses(400, 'BAD_REQUEST', 'PUT', `/api/role/${id}/component`, {
      body: { name: 'lost' },
    });
    await service.refuses(400, 'BAD_REQUEST', 'PUT', `/api/role/${id}/component`, {
      body: { groupId: 1, components: [] },
    });
    expect(await read(id)).toEqual(before);
  });

  it('replaces all permissions, even with concurrent requests', async () => {
    const id = await newGroup();
    const sets = ['CREATE', 'READ', 'UPDATE', 'DELETE'].map((name) =>
      Array.from({ length: 10 }, (_, index) => ({ enhanceId: index + 1, permissions: [name] })),
    );
    const answers = await Promise.all(
      sets.map((components) =>
        service.api('PUT', `/api/role/${id}/component`, { body: { components } }),
      ),
    );
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200]);
    const names = (await read(id)).components.flatMap(
      (component: { permissions: string[] }) => component.permissions,
    ) as string[];
    expect([names.length, new Set(names).size]).toEqual([10, 1]);
  });
});

describe('the seeded groups', () => {
  const everything = async () =>
    (await read(1)).components as { enhanceId: number; permissions: string[] }[];

  it('are Admin with every permission, and User', async () => {
    const components = await everything();
    expect(components.map(({ enhanceId, permissions }) => [enhanceId, permissions.length])).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((id) => [id, 4]),
    );
    expect(await read(2)).toMatchObject({ name: 'User', description: 'Middle sys admin' });
  });

  it('cannot be deleted or renamed, and Admin cannot lose permissions', async () => {
    const fewer = (await everything()).map((component) => ({
      ...component,
      permissions: component.enhanceId === 4 ? ['READ'] : component.permissions,
    }));
    for (const [method, path, body] of [
      ['DELETE', '/role/1'],
      ['DELETE', '/userGroup/2'],
      ['PUT', '/role/1', { name: 'Boss' }],
      ['PUT', '/role/2', { name: 'user' }],
      ['PUT', '/role/1/component', { components: [] }],
      ['PUT', '/role/1', { components: fewer }],
    ] as const)
      expect([method, path, ...(await service.outcome(method, `/api${path}`, { body }))]).toEqual([
        method,
        path,
        409,
        'ROLE_PROTECTED',
      ]);
    expect(
      (
        await service.api('PUT', '/api/role/1', {
          body: { name: 'Admin', description: 'Those who may', components: await everything() },
        })
      ).body.description,
    ).toBe('Those who may');
    expect(
      await service.status('PUT', '/api/role/2/component', {
        body: { components: [{ enhanceId: 7, permissions: ['READ'] }] },
      }),
    ).toBe(200);
  });
});

describe('deleting groups', () => {
  it('is rejected while the group has members', async () => {
    const id = await newGroup();
    const user = (await newMember(id)).body.enhanceId as number;
    await service.refuses(409, 'ROLE_IN_USE', 'DELETE', `/api/role/${id}`);
    await service.api('DELETE', `/api/user/${user}`);
    expect(await service.status('DELETE', `/api/role/${id}`)).toBe(204);
  });

  it('deletes all of a list or none', async () => {
    const [empty, used] = [await newGroup(), await newGroup()];
    await newMember(used);
    const many = (identifiers: unknown) =>
      service.api('PUT', '/api/role/list/delete', { body: { identifiers } });
    expect(outcome(await many([empty, used]))).toEqual([409, 'ROLE_IN_USE']);
    expect(outcome(await many([empty, 4711]))).toEqual([404, 'GROUP_NOT_FOUND']);
    expect((await read(empty)).enhanceId).toBe(empty);
    expect((await many([empty, String(await newGroup())])).status).toBe(204);
  });
});

describe('a user who is not an administrator', () => {
  it('cannot grant permissions they do not have', async () => {
    const lesser = await service.userWith([
      'USERGROUP:READ',
      'USERGROUP:CREATE',
      'USERGROUP:UPDATE',
      'USERGROUP:DELETE',
      'USER:CREATE',
      'USER:UPDATE',
      'USER:READ',
      'USER:DELETE',
    ]);
    const as = (method: string, path: string, body?: unknown) =>
      service.api(method, path, { token: lesser.token, body });
    const greater = await newGroup({ components: [{ enhanceId: 2, permissions: ['READ'] }] });
    const victim = (await newMember(greater)).body as { enhanceId: number; email: string };
    const equal = await newGroup({ components: [{ enhanceId: 4, permissions: ['READ'] }] });
    const peer = (await newMember(equal)).body as { enhanceId: number };

    const own = `/api/role/${lesser.groupId}/component`;
    const [ofPeer, ofVictim] = [peer, victim].map(({ enhanceId }) => `/api/user/${enhanceId}`);
    const newUser = (userGroup: number): object => ({
      email: `${unique('x')}@hypha.test`,
      password: 'a good password',
      userGroup,
    });
    const components = [{ enhanceId: 2, permissions: ['READ'] }];
    const password = 'taken over now';
    for (const [method, path, body] of [
      ['POST', '/api/role', { name: unique('Greater'), components }],
      ['PUT', own, { components }],
      ['PUT', `/api/role/${greater}/component`, { components: [] }],
      ['PUT', `/api/role/${greater}`, { description: 'mine' }],
      ['DELETE', `/api/role/${greater}`],
      ['POST', '/api/user', newUser(greater)],
      ['POST', '/api/user', newUser(1)],
      ['PUT', `/api/user/${lesser.id}/userGroup`, { userGroup: 1 }],
      ['PUT', `${ofPeer}/userGroup`, { userGroup: greater }],
      ['PUT', `${ofVictim}/userGroup`, { userGroup: equal }],
      ['PUT', `${ofVictim}/password`, { password }],
      ['PUT', `${ofVictim}`, { email: `${unique('x')}@hypha.test` }],
      ['PUT', `${ofVictim}`, { password }],
      ['PUT', '/api/user/1', { password }],
      ['PUT', '/api/user/list/delete', { identifiers: [peer.enhanceId, victim.enhanceId] }],
    ] as const)
      expect([method, path, ...outcome(await as(method, path, body))]).toEqual([
        method,
        path,
        403,
        'ACCESS_DENIED',
      ]);
    expect(outcome(await as('DELETE', `/api/user/${victim.enhanceId}`))).toEqual([
      500,
      'ACCESS_DENIED',
    ]);
    await service.login(victim.email, 'a good password');

    expect(
      (
        await as('POST', '/api/role', {
          name: unique('Equal'),
          components: [{ enhanceId: 4, permissions: ['READ'] }],
        })
      ).status,
    ).toBe(201);
    expect(
      (await as('PUT', `/api/user/${peer.enhanceId}/password`, { password: 'reset for a peer' }))
        .status,
    ).toBe(200);
    expect((await as('DELETE', `/api/user/${peer.enhanceId}`)).status).toBe(204);
  });

  it('cannot become an administrator through a group with the same permissions', async () => {
    const components = (await read(1)).components as unknown[];
    const twin = await newGroup({ components });
    const email = `${unique('twin')}@hypha.test`;
    const { enhanceId } = (await newMember(twin, email)).body;
    const token = await service.login(email, 'a good password');
    await service.refuses(403, 'ACCESS_DENIED', 'PUT', `/api/user/${enhanceId}/userGroup`, {
      token,
      body: { userGroup: 1 },
    });
    await service.refuses(403, 'ACCESS_DENIED', 'PUT', '/api/user/1/password', {
      token,
      body: { password: 'taken over now' },
    });
  });
});

describe('the last administrator', () => {
  const administrators = async () =>
    (
      (await service.api('GET', '/api/user/all')).body._embedded.userResources as {
        enhanceId: number;
        userGroup: { enhanceId: number }[];
      }[]
    )
      .filter((user) => user.userGroup[0]?.enhanceId === 1)
      .map((user) => user.enhanceId);

  it('cannot be moved to another group', async () => {
    expect(await administrators()).toEqual([1]);
    await service.refuses(409, 'LAST_ADMINISTRATOR', 'PUT', '/api/user/1/userGroup', {
      body: { userGroup: 2 },
    });
    await service.refuses(409, 'LAST_ADMINISTRATOR', 'PUT', '/api/user/1', {
      body: { userGroup: 2 },
    });
    expect(await service.status('PUT', '/api/user/1/userGroup', { body: { userGroup: 1 } })).toBe(
      201,
    );
  });
});

it('GET /component/all lists the components', async () => {
  const { status, body } = await service.api('GET', '/api/component/all');
  expect(status).toBe(200);
  expect(
    body._embedded.componentResources.map(
      ({ enhanceId, name }: { enhanceId: number; name: string }) => [enhanceId, name],
    ),
  ).toEqual([
    [1, 'CONNECTION'],
    [2, 'CONNECTOR'],
    [3, 'SCHEDULE'],
    [4, 'USER'],
    [5, 'USERGROUP'],
    [6, 'MYPROFILE'],
    [7, 'DASHBOARD'],
    [8, 'APP'],
    [9, 'INVOKER'],
    [10, 'SECRET'],
  ]);
  expect(body._embedded.componentResources[2]).toEqual({
    enhanceId: 3,
    name: 'SCHEDULE',
    description: 'Event description',
  });
});
