import { INVOKER_REFUSALS } from './invoker-refusals';
import { ABSENT, refusal } from './refusal';
import type { Refusal } from './refusal';
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
  refusal(
    'GET /api/actuator/health/{component}',
    404,
    'SYSTEM_COMPONENT_NOT_FOUND',
    undefined,
    'elasticsearch',
  ),
  refusal(
    'GET /actuator/health/{component}',
    404,
    'SYSTEM_COMPONENT_NOT_FOUND',
    undefined,
    'elasticsearch',
  ),
  refusal('POST /login', 401, 'ACCESS_DENIED', { email: 'unknown@hypha.test', password: 'wrong' }),
  refusal('GET /api/user/{id}/logout', 500, 'USER_NOT_EXIST'),
  refusal('GET /api/user/{id}', 500, 'USER_NOT_EXIST'),
  refusal('POST /api/user', 500, 'CREATION_ERROR', {}),
  refusal('PUT /api/user/{id}', 500, 'USER_NOT_EXIST', {}),
  refusal('PUT /api/user/{id}', 404, 'GROUP_NOT_FOUND', { userGroup: 99 }, 1),
  refusal('PUT /api/user/{id}', 409, 'LAST_ADMINISTRATOR', { userGroup: 2 }, 1),
  refusal('PUT /api/user/{id}/password', 500, 'USER_NOT_EXIST', { password: 'a good password' }),
  refusal('PUT /api/user/{id}/password', 400, 'PASSWORD_INVALID', { password: 'short' }, 1),
  refusal('PUT /api/user/{id}/userDetail', 500, 'USER_NOT_EXIST', {}),
  refusal('PUT /api/userDetail/{id}', 500, 'USER_NOT_EXIST', {}),
  refusal('DELETE /api/user/{id}/profilePicture', 500, 'USER_NOT_EXIST'),
  refusal('PUT /api/user/{id}/userGroup', 500, 'USER_NOT_EXIST', { userGroup: 2 }),
  refusal('PUT /api/user/{id}/userGroup', 404, 'GROUP_NOT_FOUND', { userGroup: 99 }, 1),
  refusal('PUT /api/user/{id}/userGroup', 409, 'LAST_ADMINISTRATOR', { userGroup: 2 }, 1),
  ...['disable', 'enable'].map((action) =>
    refusal(`PUT /api/user/{id}/${action}`, 500, 'USER_NOT_EXIST'),
  ),
  refusal('PUT /api/user/{id}/disable', 409, 'SELF_DISABLING', undefined, 1),
  refusal('DELETE /api/user/{id}', 500, 'USER_NOT_EXIST'),
  refusal('DELETE /api/user/{id}', 409, 'SELF_DELETION', undefined, 1),
  refusal('PUT /api/user/list/delete', 500, 'USER_NOT_EXIST', { identifiers: [ABSENT] }),
  refusal('PUT /api/user/list/delete', 409, 'SELF_DELETION', { identifiers: [1] }),
  refusal('GET /api/connection/{id}', 404, 'CONNECTION_NOT_FOUND'),
  refusal('DELETE /api/connection/{id}', 404, 'CONNECTION_NOT_FOUND'),
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
    refusal(
      `${method} /api/connection/{id}/rule${path}`,
      404,
      'CONNECTION_NOT_FOUND',
      body,
      `/api/connection/${ABSENT}/rule${path.replace('{ruleId}', '1')}`,
    ),
  ),
  refusal('POST /api/connection/validate', 400, 'WORKFLOW_INVALID', []),
  refusal(
    'GET /api/connection/{id}/diff',
    404,
    'CONNECTION_NOT_FOUND',
    undefined,
    `/api/connection/${ABSENT}/diff?from=none`,
  ),
  refusal('GET /api/connection/{id}/versions', 404, 'CONNECTION_NOT_FOUND'),
  ...(
    [
      ['GET', 'version', undefined],
      ['PUT', 'version', { comment: null }],
      ['DELETE', 'version', undefined],
      ['PUT', 'switch-version', undefined],
    ] as const
  ).map(([method, name, body]) =>
    refusal(
      `${method} /api/connection/{id}/${name}/{snapshotId}`,
      404,
      'CONNECTION_NOT_FOUND',
      body,
      `/api/connection/${ABSENT}/${name}/none`,
    ),
  ),
  refusal('POST /api/connection/{id}/execution', 404, 'CONNECTION_NOT_FOUND'),
  ...['/api/scheduler/{id}', '/api/scheduler/terminate/{id}'].map((path) =>
    refusal(
      `GET ${path}`,
      404,
      'SCHEDULER_NOT_FOUND',
      undefined,
      path.replace('{id}', String(ABSENT)),
    ),
  ),
  refusal('GET /api/execution/{id}', 404, 'EXECUTION_NOT_FOUND'),
  ...(['GET', 'PUT', 'DELETE'] as const).map((method) =>
    refusal(
      `${method} /api/connection/{id}/error-workflow`,
      404,
      'CONNECTION_NOT_FOUND',
      method === 'PUT' ? { connectionId: 1 } : undefined,
    ),
  ),
  refusal(
    'PUT /api/connection/{id}/error-workflow',
    409,
    'ERROR_WORKFLOW_CIRCLE',
    { connectionId: 1 },
    1,
  ),
  refusal('POST /api/execution/{id}/retry', 404, 'EXECUTION_NOT_FOUND'),
  refusal(
    'GET /api/execution/log-files',
    404,
    'LOG_FILE_NOT_FOUND',
    undefined,
    '/api/execution/log-files?after=x',
  ),
  refusal(
    'GET /api/execution/logs/children',
    404,
    'LOG_FILE_NOT_FOUND',
    undefined,
    '/api/execution/logs/children?fileName=x',
  ),
  refusal(
    'GET /api/execution/logs/children',
    404,
    'EXECUTION_NOT_FOUND',
    undefined,
    `/api/execution/logs/children?fileName=2026-01-01_00-00_1_s_${ABSENT}.log`,
  ),
  refusal(
    'GET /api/execution/logs/search',
    404,
    'LOG_ELEMENT_NOT_FOUND',
    undefined,
    '/api/execution/logs/search?connectionId=1&after=x',
  ),
  ...(['children', 'details'] as const).flatMap((what) => [
    refusal(`GET /api/execution/log/element/{elementId}/${what}`, 404, 'EXECUTION_NOT_FOUND'),
    refusal(
      `GET /api/execution/log/element/{elementId}/${what}`,
      404,
      'LOG_ELEMENT_NOT_FOUND',
      undefined,
      'x',
    ),
  ]),
  refusal('GET /api/execution/{id}/raw/log', 404, 'EXECUTION_NOT_FOUND'),
  refusal('POST /api/execution/{id}/cancel', 404, 'EXECUTION_NOT_FOUND'),
  refusal('PUT /api/connection/{id}', 404, 'CONNECTION_NOT_FOUND', { title: 'Nowhere' }),
  refusal('POST /api/connection', 400, 'TITLE_INVALID', { title: ' ' }),
  refusal('POST /api/connection', 400, 'CATEGORY_NOT_FOUND', {
    title: 'In a category',
    categoryId: ABSENT,
  }),
  refusal(
    'PUT /api/connection/{id}',
    400,
    'CATEGORY_NOT_FOUND',
    { title: 'In a category', categoryId: ABSENT },
    1,
  ),
  refusal('GET /api/connection/{id}/webhook/vars', 404, 'CONNECTION_NOT_FOUND'),
  refusal('PUT /api/connection/list/delete', 404, 'CONNECTION_NOT_FOUND', {
    identifiers: [ABSENT],
  }),
  refusal('POST /api/connection/remoteapi', 500, 'COMMUNICATION_FAILED', {
    url: 'http://127.0.0.1:9/',
    method: 'GET',
  }),
  ...(
    [
      ['POST', '/api/connection'],
      ['POST', '/api/connection/execution/test'],
    ] as const
  ).flatMap(([method, path]) =>
    NO_WORKFLOWS.map(([body, code]) => refusal(`${method} ${path}`, 400, code, body)),
  ),
  refusal('GET /api/template/{id}', 404, 'TEMPLATE_NOT_FOUND', undefined, NO_TEMPLATE),
  refusal('GET /api/template/all/{fromConnectorId}/{toConnectorId}', 404, 'CONNECTOR_NOT_FOUND'),
  refusal('GET /api/template/file/{filename}', 404, 'FILE_NOT_FOUND', undefined, 'none.json'),
  refusal('GET /api/template/connection/{connectionId}', 404, 'CONNECTION_NOT_FOUND'),
  refusal('POST /api/template', 400, 'TEMPLATE_INVALID', {}),
  refusal('PUT /api/template/{id}', 400, 'TEMPLATE_INVALID', {}, NO_TEMPLATE),
  refusal(
    'PUT /api/template/{id}',
    404,
    'TEMPLATE_NOT_FOUND',
    { name: 'x', connection: {} },
    NO_TEMPLATE,
  ),
  refusal('PUT /api/template/all', 400, 'TEMPLATE_INVALID', [{}]),
  refusal('PUT /api/template/all', 404, 'TEMPLATE_NOT_FOUND', [
    { templateId: NO_TEMPLATE, name: 'x', connection: {} },
  ]),
  refusal('PUT /api/template/list/delete', 404, 'TEMPLATE_NOT_FOUND', {
    identifiers: [NO_TEMPLATE],
  }),
  refusal('DELETE /api/template/{id}', 404, 'TEMPLATE_NOT_FOUND', undefined, NO_TEMPLATE),
  ...INVOKER_REFUSALS,
  refusal('GET /api/job/{jobId}', 404, 'JOB_NOT_FOUND'),
  ...(['GET', 'PUT', 'DELETE'] as const).map((method) =>
    refusal(
      `${method} /api/scheduler/{id}`,
      404,
      'SCHEDULER_NOT_FOUND',
      method === 'PUT' ? {} : undefined,
    ),
  ),
  refusal('POST /api/connection/execute/{id}/support-file', 404, 'CONNECTION_NOT_FOUND', []),
  refusal('POST /api/connection/execute/{id}/support-file', 400, 'RULE_INVALID', [
    { type: 'regex', expression: '(' },
  ]),
  refusal('GET /api/connection/support-file/{which}', 404, 'SUPPORT_FILE_NOT_FOUND'),
  refusal(
    'GET /api/connection/support-file/{connectionId}/{zip}',
    404,
    'SUPPORT_FILE_NOT_FOUND',
    undefined,
    `/api/connection/support-file/${ABSENT}/none.zip`,
  ),
  refusal(
    'DELETE /api/connection/support-file/{which}',
    404,
    'SUPPORT_FILE_NOT_FOUND',
    undefined,
    'none.zip',
  ),
  refusal('PUT /api/connection/support-file/delete/list', 404, 'SUPPORT_FILE_NOT_FOUND', {
    filenames: ['none.zip'],
  }),
  refusal('GET /api/widget/{id}', 404, 'WIDGET_NOT_FOUND'),
  refusal('POST /api/widget', 409, 'WIDGET_ALREADY_EXISTS', { i: 'connection_overview' }),
  refusal('POST /api/widget', 400, 'NAME_INVALID', { i: ' ' }),
  refusal('POST /api/widget', 400, 'TEXT_INVALID', { i: 'x', icon: '\ud800' }),
  refusal('POST /api/widget', 400, 'TEXT_TOO_LONG', { i: 'x', icon: 'x'.repeat(65) }),
  refusal('GET /api/widget_setting/user/{userId}', 500, 'USER_NOT_EXIST'),
  refusal('POST /api/widget_setting', 404, 'WIDGET_NOT_FOUND', {
    widgetSettings: [{ widgetId: ABSENT }],
  }),
  refusal('POST /api/widget_setting', 400, 'WIDGET_PLACE_INVALID', {
    widgetSettings: [{ widgetId: 1, x: -1 }],
  }),
  refusal('POST /api/widget_setting', 400, 'LIST_TOO_LONG', {
    widgetSettings: Array.from({ length: 101 }, () => ({ widgetId: 1 })),
  }),
  ...(['GET', 'POST'] as const).map((method) =>
    refusal(
      `${method} /api/webhook/execute/{token}`,
      404,
      'WEBHOOK_NOT_FOUND',
      method === 'GET' ? undefined : {},
      'none',
    ),
  ),
  refusal(
    'GET /api/webhook/url/{userId}/{schedulerId}',
    404,
    'SCHEDULER_NOT_FOUND',
    undefined,
    `/api/webhook/url/1/${ABSENT}`,
  ),
  refusal('GET /api/scheduler/execute/{id}', 404, 'SCHEDULER_NOT_FOUND'),
  refusal('PUT /api/scheduler/{id}/title', 404, 'SCHEDULER_NOT_FOUND', { title: 'Nowhere' }),
  refusal('PUT /api/scheduler/{id}/status', 404, 'SCHEDULER_NOT_FOUND', { status: true }),
  ...[
    '/api/scheduler/startAll',
    '/api/scheduler/enableAll',
    '/api/scheduler/disableAll',
    '/api/scheduler/list/delete',
  ].map((path) => refusal(`PUT ${path}`, 404, 'SCHEDULER_NOT_FOUND', { identifiers: [ABSENT] })),
  refusal('POST /api/scheduler', 404, 'CONNECTION_NOT_FOUND', {
    title: 'Nowhere',
    connectionId: ABSENT,
  }),
  refusal('GET /api/aggregator/{id}', 404, 'AGGREGATOR_NOT_FOUND'),
  refusal('DELETE /api/aggregator/{id}', 404, 'AGGREGATOR_NOT_FOUND'),
  refusal('PUT /api/aggregator/{id}/status', 404, 'AGGREGATOR_NOT_FOUND', { active: true }),
  refusal('DELETE /api/aggregator/argument/{argId}', 404, 'ARGUMENT_NOT_FOUND'),
  refusal('PUT /api/aggregator', 400, 'BAD_REQUEST', { name: 'Nowhere' }),
  ...(['POST', 'PUT'] as const).map((method) =>
    refusal(`${method} /api/aggregator`, 404, 'AGGREGATOR_NOT_FOUND', {
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
  ).map(([body, status, code]) => refusal('POST /api/aggregator', status, code, body)),
  refusal('POST /api/connection', 400, 'AGGREGATOR_NOT_FOUND', {
    title: 'Aggregated',
    fromConnector: {
      methods: [{ id: 'm', index: '0', dataAggregator: ABSENT }],
      operators: [],
    },
  }),
  refusal('GET /api/category/{id}', 404, 'CATEGORY_NOT_FOUND'),
  refusal('DELETE /api/category/{id}', 404, 'CATEGORY_NOT_FOUND'),
  refusal('DELETE /api/category/cascade-delete/{id}', 404, 'CATEGORY_NOT_FOUND'),
  refusal('PUT /api/category/list/delete', 404, 'CATEGORY_NOT_FOUND', { identifiers: [ABSENT] }),
  refusal('PUT /api/category/list/cascade-delete', 404, 'CATEGORY_NOT_FOUND', {
    identifiers: [ABSENT],
  }),
  refusal('PUT /api/category/{id}', 404, 'CATEGORY_NOT_FOUND', { name: 'Nowhere' }),
  ...(
    [
      ['POST', '/api/category', '/api/category'],
      ['PUT', '/api/category/{id}', `/api/category/${ABSENT}`],
    ] as const
  ).flatMap(([method, described, path]) => [
    refusal(`${method} ${described}`, 400, 'CATEGORY_IS_NULL', 'null', path),
  ]),
  refusal('POST /api/category', 400, 'INVALID_CATEGORY_NAME', { name: ' ' }),
  refusal('POST /api/category', 404, 'PARENT_CATEGORY_NOT_FOUND', {
    name: 'Lost',
    parentCategory: ABSENT,
  }),
  refusal('POST /api/category', 404, 'SUB_CATEGORY_NOT_FOUND', {
    name: 'Lost',
    subCategories: [ABSENT],
  }),
  ...(['GET', 'PUT', 'DELETE'] as const).map((method) =>
    refusal(
      `${method} /api/secret/{id}`,
      404,
      'SECRET_NOT_FOUND',
      method === 'PUT' ? {} : undefined,
    ),
  ),
  refusal('POST /api/secret', 400, 'NAME_INVALID', {
    name: 'a b',
    value: 'x',
    origins: ['https://a'],
  }),
  refusal('POST /api/secret', 400, 'TEXT_INVALID', {
    name: 'a',
    value: '\ud800',
    origins: ['https://a'],
  }),
  refusal('POST /api/secret', 400, 'SECRET_VALUE_INVALID', {
    name: 'a',
    value: '',
    origins: ['https://a'],
  }),
  refusal('POST /api/secret', 400, 'SECRET_ORIGIN_INVALID', { name: 'a', value: 'x', origins: [] }),
  refusal('POST /api/secret', 400, 'TEXT_TOO_LONG', {
    name: 'a',
    value: 'x',
    note: 'n'.repeat(1_001),
    origins: ['https://a'],
  }),
  refusal('POST /api/secret', 400, 'LIST_TOO_LONG', {
    name: 'a',
    value: 'x',
    origins: Array.from({ length: 51 }, (_, nth) => `https://a${nth}`),
  }),
  refusal('GET /api/storage/files/{name}', 404, 'FILE_NOT_FOUND', undefined, 'none.png'),
  ...(['role', 'userGroup'] as const).flatMap((base) => [
    refusal(`GET /api/${base}/{id}`, 404, 'GROUP_NOT_FOUND'),
    refusal(`POST /api/${base}`, 409, 'ROLE_ALREADY_EXIST', { name: 'admin' }),
    refusal(`POST /api/${base}`, 404, 'WRONG_COMPONENT', { name: 'new', ...UNKNOWN_COMPONENT }),
    refusal(`POST /api/${base}`, 404, 'PERMISSION_NOT_FOUND', {
      name: 'new',
      ...UNKNOWN_PERMISSION,
    }),
    refusal(`PUT /api/${base}/{id}`, 404, 'GROUP_NOT_FOUND', {}),
    refusal(`PUT /api/${base}/{id}`, 404, 'WRONG_COMPONENT', UNKNOWN_COMPONENT, 2),
    refusal(`PUT /api/${base}/{id}`, 404, 'PERMISSION_NOT_FOUND', UNKNOWN_PERMISSION, 2),
    refusal(`PUT /api/${base}/list/delete`, 404, 'GROUP_NOT_FOUND', { identifiers: [ABSENT] }),
    refusal(`PUT /api/${base}/{id}`, 409, 'ROLE_PROTECTED', { name: 'Guest' }, 2),
    refusal(`PUT /api/${base}/{id}/component`, 404, 'GROUP_NOT_FOUND', { components: [] }),
    refusal(`PUT /api/${base}/{id}/component`, 409, 'ROLE_PROTECTED', { components: [] }, 1),
    refusal(`PUT /api/${base}/{id}/component`, 404, 'WRONG_COMPONENT', UNKNOWN_COMPONENT, 2),
    refusal(`PUT /api/${base}/{id}/component`, 404, 'PERMISSION_NOT_FOUND', UNKNOWN_PERMISSION, 2),
    refusal(`PUT /api/${base}/list/delete`, 409, 'ROLE_PROTECTED', { identifiers: [2] }),
    refusal(`DELETE /api/${base}/{id}/icon`, 404, 'GROUP_NOT_FOUND'),
    refusal(`DELETE /api/${base}/{id}`, 404, 'GROUP_NOT_FOUND'),
    refusal(`DELETE /api/${base}/{id}`, 409, 'ROLE_PROTECTED', undefined, 2),
  ]),
  refusal('POST /api/permission', 500, 'WRONG_PERMISSION', { name: 'read' }),
  refusal('PUT /api/permission/{id}', 500, 'CHANGE_DENIED', { name: 'READ' }, 1),
  refusal('GET /api/permission/{id}', 404, 'PERMISSION_NOT_FOUND'),
  refusal('DELETE /api/permission/{id}', 404, 'PERMISSION_NOT_FOUND'),
  refusal('DELETE /api/permission/{id}', 500, 'USERGROUP_NOT_DELETED', undefined, 1),
  refusal('DELETE /api/{id}', 404, 'NOT_FOUND', undefined, 'nothing'),
  refusal('DELETE /api/{id}', 404, 'PERMISSION_NOT_FOUND'),
  refusal('DELETE /api/{id}', 500, 'USERGROUP_NOT_DELETED', undefined, 1),
];
