import { codeOf as codeAt } from '../support/calls/account-calls';
import { startService } from '../support/service/harness';
import type { Answer } from '../support/service/harness';
import { startMailServer } from '../support/peers/mail-server';
import { movingClock } from '../support/service/moving-clock';
import {
  client4x,
  client5x,
  HEADERS_OF_4X,
  RELEASED,
  unreadable,
} from '../support/browser/released-pages';
import { until } from '../support/until';
import { openForTests } from '../support/open-for-tests';

/* Second factor, forgotten and own passwords, and sign-out, as the released clients send them. */

const NEW = 'a new and long password';
const clock = movingClock();
const mail = openForTests(startMailServer);
const service = openForTests(() => startService({ clock, env: mail.env }));
// A code is accepted once: each test uses codes of later time steps.
beforeEach(() => clock.forward(90_000));

const codeOf = (secretKey: string): string => codeAt(secretKey, clock.now().getTime());

/** Sends a sign-in step without a token, where each client does. */
type SignIn = (path: string, body: unknown) => Promise<Answer>;
const SIGN_IN: Readonly<Record<string, SignIn>> = {
  '4.x': (path, body) =>
    service.api('POST', `${RELEASED}/${path}`, { token: null, headers: HEADERS_OF_4X, body }),
  '5.x': (path, body) => client5x(service, null).send('POST', path, body),
};

describe.each([
  ['4.x', client4x],
  ['5.x', client5x],
] as const)('the second factor of the %s client', (line, clientOf) => {
  const send: SignIn = (path, body) => SIGN_IN[line]?.(path, body) ?? Promise.reject(Error(line));

  it('is set up at a sign-in, then asked for, and switched off', async () => {
    const user = await service.userWith(['MYPROFILE:READ']);
    const credentials = { email: user.email, password: user.password };
    const admin = clientOf(service);
    await admin.read('PUT', `user/${user.id}/totp/enable`, line === '4.x' ? {} : undefined);

    const enrolment = await send('login', credentials);
    expect([enrolment.status, enrolment.headers.get('authorization')]).toEqual([200, null]);
    expect(
      unreadable(enrolment.body, { sessionId: 'string', secretKey: 'string', qr: 'string' }),
    ).toEqual([]);
    const { sessionId, secretKey } = enrolment.body;
    const wrong = await send('totp-validate', { code: '000000', sessionId });
    expect([wrong.status, typeof wrong.body.message]).toEqual([401, 'string']);
    expect(wrong.body.message).not.toMatch(/^[A-Z_]+$|authentication is required|Access Denied/);
    const signedIn = await send('totp-validate', { code: codeOf(secretKey), sessionId });
    expect(signedIn.headers.get('authorization')).toMatch(/^Bearer /);
    expect(
      unreadable(signedIn.body, {
        userDetail: 'object',
        userGroup: { groupId: 'number', components: 'array' },
        totpEnabled: 'boolean',
      }),
    ).toEqual([]);

    clock.forward(30_000);
    const later = await send('login', credentials);
    expect([typeof later.body.sessionId, later.body.secretKey, later.body.qr]).toEqual([
      'string',
      undefined,
      undefined,
    ]);
    const again = { code: codeOf(secretKey), sessionId: later.body.sessionId };
    expect((await send('totp-validate', again)).status).toBe(200);

    await admin.read('PUT', `user/${user.id}/totp/disable`, line === '4.x' ? {} : undefined);
    const free = await send('login', credentials);
    expect([free.status, free.body.sessionId]).toEqual([200, undefined]);
    expect(free.headers.get('authorization')).toMatch(/^Bearer /);
  });

  it('is switched on for several users', async () => {
    const users = [await service.userWith([]), await service.userWith([])];
    const admin = clientOf(service);
    const identifiers = users.map(({ id }) => (line === '4.x' ? id : String(id)));
    await admin.read('PUT', 'user/list/totp/enable', { identifiers });
    for (const { id } of users)
      expect((await admin.read('GET', `user/${id}`)).totpEnabled).toBe(true);
  });
});

describe('a forgotten password of the 5.x client', () => {
  const client = () => client5x(service, null);
  const mailTo = async (email: string): Promise<string> => {
    const { text } = await until(() => mail.mails.find(({ to }) => to[0] === email));
    return new URL(/https?:\S+/.exec(text)?.[0] ?? '').href;
  };

  it('is set again with the mailed link, once', async () => {
    const { email } = await service.userWith([]);
    expect((await client().send('POST', 'auth/forgot-password', { email })).status).toBe(204);
    const link = new URL(await mailTo(email));
    expect(link.pathname).toMatch(/\/set-password$/);
    const reset = {
      token: link.searchParams.get('token'),
      newPassword: NEW,
      confirmPassword: NEW,
    };
    expect((await client().send('POST', 'auth/reset-password', reset)).status).toBe(204);
    await expect(service.login(email, NEW)).resolves.toMatch(/^Bearer /);
    expect(await client().send('POST', 'auth/reset-password', reset)).toMatchObject({
      status: 400,
      body: { error: 'INVALID_TOKEN' },
    });
  });

  it('looks the same for an unknown address', async () => {
    const email = 'nobody@hypha.test';
    expect((await client().send('POST', 'auth/forgot-password', { email })).status).toBe(204);
  });
});

describe('the own password of the 5.x client', () => {
  it('is changed with the present one; a wrong one does not sign out', async () => {
    const user = await service.userWith(['MYPROFILE:READ', 'MYPROFILE:UPDATE']);
    const client = client5x(service, user.token);
    const change = (currentPassword: string): Promise<Answer> =>
      client.send('POST', 'user/change-password', {
        currentPassword,
        newPassword: NEW,
        confirmPassword: NEW,
      });
    expect(await change('not the present one')).toMatchObject({
      status: 400,
      body: { message: 'WRONG_PASSWORD' },
    });
    expect((await change(user.password)).status).toBe(204);
    await expect(service.login(user.email, NEW)).resolves.toMatch(/^Bearer /);
  });
});

it('the 5.x client may sign out without a token', async () => {
  expect((await client5x(service, null).send('POST', 'auth/logout')).status).toBe(401);
});
