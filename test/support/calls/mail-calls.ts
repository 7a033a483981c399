import { createHash, randomBytes } from 'node:crypto';
import { unique } from '../service/harness';
import type { TestService } from '../service/harness';
import type { Calls } from './rest-calls';
import { storeConnection } from '../store/stored';
import { until } from '../until';

const PASSWORD = 'a new and long password';

/** Stores a link to set a password for a new user, and returns its token. */
export async function passwordLink(service: TestService): Promise<string> {
  const user = await service.userWith([]);
  const token = randomBytes(32).toString('base64url');
  await storeConnection()
    .collection<{ _id: string }>('password_links')
    .insertOne({
      _id: createHash('sha256').update(token).digest('base64url'),
      userId: user.id,
      credentialVersion: 1,
      emailKey: user.email,
      expiresAt: new Date(Date.now() + 3_600_000),
    } as { _id: string });
  return token;
}

/**
 * Successful requests for passwords, templates of messages, notifications and deliveries. `saved`
 * creates a workflow. The service needs a mail server and a public URL.
 */
export function mailCalls(service: TestService, saved: () => Promise<number>): Calls {
  const post = async (path: string, body: object): Promise<any> =>
    (await service.api('POST', `/api${path}`, { body })).body;
  const input = () => ({
    name: unique('described'),
    type: 'email',
    content: [{ language: 'en', subject: 'Subject', body: 'Body' }],
  });
  const template = (): Promise<any> => post('/message', input());
  const schedule = async (): Promise<number> =>
    (await post('/scheduler', { title: unique('described'), connectionId: await saved() }))
      .schedulerId;
  const entry = async () => ({
    name: 'Notification',
    eventType: 'alert',
    template: { templateId: (await template()).templateId as number },
    recipients: ['reader@hypha.test'],
  });
  const notification = async (): Promise<number> =>
    (await post(`/scheduler/${await schedule()}/notification`, await entry())).notificationId;
  /** A message that was given up, with its content. */
  const failed = async (): Promise<number> => {
    const deliveries = storeConnection().collection<{ _id: number; recipient: string }>(
      'deliveries',
    );
    const { email } = await service.userWith([]);
    await post('/auth/forgot-password', { email });
    const delivery = await until(() =>
      deliveries.findOneAndUpdate(
        { recipient: email },
        { $set: { state: 'FAILED', claim: null, nextAttemptAt: null } },
      ),
    );
    return delivery._id;
  };
  return {
    'POST /api/auth/forgot-password': () => ({
      path: '/api/auth/forgot-password',
      body: { email: 'unknown@hypha.test' },
      token: null,
    }),
    'POST /api/auth/reset-password': async () => ({
      path: '/api/auth/reset-password',
      body: {
        token: await passwordLink(service),
        newPassword: PASSWORD,
        confirmPassword: PASSWORD,
      },
      token: null,
    }),
    'POST /api/user/change-password': async () => {
      const { password, token } = await service.userWith(['MYPROFILE:UPDATE']);
      const body = { currentPassword: password, newPassword: PASSWORD, confirmPassword: PASSWORD };
      return { path: '/api/user/change-password', body, token };
    },
    'POST /api/user/invite': () => ({
      path: '/api/user/invite',
      body: { email: `${unique('invited')}@hypha.test`, userGroup: 2, userDetail: { name: 'A' } },
    }),
    'POST /api/user/{id}/invite': async () => {
      const email = `${unique('invited')}@hypha.test`;
      const { enhanceId } = await post('/user', { email, password: PASSWORD, userGroup: 2 });
      return { path: `/api/user/${enhanceId}/invite` };
    },
    'POST /api/delivery/test': () => ({ path: '/api/delivery/test', body: {} }),
    'GET /api/delivery/all': () => ({ path: '/api/delivery/all' }),
    'POST /api/delivery/{id}/retry': async () => ({
      path: `/api/delivery/${await failed()}/retry`,
    }),
    'GET /api/message/all': () => ({ path: '/api/message/all' }),
    'GET /api/message/all/{type}': () => ({ path: '/api/message/all/email' }),
    'GET /api/message/languages': () => ({ path: '/api/message/languages' }),
    'GET /api/message/tools/all': () => ({ path: '/api/message/tools/all' }),
    'GET /api/message/tools/incoming_webhook': () => ({
      path: '/api/message/tools/incoming_webhook',
    }),
    'GET /api/message/{id}': async () => ({
      path: `/api/message/${(await template()).templateId}`,
    }),
    'POST /api/message': async () => ({
      path: '/api/message',
      body: { ...input(), templateId: (await template()).templateId },
    }),
    'PUT /api/message/{id}': async () => ({
      path: `/api/message/${(await template()).templateId}`,
      body: input(),
    }),
    'PUT /api/message/list/delete': async () => ({
      path: '/api/message/list/delete',
      body: { identifiers: [(await template()).templateId] },
    }),
    'DELETE /api/message/{id}': async () => ({
      path: `/api/message/${(await template()).templateId}`,
    }),
    'GET /api/content/all': () => ({ path: '/api/content/all' }),
    'GET /api/content/{id}': async () => ({
      path: `/api/content/${(await template()).content[0].contentId}`,
    }),
    'POST /api/content': async () => ({
      path: '/api/content',
      body: (await template()).content[0],
    }),
    'GET /api/scheduler/{id}/notification/all': async () => ({
      path: `/api/scheduler/${await schedule()}/notification/all`,
    }),
    'GET /api/scheduler/notification/{id}': async () => ({
      path: `/api/scheduler/notification/${await notification()}`,
    }),
    'POST /api/scheduler/{id}/notification': async () => ({
      path: `/api/scheduler/${await schedule()}/notification`,
      body: await entry(),
    }),
    'PUT /api/scheduler/notification/{id}': async () => ({
      path: `/api/scheduler/notification/${await notification()}`,
      body: await entry(),
    }),
    'PUT /api/scheduler/notification/delete': async () => ({
      path: '/api/scheduler/notification/delete',
      body: { identifiers: [await notification()] },
    }),
    'DELETE /api/scheduler/notification/{id}': async () => ({
      path: `/api/scheduler/notification/${await notification()}`,
    }),
  };
}
