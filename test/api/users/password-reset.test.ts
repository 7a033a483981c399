import { outcome, startService, testService, unique } from '../../support/service/harness';
import type { Answer, TestService } from '../../support/service/harness';
import { heldRequest } from '../../support/service/held-request';
import { startMailServer } from '../../support/peers/mail-server';
import type { MailServer } from '../../support/peers/mail-server';
import { movingClock } from '../../support/service/moving-clock';
import { storeConnection } from '../../support/store/stored';
import { until } from '../../support/until';

const NEW = 'a new and long password';
const clock = movingClock();
let mail: MailServer;
let service: TestService;
beforeAll(async () => {
  mail = await startMailServer();
  service = await startService({
    clock,
    env: {
      ...mail.env,
      HYPHA_TOKEN_ACTIVITY_TIME: '864000',
      HYPHA_TOKEN_EXPIRATION_TIME: '864000',
    },
  });
});
afterAll(async () => {
  await service.close();
  await mail.close();
});

const post = (path: string, body: unknown, token: string | null = null): Promise<Answer> =>
  service.api('POST', `/api${path}`, { token, body });
const forgot = (email: string): Promise<Answer> => post('/auth/forgot-password', { email });
const reset = (token: string, newPassword = NEW, confirmPassword = newPassword): Promise<Answer> =>
  post('/auth/reset-password', { token, newPassword, confirmPassword });

/** Requests a link and reads it from the mail. */
async function linkOf(email: string): Promise<string> {
  const links = () =>
    mail.mails.filter(({ to, text }) => to[0] === email && text.includes('set-password?token='));
  const before = links().length;
  expect((await forgot(email)).status).toBe(204);
  const received = await until(() => links().at(before));
  return /https:\S+/.exec(received.text)?.[0] ?? '';
}
const tokenOf = async (email: string): Promise<string> =>
  new URL(await linkOf(email)).searchParams.get('token') ?? '';

