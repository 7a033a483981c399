import { ADMIN_EMAIL, ADMIN_PASSWORD, unique } from '../service/harness';
import { accountCalls } from './account-calls';
import { configurationCalls } from './configuration-calls';
import { connectorCalls, connectorFixtures } from './connector-calls';
import { invokerCalls } from './invoker-calls';
import { storedJob } from '../service/jobs';
import type { CallOptions, TestService } from '../service/harness';
import { png } from '../documents/images';
import { mailCalls } from './mail-calls';
import { onlineCalls } from './online-calls';
import { releasedClientCalls } from './released-client-calls';
import { runCalls } from './run-calls';
import { supportLogCalls } from './support-log-calls';
import { zipOf } from '../documents/zips';

export interface Call extends CallOptions {
  readonly path: string;
}

export type Calls = Readonly<Record<string, () => Call | Promise<Call>>>;

/** A call with the path template of its operation, and the failure that it provokes. */
export type CallRefusal = readonly [
  method: string,
  described: string,
  call: Call,
  status: number,
  code: string,
];

export function pictureForm(
  fields: Readonly<Record<string, string>>,
  content: Blob = new Blob([new Uint8Array(png())], { type: 'image/png' }),
): FormData {
  const data = new FormData();
  data.append('file', content, 'a.png');
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  return data;
}

/** Records that requests need, created on demand. */
export function restFixtures(service: TestService) {
  const user = async (): Promise<{ enhanceId: number; email: string }> => {
    const email = `${unique('described')}@hypha.test`;
    return (
      await service.api('POST', '/api/user', {
        body: { email, password: 'a good password', userGroup: 2 },
      })
    ).body;
  };
  const group = async (): Promise<{ enhanceId: number }> =>
    (await service.api('POST', '/api/role', { body: { name: unique('described') } })).body;
  const permission = async (): Promise<number> =>
    (await service.api('POST', '/api/permission', { body: { name: unique('DESCRIBED') } })).body
      .enhanceId;
  const workflow = (title = unique('described')): object => ({
    title,
    fromConnector: {
      methods: [
        {
          id: 'm',
          index: '0',
          name: 'Get',
          color: '#FFCFB5',
          methodType: 'HTTP_REQUEST',
          request: { endpoint: `${service.url}/healthz`, method: 'GET' },
        },
      ],
      operators: [{ id: 'o', index: '1', type: 'if', expression: '1 = 1' }],
    },
    fieldBinding: [{ id: 'b', from: [], to: [] }],
  });
  const saved = async (): Promise<number> =>
    (await service.api('POST', '/api/connection', { body: workflow() })).body.connectionId;
  /** A workflow with two versions, and the id of the older one. */
  const version = async (): Promise<{ id: number; snapshotId: string; title: string }> => {
    const { body } = await service.api('POST', '/api/connection', { body: workflow() });
    await service.api('PUT', `/api/connection/${body.connectionId}`, { body: workflow() });
    return { id: body.connectionId, snapshotId: body.nodeId, title: body.title };
  };
  const category = async (): Promise<number> =>
    (await service.api('POST', '/api/category', { body: { name: unique('described') } })).body.id;
  const aggregator = async (): Promise<{ id: number; args: { id: number }[] }> =>
    (
      await service.api('POST', '/api/aggregator', {
        body: {
          name: unique('described'),
          args: [{ name: 'tickets', description: 'How many.' }],
          script: 'tickets = Responses.length;',
        },
      })
    ).body;
  const picture = async (): Promise<string> => {
    const { email } = await user();
    const { body } = await service.api('POST', '/api/storage/profilePicture', {
      body: pictureForm({ email }),
    });
    return new URL(body.userDetail.profilePicture).pathname;
  };
  const secret = async (): Promise<number> =>
    (
      await service.api('POST', '/api/secret', {
        body: { name: unique('described'), value: 'x', origins: ['https://a'] },
      })
    ).body.secretId;
  return {
    user,
    group,
    permission,
    workflow,
    saved,
    aggregator,
    category,
    version,
    picture,
    secret,
  };
}

export type RestFixtures = ReturnType<typeof restFixtures>;

export const AS_PATCH = { 'content-type': 'application/json-patch+json' };

/** The patchable paths below a workflow id, each with an operation that succeeds. */
export const PATCHES = {
  '': { op: 'add', path: '/description', value: 'Patched.' },
  '/method/{methodId}': { op: 'add', path: '/label', value: 'one' },
  '/operator/{operatorId}': { op: 'replace', path: '/expression', value: '2 = 2' },
  '/fieldBinding/{fieldBindingId}': { op: 'add', path: '/from', value: [] },
  '/connector/{connectorId}': { op: 'add', path: '/methods/-', value: { index: '2' } },
} as const;

