import { z } from 'zod';
import { Refused } from '../../platform/errors/errors';
import { presenter } from '../../platform/http/presenters';
import type { Presenter } from '../../platform/http/presenters';
import type { Audience } from '../../platform/http/dialects/released-client';
import { AnswerId, AnswerMoment } from '../../platform/http/scalars';
import { fileUrl } from '../groups/group.presenter';
import type { Invoker } from '../invokers/invoker';
import { InvokerShape, presentInvoker } from '../invokers/invoker.presenter';
import type { CheckOutcome } from './connector-check';
import type { ConnectorField } from './connector-fields';
import type { ConnectorRecord } from './connector.model';
import { CommunicationFailed } from './conversation';
import { CONNECTOR_LIMITS } from './connector.rules';

/** Settings that requests and responses have in common. */
export const Settings = {
  keepCookies: z.boolean().meta({
    description:
      'True: cookies that the remote system sets are sent with later calls of the same run.',
  }),
  sslCert: z.boolean().meta({ description: 'True disables the validation of certificates.' }),
  timeout: z.int().meta({
    minimum: 0,
    maximum: CONNECTOR_LIMITS.timeout,
    description: 'Timeout of a call in milliseconds; 0 is the configured timeout.',
  }),
};

const LastCheck = z
  .object({
    at: z.int().meta({ description: 'Time of the check, in milliseconds since the epoch.' }),
    status: z.string().meta({
      description: 'The status in the response of the check, or `COMMUNICATION_FAILED`.',
    }),
    error: z.string().nullable(),
  })
  .meta({ id: 'ConnectorLastCheck' });

const SuspendedField = z
  .object({
    field: z.string(),
    origins: z.array(z.string()).meta({
      description:
        'Origins that the value was not entered for, except those that only hidden fields name.',
    }),
  })
  .meta({ id: 'SuspendedField' });

/** Released-lines 2.7.1. */
const ConnectorBody = z
  .object({
    connectorId: AnswerId,
    title: z.string(),
    description: z.string(),
    icon: z.string().meta({ format: 'uri', description: 'URL of the icon.' }).nullable(),
    invoker: InvokerShape,
    ...Settings,
    requestData: z.record(z.string(), z.string()).meta({
      description: 'The stored public credentials; with the master password, all credentials.',
    }),
    suspended: z.array(SuspendedField).meta({
      description:
        'Stored values that would be sent to origins they were not entered for. They are sent nowhere until they are entered again or confirmed.',
    }),
    lastCheck: LastCheck.nullable().meta({
      description:
        'The latest check of the stored credentials; null if there was none since the last change.',
    }),
  })
  .meta({ id: 'Connector', description: 'A remote system and the credentials for it.' });

/** Released-lines 2.7.2. */
const CheckBody = z
  .object({
    status: z.enum(['200', '401', '401 UNAUTHORIZED']),
    error: z.string().optional(),
  })
  .meta({ id: 'ConnectorCheck', description: 'The result of a check of credentials.' });

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
  readonly check: Presenter<[CheckOutcome | CommunicationFailed, Audience]>;
  readonly states: Presenter<[readonly ConnectorRecord[], string]>;
  readonly state: Presenter<[ConnectorRecord, string]>;
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

/** The state of a connector for the released clients, from its last check. */
const StateShape = {
  status: z.enum(['UP', 'AUTH_FAILED', 'DOWN', 'UNKNOWN']),
  lastTestError: z.string().nullable(),
  lastCheckedAt: AnswerMoment.nullable(),
};

function stateOf({ lastCheck }: ConnectorRecord): z.output<z.ZodObject<typeof StateShape>> {
  if (lastCheck === null) return { status: 'UNKNOWN', lastTestError: null, lastCheckedAt: null };
  const { at, status, error } = lastCheck;
  const failed = status.startsWith('401') ? 'AUTH_FAILED' : 'DOWN';
  return {
    status: status === '200' ? 'UP' : failed,
    lastTestError: error,
    lastCheckedAt: at.getTime(),
  };
}

