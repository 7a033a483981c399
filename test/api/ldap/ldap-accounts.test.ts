import { askService } from '../../../src/platform/control/client';
import { startService, unique } from '../../support/service/harness';
import type { Answer, TestService } from '../../support/service/harness';
import { codeOf } from '../../support/calls/account-calls';
import { BRANCHES, environment, group, READER, USERS } from '../../support/peers/ldap-directory';
import { startDirectory } from '../../support/peers/ldap-server';
import type { Entry, TestDirectory } from '../../support/peers/ldap-server';
import { storeConnection } from '../../support/store/stored';
import { saved, workflow } from '../../support/documents/workflows';

const PASSWORD = 'secret of the directory';

let entries: Entry[];
let directory: TestDirectory;
let service: TestService;
beforeAll(async () => {
  entries = [];
  directory = await startDirectory(entries);
  service = await startService({
    env: {
      ...environment(directory.url),
      SPRING_SECURITY_LDAP_USER_SEARCH_FILTER: '(|(mail={0})(uid={0})(proxyAddresses=smtp:{0}))',
    },
  });
});
afterAll(async () => {
  await service.close();
  await directory.close();
});
beforeEach(() => {
  service.logs.length = 0;
  setEntries();
});

const setEntries = (...persons: Entry[]): void =>
  void entries.splice(0, Infinity, READER, ...BRANCHES, ...persons);
const person = (uid: string, mail: readonly string[], more: Entry['attributes'] = {}): Entry => ({
  dn: `uid=${uid},${USERS}`,
  password: PASSWORD,
  attributes: { uid, mail, ...more },
});
const login = (email: string, password = PASSWORD): Promise<Answer> =>
  service.api('POST', '/login', { token: null, body: { email, password } });
const idOf = async (email: string): Promise<number> => {
  const { status, body, text } = await login(email);
  if (status !== 200) throw new Error(`${status}: ${text}`);
  return body.enhanceId;
};
const userOf = (id: number): Promise<any> =>
  service.field(
    'query ($id: ID!) { user(id: $id) { email authSource group { name } disabledAt } }',
    { id },
  );
const audited = async (action: string): Promise<any[]> =>
  (
    await service.field(`{ auditEvents(first: 5, filter: { action: { eq: ${action} } }) {
        nodes { target { targetId } after } } }`)
  ).nodes;
/** Gives a user a local password, as the operator does on the command line. */
const makeLocal = async (email: string, password: string): Promise<void> => {
  const input = { email, password };
  const command = { command: 'user reset-password', input, systemUser: 'tester' };
  expect(await askService(service.dataDir, command)).toMatchObject({ done: true });
};
/** Two addresses of one person. */
const addresses = (): readonly [string, string] => {
  const name = unique('ada');
  return [`${name}@example.com`, `${name}.lovelace@example.com`];
};

/** Two accounts of one person, as an earlier version stored them: the older one first. */
async function accountsFromBefore(
  first: string,
  second: string,
): Promise<readonly [{ id: number; token: string }, { id: number; token: string }]> {
  const uid = unique('two');
  setEntries(person(unique('one'), [first]), person(uid, [second]), group('admins', uid));
  const accounts = [];
  for (const email of [first, second]) {
    const { body, headers } = await login(email);
    accounts.push({ id: body.enhanceId as number, token: headers.get('authorization') ?? '' });
  }
  await storeConnection()
    .collection<{ _id: number }>('users')
    .updateMany({ _id: { $in: accounts.map(({ id }) => id) } }, { $unset: { directoryKeys: 1 } });
  return [accounts[0], accounts[1]];
}

