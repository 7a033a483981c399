import { testService, unique } from '../../support/service/harness';

const service = testService();
const create = (body: unknown) => service.api('POST', '/api/permission', { body });
const newPermission = async (name = unique('EXECUTE')): Promise<{ id: number; name: string }> => ({
  id: (await create({ name })).body.enhanceId,
  name,
});
const list = async () =>
  (await service.api('GET', '/api/permission/all')).body._embedded.permissionResources as {
    enhanceId: number;
    name: string;
    description: string;
  }[];
const update = (id: number, body: unknown) => service.api('PUT', `/api/permission/${id}`, { body });
const groupWith = async (permission: string): Promise<number> =>
  (
    await service.api('POST', '/api/role', {
      body: {
        name: unique('Holder'),
        components: [{ enhanceId: 1, permissions: [permission, 'READ'] }],
      },
    })
  ).body.enhanceId;
const body = (message: string, status: number, path: string) => ({
  timestamp: expect.stringMatching(/\+0000$/),
  status,
  error: expect.stringMatching(/./),
  message,
  success: 'false',
  path,
});

describe('GET /permission/all', () => {
  it.each(['GET', 'PUT'])('returns the envelope at %s', async (method) => {
    const answer = await service.api(method, '/api/permission/all');
    expect([answer.status, Object.keys(answer.body)]).toEqual([200, ['_embedded']]);
    expect(answer.body._embedded.permissionResources.slice(0, 4)).toEqual([
      { enhanceId: 1, name: 'CREATE', description: 'Create operation' },
      { enhanceId: 2, name: 'UPDATE', description: 'Update operation' },
      { enhanceId: 3, name: 'DELETE', description: 'Delete operation' },
      { enhanceId: 4, name: 'READ', description: 'Read operation' },
    ]);
  });

  it.each(['GET', 'PUT'])(
    'returns ACCESS_DENIED 401 at %s without a token, with an invalid token and without the permission',
    async (method) => {
      const { token } = await service.userWith(['USER:READ']);
      for (const caller of [null, 'Bearer nonsense', token])
        expect(await service.body(method, '/api/permission/all', { token: caller })).toEqual(
          body('ACCESS_DENIED', 401, '/api/permission/all'),
        );
    },
  );
});

describe('POST /permission', () => {
  it('returns 201', async () => {
    const name = unique('EXECUTE');
    const answer = await create({ name: ` ${name} `, description: 'Runs things' });
    expect([answer.status, answer.body]).toEqual([
      201,
      { enhanceId: expect.any(Number), name, description: 'Runs things' },
    ]);
    expect(answer.body.enhanceId).toBeGreaterThan(4);
    expect(await list()).toContainEqual(answer.body);
  });

  it.each([
    [{}],
    [{ name: '' }],
    [{ name: '  ' }],
    [{ name: null }],
    [{ name: 7 }],
    [{ name: 'READ' }],
    [{ name: ' read' }],
    [{ name: 'x'.repeat(46) }],
    [{ name: 'A:B' }],
    [{ name: 'A\nB' }],
    [[]],
    ['"x"'],
  ])('rejects %j with WRONG_PERMISSION 500', async (sent) => {
    const before = await list();
    expect((await create(sent)).body).toEqual(body('WRONG_PERMISSION', 500, '/api/permission'));
    expect(await list()).toEqual(before);
  });

  it('accepts exactly one of many concurrent requests with the same name', async () => {
    const name = unique('RACE');
    const answers = await Promise.all(
      [name, name.toLowerCase(), name, ` ${name}`].map((spelling) => create({ name: spelling })),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 500, 500, 500]);
  });
});

