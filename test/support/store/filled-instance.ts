import { randomBytes } from 'node:crypto';
import { codeOf } from '../calls/account-calls';
import { invokerXml, TICKETS } from '../documents/connector-invokers';
import { unique } from '../service/harness';
import type { Answer, ReachedService } from '../service/harness';
import { png } from '../documents/images';
import { uploadInvoker } from '../documents/invokers';
import type { RemoteSystem } from '../peers/remote-system';
import { ended, RUN_EVENTS, runEvents } from '../service/watch';
import { method, saved, started, workflow } from '../documents/workflows';

/** What the remote system answers at `/visitor`; a masking rule hides it in the log. */
export const VISITOR = `pLaNt${randomBytes(12).toString('hex')}`;

/** An instance with records of all features and with secret values in many places. */
export interface FilledInstance {
  /** The secret values, by place. */
  readonly planted: ReadonlyMap<string, string>;
  readonly connectorId: number;
  readonly workflowId: number;
  /** Has a masking rule that hides a part of the logs. */
  readonly ruledId: number;
  readonly runId: number;
  readonly scheduleId: number;
  /** Path of the webhook of the schedule. */
  readonly webhook: string;
  readonly invoker: string;
  readonly secret: string;
  readonly apiToken: string;
  readonly user: {
    readonly id: number;
    readonly email: string;
    readonly password: string;
    readonly recoveryCodes: readonly string[];
  };
}

export async function fillInstance(
  service: ReachedService,
  remote: Pick<RemoteSystem, 'url'>,
): Promise<FilledInstance> {
  const planted = new Map<string, string>([['value that a masking rule hides', VISITOR]]);
  /** Letters and digits only, so that no encoding hides it. */
  const plant = (label: string): string => {
    const value = `pLaNt${randomBytes(12).toString('hex')}`;
    planted.set(label, value);
    return value;
  };
  const post = async (path: string, body: unknown): Promise<any> => {
    const answer = await service.api('POST', `/api${path}`, { body });
    if (answer.status >= 300) throw new Error(`POST ${path}: ${answer.text}`);
    return answer.body;
  };
  const invoker = unique('Moved ');
  await importInvoker(
    service,
    invokerXml(
      invoker,
      [
        ...TICKETS.fields,
        { name: 'key', visibility: 'private', value: plant('default of an invoker') },
      ],
      TICKETS.operations,
    ).replace('<operations>', `<!-- ${plant('comment of an invoker')} --><operations>`),
  );
  const connector = await post('/connector', {
    title: unique('Connector '),
    invoker: { name: invoker },
    requestData: { url: remote.url, token: plant('credential') },
  });
  const secret = unique('moved-secret-');
  await post('/secret', {
    name: secret,
    value: plant('named secret'),
    origins: [remote.url],
  });
  const { id: categoryId } = await post('/category', { name: unique('Category ') });
  const aggregator = await post('/aggregator', {
    name: unique('Aggregator '),
    args: [{ name: 'tickets', description: 'How many.' }],
    script: 'tickets = 1',
  });
  const document = workflow(
    [
      method('0', `${remote.url}/echo`, {
        request: {
          endpoint: `${remote.url}/echo`,
          method: 'POST',
          header: { Authorization: `Bearer ${plant('literal in a workflow')}` },
          body: {
            type: 'object',
            format: 'json',
            data: 'raw',
            fields: { password: plant('literal in a body'), plain: 'kept' },
          },
        },
        dataAggregator: aggregator.id,
      }),
    ],
    [],
    { categoryId },
  );
  const workflowId = await saved(service, document);
  // The earlier version has its own secret, and the undo entry has it, too.
  const again = { ...document, description: 'second' };
  again.fromConnector = {
    ...document.fromConnector,
    methods: [
      {
        ...document.fromConnector.methods[0],
        request: {
          ...document.fromConnector.methods[0].request,
          header: { Authorization: `Bearer ${plant('literal in a later version')}` },
        },
      },
    ],
  };
  const put = await service.api('PUT', `/api/connection/${workflowId}`, { body: again });
  if (put.status !== 200) throw new Error(put.text);
  const runId = await started(service, workflowId, true);
  await ended(service, runId);
  await post('/template', {
    name: unique('Template '),
    description: null,
    version: '5.0',
    connection: again,
  });
  const ruledId = await saved(service, workflow([method('0', `${remote.url}/visitor`)]));
  await post(`/connection/${ruledId}/rule`, { type: 'regex', expression: 'visitor=[^&"]+' });
  await ended(service, await started(service, ruledId, true));
  const { schedulerId } = await post('/scheduler', {
    title: unique('Schedule '),
    connectionId: workflowId,
  });
  const { url } = (await service.api('GET', `/api/webhook/url/1/${schedulerId}`)).body;
  const webhook = new URL(url as string).pathname;
  planted.set('token of a webhook', webhook.split('/').at(-1) ?? '');
  const message = await post('/message', {
    name: unique('Message '),
    type: 'incoming_webhook',
    content: [{ language: 'en', subject: 'About', body: 'Run {RUN_ID}' }],
  });
  await post(`/scheduler/${schedulerId}/notification`, {
    name: unique('Notification '),
    eventType: 'post',
    template: { templateId: message.templateId },
    recipients: [`${remote.url}/hook/${plant('path of a notification')}`],
  });
  const { token: apiToken } = await post('/api-token', { name: 'moved', scopes: ['USER:READ'] });
  planted.set('API token', apiToken as string);
  const form = new FormData();
  form.set('email', 'admin@hypha.test');
  form.set('file', new Blob([new Uint8Array(png())]), 'me.png');
  await post('/storage/profilePicture', form);
  return {
    planted,
    connectorId: connector.connectorId,
    workflowId,
    ruledId,
    runId,
    scheduleId: schedulerId,
    webhook,
    invoker,
    secret,
    apiToken,
    user: await userWithSecondFactor(service, planted),
  };
}