const StateBody = z
  .object({
    connectorId: AnswerId,
    title: z.string(),
    icon: z.string().meta({ format: 'uri', description: 'URL of the icon.' }).nullable(),
    sslCert: Settings.sslCert,
    timeout: Settings.timeout,
    invoker: z.object({ name: z.string() }),
    ...StateShape,
  })
  .meta({ id: 'ConnectorState', description: 'The state of a connector at its last check.' });

const presentState = (record: ConnectorRecord, baseUrl: string): z.output<typeof StateBody> => ({
  connectorId: record._id,
  title: record.title,
  icon: fileUrl(record.icon, baseUrl),
  sslCert: record.sslCert,
  timeout: record.timeout,
  invoker: { name: record.invoker },
  ...stateOf(record),
});

const states = {
  states: presenter(StateBody.array(), (records: readonly ConnectorRecord[], baseUrl: string) =>
    records.map((record) => presentState(record, baseUrl)),
  ),
  state: presenter(StateBody, presentState),
};

export const documentedConnectors: ConnectorPresenters = {
  ...states,
  one: presenter(ConnectorBody, one),
  list: presenter(ConnectorBody.array(), each),
  check: presenter(CheckBody, (outcome: CheckOutcome | CommunicationFailed) => {
    if (outcome instanceof CommunicationFailed) throw outcome;
    const { status, error } = outcome;
    return { status, ...(error !== null && { error }) };
  }),
};

/** What released clients read in place of a hidden value; its being sent back changes nothing. */
export const PLACEHOLDER = '********';

const ReleasedConnector = ConnectorBody.omit({ lastCheck: true })
  .extend({
    ...StateShape,
    requestData: z.record(z.string(), z.string()).meta({
      description: `The stored credentials; \`${PLACEHOLDER}\` for hidden ones, and sent back it keeps the stored value.`,
    }),
    modifiedAt: AnswerMoment,
  })
  .meta({ id: 'ReleasedConnector' });

/** Computed values are omitted: the clients make an input of every name. */
const presentFields = (fields: readonly ConnectorField[]): Record<string, string> =>
  Object.fromEntries(
    fields
      .filter(({ visibility, stored }) => visibility !== 'private' && stored)
      .map(({ name, value }) => [name, value ?? PLACEHOLDER]),
  );

function presentReleased(
  shown: ShownConnector,
  baseUrl: string,
): z.output<typeof ReleasedConnector> {
  const { lastCheck: _lastCheck, ...same } = one(shown, baseUrl);
  return {
    ...same,
    ...stateOf(shown.record),
    requestData: presentFields(shown.fields),
    modifiedAt: shown.record.updatedAt.getTime(),
  };
}

async function* presentReleasedEach(
  connectors: AsyncIterable<ShownConnector>,
  baseUrl: string,
): AsyncGenerator<z.output<typeof ReleasedConnector>, void, void> {
  for await (const connector of connectors) yield presentReleased(connector, baseUrl);
}

/**
 * The 4.x client compares the status as a number, and shows a failed request instead of a failed
 * check; the 5.x client takes a failed check for done unless the request fails.
 */
function presentReleasedCheck(
  outcome: CheckOutcome | CommunicationFailed,
  { client }: Audience,
): z.output<typeof ReleasedCheck> {
  const is4x = client() === '4.x';
  if (outcome instanceof CommunicationFailed) {
    if (!is4x) throw outcome;
    return { status: '500', message: 'COMMUNICATION_FAILED', error: outcome.message };
  }
  const { status, error } = outcome;
  if (status === '200') return { status };
  if (!is4x)
    throw new Refused(
      'COMMUNICATION_FAILED',
      error ?? 'The remote system rejects the credentials.',
    );
  return { status: '401', ...(error !== null && { error }) };
}

const ReleasedCheck = z
  .object({
    status: z.enum(['200', '401', '500']),
    message: z.literal('COMMUNICATION_FAILED').optional(),
    error: z.string().optional(),
  })
  .meta({ id: 'ReleasedConnectorCheck' });

export const releasedConnectors: ConnectorPresenters = {
  ...states,
  one: presenter(ReleasedConnector, presentReleased),
  list: presenter(ReleasedConnector.array(), presentReleasedEach),
  check: presenter(ReleasedCheck, presentReleasedCheck),
};
