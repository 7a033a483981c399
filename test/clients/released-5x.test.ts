import { decode } from 'jsonwebtoken';
import { imported, TICKETS } from '../support/documents/connector-invokers';
import { MASTER_PASSWORD } from '../support/service/master-password';
import { startDescribedService } from '../support/service/described-service';
import { ADMIN_EMAIL, ADMIN_PASSWORD, unique } from '../support/service/harness';
import type { TestService } from '../support/service/harness';
import { png } from '../support/documents/images';
import { client5x, expectReadable, fileForm, slashedName } from '../support/browser/released-pages';
import type { PageClient, Shape } from '../support/browser/released-pages';
import { openForTests } from '../support/open-for-tests';

/* Each page: what the 5.x client sends, in its order, and every field that it reads. */

const GROUP: Shape = {
  groupId: 'number',
  name: 'string',
  description: 'string?',
  icon: 'string?',
  components: 'array',
};
const GRANTS: Shape = [{ componentId: 'number', name: 'string', permissions: 'array' }];
const DETAIL: Shape = {
  name: 'string?',
  surname: 'string?',
  userTitle: 'string?',
  department: 'string?',
  organization: 'string?',
  phoneNumber: 'string?',
  profilePicture: 'string?',
  theme: 'string?',
  themeSync: 'boolean',
  appTour: 'boolean',
  lang: 'string',
};
const USER: Shape = {
  userId: 'number',
  email: 'string?',
  username: 'string?',
  totpEnabled: 'boolean',
  userGroup: GROUP,
  userDetail: DETAIL,
};
const STATE: Shape = {
  connectorId: 'number',
  title: 'string',
  icon: 'string?',
  sslCert: 'boolean',
  timeout: 'number',
  invoker: { name: 'string' },
  status: 'string',
  lastTestError: 'string?',
  lastCheckedAt: 'number?',
};
let service: TestService;
let client: PageClient;
let invoker: string;
const described = openForTests(startDescribedService);
beforeAll(async () => {
  ({ service } = described);
  client = client5x(service);
  invoker = await imported(service, {
    ...TICKETS,
    operations: [{ name: 'Test', type: 'test', endpoint: '{url}/healthz' }],
  });
});

const connector = (more: object = {}): object => ({
  title: unique('Connector '),
  description: '',
  timeout: 1_000,
  sslCert: false,
  invoker: { name: invoker },
  requestData: { url: service.url, token: 'a hidden token' },
  ...more,
});

describe('the sign-in page of the 5.x client', () => {
  it('reads the token, its user id, and the user', async () => {
    const answer = await client5x(service, null).send('POST', 'login', {
      email: ADMIN_EMAIL,
      password: ADMIN_PASSWORD,
    });
    const token = answer.headers.get('authorization') ?? '';
    expect(answer.body).not.toHaveProperty('sessionId');
    const { userId } = decode(token.replace(/^bearer /i, '')) as { userId: number };
    expect(typeof userId).toBe('number');
    const user = await client5x(service, token).read('GET', `user/${userId}`);
    expectReadable(user, USER);
    expectReadable(user.userGroup.components, GRANTS);
  });

  it('reads the user whatever the rights', async () => {
    const { id, token } = await service.userWith([]);
    expectReadable(await client5x(service, token).read('GET', `user/${id}`), USER);
    expect((await client5x(service, token).send('GET', 'user/1')).status).toBe(500);
  });

  it('signs out without a body', async () => {
    const token = await service.login(ADMIN_EMAIL, ADMIN_PASSWORD);
    expect((await client5x(service, token).send('POST', 'auth/logout')).status).toBe(204);
    expect((await client5x(service, token).send('GET', 'user/1')).status).toBe(401);
  });
});

