import { refusedCall } from './refused';
import { unique } from '../service/harness';
import type { TestService } from '../service/harness';
import { passwordLink } from './mail-calls';
import type { CallRefusal } from './rest-calls';
import { until } from '../until';

const PASSWORD = 'a new and long password';
const HALF = '\ud800';

const input = (more: object = {}) => ({
  name: unique('refused'),
  type: 'email',
  content: [{ language: 'en', subject: 'Subject', body: 'Body' }],
  ...more,
});
const content = (...contents: readonly object[]): object =>
  input({
    content: contents.map((each) => ({ language: 'en', subject: 'x', body: 'x', ...each })),
  });
/** Invalid templates of messages, and their codes. */
const INVALID_MESSAGES = [
  [content({}, {}), 'NAMED_TWICE'],
  [input({ name: '' }), 'NAME_INVALID'],
  [content({ body: HALF }), 'TEXT_INVALID'],
  [content({ subject: 'x'.repeat(129) }), 'TEXT_TOO_LONG'],
] as const;

/** Provokes every failure of messages, notifications and deliveries. */
export async function* mailRefusals(
  service: TestService,
  schedule: { readonly id: number; readonly workflowId: number },
): AsyncGenerator<CallRefusal> {
  const post = async (path: string, body: object): Promise<any> =>
    (await service.api('POST', `/api${path}`, { body })).body;
  const { templateId } = await post('/message', input());
  const both = await post('/message', content({}, { language: 'de' }));
  const german = both.content.find(({ language }: { language: string }) => language === 'de');

  const one = { path: '/api/message/4711' };
  for (const [body, code] of INVALID_MESSAGES) {
    yield refusedCall(400, code, 'POST /api/message', { body });
    yield refusedCall(400, code, 'PUT /api/message/{id}', { body }, templateId);
  }
  const MISSING = [404, 'MESSAGE_TEMPLATE_NOT_FOUND'] as const;
  const absent = { ...input(), templateId: 4711 };
  yield refusedCall(...MISSING, 'POST /api/message', { body: absent });
  yield ['PUT', '/api/message/{id}', { ...one, body: input() }, ...MISSING];
  yield ['GET', '/api/message/{id}', one, ...MISSING];
  yield ['DELETE', '/api/message/{id}', one, ...MISSING];
  const listed = { path: '/api/message/list/delete', body: { identifiers: [4711] } };
  yield ['PUT', '/api/message/list/delete', listed, ...MISSING];
  for (const [more, status, code] of [
    [{ contentId: 4711 }, 404, 'CONTENT_NOT_FOUND'],
    [{ language: 'en' }, 400, 'NAMED_TWICE'],
    [{ body: HALF }, 400, 'TEXT_INVALID'],
    [{ subject: 'x'.repeat(129) }, 400, 'TEXT_TOO_LONG'],
  ] as const) {
    const body = { ...german, ...more };
    yield refusedCall(status, code, 'POST /api/content', { body });
  }
  yield refusedCall(404, 'CONTENT_NOT_FOUND', 'GET /api/content/{id}');

  const entry = (more: object = {}): object => ({
    name: 'Notification',
    eventType: 'alert',
    template: { templateId },
    recipients: ['reader@hypha.test'],
    ...more,
  });
  const { notificationId } = await post(`/scheduler/${schedule.id}/notification`, entry());
  const at = `/api/scheduler/notification/${notificationId}`;
  const invalid = [
    [entry({ recipients: Array.from({ length: 51 }, () => 'a@hypha.test') }), 400, 'LIST_TOO_LONG'],
    [entry({ name: '' }), 400, 'NAME_INVALID'],
    [entry({ recipients: ['unknown'] }), 400, 'RECIPIENT_INVALID'],
    [entry({ template: { templateId: 4711 } }), ...MISSING],
  ] as const;
  for (const [body, status, code] of invalid) {
    const add = { path: `/api/scheduler/${schedule.id}/notification`, body };
    yield ['POST', '/api/scheduler/{id}/notification', add, status, code];
    yield ['PUT', '/api/scheduler/notification/{id}', { path: at, body }, status, code];
    const saved = (): object => ({
      title: unique('refused'),
      connectionId: schedule.workflowId,
      notificationResources: [body],
    });
    yield refusedCall(status, code, 'POST /api/scheduler', { body: saved() });
    const update = { path: `/api/scheduler/${schedule.id}`, body: saved() };
    yield ['PUT', '/api/scheduler/{id}', update, status, code];
  }
  const UNKNOWN = [404, 'NOTIFICATION_NOT_FOUND'] as const;
  const unknown = { path: '/api/scheduler/notification/4711' };
  const resources = { notificationResources: [entry({ notificationId: 4711 })] };
  const created = { title: unique('x'), connectionId: schedule.workflowId, ...resources };
  yield refusedCall(...UNKNOWN, 'POST /api/scheduler', { body: created });
  const changed = { path: `/api/scheduler/${schedule.id}`, body: resources };
  yield ['PUT', '/api/scheduler/{id}', changed, ...UNKNOWN];
  yield ['GET', '/api/scheduler/notification/{id}', unknown, ...UNKNOWN];
  yield ['DELETE', '/api/scheduler/notification/{id}', unknown, ...UNKNOWN];
  yield ['PUT', '/api/scheduler/notification/{id}', { ...unknown, body: entry() }, ...UNKNOWN];
  const several = { path: '/api/scheduler/notification/delete', body: { identifiers: [4711] } };
  yield ['PUT', '/api/scheduler/notification/delete', several, ...UNKNOWN];
  const nowhere = [404, 'SCHEDULER_NOT_FOUND'] as const;
  const ofNone = { path: '/api/scheduler/4711/notification', body: entry() };
  yield ['POST', '/api/scheduler/{id}/notification', ofNone, ...nowhere];
  const all = { path: '/api/scheduler/4711/notification/all' };
  yield ['GET', '/api/scheduler/{id}/notification/all', all, ...nowhere];

  const { email } = await service.userWith([]);
  await post('/auth/forgot-password', { email });
  const waiting = await until(async () => {
    const list = (await service.api('GET', '/api/delivery/all')).body as any[];
    return list.find(({ state }) => state !== 'FAILED');
  });
  const retry = '/api/delivery/{id}/retry';
  const again = { path: `/api/delivery/${waiting.deliveryId}/retry` };
  yield ['POST', retry, again, 400, 'DELIVERY_NOT_FAILED'];
  yield ['POST', retry, { path: '/api/delivery/4711000/retry' }, 404, 'DELIVERY_NOT_FOUND'];
  const test = { path: '/api/delivery/test', body: { recipient: 'unknown' } };
  yield ['POST', '/api/delivery/test', test, 400, 'RECIPIENT_INVALID'];
}

