import { startDescribedService } from '../support/service/described-service';
import {
  client4x,
  client5x,
  fileForm,
  HEADERS_OF_4X,
  RELEASED,
} from '../support/browser/released-pages';
import { openForTests } from '../support/open-for-tests';

/* Every address that a released client calls. Ids do not exist: this only tests that there is a route. */

const NONE = 2_147_483_647;
const SNAPSHOT = '0123456789abcdef01234567';
const NOBODY = { identifiers: [] };
const bodyOf = (path: string): unknown => {
  if (path.startsWith('storage/')) return fileForm('x', 'x.txt');
  return /\/list\/|All$|by-ids$/.test(path) ? NOBODY : {};
};

/** Called by both clients, below the address of the API. */
const OF_BOTH: Readonly<Record<string, readonly string[]>> = {
  user: [
    'GET user/all',
    `GET user/${NONE}`,
    'POST user',
    `PUT user/${NONE}`,
    `DELETE user/${NONE}`,
    'PUT user/list/delete',
    'GET user/check/nobody@hypha.test',
    `PUT user/${NONE}/totp/enable`,
    `PUT user/${NONE}/totp/disable`,
    'PUT user/list/totp/enable',
    'POST storage/profilePicture',
  ],
  group: [
    'GET role/all',
    `GET role/${NONE}`,
    'POST role',
    `PUT role/${NONE}`,
    `DELETE role/${NONE}`,
    `DELETE role/${NONE}/icon`,
    'PUT role/list/delete',
    'GET role/exists/none',
    'POST storage/groupIcon',
    'GET component/all',
  ],
  connector: [
    'GET connector/all',
    `GET connector/${NONE}`,
    'POST connector',
    `PUT connector/${NONE}`,
    `DELETE connector/${NONE}`,
    `DELETE connector/${NONE}/icon`,
    'PUT connector/list/delete',
    'POST connector/check',
    'GET connector/exists/none',
  ],
  invoker: [
    'GET invoker/all',
    'GET invoker/none',
    'POST invoker',
    'DELETE invoker/none',
    'PUT invoker/list/delete',
    'GET invoker/exists/none',
    'GET invoker/file/exists/none.xml',
    'POST storage/invoker',
  ],
  workflow: [
    'GET connection/all',
    'GET connection/all/meta',
    `GET connection/${NONE}`,
    'POST connection',
    `PUT connection/${NONE}`,
    `DELETE connection/${NONE}`,
    'PUT connection/list/delete',
    'GET connection/check/none',
    'POST connection/remoteapi',
    `GET connection/${NONE}/webhook/vars`,
  ],
  schedule: [
    'GET scheduler/all',
    `GET scheduler/${NONE}`,
    'POST scheduler',
    `PUT scheduler/${NONE}`,
    `PUT scheduler/${NONE}/status`,
    `DELETE scheduler/${NONE}`,
    'PUT scheduler/list/delete',
    'POST scheduler/list/get',
    `GET scheduler/execute/${NONE}`,
    `GET scheduler/terminate/${NONE}`,
    'GET scheduler/running/all',
    `GET webhook/url/1/${NONE}`,
    `DELETE webhook/${NONE}`,
    `GET scheduler/${NONE}/notification/all`,
    `POST scheduler/${NONE}/notification`,
    `GET scheduler/notification/${NONE}`,
    `PUT scheduler/notification/${NONE}`,
    `DELETE scheduler/notification/${NONE}`,
  ],
  template: [
    'GET template/all',
    'GET template/none',
    `GET template/connection/${NONE}`,
    'POST template',
    'GET template/check/none',
    'POST storage/template',
    'DELETE template/none',
    'PUT template/list/delete',
  ],
  category: [
    'GET category/all',
    `GET category/${NONE}`,
    'GET category/check/none',
    'POST category',
    `PUT category/${NONE}`,
    `DELETE category/${NONE}`,
    'PUT category/list/delete',
  ],
  message: [
    'GET message/all',
    `GET message/${NONE}`,
    'POST message',
    `DELETE message/${NONE}`,
    'PUT message/list/delete',
    'GET message/tools/all',
  ],
  aggregator: [
    'GET aggregator/all',
    `GET aggregator/${NONE}`,
    'POST aggregator',
    `PUT aggregator/${NONE}/status`,
    'GET aggregator/unique/none',
  ],
  directory: ['GET ldap/default/config', 'POST ldap/test'],
  subscription: [
    'GET subs/active',
    'GET subs/all',
    'GET subs/operation/usage?page=0&size=5',
    `GET subs/operation/usage/${NONE}/details?page=0&size=5&sort=startDate,desc`,
    'GET subs/activation/request/generate',
    'POST subs/activate/license',
    'GET subs/free/activate',
    'POST subs/none',
    'DELETE subs/none',
  ],
  assistant: [
    'GET assistant/oc/version',
    'GET assistant/oc/installation',
    'GET assistant/oc/online/version/all',
    'GET assistant/oc/offline/version/all',
    'POST assistant/zipfile',
    'DELETE assistant/zipfile/none',
  ],
  system: ['GET storage/files/none.png'],
};