describe('the account of a person in the directory', () => {
  it('is the same for all names of the entry', async () => {
    const [first, second] = addresses();
    const uid = unique('ada');
    setEntries(person(uid, [first, second]));
    const ids = [await idOf(second), await idOf(first), await idOf(uid)];
    expect(new Set(ids).size).toBe(1);
    expect((await userOf(ids[0])).email).toBe(second);
  });

  it('has the e-mail of the entry, if the user entered another name first', async () => {
    const [mail] = addresses();
    const uid = unique('ada');
    setEntries(person(uid, [mail]));
    expect(await userOf(await idOf(uid))).toMatchObject({ email: mail, authSource: 'LDAP' });
  });

  it('is created once by concurrent logins with different names', async () => {
    const names = [...addresses(), unique('uid')];
    setEntries(person(names[2], names.slice(0, 2)));
    const ids = await Promise.all([...names, ...names].map(idOf));
    expect(new Set(ids).size).toBe(1);
  });

  it.each<[string, Entry['attributes']]>([
    ['entryUUID', { entryUUID: '0000-ABCD' }],
    ['objectGUID', { objectGUID: '\u0001\u0002\u0003' }],
  ])('follows the %s when the entry gets another name and address', async (_attribute, ids) => {
    const [first, second] = addresses();
    setEntries(person(unique('before'), [first], ids));
    const id = await idOf(first);
    setEntries(person(unique('after'), [second], ids));
    expect(await idOf(second)).toBe(id);
  });

  it('keeps its entry when the directory begins to show ids', async () => {
    const [first, second] = addresses();
    const uid = unique('ada');
    setEntries(person(uid, [first]));
    const id = await idOf(first);
    const ids = { entryUUID: unique('uuid') };
    setEntries(person(uid, [first], ids));
    expect(await idOf(first)).toBe(id);
    setEntries(person(unique('renamed'), [second], ids));
    expect(await idOf(second)).toBe(id);
  });

  it('is the same on all servers, whichever keys of the entry they show', async () => {
    const [first, second] = addresses();
    const uid = unique('ada');
    const ids = { entryUUID: unique('uuid') };
    const guid = { objectGUID: unique('guid') };
    setEntries(person(uid, [first, second], ids));
    const id = await idOf(first);
    for (const shown of [{}, guid, ids, { ...ids, ...guid }, {}]) {
      setEntries(person(uid, [first, second], shown));
      expect([await idOf(second), await idOf(uid), await idOf(first)]).toEqual([id, id, id]);
    }
    // The keys of all servers are known: each id finds the entry that got other names.
    for (const shown of [guid, ids]) {
      const renamed = unique('renamed');
      setEntries(person(renamed, [second], shown));
      expect([await idOf(second), await idOf(renamed)]).toEqual([id, id]);
    }
    setEntries(person(uid, [second]));
    expect((await login(second)).body.enhanceId).not.toBe(id);
  });

  it('is not given to an entry that was created again, on no server', async () => {
    const [first, second] = addresses();
    const uid = unique('ada');
    setEntries(person(uid, [first], { entryUUID: unique('uuid') }));
    const id = await idOf(first);
    const again = { entryUUID: unique('uuid') };
    setEntries(person(uid, [first, second], again));
    expect((await login(first)).status).toBe(401);
    // A server that shows no ids: the name is known to be that of another entry.
    setEntries(person(uid, [first, second]));
    expect((await login(first)).status).toBe(401);
    const other = await idOf(second);
    expect(other).not.toBe(id);
    setEntries(person(uid, [first, second], again));
    expect(await idOf(second)).toBe(other);
    expect((await userOf(id)).email).toBe(first);
  });

  it('is not joined to that of another id, which has its former name', async () => {
    const [first, second] = addresses();
    const [one, two] = [unique('one'), unique('two')];
    const [idOfOne, idOfTwo] = [{ entryUUID: unique('u') }, { entryUUID: unique('u') }];
    const guid = { objectGUID: unique('guid') };
    setEntries(person(one, [first], idOfOne), person(two, [second], { ...idOfTwo, ...guid }));
    const ids = [await idOf(first), await idOf(second)];
    // The second entry gets the name of the first one, on a server that shows its weaker id.
    setEntries(person(one, [second], guid));
    expect(await idOf(second)).toBe(ids[1]);
    setEntries(person(unique('left'), [first], idOfOne));
    expect(await idOf(first)).toBe(ids[0]);
  });

  it('is not given to another entry with the same e-mail, until an administrator does', async () => {
    const [email] = addresses();
    setEntries(person(unique('ada'), [email], { entryUUID: unique('uuid') }));
    const id = await idOf(email);
    setEntries(person(unique('ada'), [email], { entryUUID: unique('uuid') }));
    expect((await login(email)).status).toBe(401);
    expect(service.logs.map(({ msg }) => msg)).toContainEqual(
      expect.stringContaining('belongs to another entry'),
    );
    expect((await audited('USER_ENTRY_REFUSED'))[0].target.targetId).toBe(String(id));

    const password = 'a local password';
    await makeLocal(email, password);
    expect((await login(email, password)).body.enhanceId).toBe(id);
    expect(await service.status('DELETE', `/api/user/${id}/password`)).toBe(204);
    expect(await idOf(email)).toBe(id);
  });

  it('is no other one for a person who got a local password', async () => {
    const [first, second] = addresses();
    setEntries(person(unique('ada'), [first, second]));
    const id = await idOf(first);
    await makeLocal(first, 'a local password');
    expect((await login(second)).status).toBe(401);
    expect((await login(first, 'a local password')).body.enhanceId).toBe(id);
  });

  it('stays disabled for all names of the entry', async () => {
    const [first, second] = addresses();
    setEntries(person(unique('ada'), [first, second]));
    const id = await idOf(first);
    expect(await service.status('PUT', `/api/user/${id}/disable`)).toBeLessThan(300);
    expect([(await login(first)).status, (await login(second)).status]).toEqual([401, 401]);
  });
});

