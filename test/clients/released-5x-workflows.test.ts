import { readZip } from '../../src/platform/archive/read-zip';
import { testService, unique } from '../support/service/harness';
import { client5x, expectReadable, RELEASED } from '../support/browser/released-pages';
import type { PageClient, Shape } from '../support/browser/released-pages';
import { jobResult } from '../support/service/jobs';
import { ended } from '../support/service/watch';

/* The pages of the 5.x client about workflows, templates and schedules. */

const SCHEDULE: Shape = {
  schedulerId: 'number',
  title: 'string',
  connection: { connectionId: 'number', title: 'string' },
  cronExp: 'string?',
  debugMode: 'boolean',
  status: 'number|boolean',
  lastExecution: 'object?',
  webhook: 'object?',
};
let client: PageClient;
const service = testService();
beforeAll(async () => {
  client = client5x(service);
});

const workflow = (more: object = {}): object => ({
  title: unique('Workflow '),
  description: '',
  fieldBinding: [],
  fromConnector: {
    connectorId: -1,
    title: 'DEFAULT',
    methods: [
      {
        id: 'm1',
        name: 'Get',
        index: '0',
        methodType: 'HTTP_REQUEST',
        dataAggregator: null,
        color: '#FFCFB5',
        connector: null,
        request: {
          endpoint: `${service.url}/healthz`,
          method: 'GET',
          header: {},
          body: { type: 'object', format: 'json', data: 'raw', fields: {} },
        },
      },
    ],
    operators: [],
  },
  toConnector: null,
  ui: { viewport: { x: 0, y: 0, zoom: 1 }, workflowNodes: [], workflowEdges: [] },
  ...more,
});

/** Starts a schedule as the page does, and waits for the end of its run. */
async function runOnce(schedulerId: number): Promise<void> {
  await client.read('GET', `scheduler/execute/${schedulerId}`);
  const { schedule } = await service.data(
    'query ($id: ID!) { schedule(id: $id) { lastRun { databaseId } } }',
    { id: schedulerId },
  );
  await ended(service, schedule.lastRun.databaseId);
}

describe('the workflow pages of the 5.x client', () => {
  it('save, duplicate, comment a version and read the history', async () => {
    const title = unique('Workflow ');
    const free = await client.read('GET', `connection/check?name=${encodeURIComponent(title)}`);
    expect(free).toMatchObject({ message: 'NOT_EXISTS' });
    const { connectionId, nodeId } = await client.read('POST', 'connection', workflow({ title }));
    expectReadable({ connectionId, nodeId }, { connectionId: 'number', nodeId: 'string' });
    expectReadable(await client.read('GET', 'connection/all/meta'), [
      { id: 'number', title: 'string', description: 'string?', categoryId: 'number?' },
    ]);
    const loaded = await client.read('GET', `connection/${connectionId}`);
    expect(loaded).toMatchObject({
      toConnector: null,
      fromConnector: { methods: [{ id: 'm1', methodType: 'HTTP_REQUEST' }] },
      ui: { viewport: { zoom: 1 } },
    });
    await client.read('PUT', `connection/${connectionId}/version/${nodeId}`, { comment: 'First' });
    expectReadable(await client.read('GET', `connection/${connectionId}/versions`), [
      {
        snapshotId: 'string',
        createdAt: 'number',
        author: 'string|number',
        comment: 'string?',
        current: 'boolean',
      },
    ]);
    const version = await client.read('GET', `connection/${connectionId}/version/${nodeId}`);
    expect(version.title).toBe(title);
    expect(await client.send('POST', 'connection', workflow({ title }))).toMatchObject({
      body: { message: 'TITLE_HAS_ALREADY_TAKEN' },
    });
    await client.read('DELETE', `connection/${connectionId}`);
  });

  it('keep the fields of steps that they do not know', async () => {
    const created = await client.read('POST', 'connection', workflow());
    const path = `connection/${created.connectionId}`;
    const [method] = created.fromConnector.methods;
    const fields = {
      required: true,
      repeatable: true,
      successStatus: '200-299',
      enabled: false,
      fileName: 'report.pdf',
      timeout: 5_000,
      request: { ...method.request, responseType: 'text' },
    };
    const put = await service.api('PUT', `/api/${path}`, {
      body: {
        ...created,
        fromConnector: { ...created.fromConnector, methods: [{ ...method, ...fields }] },
      },
    });
    expect(put.body.fromConnector.methods).toMatchObject([fields]);
    const saved = await client.read(
      'PUT',
      path,
      workflow({ title: created.title, description: 'New' }),
    );
    expect(saved).toMatchObject({ description: 'New' });
    const { body } = await service.api('GET', `/api/${path}`);
    expect(body.fromConnector.methods).toMatchObject([fields]);
    // Every other client removes a field by leaving it out.
    const bare = await service.api('PUT', `/api/${path}`, {
      body: workflow({ title: created.title }),
    });
    expect(bare.body.fromConnector.methods[0]).not.toHaveProperty('required');
    await client.read('DELETE', path);
  });

  it('name the operator without an expression in the words that the editor looks for', async () => {
    const { fromConnector, ...rest } = workflow() as { fromConnector: object };
    const operators = [{ id: 'o', index: '1', type: 'if', expression: '' }];
    const { status, body } = await client.send('POST', 'connection', {
      ...rest,
      fromConnector: { ...fromConnector, operators },
    });
    expect([status, body.error]).toEqual([400, 'OPERATOR_EXPRESSION_IS_EMPTY']);
    expect(body.message).toContain('index=1, type=if)');
  });

  it('test one call', async () => {
    const answer = await client.read('POST', 'connection/remoteapi', {
      url: `${service.url}/healthz`,
      method: 'GET',
    });
    expectReadable(answer, { body: 'string', headers: 'object', statusCodeValue: 'number' });
    expect(JSON.parse(answer.body)).toMatchObject({ status: 'UP' });
    expect(answer).not.toHaveProperty('status');
    expect(answer).not.toHaveProperty('error');
  });
});

