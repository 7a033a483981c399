import { ApolloServer } from '@apollo/server';
import type {
  ApolloServerOptionsWithGateway,
  ApolloServerPlugin,
  GraphQLRequestContextWillSendResponse,
  GraphQLRequestListener,
  HTTPGraphQLResponse,
} from '@apollo/server';
import * as disabled from '@apollo/server/plugin/disabled';
import { OperationTypeNode } from 'graphql';
import type { FormattedExecutionResult } from 'graphql';
import type { Limits } from '../../../config/config';
import type { Logger } from '../../log/logger';
import { operationLabel } from '../../metrics/operation-label';
import { writeAnswer } from '../plans/text';
import type { OperationRequest } from '../operations/documents';
import { apiError, statusOf, statusOfAnswer } from '../operations/error-format';
import type { SentError } from '../operations/error-format';
import type { GraphqlExecutor } from '../operations/executor';
import { PLAIN_JSON, PREFLIGHT_HEADERS } from './exchange';
import type { ApolloContext, Exchange, ExecutedOperation } from './exchange';
import { formatForeignError, hasRequestId, isFault, withRequestId } from './foreign-errors';

interface ApolloParts {
  readonly executor: GraphqlExecutor;
  readonly limits: Limits;
  readonly log: Logger;
  /** The plugins of the operator. */
  readonly plugins: readonly ApolloServerPlugin<ApolloContext>[];
}

type Gateway = ApolloServerOptionsWithGateway<ApolloContext>['gateway'];
type GatewayExecutor = NonNullable<Awaited<ReturnType<Gateway['load']>>['executor']>;
type ResponseContext = GraphQLRequestContextWillSendResponse<ApolloContext>;

/**
 * Creates the HTTP side of the gateway: Apollo Server reads requests, prevents CSRF, keeps persisted
 * queries, parses, and calls plugins. The executor, which sockets use as well, checks and executes
 * operations.
 */
export function createApolloServer(parts: ApolloParts): ApolloServer<ApolloContext> {
  const { executor, limits, log, plugins } = parts;
  const { documents } = executor;
  return new ApolloServer<ApolloContext>({
    gateway: createGateway(executor),
    // The executor validates: Apollo Server would apply all rules before it knows the session, once for each document.
    dangerouslyDisableValidation: true,
    parseOptions: { maxTokens: limits.tokens },
    documentStore: storeOf((hash) => documents.withHash(hash)?.document),
    persistedQueries: { cache: storeOf((hash) => documents.withHash(hash)?.text) },
    csrfPrevention: { requestHeaders: PREFLIGHT_HEADERS },
    formatError: formatForeignError,
    stringifyResult: (answer) => {
      try {
        return writeAnswer(answer);
      } catch (err) {
        log.error({ err }, 'fault');
        throw err;
      }
    },
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    logger: log,
    plugins: [
      createOwnPlugin(log),
      // Without these, it would report to Apollo if the environment has a key, and wrap each field for cache hints.
      ...Object.values(disabled).map((disable) => disable()),
      ...plugins,
    ],
  });
}

function createGateway(executor: GraphqlExecutor): Gateway {
  const execute = async ({
    document,
    source,
    request: { operationName, variables, extensions },
    context,
  }: Parameters<GatewayExecutor>[0]): Promise<unknown> => {
    const { exchange } = context as ApolloContext;
    const isPersisted = extensions?.persistedQuery !== undefined;
    const operation = { query: source, document, operationName, variables, isPersisted };
    exchange.executed = await executeRequest(executor, operation, exchange);
    return exchange.executed.outcome;
  };
  return {
    onSchemaLoadOrUpdate: (listener) => {
      listener({ apiSchema: executor.schema, coreSupergraphSdl: '' });
      return () => undefined;
    },
    load: () => Promise.resolve({ executor: execute as GatewayExecutor }),
    stop: () => Promise.resolve(),
  };
}

