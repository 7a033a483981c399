import { testService } from '../../support/service/harness';
import type { Answer } from '../../support/service/harness';
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

const rest = (answer: Answer): string => (answer.status < 300 ? 'done' : answer.body.message);
const graph =
  (mutation: string, variables: (target: Target) => Record<string, unknown>): Ask =>
  async (target, token) => {
    const { data, errors } = await service.gql(mutation, variables(target), token);
    const [payload] = Object.values<{ userErrors: { code: string }[] } | null>(data ?? {});
    return errors?.[0]?.extensions.code ?? payload?.userErrors[0]?.code ?? 'done';
  };
const upload = (email: string): FormData => {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(png())]), 'a.png');
  form.append('email', email);
  return form;
};

/** Every change of a user's details, picture, sessions, password, e-mail or group, and the deletion, in both APIs. */
const WAYS: Record<string, Ask> = {
  'PUT /user/{id}/userDetail': async ({ id }, token) =>
    rest(await service.api('PUT', `/api/user/${id}/userDetail`, { token, body: { name: 'X' } })),
  'PUT /userDetail/{id}': async ({ id }, token) =>
    rest(await service.api('PUT', `/api/userDetail/${id}`, { token, body: { name: 'X' } })),
  'PUT /user/{id}, details': async ({ id }, token) =>
    rest(
      await service.api('PUT', `/api/user/${id}`, { token, body: { userDetail: { name: 'X' } } }),
    ),
  'PUT /user/{id}, e-mail as it is': async ({ id, email }, token) =>
    rest(await service.api('PUT', `/api/user/${id}`, { token, body: { email } })),
  'PUT /user/{id}, password': async ({ id }, token) =>
    rest(
      await service.api('PUT', `/api/user/${id}`, {
        token,
        body: { password: 'another password' },
      }),
    ),
  'PUT /user/{id}/password': async ({ id }, token) =>
    rest(
      await service.api('PUT', `/api/user/${id}/password`, {
        token,
        body: { password: 'another password' },
      }),
    ),
  'PUT /user/{id}/userGroup': async ({ id, groupId }, token) =>
    rest(
      await service.api('PUT', `/api/user/${id}/userGroup`, {
        token,
        body: { userGroup: groupId },
      }),
    ),
  'POST /storage/profilePicture': async ({ email }, token) =>
    rest(await service.api('POST', '/api/storage/profilePicture', { token, body: upload(email) })),
  userDetailChange: graph(
    'mutation($i: UserDetailChangeInput!) { userDetailChange(input: $i) { userErrors { code } } }',
    ({ id }) => ({ i: { id: String(id), detail: { name: 'X' } } }),
  ),
  userUpdate: graph(
    'mutation($i: UserUpdateInput!) { userUpdate(input: $i) { userErrors { code } } }',
    ({ id }) => ({ i: { id: String(id), detail: { name: 'X' } } }),
  ),
  userPasswordChange: graph(
    'mutation($i: UserPasswordChangeInput!) { userPasswordChange(input: $i) { userErrors { code } } }',
    ({ id }) => ({ i: { id: String(id), password: 'another password' } }),
  ),
  userPictureRemove: graph(
    'mutation($i: UserIdInput!) { userPictureRemove(input: $i) { userErrors { code } } }',
    ({ id }) => ({ i: { id: String(id) } }),
  ),
  sessionEnd: graph(
    'mutation($i: SessionEndInput!) { sessionEnd(input: $i) { userErrors { code } } }',
    ({ sessionId }) => ({ i: { sessionId } }),
  ),
  userSessionsEnd: graph(
    'mutation($i: UserSessionsEndInput!) { userSessionsEnd(input: $i) { userErrors { code } } }',
    ({ id }) => ({ i: { id: String(id) } }),
  ),
  ...Object.fromEntries(
    ['userDisable', 'userEnable'].map((field) => [
      field,
      graph(
        `mutation($i: UserIdInput!) { ${field}(input: $i) { userErrors { code } } }`,
        ({ id }) => ({ i: { id: String(id) } }),
      ),
    ]),
  ),
  ...Object.fromEntries(
    ['disable', 'enable'].map((action): [string, Ask] => [
      `PUT /user/{id}/${action}`,
      async ({ id }, token) =>
        rest(await service.api('PUT', `/api/user/${id}/${action}`, { token })),
    ]),
  ),
  'GET /user/{id}/logout': async ({ id }, token) =>
    rest(await service.api('GET', `/api/user/${id}/logout`, { token })),
  'DELETE /user/{id}': async ({ id }, token) =>
    rest(await service.api('DELETE', `/api/user/${id}`, { token })),
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
      (
        await service.api('PUT', `/api/userDetail/${self.id}`, {
          token: self.token,
          body: { name: 'Me' },
        })
      ).status,
    ).toBe(200);
    expect(
      (await service.api('PUT', '/api/userDetail/1', { token: self.token, body: { name: 'Me' } }))
        .status,
    ).toBe(403);
  });
});

it('viewerCan reports in advance whether a user can be changed', async () => {
  const can = async (id: number) =>
    (
      await service.data(
        'query($id: ID!) { user(id: $id) { viewerCan { read update changePassword changeDetail changePicture changeGroup delete } } }',
        { id: String(id) },
        manager.token,
      )
    ).user.viewerCan;
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
