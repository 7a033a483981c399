import { z } from 'zod';
import { AnswerId, BodyId, requiring } from '../../platform/http/scalars';
import { InvokerShape } from '../invokers/invoker.schema';
import { CONNECTOR_LIMITS, FIELD_NAMES } from './connector.rules';
import type { GivenField } from './connector.rules';
import type { ConnectorChange } from './connector-saving';
import type { CheckRequest } from './check/connector-check';

const Fields = z.record(z.string(), z.string().nullable()).meta({
  description:
    "Credentials by the names of the invoker's required data. A field that is missing or null keeps its value.",
});

const LastCheck = z
  .object({
    at: z.int().meta({ description: 'When, in milliseconds since the epoch.' }),
    status: z
      .string()
      .meta({ description: 'As the check answered it, or `COMMUNICATION_FAILED`.' }),
    error: z.string().nullable(),
  })
  .meta({ id: 'ConnectorLastCheck' });

const SuspendedField = z
  .object({
    field: z.string(),
    origins: z.array(z.string()).meta({
      description: 'Where the value was not entered for; without what only hidden fields name.',
    }),
  })
  .meta({ id: 'SuspendedField' });

const switches = {
  keepCookies: z.boolean().meta({
    description:
      'True: cookies that the remote system sets are sent with later calls of the same run.',
  }),
  sslCert: z.boolean().meta({ description: 'True switches the validation of certificates off.' }),
  timeout: z.int().meta({
    minimum: 0,
    maximum: CONNECTOR_LIMITS.timeout,
    description: 'Longest a call may take, in milliseconds; 0 is the configured time-out.',
  }),
};

/** Released-lines 2.7.1. */
export const ConnectorBody = z
  .object({
    connectorId: AnswerId,
    title: z.string(),
    description: z.string(),
    icon: z.string().meta({ format: 'uri', description: 'Where the icon is.' }).nullable(),
    invoker: InvokerShape,
    ...switches,
    requestData: z.record(z.string(), z.string()).meta({
      description:
        'The stored credentials whose visibility is public; all of them for the master password.',
    }),
    suspended: z.array(SuspendedField).meta({
      description:
        'Stored values that would be sent to origins they were not entered for. They are sent nowhere until they are entered again or confirmed.',
    }),
    lastCheck: LastCheck.nullable().meta({
      description:
        'What the newest check of what is stored has found; null: none since it was changed.',
    }),
  })
  .meta({ id: 'Connector', description: 'A remote system and the credentials for it.' });

/** A connector that a client sends. Only the name of the invoker is read. */
export const ConnectorInput = z
  .object({
    connectorId: BodyId.nullish(),
    title: z.string().nullish(),
    description: z.string().nullish(),
    invoker: z
      .object({ name: z.string() })
      .nullish()
      .meta({ description: 'Of the invoker only the name is read.' }),
    sslCert: switches.sslCert.nullish(),
    keepCookies: switches.keepCookies.nullish(),
    timeout: switches.timeout.nullish(),
    requestData: Fields.nullish(),
  })
  .meta({ id: 'ConnectorInput' });

export const NewConnectorInput = requiring(ConnectorInput, 'title', 'invoker').meta({
  id: 'NewConnector',
});

/** Released-lines A.6. */
export const RequiredData = Fields.meta({ id: 'RequiredDataInput' });

/** Released-lines 2.7.2. */
export const CheckBody = z
  .object({
    status: z.enum(['200', '401', '401 UNAUTHORIZED']),
    error: z.string().optional(),
  })
  .meta({
    id: 'ConnectorCheck',
    description: 'What the remote system says about the credentials.',
  });

export const RemoteSchemaBody = z.object({ __schema: z.record(z.string(), z.unknown()) }).meta({
  id: 'RemoteGraphqlSchema',
  description: 'The answer of the remote endpoint to the introspection query.',
});

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
export const checkRequest = ({
  connectorId,
  invoker,
  sslCert,
  timeout,
  requestData,
}: z.output<typeof ConnectorInput>): CheckRequest => ({
  connectorId: connectorId || null,
  invoker: invoker?.name,
  sslCert: sslCert ?? undefined,
  timeout: timeout ?? undefined,
  requestData: givenFields(requestData),
});
