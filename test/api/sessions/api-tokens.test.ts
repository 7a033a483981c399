import { ADMIN_EMAIL, ADMIN_PASSWORD, testService } from '../../support/service/harness';
import type { Answer } from '../../support/service/harness';
import { movingClock } from '../../support/service/moving-clock';
import { connectedStomp } from '../../support/calls/stomp';
import { socketOf } from '../../support/service/watch';

const clock = movingClock();
const service = testService({
  clock,
  env: { HYPHA_TOKEN_ACTIVITY_TIME: '864000', HYPHA_TOKEN_EXPIRATION_TIME: '864000' },
});

/** Creates a token of the administrator, or of the session with `by`. */
async function create(
  scopes: readonly string[],
  { by, ...more }: { by?: string; expiresInDays?: number } = {},
): Promise<{ id: number; token: string; bearer: string }> {
  const answer = await service.api('POST', '/api/api-token', {
    ...(by !== undefined && { token: by }),
    body: { name: 'test', scopes, ...more },
  });
  if (answer.status !== 201) throw new Error(answer.text);
  const { apiTokenId: id, token } = answer.body;
  return { id, token, bearer: `Bearer ${token}` };
}
/** The password of the account would outlive the token. */
const NEW_USER = { email: 'new@example.com', password: 'a good password', userGroup: 1 };
const MANY_SCOPES = Array.from({ length: 2_000 }, (_, index) => `USER:${index}`);
/** Opens a GraphQL and a STOMP socket. Returns the codes with which they will be closed. */
async function openSockets(bearer: string): Promise<() => Promise<number[]>> {
  const client = socketOf(service, bearer);
  const closed = new Promise<number>((resolve) =>
    client.on('closed', (event) => resolve((event as { code: number }).code)),
  );
  const connected = new Promise<void>((resolve) => client.on('connected', () => resolve()));
  const events = client.iterate({ query: 'subscription { sessionEvents { reason } }' });
  // It receives the end of the session, or is cut off by it.
  events.next().catch(() => undefined);
  await connected;
  const stomp = await connectedStomp(service, { token: bearer });
  return async () => [await closed, (await stomp.closed()).code];
}
const get = (path: string, token: string): Promise<Answer> => service.api('GET', path, { token });

const PASSWORDS = {
  currentPassword: ADMIN_PASSWORD,
  newPassword: 'another password',
  confirmPassword: 'another password',
};

