import { suspendedConnector } from '../../support/documents/connector-invokers';
import { outcome, testService, unique } from '../../support/service/harness';
import type { Answer } from '../../support/service/harness';
import { fileForm, importedInvoker, invokerXml } from '../../support/documents/invokers';
import { png } from '../../support/documents/images';
import { UNREACHABLE_MAIL } from '../../support/peers/mail-server';
import { shareOf } from '../../support/rounds';
import { AS_PATCH, filled, PATCHES, templateForm } from '../../support/calls/rest-calls';
import { storeConnection } from '../../support/store/stored';
import { workflow } from '../../support/documents/workflows';

const service = testService({
  env: {
    HYPHA_CONNECTOR_MASTER_PASSWORD: 'let me',
    ...UNREACHABLE_MAIL,
  },
});
let paths: Record<string, Record<string, any>>;
beforeAll(async () => {
  paths = (await service.api('GET', '/openapi.json')).body.paths;
});

interface Operation {
  readonly name: string;
  readonly operation: any;
}
const operations = (): Operation[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );
const takesIfMatch = ({ operation }: Operation): boolean =>
  (operation.parameters ?? []).some(
    (parameter: any) => parameter.in === 'header' && parameter.name === 'If-Match',
  );
const headersOf = ({ operation }: Operation, status: number): string[] =>
  Object.keys(operation.responses[status]?.headers ?? {});

interface Made {
  readonly id: number;
  readonly url: string;
  readonly email?: string;
  readonly name?: string;
  readonly snapshotId?: string;
  readonly ruleId?: number;
  readonly argId?: number;
}
interface Call {
  readonly make: () => Promise<Made>;
  readonly body?: (made: Made) => unknown;
  readonly headers?: Record<string, string>;
}

const created = async (path: string, body: object, id = 'enhanceId'): Promise<Made> => {
  const answer = await service.api('POST', path, { body });
  if (answer.status !== 201) throw new Error(answer.text);
  return { id: answer.body[id], url: `${path}/${answer.body[id]}`, email: answer.body.email };
};
const user = (): Promise<Made> =>
  created('/api/user', {
    email: `${unique('seen')}@hypha.test`,
    password: 'a good password',
    userGroup: 2,
  });
const group = (): Promise<Made> => created('/api/userGroup', { name: unique('Seen') });
const permission = (): Promise<Made> => created('/api/permission', { name: unique('SEEN') });
const secret = (): Promise<Made> =>
  created('/api/secret', { name: unique('seen'), value: 'x', origins: ['https://a'] }, 'secretId');
const connection = (): Promise<Made> => created('/api/connection', workflow([]), 'connectionId');
const newConnector = () => ({
  title: unique('Made'),
  invoker: { name: 'Echo' },
  requestData: { token: 'any' },
});
const connector = (): Promise<Made> => created('/api/connector', newConnector(), 'connectorId');
const suspended = async (): Promise<Made> => {
  const id = await suspendedConnector(service);
  return { id, url: `/api/connector/${id}` };
};
const rule = async (): Promise<Made> => {
  const { id, url } = await connection();
  const { body } = await service.api('POST', `${url}/rule`, {
    body: { type: 'regex', expression: 'a' },
  });
  return { id, url: `${url}/rule/${body.ruleId}`, ruleId: body.ruleId };
};
const version = async (): Promise<Made> => {
  const made = await connection();
  return { ...made, snapshotId: (await service.api('GET', made.url)).body.nodeId };
};
const category = (): Promise<Made> => created('/api/category', { name: unique('seen') }, 'id');
const aggregator = async (): Promise<Made> => {
  const made = await created(
    '/api/aggregator',
    { name: unique('Seen'), args: [{ name: 'tickets' }], script: '' },
    'id',
  );
  return { ...made, argId: (await service.api('GET', made.url)).body.args[0].id };
};
const schedule = async (): Promise<Made> =>
  created(
    '/api/scheduler',
    { title: unique('seen'), connectionId: (await connection()).id },
    'schedulerId',
  );
