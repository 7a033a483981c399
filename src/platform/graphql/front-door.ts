import { createSourceEventStream, execute, GraphQLError, Kind } from 'graphql';
import type { DocumentNode, ExecutionArgs, ExecutionResult, FieldNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import type { Config } from '../../config/config';
import { guard } from '../access/need';
import type { Authentication } from '../access/need';
import type { Authenticate, GraphqlContext, Origin, Services, TokenUse } from '../context';
import { DomainError } from '../errors/errors';
import type { Logger } from '../log/logger';
import { DEFAULT_PAGE } from '../store/keyset';
import { createGraphqlContext } from './context';
import { createErrorFormat, doorError } from './error-format';
import type { SentError } from './error-format';
import { LiveResults } from './live-results';
import type { Outcome } from './outcome';
import { declaredNeed, outlivesSession } from './needs';
import { MAX_ERRORS, validateOperation } from './validate-operation';
import type { CheckedOperation, OperationRequest } from './validate-operation';

export interface FrontDoorParts {
  readonly schema: GraphQLSchema;
  readonly config: Pick<Config, 'limits' | 'graphql'>;
  readonly authenticate: Authenticate;
  readonly services: Services;
  readonly log: Logger;
}

/** Who asks, and how he hears that nobody waits any more. */
export interface Caller {
  readonly origin: Origin;
  readonly token: string | undefined;
  /** Default: `operation`. */
  readonly use?: TokenUse;
  /** Aborted when the client is gone or has unsubscribed. */
  readonly gone: AbortSignal;
  readonly setHeader?: (name: string, value: string) => void;
  /** Calls the listener whenever it is known afresh who this is, until told to stop; for callers that stay. */
  readonly watchIdentity?: (listener: (authentication: Authentication) => void) => () => void;
  /** Told who it turned out to be. */
  readonly onAuthenticated?: (authentication: Authentication) => void;
}

export type FitOperation = Extract<CheckedOperation, { verdict: 'fit' }>;

/** What every GraphQL door does with an operation: check it, know who asks, guard it, run it in time, word its errors. */
export interface FrontDoor {
  check(request: OperationRequest): CheckedOperation;
  /** Errors as they are sent. */
  refuse(errors: Parameters<ReturnType<typeof createErrorFormat>>[0], requestId: string): SentError[];
  run(checked: FitOperation, request: OperationRequest, caller: Caller): Promise<Outcome>;
  /** Results of a subscription until it ends; an `Outcome` when it was refused. */
  subscribe(checked: FitOperation, request: OperationRequest, caller: Caller): Promise<LiveResults | Outcome>;
}

export function createFrontDoor({ schema, config, authenticate, services, log }: FrontDoorParts): FrontDoor {
  const { limits, graphql: { introspection } } = config;
  const format = createErrorFormat(log);
  const defaultPage = Math.min(DEFAULT_PAGE, limits.page);

  const outcome = ({ data, errors }: ExecutionResult, requestId: string): Outcome => ({
    ...(data === undefined ? {} : { data }),
    ...(errors ? { errors: format(errors, requestId) } : {}),
  });

  const argumentsOf = (document: DocumentNode, { operationName, variables }: OperationRequest, contextValue: GraphqlContext, rootValue?: unknown): ExecutionArgs =>
    ({ schema, document, operationName, variableValues: variables, contextValue, rootValue, hideSuggestions: !introspection, options: { maxCoercionErrors: MAX_ERRORS } });

  /** Runs `work` with a signal that is aborted when the caller goes or the time is up; then nobody waits for the work any longer. */
  const inTime = async <T>(gone: AbortSignal, work: (signal: AbortSignal) => Promise<T>, late: (result: T) => void = () => undefined): Promise<T | ExecutionResult> => {
    const controller = new AbortController();
    let giveUp = (): void => undefined;
    const givenUp = new Promise<null>((resolve) => {
      giveUp = () => {
        controller.abort();
        resolve(null);
      };
    });
    const timer = setTimeout(giveUp, limits.operationMs);
    gone.addEventListener('abort', giveUp, { once: true });
    if (gone.aborted) giveUp();
    try {
      const running = work(controller.signal);
      const result = await Promise.race([running, givenUp]);
      if (result !== null) return result;
      running.then(late, () => undefined);
      return { data: null, errors: [doorError('UNAVAILABLE', `The operation took longer than ${limits.operationMs} ms.`)] };
    } finally {
      clearTimeout(timer);
      gone.removeEventListener('abort', giveUp);
    }
  };

  /** Answers with what went wrong before anything could be executed: a store that is away while the session is read. */
  const safely = async <T>({ requestId }: Origin, work: () => Promise<T>): Promise<T | Outcome> => {
    try {
      return await work();
    } catch (thrown) {
      const originalError = thrown instanceof Error ? thrown : new Error(String(thrown));
      return outcome({ errors: [new GraphQLError(originalError.message, { originalError })] }, requestId);
    }
  };

  const identify = async (caller: Caller): Promise<Authentication> => {
    const authentication = await authenticate(caller.token, caller.origin, caller.use);
    caller.onAuthenticated?.(authentication);
    return authentication;
  };

  return {
    check: (request) => validateOperation(schema, request, limits, { introspection }),
    refuse: format,

    run: ({ document }, request, caller) => safely(caller.origin, async () => {
      const { origin, setHeader, gone } = caller;
      const authentication = await identify(caller);
      const result = await inTime(gone, async (signal) =>
        execute(argumentsOf(document, request, createGraphqlContext({ origin, authentication, services, signal, defaultPage, setHeader }))));
      return outcome(result, origin.requestId);
    }),

    subscribe: ({ document, operation }, request, caller) => safely(caller.origin, async () => {
      const { origin, gone } = caller;
      const asked = await identify(caller);
      const ended = new AbortController();
      gone.addEventListener('abort', () => ended.abort(), { once: true, signal: ended.signal });
      if (gone.aborted) ended.abort();
      const context = createGraphqlContext({ origin, authentication: asked, services, signal: ended.signal, defaultPage });
      const source = await inTime(ended.signal, () => createSourceEventStream(argumentsOf(document, request, context)), (late) => {
        ended.abort();
        if (Symbol.asyncIterator in late) void late[Symbol.asyncIterator]().return?.();
      });
      if (!(Symbol.asyncIterator in source)) {
        ended.abort();
        return outcome(source, origin.requestId);
      }
      const root = rootField(schema, operation);
      const keepsIdentity = outlivesSession(root?.field.extensions);
      const results = new LiveResults(source, ended, async (event) => {
        const authentication = keepsIdentity ? asked : await authenticate(caller.token, origin, 'event');
        const result = await inTime(ended.signal, async (signal) =>
          execute(argumentsOf(document, request, createGraphqlContext({ origin, authentication, services, signal, defaultPage }), event)));
        return outcome(result, origin.requestId);
      }, (error) => outcome({ errors: [error] }, origin.requestId));
      if (root && !keepsIdentity) {
        const stopWatching = caller.watchIdentity?.((authentication) => {
          const refusal = lostRight(root, authentication);
          if (refusal) results.end(outcome({ data: null, errors: [refusal] }, origin.requestId));
        });
        if (stopWatching) ended.signal.addEventListener('abort', stopWatching, { once: true });
      }
      return results;
    }),
  };
}

interface RootField {
  readonly node: FieldNode;
  readonly field: { readonly extensions: Readonly<Record<string, unknown>> };
}

function rootField(schema: GraphQLSchema, { selectionSet }: OperationDefinitionNode): RootField | undefined {
  const fields = schema.getSubscriptionType()?.getFields();
  for (const node of selectionSet.selections) {
    const field = node.kind === Kind.FIELD ? fields?.[node.name.value] : undefined;
    if (node.kind === Kind.FIELD && field) return { node, field };
  }
  return undefined;
}

/**
 * What a subscriber is told whose group no longer allows what he watches, before any event comes. A need that depends on whose record it
 * is waits for the next event, which the guard of the field sees.
 */
function lostRight({ node, field }: RootField, authentication: Authentication): GraphQLError | null {
  const need = declaredNeed(field.extensions)?.need;
  if (need === undefined || (typeof need === 'object' && 'own' in need)) return null;
  try {
    guard(need, authentication);
    return null;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return new GraphQLError(error.message, { nodes: [node], path: [node.alias?.value ?? node.name.value], originalError: error });
  }
}