describe('the users page of the 5.x client', () => {
  const detail = { name: 'Ada', surname: 'L', department: '', organization: 'O', phoneNumber: '' };

  it('creates, edits without a password, gives a picture and deletes', async () => {
    expectReadable(await client.read('GET', 'user/all'), [USER]);
    expectReadable(await client.read('GET', 'role/all'), [GROUP]);
    const email = `${unique('ada')}@hypha.test`;
    expect(await client.read('GET', `user/check/${email}`)).toMatchObject({ result: false });
    const password = 'Good-Password1';
    const { userId } = await client.read('POST', 'user', {
      userDetail: detail,
      email,
      password,
      repeatPassword: password,
      userGroup: 2,
    });
    expect(await client.read('GET', `user/check/${email}`)).toMatchObject({ result: true });
    const loaded = await client.read('GET', `user/${userId}`);
    expectReadable(loaded, USER);
    const changed = await client.read('PUT', `user/${userId}`, {
      ...loaded,
      userGroup: loaded.userGroup.groupId,
      userDetail: { ...loaded.userDetail, userTitle: 'mrs', organization: 'Other' },
    });
    expect(changed).toMatchObject({ userDetail: { userTitle: 'mrs', organization: 'Other' } });
    await expect(service.login(email, password)).resolves.toMatch(/^Bearer /);

    const picture = fileForm(png(), 'a.png');
    await client.read('POST', `storage/profilePicture?email=${encodeURIComponent(email)}`, picture);
    const shown = (await client.read('GET', `user/${userId}`)).userDetail.profilePicture as string;
    expect((await fetch(shown)).status).toBe(200);
    expect((await client.send('DELETE', `user/${userId}/profilePicture`)).status).toBe(204);
    expect((await client.read('GET', `user/${userId}`)).userDetail.profilePicture).toBeNull();

    await client.read('PUT', 'user/list/delete', { identifiers: [`${userId}`] });
    expect((await client.send('GET', `user/${userId}`)).status).toBe(500);
  });

  it('saves the profile without a group, and keeps it', async () => {
    const { id, groupId, token } = await service.userWith(['MYPROFILE:READ', 'MYPROFILE:UPDATE']);
    const own = client5x(service, token);
    const { email, username, userDetail } = await own.read('GET', `user/${id}`);
    const saved = await own.read('PUT', `user/${id}`, {
      email,
      username,
      userDetail: { ...userDetail, theme: 'dark', lang: 'de' },
    });
    expectReadable(saved, USER);
    expect(saved).toMatchObject({ userGroup: { groupId }, userDetail: { theme: 'dark' } });
    expect(await own.send('PUT', `user/${id}`, { email: 'other@hypha.test' })).toMatchObject({
      status: 500,
      body: { message: 'ACCESS_DENIED' },
    });
  });

  it('requires a second factor, and shows it', async () => {
    const { id } = await service.userWith([]);
    await client.read('PUT', `user/${id}/totp/enable`);
    const list = (await client.read('GET', 'user/all')) as {
      userId: number;
      totpEnabled: boolean;
    }[];
    expect(list.find(({ userId }) => userId === id)?.totpEnabled).toBe(true);
    await client.read('PUT', 'user/list/totp/disable', { identifiers: [`${id}`] });
    expect((await client.read('GET', `user/${id}`)).totpEnabled).toBe(false);
  });
});

describe('the groups page of the 5.x client', () => {
  it('saves in two steps that lose nothing', async () => {
    const components = await client.read('GET', 'component/all');
    expectReadable(components, [{ componentId: 'number', name: 'string' }]);
    const { name, segment } = slashedName();
    expect(await client.read('GET', `role/exists/${segment}`)).toMatchObject({ result: false });
    const grants = [{ ...components[0], permissions: ['READ'] }];
    const { groupId } = await client.read('POST', 'role', {
      name,
      description: 'Readers',
      icon: null,
      components: grants,
    });
    await client.read('POST', `storage/groupIcon?userGroupId=${groupId}`, fileForm(png(), 'a.png'));
    const body = { groupId, name, description: 'Changed', icon: null, components: grants };
    await client.read('PUT', `role/${groupId}`, body);
    await client.read('PUT', `role/${groupId}/component`, body);
    const loaded = await client.read('GET', `role/${groupId}`);
    expectReadable(loaded, GROUP);
    expectReadable(loaded.components, GRANTS);
    expect(loaded).toMatchObject({ description: 'Changed', components: grants });
    expect((await fetch(loaded.icon)).status).toBe(200);
    await client.read('DELETE', `role/${groupId}/icon`);
    await client.read('DELETE', `role/${groupId}`);
  });
});

