import { askService } from '../../../src/platform/control/client';
import { startService, unique } from '../../support/service/harness';
import type { Answer, TestService } from '../../support/service/harness';
import {
  BRANCHES,
  environment,
  group,
  GROUPS,
  person,
  READER,
  USERS,
} from '../../support/peers/ldap-directory';
import { startDirectory } from '../../support/peers/ldap-server';
import type { Entry, TestDirectory } from '../../support/peers/ldap-server';

let entries: Entry[];
let directory: TestDirectory;
let service: TestService;
beforeAll(async () => {
  entries = [];
  directory = await startDirectory(entries);
  service = await startService({ env: environment(directory.url) });
});
afterAll(async () => {
  await service.close();
  await directory.close();
});
beforeEach(() => {
  directory.requests.length = 0;
  service.logs.length = 0;
  entries.splice(0, Infinity, READER, ...BRANCHES);
});

const login = (email: string, password: string, at = service): Promise<Answer> =>
  at.api('POST', '/login', { token: null, body: { email, password } });
const signIn = async (name: string): Promise<Answer> => {
  const answer = await login(`${name}@example.com`, `secret of ${name}`);
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`);
  return answer;
};
const groupOf = async ({ body }: Answer): Promise<string> =>
  (await userOf(body.enhanceId)).user.group.name;
const userOf = (id: number): Promise<any> =>
  service.data(
    `query ($id: ID!) { user(id: $id) { email authSource group { name } detail {
      name surname phoneNumber department organisation salutation appTour } } }`,
    { id },
  );

describe('a login of a directory user', () => {
  it('creates the account with the details of the directory', async () => {
    const name = unique('ada');
    const more = {
      givenName: 'Ada',
      sn: 'Lovelace',
      telephoneNumber: '+44 1',
      departmentNumber: 'Engines',
      company: 'Analytical',
      title: 'Countess of Lovelace',
    };
    entries.push(person(name, more));
    const { body } = await signIn(name);
    const { user } = await userOf(body.enhanceId);
    expect(user).toEqual({
      email: `${name}@example.com`,
      authSource: 'LDAP',
      group: { name: 'User' },
      detail: {
        name: 'Ada',
        surname: 'Lovelace',
        phoneNumber: '+44 1',
        department: 'Engines',
        organisation: 'Analytical',
        salutation: null,
        appTour: false,
      },
    });
    const again = await login(`${name.toUpperCase()}@EXAMPLE.com`, `secret of ${name}`);
    expect(again.body.enhanceId).toBe(body.enhanceId);
  });

  it('searches as the bind account, and binds with the password of the user', async () => {
    const name = unique('bob');
    entries.push(person(name));
    await signIn(name);
    expect(directory.requests).toEqual([
      `bind ${READER.dn}`,
      `search ${USERS} (mail=${name}@example.com)`,
      `bind uid=${name},${USERS}`,
      `bind ${READER.dn}`,
      `search ${GROUPS} (member=uid=${name},${USERS})`,
    ]);
  });

  it('gives the group of the first mapping that matches, at each login', async () => {
    const name = unique('eve');
    entries.push(person(name), group('staff', name), group('admins', name));
    expect(await groupOf(await signIn(name))).toBe('Admin');
    entries.pop();
    expect(await groupOf(await signIn(name))).toBe('User');
  });

  it('creates one account for concurrent first logins', async () => {
    const name = unique('carl');
    entries.push(person(name));
    const answers = await Promise.all([1, 2, 3].map(() => signIn(name)));
    expect(new Set(answers.map(({ body }) => body.enhanceId)).size).toBe(1);
  });

  it('is refused for a wrong password, an unknown name and a name with wildcards', async () => {
    const name = unique('dan');
    entries.push(person(name));
    for (const [email, password] of [
      [`${name}@example.com`, 'wrong'],
      [`not${name}@example.com`, `secret of ${name}`],
      ['*', `secret of ${name}`],
      [`${name}*`, `secret of ${name}`],
      [`x)(mail=${name}@example.com`, `secret of ${name}`],
    ])
      expect((await login(email, password)).status).toBe(401);
  });

  it('never sends an empty password, or one with a zero byte, to the directory', async () => {
    const name = unique('finn');
    entries.push(person(name));
    for (const password of ['', '\0', '\0x'])
      expect((await login(`${name}@example.com`, password)).status).toBe(401);
    expect(directory.requests.filter((request) => request.startsWith('bind'))).toEqual([]);
  });

  it('is refused if several entries match', async () => {
    const name = unique('gus');
    entries.push(person(name), { ...person(`${name}2`), attributes: person(name).attributes });
    expect((await login(`${name}@example.com`, `secret of ${name}`)).status).toBe(401);
    expect(directory.requests).toHaveLength(2);
    expect(service.logs.map(({ msg }) => msg)).toContainEqual(
      expect.stringContaining('finds several entries'),
    );
  });

  it('is refused, logged and recorded if the mapped group does not exist', async () => {
    const name = unique('hal');
    entries.push(person(name), group('lost', name));
    expect((await login(`${name}@example.com`, `secret of ${name}`)).status).toBe(401);
    expect(service.logs.map(({ msg }) => msg)).toContainEqual(
      expect.stringContaining('there is no user group "Missing"'),
    );
    const auditEvents = await service.field(
      '{ auditEvents(first: 1, filter: { action: { eq: USER_GROUP_MISSING } }) { nodes { after } } }',
    );
    expect(auditEvents.nodes[0].after).toMatchObject({ group: 'Missing' });
  });

  it('shortens details that are too long', async () => {
    const name = unique('ida');
    entries.push(person(name, { givenName: 'x'.repeat(500), sn: 'a\u0000b', title: 'Dr.' }));
    const { user } = await userOf((await signIn(name)).body.enhanceId);
    expect(user.detail).toMatchObject({ name: 'x'.repeat(45), surname: 'a b', salutation: 'Dr.' });
  });

  it('reads all groups, however many the user has', async () => {
    const name = unique('jim');
    entries.push(person(name));
    for (let i = 0; i < 2_200; i += 1) entries.push(group(`g${i}`, name));
    entries.push(group('admins', name));
    expect(await groupOf(await signIn(name))).toBe('Admin');
  });

  it('is refused if the directory cuts the list of groups', async () => {
    const name = unique('jil');
    entries.push(person(name), group('other', name), group('admins', name));
    directory.sizeLimit = 1;
    const email = `${name}@example.com`;
    const answer = await login(email, `secret of ${name}`);
    const test = await service.api('POST', '/api/ldap/test', { body: { email } });
    directory.sizeLimit = Infinity;
    expect([answer.status, answer.body.message]).toEqual([503, 'LDAP_UNAVAILABLE']);
    expect(test.body.at(-1).text).toMatch(/returned only 1 groups of .*raise its size limit/);
    expect(await groupOf(await signIn(name))).toBe('Admin');
  });

  it('gives the default role if the base of groups does not exist, and logs it', async () => {
    const name = unique('kai');
    entries.push(person(name), group('admins', name));
    entries.splice(2, 1);
    expect(await groupOf(await signIn(name))).toBe('User');
    expect(service.logs).toContainEqual(expect.objectContaining({ level: 'warn', base: GROUPS }));
  });

  it('is locked out after too many wrong passwords', async () => {
    const name = unique('joe');
    entries.push(person(name));
    const statuses: number[] = [];
    for (let i = 0; i < 6; i += 1)
      statuses.push((await login(`${name}@example.com`, 'wrong')).status);
    expect(statuses.slice(-1)).toEqual([429]);
  });
});

describe('accounts with a local password', () => {
  it('are never checked by the directory', async () => {
    const user = await service.userWith(['MYPROFILE:READ']);
    entries.push({ ...person(unique('kim')), attributes: { mail: user.email } });
    directory.requests.length = 0;
    expect((await login(user.email, user.password)).status).toBe(200);
    expect((await login(user.email, entries.at(-1)?.password ?? '')).status).toBe(401);
    expect(directory.requests).toEqual([]);
  });

  it('become accounts of the directory when an administrator removes the password', async () => {
    const user = await service.userWith(['MYPROFILE:READ']);
    entries.push({ ...person('liv'), attributes: { mail: user.email } });
    const removed = await service.api('DELETE', `/api/user/${user.id}/password`);
    expect(removed.status).toBe(204);
    const ended = await service.api('GET', `/api/user/${user.id}`, { token: user.token });
    expect(ended.body.message).toBe('ACCESS_DENIED');
    expect((await login(user.email, user.password)).status).toBe(401);
    const signedIn = await login(user.email, 'secret of liv');
    expect(signedIn.body.enhanceId).toBe(user.id);

    const again = await service.data(
      'mutation ($id: ID!) { userPasswordRemove(input: { id: $id }) { userErrors { code } } }',
      { id: user.id },
    );
    expect(again.userPasswordRemove.userErrors).toEqual([{ code: 'LDAP_USER' }]);
  });

  it('keep the password of the administrator who sends the request', async () => {
    const { body } = await service.api('DELETE', '/api/user/1/password');
    expect(body.message).toBe('LDAP_OWN_ACCOUNT');
  });

  it('cannot be converted with an API token', async () => {
    const user = await service.userWith(['MYPROFILE:READ']);
    const created = await service.api('POST', '/api/api-token', {
      body: { name: 'test', scopes: ['USER:UPDATE'], expiresInDays: 1 },
    });
    const { body } = await service.api('DELETE', `/api/user/${user.id}/password`, {
      token: `Bearer ${created.body.token}`,
    });
    expect(body.message).toBe('API_TOKEN_REFUSED');
  });

  it('cannot be converted without a directory', async () => {
    const plain = await startService();
    try {
      const user = await plain.userWith(['MYPROFILE:READ']);
      const { body } = await plain.api('DELETE', `/api/user/${user.id}/password`);
      expect(body.message).toBe('LDAP_NOT_CONFIGURED');
      const test = await plain.api('POST', '/api/ldap/test', { body: {} });
      expect(test.body.message).toBe('LDAP_NOT_CONFIGURED');
      expect(test.body.error).toContain('Set spring.security.ldap.urls');
    } finally {
      await plain.close();
    }
  });
});

describe('passwords of directory users', () => {
  it('cannot be changed here', async () => {
    const name = unique('mia');
    entries.push(person(name));
    const { body, headers } = await signIn(name);
    const id = body.enhanceId as number;
    const own = headers.get('authorization');
    const password = 'a new password';
    const answers = [
      await service.api('PUT', `/api/user/${id}/password`, { token: own, body: { password } }),
      await service.api('PUT', `/api/user/${id}/password`, { body: { password } }),
      await service.api('PUT', `/api/user/${id}`, { body: { password } }),
    ];
    expect(answers.map((answer) => answer.body.message)).toEqual(Array(3).fill('LDAP_USER'));
    const changed = await service.data(
      `mutation ($id: ID!) { userPasswordChange(input: { id: $id, password: "${password}" }) {
        userErrors { code } } }`,
      { id },
    );
    expect(changed.userPasswordChange.userErrors).toEqual([{ code: 'LDAP_USER' }]);
    expect((await signIn(name)).status).toBe(200);
  });
});

describe('the command hypha', () => {
  const perform = (command: string, input: object) =>
    askService(service.dataDir, { command, input, systemUser: 'tester' });

  it('gives a directory user a local password', async () => {
    const name = unique('pam');
    entries.push(person(name));
    await signIn(name);
    const email = `${name}@example.com`;
    const answer = await perform('user reset-password', { email, password: 'local password' });
    expect(answer).toMatchObject({ done: true, result: { wasLdap: true } });
    directory.requests.length = 0;
    const signedIn = await login(email, 'local password');
    expect((await userOf(signedIn.body.enhanceId)).user.authSource).toBe('LOCAL');
    expect((await login(email, `secret of ${name}`)).status).toBe(401);
    expect(directory.requests).toEqual([]);
  });

  it('tests the connection for a user', async () => {
    const name = unique('quin');
    entries.push(person(name));
    const answer = await perform('ldap test', { email: `${name}@example.com` });
    expect(answer).toMatchObject({ done: true, result: { isSuccessful: true } });
  });
});

describe('the log', () => {
  it('has each step with the level DEBUG, and no password', async () => {
    const name = unique('rob');
    entries.push(person(name));
    const other = await startService({
      env: {
        ...environment(directory.url),
        SPRING_SECURITY_LDAP_SHOW_LOGS: 'true',
        LOGGING_LEVEL_ORG_SPRINGFRAMEWORK_SECURITY_LDAP: 'DEBUG',
      },
    });
    try {
      await login(`${name}@example.com`, `secret of ${name}`, other);
      await login(`${name}@example.com`, `wrong secret of ${name}`, other);
      const messages = other.logs.map(({ msg }) => msg);
      for (const message of [
        'LDAP: connecting',
        'LDAP: the user search ended',
        'LDAP: a user signed in',
        'the LDAP directory accepted a user',
        'LDAP: the directory refused the password of a user',
      ])
        expect(messages).toContain(message);
      expect(JSON.stringify(other.logs)).not.toMatch(/secret of|reader password/);
    } finally {
      await other.close();
    }
  });
});

describe('the last administrator', () => {
  it('stays one, whatever group the directory gives', async () => {
    const name = unique('sue');
    entries.push(person(name), group('admins', name));
    const other = await startService({ env: environment(directory.url) });
    const signInThere = async (): Promise<Answer> =>
      login(`${name}@example.com`, `secret of ${name}`, other);
    try {
      const first = await signInThere();
      const token = first.headers.get('authorization');
      expect(await other.status('DELETE', '/api/user/1', { token })).toBe(204);
      entries.pop();
      const second = await signInThere();
      const me = await other.data(
        '{ me { group { name } } }',
        {},
        second.headers.get('authorization'),
      );
      expect(me.me.group.name).toBe('Admin');
    } finally {
      await other.close();
    }
  });
});

const PAT = unique('pat');

describe('the test of the connection', () => {
  it('shows the configuration without the password, to administrators only', async () => {
    const { body } = await service.api('GET', '/api/ldap/default/config');
    expect(body).toEqual({
      urls: directory.url,
      userDN: USERS,
      groupDN: GROUPS,
      username: READER.dn,
      password: '***',
      userSearchFilter: '(mail={0})',
      groupSearchFilter: '(member={0})',
      timeout: '30000',
    });
    const user = await service.userWith(['USER:READ', 'USER:UPDATE']);
    for (const [method, path] of [
      ['GET', '/api/ldap/default/config'],
      ['POST', '/api/ldap/test'],
    ])
      expect(
        await service.status(method, path, {
          token: user.token,
          body: method === 'GET' ? undefined : {},
        }),
      ).toBe(403);
  });

  it('returns a message for each stage', async () => {
    const name = unique('nia');
    entries.push(person(name), group('admins', name));
    const shown = await service.body('GET', '/api/ldap/default/config');
    const answer = await service.api('POST', '/api/ldap/test', {
      body: { ...shown, email: `${name}@example.com` },
    });
    expect([answer.status, answer.body]).toEqual([
      200,
      [
        { title: 'Connect', text: `Connected to ${directory.url}.` },
        { title: 'Bind', text: `Signed in as "${READER.dn}".` },
        { title: 'User search', text: `Found "uid=${name},${USERS}".` },
        { title: 'Group search', text: `Groups: "CN=admins,${GROUPS}".` },
        { title: 'Mapping', text: expect.stringContaining('gives the role "Admin"') },
      ],
    ]);
  });

  it.each([
    ['Connect', { urls: 'ldap://127.0.0.1:1', password: 'reader password' }],
    ['Bind', { password: 'wrong' }],
    ['User search', { userDN: 'ou=nothing' }],
    ['User search', { email: 'unknown@example.com' }],
    ['Group search', { groupDN: 'ou=nothing' }],
    ['Mapping', {}],
    ['User search', { email: `${PAT}@example.com`, userDN: 'ou=nothing' }],
    ['Group search', { email: `${PAT}@example.com`, groupDN: 'ou=nothing' }],
  ])('ends at the failed stage %s of %j', async (title, input) => {
    entries.push(person(PAT));
    const { status, body } = await service.api('POST', '/api/ldap/test', { body: input });
    expect([status, body.at(-1).title]).toEqual([400, title]);
    if (JSON.stringify(input).includes('ou=nothing'))
      expect(body.at(-1).text).toContain('The search base "ou=nothing" does not exist');
    const ldapTest = await service.mutate(
      'ldapTest',
      input,
      'result { isSuccessful messages { title text } } userErrors { code }',
    );
    expect(ldapTest.result).toEqual({ isSuccessful: false, messages: body });
  });

  it('never sends the stored password to another server or account', async () => {
    const other = await startDirectory([]);
    try {
      for (const input of [
        { urls: other.url },
        { urls: other.url, password: '***' },
        { username: 'cn=x' },
      ]) {
        await service.refuses(400, 'BAD_REQUEST', 'POST', '/api/ldap/test', { body: input });
      }
      expect(other.sockets.most).toBe(0);
    } finally {
      await other.close();
    }
  });

  it('does not call addresses that the address policy refuses', async () => {
    const { body } = await service.api('POST', '/api/ldap/test', {
      body: { urls: 'ldap://169.254.169.254', username: '' },
    });
    expect(body).toEqual([{ title: 'Connect', text: expect.stringContaining('address policy') }]);
  });

  it('uses the configuration for values that are null', async () => {
    const fields = [
      ...['urls', 'userDN', 'groupDN', 'username', 'password'],
      ...['userSearchFilter', 'groupSearchFilter', 'timeout', 'email'],
    ];
    const body = Object.fromEntries(fields.map((field) => [field, null]));
    const answer = await service.api('POST', '/api/ldap/test', { body });
    expect(answer.body[0]).toEqual({ title: 'Connect', text: `Connected to ${directory.url}.` });
  });

  it.each([
    { urls: 'http://x' },
    { urls: 'ldap://127.0.0.1 '.repeat(11) },
    { userDN: 'x' },
    { userSearchFilter: '(a=b)' },
    { timeout: '1' },
  ])('refuses %j', async (input) => {
    const { status } = await service.api('POST', '/api/ldap/test', { body: input });
    expect(status).toBe(400);
  });
});
