import { startService, testService } from '../../support/service/harness';
import type { TestService } from '../../support/service/harness';
import { longIt } from '../../support/long';
import { remoteSystem, testRemote } from '../../support/peers/remote-system';
import type { RemoteAnswer } from '../../support/peers/remote-system';
import { storeConnection } from '../../support/store/stored';
import { ended, runEvents } from '../../support/service/watch';
import { method, saved, started, workflow } from '../../support/documents/workflows';

const ANSWERS: Readonly<Record<string, RemoteAnswer>> = {
  '/login': { body: { token: 'planted-token-4711', person: { iban: 'DE89370400440532013000' } } },
  '/long': { status: 500, text: 'x'.repeat(100_000), headers: { 'content-type': 'text/plain' } },
};
const EXCHANGE =
  'query($id: ID!) { run(id: $id) { logging hasLog error { stepName } errorExchange { request { url method header payload } response { status durationMs header payload } } } }';

const service = testService();
const remote = testRemote(
  ({ path }) =>
    ANSWERS[path.split('?')[0] ?? ''] ?? { status: 503, body: { error: 'The board is full.' } },
);

it('the error of a run names its call wherever it is shown', async () => {
  const workflowId = await saved(
    service,
    workflow([method('0', `${remote.url}/cards/7?token=abc`)]),
  );
  const id = await started(service, workflowId);
  await ended(service, id);
  const failure = `GET ${remote.url}/cards/7 answered 503.`;
  const message = `Step "call 0" (0): ${failure}`;
  const { run, runs } = await service.data(
    'query($id: ID!) { run(id: $id) { error { code message index } } runs(first: 1) { nodes { error { message } } } }',
    { id: String(id) },
  );
  expect(run.error).toEqual({ code: 'HTTP_STATUS_ERROR', message, index: '0' });
  expect(runs.nodes[0].error.message).toBe(message);
  expect((await service.api('GET', `/api/execution/${id}`)).body.error).toMatchObject({
    code: 'HTTP_STATUS_ERROR',
    message,
  });
  const events = JSON.stringify(await runEvents(service, id));
  expect(events).toContain(JSON.stringify(message).slice(1, -1));
  expect(events).toContain(JSON.stringify(failure));
  expect(events).not.toContain('token');
});

/** A run without logging that sends what it got from a login to a system that fails. */
async function failedRun(
  of: TestService,
  path = '/cards',
): Promise<{ id: number; workflowId: number }> {
  const [login, send] = [method('0', `${remote.url}/login`), method('1', `${remote.url}${path}`)];
  const { color } = login as { color: string };
  const request = {
    endpoint: `${remote.url}${path}`,
    method: 'POST',
    header: { 'X-Login': `{%${color}.(response).body.token%}` },
    body: {
      format: 'json',
      fields: { account: `${color}.(response).body.person.iban`, title: 'New' },
    },
  };
  const workflowId = await saved(of, workflow([login, { ...send, label: 'Add card', request }]));
  if (path === '/ruled')
    await of.api('POST', `/api/connection/${workflowId}/rule`, {
      body: { type: 'JSONPath', expression: '$..iban' },
    });
  const id = await started(of, workflowId);
  await ended(of, id);
  return { id, workflowId };
}

it('a failed run keeps what its last step sent and received, with the log off', async () => {
  const { id } = await failedRun(service);
  const run = await service.field(EXCHANGE, { id: String(id) });
  expect(run).toMatchObject({
    logging: false,
    hasLog: false,
    error: { stepName: 'Add card' },
    errorExchange: {
      request: {
        url: `${remote.url}/cards`,
        method: 'POST',
        payload: JSON.stringify({ account: 'DE89370400440532013000', title: 'New' }),
      },
      response: { status: 503, payload: JSON.stringify({ error: 'The board is full.' }) },
    },
  });
  expect(JSON.stringify(run)).not.toContain('planted-token-4711');
  const { body } = await service.api('GET', `/api/execution/${id}`);
  expect(body.error).toMatchObject({ name: 'Add card', ...run.errorExchange });
  const elements = await service.api('GET', '/api/execution/log/workflow/all').catch(() => null);
  expect(JSON.stringify(elements?.body ?? null)).not.toContain('DE89370400440532013000');
  const events = await runEvents(service, id);
  expect(JSON.stringify(events)).not.toContain('DE89370400440532013000');
});

it('hides there what the masking rules of the workflow select, also in earlier responses', async () => {
  const { id } = await failedRun(service, '/ruled');
  const run = await service.field(EXCHANGE, { id: String(id) });
  expect(run.errorExchange.response.status).toBe(503);
  expect(JSON.stringify(run)).not.toContain('DE89370400440532013000');
});

