import { Secret, TOTP } from 'otpauth';
import { startService, unique } from '../service/harness';
import type { Answer, TestService } from '../service/harness';
import type { Call, Calls } from './rest-calls';

/** The code that an authenticator app shows at a time, ms. */
export const codeOf = (secretKey: string, timestamp = Date.now()): string =>
  new TOTP({ secret: Secret.fromBase32(secretKey) }).generate({ timestamp });

const WRONG = '000000';
const NEW_TOKEN = { name: 'described', scopes: ['USER:READ', 'USER:UPDATE'], expiresInDays: 30 };

/** Users with and without a second factor. */
export function accounts(service: TestService) {
  const call = (token: string, path: string, body: object): Promise<any> =>
    service.api('POST', path, { token, body }).then((answer) => answer.body);
  /** A user who has begun to set up an app. */
  const begun = async (grants: readonly string[] = []) => {
    const user = await service.userWith(grants);
    const { secretKey } = await call(user.token, '/api/second-factor/begin', {
      password: user.password,
    });
    return { ...user, secretKey: secretKey as string };
  };
  /** A user with a second factor, and its unused recovery codes. */
  const protectedUser = async (grants: readonly string[] = []) => {
    const user = await begun(grants);
    const { recoveryCodes } = await call(user.token, '/api/second-factor/confirm', {
      code: codeOf(user.secretKey),
    });
    return { ...user, recoveryCodes: recoveryCodes as string[] };
  };
  /** A login that waits for its code. */
  const challenge = async () => {
    const user = await protectedUser();
    const { email, password, recoveryCodes } = user;
    const { body } = await service.api('POST', '/login', {
      token: null,
      body: { email, password },
    });
    return { sessionId: body.sessionId as string, code: recoveryCodes[0] };
  };
  const apiToken = async (): Promise<{ apiTokenId: number; token: string }> =>
    (await service.api('POST', '/api/api-token', { body: NEW_TOKEN })).body;
  return { begun, protectedUser, challenge, apiToken };
}

/** Successful requests for API tokens and second factors. */
export function accountCalls(service: TestService): Calls {
  const { begun, protectedUser, challenge, apiToken } = accounts(service);
  const validate = (path: string) => async (): Promise<Call> => ({
    path,
    token: null,
    body: await challenge(),
  });
  const withCode = (path: string) => async (): Promise<Call> => {
    const { token, recoveryCodes } = await protectedUser();
    return { path, token, body: { code: recoveryCodes[0] } };
  };
  return {
    'GET /api/api-token/all': () => ({ path: '/api/api-token/all' }),
    'POST /api/api-token': () => ({ path: '/api/api-token', body: NEW_TOKEN }),
    'GET /api/api-token/{id}': async () => ({
      path: `/api/api-token/${(await apiToken()).apiTokenId}`,
    }),
    'DELETE /api/api-token/{id}': async () => ({
      path: `/api/api-token/${(await apiToken()).apiTokenId}`,
    }),
    'GET /api/user/{id}/api-token/all': () => ({ path: '/api/user/1/api-token/all' }),
    'POST /totp-validate': validate('/totp-validate'),
    'POST /api/totp-validate': validate('/api/totp-validate'),
    'GET /api/user/totp-qr/exists': () => ({ path: '/api/user/totp-qr/exists' }),
    'POST /api/second-factor/begin': async () => {
      const { token, password } = await service.userWith([]);
      return { path: '/api/second-factor/begin', token, body: { password } };
    },
    'POST /api/second-factor/confirm': async () => {
      const { token, secretKey } = await begun();
      return { path: '/api/second-factor/confirm', token, body: { code: codeOf(secretKey) } };
    },
    'POST /api/second-factor/recovery-codes': withCode('/api/second-factor/recovery-codes'),
    'POST /api/second-factor/disable': withCode('/api/second-factor/disable'),
    'PUT /api/user/{id}/totp/{action}': async () => ({
      path: `/api/user/${(await service.userWith([])).id}/totp/enable`,
    }),
    'PUT /api/user/list/totp/{action}': async () => ({
      path: '/api/user/list/totp/disable',
      body: { identifiers: [(await service.userWith([])).id] },
    }),
  };
}

type Refuse = (method: string, described: string, call: Call) => Promise<[number, string]>;