/** Executes an operation, if HTTP may carry it. Never rejects. */
async function executeRequest(
  executor: GraphqlExecutor,
  request: OperationRequest,
  { caller }: Exchange,
): Promise<ExecutedOperation> {
  const prepared = await executor.prepare(request, caller);
  if (prepared.verdict !== 'valid')
    return { outcome: prepared.outcome, isMalformed: prepared.verdict === 'malformed' };
  if (prepared.operation.operation === OperationTypeNode.SUBSCRIPTION) {
    const error = apiError(
      'BAD_REQUEST',
      'Subscriptions go over a WebSocket with the subprotocol graphql-transport-ws.',
    );
    const errors = executor.formatErrors([error], caller.origin.requestId);
    return { outcome: { errors }, isMalformed: false };
  }
  const outcome = await executor.run(prepared, request, caller);
  return {
    outcome,
    isMalformed:
      outcome.data === undefined && outcome.errors?.[0]?.extensions.code === 'BAD_USER_INPUT',
    label: operationLabel(prepared.operation),
  };
}

/** Finishes answers, and logs faults of Apollo Server and of the other plugins. */
function createOwnPlugin(log: Logger): ApolloServerPlugin<ApolloContext> {
  const logFault = (err: Error, { requestId }: ApolloContext): void =>
    log.error({ err, requestId }, 'fault');
  const listener: GraphQLRequestListener<ApolloContext> = {
    willSendResponse: finishAnswer,
    async didEncounterErrors({ errors, contextValue }) {
      for (const error of errors)
        if (isFault(error)) logFault(error.originalError ?? error, contextValue);
        // Without a status, the errors of plugins are sent with 500.
        else if (!hasRequestId(error))
          error.extensions.http ??= { status: statusOf([error as SentError])?.status ?? 400 };
    },
  };
  return {
    requestDidStart: () => Promise.resolve(listener),
    async unexpectedErrorProcessingRequest({ error, requestContext }) {
      logFault(error, requestContext.contextValue);
    },
  };
}

/** Sets status and headers, and the request id of errors that the executor did not raise. */
function finishAnswer({ contextValue: { exchange }, response }: ResponseContext): Promise<void> {
  const { http, body } = response;
  const { caller, mediaType, executed } = exchange;
  if (body.kind === 'single') {
    const { singleResult } = body;
    // Apollo Server returns only the first error if the document has no operation with the requested name.
    const errors =
      executed?.outcome.errors?.map((error) => error.toJSON()) ??
      withRequestId(singleResult.errors, caller.origin.requestId);
    if (errors) singleResult.errors = errors;
    exchange.code = errors?.[0]?.extensions?.code as string | undefined;
  }
  if (executed) {
    const { status, retryAfter } = statusOfAnswer(executed.outcome, executed.isMalformed);
    http.status = status;
    if (retryAfter !== undefined) http.headers.set('retry-after', String(retryAfter));
  }
  const isMalformed = executed?.isMalformed ?? exchange.code === 'GRAPHQL_PARSE_FAILED';
  if (isMalformed && mediaType === PLAIN_JSON) http.status = 200;
  http.headers.set('content-type', `${mediaType}; charset=utf-8`);
  exchange.headers = http.headers;
  return Promise.resolve();
}

/**
 * Returns the text of an answer. Adds the request id to errors that Apollo Server sends without calling plugins, since it
 * could not execute anything.
 */
export function textOfAnswer({ headers, body }: HTTPGraphQLResponse, exchange: Exchange): string {
  if (body.kind === 'chunked') throw new Error('Answers in parts are not supported.');
  if (headers === exchange.headers) return body.string;
  const refusal = JSON.parse(body.string) as Pick<FormattedExecutionResult, 'errors'>;
  const errors = withRequestId(refusal.errors, exchange.caller.origin.requestId);
  exchange.code = errors?.[0]?.extensions?.code as string | undefined;
  return JSON.stringify({ errors });
}

/**
 * Returns a store of Apollo Server, with a prefix and the SHA-256 of the text as key, that contains the valid documents. It
 * ignores what Apollo Server adds, which is not known to be valid yet.
 */
const storeOf = <Value>(read: (hash: string) => Value | undefined) => ({
  get: (key: string): Promise<Value | undefined> =>
    Promise.resolve(read(key.slice(key.indexOf(':') + 1))),
  set: (): Promise<void> => Promise.resolve(),
  delete: (): Promise<void> => Promise.resolve(),
});
