import { z } from 'zod';
import { BodyId, requiring, wholeNumberIn } from '../../platform/http/scalars';
import type { CheckRequest } from './connector-check';
import { PLACEHOLDER, Settings } from './connector.presenter';
import { CONNECTOR_LIMITS, FIELD_NAMES } from './connector.rules';
import type { ConnectorChange, GivenField } from './connector.rules';

const Fields = z.record(z.string(), z.string().nullable()).meta({
  description:
    "Credentials by the names of the invoker's required data. A field that is missing or null keeps its value.",
});

type SentFields = z.output<typeof Fields>;

/** A connector that a client sends. Only the name of the invoker is read. */
const connectorInput = (timeout: z.ZodType<number>, fields: z.ZodType<SentFields>) =>
  z.object({
    connectorId: BodyId.nullish(),
    title: z.string().nullish(),
    description: z.string().nullish(),
    invoker: z
      .object({ name: z.string() })
      .nullish()
      .meta({ description: 'Only the name of the invoker is read.' }),
    sslCert: Settings.sslCert.nullish(),
    keepCookies: Settings.keepCookies.nullish(),
    timeout: timeout.nullish(),
    requestData: fields.nullish(),
  });

const newConnectorInput = (...of: Parameters<typeof connectorInput>) =>
  requiring(connectorInput(...of), 'title', 'invoker');

/** How one dialect reads connectors. */
interface ConnectorInputs {
  readonly change: ReturnType<typeof connectorInput>;
  readonly check: z.ZodType<z.output<ReturnType<typeof connectorInput>>>;
  readonly creation: ReturnType<typeof newConnectorInput>;
  /** Released-lines A.6. */
  readonly fields: z.ZodType<SentFields>;
}

declare module '../../platform/http/presenters' {
  interface Presenters {
    readonly connectorInputs: ConnectorInputs;
  }
}

const documentedInput = connectorInput(Settings.timeout, Fields).meta({ id: 'ConnectorInput' });

export const documentedConnectorInputs: ConnectorInputs = {
  change: documentedInput,
  check: documentedInput,
  creation: newConnectorInput(Settings.timeout, Fields).meta({ id: 'NewConnector' }),
  fields: Fields.meta({ id: 'RequiredDataInput' }),
};

/**
 * The 4.x client sends an edited timeout as text, empty if the user clears the field; the 5.x client
 * so sends the one to check.
 */
const TimeoutOrText = z.union(
  [Settings.timeout, z.literal('').transform(() => 0), wholeNumberIn(0, CONNECTOR_LIMITS.timeout)],
  { error: 'Expected a whole number.' },
);

/** The clients send the placeholder of a hidden value back, which means that it stays. */
const withoutPlaceholders = (fields: SentFields): SentFields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== PLACEHOLDER));
const FieldsWithPlaceholders = Fields.transform(withoutPlaceholders);
const hasPlaceholder = (fields: SentFields | null | undefined): boolean =>
  Object.values(fields ?? {}).includes(PLACEHOLDER);
const NOTHING_STORED = 'A new connector has no stored value that could stay. Enter the value.';
const FieldsOfNew = Fields.refine((fields) => !hasPlaceholder(fields), NOTHING_STORED);

export const releasedConnectorInputs: ConnectorInputs = {
  change: connectorInput(TimeoutOrText, FieldsWithPlaceholders).meta({
    id: 'ReleasedConnectorInput',
  }),
  check: connectorInput(TimeoutOrText, Fields)
    .refine(({ connectorId, requestData }) => connectorId || !hasPlaceholder(requestData), {
      path: ['requestData'],
      message: NOTHING_STORED,
    })
    .transform((body) => ({
      ...body,
      requestData: body.requestData && withoutPlaceholders(body.requestData),
    }))
    .meta({ id: 'ReleasedConnectorToCheck' }),
  creation: newConnectorInput(TimeoutOrText, FieldsOfNew).meta({ id: 'ReleasedNewConnector' }),
  fields: FieldsWithPlaceholders.meta({ id: 'ReleasedRequiredDataInput' }),
};

/** Names in REST bodies that differ from those of the service. */
export const SENT_AS = [
  [['invoker'], ['invoker', 'name']],
  [[FIELD_NAMES], ['requestData']],
] as const;

export const givenFields = (fields: SentFields | null | undefined): GivenField[] | undefined =>
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
}: z.output<ConnectorInputs['change']>): ConnectorChange => ({
  title: title ?? undefined,
  description,
  invoker: invoker?.name,
  sslCert: sslCert ?? undefined,
  keepCookies: keepCookies ?? undefined,
  timeout: timeout ?? undefined,
  requestData: givenFields(requestData),
});

/** Converts a body to a check request; connector id 0 means none. */
export function checkRequest(body: z.output<ConnectorInputs['check']>): CheckRequest {
  const { invoker, sslCert, timeout, requestData } = connectorChange(body);
  return { connectorId: body.connectorId || null, invoker, sslCert, timeout, requestData };
}
