import { until } from '../../support/until';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ADMIN_EMAIL, outcome, startService, unique } from '../../support/service/harness';
import type { Answer, TestService } from '../../support/service/harness';
import { longIt } from '../../support/long';
import { Store } from '../../../src/platform/store/store';
import { startMailServer } from '../../support/peers/mail-server';
import type { MailServer, ReceivedMail } from '../../support/peers/mail-server';
import { movingClock } from '../../support/service/moving-clock';
import { remoteSystem } from '../../support/peers/remote-system';
import type { RemoteSystem } from '../../support/peers/remote-system';
import { twoProcesses } from '../../support/service/two-processes';
import { ended } from '../../support/service/watch';
import { method, saved, workflow } from '../../support/documents/workflows';

const MINUTE_MS = 60_000;
const FAILURES_TO = 'operator@hypha.test';
const clock = movingClock();
let mail: MailServer;
let remote: RemoteSystem;
let service: TestService;

beforeAll(async () => {
  mail = await startMailServer();
  remote = await remoteSystem(({ path }) => ({
    status: path === '/fails' || path === '/hook/broken' ? 400 : 200,
    body: { tickets: [1, 2, 3] },
  }));
  service = await startService({
    clock,
    env: {
      ...mail.env,
      HYPHA_NOTIFICATION_FAILURES_EMAIL: FAILURES_TO,
      HYPHA_NOTIFICATION_FAILURES_LANGUAGE: 'de',
      HYPHA_NOTIFICATION_TOOLS_INCOMING_WEBHOOK_URL: `${remote.url}/hook/default`,
    },
  });
});
afterAll(async () => {
  await service.close();
  await Promise.all([mail.close(), remote.close()]);
});

const post = (path: string, body: unknown): Promise<Answer> =>
  service.api('POST', `/api${path}`, { body });

const template = async (more: object = {}): Promise<any> => {
  const answer = await post('/message', {
    name: unique('Template '),
    type: 'email',
    content: [{ language: 'en', subject: 'About {SCHEDULER_TITLE}', body: 'Run {RUN_ID}' }],
    ...more,
  });
  expect(answer.status).toBe(200);
  return answer.body;
};
const schedule = async (
  path = '/',
  more: object = {},
  ofMethod: object = {},
): Promise<{ id: number; title: string; workflowId: number }> => {
  const workflowId = await saved(
    service,
    workflow([method('0', `${remote.url}${path}`, ofMethod)]),
  );
  const title = unique('Schedule ');
  const answer = await post('/scheduler', { title, connectionId: workflowId, status: 1, ...more });
  expect(answer.status).toBe(201);
  return { id: answer.body.schedulerId, title, workflowId };
};
const notification = (
  scheduleId: number,
  { templateId }: { templateId: number },
  more: object = {},
): Promise<Answer> =>
  post(`/scheduler/${scheduleId}/notification`, {
    name: unique('Notification '),
    eventType: 'post',
    template: { templateId },
    recipients: [ADMIN_EMAIL],
    ...more,
  });
/** Runs a schedule and returns the id of its run. */
const fired = async (id: number): Promise<number> => {
  await service.api('GET', `/api/scheduler/execute/${id}`);
  const of = await service.field(
    'query ($id: ID!) { schedule(id: $id) { lastRun { databaseId } } }',
    { id },
  );
  await ended(service, of.lastRun.databaseId);
  return of.lastRun.databaseId;
};
const mailsTo = (address: string): ReceivedMail[] =>
  mail.mails.filter(({ to }) => to[0] === address);
const mailWith = (text: string): Promise<ReceivedMail> =>
  until(() => mail.mails.find((each) => each.raw.includes(text) || each.text.includes(text)));
const deliveriesOf = async (scheduleId: number): Promise<any[]> =>
  (await service.api('GET', '/api/delivery/all?limit=1000')).body.filter(
    ({ schedulerId }: any) => schedulerId === scheduleId,
  );
