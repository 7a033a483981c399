import { getIntrospectionQuery } from 'graphql';
import { RemoteUnauthorized } from '../../../engine/connector/conversation';
import type { RemoteAnswer } from '../../../engine/connector/remote-answer';
import type { Actor } from '../../../platform/access/actor';
import { NotFound, Refused } from '../../../platform/errors/errors';
import { parseJson } from '../../../platform/json/parse-json';
import type { Outbound } from '../../../platform/outbound';
import type { Store } from '../../../platform/store/store';
import { createWorkQueue } from '../../../platform/queues';
import type { AuditService } from '../../audit/audit.service';
import { recorded } from '../connector.audit';
import type { ConnectorReads } from '../connector-reads';
import type { InvokerFacts, KnownInvokers, Operation } from '../connector.ports';
import { needConfirmation } from '../connector-suspensions';
import type { ConnectorSuspensions } from '../connector-suspensions';
import { sendingRule } from '../consent';
import type { Credentials } from '../credentials';
import type { MasterPasswordService, Presented } from '../master-password.service';
import { CommunicationFailed } from './communication';
import { LONGEST_CHECK_MS } from './connector-check';
import { Conversation } from './conversation';

export interface RemoteSchemaDependencies {
  readonly store: Store;
  readonly audit: AuditService;
  readonly reads: ConnectorReads;
  readonly invokers: KnownInvokers;
  readonly credentials: Credentials;
  readonly suspensions: Pick<ConnectorSuspensions, 'suspendedOf'>;
  readonly outbound: Outbound;
  readonly masterPassword: MasterPasswordService;
  /** Timeout for connectors without their own, ms. */
  readonly timeoutMs: number;
}

/** Maximum size of a response; the schemas of large systems have two or three MiB. */
export const MOST_SCHEMA_BYTES = 8 * 1024 * 1024;
/** Limits for the parsed response; a schema is wide, never deep. */
const SCHEMA_LIMITS = { depth: 64, values: 500_000, names: 1_000 } as const;
const BROWSING = { concurrency: 2, capacity: 20 } as const;

/** The response of a GraphQL endpoint to the introspection query. */
export interface RemoteSchema {
  readonly __schema: unknown;
}

export function createRemoteSchemas({
  store,
  audit,
  reads,
  invokers,
  credentials,
  suspensions,
  outbound,
  masterPassword,
  timeoutMs,
}: RemoteSchemaDependencies) {
  const queue = createWorkQueue(BROWSING);
  return {
    /**
     * Fetches the schema of a connector's GraphQL endpoint with the stored credentials. The
     * endpoint is that of the invoker's first operation with a GraphQL body.
     * @throws Forbidden MASTER_PASSWORD_NOT_SET, MASTER_PASSWORD_WRONG
     * @throws NotFound CONNECTOR_NOT_FOUND, INVOKER_NOT_FOUND
     * @throws Refused OPERATION_NOT_GRAPHQL, CREDENTIALS_NEED_CONFIRMATION, COMMUNICATION_FAILED
     */
    async remoteSchema(actor: Actor, id: number, presented: Presented): Promise<RemoteSchema> {
      await masterPassword.require(actor, presented);
      const record = await reads.get(id);
      const invoker = await invokers.byName(record.invoker);
      if (!invoker)
        throw new NotFound('INVOKER_NOT_FOUND', `There is no invoker ${record.invoker}.`, {
          path: ['id'],
        });
      const operation = graphqlOperation(invoker);
      const suspended = await suspensions.suspendedOf(record, invoker);
      if (suspended.length > 0) throw needConfirmation(record.title, suspended, ['id']);
      await store.transaction((tx) =>
        audit.record(
          actor,
          'connector.browse',
          { type: 'Connector', id },
          null,
          recorded(record),
          tx,
        ),
      );
      const longest = Math.min(record.timeout === 0 ? timeoutMs : record.timeout, LONGEST_CHECK_MS);
      return queue.run(async () => {
        const values = credentials.opened(record);
        const maySend = await sendingRule(record.requestData, record, invoker, values);
        const conversation = new Conversation(outbound, {
          invoker,
          values,
          maySend,
          sslCert: record.sslCert,
          timeoutMs: longest,
          signal: AbortSignal.timeout(longest),
          maxAnswerBytes: MOST_SCHEMA_BYTES,
        });
        return schemaIn(await answerTo(conversation, operation));
      });
    },
  };
}

function graphqlOperation({ name, operations }: InvokerFacts): Operation {
  const operation = operations.find(
    ({ request }) => request.body?.data.toLowerCase() === 'graphql',
  );
  if (!operation)
    throw new Refused(
      'OPERATION_NOT_GRAPHQL',
      `The invoker ${name} has no operation that speaks GraphQL.`,
      { path: ['id'] },
    );
  return operation;
}

const QUERY = JSON.stringify({
  query: getIntrospectionQuery({ descriptions: true }),
  operationName: 'IntrospectionQuery',
});

async function answerTo(conversation: Conversation, operation: Operation): Promise<RemoteAnswer> {
  try {
    return await conversation.perform(operation, ({ url, headers }) => ({
      method: 'POST',
      url,
      headers: asJson(headers),
      body: QUERY,
    }));
  } catch (error) {
    throw error instanceof RemoteUnauthorized
      ? new CommunicationFailed('The remote system answers 401.')
      : error;
  }
}

const asJson = (headers: Readonly<Record<string, string>>): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'content-type'),
  ),
  'Content-Type': 'application/json',
});

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

async function schemaIn(answer: RemoteAnswer): Promise<RemoteSchema> {
  if (!answer.isSuccess)
    throw new CommunicationFailed(`The remote system answers ${answer.status}.`);
  const body = await parseJson(answer.bytes, SCHEMA_LIMITS).catch(() => null);
  const schema = isObject(body) && isObject(body.data) ? body.data.__schema : undefined;
  if (!isObject(schema) || !Array.isArray(schema.types))
    throw new CommunicationFailed(
      'The remote system does not answer the introspection query with a schema.',
    );
  return { __schema: schema };
}