describe('the templates page of the 5.x client', () => {
  it('saves, lists and deletes templates', async () => {
    const { connectionId } = await client.read('POST', 'connection', workflow());
    const { connection } = await client.read('GET', `template/connection/${connectionId}`);
    const saved = await client.read('POST', 'template', {
      version: '5.0',
      name: unique('Template '),
      description: '',
      connection,
    });
    expect(saved).not.toHaveProperty('status');
    expect(saved).not.toHaveProperty('error');
    expectReadable(await client.read('GET', 'template/all?metadataOnly=true'), [
      { templateId: 'string', name: 'string', description: 'string?', version: 'string?' },
    ]);
    expect(await client.read('GET', `template/check/${saved.templateId}`)).toBe(true);
    expectReadable(await client.read('GET', `template/${saved.templateId}`), {
      templateId: 'string',
      name: 'string',
      connection: 'object',
    });
    await client.read('PUT', 'template/list/delete', { identifiers: [saved.templateId] });
  });
});

describe('the schedules page of the 5.x client', () => {
  it('creates, runs, edits the whole row, and has a webhook with a path', async () => {
    const { connectionId } = await client.read('POST', 'connection', workflow());
    const { schedulerId } = await client.read('POST', 'scheduler', {
      title: unique('Schedule '),
      connectionId,
      debugMode: false,
      cronExp: '',
    });
    await runOnce(schedulerId);
    const [row] = await client.read('POST', 'scheduler/list/get', { identifiers: [schedulerId] });
    expectReadable(row, SCHEDULE);
    expectReadable(row.lastExecution.success, {
      startTime: 'number',
      duration: 'number',
      taId: 'string',
      hasLog: 'boolean',
    });
    expect(row).toMatchObject({ status: 0, lastExecution: { fail: null } });
    await client.read('PUT', `scheduler/${schedulerId}`, {
      ...row,
      connectionId: `${connectionId}`,
      debugMode: true,
    });
    expect((await client.read('GET', `scheduler/${schedulerId}`)).debugMode).toBe(true);

    const webhook = await client.read('GET', `webhook/url/1/${schedulerId}`);
    expectReadable(webhook, { url: 'string', webhookId: 'number' });
    expect(webhook.url).toMatch(/^\/webhook\/execute\//);
    const called = await fetch(`${service.url}${RELEASED}/api${webhook.url}`);
    expect(called.status).toBe(200);
    await client.read('DELETE', `webhook/${webhook.webhookId}`);
    expectReadable(await client.read('GET', 'scheduler/all'), [SCHEDULE]);
    await client.read('DELETE', `scheduler/${schedulerId}`);
  });

  it('shows the logs of a run', async () => {
    const { fromConnector, ...rest } = workflow() as { fromConnector: object };
    const operators = [
      { id: 'l', index: '1', type: 'loop', expression: 'For([1, 2])', iterator: 'i' },
      { id: 'o', index: '2', type: 'if', expression: '(1 = 2)' },
    ];
    const { connectionId } = await client.read('POST', 'connection', {
      ...rest,
      fromConnector: { ...fromConnector, operators },
    });
    const { schedulerId } = await client.read('POST', 'scheduler', {
      title: unique('Logged '),
      connectionId,
      debugMode: true,
      cronExp: '',
    });
    await runOnce(schedulerId);
    const { result } = await client.read(
      'GET',
      `execution/log-files?connectionId=${connectionId}&schedulerId=${schedulerId}&status=s`,
    );
    const executionId = /_(\d+)\.log$/.exec(result[0] as string)?.[1];
    const [flow] = await client.read('GET', `execution/log/element/${executionId}/children`);
    expect(flow).not.toHaveProperty('indexPath');
    expect(flow).toMatchObject({ type: 'FLOWCHART', segment: {} });
    const elements = await client.read('GET', `execution/log/element/${flow.id}/children`);
    const [step, loop, condition] = elements;
    expectReadable(step.segment, {
      request: { url: 'string', http_method: 'string' },
      response: { status: 'number', duration: 'number' },
    });
    expect(loop).toMatchObject({
      type: 'LOOP',
      properties: { expression: 'For([1, 2])', size: 2, iterator: 'i' },
      segment: {},
    });
    expect(await client.read('GET', `execution/log/element/${loop.id}/details`)).toEqual(loop);
    expect(condition).toMatchObject({
      type: 'IF',
      properties: { expression: '(1 = 2)' },
      segment: { result: 'false' },
    });
    expectReadable(step, {
      id: 'string',
      executionId: 'number',
      flowId: 'string',
      indexPath: 'string',
      status: 'string',
      type: 'string',
      connectorName: 'string?',
      properties: { name: 'string', label: 'string?', loopIndex: 'string?' },
      segment: 'object',
      error: 'object?',
    });
    expect(step.properties).not.toHaveProperty('loopIndex');
    const details = await client.read('GET', `execution/log/element/${step.id}/details`);
    expectReadable(details.segment, {
      request: { url: 'string', http_method: 'string', payload: 'string' },
      response: { status: 'number', duration: 'number', payload: 'string' },
    });
  });

  it('packs a support file, without the parts that the page names', async () => {
    const { connectionId } = await client.read('POST', 'connection', workflow());
    const rules = ['(request).url', '(response).body'].map((part) => ({
      expression: `#[*].${part}`,
      type: 'JSONPath',
    }));
    const path = `connection/execute/${connectionId}/support-file`;
    const { jobId } = await client.read('POST', path, rules);
    await jobResult(service, jobId as number);
    const [file] = await client.read('GET', 'connection/support-file/list');
    expectReadable(file, {
      connectionId: 'number',
      connectionTitle: 'string',
      supportFile: 'string',
      status: 'string',
      message: 'string',
    });
    const zip = await fetch(`${service.url}${RELEASED}/api${file.supportFile}`, {
      headers: { authorization: service.adminToken },
    });
    const finished: any[] = [];
    for await (const { name, bytes } of readZip(Buffer.from(await zip.arrayBuffer())))
      if (name.endsWith('events.jsonl'))
        for (const line of bytes.toString('utf8').trim().split('\n')) {
          const event = JSON.parse(line);
          if (event.kind === 'StepFinished') finished.push(event);
        }
    expect(finished).toMatchObject([
      { request: { url: '***', method: 'GET' }, response: { status: 200, payload: '***' } },
    ]);
    const name = (file.supportFile as string).split('/').at(-1);
    await client.read('PUT', 'connection/support-file/delete/list', { filenames: [name] });
    expect(await client.read('GET', 'connection/support-file/list')).toEqual([]);
  });
});
