import { testService } from '../../support/service/harness';
import type { Answer } from '../../support/service/harness';
import { longIt } from '../../support/long';

const service = testService();
let document: any;
beforeAll(async () => {
  document = await service.body('GET', '/openapi.json');
});

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly example?: string | number;
}

/** The request that the API browser sends without input, or null if a required value is missing. */
function exampleOf(
  path: string,
  { parameters = [], requestBody }: any,
): { path: string; body?: unknown } | null {
  if (
    (parameters as Parameter[]).some(
      ({ required, example }) => required === true && example === undefined,
    )
  )
    return null;
  if (requestBody?.content['multipart/form-data']) return null;
  const filled = (parameters as Parameter[])
    .filter((one) => one.in === 'path')
    .reduce(
      (text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(String(example))),
      path,
    );
  const query = (parameters as Parameter[])
    .filter((one) => one.in === 'query' && one.example !== undefined)
    .map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`);
  return {
    path: query.length > 0 ? `${filled}?${query.join('&')}` : filled,
    body: requestBody?.content['application/json'].example,
  };
}

const operations = (): [method: string, path: string, operation: any][] =>
  Object.entries<object>(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): [string, string, any] => [
      method.toUpperCase(),
      path,
      operation,
    ]),
  );

/** Examples that are rejected by design, with the reason. */
const REFUSED: Readonly<Record<string, string>> = {
  postLogin: 'the password is typed',
  postLoginAtRoot: 'the password is typed',
  postUser: 'the password is typed',
  postSecret: 'the value is typed',
  postUserChangePassword: 'the password is typed',
  postSecondFactorBegin: 'the password is typed',
  ...Object.fromEntries(
    [
      'postSecondFactorConfirm',
      'postSecondFactorDisable',
      'postSecondFactorRecoveryCodes',
      'postTotpValidate',
      'postTotpValidateAtRoot',
    ].map((name) => [name, 'an app shows the code']),
  ),
  putUserListTotpByAction: 'the user chooses whose second factor to change',
  putUserByIdTotpByAction: 'the user chooses whose second factor to change',
  postAuthForgotPassword: 'no mail server is configured',
  postAuthResetPassword: 'a mail contains the token',
  postLdapTest: 'no directory is configured',
  postContent: 'the user chooses the content',
  putMessageListDelete: 'the user chooses which templates to delete',
  putSchedulerNotificationDelete: 'the user chooses which notifications to delete',
  putUserListDelete: 'the user chooses whom to delete',
  putRoleListDelete: 'which groups to delete are chosen by the user',
  putConnectionListDelete: 'which workflows to delete are chosen by the user',
  postConnectionRemoteapi: 'no system answers at the address',
  putInvokerListDelete: 'which invokers to delete are chosen by the user',
  putUserGroupListDelete: 'which groups to delete are chosen by the user',
  postConnectorCheck: 'no system answers at the address',
  putConnectorListDelete: 'which connectors to delete are chosen by the user',
  putCategoryListDelete: 'which categories to delete are chosen by the user',
  postOnlineServicesSynchronisations: 'no portal is configured',
  postOnlineServicesItemsTake: 'no portal is configured',
  postOnlineServicesItemsKeep: 'nothing waits for a decision',
  putInvokerByNameSyncForce: 'no portal is configured',
  postScheduler: 'the user chooses the workflow',
  ...Object.fromEntries(
    ['StartAll', 'EnableAll', 'DisableAll', 'ListDelete'].map((name) => [
      `putScheduler${name}`,
      'which schedules are meant is said by a person',
    ]),
  ),
  ...Object.fromEntries(
    [
      'getSubsFreeActivate',
      'postSubsActivateLicense',
      'postExtraOps',
      'postAssistantOcUpdate',
      'postAssistantOcMigrate',
      'postAssistantZipfile',
    ].map((name) => [name, 'released clients offer it, and the product does not have it']),
  ),
  postUserInvite: 'the service has no mail server',
  postDeliveryTest: 'the service has no mail server',
  putAggregator: 'which aggregator changes is said by a person',
  putCategoryListCascadeDelete: 'which categories to delete are chosen by the user',
};

/** Codes of the second of two paths, because the first one already had the effect. */
const MADE_ALREADY = ['postUserGroup'];

const everything = async (): Promise<object> => {
  const lists = await Promise.all(
    ['user', 'role', 'permission', 'component'].map((name) =>
      service.api('GET', `/api/${name}/all`),
    ),
  );
  return lists.map(({ body }) => body as object);
};

describe('each example of the API browser', () => {
  it('exists for every JSON body', () => {
    const without = operations().filter(
      ([, , { requestBody }]) =>
        requestBody?.content['application/json'] &&
        !('example' in requestBody.content['application/json']),
    );
    expect(without.map(([method, path]) => `${method} ${path}`)).toEqual([]);
  });

  longIt('succeeds without changing existing records', async () => {
    const before: any = await everything();
    const wrong: string[] = [];
    let sent = 0;
    for (const [method, path, operation] of operations()) {
      const example = exampleOf(path, operation);
      if (!example || operation.operationId.startsWith('postAuthLogout')) continue;
      const answer: Answer = await service.api(method, example.path, { body: example.body });
      sent += 1;
      const mayRefuse =
        operation.operationId in REFUSED || MADE_ALREADY.includes(operation.operationId as string);
      if (answer.status >= 400 !== mayRefuse)
        wrong.push(`${method} ${example.path} ${answer.status} ${answer.text.slice(0, 200)}`);
    }
    expect(wrong).toEqual([]);
    expect(sent).toBeGreaterThan(35);
    const after: any = await everything();
    const without = (list: any[], added: string): any[] =>
      list.filter(({ name }) => name !== added);
    expect(after[0]).toEqual(before[0]);
    expect(without(after[1]._embedded.userGroupResources as any[], 'Readers')).toEqual(
      before[1]._embedded.userGroupResources,
    );
    expect(without(after[2]._embedded.permissionResources as any[], 'APPROVE')).toEqual(
      before[2]._embedded.permissionResources,
    );
    expect(after[3]).toEqual(before[3]);
  });

  it('does not delete, stop or move a record without an id from the user', () => {
    const dangerous = operations()
      .filter(
        ([method, path]) => method === 'DELETE' || /\/(?:password|userGroup|logout)$/.test(path),
      )
      .filter(([, path]) => path.includes('{'));
    expect(dangerous.length).toBeGreaterThan(8);
    for (const [method, path, operation] of dangerous)
      expect([method, path, exampleOf(path, operation)]).toEqual([method, path, null]);
  });
});
