import { mutation, testService } from '../../support/service/harness';
import { png } from '../../support/documents/images';

const service = testService();
let manager: { token: string };
let above: { grants: 'Admin' | readonly string[]; target: Target; before: unknown }[];
beforeAll(async () => {
  manager = await service.userWith(MANAGER);
  above = await Promise.all(
    (['Admin', ['CONNECTION:READ'], ['USER:READ', 'USER:CREATE']] as const).map(async (grants) => {
      const target = await somebody(grants);
      return { grants, target, before: await stored(target.id) };
    }),
  );
});

const MANAGER = ['USER:READ', 'USER:UPDATE', 'USER:DELETE', 'MYPROFILE:READ', 'MYPROFILE:UPDATE'];
interface Target {
  readonly id: number;
  readonly email: string;
  readonly groupId: number;
  readonly sessionId: string;
}
type Ask = (target: Target, token: string) => Promise<string>;

const rest =
  (method: string, path: (target: Target) => string, body?: (target: Target) => unknown): Ask =>
  async (target, token) => {
    const [status, code = ''] = await service.outcome(method, `/api${path(target)}`, {
      token,
      body: body?.(target),
    });
    return status < 300 ? 'done' : code;
  };
const graph =
  (name: string, input: (target: Target) => object): Ask =>
  async (target, token) => {
    const { data, errors } = await service.gql(
      mutation(name, 'userErrors { code }'),
      { input: input(target) },
      token,
    );
    return errors?.[0]?.extensions.code ?? data[name].userErrors[0]?.code ?? 'done';
  };
const upload = (email: string): FormData => {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(png())]), 'a.png');
  form.append('email', email);
  return form;
};

const ofUser =
  (below = '') =>
  ({ id }: Target): string =>
    `/user/${id}${below}`;
const byId = ({ id }: Target) => ({ id: String(id) });
const DETAIL = { name: 'X' };
const PASSWORD = { password: 'another password' };

/** Every change of a user's details, picture, sessions, password, e-mail or group, and the deletion, in both APIs. */
const WAYS: Record<string, Ask> = {
  'PUT /user/{id}/userDetail': rest('PUT', ofUser('/userDetail'), () => DETAIL),
  'PUT /userDetail/{id}': rest(
    'PUT',
    ({ id }) => `/userDetail/${id}`,
    () => DETAIL,
  ),
  'PUT /user/{id}, details': rest('PUT', ofUser(), () => ({ userDetail: DETAIL })),
  'PUT /user/{id}, e-mail as it is': rest('PUT', ofUser(), ({ email }) => ({ email })),
  'PUT /user/{id}, password': rest('PUT', ofUser(), () => PASSWORD),
  'PUT /user/{id}/password': rest('PUT', ofUser('/password'), () => PASSWORD),
  'PUT /user/{id}/userGroup': rest('PUT', ofUser('/userGroup'), ({ groupId }) => ({
    userGroup: groupId,
  })),
  'POST /storage/profilePicture': rest(
    'POST',
    () => '/storage/profilePicture',
    ({ email }) => upload(email),
  ),
  userDetailChange: graph('userDetailChange', (target) => ({ ...byId(target), detail: DETAIL })),
  userUpdate: graph('userUpdate', (target) => ({ ...byId(target), detail: DETAIL })),
  userPasswordChange: graph('userPasswordChange', (target) => ({ ...byId(target), ...PASSWORD })),
  userPictureRemove: graph('userPictureRemove', byId),
  sessionEnd: graph('sessionEnd', ({ sessionId }) => ({ sessionId })),
  userSessionsEnd: graph('userSessionsEnd', byId),
  userDisable: graph('userDisable', byId),
  userEnable: graph('userEnable', byId),
  'PUT /user/{id}/disable': rest('PUT', ofUser('/disable')),
  'PUT /user/{id}/enable': rest('PUT', ofUser('/enable')),
  'GET /user/{id}/logout': rest('GET', ofUser('/logout')),
  'DELETE /user/{id}': rest('DELETE', ofUser()),
};

async function somebody(grants: readonly string[] | 'Admin'): Promise<Target> {
  const { id, email, groupId, token } = await service.userWith(grants === 'Admin' ? [] : grants);
  if (grants === 'Admin')
    await service.api('PUT', `/api/user/${id}/userGroup`, { body: { userGroup: 1 } });
  const { jti } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
    jti: string;
  };
  return { id, email, groupId: grants === 'Admin' ? 1 : groupId, sessionId: jti };
}

const stored = (id: number) =>
  service.data(
    'query($id: ID!) { user(id: $id) { email version detail { name } group { id } profilePicture } }',
    { id: String(id) },
  );

describe('a user whose group holds more than the actor', () => {
  it.each(Object.keys(WAYS))('is not changed by %s', async (way) => {
    for (const { grants, target, before } of above) {
      const code = await WAYS[way]?.(target, manager.token);
      expect([grants, code]).toEqual([
        grants,
        expect.stringMatching(/^(ACCESS_DENIED|FORBIDDEN)$/),
      ]);
      expect(await stored(target.id)).toEqual(before);
    }
  });
});

describe('a user whose group holds as much or less', () => {
  it.each(Object.keys(WAYS))('is changed by %s', async (way) => {
    expect(await WAYS[way]?.(await somebody(['USER:READ']), manager.token)).toBe('done');
  });

  it('a user with the own profile only can change themselves alone', async () => {
    const self = await service.userWith(['MYPROFILE:UPDATE', 'CONNECTION:READ']);
    expect(
      await service.status('PUT', `/api/userDetail/${self.id}`, {
        token: self.token,
        body: { name: 'Me' },
      }),
    ).toBe(200);
    expect(
      await service.status('PUT', '/api/userDetail/1', { token: self.token, body: { name: 'Me' } }),
    ).toBe(403);
  });
});

it('viewerCan reports in advance whether a user can be changed', async () => {
  const can = async (id: number) =>
    (
      await service.field(
        'query($id: ID!) { user(id: $id) { viewerCan { read update changePassword changeDetail changePicture changeGroup delete } } }',
        { id: String(id) },
        manager.token,
      )
    ).viewerCan;
  const all = (may: boolean) => ({
    read: true,
    update: may,
    changePassword: may,
    changeDetail: may,
    changePicture: may,
    changeGroup: may,
    delete: may,
  });
  expect(await can(1)).toEqual(all(false));
  expect(await can((await somebody(['USER:READ'])).id)).toEqual(all(true));
});