/** Waits until all events are handled, and all messages sent or given up. */
const settled = (scheduleId: number, count: number): Promise<any[]> =>
  until(async () => {
    const deliveries = await deliveriesOf(scheduleId);
    return deliveries.length >= count && deliveries.every(({ state }) => state !== 'PENDING')
      ? deliveries
      : null;
  });

describe('a notification', () => {
  it('is mailed after success, with placeholders and values of aggregators', async () => {
    const aggregator = await post('/aggregator', {
      name: unique('Aggregator '),
      args: [{ name: 'tickets' }],
      script: 'var tickets = JSON.parse(Responses[0].body).tickets.length;',
    });
    const [{ id: argumentId }] = aggregator.body.args;
    const of = await schedule('/', {}, { dataAggregator: aggregator.body.id });
    const reader = await service.userWith([], unique('reader'));
    const body = [
      '{USER_NAME} {USER_SURNAME}, {CONNECTION_ID} {SCHEDULER_ID} {SCHEDULER_TITLE}:',
      `{{${argumentId}}} tickets, {{4711}}, {UNKNOWN} {toString} {{x}}`,
    ].join('\n');
    const made = await template({
      content: [{ language: 'en', subject: 'Ran {SCHEDULER_TITLE}', body }],
    });
    expect(made.warnings).toEqual([
      '{UNKNOWN} is not a placeholder; it stays as it is.',
      '{toString} is not a placeholder; it stays as it is.',
      '{{4711}} is not an argument of an aggregator; messages show n/a.',
    ]);
    const added = await notification(of.id, made, { recipients: [reader.email] });
    expect(added.status).toBe(200);
    const runId = await fired(of.id);
    const run = await service.field(
      'query ($id: ID!) { run(id: $id) { state values { argumentId value } } }',
      { id: runId },
    );
    expect(run).toEqual({ state: 'SUCCEEDED', values: [{ argumentId, value: 3 }] });
    const received = await mailWith(`Ran ${of.title}`);
    expect(received.to).toEqual([reader.email]);
    const [name] = reader.email.split('@');
    expect(received.text.replaceAll('\r\n', '\n').trim()).toBe(
      `${name} Test, ${of.workflowId} ${of.id} ${of.title}:\n3 tickets, n/a, {UNKNOWN} {toString} {{x}}`,
    );
  });

  it('is posted to a webhook after a failure, as Slack and Teams read it', async () => {
    const of = await schedule('/fails');
    const made = await template({
      type: 'incoming_webhook',
      content: [{ language: 'en', subject: 'Failed', body: '{ERROR_CODE} {RUN_STATE}' }],
    });
    const more = { eventType: 'alert', recipients: [`${remote.url}/hook/secret-path`] };
    expect((await notification(of.id, made, more)).status).toBe(200);
    await fired(of.id);
    const call = await until(() => remote.received.find(({ path }) => path.includes('secret')));
    expect([call.method, JSON.parse(call.body)]).toEqual([
      'POST',
      { text: 'Failed\nHTTP_STATUS_ERROR FAILED' },
    ]);
    const deliveries = await settled(of.id, 2);
    expect(deliveries.find(({ channel }) => channel === 'incoming_webhook')).toMatchObject({
      state: 'SENT',
      recipient: remote.url,
      purpose: 'NOTIFICATION',
    });
  });

  it('is given up visibly if the webhook refuses it', async () => {
    const of = await schedule();
    const made = await template({ type: 'incoming_webhook' });
    await notification(of.id, made, { recipients: [`${remote.url}/hook/broken`] });
    await fired(of.id);
    const [failed] = await settled(of.id, 1);
    expect(failed).toMatchObject({
      state: 'FAILED',
      error: { code: 'WEBHOOK_FAILED', message: `${remote.url} answered 400.` },
    });
    const retried = await post(`/delivery/${failed.deliveryId}/retry`, undefined);
    expect([retried.status, retried.body.state]).toEqual([200, 'PENDING']);
  });

  it('is sent when a run starts, in the language of its reader, once for each run', async () => {
    const of = await schedule();
    const reader = await service.userWith([], unique('leser'));
    await service.api('PUT', `/api/user/${reader.id}/userDetail`, { body: { lang: 'de' } });
    const made = await template({
      content: [
        { language: 'en', subject: 'Started', body: 'English' },
        { language: 'de', subject: 'Begonnen', body: 'Übersetzt {SCHEDULER_TITLE}' },
      ],
    });
    await notification(of.id, made, { eventType: 'pre', recipients: [reader.email] });
    await fired(of.id);
    await settled(of.id, 1);
    expect(mailsTo(reader.email).map(({ subject, text }) => [subject, text.trim()])).toEqual([
      ['Begonnen', `Übersetzt ${of.title}`],
    ]);
  });

  it('without recipients goes to the user who started the run, or to the configured webhook', async () => {
    const of = await schedule();
    await notification(of.id, await template(), { recipients: [] });
    await notification(of.id, await template({ type: 'incoming_webhook' }), { recipients: [] });
    await fired(of.id);
    const deliveries = await settled(of.id, 2);
    expect(deliveries.map(({ recipient }) => recipient).sort()).toEqual([ADMIN_EMAIL, remote.url]);
  });

  it('is folded: one message in five minutes, with a count', async () => {
    const of = await schedule();
    const made = await template({
      content: [{ language: 'en', subject: `Folded ${of.title}`, body: 'Run {RUN_ID}' }],
    });
    await notification(of.id, made);
    const first = await fired(of.id);
    await settled(of.id, 1);
    const others = [await fired(of.id), await fired(of.id), await fired(of.id)];
    clock.forward(4 * MINUTE_MS);
    const last = await fired(of.id);
    expect(await deliveriesOf(of.id)).toHaveLength(1);
    clock.forward(MINUTE_MS);
    await settled(of.id, 2);
    const texts = mail.mails
      .filter(({ subject }) => subject === `Folded ${of.title}`)
      .map(({ text }) => text);
    expect(texts.map((text) => /Run \d+/.exec(text)?.[0])).toEqual([`Run ${first}`, `Run ${last}`]);
    expect(texts[0]).not.toContain('about');
    expect(texts[1]).toContain(`about ${others.length + 1} runs`);
  });

  it('is not sent for tests, cancelled runs, and deleted schedules', async () => {
    const of = await schedule();
    await notification(of.id, await template());
    const document = workflow([method('0', `${remote.url}/`)]);
    const test = await service.api('POST', '/api/connection/execution/test', { body: document });
    expect(test.status).toBeLessThan(300);
    expect(await service.status('DELETE', `/api/scheduler/${of.id}`)).toBe(204);
    const after = await schedule();
    await notification(after.id, await template());
    await fired(after.id);
    await settled(after.id, 1);
    expect(await deliveriesOf(of.id)).toEqual([]);
  });

  it.each([
    [{ recipients: ['a@b.test\r\nBcc: c@d.test'] }, 400, 'RECIPIENT_INVALID'],
    [{ recipients: ['not an address'] }, 400, 'RECIPIENT_INVALID'],
    [{ recipients: ['https://example.com/hook'] }, 400, 'RECIPIENT_INVALID'],
    [{ recipients: Array.from({ length: 51 }, (_, i) => `a${i}@b.test`) }, 400, 'LIST_TOO_LONG'],
    [{ name: ' ' }, 400, 'NAME_INVALID'],
    [{ eventType: 'sometimes' }, 400, 'BAD_REQUEST'],
    [{ template: { templateId: 4711 } }, 404, 'MESSAGE_TEMPLATE_NOT_FOUND'],
    [{ template: null }, 404, 'MESSAGE_TEMPLATE_NOT_FOUND'],
  ])('is rejected (%#)', async (more, status, code) => {
    const of = await schedule();
    expect(outcome(await notification(of.id, await template(), more))).toEqual([status, code]);
    const url = `/api/scheduler/${of.id}/notification/all`;
    expect(await service.body('GET', url)).toEqual([]);
  });

  it('is read, changed and deleted at the paths of the released lines', async () => {
    const of = await schedule();
    const [made, other] = [await template(), await template()];
    const { body } = await notification(of.id, made);
    expect(body).toEqual({
      notificationId: expect.any(Number),
      schedulerId: of.id,
      name: expect.any(String),
      eventType: 'post',
      notificationType: 'email',
      template: { templateId: made.templateId, name: made.name },
      recipients: [ADMIN_EMAIL],
      team: null,
      channel: null,
    });
    const path = `/api/scheduler/notification/${body.notificationId}`;
    const changed = await service.api('PUT', path, {
      body: { ...body, eventType: 'alert', template: { templateId: other.templateId } },
    });
    expect(changed.body.eventType).toBe('alert');
    const shown = await service.api('GET', `/api/scheduler/${of.id}`);
    expect(shown.body.notification).toEqual([changed.body]);
    expect(await service.status('DELETE', path)).toBe(204);
    await service.refuses(404, 'NOTIFICATION_NOT_FOUND', 'GET', path);
  });

  it('is saved with its schedule, all or nothing', async () => {
    const { templateId } = await template();
    const entry = { name: 'Mail', eventType: 'alert', template: { templateId }, recipients: [] };
    const of = await schedule('/', { notificationResources: [entry] });
    const put = (notificationResources: unknown[]) =>
      service.api('PUT', `/api/scheduler/${of.id}`, { body: { notificationResources } });
    const [first] = (await put([])).body.notification;
    expect(first).toMatchObject({ name: 'Mail', eventType: 'alert' });
    const { notificationId } = first;
    const both = await put([{ ...entry, name: 'Changed', notificationId }, entry]);
    expect(both.body.notification.map(({ name }: any) => name)).toEqual(['Changed', 'Mail']);
    const refused = await put([
      { ...entry, name: 'Lost' },
      { ...entry, recipients: ['?'] },
    ]);
    expect(outcome(refused)).toEqual([400, 'RECIPIENT_INVALID']);
    expect((await put([])).body.notification).toEqual(both.body.notification);
  });

  it('needs permissions for schedules', async () => {
    const of = await schedule();
    const reader = await service.userWith(['SCHEDULE:READ']);
    const call = (method: string, path: string, body?: unknown) =>
      service.api(method, path, { token: reader.token, body });
    const url = `/api/scheduler/${of.id}/notification`;
    expect((await call('GET', `${url}/all`)).status).toBe(200);
    expect((await call('POST', url, {})).status).toBe(403);
    expect((await call('POST', '/api/message', { name: 'x' })).status).toBe(403);
    expect((await call('GET', '/api/message/tools/incoming_webhook')).status).toBe(403);
  });

  it('hides the path of a webhook from users who may not change it', async () => {
    const of = await schedule();
    const fullUrls = ['https://hooks.example.com:8443/services/T1/secret?key=1'];
    const hidden = ['https://hooks.example.com:8443/***'];
    const hook = await template({ type: 'incoming_webhook' });
    const { notificationId: id } = (await notification(of.id, hook, { recipients: fullUrls })).body;
    const mailed = (await notification(of.id, await template())).body.notificationId;
    const shownTo = async (token: string): Promise<unknown[]> => {
      const get = (path: string) => service.body('GET', `/api${path}`, { token });
      const query = `query ($id: ID!) { schedule(id: $id) { notifications { id recipients } } }`;
      const { notifications } = await service.field(query, { id: of.id }, token);
      const node = `query ($id: ID!) { node(id: $id) { ... on Notification { recipients } } }`;
      return [
        await get(`/scheduler/notification/${id}`),
        ...(await get(`/scheduler/${of.id}/notification/all`)),
        ...(await get(`/scheduler/${of.id}`)).notification,
        ...(await get('/scheduler/all')).find(({ schedulerId }: any) => schedulerId === of.id)
          .notification,
        ...notifications,
        await service.field(node, { id: notifications[0].id }, token),
      ].map(({ recipients }) => recipients);
    };
    const asShown = (first: string[]) => {
      const both = [first, [ADMIN_EMAIL]];
      return [first, ...both, ...both, ...both, ...both, first];
    };
    const reader = await service.userWith(['SCHEDULE:READ']);
    const editor = await service.userWith(['SCHEDULE:READ', 'SCHEDULE:UPDATE']);
    expect(mailed).toBeGreaterThan(id);
    expect(await shownTo(reader.token)).toEqual(asShown(hidden));
    expect(await shownTo(editor.token)).toEqual(asShown(fullUrls));
  });

  it('is managed over GraphQL', async () => {
    const of = await schedule();
    const messageTemplateCreate = await service.mutate(
      'messageTemplateCreate',
      {
        name: 'Template',
        channel: 'EMAIL',
        contents: [{ language: 'DE', subject: 's', body: '{WHAT}' }],
      },
      'messageTemplate { id warnings contents { contentId language } } userErrors { code }',
    );
    const { id: templateId, warnings } = messageTemplateCreate.messageTemplate;
    expect(warnings).toHaveLength(1);
    const create = (input: object) =>
      service.data(
        `mutation ($input: NotificationCreateInput!) { notificationCreate(input: $input) {
          notification { id version template { name } schedule { title } } userErrors { code path } } }`,
        { input: { scheduleId: of.id, name: 'N', eventType: 'ALERT', templateId, ...input } },
      );
    const refused = (await create({ recipients: ['a@b.test', 'x'] })).notificationCreate;
    expect(refused.userErrors).toEqual([{ code: 'RECIPIENT_INVALID', path: ['recipients', '1'] }]);
    const { notification: made } = (await create({})).notificationCreate;
    expect(made).toMatchObject({ template: { name: 'Template' }, schedule: { title: of.title } });
    const update = `mutation ($input: NotificationUpdateInput!) { notificationUpdate(input: $input) {
      notification { name recipients version } userErrors { code } } }`;
    const change = { id: made.id, recipients: ['a@b.test'], expectedVersion: 1 };
    expect((await service.field(update, { input: change })).notification).toEqual({
      name: 'N',
      recipients: ['a@b.test'],
      version: 2,
    });
    const stale = await service.field(update, { input: change });
    expect(stale.userErrors).toEqual([{ code: 'CONFLICT' }]);
    const remove = `mutation ($input: MessageTemplateDeleteInput!) {
      messageTemplateDelete(input: $input) { messageTemplate { name } } }`;
    await service.data(remove, { input: { id: templateId } });
    const after = await service.field(
      'query ($id: ID!) { schedule(id: $id) { notifications { id } } }',
      { id: of.id },
    );
    expect(after.notifications).toEqual([]);
  });
});

