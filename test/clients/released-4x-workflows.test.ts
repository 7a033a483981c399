import { imported, TICKETS } from '../support/documents/connector-invokers';
import { testService, unique } from '../support/service/harness';
import {
  client4x,
  connector4x,
  client5x,
  expectReadable,
  fileForm,
  slashedName,
} from '../support/browser/released-pages';
import type { PageClient, Shape } from '../support/browser/released-pages';
import { remoteSystem } from '../support/peers/remote-system';
import { statement } from '../support/documents/two-containers';
import { until } from '../support/until';

/* The pages of the 4.x client about workflows, connectors and schedules. */

const CONTAINER: Shape = {
  connectorId: 'number',
  title: 'string',
  icon: 'string?',
  sslCert: 'boolean?',
  invoker: { name: 'string' },
  methods: 'array',
  operators: 'array',
};
const WORKFLOW: Shape = {
  connectionId: 'number',
  title: 'string',
  description: 'string?',
  categoryId: 'number?',
  fieldBinding: 'array',
  fromConnector: CONTAINER,
  toConnector: CONTAINER,
};
/** Templates name invokers, and no connectors. */
const SLOT: Shape = { invoker: { name: 'string' }, methods: 'array', operators: 'array' };
const TEMPLATE: Shape = {
  templateId: 'string',
  name: 'string',
  description: 'string?',
  version: 'string',
  link: 'string',
  connection: { fromConnector: SLOT, toConnector: SLOT },
};
let client: PageClient;
let invoker: string;
let connectorId: number;
let otherId: number;
const service = testService();
beforeAll(async () => {
  client = client4x(service);
  invoker = await imported(service, {
    ...TICKETS,
    operations: [
      { name: 'Test', type: 'test', endpoint: '{url}/healthz' },
      { name: 'List', endpoint: '{url}/openapi.json' },
    ],
  });
  const connector = (): Promise<number> => connector4x(client, invoker, service.url);
  [connectorId, otherId] = [await connector(), await connector()];
});

const method = (index: string, color: string, endpoint = '{url}/healthz'): object => ({
  name: 'Test',
  request: { endpoint, body: null, method: 'GET' },
  response: { success: { status: '200', body: null }, fail: { status: '401', body: null } },
  dataAggregator: null,
  index,
  color,
});
/** A workflow as the editor saves it: a condition at the source, a call at the target. */
const workflow = (more: object = {}): object => ({
  title: unique('Tickets '),
  description: 'Copies tickets',
  fromConnector: {
    invoker: { name: invoker },
    connectorId,
    methods: [method('0', '#FFCFB5'), method('1_0', '#C77E7E')],
    icon: '',
    operators: [
      {
        index: '1',
        type: 'if',
        dataAggregator: null,
        condition: {
          leftStatement: statement('#FFCFB5', 'success.status'),
          relationalOperator: '=',
          rightStatement: statement('', 'UP'),
        },
      },
    ],
  },
  toConnector: {
    invoker: { name: invoker },
    connectorId: otherId,
    methods: [method('0', '#98BEC7')],
    icon: '',
    operators: [],
  },
  fieldBinding: [],
  ...more,
});

