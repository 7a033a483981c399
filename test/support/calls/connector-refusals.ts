import { ABSENT, refusedCall } from './refused';
import { connectorFixtures } from './connector-calls';
import { imported, suspendedConnector, TICKETS } from '../documents/connector-invokers';
import { unique } from '../service/harness';
import type { TestService } from '../service/harness';
import { MASTER_PASSWORD } from '../service/master-password';
import { pictureForm } from './rest-calls';
import type { CallRefusal } from './rest-calls';

const headers = { 'X-Master-Password': MASTER_PASSWORD };

/** Rejected connector requests with status and code. Each is created on demand, in this order. */
export async function* connectorRefusals(service: TestService): AsyncGenerator<CallRefusal> {
  const { body, connector } = connectorFixtures(service);
  const { requestData } = (await body()) as { requestData: Record<string, string> };
  for (const [request, more] of [
    ['GET /api/connector/{id}', {}],
    ['PUT /api/connector/{id}', { body: {} }],
    ['DELETE /api/connector/{id}', {}],
    ['PUT /api/connector/{id}/required-data', { body: {}, headers }],
    ['POST /api/connector/{id}/icon', { body: pictureForm({}) }],
    ['DELETE /api/connector/{id}/icon', {}],
    ['POST /api/connector/{id}/graphql-schema', { headers }],
    ['POST /api/connector/{id}/confirm', { headers }],
    ['POST /api/storage/connector', { body: pictureForm({ connectorId: String(ABSENT) }) }],
    ['PUT /api/connector/list/delete', { body: { identifiers: [ABSENT] } }],
    ['POST /api/connector/check', { body: { connectorId: ABSENT } }],
    ['POST /api/connector/{id}/status/refresh', {}],
  ] as const)
    yield refusedCall(404, 'CONNECTOR_NOT_FOUND', request, more);

  const unknown = {
    title: unique('lost'),
    fromConnector: {
      methods: [
        {
          id: 'm',
          index: '0',
          name: 'Test',
          color: '#FFCFB5',
          methodType: 'CONNECTOR',
          connector: { connectorId: ABSENT },
          request: { endpoint: '{url}', method: 'GET' },
        },
      ],
    },
  };
  const workflow = (
    await service.api('POST', '/api/connection', { body: { title: unique('empty') } })
  ).body.connectionId as number;
  yield refusedCall(400, 'CONNECTOR_NOT_FOUND', 'POST /api/connection', { body: unknown });
  yield refusedCall(
    400,
    'CONNECTOR_NOT_FOUND',
    'PUT /api/connection/{id}',
    { body: unknown },
    workflow,
  );

  const title = unique('taken');
  const id = await connector({ title });
  const other = await connector();
  const noPicture = pictureForm({ connectorId: String(id) }, new Blob(['no picture']));
  yield refusedCall(
    500,
    'WRONG_FORMAT',
    'POST /api/connector/{id}/icon',
    { body: pictureForm({}, new Blob(['no picture'])) },
    id,
  );
  yield refusedCall(500, 'WRONG_FORMAT', 'POST /api/storage/connector', { body: noPicture });

  const saving: readonly (readonly [object, number, string])[] = [
    [{ title }, 409, 'CONNECTOR_ALREADY_EXISTS'],
    [{ invoker: { name: 'Unknown' } }, 404, 'INVOKER_NOT_FOUND'],
    [{ title: ' ' }, 400, 'TITLE_INVALID'],
    [{ timeout: -1 }, 400, 'TIMEOUT_INVALID'],
    [{ description: 'x'.repeat(2_049) }, 400, 'TEXT_TOO_LONG'],
  ];
  const wrongFields: readonly (readonly [Record<string, string>, string])[] = [
    [{ pin: '1' }, 'REQUIRED_DATA_UNKNOWN'],
    [{ token: '\ud800' }, 'TEXT_INVALID'],
    [{ token: 'x'.repeat(65_537) }, 'TEXT_TOO_LONG'],
  ];
  for (const [more, status, code] of saving) {
    yield refusedCall(status, code, 'POST /api/connector', { body: await body(more) });
    yield refusedCall(status, code, 'PUT /api/connector/{id}', { body: more }, other);
  }
  for (const [fields, code] of wrongFields) {
    yield refusedCall(400, code, 'POST /api/connector', {
      body: await body({ requestData: { ...requestData, ...fields } }),
    });
    yield refusedCall(
      400,
      code,
      'PUT /api/connector/{id}',
      { body: { requestData: fields } },
      other,
    );
    yield refusedCall(
      400,
      code,
      'PUT /api/connector/{id}/required-data',
      { body: fields, headers },
      other,
    );
    yield refusedCall(400, code, 'POST /api/connector/check', {
      body: { connectorId: other, requestData: fields },
    });
  }
  yield refusedCall(400, 'REQUIRED_DATA_MISSING', 'POST /api/connector', {
    body: await body({ requestData: { url: 'x' } }),
  });
  const plain = await imported(service);
  yield refusedCall(
    400,
    'REQUIRED_DATA_MISSING',
    'PUT /api/connector/{id}',
    { body: { invoker: { name: plain } } },
    other,
  );
  const more = await imported(service);
  const grown = await connector({ invoker: { name: more } });
  // The invoker was replaced by another one with the same name.
  await service.api('DELETE', `/api/invoker/${encodeURIComponent(more)}/force`);
  for (const name of ['graphql-schema', 'confirm'])
    yield refusedCall(
      404,
      'INVOKER_NOT_FOUND',
      `POST /api/connector/{id}/${name}`,
      { headers },
      grown,
    );
  await imported(service, { ...TICKETS, fields: [...TICKETS.fields, { name: 'mandant' }] }, more);
  yield refusedCall(
    400,
    'REQUIRED_DATA_MISSING',
    'PUT /api/connector/{id}/required-data',
    { body: { token: 'x' }, headers },
    grown,
  );
  yield refusedCall(
    400,
    'OPERATION_NOT_GRAPHQL',
    'POST /api/connector/{id}/graphql-schema',
    { headers },
    grown,
  );

  yield refusedCall(404, 'INVOKER_NOT_FOUND', 'POST /api/connector/check', {
    body: { invoker: { name: 'Unknown' } },
  });
  yield refusedCall(400, 'TIMEOUT_INVALID', 'POST /api/connector/check', {
    body: { connectorId: other, timeout: -1 },
  });
  const lost = await connector({ requestData: { ...requestData, url: `${service.url}/nowhere` } });
  yield refusedCall(500, 'COMMUNICATION_FAILED', 'POST /api/connector/check', {
    body: { connectorId: lost },
  });
  yield refusedCall(
    500,
    'COMMUNICATION_FAILED',
    'POST /api/connector/{id}/graphql-schema',
    { headers },
    lost,
  );

  yield refusedCall(
    400,
    'CREDENTIALS_NEED_CONFIRMATION',
    'PUT /api/connector/{id}',
    { body: { requestData: { url: 'http://127.0.0.3:9' } } },
    other,
  );
  const suspended = await suspendedConnector(service, {
    ...TICKETS,
    operations: [
      {
        name: 'Query',
        type: 'test',
        method: 'POST',
        endpoint: '{url}/graphql',
        header: { Authorization: '{token}' },
        body: '<body type="object" format="json" data="graphql"/>',
      },
    ],
  });
  yield refusedCall(400, 'CREDENTIALS_NEED_CONFIRMATION', 'POST /api/connector/check', {
    body: { connectorId: suspended },
  });
  yield refusedCall(
    400,
    'CREDENTIALS_NEED_CONFIRMATION',
    'POST /api/connector/{id}/status/refresh',
    {},
    suspended,
  );
  yield refusedCall(
    400,
    'CREDENTIALS_NEED_CONFIRMATION',
    'POST /api/connector/{id}/graphql-schema',
    { headers },
    suspended,
  );

  await service.api('POST', '/api/connection', {
    body: {
      title: unique('uses it'),
      fromConnector: {
        methods: [
          {
            id: 'm',
            index: '0',
            name: 'Test',
            color: '#FFCFB5',
            methodType: 'CONNECTOR',
            connector: { connectorId: id, title },
            request: { endpoint: '{url}', method: 'GET' },
          },
        ],
      },
    },
  });
  yield refusedCall(409, 'CONNECTOR_IN_USE', 'DELETE /api/connector/{id}', {}, id);
  yield refusedCall(409, 'CONNECTOR_IN_USE', 'PUT /api/connector/list/delete', {
    body: { identifiers: [id] },
  });

  const guarded: readonly (readonly [request: string, body?: unknown])[] = [
    ['GET /api/connector/all'],
    ['GET /api/connector/{id}'],
    ['POST /api/connector', await body()],
    ['PUT /api/connector/{id}', {}],
    ['PUT /api/connector/{id}/required-data', {}],
    ['POST /api/connector/{id}/graphql-schema'],
    ['POST /api/connector/{id}/confirm'],
    ['GET /api/connector/master-password/status'],
  ];
  const wrong = { 'X-Master-Password': 'wrong' };
  for (const [request, sent] of guarded) {
    const { token } = await service.userWith([
      'CONNECTOR:READ',
      'CONNECTOR:CREATE',
      'CONNECTOR:UPDATE',
    ]);
    yield refusedCall(
      403,
      'MASTER_PASSWORD_WRONG',
      request,
      { body: sent, token, headers: wrong },
      id,
    );
    for (let failures = 1; failures < 5; failures += 1)
      await service.api('GET', '/api/connector/master-password/status', { token, headers: wrong });
    yield refusedCall(429, 'TOO_MANY_ATTEMPTS', request, { body: sent, token, headers }, id);
  }
}
