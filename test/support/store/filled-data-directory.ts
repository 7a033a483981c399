import { randomBytes } from 'node:crypto';
import { environment, BRANCHES, person, READER } from '../peers/ldap-directory';
import { startDirectory } from '../peers/ldap-server';
import { UNREACHABLE_MAIL } from '../peers/mail-server';
import { startPortal } from '../peers/portal';
import { remoteSystem } from '../peers/remote-system';
import type { RemoteSystem } from '../peers/remote-system';
import { synchronised } from '../calls/online-calls';
import { supportFile } from '../calls/support-log-calls';
import { invokerXml } from '../documents/invokers';
import { method, saved, started, workflow } from '../documents/workflows';
import type { ReachedService } from '../service/harness';
import { ended } from '../service/watch';
import { until } from '../until';
import { fillInstance, VISITOR } from './filled-instance';
import type { FilledInstance } from './filled-instance';
import { readRecords, send } from './read-records';

/** Workflows call it through a proxy, so that its origin is the same whenever a data directory is opened. */
const REMOTE = 'http://192.0.2.10';

/** The remote system of a data directory. */
export const remoteBehindProxy = (): Promise<RemoteSystem> =>
  remoteSystem(({ path: address }) => {
    const { pathname: path } = new URL(address, REMOTE);
    if (path === '/failing') return { status: 500, body: { reason: 'broken' } };
    return { body: path === '/visitor' ? { text: `visitor=${VISITOR}` } : { path, items: [1, 2] } };
  });

/** Settings of a service on a data directory. */
export const settingsWith = (remote: RemoteSystem): Record<string, string> => ({
  ...UNREACHABLE_MAIL,
  HTTP_PROXY: remote.url,
  HYPHA_STEP_RETRIES: '0',
});

/** What tests use of a data directory. */
export interface WrittenRecords {
  /** Where the clock stands when tests open it, so that nothing has expired. */
  readonly writtenAt: string;
  readonly filled: Omit<FilledInstance, 'planted'> & {
    readonly planted: Readonly<Record<string, string>>;
  };
  /** Its step calls a connector and sends a named secret. */
  readonly callingId: number;
  /** What `readRecords` returned when it was written. */
  readonly records: Readonly<Record<string, any>>;
}

/** Systems that a service is connected to while it is filled. */
export async function openPeers() {
  const [remote, portal, directory] = await Promise.all([
    remoteBehindProxy(),
    startPortal(),
    startDirectory([READER, ...BRANCHES, person('ada', { entryUUID: 'f2c3d0e4' })]),
  ]);
  portal.files.invokers.set('Portal', invokerXml('Portal'));
  const all = [remote, portal, directory];
  return {
    env: { ...settingsWith(remote), ...portal.env, ...environment(directory.url) },
    close: () => Promise.all(all.map((peer) => peer.close())),
  };
}

/** Fills a service through its APIs with records of nearly every collection. */
export async function fillService(service: ReachedService): Promise<WrittenRecords> {
  const { planted, ...filled } = await fillInstance(service, { url: REMOTE });
  const failingId = await failingWorkflow(service, filled.ruledId);
  const callingId = await callingWorkflow(service, filled);
  await workflowOfSteps(service);
  await addAccounts(service, filled);
  await addSchedules(service, failingId, filled.webhook);
  await addOptionalValues(service, filled);
  await addPersonalSettings(service);
  await post(service, '/connection/execution/test?channelId=any', {
    ...workflow([method('0', `${REMOTE}/test`)]),
    title: 'A draft',
  });
  await synchronised(service, 'INVOKER');
  await supportFile(service, filled.workflowId);
  await untilQuiet(service);
  return {
    writtenAt: new Date().toISOString(),
    filled: { ...filled, planted: Object.fromEntries(planted) },
    callingId,
    records: await readRecords(service, filled),
  };
}

const post = (service: ReachedService, path: string, body?: unknown): Promise<any> =>
  send(service, 'POST', path, body);

/** A workflow whose failed runs start another one. */
async function failingWorkflow(service: ReachedService, errorWorkflowId: number): Promise<number> {
  const id = await saved(service, workflow([method('0', `${REMOTE}/failing`)]));
  await send(service, 'PUT', `/connection/${id}/error-workflow`, {
    connectionId: errorWorkflowId,
  });
  await send(service, 'PUT', `/connection/${id}/resume`, { resume: true });
  const runId = await started(service, id);
  await ended(service, runId);
  await post(service, `/execution/${runId}/retry`);
  await ended(service, await started(service, id, true));
  return id;
}

async function callingWorkflow(
  service: ReachedService,
  { connectorId, secret }: Pick<FilledInstance, 'connectorId' | 'secret'>,
): Promise<number> {
  const [called, echoed] = [method('0', '{url}/me'), method('1', `${REMOTE}/echo`)] as any[];
  const id = await saved(
    service,
    workflow([
      { ...called, name: 'GetMe', methodType: 'CONNECTOR', connector: { connectorId } },
      { ...echoed, request: { ...echoed.request, header: { 'X-Secret': `{%secret.${secret}%}` } } },
    ]),
  );
  await ended(service, await started(service, id, true));
  await service.mutate('connectorCheck', { id: String(connectorId) }, 'userErrors { code }');
  return id;
}