describe('the workflow pages of the 4.x client', () => {
  it('save a workflow, and read it as it was written', async () => {
    for (const path of ['connector/all', 'category/all', 'aggregator/all', 'invoker/all'])
      expect(Array.isArray(await client.read('GET', path))).toBe(true);
    const { name: title, segment } = slashedName();
    const free = await client.read('GET', `connection/check/${segment}`);
    expect(free).toMatchObject({ message: 'NOT_EXISTS' });
    const sent = workflow({ title });
    const created = await client.read('POST', 'connection', sent);
    expectReadable(created, WORKFLOW);
    expect(created).toMatchObject(sent);
    const path = `connection/${created.connectionId}`;
    expect(await client.read('GET', path)).toMatchObject(sent);
    expect(await client.read('GET', `${path}/webhook/vars`)).toEqual([]);
    expectReadable(await client.read('GET', 'webhook/supported/types'), ['string']);
    expect(await client.read('GET', `connection/check/${segment}`)).toMatchObject({
      message: 'EXISTS',
    });
    // Every other client reads one container.
    const single = await client5x(service).read('GET', path);
    expect(single).toMatchObject({ fromConnector: { connectorId: -1 }, toConnector: null });
    expect(single.fromConnector.methods).toHaveLength(3);
    expect(await client.read('PUT', path, { ...created, description: 'New' })).toMatchObject({
      ...sent,
      description: 'New',
    });
    // Fields of later versions stay.
    const { fromConnector } = single;
    const added = {
      required: true,
      repeatable: true,
      enabled: false,
      successStatus: '404',
      fileName: 'report.pdf',
      retries: 1,
    };
    await service.api('PUT', `/api/${path}`, {
      body: {
        ...single,
        fromConnector: {
          ...fromConnector,
          methods: fromConnector.methods.map((method: object) => ({ ...method, ...added })),
        },
      },
    });
    await client.read('PUT', path, sent);
    const { body } = await service.api('GET', `/api/${path}`);
    expect(body.fromConnector.methods).toMatchObject([added, added, added]);
  });

  it('list the source and the target of a workflow as the client wrote them', async () => {
    const { fromConnector, toConnector } = workflow() as any;
    for (const [from, to] of [
      [connectorId, otherId],
      [otherId, connectorId],
    ]) {
      const created = await client.read(
        'POST',
        'connection',
        workflow({
          fromConnector: { ...fromConnector, connectorId: from },
          toConnector: { ...toConnector, connectorId: to },
        }),
      );
      const listed = (await client.read('GET', 'connection/all/meta')) as { id: number }[];
      expect(listed.find(({ id }) => id === created.connectionId)).toMatchObject({
        fromConnector: { connectorId: from },
        toConnector: { connectorId: to },
      });
    }
  });

  it('read the operations of the invokers, which are not saved with the workflow', async () => {
    const { connectionId } = await client.read('POST', 'connection', workflow());
    const path = `connection/${connectionId}`;
    const editor: Shape = {
      name: 'string',
      description: 'string?',
      hint: 'string?',
      operations: [{ name: 'string', type: 'string?', request: 'object', response: 'object' }],
    };
    const read = await client.read('GET', path);
    const saved = await client.read('PUT', path, read);
    for (const { fromConnector, toConnector } of [read, saved])
      for (const container of [fromConnector, toConnector])
        expectReadable(container.invoker, editor);
    const listed = (await client.read('GET', 'connection/all')) as any[];
    const [own] = listed.filter(({ id }) => id === connectionId);
    expect(own.fromConnector.invoker).toEqual({ name: invoker });

    const { token } = await service.userWith(['CONNECTION:READ']);
    const limited = await client4x(service, token).read('GET', path);
    expect(limited.toConnector.invoker).toEqual({ name: invoker, operations: [] });
  });

  it('show the code if a category or a connector does not exist', async () => {
    for (const [more, message] of [
      [{ categoryId: 999 }, 'CATEGORY_NOT_FOUND'],
      [
        { toConnector: { connectorId: 999, methods: [method('0', '#98BEC7')], operators: [] } },
        'CONNECTOR_NOT_FOUND',
      ],
    ] as const)
      expect(await client.send('POST', 'connection', workflow(more))).toMatchObject({
        status: 500,
        body: { message },
      });
  });

  it('rename and duplicate with the object that they read', async () => {
    const { connectionId } = await client.read('POST', 'connection', workflow());
    const path = `connection/${connectionId}`;
    const { fromConnector, toConnector, ...read } = await client.read('GET', path);
    const reduced = (container: { invoker: { name: string } }): object => ({
      ...container,
      invoker: { name: container.invoker.name },
    });
    const title = unique('Renamed ');
    const body = {
      ...read,
      title,
      fromConnector: reduced(fromConnector),
      toConnector: reduced(toConnector),
    };
    expect(await client.read('PUT', path, body)).toMatchObject({ connectionId, title });
    const { connectionId: _id, nodeId: _node, id: _listed, ...copy } = body;
    const copied = await client.read('POST', 'connection', { ...copy, title: unique('Copy ') });
    expectReadable(copied, WORKFLOW);
    expect(copied.connectionId).not.toBe(connectionId);
    expect(copied.fromConnector).toMatchObject({ methods: fromConnector.methods });
    const ids = [`${connectionId}`, `${copied.connectionId}`];
    await client.read('PUT', 'connection/list/delete', { identifiers: ids });
    expect(await client.send('GET', path)).toMatchObject({
      status: 500,
      body: { message: 'CONNECTION_NOT_FOUND' },
    });
  });

  it('show a workflow of another client read-only if two sides cannot show it', async () => {
    const step = { id: 'm', index: '0', name: 'Get', color: '#FFCFB5', methodType: 'HTTP_REQUEST' };
    const sent = {
      title: unique('One container '),
      fromConnector: { methods: [{ ...step, request: { endpoint: service.url, method: 'GET' } }] },
      fieldBinding: [],
    };
    const newer = client5x(service);
    const { connectionId } = await newer.read('POST', 'connection', sent);
    const path = `connection/${connectionId}`;
    const shown = await client.read('GET', path);
    expectReadable(shown, { ...(WORKFLOW as object), description: 'string' });
    expect(shown.description).toMatch(/^Read-only in this client: /);
    const before = await newer.read('GET', path);
    expect(await client.send('PUT', path, { ...shown, title: 'Changed' })).toMatchObject({
      status: 400,
      body: { error: 'WORKFLOW_NEEDS_5X_CLIENT' },
    });
    expect(await newer.read('GET', path)).toEqual(before);
  });

  it('test one call, with the headers of the response', async () => {
    const answer = await client.read('POST', 'connection/remoteapi', {
      url: `${service.url}/healthz`,
      method: 'GET',
      header: {},
      body: null,
      sslOn: true,
    });
    expectReadable(answer, { body: 'string', headers: 'object', statusCodeValue: 'number' });
  });

  it('run a test in six calls', async () => {
    const stamp = Date.now();
    const title = `!*test_connection_${stamp}_Tickets`;
    const { connectionId } = await client.read('POST', 'connection', workflow({ title }));
    const { schedulerId } = await client.read('POST', 'scheduler', {
      cronExp: '0 0 0 1 JAN ? 2100',
      debugMode: true,
      status: 1,
      title: `!*test_schedule_${stamp}`,
      connectionId,
    });
    await client.send('GET', `scheduler/execute/${schedulerId}`);
    const lastExecution = await until(async () => {
      const schedule = await client.read('GET', `scheduler/${schedulerId}`);
      expect(schedule.schedulerId).toBe(schedulerId);
      const { success, fail } = schedule.lastExecution ?? {};
      return success || fail ? schedule.lastExecution : undefined;
    });
    expectReadable(lastExecution.success, {
      startTime: 'number',
      duration: 'number',
      taId: 'string',
      endTime: 'number?',
    });
    await client.read('DELETE', `scheduler/${schedulerId}`);
    await client.read('DELETE', `connection/${connectionId}`);
  });
});