const withParts = (): Promise<Made> =>
  created(
    '/api/connection',
    workflow([{ id: 'm' }], [{ id: 'o', expression: '1 = 1' }], { fieldBinding: [{ id: 'b' }] }),
    'connectionId',
  );
/** Has more saves to undo than the tests need; its version is reset to match the other records. */
const edited = async (): Promise<Made> => {
  const made = await connection();
  for (let nth = 0; nth < 12; nth += 1)
    await service.api('PATCH', made.url, {
      body: [{ op: 'add', path: '/description', value: `${nth}` }],
      headers: AS_PATCH,
    });
  await storeConnection()
    .collection<any>('workflows')
    .updateOne({ _id: made.id }, { $set: { version: 1 } });
  return made;
};
const message = async (): Promise<Made> => {
  const { body } = await service.api('POST', '/api/message', { body: messageInput() });
  return { id: body.templateId, url: `/api/message/${body.templateId}` };
};
const messageInput = () => ({
  name: unique('Message'),
  type: 'email',
  content: [{ language: 'en', subject: 'Failed', body: unique('changed') }],
});
const notification = async (): Promise<Made> => {
  const { url } = await schedule();
  const { body } = await service.api('POST', `${url}/notification`, {
    body: await notificationInput(),
  });
  return {
    id: body.notificationId,
    url: `/api/scheduler/notification/${body.notificationId}`,
    name: String((await message()).id),
  };
};
const notificationInput = async () => ({
  name: unique('Notification'),
  eventType: 'alert',
  template: { templateId: (await message()).id },
  recipients: ['reader@hypha.test'],
});
const template = (): Promise<Made> =>
  created('/api/template', { name: unique('Seen'), connection: workflow([]) }, 'templateId');
const invoker = async (): Promise<Made> => {
  const name = await importedInvoker(service);
  return { id: 0, name, url: `/api/invoker/${name}` };
};
const form = (fields: Record<string, string>): FormData => {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  data.set('file', new Blob([new Uint8Array(png())]), 'x.png');
  return data;
};
const ofGroups = (base: string): Record<string, Call> => ({
  [`PUT /api/${base}/{id}`]: { make: group, body: () => ({ name: unique('Changed') }) },
  [`PUT /api/${base}/{id}/component`]: {
    make: group,
    body: () => ({ components: [{ enhanceId: 1, permissions: ['READ'] }] }),
  },
  [`DELETE /api/${base}/{id}/icon`]: { make: group },
  [`DELETE /api/${base}/{id}`]: { make: group },
});

