import { outcome, startService, testService, unique } from '../../support/service/harness';
import type { Answer, TestService } from '../../support/service/harness';
import { startMailServer } from '../../support/peers/mail-server';
import type { MailServer } from '../../support/peers/mail-server';
import { storeConnection } from '../../support/store/stored';
import { until } from '../../support/until';

const NEW = 'a new and long password';
const GRANTS = ['MYPROFILE:READ', 'MYPROFILE:UPDATE', 'USER:UPDATE'];
const WRONG = [{ code: 'WRONG_PASSWORD', path: ['currentPassword'] }];

let mail: MailServer;
let service: TestService;
beforeAll(async () => {
  mail = await startMailServer();
  service = await startService({ env: mail.env });
});
afterAll(async () => {
  await service.close();
  await mail.close();
});

const newAddress = (): string => `${unique('moved')}@hypha.test`;
const put = (at: TestService, id: number, body: object, token?: string): Promise<Answer> =>
  at.api('PUT', `/api/user/${id}`, { token, body });
const update = (id: number, input: object, token?: string): Promise<any> =>
  service.mutate(
    'userUpdate',
    { id: String(id), ...input },
    'user { email } userErrors { code path }',
    token,
  );
const emailOf = async (at: TestService, id: number): Promise<string> =>
  (await at.api('GET', `/api/user/${id}`)).body.email;
const mailsTo = (email: string) => mail.mails.filter(({ to }) => to[0] === email);
const mailTo = (email: string) => until(() => mailsTo(email).at(0));

/** Ways to write the same address. */
const spellings = (email: string): string[] => [
  email.toUpperCase(),
  ` ${email} `,
  email.replace('@bücher.', '@xn--bcher-kva.'),
];

describe('the own e-mail', () => {
  it('is changed over GraphQL only with the current password', async () => {
    const { id, email, password, token } = await service.userWith(GRANTS);
    const address = newAddress();
    for (const currentPassword of [undefined, null, '', 'wrong password'])
      expect(await update(id, { email: address, currentPassword }, token)).toEqual({
        user: null,
        userErrors: WRONG,
      });
    expect(await emailOf(service, id)).toBe(email);
    expect(await update(id, { email: address, currentPassword: password }, token)).toEqual({
      user: { email: address },
      userErrors: [],
    });
  });

  it('is changed over REST without it by default, but not with a wrong one', async () => {
    const { id, token } = await service.userWith(GRANTS);
    const email = newAddress();
    const wrong = await put(service, id, { email, currentPassword: 'wrong password' }, token);
    expect(outcome(wrong)).toEqual([400, 'WRONG_PASSWORD']);
    expect((await put(service, id, { email }, token)).body.email).toBe(email);
  });

  it('is the same however it is written, which needs no password', async () => {
    const { id, email: first, password, token } = await service.userWith(GRANTS);
    const email = `${unique('ada')}@bücher.example`;
    await update(id, { email, currentPassword: password }, token);
    expect((await mailTo(first)).text).toContain(email);
    for (const spelling of [email, ...spellings(email)]) {
      const changed = await update(id, { email: spelling, detail: { name: 'Ada' } }, token);
      expect(changed).toEqual({ user: { email: spelling.trim() }, userErrors: [] });
    }
    expect(mailsTo(email)).toEqual([]);
  });

  it('counts wrong passwords like failed logins, whatever it becomes', async () => {
    const { id, token } = await service.userWith(GRANTS);
    const codes: unknown[] = [];
    for (let i = 0; i < 6; i += 1) {
      await put(service, id, { email: newAddress() });
      const input = { email: newAddress(), currentPassword: `a guess ${i}` };
      const result = await service.gql(
        'mutation ($input: UserUpdateInput!) { userUpdate(input: $input) { userErrors { code } } }',
        { input: { id: String(id), ...input } },
        token,
      );
      codes.push(result.data?.userUpdate.userErrors[0].code);
    }
    expect(codes).toEqual([...Array(5).fill('WRONG_PASSWORD'), 'TOO_MANY_ATTEMPTS']);
  });

  it('needs no password for a directory account, nor does that of another user', async () => {
    const { id, token } = await service.userWith(GRANTS);
    const other = await service.userWith([]);
    expect((await update(other.id, { email: newAddress() }, token)).userErrors).toEqual([]);
    await storeConnection()
      .collection<{ _id: number }>('users')
      .updateOne({ _id: id }, { $set: { authSource: 'ldap', passwordHash: null } });
    expect((await update(id, { email: newAddress() }, token)).userErrors).toEqual([]);
  });
});