/** Provokes every failure of the passwords of users. */
export async function* passwordRefusals(service: TestService): AsyncGenerator<CallRefusal> {
  const reset = '/api/auth/reset-password';
  const same = { newPassword: PASSWORD, confirmPassword: PASSWORD };
  for (const [body, code] of [
    [{ token: 'unknown', ...same }, 'INVALID_TOKEN'],
    [
      { token: await passwordLink(service), ...same, confirmPassword: 'another' },
      'PASSWORDS_DIFFER',
    ],
    [
      { token: await passwordLink(service), newPassword: 'short', confirmPassword: 'short' },
      'PASSWORD_INVALID',
    ],
  ] as const)
    yield refusedCall(400, code, `POST ${reset}`, { token: null, body });

  const change = '/api/user/change-password';
  const { token, password } = await service.userWith(['MYPROFILE:UPDATE']);
  for (const [body, code] of [
    [{ currentPassword: 'wrong', ...same }, 'WRONG_PASSWORD'],
    [{ currentPassword: password, ...same, confirmPassword: 'another' }, 'PASSWORDS_DIFFER'],
    [
      { currentPassword: password, newPassword: 'short', confirmPassword: 'short' },
      'PASSWORD_INVALID',
    ],
  ] as const)
    yield refusedCall(400, code, `POST ${change}`, { token, body });
  const wrong = { path: change, token, body: { currentPassword: 'wrong', ...same } };
  for (let i = 0; i < 5; i += 1) await service.api('POST', change, wrong);
  yield ['POST', change, wrong, 429, 'TOO_MANY_ATTEMPTS'];

  const invite = '/api/user/{id}/invite';
  const accepted = await service.userWith([]);
  const left = (
    await service.api('POST', '/api/user', {
      body: { email: `${unique('left')}@hypha.test`, password: PASSWORD, userGroup: 2 },
    })
  ).body.enhanceId as number;
  await service.api('PUT', `/api/user/${left}/disable`);
  for (const [id, status, code] of [
    [4711, 500, 'USER_NOT_EXIST'],
    [accepted.id, 400, 'INVITATION_ACCEPTED'],
    [left, 400, 'USER_DISABLED'],
  ] as const)
    yield ['POST', invite, { path: `/api/user/${id}/invite` }, status, code];
  const incomplete = { path: '/api/user/invite', body: {} };
  yield ['POST', '/api/user/invite', incomplete, 500, 'CREATION_ERROR'];
  for (const described of ['/api/user/{id}', '/api/user/{id}/password']) {
    const own = await service.userWith(['MYPROFILE:UPDATE', 'USER:UPDATE']);
    const path = described.replace('{id}', String(own.id));
    const sent = { password: PASSWORD, currentPassword: 'wrong' };
    const call = { path, token: own.token, body: sent };
    yield ['PUT', described, call, 400, 'WRONG_PASSWORD'];
    for (let i = 0; i < 5; i += 1) await service.api('PUT', path, call);
    yield ['PUT', described, call, 429, 'TOO_MANY_ATTEMPTS'];
  }

  const none = { path: '/api/user/4711/password' };
  yield ['DELETE', '/api/user/{id}/password', none, 500, 'USER_NOT_EXIST'];
  const { body } = await service.api('POST', '/api/api-token', {
    body: {
      name: 'refused',
      scopes: ['USER:CREATE', 'USER:READ', 'USER:UPDATE', 'MYPROFILE:UPDATE'],
    },
  });
  const bearer = `Bearer ${body.token}`;
  const user = { email: `${unique('refused')}@hypha.test`, password: PASSWORD, userGroup: 2 };
  for (const [method, described, path, sent] of [
    ['POST', '/api/user', '/api/user', user],
    ['POST', '/api/user/invite', '/api/user/invite', user],
    ['POST', invite, '/api/user/1/invite', undefined],
    ['PUT', '/api/user/{id}/enable', '/api/user/1/enable', undefined],
    ['POST', change, change, { currentPassword: 'x', ...same }],
    ['PUT', '/api/user/{id}', '/api/user/1', { password: PASSWORD }],
    ['GET', '/api/user/{id}/logout', '/api/user/1/logout', undefined],
    ['PUT', '/api/user/{id}/password', '/api/user/1/password', { password: PASSWORD }],
    ['DELETE', '/api/user/{id}/password', '/api/user/1/password', undefined],
    ['POST', '/api/auth/logout', '/api/auth/logout', undefined],
    ['POST', '/auth/logout', '/auth/logout', undefined],
  ] as const)
    yield [method, described, { path, token: bearer, body: sent }, 403, 'API_TOKEN_REFUSED'];

  const forgot = '/api/auth/forgot-password';
  const request = { path: forgot, token: null, body: { email: `${unique('forgot')}@hypha.test` } };
  for (let i = 0; i < 20; i += 1)
    if ((await service.api('POST', forgot, request)).status === 429) break;
  yield ['POST', forgot, request, 429, 'TOO_MANY_ATTEMPTS'];
}