describe('PUT /permission/{id}', () => {
  it('returns 201 and accepts the id in the body as a string', async () => {
    const { id, name } = await newPermission();
    const answer = await update(id, {
      enhanceId: String(id),
      name: `${name}2`,
      description: 'new',
    });
    expect([answer.status, answer.body]).toEqual([
      201,
      { enhanceId: id, name: `${name}2`, description: 'new' },
    ]);
    expect(
      (await update(1, { enhanceId: '1', name: 'CREATE', description: 'Create operation' })).status,
    ).toBe(201);
  });

  it('renames the permission in the grants of every group', async () => {
    const { id, name } = await newPermission();
    const group = await groupWith(name);
    expect((await update(id, { name: `${name}_NOW` })).status).toBe(201);
    expect(
      (await service.api('GET', `/api/role/${group}`)).body.components[0].permissions.sort(),
    ).toEqual([`${name}_NOW`, 'READ'].sort());
    const auditEvents = await service.field(
      'query ($id: String!) { auditEvents(first: 1, filter: { targetType: { eq: USER_GROUP }, targetId: { eq: $id } }) { nodes { action before after } } }',
      { id: String(group) },
    );
    expect(auditEvents.nodes).toMatchObject([
      {
        action: 'GROUP_COMPONENTS',
        before: { components: [{ permissions: expect.arrayContaining([name]) }] },
        after: { components: [{ permissions: expect.arrayContaining([`${name}_NOW`]) }] },
      },
    ]);
    expect((await service.api('DELETE', `/api/permission/${id}`)).body.message).toBe(
      'USERGROUP_NOT_DELETED',
    );
  });

  it('returns CHANGE_DENIED 500 for an unknown, taken, blank, mismatched or built-in permission', async () => {
    const { id, name } = await newPermission();
    const denied = async (path: number, sent: unknown) =>
      expect((await update(path, sent)).body).toEqual(
        body('CHANGE_DENIED', 500, `/api/permission/${path}`),
      );
    await denied(999_999, { enhanceId: '999999', name });
    await denied(id, { enhanceId: '1', name });
    await denied(id, { enhanceId: String(id), name: 'read' });
    await denied(id, { enhanceId: String(id), name: ' ' });
    await denied(id, { enhanceId: String(id) });
    await denied(id, { enhanceId: 'x', name });
    await denied(4, { enhanceId: '4', name: 'LOOK' });
    expect((await list()).find((permission) => permission.enhanceId === id)?.name).toBe(name);
  });
});

describe.each(['/api', '/api/permission'])('DELETE %s/{id}', (base) => {
  it('returns 204', async () => {
    const { id, name } = await newPermission();
    const answer = await service.api('DELETE', `${base}/${id}`);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect((await list()).map((permission) => permission.name)).not.toContain(name);
    await service.refuses(404, 'PERMISSION_NOT_FOUND', 'DELETE', `${base}/${id}`);
  });

  it('returns USERGROUP_NOT_DELETED 500 while a group grants the permission', async () => {
    const { id, name } = await newPermission();
    const group = await groupWith(name);
    expect(await service.body('DELETE', `${base}/${id}`)).toEqual(
      body('USERGROUP_NOT_DELETED', 500, `${base}/${id}`),
    );
    expect((await service.api('DELETE', `${base}/4`)).body.message).toBe('USERGROUP_NOT_DELETED');
    await service.api('PUT', `/api/role/${group}/component`, { body: { components: [] } });
    expect(await service.status('DELETE', `${base}/${id}`)).toBe(204);
  });

  it('never leaves a group with a deleted permission when both requests are concurrent', async () => {
    const group = await groupWith('READ');
    for (let round = 0; round < 3; round++) {
      const { id, name } = await newPermission();
      const [granted, deletion] = await Promise.all([
        service.api('PUT', `/api/role/${group}/component`, {
          body: { components: [{ enhanceId: 1, permissions: [name] }] },
        }),
        service.api('DELETE', `${base}/${id}`),
      ]);
      expect([
        [200, 500],
        [404, 204],
      ]).toContainEqual([granted.status, deletion.status]);
    }
  });
});

it('unknown paths next to DELETE /api/{id} return 404', async () => {
  await service.refuses(404, 'NOT_FOUND', 'GET', '/api/nowhere');
  await service.refuses(404, 'NOT_FOUND', 'DELETE', '/api/nowhere');
});
