import { decode } from 'jsonwebtoken';
import { imported, TICKETS } from '../support/documents/connector-invokers';
import { startDescribedService } from '../support/service/described-service';
import { ADMIN_EMAIL, ADMIN_PASSWORD, unique } from '../support/service/harness';
import type { TestService } from '../support/service/harness';
import { png } from '../support/documents/images';
import {
  client4x,
  expectReadable,
  fileForm,
  HEADERS_OF_4X,
  RELEASED,
  slashedName,
} from '../support/browser/released-pages';
import type { PageClient, Shape } from '../support/browser/released-pages';
import { openForTests } from '../support/open-for-tests';

/* Where the 4.x client differs from the 5.x client: what it sends, and the fields that it reads. */

const SIDE: Shape = {
  connectorId: 'number',
  title: 'string',
  icon: 'string?',
  invoker: { name: 'string', description: 'string?', icon: 'string?' },
};
let service: TestService;
let client: PageClient;
let invoker: string;
const described = openForTests(startDescribedService);
beforeAll(async () => {
  ({ service } = described);
  client = client4x(service);
  invoker = await imported(service, {
    ...TICKETS,
    operations: [{ name: 'Test', type: 'test', endpoint: '{url}/healthz' }],
  });
});

describe('the sign-in of the 4.x client', () => {
  it('reads the user from the response, and the session from the token', async () => {
    const answer = await service.api('POST', `${RELEASED}/login`, {
      token: null,
      headers: HEADERS_OF_4X,
      body: { email: ADMIN_EMAIL, password: ADMIN_PASSWORD },
    });
    expectReadable(answer.body, {
      userDetail: { name: 'string?', userTitle: 'string?', organization: 'string?' },
      userGroup: {
        groupId: 'number',
        components: [{ componentId: 'number', name: 'string', permissions: 'array' }],
      },
      totpEnabled: 'boolean?',
    });
    const header = answer.headers.get('authorization') ?? '';
    expect(header.slice(0, 7)).toBe('Bearer ');
    expectReadable(decode(header.slice(7)), {
      userId: 'number',
      sub: 'string',
      exp: 'number',
      iat: 'number',
      sessionTime: 'number|string',
    });
  });
});

