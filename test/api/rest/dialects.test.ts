import { startService, testService, unique } from '../../support/service/harness';
import {
  client4x,
  client5x,
  HEADERS_OF_4X,
  slashedName,
} from '../../support/browser/released-pages';

const SIGNED_OUT = 'Full authentication is required to access this resource';
const UNKNOWN_ID = 2_147_483_647;

const service = testService({ env: { HYPHA_CONNECTOR_MASTER_PASSWORD: 'the master password' } });

describe('the dialects of the REST API', () => {
  it('are mounted at /api as configured, and each below its name', async () => {
    const other = await startService({ env: { HYPHA_REST_DIALECT: 'released' } });
    try {
      expect(await other.body('GET', '/api/user/1')).toHaveProperty('userId', 1);
      expect(await other.body('GET', '/documented/api/user/1')).toHaveProperty('enhanceId', 1);
    } finally {
      await other.close();
    }
    expect(await service.body('GET', '/api/user/1')).toHaveProperty('enhanceId', 1);
    expect(await service.body('GET', '/documented/api/user/1')).toHaveProperty('enhanceId', 1);
    expect(await service.body('GET', '/released/api/user/1')).toHaveProperty('userId', 1);
  });

  it('have a description each, with their own addresses', async () => {
    const [released, documented] = await Promise.all(
      ['/released/openapi.json', '/documented/openapi.json'].map((path) =>
        service.body('GET', path),
      ),
    );
    expect([released.servers[0].url, documented.servers[0].url]).toEqual([
      '/released',
      '/documented',
    ]);
    expect(Object.keys(released.paths)).toEqual(Object.keys(documented.paths));
    expect(released.components.schemas).toHaveProperty('ReleasedUser');
    expect(documented.components.schemas).not.toHaveProperty('ReleasedUser');
  });

  it('link to themselves', async () => {
    const made = await service.api('POST', '/released/api/role', {
      body: { name: unique('linked') },
    });
    expect(made.headers.get('location')).toBe(
      `${service.url}/released/api/role/${made.body.groupId}`,
    );
  });

  it('answer unknown addresses below them in their own form', async () => {
    expect(await service.api('GET', '/released/api/nothing')).toMatchObject({
      status: 404,
      body: { status: 404, error: 'NOT_FOUND', path: '/released/api/nothing' },
    });
    expect(await service.body('GET', '/documented/api/nothing')).toMatchObject({
      message: 'NOT_FOUND',
      success: 'false',
    });
  });
});

describe('failures in the released dialect', () => {
  it('end a session with 401 and the text that both clients understand', async () => {
    const { token, id } = await service.userWith(['USER:READ']);
    for (const other of [null, 'Bearer nonsense'])
      expect(await client5x(service, other).send('GET', 'user/all')).toMatchObject({
        status: 401,
        body: { status: 401, error: 'Unauthorized', message: SIGNED_OUT },
      });
    await service.api('GET', `/api/user/${id}/logout`);
    expect(await client5x(service, token).send('GET', `user/${id}`)).toMatchObject({
      status: 401,
      body: { message: SIGNED_OUT },
    });
  });

  it('name wrong credentials as both clients compare them', async () => {
    const body = { email: 'admin@hypha.test', password: 'wrong' };
    for (const path of ['/released/login', '/released/api/login'])
      expect(await service.api('POST', path, { token: null, body })).toMatchObject({
        status: 401,
        body: { message: 'Bad credentials' },
      });
  });

  it('keep users signed in who lack a right, except at the configuration', async () => {
    const client = client5x(service, (await service.userWith([])).token);
    expect(await client.send('GET', 'user/all')).toMatchObject({
      status: 500,
      body: { message: 'ACCESS_DENIED' },
    });
    expect(await client.send('GET', 'permission/all')).toMatchObject({ status: 500 });
    expect(await client.send('GET', 'application-config')).toMatchObject({ status: 403 });
  });

  it('answer a wrong master password with 400', async () => {
    expect(
      await client5x(service).send('GET', 'connector/master-password/status', undefined, {
        'x-master-password': 'wrong',
      }),
    ).toMatchObject({
      status: 400,
      body: { error: 'MASTER_PASSWORD_WRONG', message: 'Invalid master password' },
    });
  });

  it.each([
    ['user', 'USER_NOT_EXIST'],
    ['role', 'GROUP_NOT_FOUND'],
    ['connector', 'CONNECTOR_NOT_FOUND'],
    ['connection', 'CONNECTION_NOT_FOUND'],
    ['scheduler', 'SCHEDULER_NOT_FOUND'],
    ['category', 'CATEGORY_NOT_FOUND'],
  ])('answer an unknown id of %s with 500 and %s', async (path, code) => {
    expect(await client5x(service).send('GET', `${path}/${UNKNOWN_ID}`)).toMatchObject({
      status: 500,
      body: { error: code, message: code },
    });
  });

  it('say in words what the clients do not know by code', async () => {
    const { status, body } = await client5x(service).send('POST', 'user', { email: 'no-address' });
    expect(status).toBe(500);
    expect(body).toMatchObject({ error: 'CREATION_ERROR', message: body.detail });
  });
});