it('hides there what they select in earlier requests and in the parameters of the run', async () => {
  const login = method('0', `${remote.url}/login`) as { color: string };
  const calling = (path: string, fields: object): object => ({
    endpoint: `${remote.url}${path}`,
    method: 'POST',
    header: {},
    body: { format: 'json', fields },
  });
  const fields = { sent: `${login.color}.(request).iban`, given: '${iban}', title: 'New' };
  const workflowId = await saved(
    service,
    workflow([
      { ...login, request: calling('/login', { iban: 'GB29NWBK60161331926819' }) },
      method('1', remote.url, { request: calling('/cards', fields) }),
    ]),
  );
  await service.api('POST', `/api/connection/${workflowId}/rule`, {
    body: { type: 'JSONPath', expression: '$..iban' },
  });
  const { body: schedule } = await service.api('POST', '/api/scheduler', {
    body: { title: 'Ruled', connectionId: workflowId },
  });
  const webhookCreate = await service.mutate(
    'webhookCreate',
    { scheduleId: schedule.schedulerId },
    'webhook { url }',
  );
  await fetch(webhookCreate.webhook.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ iban: 'FR1420041010050500013M02606' }),
  });
  const record = await storeConnection().collection<any>('runs').findOne({ workflowId });
  await ended(service, record._id);
  expect(remote.received.at(-1)?.body).toBe(
    '{"sent":"GB29NWBK60161331926819","given":"FR1420041010050500013M02606","title":"New"}',
  );
  const run = await service.field(EXCHANGE, { id: String(record._id) });
  expect(run.errorExchange.request.payload).toBe('{"sent":"***","given":"***","title":"New"}');
});

it('shortens long bodies there, and keeps nothing of runs that succeed', async () => {
  const { id } = await failedRun(service, '/long');
  const run = await service.field(EXCHANGE, { id: String(id) });
  const { payload } = run.errorExchange.response;
  expect(payload.startsWith('x'.repeat(16 * 1024))).toBe(true);
  expect(payload.length).toBeLessThan(17 * 1024);
  const good = await started(
    service,
    await saved(service, workflow([method('0', `${remote.url}/login`)])),
  );
  await ended(service, good);
  expect((await service.field(EXCHANGE, { id: String(good) })).errorExchange).toBeNull();
});

it('retries with logging if asked to', async () => {
  const { id } = await failedRun(service);
  const RETRY =
    'mutation($id: ID!, $logging: Boolean) { runRetry(input: { id: $id, logging: $logging }) { run { databaseId logging } userErrors { code } } }';
  const runRetry = await service.field(RETRY, { id: String(id), logging: true });
  expect(runRetry.run.logging).toBe(true);
  const answer = await service.api('POST', `/api/execution/${id}/retry?logging=true`);
  expect(answer.body.logging).toBe(true);
  expect((await service.api('POST', `/api/execution/${id}/retry`)).body.logging).toBe(false);
  await ended(service, runRetry.run.databaseId);
  const again = await service.field(RETRY, { id: String(runRetry.run.databaseId) });
  expect(again).toMatchObject({ userErrors: [], run: { logging: true } });
});

describe('with run.record-failures off', () => {
  const silent = testService({ env: { HYPHA_RUN_RECORD_FAILURES: 'false' } });

  it('keeps only the message', async () => {
    const { id } = await failedRun(silent);
    const run = await silent.field(EXCHANGE, { id: String(id) });
    expect(run).toMatchObject({ error: { stepName: 'Add card' }, errorExchange: null });
  });
});

longIt('a run that takes too long names the step that it executed', async () => {
  const silent = await remoteSystem(() => new Promise(() => undefined));
  const brief = await startService({ env: { HYPHA_RUN_TIMEOUT: '1000' } });
  const workflowId = await saved(
    brief,
    workflow([method('0', silent.url, { label: 'Read all "cards"' })]),
  );
  const id = await started(brief, workflowId, true);
  await ended(brief, id);
  const message = 'Step "Read all \\"cards\\"" (0): The run took longer than it may.';
  const run = await brief.field(
    'query($id: ID!) { run(id: $id) { state error { code message stepName index } } }',
    { id: String(id) },
  );
  expect(run).toEqual({
    state: 'FAILED',
    error: { code: 'RUN_TIMEOUT', message, stepName: 'Read all "cards"', index: '0' },
  });
  expect((await brief.api('GET', `/api/execution/${id}`)).body.error.message).toBe(message);
  await brief.close();
  await silent.close();
});