/** Every operation that changes or deletes a versioned record. */
const CHANGES: Record<string, Call> = {
  'PUT /api/user/{id}': { make: user, body: () => ({ email: `${unique('changed')}@hypha.test` }) },
  'PUT /api/user/{id}/password': {
    make: user,
    body: () => ({ password: unique('a new password ') }),
  },
  'PUT /api/user/{id}/userDetail': { make: user, body: () => ({ name: unique('Ada') }) },
  'PUT /api/userDetail/{id}': { make: user, body: () => ({ name: unique('Ada') }) },
  'PUT /api/user/{id}/userGroup': { make: user, body: () => ({ userGroup: 1 }) },
  'PUT /api/user/{id}/disable': { make: user },
  'PUT /api/user/{id}/enable': { make: user },
  'DELETE /api/user/{id}': { make: user },
  'POST /api/storage/profilePicture': { make: user, body: ({ email = '' }) => form({ email }) },
  'DELETE /api/user/{id}/profilePicture': { make: user },
  ...ofGroups('userGroup'),
  ...ofGroups('role'),
  'POST /api/storage/groupIcon': {
    make: group,
    body: ({ id }) => form({ userGroupId: String(id) }),
  },
  'PUT /api/permission/{id}': { make: permission, body: () => ({ name: unique('CHANGED') }) },
  'DELETE /api/permission/{id}': { make: permission },
  'DELETE /api/{id}': { make: permission },
  'POST /api/invoker/{name}/xml': {
    make: invoker,
    body: () => ({
      method: 'GetMe',
      path: '(request)',
      fields: [{ name: unique('field'), type: 'string' }],
    }),
  },
  'DELETE /api/invoker/{name}': { make: invoker },
  'DELETE /api/invoker/{name}/force': { make: invoker },
  'PUT /api/connector/{id}': { make: connector, body: () => ({ description: unique('changed') }) },
  'PUT /api/connector/{id}/required-data': {
    make: connector,
    body: () => ({ token: unique('changed') }),
    headers: { 'X-Master-Password': 'let me' },
  },
  'POST /api/connector/{id}/confirm': {
    make: suspended,
    headers: { 'X-Master-Password': 'let me' },
  },
  'POST /api/connector/{id}/icon': { make: connector, body: () => form({}) },
  'DELETE /api/connector/{id}/icon': { make: connector },
  'POST /api/storage/connector': {
    make: connector,
    body: ({ id }) => form({ connectorId: String(id) }),
  },
  'DELETE /api/connector/{id}': { make: connector },
  'POST /api/aggregator': { make: aggregator, body: ({ id }) => ({ id, name: unique('changed') }) },
  'PUT /api/aggregator': { make: aggregator, body: ({ id }) => ({ id, name: unique('changed') }) },
  'PUT /api/aggregator/{id}/status': { make: aggregator, body: () => ({ active: false }) },
  'DELETE /api/aggregator/argument/{argId}': { make: aggregator },
  'DELETE /api/aggregator/{id}': { make: aggregator },
  'PUT /api/scheduler/{id}': { make: schedule, body: () => ({ title: unique('changed') }) },
  'PUT /api/scheduler/{id}/title': { make: schedule, body: () => ({ title: unique('changed') }) },
  'PUT /api/scheduler/{id}/status': { make: schedule, body: () => ({ status: true }) },
  'DELETE /api/scheduler/{id}': { make: schedule },
  'PUT /api/scheduler/notification/{id}': {
    make: notification,
    body: ({ name }) => ({
      name: unique('Notification'),
      eventType: 'alert',
      template: { templateId: Number(name) },
      recipients: ['reader@hypha.test'],
    }),
  },
  'DELETE /api/scheduler/notification/{id}': { make: notification },
  'POST /api/message': {
    make: message,
    body: ({ id }) => ({ ...messageInput(), templateId: id }),
  },
  'PUT /api/message/{id}': { make: message, body: messageInput },
  'DELETE /api/message/{id}': { make: message },
  'PUT /api/category/{id}': { make: category, body: () => ({ name: unique('changed') }) },
  'DELETE /api/category/{id}': { make: category },
  'DELETE /api/category/cascade-delete/{id}': { make: category },
  'PUT /api/secret/{id}': { make: secret, body: () => ({ name: unique('changed') }) },
  'DELETE /api/secret/{id}': { make: secret },
  'PUT /api/connection/{id}': {
    make: connection,
    body: () => workflow([], [], { description: unique('changed') }),
  },
  'DELETE /api/connection/{id}': { make: connection },
  'PUT /api/template/{id}': {
    make: template,
    body: () => ({ name: unique('Changed'), connection: workflow([]) }),
  },
  'DELETE /api/template/{id}': { make: template },
  'PUT /api/connection/{id}/switch-version/{snapshotId}': { make: version },
  'PUT /api/connection/{id}/rule/{ruleId}': {
    make: rule,
    body: () => ({ type: 'regex', expression: unique('a') }),
  },
  'DELETE /api/connection/{id}/rule/{ruleId}': { make: rule },
  ...Object.fromEntries(
    Object.entries(PATCHES).map(([below, operation]): [string, Call] => [
      `PATCH /api/connection/{id}${below}`,
      { make: withParts, body: () => [operation], headers: AS_PATCH },
    ]),
  ),
  'POST /api/connection/{id}/undo': { make: edited },
};
/** Operations that leave no record. */
const REMOVES = /^DELETE .*\{\w+\}(?:\/force)?$/;
/** Operations that do not change the named record, or return a part of it; runs have no version. */
const CHANGES_NO_RECORD = [
  // Possible once per user, and only with an LDAP directory.
  'DELETE /api/user/{id}/password',
  'GET /api/api-token/{id}',
  'DELETE /api/api-token/{id}',
  'GET /api/user/{id}/api-token/all',
  'PUT /api/user/{id}/totp/{action}',
  'GET /api/content/{id}',
  'GET /api/scheduler/{id}/notification/all',
  ...['GET', 'PUT', 'DELETE'].map((method) => `${method} /api/connection/{id}/error-workflow`),
  'GET /api/connection/{id}/resume',
  'PUT /api/connection/{id}/resume',
  'GET /api/execution/{id}',
  'GET /api/execution/{id}/raw/log',
  'GET /api/scheduler/execute/{id}',
  'GET /api/scheduler/terminate/{id}',
  'DELETE /api/webhook/{id}',
  'GET /api/widget/{id}',
  'DELETE /api/widget/{id}',
  'GET /api/connection/{id}/rule/all',
  'DELETE /api/connection/{id}/rule/all',
  'GET /api/user/{id}/logout',
  'GET /api/connection/{id}/versions',
  'GET /api/connection/{id}/diff',
  'GET /api/connection/{id}/webhook/vars',
  ...['GET', 'PUT', 'DELETE'].map(
    (method) => `${method} /api/connection/{id}/version/{snapshotId}`,
  ),
];