/** Provokes every failure of the operations for API tokens and second factors. */
export async function accountRefusals(service: TestService, refusal: Refuse): Promise<void> {
  const { begun, protectedUser, challenge, apiToken } = accounts(service);
  const bearer = `Bearer ${(await apiToken()).token}`;
  const refused = async (
    described: string,
    call: Omit<Call, 'path'> & { readonly path?: string },
    expected: readonly [number, string],
  ): Promise<void> => {
    const [method, path] = described.split(' ');
    expect([described, ...(await refusal(method, path, { path, ...call }))]).toEqual([
      described,
      ...expected,
    ]);
  };

  const create = 'POST /api/api-token';
  await refused(create, { token: bearer, body: NEW_TOKEN }, [403, 'API_TOKEN_REFUSED']);
  for (const [wrong, code] of [
    [{ scopes: [] }, 'API_TOKEN_SCOPE_INVALID'],
    [{ name: '' }, 'NAME_INVALID'],
    [{ name: '\ud800' }, 'TEXT_INVALID'],
  ] as const)
    await refused(create, { body: { ...NEW_TOKEN, ...wrong } }, [400, code]);
  const owner = await service.userWith(['USER:READ', 'USER:UPDATE']);
  for (let i = 0; i < 100; i += 1)
    await service.api('POST', '/api/api-token', { token: owner.token, body: NEW_TOKEN });
  await refused(create, { token: owner.token, body: NEW_TOKEN }, [400, 'API_TOKEN_LIMIT']);
  const missing = { path: '/api/api-token/4711' };
  await refused('GET /api/api-token/{id}', missing, [404, 'API_TOKEN_NOT_FOUND']);
  const revoke = 'DELETE /api/api-token/{id}';
  await refused(revoke, missing, [404, 'API_TOKEN_NOT_FOUND']);
  await refused(revoke, { path: '/api/api-token/1', token: bearer }, [403, 'API_TOKEN_REFUSED']);

  for (const path of ['/totp-validate', '/api/totp-validate']) {
    const body = { ...(await challenge()), code: WRONG };
    await refused(`POST ${path}`, { token: null, body }, [401, 'ACCESS_DENIED']);
    const foreign = { Origin: 'https://elsewhere.example' };
    await refused(`POST ${path}`, { token: null, body, headers: foreign }, [403, 'ACCESS_DENIED']);
    for (let i = 0; i < 3; i += 1) await service.api('POST', path, { token: null, body });
    await refused(`POST ${path}`, { token: null, body }, [429, 'TOO_MANY_ATTEMPTS']);
  }

  const own = (name: string): string => `POST /api/second-factor/${name}`;
  const [plain, user, fresh] = [await service.userWith([]), await protectedUser(), await begun()];
  await refused(own('begin'), { token: plain.token, body: { password: 'wrong' } }, [
    400,
    'WRONG_PASSWORD',
  ]);
  const again = { token: user.token, body: { password: user.password } };
  await refused(own('begin'), again, [400, 'SECOND_FACTOR_ON']);
  await refused(own('confirm'), { token: user.token, body: { code: WRONG } }, [
    400,
    'SECOND_FACTOR_ON',
  ]);
  for (const name of ['confirm', 'recovery-codes', 'disable']) {
    const off = { token: plain.token, body: { code: WRONG } };
    await refused(own(name), off, [400, 'SECOND_FACTOR_OFF']);
    const token = name === 'confirm' ? fresh.token : user.token;
    await refused(own(name), { token, body: { code: WRONG } }, [400, 'SECOND_FACTOR_INVALID']);
  }
  for (const name of ['begin', 'confirm', 'recovery-codes', 'disable'])
    await refused(own(name), { token: bearer, body: { code: WRONG, password: 'x' } }, [
      403,
      'API_TOKEN_REFUSED',
    ]);
  for (const name of ['begin', 'confirm', 'recovery-codes', 'disable']) {
    const one = name === 'begin' ? plain : name === 'confirm' ? fresh : user;
    const call = { token: one.token, body: { code: WRONG, password: 'wrong' } };
    for (let i = 0; i < 5; i += 1) await service.api('POST', `/api/second-factor/${name}`, call);
    await refused(own(name), call, [429, 'TOO_MANY_ATTEMPTS']);
  }

  const [one, list] = ['PUT /api/user/{id}/totp/{action}', 'PUT /api/user/list/totp/{action}'];
  const listed = (...identifiers: number[]): Omit<Call, 'path'> & { path: string } => ({
    path: '/api/user/list/totp/disable',
    body: { identifiers },
  });
  await refused(one, { path: '/api/user/4711/totp/enable' }, [500, 'USER_NOT_EXIST']);
  await refused(one, { path: '/api/user/1/totp/enable' }, [400, 'SECOND_FACTOR_OWN']);
  await refused(one, { path: '/api/user/2/totp/enable', token: bearer }, [
    403,
    'API_TOKEN_REFUSED',
  ]);
  await refused(list, listed(4711), [500, 'USER_NOT_EXIST']);
  await refused(list, listed(1), [400, 'SECOND_FACTOR_OWN']);
  await refused(list, { ...listed(2), token: bearer }, [403, 'API_TOKEN_REFUSED']);
}

/** SECOND_FACTOR_REQUIRED needs a service whose groups need a second factor. */
export async function enforcedRefusal(): Promise<Answer> {
  const service = await startService({ env: { HYPHA_SECOND_FACTOR_GROUPS: 'User' } });
  try {
    const email = `${unique('enforced')}@hypha.test`;
    const password = 'a good password';
    await service.api('POST', '/api/user', { body: { email, password, userGroup: 2 } });
    const { body } = await service.api('POST', '/login', {
      token: null,
      body: { email, password },
    });
    const { headers } = await service.api('POST', '/totp-validate', {
      token: null,
      body: { sessionId: body.sessionId, code: codeOf(body.secretKey) },
    });
    return await service.api('POST', '/api/second-factor/disable', {
      token: headers.get('authorization'),
      body: { code: WRONG },
    });
  } finally {
    await service.close();
  }
}