describe('a forgotten password', () => {
  it('is replaced with a link that works once and ends all sessions', async () => {
    const user = await service.userWith(['MYPROFILE:READ']);
    const link = await linkOf(user.email);
    expect(link).toMatch(/^https:\/\/hypha\.example\.com\/app\/set-password\?token=[\w-]{43}$/);
    const sent = mail.mails.at(-1);
    expect(sent).toMatchObject({
      from: 'noreply@hypha.test',
      isEncrypted: true,
      user: 'mailer@hypha.test',
      subject: 'Set a new password',
    });
    const token = new URL(link).searchParams.get('token') ?? '';

    expect((await reset(token)).status).toBe(204);
    const ended = await service.api('GET', `/api/user/${user.id}`, { token: user.token });
    expect(ended.body.message).toBe('ACCESS_DENIED');
    await expect(service.login(user.email, NEW)).resolves.toContain('Bearer');
    await expect(service.login(user.email, user.password)).rejects.toThrow('401');
    expect(outcome(await reset(token, `${NEW} 2`))).toEqual([400, 'INVALID_TOKEN']);

    const auditEvents = await service.field(
      `{ auditEvents(first: 20) { nodes { action actor { email } target { targetId } after } } }`,
    );
    const ofUser = auditEvents.nodes.filter(
      ({ action, target }: any) =>
        target.targetId === String(user.id) && action.startsWith('USER_PASSWORD'),
    );
    expect(ofUser.map(({ action, actor }: any) => [action, actor.email])).toEqual([
      ['USER_PASSWORD', user.email],
      ['USER_PASSWORD_LINK', 'anonymous'],
    ]);
    expect(JSON.stringify(auditEvents)).not.toContain(token);
  });

  it('answers the same for an unknown address, and mails nothing', async () => {
    const user = await service.userWith([]);
    const email = `${unique('unknown')}@hypha.test`;
    const [unknown, registered] = [await forgot(email), await forgot(user.email)];
    expect([unknown.status, unknown.text]).toEqual([registered.status, registered.text]);
    await until(() => mail.mails.find(({ to }) => to[0] === user.email));
    expect(mail.arrived.some(({ to }) => to[0] === email)).toBe(false);
  });

  it('is not replaced by two concurrent uses of one link', async () => {
    const { email } = await service.userWith([]);
    const token = await tokenOf(email);
    const answers = await Promise.all([reset(token, `${NEW} A`), reset(token, `${NEW} B`)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 400]);
  });

  it('keeps the link if the password is not accepted', async () => {
    const { email } = await service.userWith([]);
    const token = await tokenOf(email);
    expect(outcome(await reset(token, NEW, 'another one'))).toEqual([400, 'PASSWORDS_DIFFER']);
    const short = await reset(token, 'short');
    expect(outcome(short)).toEqual([400, 'PASSWORD_INVALID']);
    expect((await reset(token)).status).toBe(204);
  });

  it('needs a link that is not older than an hour', async () => {
    const { email } = await service.userWith([]);
    const token = await tokenOf(email);
    clock.forward(60 * 60_000);
    expect(outcome(await reset(token))).toEqual([400, 'INVALID_TOKEN']);
  });

  it('needs a link from before no other change of the password', async () => {
    const user = await service.userWith(['MYPROFILE:UPDATE']);
    const token = await tokenOf(user.email);
    const changed = await service.api('PUT', `/api/user/${user.id}/password`, {
      body: { password: NEW },
    });
    expect(changed.status).toBe(200);
    expect(outcome(await reset(token))).toEqual([400, 'INVALID_TOKEN']);
  });

  it.each(['', 'x', 'A'.repeat(43), 'A'.repeat(50_000), '__proto__'])(
    'is not replaced with a wrong token %#',
    async (token) => {
      expect(outcome(await reset(token))).toEqual([400, 'INVALID_TOKEN']);
    },
  );

  it('is asked for a few times only, with the same answer for unknown addresses', async () => {
    const user = await service.userWith([]);
    const [registered, unknown] = [user.email, `${unique('unknown')}@hypha.test`];
    const statuses = async (email: string): Promise<number[]> => {
      const all: number[] = [];
      for (let i = 0; i < 7; i += 1) all.push((await forgot(email)).status);
      return all;
    };
    expect(await statuses(registered)).toEqual(await statuses(unknown));
    expect((await forgot(registered)).status).toBe(429);
    clock.forward(60 * 60_000);
    expect(mail.mails.filter(({ to }) => to[0] === registered).length).toBeLessThanOrEqual(3);
  });

  it('is mailed three links in an hour, also for requests at the same time', async () => {
    const user = await service.userWith([]);
    await Promise.all(Array.from({ length: 5 }, () => forgot(user.email)));
    const sent = () => mail.arrived.filter(({ to }) => to[0] === user.email);
    await until(() => sent().length >= 3);
    await linkOf((await service.userWith([])).email);
    expect(sent()).toHaveLength(3);
  });

  it('is not mailed to directory users', async () => {
    const user = await service.userWith(['MYPROFILE:UPDATE']);
    await storeConnection()
      .collection<{ _id: number }>('users')
      .updateOne({ _id: user.id }, { $set: { authSource: 'ldap' } });
    expect((await forgot(user.email)).status).toBe(204);
    const other = await service.userWith([]);
    await linkOf(other.email);
    expect(mail.arrived.some(({ to }) => to[0] === user.email)).toBe(false);
    const body = { currentPassword: user.password, newPassword: NEW, confirmPassword: NEW };
    expect(outcome(await post('/user/change-password', body, user.token))).toEqual([
      400,
      'LDAP_USER',
    ]);
  });

  it('is replaced over GraphQL', async () => {
    const user = await service.userWith([]);
    const before = mail.mails.length;
    const passwordForgotten = await service.mutate(
      'passwordForgotten',
      { email: user.email },
      'accepted userErrors { code }',
      null,
    );
    expect(passwordForgotten).toEqual({ accepted: true, userErrors: [] });
    const { text } = await until(() => mail.mails.at(before));
    const token = /token=([\w-]+)/.exec(text)?.[1];
    const set = (confirmPassword: string) =>
      service.data(
        `mutation ($input: PasswordResetInput!) { passwordReset(input: $input) { done userErrors { code path } } }`,
        { input: { token, newPassword: NEW, confirmPassword } },
        null,
      );
    expect((await set('other')).passwordReset).toEqual({
      done: false,
      userErrors: [{ code: 'PASSWORDS_DIFFER', path: ['confirmPassword'] }],
    });
    expect((await set(NEW)).passwordReset).toEqual({ done: true, userErrors: [] });
  });
});