describe('the connectors page of the 5.x client', () => {
  const gate = { 'x-master-password': MASTER_PASSWORD };

  it('checks, creates, edits without credentials, and reads them with the master password', async () => {
    expectReadable(await client.read('GET', 'invoker/all'), [
      { name: 'string', requiredData: 'object', operations: 'array' },
    ]);
    const form = connector({ timeout: '1000' });
    expect(await client.read('POST', 'connector/check', form)).toEqual({ status: '200' });
    const { connectorId } = await client.read('POST', 'connector', connector());
    const [listed] = await client.read('GET', 'connector/all');
    expectReadable(listed, STATE);
    expectReadable(listed.invoker, { name: 'string', operations: 'array', requiredData: 'object' });

    const loaded = await client.read('GET', `connector/${connectorId}`);
    expect(loaded.requestData).toEqual({ url: service.url, token: '********' });
    const { requestData: _requestData, ...row } = loaded;
    await client.read('PUT', `connector/${connectorId}`, {
      ...row,
      title: unique('Renamed '),
      invoker: { name: invoker },
    });
    expect(await client.read('GET', 'connector/master-password/status/exist')).toBe(true);
    await client.read('GET', 'connector/master-password/status', undefined, gate);
    const open = await client.read('GET', `connector/${connectorId}`, undefined, gate);
    expect(open.requestData.token).toBe('a hidden token');
    await client.read('PUT', `connector/${connectorId}/required-data`, { token: 'new' }, gate);
    const after = await client.read('GET', `connector/${connectorId}`, undefined, gate);
    expect(after.requestData).toEqual({ url: service.url, token: 'new' });

    await client.read('POST', `connector/${connectorId}/icon`, fileForm(png(), 'a.png'));
    expect((await client.send('DELETE', `connector/${connectorId}/icon`)).status).toBe(204);
    await client.read('PUT', 'connector/list/delete', { identifiers: [`${connectorId}`] });
  });

  it('shows a failed check as a failed request, and as the state of the connector', async () => {
    const lost = { url: `${service.url}/nowhere`, token: 'x' };
    expect(
      await client.send('POST', 'connector/check', connector({ requestData: lost })),
    ).toMatchObject({ status: 500, body: { message: 'COMMUNICATION_FAILED' } });
    const { connectorId } = await client.read(
      'POST',
      'connector',
      connector({ requestData: lost }),
    );
    expect(await client.read('GET', 'connector/meta/all')).toContainEqual(
      expect.objectContaining({ connectorId, status: 'UNKNOWN', lastCheckedAt: null }),
    );
    const row = await client.read('POST', `connector/${connectorId}/status/refresh`);
    expectReadable(row, STATE);
    expect(row).toMatchObject({ connectorId, status: 'DOWN', lastTestError: expect.any(String) });
  });

  it('asks whether a title is taken', async () => {
    const { name, segment } = slashedName();
    expect(await client.read('GET', `connector/exists/${segment}`)).toMatchObject({
      result: false,
    });
    await client.read('POST', 'connector', connector({ title: name }));
    expect(await client.read('GET', `connector/exists/${segment}`)).toMatchObject({ result: true });
  });
});

describe('the invokers page of the 5.x client', () => {
  it('uploads a file, reads the invoker and deletes it', async () => {
    const name = unique('Invoker');
    const file = `<invoker><name>${name}</name><operations><operation name="Test" type="test"><request><method>GET</method><endpoint>{url}</endpoint></request></operation></operations></invoker>`;
    expect(await client.read('GET', `invoker/file/exists/${name}.xml`)).toMatchObject({
      result: false,
    });
    const uploaded = await client.read('POST', 'storage/invoker', fileForm(file, `${name}.xml`));
    expectReadable(uploaded, { id: 'string', path: 'string' });
    expectReadable(await client.read('GET', `invoker/${uploaded.id}`), {
      name: 'string',
      description: 'string?',
      hint: 'string?',
      icon: 'string?',
      authType: 'string?',
      requiredData: 'object',
      operations: [
        {
          name: 'string',
          type: 'string?',
          request: { endpoint: 'string', method: 'string', header: 'object?', body: 'object?' },
          response: { success: 'object?', fail: 'object?' },
        },
      ],
    });
    expect(await client.read('GET', `invoker/exists/${name}`)).toMatchObject({ result: true });
    await client.read('PUT', 'invoker/list/delete', { identifiers: [name] });
    expect(await client.read('GET', `invoker/exists/${name}`)).toMatchObject({ result: false });
  });
});