/** A workflow with a loop, a condition, and saves that can be undone. */
async function workflowOfSteps(service: ReachedService): Promise<void> {
  const get = (name: string): object => ({
    method: {
      name,
      request: { endpoint: `${REMOTE}/${name}`, httpMethod: 'GET' },
      ...(name === 'first' && { color: '#ABCDEF' }),
    },
  });
  const { workflow: created } = await service.mutate(
    'workflowCreate',
    {
      title: 'Steps',
      description: 'A loop and a condition.',
      comment: 'The first version.',
      steps: [
        get('first'),
        {
          operator: {
            type: 'LOOP',
            expression: 'For({%#ABCDEF.(response).body.items%})',
            iterator: 'i',
            steps: [{ operator: { type: 'IF', expression: '1 = 1', steps: [get('inner')] } }],
          },
        },
      ],
    },
    'workflow { databaseId steps { stepId } } userErrors { code }',
  );
  const workflowId = String(created.databaseId);
  const { stepId } = created.steps[0];
  const sample = { workflowId, stepId, answer: { items: [1] } };
  await service.mutate('sampleSet', sample, 'userErrors { code }');
  await service.mutate('workflowDraftSet', { workflowId, content: {} }, 'userErrors { code }');
  await service.mutate('stepAdd', { workflowId, ...get('last') }, 'userErrors { code }');
  // The undo data of the second save is too large for its row.
  const large = randomBytes(20_000).toString('base64');
  for (const ui of [{ large }, { zoom: 2 }])
    await service.mutate('workflowUpdate', { id: workflowId, ui }, 'userErrors { code }');
  await ended(service, await started(service, created.databaseId as number, true));
}

/** Users who are disabled, invited, of a directory, with a forgotten password, and halfway through a login. */
async function addAccounts(
  service: ReachedService,
  { user }: Pick<FilledInstance, 'user'>,
): Promise<void> {
  const disabled = await service.userWith(['USER:READ', 'CONNECTION:READ']);
  await send(service, 'PUT', `/user/${disabled.id}/disable`);
  await post(service, '/user/invite', {
    email: 'invited@bücher.example',
    userGroup: 2,
    userDetail: { name: 'Invited' },
  });
  await post(service, '/auth/forgot-password', { email: user.email });
  await service.login('ada@example.com', 'secret of ada');
  const { email, password } = user;
  await service.api('POST', '/login', { token: null, body: { email, password } });
  await post(service, '/permission', { name: 'EXPORT', description: 'Exports.' });
}

/** Schedules: one due in the future that fails with a mail, one that a webhook has started with parameters. */
async function addSchedules(
  service: ReachedService,
  failingId: number,
  webhook: string,
): Promise<void> {
  const { schedulerId } = await post(service, '/scheduler', {
    title: 'Fails',
    connectionId: failingId,
    cronExp: '0 0 12 1 JAN ? 2199',
    timeZone: 'Europe/Berlin',
    status: true,
    debugMode: true,
    overlapPolicy: 'QUEUE',
  });
  const { templateId } = await post(service, '/message', {
    name: 'Mail',
    type: 'email',
    content: [{ language: 'en', subject: 'Failed', body: 'Run {RUN_ID}' }],
  });
  await post(service, `/scheduler/${schedulerId}/notification`, {
    name: 'Alert',
    eventType: 'alert',
    template: { templateId },
    recipients: ['reader@hypha.test'],
  });
  await send(service, 'GET', `/scheduler/execute/${schedulerId}`);
  await service.api('POST', webhook, { token: null, body: { name: 'Ann' } });
}

/** Values that may be missing elsewhere. */
async function addOptionalValues(
  service: ReachedService,
  { user }: Pick<FilledInstance, 'user'>,
): Promise<void> {
  const { id } = await post(service, '/category', { name: 'Above' });
  await post(service, '/category', { name: 'Below', parentCategory: id });
  await post(service, '/secret', {
    name: 'noted',
    value: 'any',
    note: 'Is never sent.',
    origins: ['https://*.example.com'],
  });
  await send(service, 'PUT', `/user/${user.id}/userDetail`, {
    name: 'Ann',
    surname: 'Other',
    department: 'Support',
    organisation: 'Example',
    phoneNumber: '1234',
    lang: 'de',
  });
}

async function addPersonalSettings(service: ReachedService): Promise<void> {
  const { widgetId } = await post(service, '/widget', { i: 'OWN_WIDGET', icon: 'insights' });
  await post(service, '/widget_setting', {
    userId: 1,
    widgetSettings: [1, widgetId].map((id, at) => ({ widgetId: id, x: 0, y: 4 * at, w: 6, h: 4 })),
  });
  await post(service, '/editor/settings', {
    userId: 1,
    colorMode: 'BACKGROUND',
    processTextSize: 14,
  });
  await send(service, 'PUT', '/system-setting/theme_colors', { value: { primary: '#0a0' } });
}

/** Messages that the records lead to: an invitation, a forgotten password, a failed run, and a webhook. */
const MESSAGES = 4;

/** Waits until all runs and jobs have ended and all messages were made. */
async function untilQuiet(service: ReachedService): Promise<void> {
  await until(async () => {
    const { runs, jobs, deliveries } = await service.data(
      `{ runs(first: 100, includeTest: true) { nodes { state } } jobs(first: 100) { nodes { state } }
         deliveries(first: 100) { nodes { channel state } } }`,
    );
    return (
      [...runs.nodes, ...jobs.nodes].every(({ state }) => !/QUEUED|RUNNING/.test(state)) &&
      deliveries.nodes.length >= MESSAGES
    );
  });
}
