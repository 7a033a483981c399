import { hashSync } from 'bcryptjs';
import { ADMIN_EMAIL, outcome, testService, unique } from '../../support/service/harness';
import type { Answer } from '../../support/service/harness';
import { storeConnection } from '../../support/store/stored';

const service = testService({ env: { HYPHA_TOKEN_EXPIRATION_TIME: '3600' } });

const PASSWORD = 'a good password';
const DETAIL = {
  name: 'Ada',
  surname: 'Lovelace',
  phoneNumber: '+44 1',
  department: 'Engines',
  organisation: 'Analytical',
  salutation: 'Countess',
};

const created = async (more: Record<string, unknown> = {}): Promise<Answer> =>
  service.api('POST', '/api/user', {
    body: {
      email: `${unique('user')}@hypha.test`,
      password: PASSWORD,
      userGroup: 2,
      userDetail: DETAIL,
      ...more,
    },
  });
const newUser = async (
  more: Record<string, unknown> = {},
): Promise<{ id: number; email: string }> => {
  const answer = await created(more);
  if (answer.status !== 201) throw new Error(answer.text);
  return { id: answer.body.enhanceId, email: answer.body.email };
};
const read = (id: number) => service.body('GET', `/api/user/${id}`);
const body = (message: string, status: number, path: string) => ({
  timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+0000$/),
  status,
  error: expect.stringMatching(/./),
  message,
  success: 'false',
  path,
});
const GROUP = {
  enhanceId: 2,
  description: 'Middle sys admin',
  icon: null,
  components: expect.any(Array),
};

