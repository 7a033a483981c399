import { INVOKER_REFUSALS } from './invoker-refusals';
import { ABSENT, refused } from './refused';
import type { Refusal } from './refused';
import { RELEASED_CLIENT_REFUSALS } from './released-client-calls';

const NO_TEMPLATE = '7b0f8a6e-4f0b-4a57-9d5e-0c6f3c1d2e3f';
const UNKNOWN_COMPONENT = { components: [{ componentId: 99, permissions: ['READ'] }] };
const UNKNOWN_PERMISSION = { components: [{ componentId: 1, permissions: ['FLY'] }] };

const RULE = { type: 'regex', expression: 'a' };

/** Invalid workflows and their error codes. */
export const NO_WORKFLOWS = [
  [{ title: 'a\u0001' }, 'TITLE_INVALID'],
  [
    {
      title: 'An operator',
      fromConnector: { operators: [{ id: 'o', index: '0', type: 'if', expression: '' }] },
    },
    'OPERATOR_EXPRESSION_IS_EMPTY',
  ],
  [{ title: 'No list', fieldBinding: {} }, 'WORKFLOW_INVALID'],
] as const;

export const REFUSALS: readonly Refusal[] = [
  ...RELEASED_CLIENT_REFUSALS,
  refused(
    404,
    'SYSTEM_COMPONENT_NOT_FOUND',
    'GET /api/actuator/health/{component}',
    undefined,
    'elasticsearch',
  ),
  refused(
    404,
    'SYSTEM_COMPONENT_NOT_FOUND',
    'GET /actuator/health/{component}',
    undefined,
    'elasticsearch',
  ),
  refused(401, 'ACCESS_DENIED', 'POST /login', { email: 'unknown@hypha.test', password: 'wrong' }),
  refused(500, 'USER_NOT_EXIST', 'GET /api/user/{id}/logout'),
  refused(500, 'USER_NOT_EXIST', 'GET /api/user/{id}'),
  refused(500, 'CREATION_ERROR', 'POST /api/user', {}),
  refused(500, 'USER_NOT_EXIST', 'PUT /api/user/{id}', {}),
  refused(404, 'GROUP_NOT_FOUND', 'PUT /api/user/{id}', { userGroup: 99 }, 1),
  refused(409, 'LAST_ADMINISTRATOR', 'PUT /api/user/{id}', { userGroup: 2 }, 1),
  refused(500, 'USER_NOT_EXIST', 'PUT /api/user/{id}/password', { password: 'a good password' }),
  refused(400, 'PASSWORD_INVALID', 'PUT /api/user/{id}/password', { password: 'short' }, 1),
  refused(500, 'USER_NOT_EXIST', 'PUT /api/user/{id}/userDetail', {}),
  refused(500, 'USER_NOT_EXIST', 'PUT /api/userDetail/{id}', {}),
  refused(500, 'USER_NOT_EXIST', 'DELETE /api/user/{id}/profilePicture'),
  refused(500, 'USER_NOT_EXIST', 'PUT /api/user/{id}/userGroup', { userGroup: 2 }),
  refused(404, 'GROUP_NOT_FOUND', 'PUT /api/user/{id}/userGroup', { userGroup: 99 }, 1),
  refused(409, 'LAST_ADMINISTRATOR', 'PUT /api/user/{id}/userGroup', { userGroup: 2 }, 1),
  ...['disable', 'enable'].map((action) =>
    refused(500, 'USER_NOT_EXIST', `PUT /api/user/{id}/${action}`),
  ),
  refused(409, 'SELF_DISABLING', 'PUT /api/user/{id}/disable', undefined, 1),
  refused(500, 'USER_NOT_EXIST', 'DELETE /api/user/{id}'),
  refused(409, 'SELF_DELETION', 'DELETE /api/user/{id}', undefined, 1),
  refused(500, 'USER_NOT_EXIST', 'PUT /api/user/list/delete', { identifiers: [ABSENT] }),
  refused(409, 'SELF_DELETION', 'PUT /api/user/list/delete', { identifiers: [1] }),
  refused(404, 'CONNECTION_NOT_FOUND', 'GET /api/connection/{id}'),
  refused(404, 'CONNECTION_NOT_FOUND', 'DELETE /api/connection/{id}'),
  ...(
    [
      ['GET', '/all', undefined],
      ['DELETE', '/all', undefined],
      ['POST', '', RULE],
      ['POST', '/list', [RULE]],
      ['GET', '/{ruleId}', undefined],
      ['PUT', '/{ruleId}', RULE],
      ['DELETE', '/{ruleId}', undefined],
    ] as const
  ).map(([method, path, body]) =>
    refused(
      404,
      'CONNECTION_NOT_FOUND',
      `${method} /api/connection/{id}/rule${path}`,
      body,
      ABSENT,
      1,
    ),
  ),
  refused(400, 'WORKFLOW_INVALID', 'POST /api/connection/validate', []),
  refused(404, 'CONNECTION_NOT_FOUND', 'GET /api/connection/{id}/diff?from=none'),
  refused(404, 'CONNECTION_NOT_FOUND', 'GET /api/connection/{id}/versions'),
  ...(
    [
      ['GET', 'version', undefined],
      ['PUT', 'version', { comment: null }],
      ['DELETE', 'version', undefined],
      ['PUT', 'switch-version', undefined],
    ] as const
  ).map(([method, name, body]) =>
    refused(
      404,
      'CONNECTION_NOT_FOUND',
      `${method} /api/connection/{id}/${name}/{snapshotId}`,
      body,
      ABSENT,
      'none',
    ),
  ),
  refused(404, 'CONNECTION_NOT_FOUND', 'POST /api/connection/{id}/execution'),
  ...['/api/scheduler/{id}', '/api/scheduler/terminate/{id}'].map((path) =>
    refused(404, 'SCHEDULER_NOT_FOUND', `GET ${path}`),
  ),
  refused(404, 'EXECUTION_NOT_FOUND', 'GET /api/execution/{id}'),
  ...(['GET', 'PUT', 'DELETE'] as const).map((method) =>
    refused(
      404,
      'CONNECTION_NOT_FOUND',
      `${method} /api/connection/{id}/error-workflow`,
      method === 'PUT' ? { connectionId: 1 } : undefined,
    ),
  ),
  ...(['GET', 'PUT'] as const).map((method) =>
    refused(
      404,
      'CONNECTION_NOT_FOUND',
      `${method} /api/connection/{id}/resume`,
      method === 'PUT' ? { resume: true } : undefined,
    ),
  ),
  refused(
    409,
    'ERROR_WORKFLOW_CIRCLE',
    'PUT /api/connection/{id}/error-workflow',
    { connectionId: 1 },
    1,
  ),
  refused(404, 'EXECUTION_NOT_FOUND', 'POST /api/execution/{id}/retry'),
  refused(404, 'LOG_FILE_NOT_FOUND', 'GET /api/execution/log-files?after=x'),
  refused(404, 'LOG_FILE_NOT_FOUND', 'GET /api/execution/logs/children?fileName=x'),
  refused(
    404,
    'EXECUTION_NOT_FOUND',
    `GET /api/execution/logs/children?fileName=2026-01-01_00-00_1_s_${ABSENT}.log`,
  ),
  refused(404, 'LOG_ELEMENT_NOT_FOUND', 'GET /api/execution/logs/search?connectionId=1&after=x'),
  ...(['children', 'details'] as const).flatMap((what) => [
    refused(404, 'EXECUTION_NOT_FOUND', `GET /api/execution/log/element/{elementId}/${what}`),
    refused(
      404,
      'LOG_ELEMENT_NOT_FOUND',
      `GET /api/execution/log/element/{elementId}/${what}`,
      undefined,
      'x',
    ),
  ]),
  refused(404, 'EXECUTION_NOT_FOUND', 'GET /api/execution/{id}/raw/log'),
  refused(404, 'EXECUTION_NOT_FOUND', 'POST /api/execution/{id}/cancel'),
  refused(404, 'CONNECTION_NOT_FOUND', 'PUT /api/connection/{id}', { title: 'Nowhere' }),
  refused(400, 'TITLE_INVALID', 'POST /api/connection', { title: ' ' }),
  refused(400, 'CATEGORY_NOT_FOUND', 'POST /api/connection', {
    title: 'In a category',
    categoryId: ABSENT,
  }),
  refused(
    400,
    'CATEGORY_NOT_FOUND',
    'PUT /api/connection/{id}',
    { title: 'In a category', categoryId: ABSENT },
    1,
  ),
  refused(404, 'CONNECTION_NOT_FOUND', 'GET /api/connection/{id}/webhook/vars'),
  refused(404, 'CONNECTION_NOT_FOUND', 'PUT /api/connection/list/delete', {
    identifiers: [ABSENT],
  }),
  refused(500, 'COMMUNICATION_FAILED', 'POST /api/connection/remoteapi', {
    url: 'http://127.0.0.1:9/',
    method: 'GET',
  }),
  ...(
    [
      ['POST', '/api/connection'],
      ['POST', '/api/connection/execution/test'],
    ] as const
  ).flatMap(([method, path]) =>
    NO_WORKFLOWS.map(([body, code]) => refused(400, code, `${method} ${path}`, body)),
  ),
  refused(404, 'TEMPLATE_NOT_FOUND', 'GET /api/template/{id}', undefined, NO_TEMPLATE),
  refused(404, 'CONNECTOR_NOT_FOUND', 'GET /api/template/all/{fromConnectorId}/{toConnectorId}'),
  refused(404, 'FILE_NOT_FOUND', 'GET /api/template/file/{filename}', undefined, 'none.json'),
  refused(404, 'CONNECTION_NOT_FOUND', 'GET /api/template/connection/{connectionId}'),
  refused(400, 'TEMPLATE_INVALID', 'POST /api/template', {}),
  refused(400, 'TEMPLATE_INVALID', 'PUT /api/template/{id}', {}, NO_TEMPLATE),
  refused(
    404,
    'TEMPLATE_NOT_FOUND',
    'PUT /api/template/{id}',
    { name: 'x', connection: {} },
    NO_TEMPLATE,
  ),
  refused(400, 'TEMPLATE_INVALID', 'PUT /api/template/all', [{}]),
  refused(404, 'TEMPLATE_NOT_FOUND', 'PUT /api/template/all', [
    { templateId: NO_TEMPLATE, name: 'x', connection: {} },
  ]),
  refused(404, 'TEMPLATE_NOT_FOUND', 'PUT /api/template/list/delete', {
    identifiers: [NO_TEMPLATE],
  }),
  refused(404, 'TEMPLATE_NOT_FOUND', 'DELETE /api/template/{id}', undefined, NO_TEMPLATE),
  ...INVOKER_REFUSALS,
  refused(404, 'JOB_NOT_FOUND', 'GET /api/job/{jobId}'),
  ...(['GET', 'PUT', 'DELETE'] as const).map((method) =>
    refused(
      404,
      'SCHEDULER_NOT_FOUND',
      `${method} /api/scheduler/{id}`,
      method === 'PUT' ? {} : undefined,
    ),
  ),
  refused(404, 'CONNECTION_NOT_FOUND', 'POST /api/connection/execute/{id}/support-file', []),
  refused(400, 'RULE_INVALID', 'POST /api/connection/execute/{id}/support-file', [
    { type: 'regex', expression: '(' },
  ]),
  refused(404, 'SUPPORT_FILE_NOT_FOUND', 'GET /api/connection/support-file/{which}'),
  refused(
    404,
    'SUPPORT_FILE_NOT_FOUND',
    'GET /api/connection/support-file/{connectionId}/{zip}',
    undefined,
    ABSENT,
    'none.zip',
  ),
  refused(
    404,
    'SUPPORT_FILE_NOT_FOUND',
    'DELETE /api/connection/support-file/{which}',
    undefined,
    'none.zip',
  ),
  refused(404, 'SUPPORT_FILE_NOT_FOUND', 'PUT /api/connection/support-file/delete/list', {
    filenames: ['none.zip'],
  }),
  refused(404, 'WIDGET_NOT_FOUND', 'GET /api/widget/{id}'),
  refused(409, 'WIDGET_ALREADY_EXISTS', 'POST /api/widget', { i: 'connection_overview' }),
  refused(400, 'NAME_INVALID', 'POST /api/widget', { i: ' ' }),
  refused(400, 'TEXT_INVALID', 'POST /api/widget', { i: 'x', icon: '\ud800' }),
  refused(400, 'TEXT_TOO_LONG', 'POST /api/widget', { i: 'x', icon: 'x'.repeat(65) }),
  refused(500, 'USER_NOT_EXIST', 'GET /api/widget_setting/user/{userId}'),
  refused(404, 'WIDGET_NOT_FOUND', 'POST /api/widget_setting', {
    widgetSettings: [{ widgetId: ABSENT }],
  }),
  refused(400, 'WIDGET_PLACE_INVALID', 'POST /api/widget_setting', {
    widgetSettings: [{ widgetId: 1, x: -1 }],
  }),
  refused(400, 'LIST_TOO_LONG', 'POST /api/widget_setting', {
    widgetSettings: Array.from({ length: 101 }, () => ({ widgetId: 1 })),
  }),
  ...(['GET', 'POST'] as const).map((method) =>
    refused(
      404,
      'WEBHOOK_NOT_FOUND',
      `${method} /api/webhook/execute/{token}`,
      method === 'GET' ? undefined : {},
      'none',
    ),
  ),
  refused(404, 'SCHEDULER_NOT_FOUND', 'GET /api/webhook/url/{userId}/{schedulerId}', undefined, 1),
  refused(404, 'SCHEDULER_NOT_FOUND', 'GET /api/scheduler/execute/{id}'),
  refused(404, 'SCHEDULER_NOT_FOUND', 'PUT /api/scheduler/{id}/title', { title: 'Nowhere' }),
  refused(404, 'SCHEDULER_NOT_FOUND', 'PUT /api/scheduler/{id}/status', { status: true }),
  ...[
    '/api/scheduler/startAll',
    '/api/scheduler/enableAll',
    '/api/scheduler/disableAll',
    '/api/scheduler/list/delete',
  ].map((path) => refused(404, 'SCHEDULER_NOT_FOUND', `PUT ${path}`, { identifiers: [ABSENT] })),
  refused(404, 'CONNECTION_NOT_FOUND', 'POST /api/scheduler', {
    title: 'Nowhere',
    connectionId: ABSENT,
  }),
  refused(404, 'AGGREGATOR_NOT_FOUND', 'GET /api/aggregator/{id}'),
  refused(404, 'AGGREGATOR_NOT_FOUND', 'DELETE /api/aggregator/{id}'),
  refused(404, 'AGGREGATOR_NOT_FOUND', 'PUT /api/aggregator/{id}/status', { active: true }),
  refused(404, 'ARGUMENT_NOT_FOUND', 'DELETE /api/aggregator/argument/{argId}'),
  refused(400, 'BAD_REQUEST', 'PUT /api/aggregator', { name: 'Nowhere' }),
  ...(['POST', 'PUT'] as const).map((method) =>
    refused(404, 'AGGREGATOR_NOT_FOUND', `${method} /api/aggregator`, {
      id: ABSENT,
      name: 'Nowhere',
    }),
  ),
  ...(
    [
      [{ name: ' ' }, 400, 'NAME_INVALID'],
      [{ name: 'x', args: [{ name: 'a b' }] }, 400, 'ARGUMENT_NAME_INVALID'],
      [{ name: 'x', args: [{ name: 'tickets' }, { name: 'tickets' }] }, 400, 'NAMED_TWICE'],
      [{ name: 'x', script: '\ud800' }, 400, 'TEXT_INVALID'],
      [{ name: 'x', script: 'x'.repeat(65_537) }, 400, 'TEXT_TOO_LONG'],
      [
        { name: 'x', args: Array.from({ length: 51 }, (_, nth) => ({ name: `a${nth}` })) },
        400,
        'LIST_TOO_LONG',
      ],
      [{ name: 'x', args: [{ id: ABSENT, name: 'a' }] }, 404, 'ARGUMENT_NOT_FOUND'],
    ] as const
  ).map(([body, status, code]) => refused(status, code, 'POST /api/aggregator', body)),
  refused(400, 'AGGREGATOR_NOT_FOUND', 'POST /api/connection', {
    title: 'Aggregated',
    fromConnector: {
      methods: [{ id: 'm', index: '0', dataAggregator: ABSENT }],
      operators: [],
    },
  }),
  refused(404, 'CATEGORY_NOT_FOUND', 'GET /api/category/{id}'),
  refused(404, 'CATEGORY_NOT_FOUND', 'DELETE /api/category/{id}'),
  refused(404, 'CATEGORY_NOT_FOUND', 'DELETE /api/category/cascade-delete/{id}'),
  refused(404, 'CATEGORY_NOT_FOUND', 'PUT /api/category/list/delete', { identifiers: [ABSENT] }),
  refused(404, 'CATEGORY_NOT_FOUND', 'PUT /api/category/list/cascade-delete', {
    identifiers: [ABSENT],
  }),
  refused(404, 'CATEGORY_NOT_FOUND', 'PUT /api/category/{id}', { name: 'Nowhere' }),
  refused(400, 'CATEGORY_IS_NULL', 'POST /api/category', 'null'),
  refused(400, 'CATEGORY_IS_NULL', 'PUT /api/category/{id}', 'null'),
  refused(400, 'CATEGORY_NOT_FOUND', 'POST /api/connection', {
    title: 'Nowhere',
    categoryId: ABSENT,
  }),
  refused(400, 'INVALID_CATEGORY_NAME', 'POST /api/category', { name: ' ' }),
  refused(404, 'PARENT_CATEGORY_NOT_FOUND', 'POST /api/category', {
    name: 'Lost',
    parentCategory: ABSENT,
  }),
  refused(404, 'SUB_CATEGORY_NOT_FOUND', 'POST /api/category', {
    name: 'Lost',
    subCategories: [ABSENT],
  }),
  ...(['GET', 'PUT', 'DELETE'] as const).map((method) =>
    refused(
      404,
      'SECRET_NOT_FOUND',
      `${method} /api/secret/{id}`,
      method === 'PUT' ? {} : undefined,
    ),
  ),
  refused(400, 'NAME_INVALID', 'POST /api/secret', {
    name: 'a b',
    value: 'x',
    origins: ['https://a'],
  }),
  refused(400, 'TEXT_INVALID', 'POST /api/secret', {
    name: 'a',
    value: '\ud800',
    origins: ['https://a'],
  }),
  refused(400, 'SECRET_VALUE_INVALID', 'POST /api/secret', {
    name: 'a',
    value: '',
    origins: ['https://a'],
  }),
  refused(400, 'SECRET_ORIGIN_INVALID', 'POST /api/secret', { name: 'a', value: 'x', origins: [] }),
  refused(400, 'TEXT_TOO_LONG', 'POST /api/secret', {
    name: 'a',
    value: 'x',
    note: 'n'.repeat(1_001),
    origins: ['https://a'],
  }),
  refused(400, 'LIST_TOO_LONG', 'POST /api/secret', {
    name: 'a',
    value: 'x',
    origins: Array.from({ length: 51 }, (_, nth) => `https://a${nth}`),
  }),
  refused(404, 'FILE_NOT_FOUND', 'GET /api/storage/files/{name}', undefined, 'none.png'),
  ...(['role', 'userGroup'] as const).flatMap((base) => [
    refused(404, 'GROUP_NOT_FOUND', `GET /api/${base}/{id}`),
    refused(409, 'ROLE_ALREADY_EXIST', `POST /api/${base}`, { name: 'admin' }),
    refused(404, 'WRONG_COMPONENT', `POST /api/${base}`, { name: 'new', ...UNKNOWN_COMPONENT }),
    refused(404, 'PERMISSION_NOT_FOUND', `POST /api/${base}`, {
      name: 'new',
      ...UNKNOWN_PERMISSION,
    }),
    refused(404, 'GROUP_NOT_FOUND', `PUT /api/${base}/{id}`, {}),
    refused(404, 'WRONG_COMPONENT', `PUT /api/${base}/{id}`, UNKNOWN_COMPONENT, 2),
    refused(404, 'PERMISSION_NOT_FOUND', `PUT /api/${base}/{id}`, UNKNOWN_PERMISSION, 2),
    refused(404, 'GROUP_NOT_FOUND', `PUT /api/${base}/list/delete`, { identifiers: [ABSENT] }),
    refused(409, 'ROLE_PROTECTED', `PUT /api/${base}/{id}`, { name: 'Guest' }, 2),
    refused(404, 'GROUP_NOT_FOUND', `PUT /api/${base}/{id}/component`, { components: [] }),
    refused(409, 'ROLE_PROTECTED', `PUT /api/${base}/{id}/component`, { components: [] }, 1),
    refused(404, 'WRONG_COMPONENT', `PUT /api/${base}/{id}/component`, UNKNOWN_COMPONENT, 2),
    refused(404, 'PERMISSION_NOT_FOUND', `PUT /api/${base}/{id}/component`, UNKNOWN_PERMISSION, 2),
    refused(409, 'ROLE_PROTECTED', `PUT /api/${base}/list/delete`, { identifiers: [2] }),
    refused(404, 'GROUP_NOT_FOUND', `DELETE /api/${base}/{id}/icon`),
    refused(404, 'GROUP_NOT_FOUND', `DELETE /api/${base}/{id}`),
    refused(409, 'ROLE_PROTECTED', `DELETE /api/${base}/{id}`, undefined, 2),
  ]),
  refused(500, 'WRONG_PERMISSION', 'POST /api/permission', { name: 'read' }),
  refused(500, 'CHANGE_DENIED', 'PUT /api/permission/{id}', { name: 'READ' }, 1),
  refused(404, 'PERMISSION_NOT_FOUND', 'GET /api/permission/{id}'),
  refused(404, 'PERMISSION_NOT_FOUND', 'DELETE /api/permission/{id}'),
  refused(500, 'USERGROUP_NOT_DELETED', 'DELETE /api/permission/{id}', undefined, 1),
  refused(404, 'NOT_FOUND', 'DELETE /api/{id}', undefined, 'nothing'),
  refused(404, 'PERMISSION_NOT_FOUND', 'DELETE /api/{id}'),
  refused(500, 'USERGROUP_NOT_DELETED', 'DELETE /api/{id}', undefined, 1),
];