const send = (name: string, made: Made, ifMatch?: string): Promise<Answer> => {
  const [method = '', path = ''] = name.split(' ');
  return service.api(
    method,
    filled(path)
      .replace('{id}', String(made.id))
      .replace('{name}', made.name ?? '')
      .replace('{snapshotId}', made.snapshotId ?? '')
      .replace('{ruleId}', String(made.ruleId))
      .replace('{argId}', String(made.argId)),
    {
      body: CHANGES[name].body?.(made),
      headers: {
        ...CHANGES[name].headers,
        ...(ifMatch === undefined ? {} : { 'If-Match': ifMatch }),
      },
    },
  );
};
const tag = async ({ url }: Made): Promise<string> =>
  (await service.api('GET', url)).headers.get('etag') ?? '';
const seen = async ({ url }: Made): Promise<unknown> => {
  const { status, text, headers } = await service.api('GET', url);
  const audit = await service.data('{ auditEvents(first: 1) { nodes { id } } }');
  return [status, text, headers.get('etag'), audit];
};

describe('a versioned record over REST', () => {
  it('accepts If-Match for every change and deletion, and returns an ETag in every response', () => {
    expect(
      operations()
        .filter(takesIfMatch)
        .map(({ name }) => name)
        .filter((name) => !CHANGES_NO_RECORD.includes(name))
        .sort(),
    ).toEqual(Object.keys(CHANGES).sort());
    const ofOne = operations().filter(
      ({ name }) =>
        /^(GET|PUT|PATCH|DELETE) .*\{id\}/.test(name) && !CHANGES_NO_RECORD.includes(name),
    );
    for (const one of ofOne) {
      expect([one.name, takesIfMatch(one)]).toEqual([one.name, !one.name.startsWith('GET')]);
      const success =
        Object.keys(one.operation.responses)
          .map(Number)
          .find((status) => status < 300) ?? 0;
      expect([one.name, headersOf(one, success).includes('ETag')]).toEqual([
        one.name,
        !REMOVES.test(one.name),
      ]);
      if (takesIfMatch(one))
        expect([one.name, one.operation.responses[412]['x-codes']]).toEqual([
          one.name,
          ['CONFLICT'],
        ]);
    }
    expect(
      operations().filter(
        (one) => !takesIfMatch(one) && one.operation.responses[412] !== undefined,
      ),
    ).toEqual([]);
  });

  it.each(shareOf(Object.keys(CHANGES), 0, 4))(
    '%s accepts the current version or none, and returns 412 for a stale one without a change',
    async (name) => {
      const made = await CHANGES[name].make();
      expect(await tag(made)).toBe('"1"');
      const before = await seen(made);
      const nth = Object.keys(CHANGES).indexOf(name);
      for (const stale of shareOf(
        [
          '"0"',
          '"2"',
          'W/"2"',
          '"2-gzip"',
          '"2", "3"',
          '"another"',
          'W/"1f-Y2h1Y2s"',
          '"01"',
          '"1.0"',
          '""',
        ],
        nth,
      )) {
        expect([stale, outcome(await send(name, made, stale))]).toEqual([stale, [412, 'CONFLICT']]);
      }
      for (const broken of shareOf(
        ['1', '"1', 'w/"1"', '"1" "2"', '*, "1"', '"1", *', '', ',', "'1'"],
        nth,
      )) {
        expect([broken, outcome(await send(name, made, broken))]).toEqual([
          broken,
          [400, 'BAD_REQUEST'],
        ]);
      }
      expect(await seen(made)).toEqual(before);

      const done = await send(name, made, '"1"');
      expect(done.status).toBeLessThan(300);
      const removes = REMOVES.test(name);
      expect(done.headers.get('etag')).toBe(removes ? null : '"2"');
      if (removes) return;
      expect(await tag(made)).toBe('"2"');
      let version = 2;
      for (const right of [
        'W/"2"',
        '"3-gzip"',
        'W/"4-br"',
        '"9", "5"',
        '*',
        undefined,
        '"1",W/"8" , ,"3",',
      ]) {
        expect([right, (await send(name, made, right)).status]).toEqual([right, done.status]);
        version += 1;
      }
      expect(await tag(made)).toBe(`"${version}"`);
    },
  );

  it.each(Object.keys(CHANGES).filter((name) => REMOVES.test(name)))(
    '%s succeeds without a condition, and does not check the version of a missing record',
    async (name) => {
      const [one, other] = [await CHANGES[name].make(), await CHANGES[name].make()];
      expect((await send(name, one)).status).toBe(204);
      expect((await send(name, other, '*')).status).toBe(204);
      expect(outcome(await send(name, one, '"1"'))).toEqual(outcome(await send(name, one)));
      expect(outcome(await send(name, one, '*'))).toEqual(outcome(await send(name, one)));
    },
  );

  it.each(shareOf(Object.keys(CHANGES), 1, 4))(
    '%s lets exactly one of two concurrent requests with the same version succeed',
    async (name) => {
      const made = await CHANGES[name].make();
      const both = await Promise.all([send(name, made, '"1"'), send(name, made, '"1"')]);
      expect(both.filter(({ status }) => status < 300)).toHaveLength(1);
      const [, loser] = both.map(outcome).sort(([a], [b]) => a - b);
      // The later of two deletions finds no record.
      const missing = [
        [500, 'USER_NOT_EXIST'],
        [404, 'GROUP_NOT_FOUND'],
        [404, 'PERMISSION_NOT_FOUND'],
        [404, 'CONNECTION_NOT_FOUND'],
        [404, 'INVOKER_NOT_FOUND'],
        [404, 'CATEGORY_NOT_FOUND'],
        [404, 'AGGREGATOR_NOT_FOUND'],
        [404, 'SCHEDULER_NOT_FOUND'],
        [404, 'ARGUMENT_NOT_FOUND'],
        [404, 'CONNECTOR_NOT_FOUND'],
        [404, 'RULE_NOT_FOUND'],
        [404, 'SECRET_NOT_FOUND'],
        [404, 'TEMPLATE_NOT_FOUND'],
        [404, 'MESSAGE_TEMPLATE_NOT_FOUND'],
        [404, 'NOTIFICATION_NOT_FOUND'],
      ];
      expect(
        name.startsWith('DELETE') ? [[412, 'CONFLICT'], ...missing] : [[412, 'CONFLICT']],
      ).toContainEqual(loser);
    },
  );

  it('checks the permission before the version', async () => {
    const [made, nobody] = [await group(), await service.userWith([])];
    const answer = await service.api('PUT', made.url, {
      body: { name: 'x' },
      token: nobody.token,
      headers: { 'If-Match': 'nonsense' },
    });
    expect(outcome(answer)).toEqual([403, 'ACCESS_DENIED']);
  });

  it('has the same ETag for every user and encoding, and is never answered in part', async () => {
    const document = workflow([], [], { ui: { note: 'x'.repeat(100_000) } });
    const made = await created('/api/connection', document, 'connectionId');
    const reader = await service.userWith(['CONNECTION:READ']);
    for (const encoding of ['identity', 'gzip', 'br']) {
      for (const token of [reader.token, service.adminToken]) {
        const answer = await service.api('GET', made.url, {
          token,
          headers: { 'Accept-Encoding': encoding, 'If-None-Match': '"1", *' },
        });
        expect([
          answer.status,
          answer.headers.get('etag'),
          answer.headers.get('content-encoding'),
        ]).toEqual([200, '"1"', encoding === 'identity' ? null : encoding]);
        expect(answer.body.ui.note).toHaveLength(100_000);
        expect(answer.headers.get('vary')).toContain('Authorization');
      }
    }
    const head = await service.api('HEAD', made.url);
    expect([head.status, head.headers.get('etag'), head.text]).toEqual([200, '"1"', '']);
  });
});