describe('POST /user', () => {
  it('returns 201 with the documented shape: the group is an array with its name as role', async () => {
    const email = `${unique('Ada')}@Hypha.test`;
    const answer = await created({ email });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      enhanceId: expect.any(Number),
      email,
      userGroup: [{ ...GROUP, role: 'User' }],
      userDetail: {
        enhanceId: answer.body.enhanceId,
        ...DETAIL,
        profilePicture: null,
        requestTime: null,
      },
    });
    expect(answer.headers.get('location')).toBe(`${service.url}/api/user/${answer.body.enhanceId}`);
    const components = answer.body.userGroup[0].components as {
      name: string;
      permissions: string[];
    }[];
    expect(components.map(({ name, permissions }) => [name, [...permissions].sort()])).toEqual([
      ['CONNECTION', ['CREATE', 'DELETE', 'READ', 'UPDATE']],
      ['MYPROFILE', ['CREATE', 'DELETE', 'READ', 'UPDATE']],
      ['DASHBOARD', ['READ']],
    ]);
    await service.login(email, PASSWORD);
  });

  it('accepts the spellings of the released line, and a group as string, object or array', async () => {
    const { userDetail } = (
      await created({
        userDetail: { organization: 'Org', userTitle: 'Dr.', requestTime: 1543482421000 },
      })
    ).body;
    expect(userDetail).toMatchObject({
      organisation: 'Org',
      salutation: 'Dr.',
      requestTime: null,
      name: null,
    });
    for (const userGroup of ['2', { groupId: 2 }, { enhanceId: '2' }, [{ enhanceId: 2 }]])
      expect((await created({ userGroup })).status).toBe(201);
    expect((await created({ userDetail: undefined })).status).toBe(201);
  });

  it.each<[string, Record<string, unknown>, RegExp]>([
    ['no e-mail', { email: undefined }, /e-mail is missing/],
    ['a blank e-mail', { email: '   ' }, /e-mail is missing/],
    ['no e-mail address', { email: 'nobody' }, /not an e-mail/],
    ['an address with a line break', { email: 'a@b.de\r\nBcc: x@y.z' }, /not an e-mail/],
    ['an endless address', { email: `${'a'.repeat(250)}@b.de` }, /254/],
    ['no password', { password: undefined }, /password is missing/],
    ['a password of 7 characters', { password: '1234567' }, /8 to 128/],
    ['a password of 129 characters', { password: 'x'.repeat(129) }, /8 to 128/],
    ['no group', { userGroup: undefined }, /userGroup: The group is missing/],
    ['an unknown group', { userGroup: 4711 }, /userGroup: There is no group 4711/],
    ['a group that is no number', { userGroup: 'Admin' }, /userGroup: Expected the id/],
    [
      'a time in a year of five digits',
      { userDetail: { requestTime: '9'.repeat(15) } },
      /requestTime: The year/,
    ],
    ['eight blanks as password', { password: ' '.repeat(8) }, /blanks only/],
    ['invisible characters as password', { password: '\u00a0\u200b'.repeat(8) }, /blanks only/],
    ['an object as password', { password: { $gt: '' } }, /password/],
    [
      'a name of 46 characters',
      { userDetail: { name: 'x'.repeat(46) } },
      /userDetail\.name: At most 45/,
    ],
    [
      'a title of 11 characters',
      { userDetail: { userTitle: 'x'.repeat(11) } },
      /userDetail\.salutation: At most 10/,
    ],
    ['an unknown language', { userDetail: { lang: 'fr' } }, /lang/],
  ])('rejects %s with CREATION_ERROR 500 and a reason', async (_case, more, cause) => {
    const before = (await service.api('GET', '/api/user/all')).body._embedded.userResources.length;
    const answer = await created(more);
    expect(answer.body).toEqual(body('CREATION_ERROR', 500, '/api/user'));
    expect(answer.body.error).toMatch(cause);
    expect((await service.api('GET', '/api/user/all')).body._embedded.userResources.length).toBe(
      before,
    );
  });

  it.each([['[]'], ['"x"'], ['null'], ['7']])(
    'rejects the body %s with CREATION_ERROR',
    async (text) => {
      await service.refuses(500, 'CREATION_ERROR', 'POST', '/api/user', { body: text });
    },
  );

  it.each([
    ['8 characters', '12345678'],
    ['128 characters', 'x'.repeat(128)],
    ['any script', 'пароль из слов 🌱'],
  ])('accepts a password of %s', async (_case, password) => {
    const { email } = await newUser({ password });
    await service.login(email, password);
  });

  it('rejects a taken e-mail in any case, also for concurrent requests', async () => {
    const email = `${unique('once')}@hypha.test`;
    const answers = await Promise.all(
      [email, email.toUpperCase(), ` ${email}`, email, email].map((spelling) =>
        created({ email: spelling }),
      ),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 500, 500, 500, 500]);
    const refused = answers.filter((answer) => answer.status === 500);
    for (const answer of refused)
      expect([answer.body.message, answer.body.error]).toEqual([
        'CREATION_ERROR',
        expect.stringMatching(/email: Another user has this e-mail/),
      ]);
  });

  it('stores text that looks like code unchanged', async () => {
    const name = '<script>$where:"1"</script>';
    const { id } = await newUser({
      userDetail: { name, surname: "'; DROP TABLE users; --", department: '{{7*7}}' },
    });
    expect((await read(id)).userDetail).toMatchObject({
      name,
      surname: "'; DROP TABLE users; --",
      department: '{{7*7}}',
    });
  });
});

