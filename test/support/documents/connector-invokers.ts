import type { TestService } from '../service/harness';
import { unique } from '../service/harness';
import { uploadInvoker } from './invokers';

export interface FieldXml {
  readonly name: string;
  readonly visibility?: 'public' | 'protected' | 'private';
  readonly value?: string;
}

export interface OperationXml {
  readonly name: string;
  readonly type?: string;
  readonly method?: string;
  readonly endpoint: string;
  readonly header?: Readonly<Record<string, string>>;
  /** The `<body>` of the request, as XML. */
  readonly body?: string;
  /** The `<body>` of the failure response, as XML. */
  readonly fail?: string;
  /** The responses, as XML, instead of 200 and 401. */
  readonly response?: string;
  /** The pagination, as XML. */
  readonly pagination?: string;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const operationXml = ({
  name,
  type = '',
  method = 'GET',
  endpoint,
  header = {},
  body = '',
  fail = '',
  pagination = '',
  response = `<success status="200"/><fail status="401">${fail}</fail>`,
}: OperationXml): string => `
  <operation name="${escaped(name)}" type="${type}">
    <request><method>${method}</method><endpoint>${escaped(endpoint)}</endpoint>
      <header>${Object.entries(header)
        .map(
          ([key, value]) => `<item name="${escaped(key)}" type="string">${escaped(value)}</item>`,
        )
        .join('')}</header>${body}</request>
    <response>${response}</response>${pagination}
  </operation>`;

/** An invoker like those of released installations. */
export const invokerXml = (
  name: string,
  fields: readonly FieldXml[],
  operations: readonly OperationXml[],
): string => `<?xml version="1.0" encoding="UTF-8"?>
<invoker type="RESTful"><name>${escaped(name)}</name><description/><hint/><icon/><authType>token</authType>
  <requiredData>${fields.map(({ name: field, visibility = 'public', value = '' }) => `<item name="${field}" type="string" visibility="${visibility}">${escaped(value)}</item>`).join('')}</requiredData>
  <operations>${operations.map(operationXml).join('')}</operations>
</invoker>`;

export const TICKETS: {
  readonly fields: readonly FieldXml[];
  readonly operations: readonly OperationXml[];
} = {
  fields: [{ name: 'url' }, { name: 'token', visibility: 'protected' }],
  operations: [
    {
      name: 'GetMe',
      type: 'test',
      endpoint: '{url}/me',
      header: { Authorization: 'Bearer {token}' },
    },
  ],
};

/** Imports an invoker and returns its name. */
export async function imported(
  service: Pick<TestService, 'api'>,
  { fields, operations } = TICKETS,
  name = unique('Tickets '),
): Promise<string> {
  const answer = await service.api('POST', '/api/invoker', {
    body: { xml: invokerXml(name, fields, operations) },
  });
  if (answer.status !== 201) throw new Error(`The invoker was not imported: ${answer.text}`);
  return name;
}

/** Adds a connector of an invoker with the fields of `TICKETS` and returns its id. The default URL does not answer. */
export async function newConnector(
  service: TestService,
  invoker: string,
  requestData: object = { url: 'http://127.0.0.1:1', token: 't' },
): Promise<number> {
  const made = await service.api('POST', '/api/connector', {
    body: { title: unique('Tickets '), invoker: { name: invoker }, requestData },
  });
  if (made.status !== 201) throw new Error(`The connector was not made: ${made.text}`);
  return made.body.connectorId as number;
}

/** A connector with a suspended value, because its invoker now has another origin. */
export async function suspendedConnector(
  service: TestService,
  { fields, operations } = TICKETS,
): Promise<number> {
  const name = await imported(service, { fields, operations });
  const id = await newConnector(service, name, { url: 'http://127.0.0.1:9', token: 'any' });
  const moved = operations.map((operation) => ({
    ...operation,
    endpoint: operation.endpoint.replace('{url}', 'http://127.0.0.2:9'),
  }));
  const replaced = await uploadInvoker(service, invokerXml(name, fields, moved));
  if (replaced.status !== 201) throw new Error(`The invoker was not replaced: ${replaced.text}`);
  return id;
}

/** Creates connectors until one has this id, so that a save can refer to it. */
export async function connectorsUpTo(service: TestService, id: number): Promise<void> {
  for (let last = 0; last < id;) {
    const made = await service.api('POST', '/api/connector', {
      body: { title: unique('Echo '), invoker: { name: 'Echo' }, requestData: { token: 'any' } },
    });
    if (made.status !== 201) throw new Error(`The connector was not made: ${made.text}`);
    last = made.body.connectorId as number;
  }
}
