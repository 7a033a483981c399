import { decode, sign } from 'jsonwebtoken';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ADMIN_EMAIL, ADMIN_PASSWORD, startService } from '../../support/service/harness';
import type { Answer, TestService } from '../../support/service/harness';
import { movingClock } from '../../support/service/moving-clock';
import type { MovingClock } from '../../support/service/moving-clock';

const ACTIVITY_SECONDS = 3_600;
const EXPIRATION_SECONDS = 10_000;

let clock: MovingClock;
let service: TestService;
/** A session of the administrator that no test ends. */
let admin: string;

beforeAll(async () => {
  clock = movingClock();
  service = await startService({
    clock,
    env: {
      HYPHA_TRUSTED_PROXIES: 'loopback',
      HYPHA_TOKEN_ACTIVITY_TIME: String(ACTIVITY_SECONDS),
      HYPHA_TOKEN_EXPIRATION_TIME: String(EXPIRATION_SECONDS),
    },
  });
  admin = service.adminToken;
});
afterAll(() => service.close());

const loginWith = (
  body: unknown,
  headers: Record<string, string> = {},
  path = '/login',
): Promise<Answer> => service.api('POST', path, { token: null, body, headers });
const from = (address: string) => ({ 'x-forwarded-for': address });
const member = () =>
  service.userWith(['MYPROFILE:READ', 'MYPROFILE:UPDATE', 'MYPROFILE:CREATE', 'MYPROFILE:DELETE']);
const status = (token: string, id: number): Promise<number> =>
  service.status('GET', `/api/user/${id}`, { token });