describe('a template', () => {
  it.each([
    [{ name: '' }, 'NAME_INVALID'],
    [{ name: 'x'.repeat(129) }, 'NAME_INVALID'],
    [{ type: 'pigeon' }, 'BAD_REQUEST'],
    [{ content: [] }, 'BAD_REQUEST'],
    [{ content: [{ language: 'fr', subject: '', body: '' }] }, 'BAD_REQUEST'],
    [{ content: [{ language: 'en', subject: 'a\r\nBcc: b', body: '' }] }, 'TEXT_INVALID'],
    [{ content: [{ language: 'en', subject: '', body: 'x'.repeat(1_025) }] }, 'TEXT_TOO_LONG'],
    [
      {
        content: [
          { subject: '', body: '' },
          { subject: '', body: '' },
        ],
      },
      'NAMED_TWICE',
    ],
  ])('is rejected (%#)', async (more, code) => {
    const content = [{ language: 'en', subject: 's', body: 'b' }];
    const answer = await post('/message', { name: 'T', type: 'email', content, ...more });
    expect(outcome(answer)).toEqual([400, code]);
  });

  it('is changed with POST and its id, and keeps the ids of its contents', async () => {
    const made = await template();
    const [content] = made.content;
    const changed = await post('/message', {
      templateId: made.templateId,
      name: 'Renamed',
      type: 'email',
      content: [{ language: 'en', subject: 'S', body: 'B' }],
    });
    expect(changed.body).toEqual({
      templateId: made.templateId,
      name: 'Renamed',
      type: 'email',
      content: [{ contentId: content.contentId, language: 'en', subject: 'S', body: 'B' }],
      warnings: [],
    });
    const one = await post('/content', { ...content, subject: 'Own' });
    expect(one.body).toEqual({ ...content, subject: 'Own' });
    const read = await service.api('GET', `/api/content/${content.contentId}`);
    expect(read.body).toEqual(one.body);
    const tools = await service.api('GET', '/api/message/tools/all');
    expect(tools.body).toEqual({ result: ['email', 'incoming_webhook'] });
    const ofType = await service.api('GET', '/api/message/all/incoming_webhook');
    expect(ofType.body.map(({ templateId }: any) => templateId)).not.toContain(made.templateId);
    const path = `/api/message/${made.templateId}`;
    expect(await service.status('DELETE', path)).toBe(204);
    await service.refuses(404, 'MESSAGE_TEMPLATE_NOT_FOUND', 'GET', path);
  });
});