describe('a changed e-mail', () => {
  it('is announced to the former address, in the language of the user', async () => {
    const own = await service.userWith(GRANTS);
    const changed = newAddress();
    await update(own.id, { email: changed, currentPassword: own.password }, own.token);
    const notice = await mailTo(own.email);
    expect(notice.subject).toBe('Your e-mail address was changed');
    expect(notice.text).toContain(`was changed to ${changed}.`);
    expect(notice.text).not.toContain(own.password);

    await service.api('PUT', `/api/user/${own.id}/userDetail`, { body: { lang: 'de' } });
    const again = newAddress();
    expect((await put(service, own.id, { email: again })).status).toBe(200);
    expect((await mailTo(changed)).text).toContain(`wurde in ${again} geändert.`);
    expect(mailsTo(again)).toEqual([]);
    const { body } = await service.api('GET', '/api/delivery/all');
    expect(
      body
        .filter(({ purpose }: any) => purpose === 'EMAIL_CHANGED')
        .map((one: any) => one.recipient),
    ).toEqual(expect.arrayContaining([own.email, changed]));
  });

  it('ends links for a new password, also if the former address comes back', async () => {
    const { id, email } = await service.userWith([]);
    const forgot = { token: null, body: { email } };
    expect(await service.status('POST', '/api/auth/forgot-password', forgot)).toBe(204);
    const token = /token=([\w-]{43})/.exec((await mailTo(email)).text)?.[1];
    expect((await put(service, id, { email: newAddress() })).status).toBe(200);
    expect((await put(service, id, { email })).status).toBe(200);
    const reset = await service.api('POST', '/api/auth/reset-password', {
      token: null,
      body: { token, newPassword: NEW, confirmPassword: NEW },
    });
    expect(outcome(reset)).toEqual([400, 'INVALID_TOKEN']);
  });
});

describe('with hypha.password.require-current, the own e-mail', () => {
  const strict = testService({ env: { HYPHA_PASSWORD_REQUIRE_CURRENT: 'true' } });

  it('is changed over REST only with the current password', async () => {
    const { id, password, token } = await strict.userWith(GRANTS);
    const change = (body: object) => put(strict, id, { email: newAddress(), ...body }, token);
    const detail = { userDetail: { name: 'Ada' } };
    for (const body of [{}, detail, { currentPassword: 'wrong password' }, { password: NEW }])
      expect(outcome(await change(body))).toEqual([400, 'WRONG_PASSWORD']);
    // The 4.x client sends the present password with each edit.
    for (const body of [{ password }, { currentPassword: password }])
      expect((await change(body)).status).toBe(200);
    expect((await change({ currentPassword: password, password: NEW })).status).toBe(200);
    await expect(strict.login(await emailOf(strict, id), NEW)).resolves.toContain('Bearer');
  });

  it('is the same however it is written, which needs no password', async () => {
    const { id, email, token } = await strict.userWith(GRANTS);
    for (const spelling of [email, ...spellings(email)])
      expect((await put(strict, id, { email: spelling }, token)).status).toBe(200);
  });

  it('is changed by administrators without it', async () => {
    const { id } = await strict.userWith([]);
    expect((await put(strict, id, { email: newAddress() })).status).toBe(200);
  });
});
