import { codeOf as codeAt } from '../../support/calls/account-calls';
import { ADMIN_EMAIL, ADMIN_PASSWORD, testService, unique } from '../../support/service/harness';
import type { Answer, TestService } from '../../support/service/harness';
import { movingClock } from '../../support/service/moving-clock';

const clock = movingClock();
const service = testService({
  clock,
  env: { HYPHA_SECOND_FACTOR_GROUPS: 'Enforced, ENFORCED later, Missing' },
});
// A code is accepted once: each test uses codes of later time steps.
beforeEach(() => clock.forward(90_000));

const codeOf = (secretKey: string): string => codeAt(secretKey, clock.now().getTime());
const login = (email: string, password: string): Promise<Answer> =>
  service.api('POST', '/login', { token: null, body: { email, password } });
const validate = (sessionId: string, code: string): Promise<Answer> =>
  service.api('POST', '/totp-validate', { token: null, body: { sessionId, code } });

/** Signs a user in whose second factor an administrator has required. */
async function enrolled(): Promise<{
  user: Awaited<ReturnType<TestService['userWith']>>;
  secretKey: string;
  recoveryCodes: string[];
  token: string;
}> {
  const user = await service.userWith(['MYPROFILE:READ']);
  const required = await service.api('PUT', `/api/user/${user.id}/totp/enable`);
  expect(required.status).toBe(200);
  const challenge = await login(user.email, user.password);
  const { sessionId, secretKey } = challenge.body;
  const done = await validate(sessionId, codeOf(secretKey));
  expect(done.status).toBe(200);
  clock.forward(30_000);
  return {
    user,
    secretKey,
    recoveryCodes: done.body.recoveryCodes,
    token: done.headers.get('authorization') ?? '',
  };
}

const LOGIN = `mutation ($input: LoginInput!) { login(input: $input) {
  token user { id } challenge { challengeId enrolment { secretKey } } } }`;

