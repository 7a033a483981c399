import { connectorFixtures } from './connector-calls';
import { imported, suspendedConnector, TICKETS } from '../documents/connector-invokers';
import { unique } from '../service/harness';
import type { TestService } from '../service/harness';
import { MASTER_PASSWORD } from '../service/master-password';
import { pictureForm } from './rest-calls';
import type { Call, CallRefusal } from './rest-calls';

const headers = { 'X-Master-Password': MASTER_PASSWORD };
const NOBODY = 4711;

/** Rejected connector requests with status and code. Each is created on demand, in this order. */
export async function* connectorRefusals(service: TestService): AsyncGenerator<CallRefusal> {
  const { body, connector } = connectorFixtures(service);
  const { requestData } = (await body()) as { requestData: Record<string, string> };
  for (const [method, described, more] of [
    ['GET', '/api/connector/{id}', {}],
    ['PUT', '/api/connector/{id}', { body: {} }],
    ['DELETE', '/api/connector/{id}', {}],
    ['PUT', '/api/connector/{id}/required-data', { body: {}, headers }],
    ['POST', '/api/connector/{id}/icon', { body: pictureForm({}) }],
    ['DELETE', '/api/connector/{id}/icon', {}],
    ['POST', '/api/connector/{id}/graphql-schema', { headers }],
    ['POST', '/api/connector/{id}/confirm', { headers }],
  ] as const)
    yield [
      method,
      described,
      { ...more, path: described.replace('{id}', String(NOBODY)) },
      404,
      'CONNECTOR_NOT_FOUND',
    ];
  yield [
    'POST',
    '/api/storage/connector',
    { path: '/api/storage/connector', body: pictureForm({ connectorId: String(NOBODY) }) },
    404,
    'CONNECTOR_NOT_FOUND',
  ];
  yield [
    'PUT',
    '/api/connector/list/delete',
    { path: '/api/connector/list/delete', body: { identifiers: [NOBODY] } },
    404,
    'CONNECTOR_NOT_FOUND',
  ];
  yield [
    'POST',
    '/api/connector/check',
    { path: '/api/connector/check', body: { connectorId: NOBODY } },
    404,
    'CONNECTOR_NOT_FOUND',
  ];
  yield [
    'POST',
    '/api/connector/{id}/status/refresh',
    { path: `/api/connector/${NOBODY}/status/refresh` },
    404,
    'CONNECTOR_NOT_FOUND',
  ];

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
          connector: { connectorId: NOBODY },
          request: { endpoint: '{url}', method: 'GET' },
        },
      ],
    },
  };
  const workflow = (
    await service.api('POST', '/api/connection', { body: { title: unique('empty') } })
  ).body.connectionId as number;
  yield [
    'POST',
    '/api/connection',
    { path: '/api/connection', body: unknown },
    400,
    'CONNECTOR_NOT_FOUND',
  ];
  yield [
    'PUT',
    '/api/connection/{id}',
    { path: `/api/connection/${workflow}`, body: unknown },
    400,
    'CONNECTOR_NOT_FOUND',
  ];

  const title = unique('taken');
  const id = await connector({ title });
  const other = await connector();
  const noPicture = pictureForm({ connectorId: String(id) }, new Blob(['no picture']));
  yield [
    'POST',
    '/api/connector/{id}/icon',
    { path: `/api/connector/${id}/icon`, body: pictureForm({}, new Blob(['no picture'])) },
    500,
    'WRONG_FORMAT',
  ];
  yield [
    'POST',
    '/api/storage/connector',
    { path: '/api/storage/connector', body: noPicture },
    500,
    'WRONG_FORMAT',
  ];

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
    yield [
      'POST',
      '/api/connector',
      { path: '/api/connector', body: await body(more) },
      status,
      code,
    ];
    yield [
      'PUT',
      '/api/connector/{id}',
      { path: `/api/connector/${other}`, body: more },
      status,
      code,
    ];
  }
  for (const [fields, code] of wrongFields) {
    yield [
      'POST',
      '/api/connector',
      { path: '/api/connector', body: await body({ requestData: { ...requestData, ...fields } }) },
      400,
      code,
    ];
    yield [
      'PUT',
      '/api/connector/{id}',
      { path: `/api/connector/${other}`, body: { requestData: fields } },
      400,
      code,
    ];
    yield [
      'PUT',
      '/api/connector/{id}/required-data',
      { path: `/api/connector/${other}/required-data`, body: fields, headers },
      400,
      code,
    ];
    yield [
      'POST',
      '/api/connector/check',
      { path: '/api/connector/check', body: { connectorId: other, requestData: fields } },
      400,
      code,
    ];
  }
  yield [
    'POST',
    '/api/connector',
    { path: '/api/connector', body: await body({ requestData: { url: 'x' } }) },
    400,
    'REQUIRED_DATA_MISSING',
  ];
  const plain = await imported(service);
  yield [
    'PUT',
    '/api/connector/{id}',
    { path: `/api/connector/${other}`, body: { invoker: { name: plain } } },
    400,
    'REQUIRED_DATA_MISSING',
  ];
  const more = await imported(service);
  const grown = await connector({ invoker: { name: more } });
  // The invoker was replaced by another one with the same name.
  await service.api('DELETE', `/api/invoker/${encodeURIComponent(more)}/force`);
  for (const name of ['graphql-schema', 'confirm'])
    yield [
      'POST',
      `/api/connector/{id}/${name}`,
      { path: `/api/connector/${grown}/${name}`, headers },
      404,
      'INVOKER_NOT_FOUND',
    ];
  await imported(service, { ...TICKETS, fields: [...TICKETS.fields, { name: 'mandant' }] }, more);
  yield [
    'PUT',
    '/api/connector/{id}/required-data',
    { path: `/api/connector/${grown}/required-data`, body: { token: 'x' }, headers },
    400,
    'REQUIRED_DATA_MISSING',
  ];
  yield [
    'POST',
    '/api/connector/{id}/graphql-schema',
    { path: `/api/connector/${grown}/graphql-schema`, headers },
    400,
    'OPERATION_NOT_GRAPHQL',
  ];

  yield [
    'POST',
    '/api/connector/check',
    { path: '/api/connector/check', body: { invoker: { name: 'Unknown' } } },
    404,
    'INVOKER_NOT_FOUND',
  ];
  yield [
    'POST',
    '/api/connector/check',
    { path: '/api/connector/check', body: { connectorId: other, timeout: -1 } },
    400,
    'TIMEOUT_INVALID',
  ];
  const lost = await connector({ requestData: { ...requestData, url: `${service.url}/nowhere` } });
  yield [
    'POST',
    '/api/connector/check',
    { path: '/api/connector/check', body: { connectorId: lost } },
    500,
    'COMMUNICATION_FAILED',
  ];
  yield [
    'POST',
    '/api/connector/{id}/graphql-schema',
    { path: `/api/connector/${lost}/graphql-schema`, headers },
    500,
    'COMMUNICATION_FAILED',
  ];

  yield [
    'PUT',
    '/api/connector/{id}',
    { path: `/api/connector/${other}`, body: { requestData: { url: 'http://127.0.0.3:9' } } },
    400,
    'CREDENTIALS_NEED_CONFIRMATION',
  ];
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
  yield [
    'POST',
    '/api/connector/check',
    { path: '/api/connector/check', body: { connectorId: suspended } },
    400,
    'CREDENTIALS_NEED_CONFIRMATION',
  ];
  yield [
    'POST',
    '/api/connector/{id}/status/refresh',
    { path: `/api/connector/${suspended}/status/refresh` },
    400,
    'CREDENTIALS_NEED_CONFIRMATION',
  ];
  yield [
    'POST',
    '/api/connector/{id}/graphql-schema',
    { path: `/api/connector/${suspended}/graphql-schema`, headers },
    400,
    'CREDENTIALS_NEED_CONFIRMATION',
  ];

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
  yield [
    'DELETE',
    '/api/connector/{id}',
    { path: `/api/connector/${id}` },
    409,
    'CONNECTOR_IN_USE',
  ];
  yield [
    'PUT',
    '/api/connector/list/delete',
    { path: '/api/connector/list/delete', body: { identifiers: [id] } },
    409,
    'CONNECTOR_IN_USE',
  ];

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