describe('an edit of an invoker by the 5.x client', () => {
  it('keeps the visibility of fields, and the private fields', async () => {
    const name = await imported(service, {
      fields: [
        { name: 'url' },
        { name: 'token', visibility: 'protected' },
        { name: 'session', visibility: 'private', value: '%{Login.header.Session}' },
      ],
      operations: [
        { name: 'Login', type: 'test', endpoint: '{url}/login' },
        { name: 'Read', endpoint: '{url}' },
      ],
    });
    const path = `invoker/${encodeURIComponent(name)}`;
    const loaded = await client.read('GET', path);
    expect(Object.keys(loaded.requiredData as object)).toEqual(['url', 'token']);
    // The client builds the file from what it read.
    const items = Object.keys(loaded.requiredData as object).map(
      (field) => `<item name="${field}" type="string" visibility="public"></item>`,
    );
    const operation = `<operation name="Login" type="test"><request><method>GET</method><endpoint>{url}/in</endpoint></request></operation>`;
    const file = `<invoker type="RESTful"><name>${name}</name><requiredData>${items.join('')}</requiredData><operations>${operation}</operations></invoker>`;
    await client.read('POST', 'storage/invoker', fileForm(file, `${name}.xml`));
    const { invoker: stored } = await service.data(
      'query ($name: String!) { invoker(name: $name) { requiredData { name visibility value } } }',
      { name },
    );
    expect(stored.requiredData).toEqual([
      { name: 'url', visibility: 'PUBLIC', value: '' },
      { name: 'token', visibility: 'PROTECTED', value: '' },
      { name: 'session', visibility: 'PRIVATE', value: '%{Login.header.Session}' },
    ]);
    expect((await client.read('GET', path)).operations).toHaveLength(1);
  });
});

describe('the other pages of the 5.x client', () => {
  it('read categories and aggregators', async () => {
    const name = unique('Category ');
    const check = `category/check/${encodeURIComponent(name)}`;
    expect(await client.read('GET', check)).toMatchObject({ message: 'NOT_EXISTS' });
    const parent = await client.read('POST', 'category', { name, parentCategory: null });
    await client.read('POST', 'category', { name: unique('Child '), parentCategory: parent.id });
    expectReadable(await client.read('GET', 'category/all'), [
      { id: 'number', name: 'string', parentCategory: 'object?', subCategories: 'array' },
    ]);

    const aggregator = {
      name: unique('Aggregator '),
      active: true,
      args: [{ name: 'n', description: '' }],
      script: 'n = 1;',
    };
    const free = `aggregator/unique/${encodeURIComponent(aggregator.name)}`;
    expect(await client.read('GET', free)).toMatchObject({ result: true, message: 'NOT_EXISTS' });
    const { id } = await client.read('POST', 'aggregator', aggregator);
    expect(await client.read('GET', free)).toMatchObject({ result: false, message: 'EXISTS' });
    expectReadable(await client.read('GET', `aggregator/${id}`), {
      id: 'number',
      name: 'string',
      active: 'boolean',
      args: [{ id: 'number', name: 'string', description: 'string?' }],
      script: 'string',
    });
    await client.read('PUT', `aggregator/${id}/status`, { active: false });
  });

  it('read the dashboard and support files', async () => {
    expectReadable(await client.read('GET', 'widget/executions-timeline?days=7'), {
      points: [{ date: 'string', dayOfWeek: 'string', executions: 'number', failures: 'number' }],
    });
    expectReadable(await client.read('GET', 'widget/top-workflows?limit=5'), { rows: 'array' });
    expect(await client.read('GET', 'connection/support-file/list')).toEqual([]);
  });

  it('test the directory: an object on success, messages on failure', async () => {
    const config = await client.read('GET', 'ldap/default/config');
    expectReadable(config, {
      urls: 'string',
      userDN: 'string',
      groupDN: 'string',
      username: 'string',
      password: 'string',
      userSearchFilter: 'string',
      groupSearchFilter: 'string',
    });
    expect(await client.read('POST', 'ldap/test', config)).toMatchObject({ status: 200 });
    const failed = await client.send('POST', 'ldap/test', { ...config, userDN: 'dc=nowhere' });
    expect(failed.status).toBe(400);
    expectReadable(failed.body, [{ title: 'string', text: 'string' }]);
  });

  it('read the configuration behind the master password', async () => {
    expectReadable(
      await client.read('GET', 'application-config', undefined, {
        'x-master-password': MASTER_PASSWORD,
      }),
      { fields: 'array', comments: 'array' },
    );
  });
});