/** Every operation that answers 201, with the identifying fields of its record. */
const CREATIONS: Record<string, () => Promise<[Answer, object]>> = {
  'POST /api/user': async () => {
    const email = `${unique('made')}@hypha.test`;
    return [
      await service.api('POST', '/api/user', {
        body: { email, password: 'a good password', userGroup: 2 },
      }),
      { email },
    ];
  },
  'POST /api/userGroup': async () => named('POST', '/api/userGroup'),
  'POST /api/role': async () => named('POST', '/api/role'),
  'POST /api/secret': async () => {
    const name = unique('made');
    return [
      await service.api('POST', '/api/secret', {
        body: { name, value: 'x', origins: ['https://a'] },
      }),
      { name },
    ];
  },
  'POST /api/connection': async () => {
    const document = workflow([]);
    return [
      await service.api('POST', '/api/connection', { body: document }),
      { title: document.title },
    ];
  },
  'GET /api/connection/id': async () => {
    const answer = await service.api('GET', '/api/connection/id');
    return [answer, { connectionId: answer.body.id }];
  },
  'POST /api/template': async () => {
    const name = unique('made');
    return [
      await service.api('POST', '/api/template', { body: { name, connection: workflow([]) } }),
      { name },
    ];
  },
  'POST /api/storage/template': async () => {
    const name = unique('made');
    return [
      await service.api('POST', '/api/storage/template', {
        body: templateForm(JSON.stringify({ name, connection: workflow([]) })),
      }),
      { name },
    ];
  },
  'POST /api/invoker': async () => {
    const name = unique('Made');
    return [
      await service.api('POST', '/api/invoker', { body: { xml: invokerXml(name) } }),
      { name },
    ];
  },
  'POST /api/storage/invoker': async () => {
    const name = unique('Made');
    return [
      await service.api('POST', '/api/storage/invoker', {
        body: fileForm(invokerXml(name), 'made.xml'),
      }),
      { name },
    ];
  },
  'POST /api/permission': async () => named('POST', '/api/permission'),
  'POST /api/connection/{id}/rule': async () => {
    const content = { type: 'regex', expression: unique('a') };
    return [
      await service.api('POST', `${(await connection()).url}/rule`, { body: content }),
      content,
    ];
  },
  'PUT /api/permission/{id}': async () =>
    named('PUT', (await created('/api/permission', { name: unique('SEEN') })).url),
  'PUT /api/user/{id}/userDetail': async () => {
    const [{ id, email }, name] = [await user(), unique('Ada')];
    return [
      await service.api('PUT', `/api/user/${id}/userDetail`, { body: { name } }),
      { enhanceId: id, email, userDetail: expect.objectContaining({ name }) },
    ];
  },
  'POST /api/user/invite': async () => {
    const email = `${unique('invited')}@hypha.test`;
    return [
      await service.api('POST', '/api/user/invite', { body: { email, userGroup: 2 } }),
      { email },
    ];
  },
  'POST /api/connector': async () => {
    const body = newConnector();
    return [await service.api('POST', '/api/connector', { body }), { title: body.title }];
  },
  'POST /api/aggregator': () => named('POST', '/api/aggregator'),
  'POST /api/category': () => named('POST', '/api/category'),
  'POST /api/scheduler': async () => {
    const title = unique('made');
    return [
      await service.api('POST', '/api/scheduler', {
        body: { title, connectionId: (await connection()).id },
      }),
      { title },
    ];
  },
  'PUT /api/user/{id}/userGroup': async () => {
    const { id } = await user();
    return [
      await service.api('PUT', `/api/user/${id}/userGroup`, { body: { userGroup: 1 } }),
      { enhanceId: id, userGroup: [expect.objectContaining({ name: 'Admin' })] },
    ];
  },
};
async function named(method: string, path: string): Promise<[Answer, object]> {
  const name = unique('MADE');
  return [await service.api(method, path, { body: { name } }), { name }];
}