describe('GET /user/all and /user/{id}', () => {
  it('list users in the envelope, by id, with the name of the group as name', async () => {
    const { id, email } = await newUser();
    const { status, body: list } = await service.api('GET', '/api/user/all');
    expect(status).toBe(200);
    expect(Object.keys(list)).toEqual(['_embedded']);
    const users = list._embedded.userResources as { enhanceId: number }[];
    expect(users.map((user) => user.enhanceId)).toEqual(
      users.map((user) => user.enhanceId).sort((a, b) => a - b),
    );
    const one = {
      enhanceId: id,
      email,
      userGroup: [{ ...GROUP, name: 'User' }],
      userDetail: { enhanceId: id, ...DETAIL, profilePicture: null, requestTime: null },
    };
    expect(users.at(-1)).toEqual(one);
    expect(await read(id)).toEqual(one);
    expect(JSON.stringify(list)).not.toMatch(/argon2|assword/);
  });

  it('return an error for unknown users', async () => {
    expect(await service.body('GET', '/api/user/999999')).toEqual(
      body('USER_NOT_EXIST', 500, '/api/user/999999'),
    );
    expect(await service.status('GET', '/api/user/0')).toBe(500);
    expect(await service.status('GET', '/api/user/abc')).toBeGreaterThanOrEqual(400);
  });

  it.each([['/api/user/all'], ['/api/user/1']])(
    'return ACCESS_DENIED 500 at %s without a token, with an invalid token and without the permission',
    async (path) => {
      const { token } = await service.userWith(['CONNECTION:READ']);
      for (const caller of [null, 'Bearer nonsense', token])
        expect(await service.body('GET', path, { token: caller })).toEqual(
          body('ACCESS_DENIED', 500, path),
        );
    },
  );
});

describe('PUT /user/{id}/password', () => {
  const change = (id: number, password: unknown, more: Record<string, unknown> = {}) =>
    service.api('PUT', `/api/user/${id}/password`, { body: { enhanceId: id, password, ...more } });

  it('returns 200 without a body, and the new password works', async () => {
    const { id, email } = await newUser();
    const answer = await change(id, 'another password', { email: email.toUpperCase() });
    expect([answer.status, answer.text]).toEqual([200, '']);
    await service.login(email, 'another password');
    await expect(service.login(email, PASSWORD)).rejects.toThrow('401');
  });

  it.each([['short'], [''], [undefined], ['x'.repeat(129)]])(
    'rejects the password %j',
    async (password) => {
      const { id, email } = await newUser();
      expect(outcome(await change(id, password))).toEqual([400, 'PASSWORD_INVALID']);
      await service.login(email, PASSWORD);
    },
  );

  it('rejects an unknown user and a body with another id', async () => {
    expect(outcome(await change(999_999, PASSWORD))).toEqual([500, 'USER_NOT_EXIST']);
    const { id } = await newUser();
    expect(outcome(await change(id, PASSWORD, { enhanceId: 1 }))).toEqual([400, 'BAD_REQUEST']);
    expect(outcome(await change(id, PASSWORD, { email: ADMIN_EMAIL }))).toEqual([
      400,
      'BAD_REQUEST',
    ]);
  });

  it('upgrades a hash of the released line at login', async () => {
    const { id, email } = await newUser();
    const users = storeConnection().collection<{ _id: number; passwordHash: string }>('users');
    await users.updateOne(
      { _id: id },
      { $set: { passwordHash: hashSync('from the old days', 4) } },
    );
    await service.login(email, 'from the old days');
    expect((await users.findOne({ _id: id }))?.passwordHash).toMatch(/^\$argon2id\$/);
    await service.login(email, 'from the old days');
  });
});

