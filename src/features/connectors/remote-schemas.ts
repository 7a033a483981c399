import { getIntrospectionQuery } from 'graphql';
import type { InvokerFacts, Operation } from '../../engine';
import { RemoteUnauthorized } from '../../engine/connector/conversation';
import type { RemoteAnswer } from '../../engine/connector/remote-answer';
import type { Actor } from '../../platform/access/actor';
import { Refused } from '../../platform/errors/errors';
import { parseJson } from '../../platform/json/parse-json';
import type { Store } from '../../platform/store/store';
import { WorkQueue } from '../../platform/queues';
import type { AuditService } from '../audit/audit.service';
import type { InvokerCatalog } from '../invokers/invoker-catalog';
import type { ConnectorCatalog } from './connector-catalog';
import { auditedConnector } from './connector.model';
import { createSendingRule } from './credentials/consent';
import { CommunicationFailed, Conversation, confirmationNeeded } from './conversation';
import type { Remote } from './conversation';
import type { Credentials } from './credentials/credentials';

declare module '../../platform/context' {
  interface Services {
    remoteSchemas: RemoteSchemas;
  }
}

/** The schemas of large systems have two or three MiB. */
const MAX_SCHEMA_BYTES = 8 * 1024 * 1024;
/** Limits for the parsed response; a schema is wide, never deep. */
const SCHEMA_LIMITS = { depth: 64, values: 500_000, names: 1_000 } as const;
const CALLS = { concurrency: 2, capacity: 20 } as const;

/** The response of a GraphQL endpoint to the introspection query. */
interface RemoteSchema {
  readonly __schema: unknown;
}

/** Reads the schemas of GraphQL endpoints. */
export class RemoteSchemas {
  private readonly queue = new WorkQueue(CALLS);

  constructor(
    private readonly deps: {
      readonly store: Store;
      readonly audit: AuditService;
      readonly catalog: ConnectorCatalog;
      readonly credentials: Credentials;
      readonly invokers: InvokerCatalog;
      readonly remote: Remote;
    },
  ) {}

  /**
   * Fetches the schema of a connector's GraphQL endpoint with the stored credentials. The endpoint
   * is that of the invoker's first operation with a GraphQL body. The caller has checked the master
   * password.
   * @throws NotFound CONNECTOR_NOT_FOUND, INVOKER_NOT_FOUND
   * @throws Refused OPERATION_NOT_GRAPHQL, CREDENTIALS_NEED_CONFIRMATION, COMMUNICATION_FAILED
   */
  async read(actor: Actor, id: number): Promise<RemoteSchema> {
    const { store, audit, catalog, credentials, invokers, remote } = this.deps;
    const record = await catalog.get(id);
    const invoker = await invokers.get(record.invoker, ['id']);
    const operation = graphqlOperation(invoker);
    const suspended = catalog.suspendedOf(record, invoker);
    if (suspended.length > 0) throw confirmationNeeded(record.title, suspended, ['id']);
    const target = { type: 'Connector', id } as const;
    await store.transaction((tx) =>
      audit.record(actor, 'connector.browse', target, null, auditedConnector(record), tx),
    );
    return this.queue.run(async () => {
      const values = credentials.open(record);
      const conversation = new Conversation(remote, {
        invoker,
        values,
        canSend: createSendingRule(record.requestData, record, invoker, values),
        sslCert: record.sslCert,
        timeout: record.timeout,
        maxAnswerBytes: MAX_SCHEMA_BYTES,
      });
      return schemaIn(await introspect(conversation, operation));
    });
  }
}

function graphqlOperation({ name, operations }: InvokerFacts): Operation {
  const operation = operations.find(
    ({ request }) => request.body?.data.toLowerCase() === 'graphql',
  );
  if (!operation)
    throw new Refused(
      'OPERATION_NOT_GRAPHQL',
      `The invoker ${name} has no operation with a GraphQL body.`,
      { path: ['id'] },
    );
  return operation;
}

const QUERY = JSON.stringify({
  query: getIntrospectionQuery({ descriptions: true }),
  operationName: 'IntrospectionQuery',
});

async function introspect(conversation: Conversation, operation: Operation): Promise<RemoteAnswer> {
  try {
    return await conversation.perform(operation, ({ url, headers }) => ({
      method: 'POST',
      url,
      headers: withJsonType(headers),
      body: QUERY,
    }));
  } catch (error) {
    throw error instanceof RemoteUnauthorized
      ? new CommunicationFailed('The remote system answers 401.')
      : error;
  }
}

const withJsonType = (headers: Readonly<Record<string, string>>): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'content-type'),
  ),
  'Content-Type': 'application/json',
});

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

function jsonIn({ bytes }: RemoteAnswer): unknown {
  try {
    return parseJson(bytes, SCHEMA_LIMITS);
  } catch {
    return null;
  }
}

function schemaIn(answer: RemoteAnswer): RemoteSchema {
  if (!answer.isSuccess)
    throw new CommunicationFailed(`The remote system answers ${answer.status}.`);
  const body = jsonIn(answer);
  const schema = isObject(body) && isObject(body.data) ? body.data.__schema : undefined;
  if (!isObject(schema) || !Array.isArray(schema.types))
    throw new CommunicationFailed(
      'The remote system does not answer the introspection query with a schema.',
    );
  return { __schema: schema };
}
