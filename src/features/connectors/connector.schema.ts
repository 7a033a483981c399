import { z } from 'zod';
import { BodyId, requiring } from '../../platform/http/scalars';
import type { CheckRequest } from './connector-check';
import { Settings } from './connector.presenter';
import { FIELD_NAMES } from './connector.rules';
import type { ConnectorChange, GivenField } from './connector.rules';

const Fields = z.record(z.string(), z.string().nullable()).meta({
  description:
    "Credentials by the names of the invoker's required data. A field that is missing or null keeps its value.",
});

/** A connector that a client sends. Only the name of the invoker is read. */
export const ConnectorInput = z
  .object({
    connectorId: BodyId.nullish(),
    title: z.string().nullish(),
    description: z.string().nullish(),
    invoker: z
      .object({ name: z.string() })
      .nullish()
      .meta({ description: 'Only the name of the invoker is read.' }),
    sslCert: Settings.sslCert.nullish(),
    keepCookies: Settings.keepCookies.nullish(),
    timeout: Settings.timeout.nullish(),
    requestData: Fields.nullish(),
  })
  .meta({ id: 'ConnectorInput' });

export const NewConnectorInput = requiring(ConnectorInput, 'title', 'invoker').meta({
  id: 'NewConnector',
});

/** Released-lines A.6. */
export const RequiredData = Fields.meta({ id: 'RequiredDataInput' });

/** Names in REST bodies that differ from those of the service. */
export const SENT_AS = [
  [['invoker'], ['invoker', 'name']],
  [[FIELD_NAMES], ['requestData']],
] as const;

export const givenFields = (
  fields: z.output<typeof Fields> | null | undefined,
): GivenField[] | undefined =>
  fields == null
    ? undefined
    : Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : [{ name, value }]));

export const connectorChange = ({
  title,
  description,
  invoker,
  sslCert,
  keepCookies,
  timeout,
  requestData,
}: z.output<typeof ConnectorInput>): ConnectorChange => ({
  title: title ?? undefined,
  description,
  invoker: invoker?.name,
  sslCert: sslCert ?? undefined,
  keepCookies: keepCookies ?? undefined,
  timeout: timeout ?? undefined,
  requestData: givenFields(requestData),
});

/** Converts a body to a check request; connector id 0 means none. */
export function checkRequest(body: z.output<typeof ConnectorInput>): CheckRequest {
  const { invoker, sslCert, timeout, requestData } = connectorChange(body);
  return { connectorId: body.connectorId || null, invoker, sslCert, timeout, requestData };
}