describe('PUT /user/{id}/userDetail', () => {
  const change = (id: number, detail: unknown, path = `/api/user/${id}/userDetail`) =>
    service.api('PUT', path, { body: detail });

  it('returns 201 with the details', async () => {
    const { id } = await newUser();
    const detail = {
      name: 'Grace',
      surname: 'Hopper',
      phoneNumber: null,
      department: 'Navy',
      organisation: 'US',
      salutation: 'Adm.',
    };
    const answer = await change(id, {
      enhanceId: String(id),
      ...detail,
      profilePicture: null,
      requestTime: '1543482421000',
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      enhanceId: id,
      ...detail,
      profilePicture: null,
      requestTime: '2018-11-29T09:07:01.000+0000',
    });
    expect((await read(id)).userDetail).toEqual(answer.body);
  });

  it.each([
    ['2018-11-29T09:07:01.000+0000', '2018-11-29T09:07:01.000+0000'],
    ['2018-11-29T10:07:01.000+0100', '2018-11-29T09:07:01.000+0000'],
    ['1543482421000', '2018-11-29T09:07:01.000+0000'],
    [1543482421000, '2018-11-29T09:07:01.000+0000'],
    [null, null],
    ['', null],
  ])('parses the time %j as %j', async (requestTime, expected) => {
    const { id } = await newUser();
    expect((await change(id, { requestTime })).body.requestTime).toBe(expected);
  });

  it.each([
    ['yesterday'],
    ['2018-13-45T09:07:01.000+0000'],
    [{}],
    [true],
    ['9'.repeat(30)],
    ['2026-02-31T00:00:00.000+0000'],
    ['9'.repeat(15)],
    ['9999-12-31T23:59:59.000-1400'],
    ['0000-01-01T00:00:00.000+1400'],
  ])('rejects the time %j', async (requestTime) => {
    const { id } = await newUser();
    expect(outcome(await change(id, { requestTime }))).toEqual([400, 'BAD_REQUEST']);
  });

  it('rejects an id that differs from the path, in either spelling', async () => {
    const { id } = await newUser();
    for (const name of ['enhanceId', 'userId']) {
      expect(outcome(await change(id, { [name]: id + 1, name: 'Somebody else' }))).toEqual([
        400,
        'BAD_REQUEST',
      ]);
      expect((await change(id, { [name]: String(id) })).status).toBe(201);
    }
  });

  it('changes only given fields and never the picture', async () => {
    const { id } = await newUser();
    const answer = await change(id, {
      department: 'Poetry',
      organization: null,
      profilePicture: 'https://evil.test/x.png',
    });
    expect(answer.body).toMatchObject({
      name: 'Ada',
      department: 'Poetry',
      organisation: null,
      profilePicture: null,
    });
  });

  it('works at /userDetail/{id}, and returns an error for an unknown user', async () => {
    const { id } = await newUser();
    const answer = await change(id, { name: 'Neighbour' }, `/api/userDetail/${id}`);
    expect([answer.status, answer.body.name]).toEqual([200, 'Neighbour']);
    expect(outcome(await change(999_999, {}))).toEqual([500, 'USER_NOT_EXIST']);
    expect(outcome(await change(id, { enhanceId: 1 }))).toEqual([400, 'BAD_REQUEST']);
    expect(outcome(await change(id, { name: 'x'.repeat(46) }))).toEqual([400, 'BAD_REQUEST']);
    expect(outcome(await change(id, { name: ['x'] }))).toEqual([400, 'BAD_REQUEST']);
  });
});

describe('PUT /user/{id}/userGroup', () => {
  it('returns 201 without a body and accepts the user id as a string', async () => {
    const { id } = await newUser();
    const answer = await service.api('PUT', `/api/user/${id}/userGroup`, {
      body: { enhanceId: String(id), userGroup: 1 },
    });
    expect([answer.status, answer.text]).toEqual([201, '']);
    expect((await read(id)).userGroup).toMatchObject([{ enhanceId: 1, name: 'Admin' }]);
  });

  it('rejects an unknown user, an unknown group, no group and a different id', async () => {
    const { id } = await newUser();
    const move = (userId: number, body: unknown) =>
      service.api('PUT', `/api/user/${userId}/userGroup`, { body });
    expect((await move(999_999, { enhanceId: '999999', userGroup: 1 })).body).toEqual(
      body('USER_NOT_EXIST', 500, '/api/user/999999/userGroup'),
    );
    expect(outcome(await move(id, { userGroup: 4711 }))).toEqual([404, 'GROUP_NOT_FOUND']);
    expect(outcome(await move(id, {}))).toEqual([400, 'BAD_REQUEST']);
    expect(outcome(await move(id, { enhanceId: '1', userGroup: 1 }))).toEqual([400, 'BAD_REQUEST']);
    expect((await read(id)).userGroup[0].enhanceId).toBe(2);
  });
});