describe('the login', () => {
  it.each(['/login', '/api/login'])(
    'answers %s with the user, and with the token in a header',
    async (path) => {
      const answer = await loginWith(
        { email: ADMIN_EMAIL, password: ADMIN_PASSWORD },
        { origin: service.url },
        path,
      );
      expect(answer.status).toBe(200);
      expect(answer.headers.get('authorization')).toMatch(/^Bearer [\w-]+\.[\w-]+\.[\w-]+$/);
      expect(answer.headers.get('access-control-expose-headers')).toMatch(/Authorization/i);
      expect(answer.body).toMatchObject({
        enhanceId: 1,
        email: ADMIN_EMAIL,
        userGroup: [{ enhanceId: 1, name: 'Admin' }],
        userDetail: { profilePicture: null },
      });
      expect(answer.text).not.toContain('assword');
    },
  );

  it('accepts `username` for `email`, and both in any case with blanks around them', async () => {
    expect((await loginWith({ username: ADMIN_EMAIL, password: ADMIN_PASSWORD })).status).toBe(200);
    expect(
      (
        await loginWith({
          email: `  ${ADMIN_EMAIL.toUpperCase()} `,
          password: ADMIN_PASSWORD,
          extra: true,
        })
      ).status,
    ).toBe(200);
  });

  it('issues a token with the claims that installed clients read', async () => {
    const token = await service.login(ADMIN_EMAIL, ADMIN_PASSWORD);
    const { header, payload } = decode(token.slice('Bearer '.length), { complete: true }) as any;
    expect(header.alg).toBe('HS256');
    expect(payload).toEqual({
      sub: ADMIN_EMAIL,
      userId: 1,
      role: 'Admin',
      sessionTime: ACTIVITY_SECONDS * 1000,
      iat: Math.floor(clock.now().getTime() / 1000),
      exp: payload.iat + EXPIRATION_SECONDS,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  it('answers a wrong password and an unknown user alike', async () => {
    const wrong = await loginWith({ email: ADMIN_EMAIL, password: 'not the password' });
    const unknown = await loginWith({ email: 'nobody@hypha.test', password: 'not the password' });
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    expect(wrong.body).toEqual({
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+0000$/),
      status: 401,
      error: expect.any(String),
      message: 'ACCESS_DENIED',
      success: 'false',
      path: '/login',
    });
    expect({ ...unknown.body, timestamp: null }).toEqual({ ...wrong.body, timestamp: null });
    expect(wrong.headers.get('authorization')).toBeNull();
  });

  it.each([
    [{}],
    [{ email: ADMIN_EMAIL }],
    [{ email: ADMIN_EMAIL, password: '' }],
    [{ email: '', password: ADMIN_PASSWORD }],
    [{ email: null, password: null }],
  ])('rejects %j', async (body) => {
    const answer = await loginWith(body, from('198.51.100.9'));
    expect([answer.status, answer.body.message]).toEqual([401, 'ACCESS_DENIED']);
  });

  it.each([
    [[]],
    [{ email: { $ne: '' }, password: { $ne: '' } }],
    [{ email: ADMIN_EMAIL, password: 7 }],
    ['"text"'],
    ['{'],
  ])('reports %j as malformed', async (body) => {
    const answer = await loginWith(body);
    expect([answer.status, answer.body.message]).toEqual([400, 'BAD_REQUEST']);
  });

  it('is available in GraphQL', async () => {
    const answer = await service.gql(
      'mutation ($input: LoginInput!) { login(input: $input) { token user { email group { name } } session { sessionId current } userErrors { code } } }',
      { input: { email: ADMIN_EMAIL, password: ADMIN_PASSWORD } },
      null,
    );
    expect(answer.errors).toBeUndefined();
    const { token, user } = answer.data.login;
    expect(user).toEqual({ email: ADMIN_EMAIL, group: { name: 'Admin' } });
    expect(answer.headers.get('authorization')).toBe(`Bearer ${token}`);
    expect(await status(`Bearer ${token}`, 1)).toBe(200);

    const wrong = await service.mutate(
      'login',
      { email: ADMIN_EMAIL, password: 'not the password' },
      'token user { email } userErrors { code path retryAfter }',
      null,
    );
    expect(wrong).toEqual({
      token: null,
      user: null,
      userErrors: [{ code: 'CREDENTIALS_WRONG', path: [], retryAfter: null }],
    });
  });

  it('logs neither passwords nor tokens', () => {
    const log = JSON.stringify(service.logs);
    expect(log).not.toContain(ADMIN_PASSWORD);
    expect(log).not.toContain(admin.slice('Bearer '.length));
  });

  it('stores the generated secret readable by its owner only', () => {
    const file = join(service.dataDir, 'token-secret');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8').length).toBeGreaterThanOrEqual(32);
  });
});

describe('a session', () => {
  it.each(['/auth/logout', '/api/auth/logout'])('ends with POST %s', async (path) => {
    const { token, id, email, password } = await member();
    const other = await service.login(email, password);
    expect(await service.status('POST', path, { token })).toBe(204);
    await service.refuses(401, 'ACCESS_DENIED', 'GET', '/api/permission/all', { token });
    expect(await status(other, id)).toBe(200);
  });

  it('ends with all others of the user at GET /user/{id}/logout for the user or with USER:UPDATE', async () => {
    const user = await member();
    const second = await service.login(user.email, user.password);
    expect(await service.status('GET', `/api/user/${user.id}/logout`, { token: second })).toBe(200);
    expect(await status(user.token, user.id)).toBe(500);
    expect(await status(second, user.id)).toBe(500);

    const outsider = await member();
    const victim = await member();
    expect(
      await service.status('GET', `/api/user/${victim.id}/logout`, { token: outsider.token }),
    ).toBe(403);
    expect(await status(victim.token, victim.id)).toBe(200);
    expect(await service.status('GET', `/api/user/${victim.id}/logout`, { token: admin })).toBe(
      200,
    );
    expect(await status(victim.token, victim.id)).toBe(500);
    await service.refuses(404, 'SESSION_NOT_EXIST', 'GET', `/api/user/${victim.id}/logout`, {
      token: admin,
    });
    await service.refuses(500, 'USER_NOT_EXIST', 'GET', '/api/user/999999/logout', {
      token: admin,
    });
  });

  it('is listed for its user, who can end each', async () => {
    const user = await member();
    const second = await service.login(user.email, user.password);
    const list = (token: string): Promise<{ sessionId: string; current: boolean }[]> =>
      service.field('{ mySessions { sessionId current userAgent address } }', {}, token);
    const sessions = await list(second);
    expect(sessions.map(({ current }) => current).sort()).toEqual([false, true]);
    const first = sessions.find(({ current }) => !current);

    const END =
      'mutation ($id: ID!) { sessionEnd(input: { sessionId: $id }) { session { sessionId } userErrors { code } } }';
    const outsider = await member();
    const refusal = await service.data(END, { id: first?.sessionId }, outsider.token);
    expect(refusal.sessionEnd).toEqual({
      session: null,
      userErrors: [{ code: 'SESSION_NOT_EXIST' }],
    });
    expect(await status(user.token, user.id)).toBe(200);

    expect((await service.field(END, { id: first?.sessionId }, second)).userErrors).toEqual([]);
    expect(await status(user.token, user.id)).toBe(500);
    expect(await list(second)).toHaveLength(1);

    for (let more = 0; more < 3; more++) await service.login(user.email, user.password);
    const youngest = (first: number): Promise<object[]> =>
      service.field(
        'query ($first: Int) { mySessions(first: $first) { sessionId } }',
        { first },
        second,
      );
    const four = await youngest(4);
    expect(four).toHaveLength(4);
    expect(await youngest(2)).toEqual(four.slice(0, 2));
    expect(
      (await service.gql('{ mySessions(first: 101) { sessionId } }', {}, second)).errors?.[0]
        ?.extensions.code,
    ).toBe('BAD_USER_INPUT');

    const LOGOUT =
      'mutation ($input: LogoutInput) { logout(input: $input) { sessionId userErrors { code path } } }';
    const logout = (input: unknown, token = second): Promise<any> =>
      service.field(LOGOUT, { input }, token);
    const [another] = (await list(second)).filter(({ current }) => !current);
    const none = {
      sessionId: null,
      userErrors: [{ code: 'SESSION_NOT_EXIST', path: ['sessionId'] }],
    };
    for (const sessionId of [another?.sessionId, 'nobody', ''])
      expect(await logout({ sessionId }, outsider.token)).toEqual(none);
    expect(await logout({ sessionId: another?.sessionId })).toEqual({
      sessionId: another?.sessionId,
      userErrors: [],
    });
    expect(await logout({ sessionId: another?.sessionId })).toEqual(none);
    expect((await list(second)).map(({ sessionId }) => sessionId)).not.toContain(
      another?.sessionId,
    );

    for (const input of [undefined, null, {}, { sessionId: null }]) {
      const token = await service.login(user.email, user.password);
      const [{ sessionId }] = (await list(token)).filter(({ current }) => current);
      expect(await logout(input, token)).toEqual({ sessionId, userErrors: [] });
      expect((await service.gql('{ me { email } }', {}, token)).errors?.[0]?.extensions.code).toBe(
        'UNAUTHENTICATED',
      );
    }
    expect(
      (await service.field('mutation { logout { sessionId userErrors { code } } }', {}, second))
        .userErrors,
    ).toEqual([]);
    expect((await service.gql('{ me { email } }', {}, second)).errors?.[0]?.extensions.code).toBe(
      'UNAUTHENTICATED',
    );
  });

  it.each<[string, string[], string[] | 'Admin', boolean]>([
    ['an administrator', ['USER:UPDATE', 'USER:READ'], 'Admin', false],
    [
      'a user with one permission more',
      ['USER:UPDATE', 'USER:READ'],
      ['USER:READ', 'DASHBOARD:READ'],
      false,
    ],
    [
      'a user with the same permissions',
      ['USER:UPDATE', 'USER:READ'],
      ['USER:UPDATE', 'USER:READ'],
      true,
    ],
    ['a user without permissions', ['USER:UPDATE'], [], true],
  ])(
    'of %s is ended by a user manager only if they hold as much',
    async (_whose, managed, held, may) => {
      const manager = await service.userWith(managed);
      const { id, email, password } =
        held === 'Admin'
          ? { id: 1, email: ADMIN_EMAIL, password: ADMIN_PASSWORD }
          : await service.userWith(held);
      const END_ONE =
        'mutation ($id: ID!) { sessionEnd(input: { sessionId: $id }) { userErrors { code } } }';
      const END_ALL =
        'mutation ($id: ID!) { userSessionsEnd(input: { id: $id }) { userErrors { code } } }';
      for (const end of [
        (_token: string) => service.api('GET', `/api/user/${id}/logout`, { token: manager.token }),
        (_token: string) =>
          service.api('POST', '/graphql', {
            token: manager.token,
            body: { query: END_ALL, variables: { id } },
          }),
        (token: string) =>
          service.api('POST', '/graphql', {
            token: manager.token,
            body: { query: END_ONE, variables: { id: (decode(token.slice(7)) as any).jti } },
          }),
      ]) {
        const token = await service.login(email, password);
        const { status: code, body } = await end(token);
        const isRefused = code === 403 || body.errors?.[0].extensions.code === 'FORBIDDEN';
        expect([
          isRefused,
          (await service.gql('{ me { email } }', {}, token)).errors === undefined,
        ]).toEqual([!may, !may]);
      }
    },
  );

  it('survives its own password change, which ends the others of the user', async () => {
    const user = await member();
    const other = await service.login(user.email, user.password);
    const changed = await service.api('PUT', `/api/user/${user.id}/password`, {
      token: user.token,
      body: { enhanceId: user.id, email: user.email, password: 'a new password' },
    });
    expect([changed.status, changed.text]).toEqual([200, '']);
    expect(await status(user.token, user.id)).toBe(200);
    expect(await status(other, user.id)).toBe(500);
    expect((await loginWith({ email: user.email, password: user.password })).status).toBe(401);
    const again = await service.login(user.email, 'a new password');

    await service.api('PUT', `/api/user/${user.id}/password`, {
      token: admin,
      body: { password: 'set by somebody else' },
    });
    expect(await status(user.token, user.id)).toBe(500);
    expect(await status(again, user.id)).toBe(500);
  });

  it('never survives a password change that is concurrent with its login', async () => {
    const user = await member();
    for (let round = 0; round < 5; round++) {
      const before = round === 0 ? user.password : `password ${round}`;
      const [login] = await Promise.all([
        loginWith({ email: user.email, password: before }),
        service.api('PUT', `/api/user/${user.id}/password`, {
          token: admin,
          body: { password: `password ${round + 1}` },
        }),
      ]);
      const token = login.headers.get('authorization');
      if (token) expect(await status(token, user.id)).toBe(500);
    }
  });

  it('loses permissions with a change of its group, at the next request', async () => {
    const reader = await service.userWith(['USER:READ']);
    expect(await service.status('GET', '/api/user/all', { token: reader.token })).toBe(200);
    expect(
      await service.status('PUT', `/api/role/${reader.groupId}/component`, {
        token: admin,
        body: { components: [] },
      }),
    ).toBe(200);
    expect(await service.status('GET', '/api/user/all', { token: reader.token })).toBe(500);
    expect(
      await service.status('PUT', `/api/user/${reader.id}/userGroup`, {
        token: admin,
        body: { enhanceId: String(reader.id), userGroup: 1 },
      }),
    ).toBe(201);
    expect(await service.status('GET', '/api/user/all', { token: reader.token })).toBe(200);
    expect(await service.status('DELETE', `/api/user/${reader.id}`, { token: admin })).toBe(204);
    expect(await service.status('GET', '/api/role/all', { token: reader.token })).toBe(401);
  });
});

describe('a token', () => {
  const claims = () => ({
    sub: ADMIN_EMAIL,
    userId: 1,
    role: 'Admin',
    sessionTime: 1,
    jti: (decode(admin.slice(7)) as any).jti as string,
    iat: Math.floor(clock.now().getTime() / 1000),
    exp: Math.floor(clock.now().getTime() / 1000) + 100,
  });
  const secret = () => readFileSync(join(service.dataDir, 'token-secret'), 'utf8').trim();
  const denied = async (token: string): Promise<void> => {
    await service.refuses(401, 'ACCESS_DENIED', 'GET', '/api/role/all', {
      token: `Bearer ${token}`,
    });
  };

  it('with the secret and shape of the service works', async () => {
    const token = sign(claims(), secret(), { algorithm: 'HS256' });
    expect(await service.status('GET', '/api/role/all', { token: `Bearer ${token}` })).toBe(200);
  });

  it.each(['HS384', 'HS512'] as const)('signed with %s is rejected', async (algorithm) =>
    denied(sign(claims(), secret(), { algorithm })),
  );

  it('without a signature is rejected', async () => {
    await denied(sign(claims(), '', { algorithm: 'none' }));
    await denied(
      `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify(claims())).toString('base64url')}.`,
    );
  });

  it('with another secret, an unknown session, another user or a malformed text is rejected', async () => {
    await denied(sign(claims(), 'x'.repeat(40), { algorithm: 'HS256' }));
    await denied(sign({ ...claims(), jti: 'no-such-session' }, secret()));
    await denied(sign({ ...claims(), userId: 4711 }, secret()));
    await denied('garbage');
    await denied('');
    await denied('a'.repeat(7_000));
  });

  it.each(['jti', 'exp', 'sub', 'userId'] as const)('without %s is rejected', async (claim) => {
    const { [claim]: _left, ...rest } = claims();
    await denied(sign(rest, secret(), { algorithm: 'HS256' }));
  });

  it('with another header is rejected', async () => {
    const token = admin.slice('Bearer '.length);
    for (const header of [`Basic ${token}`, `Token ${token}`, `Bearer ${token} ${token}`]) {
      expect(await service.status('GET', '/api/role/all', { token: header })).toBe(401);
    }
  });
});

describe('a REST body without a valid token', () => {
  const LIMIT = 64 * 1_024;
  const sent = async (path: string, bytes: number, token: string | null): Promise<unknown[]> => {
    const body = JSON.stringify({ email: ADMIN_EMAIL, password: 'wrong' }).padEnd(bytes);
    const answer = await service.api('POST', path, { body, token });
    return [answer.status, answer.body.message];
  };

  it.each(['/login', '/api/login'])('has at most 64 KiB at %s', async (path) => {
    expect(await sent(path, LIMIT, null)).toEqual([401, expect.not.stringMatching(/PAYLOAD/)]);
    expect(await sent(path, LIMIT + 1, null)).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  it('is refused for its session, however large it is', async () => {
    const { token } = await service.userWith([]);
    await service.api('POST', '/auth/logout', { token });
    expect((await sent('/api/user', 2 * 1_024 * 1_024, token))[0]).toBe(401);
    expect((await sent('/api/user', 2 * 1_024 * 1_024, admin))[0]).toBe(413);
  });
});