describe('the templates page of the 4.x client', () => {
  it('saves, lists, converts and exports templates with two containers', async () => {
    const { version } = await client.read('GET', 'assistant/oc/version');
    const { connectionId } = await client.read('POST', 'connection', workflow());
    const { connectionId: _id, ...connection } = await client.read(
      'GET',
      `connection/${connectionId}`,
    );
    const saved = await client.read('POST', 'template', {
      version,
      name: unique('Template '),
      description: '',
      connection,
    });
    expectReadable(saved, TEMPLATE);
    expect(saved.connection.fromConnector.methods).toHaveLength(2);
    const isOwn = ({ templateId }: { templateId: string }): boolean =>
      templateId === saved.templateId;
    expectReadable((await client.read('GET', 'template/all')).filter(isOwn), [TEMPLATE]);
    const forConnectors = await client.read('GET', `template/all/${connectorId}/${otherId}`);
    const [fitting] = forConnectors.filter(isOwn);
    expectReadable(fitting, TEMPLATE);
    expect(fitting.connection).toMatchObject({
      fromConnector: { connectorId },
      toConnector: { connectorId: otherId },
    });
    const added = await client.read('POST', 'connection', {
      ...fitting.connection,
      title: unique('From a template '),
    });
    expect(added.toConnector.methods).toHaveLength(1);
    const path = `template/${saved.templateId}`;
    const { templateId, name, description } = saved;
    const converted = { templateId, name, description, version, connection: saved.connection };
    expect(await client.read('PUT', path, converted)).toMatchObject(saved.connection && { name });
    const exported = await fetch(saved.link as string, {
      headers: { authorization: service.adminToken },
    });
    const file = await exported.text();
    expect(await client.read('GET', `template/check/${templateId}`)).toBe(true);
    const upload = fileForm(file, `${templateId}.json`);
    expect((await client.read('POST', 'storage/template', upload)).id).toBe(templateId);
    expectReadable(await client.read('GET', path), TEMPLATE);
    expectReadable(await client.read('GET', `template/connection/${connectionId}`), {
      templateId: 'string',
    });
    await client.read('DELETE', path);
  });
});