/** Operations that return a list or an immutable record. */
const WITHOUT_VERSION = [
  'POST /api/widget',
  'POST /api/widget_setting',
  'POST /api/editor/settings',
  'POST /api/api-token',
  'GET /api/webhook/url/{userId}/{schedulerId}',
  'POST /api/connection/{id}/rule/list',
  'POST /api/storage/invoker/zip',
  'POST /api/storage/template/zip',
];

describe('every response with 201', () => {
  it('belongs to a known operation that describes Location', () => {
    const creating = operations().filter(({ operation }) => operation.responses[201] !== undefined);
    expect(
      creating
        .map(({ name }) => name)
        .filter((name) => !WITHOUT_VERSION.includes(name))
        .sort(),
    ).toEqual(Object.keys(CREATIONS).sort());
    for (const one of creating)
      expect([one.name, headersOf(one, 201)]).toEqual([
        one.name,
        expect.arrayContaining(
          WITHOUT_VERSION.includes(one.name) ? ['Location'] : ['ETag', 'Location'],
        ),
      ]);
  });

  it.each(shareOf(Object.keys(CREATIONS), 0, 3))(
    'of %s has a Location at which the record can be read',
    async (name) => {
      const [answer, record] = await CREATIONS[name]();
      expect([answer.status, answer.text]).toEqual([201, expect.anything()]);
      const location = answer.headers.get('location') ?? '';
      expect(location).toMatch(
        new RegExp(`^${UNREACHABLE_MAIL.HYPHA_PUBLIC_URL}/api(?:/connection/\\d+)?/\\w+/[\\w-]+$`),
      );
      const read = await service.api('GET', new URL(location).pathname);
      expect([read.status, read.body]).toEqual([200, expect.objectContaining(record)]);
      expect(read.headers.get('etag')).toBe(answer.headers.get('etag'));
    },
  );
});