describe('a local account with an address of an entry', () => {
  it('stays local, and another address of the entry gets an account of its own', async () => {
    const local = await service.userWith(['MYPROFILE:READ']);
    const [second] = addresses();
    setEntries(person(unique('ada'), [local.email, second]));
    expect((await login(local.email)).status).toBe(401);
    const id = await idOf(second);
    expect(id).not.toBe(local.id);
    expect((await login(local.email, local.password)).body.enhanceId).toBe(local.id);
    expect((await userOf(local.id)).authSource).toBe('LOCAL');
  });
});

describe('accounts of one person from before', () => {
  it('are joined at the next login: the older one stays, with what belonged to the other', async () => {
    const [first, second] = addresses();
    const [older, younger] = await accountsFromBefore(first, second);
    const created = await service.api('POST', '/api/api-token', {
      token: younger.token,
      body: { name: 'test', scopes: ['MYPROFILE:READ'], expiresInDays: 1 },
    });
    expect(created.status).toBe(201);
    const connectionId = await saved(service, workflow([]));
    const { body: schedule } = await service.api('POST', '/api/scheduler', {
      token: younger.token,
      body: { title: unique('Nightly'), connectionId, status: 1, cronExp: '0 0 3 * * ?' },
    });
    const { body: webhook } = await service.api(
      'GET',
      `/api/webhook/url/${younger.id}/${schedule.schedulerId}`,
      { token: younger.token },
    );
    const uid = unique('ada');
    const more = { proxyAddresses: `smtp:${second}` };
    setEntries(person(uid, [first], more), group('admins', uid));

    expect(await idOf(second)).toBe(older.id);
    expect(await userOf(older.id)).toMatchObject({ email: first, group: { name: 'Admin' } });
    expect(await userOf(younger.id)).toBeNull();
    const events = await audited('USER_JOIN');
    expect(events[0]).toMatchObject({
      target: { targetId: String(younger.id) },
      after: { joinedTo: older.id },
    });
    expect((await audited('USER_DIRECTORY_ENTRY'))[0].target.targetId).toBe(String(older.id));
    const me = await service.data('{ me { databaseId } }', {}, `Bearer ${created.body.token}`);
    expect(me.me.databaseId).toBe(older.id);
    const moved = await service.field(
      'query ($id: ID!) { schedule(id: $id) { createdBy { user { databaseId } } } }',
      { id: schedule.schedulerId },
    );
    expect(moved.createdBy.user.databaseId).toBe(older.id);
    const called = await service.api('GET', new URL(webhook.url).pathname, { token: null });
    expect(called.status).toBe(200);
    const ended = await service.api('GET', '/api/user/1', { token: younger.token });
    expect(ended.body.message).toBe('ACCESS_DENIED');
    expect([await idOf(first), await idOf(uid)]).toEqual([older.id, older.id]);
  });

  it('keep the second factor that the younger one has, and no session without it', async () => {
    const [first, second] = addresses();
    const [older, younger] = await accountsFromBefore(first, second);
    await service.api('PUT', `/api/user/${younger.id}/totp/enable`);
    const { body } = await login(second);
    const secret = body.secretKey as string;
    const validate = (sessionId: string, at: number): Promise<Answer> =>
      service.api('POST', '/totp-validate', {
        token: null,
        body: { sessionId, code: codeOf(secret, at) },
      });
    expect((await validate(body.sessionId, Date.now())).status).toBe(200);
    await storeConnection()
      .collection<{ _id: number }>('users')
      .updateOne({ _id: younger.id }, { $unset: { directoryKeys: 1 } });

    const readOwn = (): Promise<unknown> =>
      service.body('GET', `/api/user/${older.id}`, { token: older.token });
    expect(await readOwn()).toMatchObject({ email: first });
    setEntries(person(unique('ada'), [first, second]));
    const challenge = await login(first);
    expect(challenge.headers.get('authorization')).toBeNull();
    expect(await readOwn()).toMatchObject({ message: 'ACCESS_DENIED' });
    // The next code, since the present one was used.
    const done = await validate(challenge.body.sessionId, Date.now() + 30_000);
    expect([done.status, done.body.enhanceId]).toEqual([200, older.id]);
  });

  it('are not joined if two entries share the address', async () => {
    const [shared, own] = addresses();
    const [other] = await accountsFromBefore(shared, `other.${own}`);
    setEntries(person(unique('one'), [shared, own]), person(unique('two'), [shared]));
    const id = await idOf(own);
    expect(id).not.toBe(other.id);
    expect((await userOf(other.id)).email).toBe(shared);
    expect((await login(shared)).status).toBe(401);
  });
});
