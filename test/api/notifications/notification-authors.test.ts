import { testService, unique } from '../../support/service/harness';
import type { Answer } from '../../support/service/harness';
import { until } from '../../support/until';
import { method, saved, workflow } from '../../support/documents/workflows';

const service = testService();

const post = (path: string, body: object, token?: string): Promise<any> =>
  service.body('POST', `/api${path}`, { body, ...(token !== undefined && { token }) });

/** Calls the webhook of a schedule: the run is started by no user. */
async function startByWebhook(scheduleId: number): Promise<Answer> {
  const { body } = await service.api('GET', `/api/webhook/url/1/${scheduleId}`);
  return service.api('GET', new URL(body.url).pathname, { token: null });
}

describe('a notification without recipients, of a run that no user started', () => {
  it.each([
    [
      'goes to the present address of the author',
      (id: number, email: string) => service.api('PUT', `/api/user/${id}`, { body: { email } }),
      (email: string) => [email, 'MAIL_NOT_CONFIGURED'],
    ],
    [
      'is given up if the author is disabled',
      (id: number) => service.api('PUT', `/api/user/${id}/disable`),
      () => ['', 'RECIPIENT_MISSING'],
    ],
    [
      'is given up if the author was deleted',
      (id: number) => service.api('DELETE', `/api/user/${id}`),
      () => ['', 'RECIPIENT_MISSING'],
    ],
  ])('%s', async (_title, changeAuthor, expected) => {
    const grants = ['SCHEDULE:CREATE', 'SCHEDULE:UPDATE', 'CONNECTION:UPDATE', 'CONNECTION:READ'];
    const author = await service.userWith(grants, unique('author'));
    const connectionId = await saved(service, workflow([method('0', 'http://127.0.0.1:1/')]));
    const { templateId } = await post('/message', {
      name: unique('Template '),
      type: 'email',
      content: [{ language: 'en', subject: 'Failed', body: '{RUN_ID}' }],
    });
    const notification = { name: 'Failed', eventType: 'alert', template: { templateId } };
    const { schedulerId } = await post(
      '/scheduler',
      {
        title: unique('Schedule '),
        connectionId,
        status: 1,
        notificationResources: [{ ...notification, recipients: [] }],
      },
      author.token,
    );
    const email = `${unique('moved')}@hypha.test`;
    expect((await changeAuthor(author.id, email)).status).toBeLessThan(300);
    expect((await startByWebhook(schedulerId)).status).toBe(200);
    const delivery = await until(async () =>
      (await service.api('GET', '/api/delivery/all?state=FAILED')).body.find(
        (each: any) => each.schedulerId === schedulerId,
      ),
    );
    expect([delivery.recipient, delivery.error.code]).toEqual(expected(email));
  });
});
