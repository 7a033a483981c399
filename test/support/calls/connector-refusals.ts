import { connectorFixtures } from './connector-calls';
import { imported, suspendedConnector, TICKETS } from '../documents/connector-invokers';
import { unique } from '../service/harness';
import type { TestService } from '../service/harness';
import { MASTER_PASSWORD } from '../service/master-password';
import { ABSENT } from './refusal';
import { pictureForm } from './rest-calls';
import type { Call, CallRefusal } from './rest-calls';

const headers = { 'X-Master-Password': MASTER_PASSWORD };

/** A rejected request for an operation such as `GET /api/connector/{id}`, by default with the id of no connector. */
function refused(
  operation: string,
  status: number,
  code: string,
  { id = ABSENT, ...call }: Omit<Call, 'path'> & { readonly id?: number } = {},
): CallRefusal {
  const [method, described] = operation.split(' ');
  const path = described.replace('{id}', String(id));
  return [method, described, { ...call, path }, status, code];
}

/** Rejected connector requests with status and code. Each is created on demand, in this order. */
export async function* connectorRefusals(service: TestService): AsyncGenerator<CallRefusal> {
  const { body, connector } = connectorFixtures(service);
  const { requestData } = (await body()) as { requestData: Record<string, string> };
  for (const [operation, more] of [
    ['GET /api/connector/{id}', {}],
    ['PUT /api/connector/{id}', { body: {} }],
    ['DELETE /api/connector/{id}', {}],
    ['PUT /api/connector/{id}/required-data', { body: {}, headers }],
    ['POST /api/connector/{id}/icon', { body: pictureForm({}) }],
    ['DELETE /api/connector/{id}/icon', {}],
    ['POST /api/connector/{id}/graphql-schema', { headers }],
    ['POST /api/connector/{id}/confirm', { headers }],
    ['POST /api/connector/{id}/status/refresh', {}],
    ['POST /api/storage/connector', { body: pictureForm({ connectorId: String(ABSENT) }) }],
    ['PUT /api/connector/list/delete', { body: { identifiers: [ABSENT] } }],
    ['POST /api/connector/check', { body: { connectorId: ABSENT } }],
  ] as const)
    yield refused(operation, 404, 'CONNECTOR_NOT_FOUND', more);

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
  yield refused('POST /api/connection', 400, 'CONNECTOR_NOT_FOUND', { body: unknown });
  yield refused('PUT /api/connection/{id}', 400, 'CONNECTOR_NOT_FOUND', {
    id: workflow,
    body: unknown,
  });

  const title = unique('taken');
  const id = await connector({ title });
  const other = await connector();
  const noPicture = pictureForm({ connectorId: String(id) }, new Blob(['no picture']));
  yield refused('POST /api/connector/{id}/icon', 500, 'WRONG_FORMAT', {
    id,
    body: pictureForm({}, new Blob(['no picture'])),
  });
  yield refused('POST /api/storage/connector', 500, 'WRONG_FORMAT', { body: noPicture });

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
    yield refused('POST /api/connector', status, code, { body: await body(more) });
    yield refused('PUT /api/connector/{id}', status, code, { id: other, body: more });
  }
  for (const [fields, code] of wrongFields) {
    yield refused('POST /api/connector', 400, code, {
      body: await body({ requestData: { ...requestData, ...fields } }),
    });
    yield refused('PUT /api/connector/{id}', 400, code, {
      id: other,
      body: { requestData: fields },
    });
    yield refused('PUT /api/connector/{id}/required-data', 400, code, {
      id: other,
      body: fields,
      headers,
    });
    yield refused('POST /api/connector/check', 400, code, {
      body: { connectorId: other, requestData: fields },
    });
  }
  yield refused('POST /api/connector', 400, 'REQUIRED_DATA_MISSING', {
    body: await body({ requestData: { url: 'x' } }),
  });
  const plain = await imported(service);
  yield refused('PUT /api/connector/{id}', 400, 'REQUIRED_DATA_MISSING', {
    id: other,
    body: { invoker: { name: plain } },
  });
  const more = await imported(service);
  const grown = await connector({ invoker: { name: more } });
  // The invoker was replaced by another one with the same name.
  await service.api('DELETE', `/api/invoker/${encodeURIComponent(more)}/force`);
  for (const name of ['graphql-schema', 'confirm'])
    yield refused(`POST /api/connector/{id}/${name}`, 404, 'INVOKER_NOT_FOUND', {
      id: grown,
      headers,
    });
  await imported(service, { ...TICKETS, fields: [...TICKETS.fields, { name: 'mandant' }] }, more);
  yield refused('PUT /api/connector/{id}/required-data', 400, 'REQUIRED_DATA_MISSING', {
    id: grown,
    body: { token: 'x' },
    headers,
  });
  yield refused('POST /api/connector/{id}/graphql-schema', 400, 'OPERATION_NOT_GRAPHQL', {
    id: grown,
    headers,
  });

  yield refused('POST /api/connector/check', 404, 'INVOKER_NOT_FOUND', {
    body: { invoker: { name: 'Unknown' } },
  });
  yield refused('POST /api/connector/check', 400, 'TIMEOUT_INVALID', {
    body: { connectorId: other, timeout: -1 },
  });
  const lost = await connector({ requestData: { ...requestData, url: `${service.url}/nowhere` } });
  yield refused('POST /api/connector/check', 500, 'COMMUNICATION_FAILED', {
    body: { connectorId: lost },
  });
  yield refused('POST /api/connector/{id}/graphql-schema', 500, 'COMMUNICATION_FAILED', {
    id: lost,
    headers,
  });

  yield refused('PUT /api/connector/{id}', 400, 'CREDENTIALS_NEED_CONFIRMATION', {
    id: other,
    body: { requestData: { url: 'http://127.0.0.3:9' } },
  });
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
  yield refused('POST /api/connector/check', 400, 'CREDENTIALS_NEED_CONFIRMATION', {
    body: { connectorId: suspended },
  });
  yield refused('POST /api/connector/{id}/status/refresh', 400, 'CREDENTIALS_NEED_CONFIRMATION', {
    id: suspended,
  });
  yield refused('POST /api/connector/{id}/graphql-schema', 400, 'CREDENTIALS_NEED_CONFIRMATION', {
    id: suspended,
    headers,
  });

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
  yield refused('DELETE /api/connector/{id}', 409, 'CONNECTOR_IN_USE', { id });
  yield refused('PUT /api/connector/list/delete', 409, 'CONNECTOR_IN_USE', {
    body: { identifiers: [id] },
  });

  const guarded: readonly (readonly [method: string, described: string, call: Call])[] = [
    ['GET', '/api/connector/all', { path: '/api/connector/all' }],
    ['GET', '/api/connector/{id}', { path: `/api/connector/${id}` }],
    ['POST', '/api/connector', { path: '/api/connector', body: await body() }],
    ['PUT', '/api/connector/{id}', { path: `/api/connector/${id}`, body: {} }],
    [
      'PUT',
      '/api/connector/{id}/required-data',
      { path: `/api/connector/${id}/required-data`, body: {} },
    ],
    ['POST', '/api/connector/{id}/graphql-schema', { path: `/api/connector/${id}/graphql-schema` }],
    ['POST', '/api/connector/{id}/confirm', { path: `/api/connector/${id}/confirm` }],
    [
      'GET',
      '/api/connector/master-password/status',
      { path: '/api/connector/master-password/status' },
    ],
  ];
  const wrong = { 'X-Master-Password': 'wrong' };
  for (const [method, described, call] of guarded) {
    const { token } = await service.userWith([
      'CONNECTOR:READ',
      'CONNECTOR:CREATE',
      'CONNECTOR:UPDATE',
    ]);
    yield [method, described, { ...call, token, headers: wrong }, 403, 'MASTER_PASSWORD_WRONG'];
    for (let failures = 1; failures < 5; failures += 1)
      await service.api('GET', '/api/connector/master-password/status', { token, headers: wrong });
    yield [method, described, { ...call, token, headers }, 429, 'TOO_MANY_ATTEMPTS'];
  }
}