describe('PUT /user/{id} and /user/check/{email}', () => {
  it('change everything at once and never return the password', async () => {
    const { id } = await newUser();
    const email = `${unique('moved')}@hypha.test`;
    const answer = await service.api('PUT', `/api/user/${id}`, {
      body: {
        userId: id,
        email,
        password: 'brand new one',
        userGroup: 1,
        userDetail: { surname: 'King' },
      },
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      enhanceId: id,
      email,
      userGroup: [{ name: 'Admin' }],
      userDetail: { name: 'Ada', surname: 'King' },
    });
    expect(answer.text).not.toContain('brand new one');
    await service.login(email, 'brand new one');
  });

  it('keep the password if it is empty, and change all or nothing', async () => {
    const { id, email } = await newUser();
    expect(
      await service.status('PUT', `/api/user/${id}`, {
        body: { email: email.toUpperCase(), password: '', userDetail: { name: 'Kept' } },
      }),
    ).toBe(200);
    await service.login(email, PASSWORD);
    await service.refuses(409, 'EMAIL_ALREADY_EXIST', 'PUT', `/api/user/${id}`, {
      body: { email: ADMIN_EMAIL.toUpperCase(), userDetail: { name: 'Lost' } },
    });
    await service.refuses(404, 'GROUP_NOT_FOUND', 'PUT', `/api/user/${id}`, {
      body: { userGroup: 4711, userDetail: { name: 'Lost' } },
    });
    await service.refuses(400, 'BAD_REQUEST', 'PUT', `/api/user/${id}`, {
      body: { password: 'short', userDetail: { name: 'Lost' } },
    });
    await service.refuses(500, 'USER_NOT_EXIST', 'PUT', '/api/user/999999', { body: {} });
    expect((await read(id)).userDetail.name).toBe('Kept');
  });

  it('report in every released style whether an e-mail is taken', async () => {
    const response = await service.api(
      'GET',
      `/api/user/check/${encodeURIComponent(ADMIN_EMAIL.toUpperCase())}`,
    );
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch('application/problem+json');
    expect(response.body).toMatchObject({
      type: 'about:blank',
      title: 'OK',
      status: 200,
      detail: 'EXISTS',
      error: 'OK',
      message: 'EXISTS',
      instance: response.body.path,
    });
    expect(
      await service.body('GET', '/api/user/check/free%2Fand%20odd%40hypha.test'),
    ).toMatchObject({ message: 'NOT_EXISTS', detail: 'NOT_EXISTS' });
  });
});

describe('deleting users', () => {
  it('returns 204 and removes the user', async () => {
    const { id, email } = await newUser();
    const answer = await service.api('DELETE', `/api/user/${id}`);
    expect([answer.status, answer.text]).toEqual([204, '']);
    await service.refuses(500, 'USER_NOT_EXIST', 'GET', `/api/user/${id}`);
    await service.refuses(500, 'USER_NOT_EXIST', 'DELETE', `/api/user/${id}`);
    expect((await created({ email })).status).toBe(201);
  });

  it('removes many or none', async () => {
    const [first, second] = [await newUser(), await newUser()];
    const many = (identifiers: unknown) =>
      service.api('PUT', '/api/user/list/delete', { body: { identifiers } });
    expect(outcome(await many([first.id, 999_999, second.id]))).toEqual([500, 'USER_NOT_EXIST']);
    expect(outcome(await many([first.id, 1]))).toEqual([409, 'SELF_DELETION']);
    expect((await read(first.id)).enhanceId).toBe(first.id);
    expect((await many([first.id, String(second.id), first.id])).status).toBe(204);
    await service.refuses(500, 'USER_NOT_EXIST', 'GET', `/api/user/${second.id}`);
    expect(outcome(await many('all'))).toEqual([400, 'BAD_REQUEST']);
    expect(outcome(await many([]))).toEqual([204, undefined]);
  });
});