describe('the mail of the configuration about failures', () => {
  it('is sent for every enabled schedule, without any notification', async () => {
    const [enabled, disabled] = [await schedule('/fails'), await schedule('/fails', { status: 0 })];
    await fired(disabled.id);
    const runId = await fired(enabled.id);
    const received = await mailWith(`Fehlgeschlagen: ${enabled.title}`);
    expect(received.to).toEqual([FAILURES_TO]);
    expect(received.text).toContain(`Lauf: ${runId}`);
    expect(received.text).toContain('HTTP_STATUS_ERROR: Step "call 0" (0): GET ');
    expect(received.text).toContain(`/dashboard/runs/${runId}`);
    expect(await deliveriesOf(disabled.id)).toEqual([]);
  });
});

describe('the example of the documentation', () => {
  it('creates a template and a notification that is sent', async () => {
    const page = readFileSync(join(__dirname, '../../../docs/mail.md'), 'utf8');
    const examples = [...page.matchAll(/```json\n([^`]+)```/g)].map(
      ([, text]) => JSON.parse(text) as Record<string, object>,
    );
    expect(examples).toHaveLength(2);
    const [message, entry] = examples;
    const { body: made } = await post('/message', message);
    expect(made.warnings).toEqual([]);
    const of = await schedule('/fails');
    await notification(of.id, made, { ...entry, template: { templateId: made.templateId } });
    await fired(of.id);
    await mailWith(`${of.title} has failed`);
  });
});

describe('messages of two services at one store', () => {
  const delivered = async (count: number): Promise<void> => {
    const down = await startMailServer();
    await down.close();
    const processes = await twoProcesses({ env: down.env });
    const domains = [processes.left, processes.right];
    try {
      const { outbox } = processes.left.services;
      await new Store(processes.connections.left).transaction(async (tx) => {
        for (let n = 0; n < count; n += 1) {
          const to = `reader${n}@hypha.test`;
          const message = { to, subject: `Message ${n}`, body: 'text' };
          await outbox.enqueue({ channel: 'email', purpose: 'NOTIFICATION', ...message }, tx);
        }
      });
      for (const { services } of domains) for (const each of services.deliveryWorkers) each.start();
      await until(() => outbox.deliveries.exists({ error: { $ne: null } }));
      const server = await startMailServer({}, down.port);
      try {
        const areSent = async (): Promise<boolean> => {
          processes.clock.forward(5_000);
          return (await outbox.deliveries.count({ state: 'SENT' })) === count;
        };
        await until(areSent, 5 * MINUTE_MS);
        expect(server.arrived).toHaveLength(count);
        expect(new Set(server.arrived.map(({ messageId }) => messageId)).size).toBe(count);
        expect(new Set(server.arrived.map(({ to }) => to[0])).size).toBe(count);
      } finally {
        await server.close();
      }
    } finally {
      await processes.close();
    }
  };

  it('are all delivered once after the server is back', () => delivered(100));

  longIt('are all delivered once even if there are a thousand', () => delivered(1_000));
});
