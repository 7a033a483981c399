import type { z } from 'zod';
import { presenter } from '../../platform/http/presenters';
import type { Presenter } from '../../platform/http/presenters';
import { fileUrl } from '../groups/group.presenter';
import type { Invoker } from '../invokers/invoker';
import { presentInvoker } from '../invokers/invoker.presenter';
import type { CheckOutcome } from './check/connector-check';
import type { ConnectorField } from './connector-fields';
import type { ConnectorRecord } from './connector.model';
import { CheckBody, ConnectorBody } from './connector.schema';

/** A connector with its visible fields and its invoker, if that exists. */
export interface ShownConnector {
  readonly record: ConnectorRecord;
  readonly fields: readonly ConnectorField[];
  readonly invoker: Invoker | null;
}

/** REST representations of connectors. The string is the base URL of the request. */
export interface ConnectorPresenters {
  readonly one: Presenter<[ShownConnector, string]>;
  readonly list: Presenter<[AsyncIterable<ShownConnector>, string]>;
  readonly check: Presenter<[CheckOutcome]>;
}

declare module '../../platform/http/presenters' {
  interface Presenters {
    readonly connectors: ConnectorPresenters;
  }
}

type Body = z.output<typeof ConnectorBody>;

const one = ({ record, fields, invoker }: ShownConnector, baseUrl: string): Body => ({
  connectorId: record._id,
  title: record.title,
  description: record.description,
  icon: fileUrl(record.icon, baseUrl),
  invoker: invoker
    ? presentInvoker(invoker)
    : { name: record.invoker, requiredData: {}, operations: [] },
  sslCert: record.sslCert,
  keepCookies: record.keepCookies ?? false,
  timeout: record.timeout,
  requestData: Object.fromEntries(
    fields.flatMap(({ name, value }) => (value === null ? [] : [[name, value]])),
  ),
  suspended: fields.flatMap(({ name, suspended, unconfirmedOrigins }) =>
    suspended ? [{ field: name, origins: [...unconfirmedOrigins] }] : [],
  ),
  lastCheck: record.lastCheck && {
    at: record.lastCheck.at.getTime(),
    status: record.lastCheck.status,
    error: record.lastCheck.error,
  },
});

async function* each(
  connectors: AsyncIterable<ShownConnector>,
  baseUrl: string,
): AsyncGenerator<Body, void, void> {
  for await (const connector of connectors) yield one(connector, baseUrl);
}

/** Released-lines 2.7.1 and 2.7.2: the documented dialect has no representations of its own. */
export const documentedConnectors: ConnectorPresenters = {
  one: presenter(ConnectorBody, one),
  list: presenter(ConnectorBody.array(), each),
  check: presenter(CheckBody, ({ status, error }: CheckOutcome) => ({
    status,
    ...(error !== null && { error }),
  })),
};