describe('the own password', () => {
  const change = (token: string, currentPassword: string, newPassword = NEW): Promise<Answer> =>
    post(
      '/user/change-password',
      { currentPassword, newPassword, confirmPassword: newPassword },
      token,
    );

  it('is changed with the present one, and ends the other sessions', async () => {
    const user = await service.userWith(['MYPROFILE:READ', 'MYPROFILE:UPDATE']);
    const other = await service.login(user.email, user.password);
    expect(outcome(await change(user.token, 'wrong password'))).toEqual([400, 'WRONG_PASSWORD']);
    expect((await change(user.token, user.password)).status).toBe(204);
    const read = (token: string) => service.api('GET', `/api/user/${user.id}`, { token });
    expect([(await read(user.token)).status, (await read(other)).status]).toEqual([200, 500]);
    await expect(service.login(user.email, NEW)).resolves.toContain('Bearer');
  });

  it('is not changed with that of the user who has the e-mail now', async () => {
    const user = await service.userWith(['MYPROFILE:READ', 'MYPROFILE:UPDATE']);
    const finish = await heldRequest(service, '/api/user/change-password', {
      token: user.token,
      body: { currentPassword: 'of the other user', newPassword: NEW, confirmPassword: NEW },
    });
    const email = `${unique('moved')}@example.com`;
    expect(await service.status('PUT', `/api/user/${user.id}`, { body: { email } })).toBe(200);
    const other = { email: user.email, password: 'of the other user', userGroup: 2 };
    expect(await service.status('POST', '/api/user', { body: other })).toBe(201);
    expect(await finish()).toEqual([400, 'WRONG_PASSWORD']);
    await expect(service.login(email, user.password)).resolves.toContain('Bearer');
  });

  it('is changed over GraphQL, but not with an API token', async () => {
    const user = await service.userWith(['MYPROFILE:READ', 'MYPROFILE:UPDATE']);
    const made = await post(
      '/api-token',
      { name: 'program', scopes: ['MYPROFILE:UPDATE'] },
      user.token,
    );
    const refused = await change(`Bearer ${made.body.token}`, user.password);
    expect(outcome(refused)).toEqual([403, 'API_TOKEN_REFUSED']);
    const ownPasswordChange = await service.mutate(
      'ownPasswordChange',
      { currentPassword: user.password, newPassword: NEW, confirmPassword: NEW },
      'user { email } userErrors { code }',
      user.token,
    );
    expect(ownPasswordChange).toEqual({ user: { email: user.email }, userErrors: [] });
  });
});

/** Waits for `count` mails about a changed password, and returns their texts. */
const noticesTo = async (email: string, count: number): Promise<string[]> => {
  const sent = await until(() => {
    const all = mail.mails.filter(
      ({ to, text }) => to[0] === email && /^(?:Account|Konto): /m.test(text),
    );
    return all.length >= count ? all : null;
  });
  return sent.map(({ text }) => text);
};

describe('a user whose password was changed', () => {
  const put = (id: number, password: string, token?: string) =>
    service.api('PUT', `/api/user/${id}/password`, { token, body: { password } });

  it('is notified by mail, however it was changed', async () => {
    const user = await service.userWith(['MYPROFILE:READ', 'MYPROFILE:UPDATE']);
    const { email, id } = user;
    expect((await put(id, `${NEW} 1`, user.token)).status).toBe(200);
    expect((await noticesTo(email, 1))[0]).toContain('The password of your account was changed.');
    expect((await put(id, `${NEW} 2`)).status).toBe(200);
    expect((await noticesTo(email, 2))[1]).toContain('An administrator has set a new password');
    await service.api('PUT', `/api/user/${id}`, {
      body: { password: `${NEW} 3`, userDetail: { lang: 'de' } },
    });
    await noticesTo(email, 3);
    expect((await reset(await tokenOf(email), `${NEW} 4`)).status).toBe(204);
    expect((await noticesTo(email, 4))[3]).toContain('Das Passwort Ihres Kontos wurde geändert.');
    const token = await service.login(email, `${NEW} 4`);
    const body = { currentPassword: `${NEW} 4`, newPassword: NEW, confirmPassword: NEW };
    expect((await post('/user/change-password', body, token)).status).toBe(204);
    const texts = await noticesTo(email, 5);
    expect(texts[4]).toContain(email);
    expect(texts.join()).not.toContain(NEW);
    const deliveries = (await service.api('GET', '/api/delivery/all')).body.filter(
      ({ recipient, purpose }: any) => recipient === email && purpose === 'PASSWORD_CHANGED',
    );
    expect(deliveries).toHaveLength(5);
  });

  it('gets no mail, and keeps all sessions, if the password is the same', async () => {
    const user = await service.userWith(['MYPROFILE:READ', 'MYPROFILE:UPDATE', 'USER:UPDATE']);
    const other = await service.login(user.email, user.password);
    const body = { password: user.password, userDetail: { name: 'Ada' } };
    for (const path of [`/api/user/${user.id}`, `/api/user/${user.id}/password`])
      expect(await service.status('PUT', path, { token: user.token, body })).toBe(200);
    const shown = await service.api('GET', `/api/user/${user.id}`, { token: other });
    expect([shown.status, shown.body.userDetail.name]).toEqual([200, 'Ada']);
    await put(user.id, NEW);
    expect(await noticesTo(user.email, 1)).toHaveLength(1);
  });

  it('changes the own one over GraphQL only with the current one', async () => {
    const user = await service.userWith(['MYPROFILE:READ', 'MYPROFILE:UPDATE', 'USER:UPDATE']);
    const other = await service.userWith([]);
    const codesOf = async (name: string, id: number): Promise<unknown> => {
      const input = { id: String(id), password: NEW };
      return (await service.mutate(name, input, 'userErrors { code message }', user.token))
        .userErrors;
    };
    const refused = [
      { code: 'OWN_PASSWORD', message: expect.stringContaining('ownPasswordChange') },
    ];
    for (const field of ['userPasswordChange', 'userUpdate']) {
      expect(await codesOf(field, user.id)).toEqual(refused);
      expect(await codesOf(field, other.id)).toEqual([]);
    }
    await expect(service.login(user.email, user.password)).resolves.toContain('Bearer');
  });
});