/** The same paths with the ids of the fixture workflow. */
export const filled = (below: string): string =>
  below
    .replace('{methodId}', 'm')
    .replace('{operatorId}', 'o')
    .replace('{fieldBindingId}', 'b')
    .replace('{connectorId}', '-1');

const login = { body: { email: ADMIN_EMAIL, password: ADMIN_PASSWORD }, token: null };

/** The same requests below `/api` and at the root. */
const atRoot = (calls: Calls): Calls =>
  Object.fromEntries(
    Object.entries(calls).flatMap(([key, call]) => [
      [key, call],
      [
        key.replace('/api', ''),
        async () => {
          const { path, ...rest } = await call();
          return { ...rest, path: path.replace('/api', '') };
        },
      ],
    ]),
  );

export function templateForm(content: string | Buffer, name = 'template.json'): FormData {
  const data = new FormData();
  data.append('file', new Blob([new Uint8Array(Buffer.from(content))]), name);
  return data;
}

function templateSuccesses(service: TestService, saved: () => Promise<number>): Calls {
  const file = (): any => ({
    name: unique('described'),
    description: null,
    version: '5.0',
    connection: { title: 'x', fromConnector: { methods: [], operators: [] }, fieldBinding: [] },
  });
  const added = async (): Promise<any> =>
    (await service.api('POST', '/api/template', { body: file() })).body;
  const at = async (): Promise<string> => `/api/template/${(await added()).templateId}`;
  return {
    'GET /api/template/all': () => ({ path: '/api/template/all?metadataOnly=true' }),
    'GET /api/template/all/{fromConnectorId}/{toConnectorId}': async () => {
      const id = await connectorFixtures(service).connector();
      return { path: `/api/template/all/${id}/${id}` };
    },
    'GET /api/template/check/{templateId}': () => ({ path: '/api/template/check/nothing' }),
    'GET /api/template/connection/{connectionId}': async () => ({
      path: `/api/template/connection/${await saved()}`,
    }),
    'GET /api/template/file/{filename}': async () => ({
      path: `/api/template/file/${(await added()).templateId}.json`,
    }),
    'GET /api/template/{id}': async () => ({ path: await at() }),
    'POST /api/template': () => ({ path: '/api/template', body: file() }),
    'PUT /api/template/all': async () => ({ path: '/api/template/all', body: [await added()] }),
    'PUT /api/template/{id}': async () => ({ path: await at(), body: file() }),
    'PUT /api/template/list/delete': async () => ({
      path: '/api/template/list/delete',
      body: { identifiers: [(await added()).templateId] },
    }),
    'DELETE /api/template/{id}': async () => ({ path: await at() }),
    'POST /api/storage/template': () => ({
      path: '/api/storage/template',
      body: templateForm(JSON.stringify(file())),
    }),
    'POST /api/storage/template/zip': async () => ({
      path: '/api/storage/template/zip',
      body: templateForm(await zipOf({ 'a.json': JSON.stringify(file()) }), 'a.zip'),
    }),
  };
}

const RULE = { type: 'regex', expression: 'token=[^&]+' };