async function importInvoker(service: ReachedService, xml: string): Promise<void> {
  const answer: Answer = await uploadInvoker(service, xml);
  if (answer.status >= 300) throw new Error(answer.text);
}

async function userWithSecondFactor(
  service: ReachedService,
  planted: Map<string, string>,
): Promise<FilledInstance['user']> {
  const { id, email, password } = await service.userWith(['MYPROFILE:READ']);
  await service.api('PUT', `/api/user/${id}/totp/enable`);
  const { body } = await service.api('POST', '/login', { token: null, body: { email, password } });
  planted.set('second factor', body.secretKey as string);
  const done = await service.api('POST', '/totp-validate', {
    token: null,
    body: { sessionId: body.sessionId, code: codeOf(body.secretKey as string) },
  });
  return { id, email, password, recoveryCodes: done.body.recoveryCodes };
}

/** Lists that the API shows to an administrator, without the address of the service. */
export async function shownBy(
  service: ReachedService,
  { workflowId, runId, scheduleId }: Pick<FilledInstance, 'workflowId' | 'runId' | 'scheduleId'>,
): Promise<Record<string, unknown>> {
  const shown: Record<string, unknown> = {};
  for (const path of [
    '/connection/all',
    `/connection/${workflowId}`,
    `/connection/${workflowId}/versions`,
    '/connector/all',
    '/invoker/all',
    '/secret/all',
    '/category/all',
    '/aggregator/all',
    '/template/all',
    '/scheduler/all',
    `/scheduler/${scheduleId}/notification/all`,
    '/user/all',
    '/userGroup/all',
    '/role/all',
    '/widget/all',
  ]) {
    const { status, text } = await service.api('GET', `/api${path}`);
    if (status !== 200) throw new Error(`GET ${path}: ${text}`);
    // Logins of the test change the last login.
    shown[path] = JSON.parse(
      text
        .replaceAll(service.url, '')
        .replaceAll(/"(?:lastLogin|requestTime)":(?:"[^"]*"|\d+|null)/g, '"lastLogin":0'),
    );
  }
  const pictures = JSON.stringify(shown['/user/all']).matchAll(/"(\/api\/storage\/files\/[^"]+)"/g);
  shown.pictures = await Promise.all(
    [...pictures].map(async ([, path]) => {
      const { status, text } = await service.api('GET', path);
      return { path, status, text };
    }),
  );
  const { run } = await service.data(
    `query ($id: ID!) { run(id: $id) { state startedAt finishedAt hasLog workflowVersion { number }
       values { name value } } }`,
    { id: runId },
  );
  shown.run = { ...run, events: await runEvents(service, runId, 0, RUN_EVENTS) };
  return shown;
}