describe('with hypha.password.require-current, a change of the own password', () => {
  const strict = testService({ env: { HYPHA_PASSWORD_REQUIRE_CURRENT: 'true' } });

  it.each([
    ['PUT /user/{id}', ['MYPROFILE:READ', 'MYPROFILE:UPDATE', 'USER:UPDATE'], ''],
    ['PUT /user/{id}/password', ['MYPROFILE:READ', 'MYPROFILE:UPDATE'], '/password'],
  ])('by %s needs the current one', async (_title, grants, suffix) => {
    const user = await strict.userWith(grants);
    const put = (id: number, body: object) =>
      strict.api('PUT', `/api/user/${id}${suffix}`, { token: user.token, body });
    expect(outcome(await put(user.id, { password: NEW }))).toEqual([400, 'WRONG_PASSWORD']);
    const wrong = await put(user.id, { password: NEW, currentPassword: 'wrong password' });
    expect(outcome(wrong)).toEqual([400, 'WRONG_PASSWORD']);
    const short = await put(user.id, { password: 'short', currentPassword: user.password });
    expect(short.status).toBe(400);
    expect((await put(user.id, { password: user.password })).status).toBe(200);
    await expect(strict.login(user.email, user.password)).resolves.toContain('Bearer');
    const right = await put(user.id, { password: NEW, currentPassword: user.password });
    expect(right.status).toBe(200);
    await expect(strict.login(user.email, NEW)).resolves.toContain('Bearer');
  });

  it('counts wrong ones like failed logins', async () => {
    const user = await strict.userWith(['MYPROFILE:READ', 'MYPROFILE:UPDATE']);
    const statuses: number[] = [];
    for (let i = 0; i < 6; i += 1) {
      const { status } = await strict.api('PUT', `/api/user/${user.id}/password`, {
        token: user.token,
        body: { password: `a guessed password ${i}` },
      });
      statuses.push(status);
    }
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429]);
  });

  it('does not concern the passwords that administrators set', async () => {
    const { id, email } = await strict.userWith([]);
    const set = await strict.api('PUT', `/api/user/${id}/password`, { body: { password: NEW } });
    expect(set.status).toBe(200);
    await expect(strict.login(email, NEW)).resolves.toContain('Bearer');
  });
});

describe('the page of the link', () => {
  it('is served without the token, and not to be stored or framed', async () => {
    const page = await service.api('GET', '/set-password?token=abc', { token: null });
    expect(page.status).toBe(200);
    expect(page.text).not.toContain('abc');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.headers.get('cache-control')).toBe('no-store');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    const script = await service.api('GET', '/assets/set-password.js', { token: null });
    expect(script.status).toBe(200);
  });
});

describe('the page of a forgotten password', () => {
  it('asks for the address, and is linked to by every page that signs in', async () => {
    const page = await service.api('GET', '/forgot-password', { token: null });
    expect(page.text).toContain('name="email"');
    expect(page.text).toContain('/assets/forgot-password.js');
    expect(page.text).toContain('/dashboard">Sign in</a>');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    for (const path of ['/docs', '/graphql', '/set-password'])
      expect(
        (await service.api('GET', path, { token: null, headers: { accept: 'text/html' } })).text,
      ).toContain('/forgot-password"');
  });
});