/** A successful request for each operation. Required records are created on each call. */
export const successes = (
  service: TestService,
  {
    user,
    group,
    permission,
    workflow,
    saved,
    aggregator,
    category,
    version,
    picture,
    secret,
  }: RestFixtures,
): Calls => ({
  ...atRoot({
    'POST /api/auth/logout': async () => ({
      path: '/api/auth/logout',
      token: await service.login(ADMIN_EMAIL, ADMIN_PASSWORD),
    }),
    'GET /api/actuator/processes': () => ({ path: '/api/actuator/processes' }),
    'GET /api/actuator/health': () => ({ path: '/api/actuator/health' }),
    'GET /api/actuator/health/{component}': () => ({ path: '/api/actuator/health/mongoDB' }),
    'POST /api/login': () => ({ path: '/api/login', ...login }),
    ...Object.fromEntries(
      [
        'config.json',
        'healthz',
        'readyz',
        'openapi.json',
        'v3/api-docs',
        'websocket/info',
        'ws/info',
      ].map((name) => [`GET /api/${name}`, () => ({ path: `/api/${name}`, token: null })]),
    ),
  }),
  ...Object.fromEntries(
    ['component', 'role', 'userGroup', 'user', 'permission', 'connection', 'secret'].map((name) => [
      `GET /api/${name}/all`,
      () => ({ path: `/api/${name}/all` }),
    ]),
  ),
  'PUT /api/permission/all': () => ({ path: '/api/permission/all' }),
  'POST /api/permission': () => ({
    path: '/api/permission',
    body: { name: unique('DESCRIBED'), description: null },
  }),
  'GET /api/permission/{id}': () => ({ path: '/api/permission/1' }),
  'PUT /api/permission/{id}': async () => ({
    path: `/api/permission/${await permission()}`,
    body: { name: unique('DESCRIBED') },
  }),
  'DELETE /api/permission/{id}': async () => ({ path: `/api/permission/${await permission()}` }),
  'DELETE /api/{id}': async () => ({ path: `/api/${await permission()}` }),
  ...Object.fromEntries(
    ['role', 'userGroup'].flatMap((base): [string, () => Call | Promise<Call>][] => [
      [`GET /api/${base}/exists/{name}`, () => ({ path: `/api/${base}/exists/admin` })],
      [`GET /api/${base}/{id}`, () => ({ path: `/api/${base}/1` })],
      [
        `POST /api/${base}`,
        () => ({
          path: `/api/${base}`,
          body: {
            name: unique('described'),
            description: 'A group.',
            components: [{ name: 'CONNECTION', permissions: ['READ'] }],
          },
        }),
      ],
      [
        `PUT /api/${base}/{id}`,
        async () => ({
          path: `/api/${base}/${(await group()).enhanceId}`,
          body: { description: null },
        }),
      ],
      [
        `PUT /api/${base}/{id}/component`,
        async () => ({
          path: `/api/${base}/${(await group()).enhanceId}/component`,
          body: { components: [{ enhanceId: 1, permissions: ['READ'] }] },
        }),
      ],
      [
        `PUT /api/${base}/list/delete`,
        async () => ({
          path: `/api/${base}/list/delete`,
          body: { identifiers: [(await group()).enhanceId] },
        }),
      ],
      [
        `DELETE /api/${base}/{id}/icon`,
        async () => ({ path: `/api/${base}/${(await group()).enhanceId}/icon` }),
      ],
      [
        `DELETE /api/${base}/{id}`,
        async () => ({ path: `/api/${base}/${(await group()).enhanceId}` }),
      ],
    ]),
  ),
  'POST /api/storage/groupIcon': async () => ({
    path: '/api/storage/groupIcon',
    body: pictureForm({ userGroupId: String((await group()).enhanceId) }),
  }),
  'POST /api/storage/profilePicture': async () => ({
    path: '/api/storage/profilePicture',
    body: pictureForm({ email: (await user()).email }),
  }),
  'DELETE /api/user/{id}/profilePicture': async () => ({
    path: `/api/user/${(await user()).enhanceId}/profilePicture`,
  }),
  'GET /api/storage/files/{name}': async () => ({ path: await picture(), token: null }),
  'POST /api/user': () => ({
    path: '/api/user',
    body: {
      email: `${unique('described')}@hypha.test`,
      password: 'a good password',
      userGroup: 2,
      userDetail: { name: 'A', surname: 'B', requestTime: null },
    },
  }),
  'GET /api/user/check/{email}': () => ({ path: `/api/user/check/${ADMIN_EMAIL}` }),
  'GET /api/user/{id}': () => ({ path: '/api/user/1' }),
  'PUT /api/user/{id}': async () => ({
    path: `/api/user/${(await user()).enhanceId}`,
    body: { userDetail: { name: 'Other' } },
  }),
  'PUT /api/user/{id}/password': async () => ({
    path: `/api/user/${(await user()).enhanceId}/password`,
    body: { password: 'another password' },
  }),
  'DELETE /api/user/{id}/password': async () => ({
    path: `/api/user/${(await user()).enhanceId}/password`,
  }),
  'GET /api/ldap/default/config': () => ({ path: '/api/ldap/default/config' }),
  'POST /api/ldap/test': () => ({
    path: '/api/ldap/test',
    body: { email: 'ada@example.com', timeout: '5000' },
  }),
  'PUT /api/user/{id}/userDetail': async () => ({
    path: `/api/user/${(await user()).enhanceId}/userDetail`,
    body: { name: 'Other', profilePicture: null, requestTime: '2026-01-31T09:30:00.000+0000' },
  }),
  'PUT /api/userDetail/{id}': async () => ({
    path: `/api/userDetail/${(await user()).enhanceId}`,
    body: { name: 'Other' },
  }),
  'PUT /api/user/{id}/userGroup': async () => ({
    path: `/api/user/${(await user()).enhanceId}/userGroup`,
    body: { userGroup: 2 },
  }),
  'PUT /api/user/{id}/disable': async () => ({
    path: `/api/user/${(await user()).enhanceId}/disable`,
  }),
  'PUT /api/user/{id}/enable': async () => ({
    path: `/api/user/${(await user()).enhanceId}/enable`,
  }),
  'PUT /api/user/list/delete': async () => ({
    path: '/api/user/list/delete',
    body: { identifiers: [(await user()).enhanceId] },
  }),
  'DELETE /api/user/{id}': async () => ({ path: `/api/user/${(await user()).enhanceId}` }),
  'GET /api/user/{id}/logout': async () => ({
    path: `/api/user/${(await service.userWith([])).id}/logout`,
  }),
  'POST /api/connection': () => ({ path: '/api/connection', body: workflow() }),
  'GET /api/connection/all/meta': () => ({ path: '/api/connection/all/meta?includeTest=true' }),
  'GET /api/connection/dependency/{invokerName}': () => ({
    path: '/api/connection/dependency/rest',
  }),
  'POST /api/connection/all/by-ids': async () => ({
    path: '/api/connection/all/by-ids',
    body: { identifiers: [await saved()] },
  }),
  'GET /api/connection/id': () => ({ path: '/api/connection/id' }),
  'PUT /api/connection/list/delete': async () => ({
    path: '/api/connection/list/delete',
    body: { identifiers: [await saved()] },
  }),
  'DELETE /api/connection/test': () => ({ path: '/api/connection/test' }),
  'POST /api/connection/remoteapi': () => ({
    path: '/api/connection/remoteapi',
    body: { url: `${service.url}/healthz`, method: 'GET', header: {}, body: null },
  }),
  'GET /api/connection/{id}/webhook/vars': async () => ({
    path: `/api/connection/${await saved()}/webhook/vars`,
  }),
  'GET /api/connection/check': () => ({ path: '/api/connection/check?name=Nothing%20at%20all' }),
  'GET /api/connection/check/{name}': () => ({ path: '/api/connection/check/Nothing%20at%20all' }),
  'GET /api/connection/{id}': async () => ({ path: `/api/connection/${await saved()}` }),
  'PUT /api/connection/{id}': async () => ({
    path: `/api/connection/${await saved()}`,
    body: workflow(),
  }),
  ...Object.fromEntries(
    Object.entries(PATCHES).map(([below, operation]) => [
      `PATCH /api/connection/{id}${below}`,
      async () => ({
        path: `/api/connection/${await saved()}${filled(below)}`,
        body: [operation],
        headers: AS_PATCH,
      }),
    ]),
  ),
  ...Object.fromEntries(
    ['GET', 'POST'].map((verb) => [
      `${verb} /api/connection/{id}/undo`,
      async () => ({ path: `/api/connection/${await saved()}/undo` }),
    ]),
  ),
  'DELETE /api/connection/{id}': async () => ({ path: `/api/connection/${await saved()}` }),
  'GET /api/connection/{id}/rule/all': async () => ({
    path: `/api/connection/${await saved()}/rule/all`,
  }),
  'DELETE /api/connection/{id}/rule/all': async () => ({
    path: `/api/connection/${await saved()}/rule/all`,
  }),
  'POST /api/connection/{id}/rule': async () => ({
    path: `/api/connection/${await saved()}/rule`,
    body: RULE,
  }),
  'POST /api/connection/{id}/rule/list': async () => ({
    path: `/api/connection/${await saved()}/rule/list`,
    body: [RULE],
  }),
  ...Object.fromEntries(
    (
      [
        ['GET', undefined],
        ['PUT', RULE],
        ['DELETE', undefined],
      ] as const
    ).map(([method, body]) => [
      `${method} /api/connection/{id}/rule/{ruleId}`,
      async () => {
        const id = await saved();
        const rule = await service.api('POST', `/api/connection/${id}/rule`, { body: RULE });
        return { path: `/api/connection/${id}/rule/${rule.body.ruleId}`, body };
      },
    ]),
  ),
  'POST /api/connection/validate': () => ({ path: '/api/connection/validate', body: workflow() }),
  'GET /api/connection/{id}/diff': async () => {
    const { id, snapshotId } = await version();
    return { path: `/api/connection/${id}/diff?from=${snapshotId}` };
  },
  'GET /api/connection/{id}/versions': async () => ({
    path: `/api/connection/${(await version()).id}/versions`,
  }),
  ...Object.fromEntries(
    (
      [
        ['GET', 'version', undefined],
        ['PUT', 'version', { comment: 'Better' }],
        ['DELETE', 'version', undefined],
        ['PUT', 'switch-version', undefined],
      ] as const
    ).map(([method, name, body]) => [
      `${method} /api/connection/{id}/${name}/{snapshotId}`,
      async () => {
        const { id, snapshotId } = await version();
        return { path: `/api/connection/${id}/${name}/${snapshotId}`, body };
      },
    ]),
  ),
  'POST /api/connection/execution/test': () => ({
    path: '/api/connection/execution/test?channelId=a',
    body: workflow(),
  }),
  ...mailCalls(service, saved),
  ...runCalls(service, saved),
  ...accountCalls(service),
  ...supportLogCalls(service, saved),
  ...templateSuccesses(service, saved),
  ...configurationCalls(service),
  ...connectorCalls(service),
  ...invokerCalls(service),
  ...onlineCalls(service),
  ...releasedClientCalls(service),
  'GET /api/job/{jobId}': async () => ({ path: `/api/job/${await storedJob()}` }),
  'GET /api/search/{title}': async () => ({ path: `/api/search/described?made=${await saved()}` }),
  'GET /api/aggregator/all': async () => ({
    path: `/api/aggregator/all?made=${(await aggregator()).id}`,
  }),
  'GET /api/aggregator/unique/{name}': () => ({
    path: '/api/aggregator/unique/Nothing%20at%20all',
  }),
  'GET /api/aggregator/{id}': async () => ({ path: `/api/aggregator/${(await aggregator()).id}` }),
  'POST /api/aggregator': () => ({
    path: '/api/aggregator',
    body: {
      id: 0,
      name: unique('described'),
      args: [{ id: 0, name: 'tickets', description: null }],
      script: '',
      active: true,
    },
  }),
  'PUT /api/aggregator': async () => ({
    path: '/api/aggregator',
    body: { ...(await aggregator()), active: false },
  }),
  'PUT /api/aggregator/{id}/status': async () => ({
    path: `/api/aggregator/${(await aggregator()).id}/status`,
    body: { active: false },
  }),
  'DELETE /api/aggregator/argument/{argId}': async () => ({
    path: `/api/aggregator/argument/${(await aggregator()).args[0]?.id}`,
  }),
  'DELETE /api/aggregator/{id}': async () => ({
    path: `/api/aggregator/${(await aggregator()).id}`,
  }),
  'GET /api/category/all': async () => ({ path: `/api/category/all?made=${await category()}` }),
  'GET /api/category/check/{name}': () => ({ path: '/api/category/check/Nothing%20at%20all' }),
  'GET /api/category/{id}': async () => ({ path: `/api/category/${await category()}` }),
  'POST /api/category': async () => ({
    path: '/api/category',
    body: {
      name: unique('described'),
      parentCategory: await category(),
      subCategories: [await category()],
    },
  }),
  'PUT /api/category/{id}': async () => ({
    path: `/api/category/${await category()}`,
    body: { name: unique('described'), parentCategory: { id: await category(), name: 'x' } },
  }),
  'PUT /api/category/list/delete': async () => ({
    path: '/api/category/list/delete',
    body: { identifiers: [await category()] },
  }),
  'PUT /api/category/list/cascade-delete': async () => ({
    path: '/api/category/list/cascade-delete',
    body: { identifiers: [await category()] },
  }),
  'DELETE /api/category/{id}': async () => ({ path: `/api/category/${await category()}` }),
  'DELETE /api/category/cascade-delete/{id}': async () => ({
    path: `/api/category/cascade-delete/${await category()}`,
  }),
  'GET /api/secret/{id}': async () => ({ path: `/api/secret/${await secret()}` }),
  'POST /api/secret': () => ({
    path: '/api/secret',
    body: {
      name: unique('described'),
      note: 'A note.',
      value: 'x',
      origins: ['https://*.example.com'],
    },
  }),
  'PUT /api/secret/{id}': async () => ({
    path: `/api/secret/${await secret()}`,
    body: { note: null },
  }),
  'DELETE /api/secret/{id}': async () => ({ path: `/api/secret/${await secret()}?force=true` }),
  'GET /api/widget/executions-timeline': () => ({ path: '/api/widget/executions-timeline?days=3' }),
  'GET /api/widget/top-workflows': () => ({ path: '/api/widget/top-workflows?limit=3' }),
});
