import { ApolloServer, HeaderMap } from '@apollo/server';
import type { ApolloServerPlugin, GraphQLResponse } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import { OperationTypeNode, parse } from 'graphql';
import type { DocumentNode, GraphQLError, GraphQLSchema } from 'graphql';
import type { Logger } from '../log/logger';
import { apiError, statusOf } from './operations/error-format';
import type { Outcome, SentError, WrittenAnswer } from './operations/error-format';
import type { Caller, PreparedOperation, RejectedOperation } from './operations/caller';
import type { GraphqlExecutor } from './operations/executor';
import { WrittenData } from './plans/text';
import { documentCacheOf } from './operations/read-operation';
import type { OperationRequest } from './operations/read-operation';

export interface Progress {
  prepared?: PreparedOperation | RejectedOperation;
  /** The answer; missing if Apollo refused the request before it was an operation. */
  answer?: WrittenAnswer;
  /**
   * Nothing was executed because the document or the variables are invalid: 400, or 200 for clients
   * that know only plain JSON.
   */
  malformed?: boolean;
}

/** Context of one HTTP request in Apollo, which copies it: changes go into `progress`. */
export interface HttpOperation {
  readonly caller: Caller;
  readonly progress: Progress;
}

/**
 * Placeholder for a refused document: Apollo processes it up to the point where our answer is
 * returned, and never runs it.
 */
const REFUSED_DOCUMENT: DocumentNode = parse('{ __typename }');

/**
 * Apollo implements GraphQL over HTTP: methods, media types, CSRF prevention. Validation and
 * execution are in `GraphqlExecutor`, shared with the sockets, so that Apollo finds each document already
 * valid in its store and gets each answer from a plugin.
 */
export function createApollo(
  schema: GraphQLSchema,
  executor: GraphqlExecutor,
  introspection: boolean,
  log: Logger,
): ApolloServer<HttpOperation> {
  return new ApolloServer<HttpOperation>({
    schema,
    introspection,
    hideSchemaDetailsFromClientErrors: !introspection,
    csrfPrevention: true,
    allowBatchedHttpRequests: false,
    persistedQueries: false,
    stopOnTerminationSignals: false,
    includeStacktraceInErrorResponses: false,
    logger: {
      debug: (text: string) => log.debug(text),
      info: (text: string) => log.debug(text),
      warn: (text: string) => log.warn(text),
      error: (text: string) => log.error(text),
    },
    documentStore: {
      get: (key) =>
        Promise.resolve(documentCacheOf(schema).get(key.slice(-64))?.document ?? REFUSED_DOCUMENT),
      set: () => Promise.resolve(),
      delete: () => Promise.resolve(false),
    },
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
      ApolloServerPluginSchemaReportingDisabled(),
      ApolloServerPluginInlineTraceDisabled(),
      executionPlugin(executor),
    ],
  });
}

function executionPlugin(executor: GraphqlExecutor): ApolloServerPlugin<HttpOperation> {
  return {
    async requestDidStart() {
      return {
        async didResolveSource({ source, request, contextValue }) {
          const { caller, progress } = contextValue;
          progress.prepared = await executor.prepare(
            { query: source, variables: request.variables, operationName: request.operationName },
            caller,
          );
        },
        async responseForOperation({ source = '', request, contextValue }) {
          const operation = {
            query: source,
            variables: request.variables,
            operationName: request.operationName,
          };
          const { caller, progress } = contextValue;
          const outcome = await execute(
            executor,
            operation,
            contextValue,
            request.http?.method === 'GET',
          );
          progress.answer = await executor.write(outcome, caller.origin.requestId);
          return toResponse(progress.answer.outcome, progress);
        },
      };
    },
  };
}

async function execute(
  executor: GraphqlExecutor,
  request: OperationRequest,
  { caller, progress }: HttpOperation,
  readOnly: boolean,
): Promise<Outcome> {
  const prepared = progress.prepared ?? (await executor.prepare(request, caller));
  if (prepared.verdict !== 'valid') {
    progress.malformed = prepared.verdict === 'malformed';
    return prepared.outcome;
  }
  const refused = (error: GraphQLError): Outcome => ({
    errors: executor.formatErrors([error], caller.origin.requestId),
  });
  const { operation } = prepared.operation;
  if (operation === OperationTypeNode.SUBSCRIPTION)
    return refused(
      apiError(
        'BAD_REQUEST',
        'Subscriptions go over a WebSocket with the subprotocol graphql-transport-ws.',
      ),
    );
  if (readOnly && operation !== OperationTypeNode.QUERY)
    return refused(apiError('BAD_REQUEST', 'GET is for queries.'));
  const outcome = await executor.run(prepared, request, caller);
  progress.malformed =
    outcome.data === undefined && outcome.errors?.[0]?.extensions.code === 'BAD_USER_INPUT';
  return outcome;
}

/** Nothing was executed: because of an internal error, or because the request is invalid. */
const statusWithoutData = ([first]: readonly SentError[]): number =>
  first?.extensions.code === 'INTERNAL_SERVER_ERROR' ? 500 : 400;

/**
 * Passes only the status to Apollo, since the answer is already written. An answer with some data
 * is a 200, with its errors next to the data.
 */
function toResponse(outcome: Outcome, { malformed }: Progress): GraphQLResponse {
  const headers = new HeaderMap();
  const { data, errors = [] } = outcome;
  const broughtSomething =
    data instanceof WrittenData
      ? data.hasValues
      : data != null && Object.values(data).some((value) => value !== null);
  const said = broughtSomething || errors.length === 0 ? null : statusOf(errors);
  if (said?.retryAfter !== undefined) headers.set('retry-after', String(said.retryAfter));
  const status =
    said?.status ?? (data === undefined || malformed ? statusWithoutData(errors) : undefined);
  return { http: { status, headers }, body: { kind: 'single', singleResult: {} } };
}
