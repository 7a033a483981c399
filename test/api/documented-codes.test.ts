import { ADMIN_EMAIL, startService, unique } from '../support/harness';
import type { TestService } from '../support/harness';

let service: TestService;
let paths: Record<string, Record<string, { responses: Record<string, { 'x-codes'?: string[] }> }>>;
beforeAll(async () => {
  service = await startService();
  paths = (await service.api('GET', '/openapi.json')).body.paths;
});
afterAll(() => service.close());

const NOBODY = 4711;
const UNKNOWN_COMPONENT = { components: [{ componentId: 99, permissions: ['READ'] }] };
const UNKNOWN_PERMISSION = { components: [{ componentId: 1, permissions: ['FLY'] }] };

/** Method, described path, the path called, the body, and the answer. */
const REFUSALS: readonly [string, string, string, unknown, number, string][] = [
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
  ['GET', '/api/storage/files/{name}', '/api/storage/files/none.png', undefined, 404, 'FILE_NOT_FOUND'],
  ...(['role', 'userGroup'] as const).flatMap((base): [string, string, string, unknown, number, string][] => [
    ['GET', `/api/${base}/{id}`, `/api/${base}/${NOBODY}`, undefined, 404, 'GROUP_NOT_FOUND'],
    ['POST', `/api/${base}`, `/api/${base}`, { name: 'admin' }, 409, 'ROLE_ALREADY_EXIST'],
    ['POST', `/api/${base}`, `/api/${base}`, { name: 'new', ...UNKNOWN_COMPONENT }, 404, 'WRONG_COMPONENT'],
    ['POST', `/api/${base}`, `/api/${base}`, { name: 'new', ...UNKNOWN_PERMISSION }, 404, 'PERMISSION_NOT_FOUND'],
    ['PUT', `/api/${base}/{id}`, `/api/${base}/${NOBODY}`, {}, 404, 'GROUP_NOT_FOUND'],
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
  ['DELETE', '/api/permission/{id}', '/api/permission/4711', undefined, 404, 'PERMISSION_NOT_FOUND'],
  ['DELETE', '/api/permission/{id}', '/api/permission/1', undefined, 500, 'USERGROUP_NOT_DELETED'],
  ['DELETE', '/api/{id}', '/api/1', undefined, 500, 'USERGROUP_NOT_DELETED'],
];

const named = (method: string, path: string): Record<string, string[]> =>
  Object.fromEntries(Object.entries(paths[path]?.[method.toLowerCase()]?.responses ?? {}).map(([status, response]) => [status, response['x-codes'] ?? []]));

describe('the description of the API', () => {
  it.each(REFUSALS)('%s %s (%s %j) names %i %s, and that is the answer', async (method, described, path, body, status, code) => {
    const answer = await service.api(method, path, { body });
    expect([answer.status, answer.body.message]).toEqual([status, code]);
    expect(named(method, described)[status]).toContain(code);
  });

  it('names what only happens beside others', async () => {
    const email = `${unique('taken')}@hypha.test`;
    const { body } = await service.api('POST', '/api/user', { body: { email, password: 'a good password', userGroup: 2 } });
    const taken = await service.api('PUT', `/api/user/${body.enhanceId}`, { body: { email: ADMIN_EMAIL } });
    expect([taken.status, taken.body.message]).toEqual([409, 'EMAIL_ALREADY_EXIST']);
    expect(named('PUT', '/api/user/{id}')[409]).toContain('EMAIL_ALREADY_EXIST');
    const { groupId } = await service.userWith([]);
    const used = await service.api('DELETE', `/api/role/${groupId}`);
    expect([used.status, used.body.message]).toEqual([409, 'ROLE_IN_USE']);
    expect(named('DELETE', '/api/role/{id}')[409]).toContain('ROLE_IN_USE');
    const signedOut = await service.api('GET', `/api/user/${body.enhanceId}/logout`);
    expect([signedOut.status, signedOut.body.message]).toEqual([404, 'SESSION_NOT_EXIST']);
    expect(named('GET', '/api/user/{id}/logout')[404]).toContain('SESSION_NOT_EXIST');
    for (const path of ['/login', '/api/login']) expect(named('POST', path)[429]).toEqual(['TOO_MANY_ATTEMPTS']);
  });

  it('says what kind a file is of', () => {
    const { content } = paths['/api/storage/files/{name}']?.get?.responses['200'] as { content?: object };
    expect(Object.keys(content ?? {})).toEqual(['image/*']);
  });
});