describe('an invited user', () => {
  const invite = (email: string, more: object = {}): Promise<Answer> =>
    service.api('POST', '/api/user/invite', { body: { email, userGroup: 2, ...more } });
  const again = (id: number): Promise<Answer> => service.api('POST', `/api/user/${id}/invite`);
  const mailTo = (email: string, at: number) =>
    until(() => mail.mails.filter(({ to }) => to[0] === email).at(at));
  const linkIn = ({ text }: { text: string }): string =>
    /set-password\?token=([\w-]{43})/.exec(text)?.[1] ?? '';

  it('gets a link for a week, sets the password with it, and signs in', async () => {
    const email = `${unique('invited')}@hypha.test`;
    const made = await invite(email, { userDetail: { name: 'Ada', lang: 'de' } });
    expect([made.status, made.body.email]).toEqual([201, email]);
    const received = await mailTo(email, 0);
    expect(received.subject).toBe('Ihr Konto');
    expect(received.text).toContain('admin@hypha.test');
    clock.forward(6 * 24 * 3_600_000);
    expect((await reset(linkIn(received))).status).toBe(204);
    await expect(service.login(email, NEW)).resolves.toContain('Bearer');
    expect(outcome(await again(made.body.enhanceId))).toEqual([400, 'INVITATION_ACCEPTED']);
    const auditEvents = await service.field(
      `query ($id: String!) { auditEvents(first: 20, filter: { targetType: { eq: USER }, targetId: { eq: $id } }) {
        nodes { action actor { email } } } }`,
      { id: String(made.body.enhanceId) },
    );
    expect(auditEvents.nodes.map(({ action }: any) => action)).toEqual(
      expect.arrayContaining(['USER_CREATE', 'USER_INVITE', 'USER_PASSWORD']),
    );
  });

  it('is invited again with GraphQL, and the earlier link stops working', async () => {
    const email = `${unique('again')}@hypha.test`;
    const userInvite = await service.mutate(
      'userInvite',
      { email, groupId: '2' },
      'user { databaseId lastLogin } userErrors { code }',
    );
    expect(userInvite.userErrors).toEqual([]);
    const first = linkIn(await mailTo(email, 0));
    const id = String(userInvite.user.databaseId);
    const userInviteAgain = await service.mutate('userInviteAgain', { id }, 'userErrors { code }');
    expect(userInviteAgain.userErrors).toEqual([]);
    const second = linkIn(await mailTo(email, 1));
    expect(outcome(await reset(first))).toEqual([400, 'INVALID_TOKEN']);
    expect((await reset(second)).status).toBe(204);
  });

  it('is not created without a mail, or with more rights than the actor has', async () => {
    const existing = await service.userWith([]);
    expect(outcome(await invite(existing.email))).toEqual([500, 'CREATION_ERROR']);
    const manager = await service.userWith(['USER:CREATE', 'USER:UPDATE']);
    const email = `${unique('above')}@hypha.test`;
    const body = { email, userGroup: 1 };
    const above = await service.api('POST', '/api/user/invite', { token: manager.token, body });
    expect(outcome(above)).toEqual([403, 'ACCESS_DENIED']);
    const other = await startService();
    const refused = await other.api('POST', '/api/user/invite', { body: { email, userGroup: 2 } });
    expect(outcome(refused)).toEqual([400, 'MAIL_NOT_CONFIGURED']);
    expect((await other.api('GET', '/api/user/all')).text).not.toContain(email);
    const page = await other.api('GET', '/forgot-password', { token: null });
    expect(page.text).toContain('This service sends no mails.');
    await other.close();
  });
});

describe('a service without mail', () => {
  it.each([
    ['spring.mail.host, spring.mail.hypha.from, hypha.public-url', {}],
    ['hypha.public-url', { SPRING_MAIL_HOST: 'localhost', SPRING_MAIL_HYPHA_FROM: 'a@b.test' }],
    [
      'spring.mail.hypha.from',
      { SPRING_MAIL_HOST: 'localhost', HYPHA_PUBLIC_URL: 'https://h.example' },
    ],
  ])('names %s, which it needs', async (keys, env) => {
    const other = await startService({ env });
    try {
      const answer = await other.api('POST', '/api/auth/forgot-password', {
        token: null,
        body: { email: 'admin@hypha.test' },
      });
      expect(outcome(answer)).toEqual([400, 'MAIL_NOT_CONFIGURED']);
      expect(answer.body.error).toBe(
        `Passwords cannot be reset by mail. Set ${keys} in the configuration.`,
      );
    } finally {
      await other.close();
    }
  });
});