describe('a login with a second factor', () => {
  it('lets a user set up an app, then requires only a code', async () => {
    const user = await service.userWith(['MYPROFILE:READ']);
    await service.api('PUT', `/api/user/${user.id}/totp/enable`);
    const ended = await service.api('GET', `/api/user/${user.id}`, { token: user.token });
    expect(ended.body.message).toBe('ACCESS_DENIED');

    const first = await login(user.email, user.password);
    expect([first.status, first.headers.get('authorization')]).toEqual([200, null]);
    expect(first.body).toEqual({
      sessionId: expect.any(String),
      secretKey: expect.stringMatching(/^[A-Z2-7]{32}$/),
      qr: expect.stringMatching(/^data:image\/png;base64,/),
    });
    const signedIn = await validate(first.body.sessionId, codeOf(first.body.secretKey));
    expect([signedIn.status, signedIn.body.email]).toEqual([200, user.email]);
    expect(signedIn.body.recoveryCodes).toHaveLength(10);
    const token = signedIn.headers.get('authorization');
    const own = await service.api('GET', `/api/user/totp-qr/exists`, { token });
    expect(own.body).toEqual({ result: true });

    const second = await login(user.email, user.password);
    expect(second.body).toEqual({ sessionId: expect.any(String) });
    clock.forward(30_000);
    const again = await validate(second.body.sessionId, codeOf(first.body.secretKey));
    expect([again.status, again.body.recoveryCodes]).toEqual([200, undefined]);
  });

  it('accepts each code once, also of two logins at the same time', async () => {
    const { user, secretKey } = await enrolled();
    const challenges = await Promise.all(
      [1, 2, 3].map(async () => (await login(user.email, user.password)).body.sessionId as string),
    );
    const code = codeOf(secretKey);
    const answers = await Promise.all(challenges.map((id) => validate(id, code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
  });

  it('accepts each recovery code once', async () => {
    const { user, recoveryCodes } = await enrolled();
    const use = async (code: string): Promise<number> =>
      (await validate((await login(user.email, user.password)).body.sessionId, code)).status;
    expect(await use(recoveryCodes[0].toUpperCase().replace('-', ' '))).toBe(200);
    expect(await use(recoveryCodes[0])).toBe(401);
    expect(await use(recoveryCodes[1])).toBe(200);
  });

  it('ends after four wrong codes, and counts them over several logins', async () => {
    const { user, secretKey } = await enrolled();
    const { sessionId } = (await login(user.email, user.password)).body;
    const tried: [number, string][] = [];
    for (let i = 0; i < 5; i += 1) {
      const { status, body } = await validate(sessionId, '000000');
      tried.push([status, body.message]);
    }
    expect(tried.map(([status]) => status)).toEqual([401, 401, 401, 401, 429]);
    const next = (await login(user.email, user.password)).body.sessionId;
    expect((await validate(next, '000000')).status).toBe(401);
    const locked = await validate(next, codeOf(secretKey));
    expect([locked.status, Number(locked.headers.get('retry-after')) > 0]).toEqual([429, true]);
    clock.forward(3_600_000);
    expect(
      (await validate((await login(user.email, user.password)).body.sessionId, codeOf(secretKey)))
        .status,
    ).toBe(200);
  });

  it('counts concurrent codes, also the right one among too many wrong ones', async () => {
    const { user, secretKey } = await enrolled();
    const { sessionId } = (await login(user.email, user.password)).body;
    const codes = [...Array.from({ length: 8 }, () => '000000'), codeOf(secretKey)];
    const answers = await Promise.all(codes.map((code) => validate(sessionId, code)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status !== 429).length).toBeLessThanOrEqual(4);
  });

  it('gives each login another secret, and only the confirmed one opens the account', async () => {
    const user = await service.userWith(['MYPROFILE:READ']);
    await service.api('PUT', `/api/user/${user.id}/totp/enable`);
    const [other, own] = [
      (await login(user.email, user.password)).body,
      (await login(user.email, user.password)).body,
    ];
    expect(other.secretKey).not.toBe(own.secretKey);
    const crossed = await validate(own.sessionId, codeOf(other.secretKey));
    expect(crossed.status).toBe(401);
    expect((await validate(own.sessionId, codeOf(own.secretKey))).status).toBe(200);
    clock.forward(30_000);
    const late = await validate(other.sessionId, codeOf(other.secretKey));
    expect([late.status, late.body.error]).toEqual([401, expect.stringContaining('has ended')]);
    const next = (await login(user.email, user.password)).body.sessionId;
    expect((await validate(next, codeOf(other.secretKey))).status).toBe(401);
    expect((await validate(next, codeOf(own.secretKey))).status).toBe(200);
  });

  it('ends when the password changes, and sets up no app then', async () => {
    const user = await service.userWith(['MYPROFILE:READ']);
    await service.api('PUT', `/api/user/${user.id}/totp/enable`);
    const { sessionId, secretKey } = (await login(user.email, user.password)).body;
    const password = 'another good password';
    const changed = await service.api('PUT', `/api/user/${user.id}`, { body: { password } });
    expect(changed.status).toBe(200);
    const late = await validate(sessionId, codeOf(secretKey));
    expect([late.status, late.body.error]).toEqual([401, expect.stringContaining('has ended')]);
    const next = (await login(user.email, password)).body;
    expect((await validate(next.sessionId, codeOf(next.secretKey))).status).toBe(200);
  });

  it('is confirmed by one of two logins that set up an app at the same time', async () => {
    const user = await service.userWith(['MYPROFILE:READ']);
    await service.api('PUT', `/api/user/${user.id}/totp/enable`);
    const begun = await Promise.all([1, 2].map(() => login(user.email, user.password)));
    const confirmed = await Promise.all(
      begun.map(({ body }) => validate(body.sessionId, codeOf(body.secretKey))),
    );
    expect(confirmed.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  it.each([
    ['an unknown login', 'a8098c1a-f86e-11da-bd1a-00112444be1e', '123456'],
    ['no login', '', ''],
    ['a huge code', 'a8098c1a-f86e-11da-bd1a-00112444be1e', '1'.repeat(50_000)],
  ])('refuses %s', async (_title, sessionId, code) => {
    const answer = await validate(sessionId, code);
    expect([answer.status, answer.headers.get('authorization')]).toEqual([401, null]);
  });

  it('refuses a login that is older than ten minutes', async () => {
    const { user, secretKey } = await enrolled();
    const { sessionId } = (await login(user.email, user.password)).body;
    clock.forward(10 * 60_000);
    expect((await validate(sessionId, codeOf(secretKey))).status).toBe(401);
  });

  it('gives the same over GraphQL', async () => {
    const { user, secretKey } = await enrolled();
    const challenged = await service.field(
      LOGIN,
      { input: { email: user.email, password: user.password } },
      null,
    );
    expect(challenged).toEqual({
      token: null,
      user: null,
      challenge: { challengeId: expect.any(String), enrolment: null },
    });
    const loginConfirm = await service.mutate(
      'loginConfirm',
      { challengeId: challenged.challenge.challengeId, code: codeOf(secretKey) },
      'token user { email } recoveryCodes',
      null,
    );
    expect(loginConfirm).toEqual({
      token: expect.any(String),
      user: { email: user.email },
      recoveryCodes: null,
    });
  });

  it('gives each login another secret over GraphQL', async () => {
    const user = await service.userWith(['MYPROFILE:READ']);
    await service.api('PUT', `/api/user/${user.id}/totp/enable`);
    const input = { email: user.email, password: user.password };
    const begin = async () => (await service.field(LOGIN, { input }, null)).challenge;
    const [other, own] = [await begin(), await begin()];
    const confirm = async ({ challengeId }: { challengeId: string }, code: string) =>
      service.mutate(
        'loginConfirm',
        { challengeId, code },
        'token recoveryCodes userErrors { code path retryAfter }',
        null,
      );
    const failed = (code: string, path: string[], retryAfter: number | null = null) => ({
      token: null,
      recoveryCodes: null,
      userErrors: [{ code, path, retryAfter }],
    });
    const third = await begin();
    for (let failures = 0; failures < 4; failures += 1)
      expect(await confirm(third, 'wrong')).toEqual(failed('SECOND_FACTOR_INVALID', ['code']));
    expect(await confirm(third, 'wrong')).toEqual(failed('TOO_MANY_ATTEMPTS', [], 600));
    expect((await confirm(own, codeOf(own.enrolment.secretKey))).recoveryCodes).toHaveLength(10);
    clock.forward(30_000);
    expect(await confirm(other, codeOf(other.enrolment.secretKey))).toEqual(
      failed('LOGIN_ENDED', ['challengeId']),
    );
  });
});

describe('members of a group that needs a second factor', () => {
  it('set one up at login and cannot remove it', async () => {
    const group = await service.api('POST', '/api/role', {
      body: { name: 'Enforced', components: [] },
    });
    const email = `${unique('member')}@example.com`;
    const password = 'a good password';
    await service.api('POST', '/api/user', {
      body: {
        email,
        password,
        userGroup: group.body.enhanceId ?? group.body.groupId,
        userDetail: {},
      },
    });
    const state = async (): Promise<string> => {
      const users = await service.field(
        'query ($email: String!) { users(filter: { email: { eq: $email } }) { nodes { secondFactor } } }',
        { email },
      );
      return users.nodes[0].secondFactor;
    };
    expect(await state()).toBe('PENDING');
    const { sessionId, secretKey } = (await login(email, password)).body;
    expect(secretKey).toEqual(expect.any(String));
    const signedIn = await validate(sessionId, codeOf(secretKey));
    expect(await state()).toBe('ON');
    const token = signedIn.headers.get('authorization');
    clock.forward(30_000);
    await service.refuses(400, 'SECOND_FACTOR_REQUIRED', 'POST', '/api/second-factor/disable', {
      token,
      body: { code: codeOf(secretKey) },
    });
  });
});

describe('a session of a user without a second factor', () => {
  const groupNamed = async (name: string): Promise<number> =>
    (await service.api('POST', '/api/role', { body: { name, components: [] } })).body.enhanceId;
  const memberOf = async (userGroup: number) => {
    const [email, password] = [`${unique('member')}@example.com`, 'a good password'];
    const body = { email, password, userGroup, userDetail: {} };
    const { enhanceId: id } = await service.body('POST', '/api/user', { body });
    return { id, email, password, token: await service.login(email, password) };
  };
  const stateOf = (token: string | null): Promise<number> =>
    service.status('GET', '/api/user/totp-qr/exists', { token });

  it.each([
    [
      'the user joins a group that needs one',
      async (userId: number) => {
        const userGroup = await groupNamed('enforced LATER');
        await service.api('PUT', `/api/user/${userId}/userGroup`, { body: { userGroup } });
        return userGroup;
      },
    ],
    [
      'the group gets a name that needs one',
      async (_userId: number, groupId: number) => {
        await service.api('PUT', `/api/role/${groupId}`, {
          body: { name: 'Enforced Later', components: [] },
        });
        return groupId;
      },
    ],
  ])('is not accepted once %s', async (_title, change) => {
    const groupId = await groupNamed(unique('Plain '));
    const user = await memberOf(groupId);
    expect(await stateOf(user.token)).toBe(200);
    const changed = await change(user.id, groupId);
    expect(await stateOf(user.token)).toBe(401);
    const { sessionId, secretKey } = (await login(user.email, user.password)).body;
    const signedIn = await validate(sessionId, codeOf(secretKey));
    expect(await stateOf(signedIn.headers.get('authorization'))).toBe(200);
    await service.api('PUT', `/api/role/${changed}`, {
      body: { name: unique('Former '), components: [] },
    });
  });

  it('is not affected by a name of the configuration without a group, which is logged', () => {
    expect(service.logs.filter(({ group }) => group === 'Missing')).toHaveLength(1);
  });
});

describe('users', () => {
  it('turn their own second factor on and off', async () => {
    const user = await service.userWith(['MYPROFILE:READ']);
    const call = (path: string, body: object): Promise<Answer> =>
      service.api('POST', `/api/second-factor/${path}`, { token: user.token, body });
    expect((await call('begin', { password: 'wrong' })).body.message).toBe('WRONG_PASSWORD');
    const { secretKey, uri } = (await call('begin', { password: user.password })).body;
    expect(uri).toMatch(/^otpauth:\/\/totp\/hypha:/);
    // Without effect until a code is entered.
    expect((await login(user.email, user.password)).headers.get('authorization')).not.toBeNull();
    expect((await call('confirm', { code: '000000' })).body.message).toBe('SECOND_FACTOR_INVALID');
    const confirmed = await call('confirm', { code: codeOf(secretKey) });
    expect(confirmed.body.recoveryCodes).toHaveLength(10);
    expect((await login(user.email, user.password)).headers.get('authorization')).toBeNull();

    const [code] = confirmed.body.recoveryCodes;
    const renewed = await call('recovery-codes', { code });
    expect(renewed.body.recoveryCodes).toHaveLength(10);
    expect((await call('disable', { code })).body.message).toBe('SECOND_FACTOR_INVALID');
    expect((await call('disable', { code: renewed.body.recoveryCodes[9] })).status).toBe(204);
    expect((await login(user.email, user.password)).headers.get('authorization')).not.toBeNull();
  });

  it('keep the session that turns it on, and of the others those that have it', async () => {
    const user = await service.userWith(['MYPROFILE:READ']);
    const turnOn = async (token: string): Promise<string> => {
      const body = { password: user.password };
      const begun = await service.api('POST', '/api/second-factor/begin', { token, body });
      const code = codeOf(begun.body.secretKey);
      await service.api('POST', '/api/second-factor/confirm', { token, body: { code } });
      clock.forward(30_000);
      return begun.body.secretKey;
    };
    const statusOf = (token: string): Promise<number> =>
      service.status('GET', '/api/user/totp-qr/exists', { token });
    const withoutCode = await service.login(user.email, user.password);
    const secretKey = await turnOn(user.token);
    expect(await statusOf(withoutCode)).toBe(401);
    expect(await statusOf(user.token)).toBe(200);

    const { sessionId } = (await login(user.email, user.password)).body;
    const signedIn = await validate(sessionId, codeOf(secretKey));
    const withCode = signedIn.headers.get('authorization') ?? '';
    clock.forward(30_000);
    const disabled = await service.data(
      `mutation ($input: SecondFactorCodeInput!) { secondFactorDisable(input: $input) {
        userErrors { code } } }`,
      { input: { code: codeOf(secretKey) } },
      withCode,
    );
    expect(disabled.secondFactorDisable.userErrors).toEqual([]);
    const another = await service.login(user.email, user.password);
    await turnOn(withCode);
    expect(await statusOf(another)).toBe(401);
    expect([await statusOf(user.token), await statusOf(withCode)]).toEqual([200, 200]);
  });

  it('cannot change the second factor of users with more rights, nor their own as administrators', async () => {
    const manager = await service.userWith(['USER:UPDATE']);
    const refused = await service.api('PUT', '/api/user/1/totp/disable', { token: manager.token });
    expect(refused.status).toBe(403);
    const own = await service.api('PUT', '/api/user/1/totp/enable');
    expect(own.body.message).toBe('SECOND_FACTOR_OWN');
  });

  it('are unchanged when one of a list does not exist', async () => {
    const { user } = await enrolled();
    const answer = await service.api('PUT', '/api/user/list/totp/disable', {
      body: { identifiers: [user.id, 987_654] },
    });
    expect(answer.body.message).toBe('USER_NOT_EXIST');
    expect((await login(user.email, user.password)).headers.get('authorization')).toBeNull();
  });

  it('sign in with the password alone after an administrator removed the second factor', async () => {
    const { user } = await enrolled();
    const userSecondFactorReset = await service.mutate(
      'userSecondFactorReset',
      { id: String(user.id) },
      'user { secondFactor } userErrors { code }',
    );
    expect(userSecondFactorReset).toEqual({ user: { secondFactor: 'OFF' }, userErrors: [] });
    expect((await login(user.email, user.password)).headers.get('authorization')).not.toBeNull();
    expect((await login(ADMIN_EMAIL, ADMIN_PASSWORD)).status).toBe(200);
  });
});
