import { testService, unique } from '../support/service/harness';
import { client4x, client5x, expectReadable } from '../support/browser/released-pages';
import type { PageClient } from '../support/browser/released-pages';
import { saved, workflow } from '../support/documents/workflows';

const service = testService();

interface Message {
  readonly templateId: number;
  readonly name: string;
}

const newMessage = (client: PageClient, name = unique('Message ')): Promise<Message> =>
  client.read('POST', 'message', {
    name,
    type: 'email',
    content: [{ subject: 'Failed', body: 'It failed.', language: 'en' }],
  });

describe.each([
  ['4.x', client4x],
  ['5.x', client5x],
] as const)('the %s client', (_line, clientOf) => {
  const client = () => clientOf(service);

  it('creates, lists, changes and deletes notification templates', async () => {
    const types = await client().read('GET', 'message/tools/all');
    expect(types.result).toContain('email');
    const added = await newMessage(client());
    const { templateId, name } = added;
    expect(await client().read('GET', 'message/all')).toContainEqual(
      expect.objectContaining({ templateId, name, type: 'email' }),
    );
    const read = (): Promise<any> => client().read('GET', `message/${templateId}`);
    const before = await read();
    const content = {
      contentId: 'number',
      language: 'string',
      subject: 'string',
      body: 'string',
    } as const;
    expectReadable(
      [added, before],
      [{ templateId: 'number', name: 'string', type: 'string', content: [content] }],
    );
    const [{ contentId }] = before.content;
    const changed = { subject: 'Other', body: 'Other.', language: 'en', contentId };
    const answer = await client().read('POST', 'message', {
      templateId,
      name,
      type: 'email',
      content: [changed],
    });
    expect([answer.templateId, (await read()).content]).toEqual([
      templateId,
      [expect.objectContaining(changed)],
    ]);
    const other = await newMessage(client());
    expect((await client().send('DELETE', `message/${templateId}`)).status).toBe(204);
    await client().read('PUT', 'message/list/delete', { identifiers: [`${other.templateId}`] });
    expect(await client().send('GET', `message/${templateId}`)).toMatchObject({
      status: 500,
      body: { message: 'MESSAGE_TEMPLATE_NOT_FOUND' },
    });
  });

  it('creates, reads, changes and deletes notifications of a schedule', async () => {
    const connectionId = await saved(service, workflow([]));
    const { schedulerId } = await client().read('POST', 'scheduler', {
      title: unique('Schedule '),
      connectionId,
      debugMode: false,
      cronExp: '0 0 0 1 1 ?',
    });
    const { templateId, name: templateName } = await newMessage(client());
    const sent = {
      schedulerId,
      name: 'On failure',
      eventType: 'alert',
      notificationType: 'email',
      template: { templateId, name: templateName },
      recipients: ['ada@hypha.test'],
    };
    const all = `scheduler/${schedulerId}/notification/all`;
    expect(await client().read('GET', all)).toEqual([]);
    const { notificationId } = await client().read(
      'POST',
      `scheduler/${schedulerId}/notification`,
      sent,
    );
    const expected = expect.objectContaining({ ...sent, notificationId });
    expect(await client().read('GET', all)).toEqual([expected]);
    const path = `scheduler/notification/${notificationId}`;
    expect(await client().read('GET', path)).toEqual(expected);
    await client().read('PUT', path, { ...sent, notificationId, eventType: 'post' });
    expect((await client().read('GET', path)).eventType).toBe('post');
    expect((await client().send('DELETE', path)).status).toBe(204);
    expect(await client().read('GET', all)).toEqual([]);
  });
});