describe('API tokens', () => {
  it('are shown once, and have a prefix and a checksum', async () => {
    const created = await service.api('POST', '/api/api-token', {
      body: { name: ' nightly export ', scopes: ['USER:READ'] },
    });
    expect(created.body).toEqual({
      apiTokenId: expect.any(Number),
      name: 'nightly export',
      prefix: created.body.token.slice(0, 8),
      scopes: ['USER:READ'],
      createdAt: clock.now().toISOString(),
      expiresAt: new Date(clock.now().getTime() + 90 * 24 * 3_600_000).toISOString(),
      lastUsedAt: null,
      lastAddress: null,
      token: expect.stringMatching(/^hyp_[0-9A-Za-z]{38}$/),
    });
    const listed = await service.api('GET', '/api/api-token/all');
    expect(listed.text).not.toContain(created.body.token);
    expect(listed.body).toContainEqual(
      expect.objectContaining({ apiTokenId: created.body.apiTokenId }),
    );
  });

  it('are accepted by REST, GraphQL and both sockets, and show their last use', async () => {
    const { id, token, bearer } = await create(['USER:READ']);
    expect((await get('/api/user/1', bearer)).body.email).toBe(ADMIN_EMAIL);
    const viewer = await service.data('{ users { nodes { email } } }', {}, bearer);
    expect(viewer.users.nodes[0].email).toBe(ADMIN_EMAIL);
    const socket = socketOf(service, bearer);
    const { value: overSocket } = await socket
      .iterate({ query: '{ users { nodes { email } } }' })
      .next();
    expect(overSocket).toEqual({ data: viewer });
    await socket.dispose();
    const stomp = await connectedStomp(service, { token: bearer });
    stomp.connection.terminate();
    const myApiTokens = await service.field(
      '{ myApiTokens { apiTokenId prefix lastUsedAt lastAddress } }',
    );
    expect(myApiTokens).toContainEqual({
      apiTokenId: id,
      prefix: token.slice(0, 8),
      lastUsedAt: clock.now().toISOString(),
      lastAddress: '127.0.0.1',
    });
  });

  it('have no more than their scopes', async () => {
    const { bearer } = await create(['CONNECTION:READ']);
    expect((await get('/api/connection/all', bearer)).status).toBe(200);
    expect((await get('/api/user/all', bearer)).body.message).toBe('ACCESS_DENIED');
    expect(
      await service.status('POST', '/api/category', { token: bearer, body: { name: 'x' } }),
    ).toBe(403);
  });

  it('never have more than their owner at the time of use', async () => {
    const user = await service.userWith(['USER:READ', 'CONNECTION:READ']);
    const { bearer } = await create(['USER:READ', 'CONNECTION:READ'], { by: user.token });
    expect((await get('/api/user/all', bearer)).status).toBe(200);
    await service.api('PUT', `/api/role/${user.groupId}/component`, {
      body: { components: [{ componentId: 1, permissions: ['READ'] }] },
    });
    expect((await get('/api/user/all', bearer)).body.message).toBe('ACCESS_DENIED');
    expect((await get('/api/connection/all', bearer)).status).toBe(200);
    const closeCodes = await openSockets(bearer);
    await service.api('DELETE', `/api/user/${user.id}`);
    expect((await get('/api/connection/all', bearer)).status).toBe(401);
    expect(await closeCodes()).toEqual([4403, 4403]);
  });

  it('lose the scope admin when their owner is no administrator any more', async () => {
    const owner = await service.userWith([]);
    const move = (userGroup: number): Promise<Answer> =>
      service.api('PUT', `/api/user/${owner.id}`, { body: { userGroup } });
    const { groupId: admins } = (await service.field('{ me { group { groupId: databaseId } } }'))
      .group;
    expect((await move(admins)).status).toBe(200);
    const by = await service.login(owner.email, owner.password);
    const { bearer } = await create(['admin'], { by });
    expect((await get('/api/ldap/default/config', bearer)).status).toBe(200);
    expect((await move(owner.groupId)).status).toBe(200);
    expect((await get('/api/ldap/default/config', bearer)).status).toBe(403);
  });

  it('need the scope admin for what only administrators may do', async () => {
    const body = { name: 'Nested', components: [{ componentId: 4, permissions: ['READ'] }] };
    const [plain, admin] = [
      await create(['USERGROUP:CREATE']),
      await create(['USERGROUP:CREATE', 'admin']),
    ];
    const refused = await service.api('POST', '/api/role', { token: plain.bearer, body });
    expect(refused.status).toBe(403);
    const created = await service.api('POST', '/api/role', { token: admin.bearer, body });
    expect(created.status).toBe(201);
  });

  it.each<[string, string, string, object | undefined]>([
    ['create users', 'POST', '/api/user', NEW_USER],
    ['invite users', 'POST', '/api/user/invite', { email: 'new@example.com', userGroup: 1 }],
    ['invite users again', 'POST', '/api/user/1/invite', undefined],
    ['create tokens', 'POST', '/api/api-token', { name: 'x', scopes: ['USER:READ'] }],
    ['revoke tokens', 'DELETE', '/api/api-token/1', undefined],
    ['change their password', 'POST', '/api/user/change-password', PASSWORDS],
    ['set passwords', 'PUT', '/api/user/1/password', { password: 'another password' }],
    ['set passwords with other fields', 'PUT', '/api/user/1', { password: 'another password' }],
    ['change e-mails', 'PUT', '/api/user/1', { email: 'other@example.com' }],
    ['remove passwords', 'DELETE', '/api/user/1/password', undefined],
    ['set up a second factor', 'POST', '/api/second-factor/begin', { password: 'x' }],
    ['confirm a second factor', 'POST', '/api/second-factor/confirm', { code: '123456' }],
    ['disable a second factor', 'POST', '/api/second-factor/disable', { code: '123456' }],
    ['renew recovery codes', 'POST', '/api/second-factor/recovery-codes', { code: '123456' }],
    ['require a second factor', 'PUT', '/api/user/1/totp/enable', undefined],
    ['change second factors', 'PUT', '/api/user/list/totp/disable', { identifiers: [1] }],
    ['remove a second factor', 'PUT', '/api/user/1/totp/disable', undefined],
    ['enable users', 'PUT', '/api/user/1/enable', undefined],
    ['end sessions', 'GET', '/api/user/1/logout', undefined],
    ['sign out', 'POST', '/api/auth/logout', undefined],
  ])('cannot %s', async (_title, method, path, body) => {
    const scopes = ['USER:READ', 'USER:CREATE', 'USER:UPDATE', 'MYPROFILE:UPDATE', 'admin'];
    const { bearer } = await create(scopes);
    const answer = await service.api(method, path, { token: bearer, body });
    expect(answer.body.message).toBe('API_TOKEN_REFUSED');
  });

  it.each<[string, object]>([
    ['apiTokenCreate', { name: 'x', scopes: ['USER:READ'] }],
    ['apiTokenRevoke', { id: '1' }],
    ['ownPasswordChange', PASSWORDS],
    ['userPasswordChange', { id: '1', password: 'another password' }],
    ['userPasswordRemove', { id: '1' }],
    ['userEnable', { id: '1' }],
    ['userInviteAgain', { id: '1' }],
    ['userUpdate', { id: '1', password: 'another password' }],
    ['userUpdate', { id: '1', email: 'other@example.com' }],
    ['secondFactorBegin', { password: 'x' }],
    ['secondFactorConfirm', { code: '123456' }],
    ['secondFactorDisable', { code: '123456' }],
    ['recoveryCodesRenew', { code: '123456' }],
    ['userSecondFactorRequire', { id: '1' }],
    ['userSecondFactorReset', { id: '1' }],
    ['sessionEnd', { sessionId: 'x' }],
    ['userSessionsEnd', { id: '1' }],
  ])('cannot call %s with %j', async (field, input) => {
    const { bearer } = await create(['USER:READ', 'USER:UPDATE', 'MYPROFILE:UPDATE', 'admin']);
    const __type = await service.field(
      '{ __type(name: "Mutation") { fields { name args { type { ofType { name } } } } } }',
    );
    const mutation = __type.fields.find(({ name }: any) => name === field);
    const answer = await service.gql(
      `mutation ($input: ${mutation.args[0].type.ofType.name}!) { ${field}(input: $input) { userErrors { code } } }`,
      { input },
      bearer,
    );
    expect(answer.errors?.[0].extensions).toMatchObject({ reason: 'API_TOKEN_REFUSED' });
  });

  it('end when they expire, and their sockets close', async () => {
    const { bearer } = await create(['USER:READ'], { expiresInDays: 1 });
    clock.forward(24 * 3_600_000 - 1);
    expect((await get('/api/user/1', bearer)).status).toBe(200);
    const closeCodes = await openSockets(bearer);
    clock.forward(1);
    const expired = await get('/api/user/1', bearer);
    const ofToken = expect.stringMatching(/^The API token has expired/);
    expect(expired.body).toMatchObject({ message: 'TOKEN_EXPIRED', error: ofToken });
    const { errors } = await service.gql('{ viewer: users { nodes { email } } }', {}, bearer);
    expect(errors?.[0].message).toEqual(ofToken);
    expect(await closeCodes()).toEqual([4403, 4403]);
  });

  it('are at most a hundred of one user, without the expired ones', async () => {
    const user = await service.userWith(['CONNECTION:READ']);
    const createMany = async (count: number, expiresInDays: number): Promise<void> => {
      for (let i = 0; i < count; i += 1)
        await create(['CONNECTION:READ'], { by: user.token, expiresInDays });
    };
    await createMany(99, 1);
    const [first, second] = await Promise.all(
      [1, 2].map(() =>
        service.api('POST', '/api/api-token', {
          token: user.token,
          body: { name: 'x', scopes: ['CONNECTION:READ'], expiresInDays: 1 },
        }),
      ),
    );
    expect([first.status, second.status].sort()).toEqual([201, 400]);
    const apiTokenCreate = await service.mutate(
      'apiTokenCreate',
      { name: 'x', scopes: ['CONNECTION:READ'] },
      'userErrors { code }',
      user.token,
    );
    expect(apiTokenCreate.userErrors).toEqual([{ code: 'API_TOKEN_LIMIT' }]);
    clock.forward(24 * 3_600_000);
    await createMany(2, 1);
    const listed = await get('/api/api-token/all', user.token);
    expect(listed.body).toHaveLength(102);
  });

  it.each([
    ['no scope', { scopes: [] }, 'API_TOKEN_SCOPE_INVALID'],
    ['an unknown scope', { scopes: ['USER:FLY'] }, 'API_TOKEN_SCOPE_INVALID'],
    ['many unknown scopes', { scopes: MANY_SCOPES }, 'API_TOKEN_SCOPE_INVALID'],
    ['no name', { name: ' ' }, 'NAME_INVALID'],
    ['a long name', { name: 'x'.repeat(101) }, 'NAME_INVALID'],
    ['a name with a line break', { name: 'a\nb' }, 'NAME_INVALID'],
    ['a name with an escape sequence', { name: '\u001b[31mx' }, 'NAME_INVALID'],
    ['an invisible name', { name: '\u200b' }, 'NAME_INVALID'],
    ['a name with a zero byte', { name: '\0' }, 'NAME_INVALID'],
    ['a broken name', { name: '\ud800' }, 'TEXT_INVALID'],
    ['no expiry', { expiresInDays: 0 }, 'BAD_REQUEST'],
    ['a far expiry', { expiresInDays: 366 }, 'BAD_REQUEST'],
    ['an expiry that is no number', { expiresInDays: 'never' }, 'BAD_REQUEST'],
  ])('are refused with %s', async (_title, wrong, code) => {
    const body = { name: 'x', scopes: ['USER:READ'], ...wrong };
    await service.refuses(400, code, 'POST', '/api/api-token', { body });
  });

  it('are refused with a scope that the owner does not have', async () => {
    const { token } = await service.userWith(['USER:READ']);
    const body = { name: 'x', scopes: ['USER:READ', 'USER:DELETE'] };
    await service.refuses(400, 'API_TOKEN_SCOPE_INVALID', 'POST', '/api/api-token', {
      token,
      body,
    });
  });

  it('are rejected at once after they are revoked, and their sockets close', async () => {
    const { id, bearer } = await create(['USER:READ']);
    const closeCodes = await openSockets(bearer);
    expect((await get('/api/user/1', bearer)).status).toBe(200);
    expect(await service.status('DELETE', `/api/api-token/${id}`)).toBe(204);
    expect((await get('/api/user/1', bearer)).body.message).toBe('ACCESS_DENIED');
    expect(await closeCodes()).toEqual([4403, 4403]);
    expect((await service.api('DELETE', `/api/api-token/${id}`)).body.message).toBe(
      'API_TOKEN_NOT_FOUND',
    );
  });

  it('of others are hidden without USER:READ and USER:UPDATE', async () => {
    const { id } = await create(['USER:READ']);
    const [plain, reader] = [await service.userWith([]), await service.userWith(['USER:READ'])];
    const list = (token: string): Promise<Answer> => get('/api/user/1/api-token/all', token);
    expect((await list(plain.token)).status).toBe(403);
    expect((await list(reader.token)).body.length).toBeGreaterThan(0);
    const revoked = await service.api('DELETE', `/api/api-token/${id}`, { token: reader.token });
    expect(revoked.body.message).toBe('API_TOKEN_NOT_FOUND');
  });

  it.each([
    ['another checksum', (token: string) => token.slice(0, -1) + (token.endsWith('a') ? 'b' : 'a')],
    ['other characters', (token: string) => token.replace('hyp_', 'hyp_!')],
    ['more characters', (token: string) => `${token}a`],
  ])('with %s are rejected', async (_title, change) => {
    const { token } = await create(['USER:READ']);
    const answer = await get('/api/user/all', `Bearer ${change(token)}`);
    expect(answer.body.message).toBe('ACCESS_DENIED');
  });
});