describe('the invokers page of the 4.x client', () => {
  it('adds an invoker from its XML, and imports a file over it', async () => {
    const name = unique('Invoker');
    expect(await client.read('GET', `invoker/exists/${name}`)).toMatchObject({ result: false });
    const xml = `<?xml version="1.0" encoding="utf-8"?><invoker type="RESTful"><name>${name}</name><description>D</description><hint></hint><icon></icon><requiredData><item name="url" type="string" visibility="public"></item></requiredData><authType>basic</authType><operations><operation name="Test" type="test"><request><method>GET</method><endpoint>{url}</endpoint></request><response><success status="200"/><fail status="401"/></response></operation></operations></invoker>`;
    const shape: Shape = {
      name: 'string',
      description: 'string?',
      requiredData: 'object',
      operations: [{ name: 'string', type: 'string?', request: 'object', response: 'object' }],
    };
    expectReadable(await client.read('POST', 'invoker', { xml, name }), shape);
    const file = `${name}.xml`;
    expect(await client.read('GET', `invoker/file/exists/${file}`)).toMatchObject({
      result: expect.any(Boolean),
    });
    const { id } = await client.read('POST', 'storage/invoker', fileForm(xml, file));
    expectReadable(await client.read('GET', `invoker/${id}`), shape);
    await client.read('DELETE', `invoker/${name}`);
  });

  it('adds a field to an operation from the editor', async () => {
    const added = await client.read('POST', `invoker/${encodeURIComponent(invoker)}/xml`, {
      method: 'List',
      path: '(response.success)',
      fields: [{ name: 'total', type: 'string', value: null }],
    });
    expectReadable(added, {
      name: 'string',
      response: { success: { body: { fields: 'object' } } },
    });
  });
});

describe('the schedules page of the 4.x client', () => {
  it('adds and edits a schedule, and reads the templates of notifications', async () => {
    const { connectionId } = await client.read('POST', 'connection', workflow());
    const title = unique('Schedule ');
    const fields = { title, debugMode: false, connectionId, cronExp: '', status: 0 };
    const added = await client.read('POST', 'scheduler', fields);
    expectReadable(added, {
      schedulerId: 'number',
      status: 'number',
      connection: { connectionId: 'number', title: 'string' },
    });
    const { schedulerId } = added;
    const path = `scheduler/${schedulerId}`;
    expectReadable(await client.read('PUT', path, { ...fields, schedulerId }), {
      schedulerId: 'number',
    });
    const { connection, lastExecution, webhook } = added;
    const row = { ...fields, debugMode: true, schedulerId, connection, lastExecution, webhook };
    await client.read('PUT', path, row);
    expect(await client.read('GET', path)).toMatchObject({ debugMode: true });

    const { result: tools } = await client.read('GET', 'message/tools/all');
    expect(tools).toEqual(expect.arrayContaining(['email', 'incoming_webhook']));
    await client.read('POST', 'message', {
      name: unique('Message '),
      type: 'email',
      content: [{ subject: 'S', body: 'B', language: 'en' }],
    });
    const templates = await client.read('GET', 'message/all/email');
    expectReadable(templates, [{ templateId: 'number', name: 'string' }]);
    await client.read('PUT', 'scheduler/list/delete', { identifiers: [`${schedulerId}`] });
  });

  it('polls running schedules with the titles of both connectors', async () => {
    const remote = await remoteSystem(() => new Promise(() => {}));
    const called = [method('0', '#FFCFB5', remote.url)];
    const container = { invoker: { name: invoker }, methods: called, operators: [] };
    const { connectionId, ...document } = await client.read(
      'POST',
      'connection',
      workflow({
        fromConnector: { ...container, connectorId },
        toConnector: { ...container, connectorId: otherId, methods: [] },
      }),
    );
    const { schedulerId, title } = await client.read('POST', 'scheduler', {
      title: unique('Schedule '),
      debugMode: false,
      connectionId,
      cronExp: '',
      status: 0,
    });
    await client.send('GET', `scheduler/execute/${schedulerId}`);
    await remote.next();
    expect(await client.read('GET', 'scheduler/running/all')).toEqual([
      {
        schedulerId,
        title,
        avgDuration: 0,
        fromConnector: document.fromConnector.title,
        toConnector: document.toConnector.title,
      },
    ]);
    const { token } = await service.userWith(['SCHEDULE:READ']);
    expect(await client4x(service, token).read('GET', 'scheduler/running/all')).toMatchObject([
      { fromConnector: '', toConnector: '' },
    ]);
    await client.send('GET', `scheduler/terminate/${schedulerId}`);
    expect(await client.read('GET', 'scheduler/running/all')).toEqual([]);
    await remote.close();
  });
});