const OF_4X: Readonly<Record<string, readonly string[]>> = {
  session: [`GET user/${NONE}/logout`, `PUT userDetail/${NONE}`],
  connector: ['POST storage/connector'],
  invoker: ['GET invoker/none/xml', 'GET invoker/none/dependency', 'POST invoker/none/xml'],
  schedule: ['PUT scheduler/startAll', 'PUT scheduler/enableAll', 'PUT scheduler/disableAll'],
  template: [`GET template/all/${NONE}/${NONE}`, 'PUT template/none'],
  category: [`DELETE category/cascade-delete/${NONE}`, 'PUT category/list/cascade-delete'],
  message: ['GET message/all/none', 'GET message/tools/incoming_webhook'],
  aggregator: [`DELETE aggregator/argument/${NONE}`],
  dashboard: ['GET widget/all', 'GET widget_setting/user/1', 'POST widget_setting'],
  search: ['GET search/none'],
  subscription: ['GET subs/connection/check'],
  assistant: [
    'GET assistant/oc/restart/file/exists',
    'GET assistant/changelog/file/5.0',
    'GET assistant/oc/online/version/none/download',
    'POST assistant/oc/migrate',
  ],
  editor: [`GET editor/settings/user/${NONE}`, 'POST editor/settings'],
};

/** The 4.x client calls these next to the address of the API. */
const OF_4X_AT_ROOT = [
  'POST login',
  'POST totp-validate',
  'GET actuator/health',
  'GET actuator/health/mongoDB',
  'GET websocket/info',
];

const OF_5X: Readonly<Record<string, readonly string[]>> = {
  session: [
    'POST login',
    'POST totp-validate',
    'POST auth/forgot-password',
    'POST auth/reset-password',
    'POST user/change-password',
    `DELETE user/${NONE}/profilePicture`,
    'GET oidc/info',
  ],
  group: [`PUT role/${NONE}/component`],
  connector: [
    'GET connector/meta/all',
    `POST connector/${NONE}/status/refresh`,
    `PUT connector/${NONE}/required-data`,
    `POST connector/${NONE}/icon`,
    'GET connector/master-password/status',
    'GET connector/master-password/status/exist',
  ],
  invoker: ['POST storage/invoker/zip'],
  workflow: [
    'GET connection/check?name=none',
    `GET connection/${NONE}/versions`,
    `GET connection/${NONE}/version/${SNAPSHOT}`,
    `PUT connection/${NONE}/version/${SNAPSHOT}`,
    `DELETE connection/${NONE}/version/${SNAPSHOT}`,
    'POST connection/execution/test?channelId=none',
  ],
  log: [
    'GET execution/log-files',
    `GET execution/log/element/${NONE}/children`,
    `GET execution/log/element/${NONE}/details`,
    `GET execution/${NONE}/raw/log`,
  ],
  support: [
    `POST connection/execute/${NONE}/support-file`,
    'GET connection/support-file/list',
    'DELETE connection/support-file/none.zip',
    'PUT connection/support-file/delete/list',
  ],
  template: ['GET template/all?metadataOnly=true', 'POST storage/template/zip'],
  dashboard: ['GET widget/executions-timeline?days=7', 'GET widget/top-workflows?limit=5'],
  system: [
    'GET actuator/health',
    'GET application-config',
    'PATCH application-config',
    'GET ws/info',
  ],
  subscription: ['POST extra-ops', 'GET sync-history/status'],
  assistant: ['POST assistant/oc/update'],
  settings: ['theme_colors', 'app_logo'].flatMap((name) =>
    ['GET', 'PUT', 'DELETE'].map((method) => `${method} system-setting/${name}`),
  ),
};
const described = openForTests(startDescribedService);

const rows = (...tables: Readonly<Record<string, readonly string[]>>[]): [string][] =>
  tables.flatMap((table) =>
    Object.values(table).flatMap((all) => all.map((one): [string] => [one])),
  );

const NO_ROUTE = ['NOT_FOUND', 'METHOD_NOT_ALLOWED'];

/** The code of the failure, if the service has no such route. */
const missing = ({ status, body }: { status: number; body: any }): string | null =>
  status >= 400 && NO_ROUTE.includes(body.error as string) ? body.error : null;

const bodyFor = (method: string, path: string): unknown =>
  method === 'GET' || method === 'DELETE' ? undefined : bodyOf(path);

describe.each([
  ['4.x', client4x, rows(OF_BOTH, OF_4X)],
  ['5.x', client5x, rows(OF_BOTH, OF_5X)],
] as const)('the %s client finds', (_line, clientOf, endpoints) => {
  it.each(endpoints)('%s', async (endpoint) => {
    const [method = '', path = ''] = endpoint.split(' ');
    const answer = await clientOf(described.service).send(method, path, bodyFor(method, path));
    expect(missing(answer)).toBeNull();
    expect(answer.body?.error).not.toBe('INTERNAL_SERVER_ERROR');
  });
});

describe('next to the API, the 4.x client finds', () => {
  it.each(OF_4X_AT_ROOT)('%s', async (endpoint) => {
    const [method = '', path = ''] = endpoint.split(' ');
    const answer = await described.service.api(method, `${RELEASED}/${path}`, {
      headers: HEADERS_OF_4X,
      body: bodyFor(method, path),
    });
    expect(missing(answer)).toBeNull();
  });
});

it('the 5.x client signs out with an empty JSON body', async () => {
  const { service } = described;
  const { token } = await service.userWith([]);
  expect(await client5x(service, token).send('POST', 'auth/logout')).toMatchObject({ status: 204 });
});
