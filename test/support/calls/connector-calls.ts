import { unique } from '../service/harness';
import type { TestService } from '../service/harness';
import { pictureForm } from './rest-calls';
import { imported, TICKETS } from '../documents/connector-invokers';
import { MASTER_PASSWORD } from '../service/master-password';
import type { Calls } from './rest-calls';

const headers = { 'X-Master-Password': MASTER_PASSWORD };

/** A connector to the service itself, which also speaks GraphQL; created on first use. */
export function connectorFixtures(service: TestService) {
  const operations = [
    { name: 'Test', type: 'test', endpoint: '{url}/healthz' },
    {
      name: 'Query',
      method: 'POST',
      endpoint: '{url}/graphql',
      header: { Authorization: '{token}' },
      body: '<body type="object" format="json" data="graphql"><field name="query" type="string">{ me { id } }</field></body>',
    },
  ];
  let invokerName: Promise<string> | undefined;
  const invoker = (): Promise<string> =>
    (invokerName ??= imported(service, { ...TICKETS, operations }));
  const body = async (more: object = {}): Promise<any> => ({
    title: unique('described'),
    invoker: { name: await invoker() },
    requestData: { url: service.url, token: service.adminToken },
    ...more,
  });
  const connector = async (more: object = {}): Promise<number> => {
    const made = await service.api('POST', '/api/connector', { body: await body(more) });
    if (made.status !== 201) throw new Error(made.text);
    return made.body.connectorId as number;
  };
  return { body, connector };
}

/** A successful request for each connector operation. */
export function connectorCalls(service: TestService): Calls {
  const { body, connector } = connectorFixtures(service);
  const at = async (more = ''): Promise<string> => `/api/connector/${await connector()}${more}`;
  return {
    'GET /api/connector/all': () => ({ path: '/api/connector/all' }),
    'GET /api/connector/meta/all': () => ({ path: '/api/connector/meta/all' }),
    'POST /api/connector/{id}/status/refresh': async () => ({ path: await at('/status/refresh') }),
    'GET /api/connector/exists/{title}': () => ({
      path: '/api/connector/exists/Nothing%20at%20all',
    }),
    'GET /api/connector/{id}': async () => ({ path: await at() }),
    'POST /api/connector': async () => ({ path: '/api/connector', body: await body() }),
    'PUT /api/connector/{id}': async () => ({ path: await at(), body: { description: 'Other' } }),
    'PUT /api/connector/{id}/required-data': async () => ({
      path: await at('/required-data'),
      body: { token: 'other' },
      headers,
    }),
    'POST /api/connector/{id}/confirm': async () => ({ path: await at('/confirm'), headers }),
    'PUT /api/connector/list/delete': async () => ({
      path: '/api/connector/list/delete',
      body: { identifiers: [await connector()] },
    }),
    'DELETE /api/connector/{id}': async () => ({ path: await at() }),
    'POST /api/connector/{id}/icon': async () => ({
      path: await at('/icon'),
      body: pictureForm({}),
    }),
    'DELETE /api/connector/{id}/icon': async () => ({ path: await at('/icon') }),
    'POST /api/storage/connector': async () => ({
      path: '/api/storage/connector',
      body: pictureForm({ connectorId: String(await connector()) }),
    }),
    'POST /api/connector/check': async () => ({
      path: '/api/connector/check',
      body: { ...(await body()), title: undefined },
    }),
    'POST /api/connector/{id}/graphql-schema': async () => ({
      path: await at('/graphql-schema'),
      headers,
    }),
    'GET /api/connector/master-password/status': () => ({
      path: '/api/connector/master-password/status',
      headers,
    }),
    'GET /api/connector/master-password/status/exist': () => ({
      path: '/api/connector/master-password/status/exist',
    }),
  };
}