describe('requests in the released dialect', () => {
  it.each(['user', 'role', 'connector', 'connection', 'scheduler', 'category', 'message'])(
    'delete those of a list of %s that exist',
    async (path) => {
      expect(
        await client5x(service).send('PUT', `${path}/list/delete`, {
          identifiers: [`${UNKNOWN_ID}`],
        }),
      ).toMatchObject({ status: path === 'message' ? 200 : 204 });
    },
  );

  it('delete the others of a list that names a missing record', async () => {
    const client = client5x(service);
    const { groupId } = await client.read('POST', 'role', { name: unique('listed') });
    await client.read('PUT', 'role/list/delete', { identifiers: [`${UNKNOWN_ID}`, `${groupId}`] });
    expect(await client.send('GET', `role/${groupId}`)).toMatchObject({ status: 500 });
  });

  it('refuse a list for all other reasons, and delete nothing', async () => {
    const client = client5x(service);
    const { groupId } = await client.read('POST', 'role', { name: unique('used') });
    const admin = 1;
    expect(
      await client.send('PUT', 'role/list/delete', { identifiers: [groupId, admin, UNKNOWN_ID] }),
    ).toMatchObject({ status: 409 });
    expect(await client.send('GET', `role/${groupId}`)).toMatchObject({ status: 200 });
  });

  it('ask for names with doubled slashes', async () => {
    const { name, segment } = slashedName();
    const client = client5x(service);
    await client.read('POST', 'role', { name });
    expect(await client.read('GET', `role/exists/${segment}`)).toEqual({
      message: 'EXISTS',
      result: true,
      detail: 'EXISTS',
    });
    expect((await service.api('GET', `/api/role/exists/${segment}`)).body.message).toBe(
      'NOT_EXISTS',
    );
  });
});

describe('the switch between the released clients', () => {
  it('needs both headers of the 4.x client', async () => {
    const path = '/released/api/connection/all/meta';
    await service.api('POST', '/api/connection', {
      body: {
        title: unique('meta'),
        fromConnector: { methods: [], operators: [] },
        fieldBinding: [],
      },
    });
    const seen = async (headers: Record<string, string>): Promise<unknown> =>
      (await service.api('GET', path, { headers })).body[0].toConnector;
    expect(await seen({})).toBeNull();
    expect(await seen({ timeout: '10000' })).toBeNull();
    expect(await seen(HEADERS_OF_4X)).toMatchObject({ invoker: { name: '' } });
  });

  it('is named in Vary where it decides, and only there', async () => {
    const vary = async (path: string): Promise<string> =>
      (await client4x(service).send('GET', path)).headers.get('vary') ?? '';
    expect(await vary('connection/all/meta')).toMatch(/crossDomain, timeout/);
    expect(await vary('user/all')).not.toMatch(/crossDomain/i);
    const documented = await service.api('GET', '/documented/api/connection/all/meta');
    expect(documented.headers.get('vary')).not.toMatch(/crossDomain/i);
  });
});
