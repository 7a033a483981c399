import { INVOKER_REFUSALS } from './invoker-refusals';

const NOBODY = 4711;
const NO_TEMPLATE = '7b0f8a6e-4f0b-4a57-9d5e-0c6f3c1d2e3f';
const UNKNOWN_COMPONENT = { components: [{ componentId: 99, permissions: ['READ'] }] };
const UNKNOWN_PERMISSION = { components: [{ componentId: 1, permissions: ['FLY'] }] };

const RULE = { type: 'regex', expression: 'a' };

export type Refusal = readonly [method: string, described: string, path: string, body: unknown, status: number, code: string];

/** What is no workflow, and the code that says why. */
export const NO_WORKFLOWS = [
  [{ title: 'a\u0001' }, 'TITLE_INVALID'],
  [{ title: 'An operator', fromConnector: { operators: [{ id: 'o', index: '0', type: 'if', expression: '' }] } }, 'OPERATOR_EXPRESSION_IS_EMPTY'],
  [{ title: 'No list', fieldBinding: {} }, 'WORKFLOW_INVALID'],
] as const;

/** Method, described path, the path called, the body, and the answer. */
export const REFUSALS: readonly Refusal[] = [
  ['POST', '/login', '/login', { email: 'nobody@hypha.test', password: 'wrong' }, 401, 'ACCESS_DENIED'],
  ['GET', '/api/user/{id}/logout', `/api/user/${NOBODY}/logout`, undefined, 500, 'USER_NOT_EXIST'],
  ['GET', '/api/user/{id}', `/api/user/${NOBODY}`, undefined, 500, 'USER_NOT_EXIST'],
  ['POST', '/api/user', '/api/user', {}, 500, 'CREATION_ERROR'],
  ['PUT', '/api/user/{id}', `/api/user/${NOBODY}`, {}, 500, 'USER_NOT_EXIST'],
  ['PUT', '/api/user/{id}', '/api/user/1', { userGroup: 99 }, 404, 'GROUP_NOT_FOUND'],
  ['PUT', '/api/user/{id}', '/api/user/1', { userGroup: 2 }, 409, 'LAST_ADMINISTRATOR'],
  ['PUT', '/api/user/{id}/password', `/api/user/${NOBODY}/password`, { password: 'a good password' }, 500, 'USER_NOT_EXIST'],
  ['PUT', '/api/user/{id}/password', '/api/user/1/password', { password: 'short' }, 400, 'PASSWORD_INVALID'],
  ['PUT', '/api/user/{id}/userDetail', `/api/user/${NOBODY}/userDetail`, {}, 500, 'USER_NOT_EXIST'],
  ['PUT', '/api/userDetail/{id}', `/api/userDetail/${NOBODY}`, {}, 500, 'USER_NOT_EXIST'],
  ['PUT', '/api/user/{id}/userGroup', `/api/user/${NOBODY}/userGroup`, { userGroup: 2 }, 500, 'USER_NOT_EXIST'],
  ['PUT', '/api/user/{id}/userGroup', '/api/user/1/userGroup', { userGroup: 99 }, 404, 'GROUP_NOT_FOUND'],
  ['PUT', '/api/user/{id}/userGroup', '/api/user/1/userGroup', { userGroup: 2 }, 409, 'LAST_ADMINISTRATOR'],
  ['DELETE', '/api/user/{id}', `/api/user/${NOBODY}`, undefined, 500, 'USER_NOT_EXIST'],
  ['DELETE', '/api/user/{id}', '/api/user/1', undefined, 409, 'SELF_DELETION'],
  ['PUT', '/api/user/list/delete', '/api/user/list/delete', { identifiers: [NOBODY] }, 500, 'USER_NOT_EXIST'],
  ['PUT', '/api/user/list/delete', '/api/user/list/delete', { identifiers: [1] }, 409, 'SELF_DELETION'],
  ['GET', '/api/connection/{id}', `/api/connection/${NOBODY}`, undefined, 404, 'CONNECTION_NOT_FOUND'],
  ['DELETE', '/api/connection/{id}', `/api/connection/${NOBODY}`, undefined, 404, 'CONNECTION_NOT_FOUND'],
  ...([['GET', '/all', undefined], ['DELETE', '/all', undefined], ['POST', '', RULE], ['POST', '/list', [RULE]], ['GET', '/{ruleId}', undefined], ['PUT', '/{ruleId}', RULE], ['DELETE', '/{ruleId}', undefined]] as const).map(([method, path, body]): Refusal =>
    [method, `/api/connection/{id}/rule${path}`, `/api/connection/${NOBODY}/rule${path.replace('{ruleId}', '1')}`, body, 404, 'CONNECTION_NOT_FOUND']),
  ['POST', '/api/connection/validate', '/api/connection/validate', [], 400, 'WORKFLOW_INVALID'],
  ['GET', '/api/connection/{id}/diff', `/api/connection/${NOBODY}/diff?from=none`, undefined, 404, 'CONNECTION_NOT_FOUND'],
  ['GET', '/api/connection/{id}/versions', `/api/connection/${NOBODY}/versions`, undefined, 404, 'CONNECTION_NOT_FOUND'],
  ...([['GET', 'version', undefined], ['PUT', 'version', { comment: null }], ['DELETE', 'version', undefined], ['PUT', 'switch-version', undefined]] as const).map(([method, name, body]): Refusal =>
    [method, `/api/connection/{id}/${name}/{snapshotId}`, `/api/connection/${NOBODY}/${name}/none`, body, 404, 'CONNECTION_NOT_FOUND']),
  ['PUT', '/api/connection/{id}', `/api/connection/${NOBODY}`, { title: 'Nowhere' }, 404, 'CONNECTION_NOT_FOUND'],
  ['POST', '/api/connection', '/api/connection', { title: ' ' }, 400, 'TITLE_INVALID'],
  ['POST', '/api/connection', '/api/connection', { title: 'In a category', categoryId: NOBODY }, 400, 'CATEGORY_NOT_FOUND'],
  ['PUT', '/api/connection/{id}', '/api/connection/1', { title: 'In a category', categoryId: NOBODY }, 400, 'CATEGORY_NOT_FOUND'],
  ['GET', '/api/connection/{id}/webhook/vars', `/api/connection/${NOBODY}/webhook/vars`, undefined, 404, 'CONNECTION_NOT_FOUND'],
  ['PUT', '/api/connection/list/delete', '/api/connection/list/delete', { identifiers: [NOBODY] }, 404, 'CONNECTION_NOT_FOUND'],
  ['POST', '/api/connection/remoteapi', '/api/connection/remoteapi', { url: 'http://127.0.0.1:9/', method: 'GET' }, 500, 'COMMUNICATION_FAILED'],
  ...([['POST', '/api/connection'], ['POST', '/api/connection/execution/test']] as const).flatMap(([method, path]) =>
    NO_WORKFLOWS.map(([body, code]): Refusal => [method, path, path, body, 400, code])),
  ['GET', '/api/template/{id}', `/api/template/${NO_TEMPLATE}`, undefined, 404, 'TEMPLATE_NOT_FOUND'],
  ['GET', '/api/template/all/{fromConnectorId}/{toConnectorId}', `/api/template/all/${NOBODY}/${NOBODY}`, undefined, 404, 'CONNECTOR_NOT_FOUND'],
  ['GET', '/api/template/file/{filename}', '/api/template/file/none.json', undefined, 404, 'FILE_NOT_FOUND'],
  ['GET', '/api/template/connection/{connectionId}', `/api/template/connection/${NOBODY}`, undefined, 404, 'CONNECTION_NOT_FOUND'],
  ['POST', '/api/template', '/api/template', {}, 400, 'TEMPLATE_INVALID'],
  ['PUT', '/api/template/{id}', `/api/template/${NO_TEMPLATE}`, {}, 400, 'TEMPLATE_INVALID'],
  ['PUT', '/api/template/{id}', `/api/template/${NO_TEMPLATE}`, { name: 'x', connection: {} }, 404, 'TEMPLATE_NOT_FOUND'],
  ['PUT', '/api/template/all', '/api/template/all', [{}], 400, 'TEMPLATE_INVALID'],
  ['PUT', '/api/template/all', '/api/template/all', [{ templateId: NO_TEMPLATE, name: 'x', connection: {} }], 404, 'TEMPLATE_NOT_FOUND'],
  ['PUT', '/api/template/list/delete', '/api/template/list/delete', { identifiers: [NO_TEMPLATE] }, 404, 'TEMPLATE_NOT_FOUND'],
  ['DELETE', '/api/template/{id}', `/api/template/${NO_TEMPLATE}`, undefined, 404, 'TEMPLATE_NOT_FOUND'],
  ...INVOKER_REFUSALS,
  ['GET', '/api/job/{jobId}', `/api/job/${NOBODY}`, undefined, 404, 'JOB_NOT_FOUND'],
  ['GET', '/api/category/{id}', `/api/category/${NOBODY}`, undefined, 404, 'CATEGORY_NOT_FOUND'],
  ['DELETE', '/api/category/{id}', `/api/category/${NOBODY}`, undefined, 404, 'CATEGORY_NOT_FOUND'],
  ['DELETE', '/api/category/cascade-delete/{id}', `/api/category/cascade-delete/${NOBODY}`, undefined, 404, 'CATEGORY_NOT_FOUND'],
  ['PUT', '/api/category/list/delete', '/api/category/list/delete', { identifiers: [NOBODY] }, 404, 'CATEGORY_NOT_FOUND'],
  ['PUT', '/api/category/list/cascade-delete', '/api/category/list/cascade-delete', { identifiers: [NOBODY] }, 404, 'CATEGORY_NOT_FOUND'],
  ['PUT', '/api/category/{id}', `/api/category/${NOBODY}`, { name: 'Nowhere' }, 404, 'CATEGORY_NOT_FOUND'],
  ...([['POST', '/api/category', '/api/category'], ['PUT', '/api/category/{id}', `/api/category/${NOBODY}`]] as const).flatMap(([method, described, path]): Refusal[] => [
    [method, described, path, 'null', 400, 'CATEGORY_IS_NULL'],
  ]),
  ['POST', '/api/connection', '/api/connection', { title: 'Nowhere', categoryId: NOBODY }, 400, 'CATEGORY_NOT_FOUND'],
  ['POST', '/api/category', '/api/category', { name: ' ' }, 400, 'INVALID_CATEGORY_NAME'],
  ['POST', '/api/category', '/api/category', { name: 'Lost', parentCategory: NOBODY }, 404, 'PARENT_CATEGORY_NOT_FOUND'],
  ['POST', '/api/category', '/api/category', { name: 'Lost', subCategories: [NOBODY] }, 404, 'SUB_CATEGORY_NOT_FOUND'],
  ...(['GET', 'PUT', 'DELETE'] as const).map((method): Refusal => [method, '/api/secret/{id}', `/api/secret/${NOBODY}`, method === 'PUT' ? {} : undefined, 404, 'SECRET_NOT_FOUND']),
  ['POST', '/api/secret', '/api/secret', { name: 'a b', value: 'x', origins: ['https://a'] }, 400, 'NAME_INVALID'],
  ['POST', '/api/secret', '/api/secret', { name: 'a', value: '\ud800', origins: ['https://a'] }, 400, 'TEXT_INVALID'],
  ['POST', '/api/secret', '/api/secret', { name: 'a', value: '', origins: ['https://a'] }, 400, 'SECRET_VALUE_INVALID'],
  ['POST', '/api/secret', '/api/secret', { name: 'a', value: 'x', origins: [] }, 400, 'SECRET_ORIGIN_INVALID'],
  ['POST', '/api/secret', '/api/secret', { name: 'a', value: 'x', note: 'n'.repeat(1_001), origins: ['https://a'] }, 400, 'TEXT_TOO_LONG'],
  ['POST', '/api/secret', '/api/secret', { name: 'a', value: 'x', origins: Array.from({ length: 51 }, (_, nth) => `https://a${nth}`) }, 400, 'LIST_TOO_LONG'],
  ['GET', '/api/storage/files/{name}', '/api/storage/files/none.png', undefined, 404, 'FILE_NOT_FOUND'],
  ...(['role', 'userGroup'] as const).flatMap((base): Refusal[] => [
    ['GET', `/api/${base}/{id}`, `/api/${base}/${NOBODY}`, undefined, 404, 'GROUP_NOT_FOUND'],
    ['POST', `/api/${base}`, `/api/${base}`, { name: 'admin' }, 409, 'ROLE_ALREADY_EXIST'],
    ['POST', `/api/${base}`, `/api/${base}`, { name: 'new', ...UNKNOWN_COMPONENT }, 404, 'WRONG_COMPONENT'],
    ['POST', `/api/${base}`, `/api/${base}`, { name: 'new', ...UNKNOWN_PERMISSION }, 404, 'PERMISSION_NOT_FOUND'],
    ['PUT', `/api/${base}/{id}`, `/api/${base}/${NOBODY}`, {}, 404, 'GROUP_NOT_FOUND'],
    ['PUT', `/api/${base}/{id}`, `/api/${base}/2`, UNKNOWN_COMPONENT, 404, 'WRONG_COMPONENT'],
    ['PUT', `/api/${base}/{id}`, `/api/${base}/2`, UNKNOWN_PERMISSION, 404, 'PERMISSION_NOT_FOUND'],
    ['PUT', `/api/${base}/list/delete`, `/api/${base}/list/delete`, { identifiers: [NOBODY] }, 404, 'GROUP_NOT_FOUND'],
    ['PUT', `/api/${base}/{id}`, `/api/${base}/2`, { name: 'Guest' }, 409, 'ROLE_PROTECTED'],
    ['PUT', `/api/${base}/{id}/component`, `/api/${base}/${NOBODY}/component`, { components: [] }, 404, 'GROUP_NOT_FOUND'],
    ['PUT', `/api/${base}/{id}/component`, `/api/${base}/1/component`, { components: [] }, 409, 'ROLE_PROTECTED'],
    ['PUT', `/api/${base}/{id}/component`, `/api/${base}/2/component`, UNKNOWN_COMPONENT, 404, 'WRONG_COMPONENT'],
    ['PUT', `/api/${base}/{id}/component`, `/api/${base}/2/component`, UNKNOWN_PERMISSION, 404, 'PERMISSION_NOT_FOUND'],
    ['PUT', `/api/${base}/list/delete`, `/api/${base}/list/delete`, { identifiers: [2] }, 409, 'ROLE_PROTECTED'],
    ['DELETE', `/api/${base}/{id}/icon`, `/api/${base}/${NOBODY}/icon`, undefined, 404, 'GROUP_NOT_FOUND'],
    ['DELETE', `/api/${base}/{id}`, `/api/${base}/${NOBODY}`, undefined, 404, 'GROUP_NOT_FOUND'],
    ['DELETE', `/api/${base}/{id}`, `/api/${base}/2`, undefined, 409, 'ROLE_PROTECTED'],
  ]),
  ['POST', '/api/permission', '/api/permission', { name: 'read' }, 500, 'WRONG_PERMISSION'],
  ['PUT', '/api/permission/{id}', '/api/permission/1', { name: 'READ' }, 500, 'CHANGE_DENIED'],
  ['GET', '/api/permission/{id}', '/api/permission/4711', undefined, 404, 'PERMISSION_NOT_FOUND'],
  ['DELETE', '/api/permission/{id}', '/api/permission/4711', undefined, 404, 'PERMISSION_NOT_FOUND'],
  ['DELETE', '/api/permission/{id}', '/api/permission/1', undefined, 500, 'USERGROUP_NOT_DELETED'],
  ['DELETE', '/api/{id}', '/api/nothing', undefined, 404, 'NOT_FOUND'],
  ['DELETE', '/api/{id}', `/api/${NOBODY}`, undefined, 404, 'PERMISSION_NOT_FOUND'],
  ['DELETE', '/api/{id}', '/api/1', undefined, 500, 'USERGROUP_NOT_DELETED'],
];