describe('the pages of the 4.x client', () => {
  it('create a user, and change the details with the language that the client sends', async () => {
    const email = `${unique('ada')}@hypha.test`;
    expect(await client.read('GET', `user/check/${email}`)).toMatchObject({
      message: 'NOT_EXISTS',
    });
    const sent = {
      email,
      password: 'Good-Password1',
      repeatPassword: 'Good-Password1',
      userGroup: 2,
      userDetail: {
        userTitle: 'mr',
        name: 'A',
        surname: 'B',
        department: '',
        organization: '',
        phoneNumber: '',
      },
    };
    const { userId } = await client.read('POST', 'user', sent);
    for (const [more, message] of [
      [{}, 'EMAIL_ALREADY_EXIST'],
      [{ email: `${unique('other')}@hypha.test`, userGroup: 999 }, 'GROUP_NOT_FOUND'],
    ] as const)
      expect(await client.send('POST', 'user', { ...sent, ...more })).toMatchObject({
        status: 500,
        body: { message },
      });
    await client.read('PUT', `user/${userId}`, { userId, ...sent });
    const [first] = await client.read('GET', 'user/all');
    expectReadable(first, {
      userId: 'number',
      email: 'string',
      userGroup: { groupId: 'number', name: 'string', description: 'string' },
      userDetail: { name: 'string?' },
    });
    const detail = await client.read('PUT', `userDetail/${userId}`, {
      ...sent.userDetail,
      appTour: false,
      lang: 'eng',
      profilePicture: null,
      theme: null,
      themeSync: true,
    });
    expect(detail).toMatchObject({ lang: 'en', themeSync: true, userTitle: 'mr' });
    expect((await client.send('DELETE', `user/${userId}`)).status).toBe(204);
  });

  it('save a group at once, and its icon with the id in the form', async () => {
    const { name, segment } = slashedName();
    const [{ componentId }] = await client.read('GET', 'component/all');
    const group = await client.read('POST', 'role', {
      name,
      description: '',
      components: [{ componentId, permissions: ['READ'] }],
    });
    await client.read(
      'POST',
      'storage/groupIcon',
      fileForm(png(), 'a.png', { userGroupId: `${group.groupId}` }),
    );
    expect(await client.read('GET', `role/exists/${segment}`)).toMatchObject({ message: 'EXISTS' });
    expect((await client.send('DELETE', `role/${group.groupId}`)).status).toBe(204);
  });

  it('keep a hidden credential that is sent back as it was shown', async () => {
    const title = unique('Connector ');
    const { connectorId } = await client.read('POST', 'connector', {
      title,
      description: '',
      invoker: { name: invoker },
      requestData: { url: service.url, token: 'a hidden token' },
      sslCert: false,
      timeout: '1000',
    });
    const { requestData } = await client.read('GET', `connector/${connectorId}`);
    expect(requestData).toEqual({ url: service.url, token: '********' });
    const model = {
      connectorId,
      title,
      description: 'Changed',
      invoker: { name: invoker },
      requestData,
      sslCert: false,
      timeout: '2000',
    };
    expect(await client.read('POST', 'connector/check', model)).toEqual({ status: '200' });
    expect(await client.read('PUT', `connector/${connectorId}`, model)).toMatchObject({
      connectorId,
      timeout: 2_000,
      requestData,
    });
    const shown = await service.api('GET', `/api/connector/${connectorId}`, {
      headers: { 'x-master-password': 'the master password' },
    });
    expect(shown.body.requestData.token).toBe('a hidden token');
    const { connectorId: _id, ...fresh } = model;
    for (const path of ['connector', 'connector/check'])
      expect(await client.send('POST', path, { ...fresh, title: unique('New ') })).toMatchObject({
        status: 400,
      });
  });

  it('show a check without a response as a failed check, not as a failed request', async () => {
    const lost = { url: 'http://127.0.0.1:9', token: 'x' };
    expect(
      await client.read('POST', 'connector/check', {
        title: unique('Connector '),
        invoker: { name: invoker },
        requestData: lost,
        timeout: '1000',
      }),
    ).toEqual({ status: '500', message: 'COMMUNICATION_FAILED', error: expect.any(String) });
  });

  it('save a cleared timeout as the configured one', async () => {
    const sent = {
      title: unique('Connector '),
      description: '',
      invoker: { name: invoker },
      requestData: { url: service.url, token: 'x' },
      sslCert: false,
      timeout: '',
    };
    expect(await client.read('POST', 'connector/check', sent)).toEqual({ status: '200' });
    expect(await client.read('POST', 'connector', sent)).toMatchObject({ timeout: 0 });
  });

  it('show two sides of every workflow in lists', async () => {
    const { connectorId } = await client.read('POST', 'connector', {
      title: unique('Connector '),
      invoker: { name: invoker },
      requestData: { url: service.url, token: 'x' },
    });
    await service.api('POST', '/api/connection', {
      body: {
        title: unique('Called '),
        fromConnector: {
          methods: [
            { id: 'm', index: '0', name: 'Test', color: '#FFCFB5', connector: { connectorId } },
          ],
          operators: [],
        },
        fieldBinding: [],
      },
    });
    await service.api('POST', '/api/connection', {
      body: {
        title: unique('Empty '),
        fromConnector: { methods: [], operators: [] },
        fieldBinding: [],
      },
    });
    expectReadable(await client.read('GET', 'connection/all/meta'), [
      {
        id: 'number',
        connectionId: 'number',
        title: 'string',
        fromConnector: SIDE,
        toConnector: SIDE,
      },
    ]);
    expectReadable(await client.read('GET', 'connection/all'), [{ id: 'number', title: 'string' }]);
  });

  it('show an invoker whose bodies the client can draw', async () => {
    const name = await imported(service, {
      fields: [{ name: 'url' }],
      operations: [
        {
          name: 'Send',
          type: 'test',
          method: 'POST',
          endpoint: '{url}/',
          body: '<body type="object" format="x-www-form-urlencoded" data="raw"><field name="a" type="string">text</field></body>',
        },
      ],
    });
    const path = `invoker/${encodeURIComponent(name)}`;
    const formats = async (from: PageClient | null): Promise<unknown> => {
      const { operations } = from
        ? await from.read('GET', path)
        : (await service.api('GET', `${RELEASED}/api/${path}`)).body;
      return operations[0].request.body.format;
    };
    expect(await formats(client)).toBe('json');
    expect(await formats(null)).toBe('x-www-form-urlencoded');
    const everywhere = await client.read('GET', 'invoker/all');
    const [listed] = everywhere.filter((each: { name: string }) => each.name === name);
    expect(listed.operations[0].request.body.format).toBe('x-www-form-urlencoded');
  });

  it('copy an absolute webhook, and poll running jobs', async () => {
    const { connectionId } = (
      await service.api('POST', '/api/connection', {
        body: {
          title: unique('Hooked '),
          fromConnector: { methods: [], operators: [] },
          fieldBinding: [],
        },
      })
    ).body;
    const { schedulerId } = await client.read('POST', 'scheduler', {
      title: unique('Schedule '),
      connectionId,
      cronExp: '0 0 0 1 JAN ? 2100',
      debugMode: true,
      status: 1,
    });
    const { url } = await client.read('GET', `webhook/url/1/${schedulerId}`);
    expect(new URL(url as string).origin).toBe(service.url);
    const row = await client.read('GET', `scheduler/${schedulerId}`);
    expectReadable(row, {
      schedulerId: 'number',
      status: 'number',
      debugMode: 'boolean',
      connection: { connectionId: 'number', title: 'string', description: 'string?' },
      webhook: { webhookId: 'number', url: 'string' },
    });
    expect(row.webhook.url).toBe(url);
    expect(await client.read('GET', 'scheduler/running/all')).toEqual([]);
  });

  it('read a list of messages of a directory test', async () => {
    const config = await client.read('GET', 'ldap/default/config');
    expectReadable(await client.read('POST', 'ldap/test', config), [
      { title: 'string', text: 'string' },
    ]);
  });

  it('read search results and the dashboard', async () => {
    expectReadable(await client.read('GET', `search/${encodeURIComponent('Hooked')}`), {
      result: [{ id: 'number', title: 'string', components: 'string' }],
    });
    const title = unique('Found ');
    const document = { title, fromConnector: { methods: [], operators: [] }, fieldBinding: [] };
    const { connectionId } = (await service.api('POST', '/api/connection', { body: document }))
      .body;
    const fields = { title, connectionId, debugMode: false, cronExp: '', status: 0 };
    const { schedulerId } = await client.read('POST', 'scheduler', fields);
    expect(await client.read('GET', `search/${encodeURIComponent(title)}`)).toEqual({
      result: [
        { id: connectionId, title, components: 'connection' },
        { id: schedulerId, title, components: 'scheduler' },
      ],
    });
    expectReadable(await client.read('GET', 'widget/all'), [
      { widgetId: 'number', i: 'string', icon: 'string?', tooltipTranslationKey: 'string?' },
    ]);
    expectReadable(await client.read('GET', 'widget_setting/user/1'), { widgetSettings: 'array' });
  });
});
