import { outcome, testService, unique } from '../support/service/harness';
import { imported, newConnector } from '../support/documents/connector-invokers';
import { storeCalls } from '../support/store/stored';
import { method, saved, workflow } from '../support/documents/workflows';

let invoker: string;
const service = testService();
beforeAll(async () => {
  invoker = await imported(service);
});

const using = (connectorIds: readonly number[], more: object = {}) =>
  workflow(
    connectorIds.map((connectorId, at) =>
      method(String(at), '{url}/me', {
        methodType: 'CONNECTOR',
        name: 'GetMe',
        connector: { connectorId, title: 'Tickets', invoker: { name: invoker } },
      }),
    ),
    [],
    more,
  );
const isThere = async (id: number): Promise<boolean> =>
  (await service.api('GET', `/api/connector/${id}`)).status === 200;

it('a connector used by workflows is not deleted, and a short error names the first one', async () => {
  const id = await newConnector(service, invoker);
  const titles = [`${unique('Uses ')} ${'very '.repeat(20)}long`, unique('Uses it, too ')];
  for (const title of titles) await saved(service, using([id], { title }));
  const refused = await service.api('DELETE', `/api/connector/${id}`);
  expect(outcome(refused)).toEqual([409, 'CONNECTOR_IN_USE']);
  const { title: connector } = (await service.api('GET', `/api/connector/${id}`)).body;
  expect(refused.body.error).toBe(
    `The connector "${connector}" is used by "${titles[0]?.slice(0, 39)}…" and 1 more.`,
  );
  const { connectorDelete } = await service.data(
    'mutation($id: ID!) { connectorDelete(input: { id: $id }) { connector { id } userErrors { code path } } }',
    { id },
  );
  expect(connectorDelete).toEqual({
    connector: null,
    userErrors: [{ code: 'CONNECTOR_IN_USE', path: ['id'] }],
  });
  expect(await isThere(id)).toBe(true);
});

it('a bulk deletion deletes no connector when one is in use', async () => {
  const [free, used] = [await newConnector(service, invoker), await newConnector(service, invoker)];
  await saved(service, using([used]));
  expect(
    outcome(
      await service.api('PUT', '/api/connector/list/delete', {
        body: { identifiers: [free, used] },
      }),
    ),
  ).toEqual([409, 'CONNECTOR_IN_USE']);
  const { connectorsDelete } = await service.data(
    'mutation($ids: [ID!]!) { connectorsDelete(input: { ids: $ids }) { ids userErrors { code path } } }',
    { ids: [free, used] },
  );
  expect(connectorsDelete).toEqual({
    ids: null,
    userErrors: [{ code: 'CONNECTOR_IN_USE', path: ['ids', '1'] }],
  });
  expect([await isThere(free), await isThere(used)]).toEqual([true, true]);
  expect(
    (
      await service.api('PUT', '/api/connector/list/delete?force=true', {
        body: { identifiers: [free, used] },
      })
    ).status,
  ).toBe(204);
  expect([await isThere(free), await isThere(used)]).toEqual([false, false]);
});

it('a forced deletion keeps the workflows', async () => {
  const id = await newConnector(service, invoker);
  const workflowId = await saved(service, using([id]));
  expect((await service.api('DELETE', `/api/connector/${id}?force=true`)).status).toBe(204);
  expect(
    (await service.api('GET', `/api/connection/${workflowId}`)).body.fromConnector.methods[0]
      .connector.connectorId,
  ).toBe(id);
  expect(outcome(await service.api('DELETE', `/api/connector/${id}?force=maybe`))).toEqual([
    400,
    'BAD_REQUEST',
  ]);
});

it('the connectors of all steps in a request are loaded with one read', async () => {
  const ids = [
    await newConnector(service, invoker),
    await newConnector(service, invoker),
    await newConnector(service, invoker),
  ];
  const workflowId = await saved(service, using([...ids, ...ids]));
  const query = `query($id: ID!) { workflow(id: $id) { steps { ... on MethodStep { connector { connectorId connector { databaseId title } } } } } }`;
  let read: any;
  const calls = await storeCalls(async () => {
    read = await service.data(query, { id: workflowId });
  });
  expect(read.workflow.steps.map(({ connector }: any) => connector.connector.databaseId)).toEqual([
    ...ids,
    ...ids,
  ]);
  expect(calls.filter((call) => call.startsWith('connectors.'))).toHaveLength(1);
  await service.api('DELETE', `/api/connector/${ids[0]}?force=true`);
  expect((await service.data(query, { id: workflowId })).workflow.steps[0].connector).toEqual({
    connectorId: ids[0],
    connector: null,
  });
  const { token } = await service.userWith(['CONNECTION:READ']);
  expect(
    (await service.data(query, { id: workflowId }, token)).workflow.steps[1].connector,
  ).toEqual({ connectorId: ids[1], connector: null });
});

it('a connector links to its invoker, and an invoker to its connectors', async () => {
  const name = await imported(service);
  const connectorId = await newConnector(service, name);
  const { connector } = await service.data(
    `{ connector(id: ${connectorId}) { invokerName invoker { name connectors { totalCount nodes { databaseId } } } } }`,
  );
  expect(connector).toEqual({
    invokerName: name,
    invoker: { name, connectors: { totalCount: 1, nodes: [{ databaseId: connectorId }] } },
  });
});
