import { connectorsUpTo } from '../../support/documents/connector-invokers';
import { testService, unique } from '../../support/service/harness';
import { documentStoredOf } from '../../support/store/old-documents';
import {
  asSentBy5x,
  EMPTY,
  statement,
  toTwoContainers,
} from '../../support/documents/two-containers';
import type { Fields } from '../../support/documents/two-containers';

const service = testService();
beforeAll(async () => {
  await connectorsUpTo(service, 4);
});

/** A document as a 4.x client sends it. */
const written = (): Fields => ({
  title: unique('Old '),
  description: 'As written',
  fromConnector: {
    connectorId: 3,
    icon: 's.png',
    invoker: { name: 'otrs' },
    businessLayout: { id: 'source' },
    methods: [
      {
        name: 'TicketGet',
        request: { endpoint: '{url}/x', body: null, method: 'GET' },
        response: { success: { status: '200', body: null }, fail: null },
        dataAggregator: null,
        index: '0_0',
        color: '#FFCFB5',
      },
    ],
    operators: [
      {
        index: '0',
        type: 'loop',
        condition: {
          leftStatement: statement('#FFCFB5', 'success.ids'),
          relationalOperator: '',
          rightStatement: EMPTY,
        },
        iterator: 'i',
      },
    ],
  },
  toConnector: { connectorId: 4, invoker: { name: 'i-doit' }, methods: [], operators: [] },
  fieldBinding: [
    {
      from: [{ color: '#FFCFB5', type: 'response', field: 'success.title' }],
      to: [{ color: '#98BEC7', type: 'request', field: 'Title' }],
      enhancement: { name: 'x', expertCode: 'RESULT_VAR = VAR_0;' },
    },
  ],
});

const saved = async (document: object): Promise<any> => {
  const answer = await service.api('POST', '/api/connection', { body: document });
  expect([answer.status, answer.body.message]).toEqual([201, undefined]);
  return answer.body;
};
/** What a 4.x client would get of the current version. */
const viewOf = async (id: number): Promise<Fields> => {
  const { document, readOnly } = toTwoContainers(await documentStoredOf(id));
  expect(readOnly).toBeNull();
  return document;
};

describe('a workflow of a 4.x client', () => {
  it('has one container in every answer of the documented dialect', async () => {
    const { connectionId, nodeId, ...answer } = await saved(written());
    const answers = [
      answer,
      await service.body('GET', `/api/connection/${connectionId}`),
      await service.body('GET', `/api/connection/${connectionId}/version/${nodeId}`),
    ];
    for (const body of answers) {
      expect(body).not.toHaveProperty('twoContainers');
      expect(body).toMatchObject({ fromConnector: { connectorId: -1 }, toConnector: null });
    }
    const { body: variables } = await service.api(
      'GET',
      `/api/connection/${connectionId}/webhook/vars`,
    );
    expect(variables).toEqual([]);
  });

  it('keeps its containers over a save of a 5.x client, a patch, an undo and a switch back', async () => {
    const sent = written();
    const { connectionId: id, nodeId } = await saved(sent);
    expect(await viewOf(id)).toEqual(sent);
    const { body: read } = await service.api('GET', `/api/connection/${id}`);
    const put = await service.api('PUT', `/api/connection/${id}`, {
      body: { ...asSentBy5x(read), description: 'Changed' },
    });
    expect(put.status).toBe(200);
    expect(await viewOf(id)).toEqual({ ...sent, description: 'Changed' });
    await service.api('PATCH', `/api/connection/${id}`, {
      body: [{ op: 'replace', path: '/description', value: 'Patched' }],
      headers: { 'content-type': 'application/json-patch+json' },
    });
    expect(await viewOf(id)).toEqual({ ...sent, description: 'Patched' });
    await service.api('GET', `/api/connection/${id}/undo`);
    expect(await viewOf(id)).toEqual({ ...sent, description: 'Changed' });
    await service.api('PUT', `/api/connection/${id}/switch-version/${nodeId}`);
    expect(await viewOf(id)).toEqual(sent);
  });

  it('keeps its containers in a copy, and in an exported and imported file', async () => {
    const sent = written();
    const { connectionId: id } = await saved(sent);
    const { workflowDuplicate, workflowExport } = await service.data(
      `mutation ($id: ID!) {
        workflowDuplicate(input: { workflowId: $id }) { workflow { databaseId title } }
        workflowExport(input: { workflowId: $id }) { file { content } }
      }`,
      { id },
    );
    const { databaseId, title } = workflowDuplicate.workflow;
    expect(await viewOf(databaseId as number)).toEqual({ ...sent, title });
    const workflowImport = await service.mutate(
      'workflowImport',
      { content: workflowExport.file.content },
      'userErrors { code message } workflow { databaseId title }',
    );
    expect(workflowImport.userErrors).toEqual([]);
    const imported = await viewOf(workflowImport.workflow.databaseId as number);
    const [from, to] = [sent.fromConnector as Fields, sent.toConnector as Fields];
    const { icon: _icon, invoker: _source, ...source } = from;
    const { invoker: _target, ...target } = to;
    expect(imported).toMatchObject({ fromConnector: source, toConnector: target });
  });

  it('shows no differences of what the service notes about it', async () => {
    const { connectionId: id, nodeId } = await saved(written());
    const { body: read } = await service.api('GET', `/api/connection/${id}`);
    const body = { ...asSentBy5x(read), description: 'Changed', fromConnector: read.fromConnector };
    const { body: after } = await service.api('PUT', `/api/connection/${id}`, { body });
    const { body: diff } = await service.api(
      'GET',
      `/api/connection/${id}/diff?from=${nodeId}&to=${after.nodeId}`,
    );
    expect(JSON.stringify(diff)).not.toContain('twoContainers');
    expect(JSON.stringify(diff)).toContain('description');
  });
});
