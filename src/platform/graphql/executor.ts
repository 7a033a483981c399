import { setImmediate as nextIteration } from 'node:timers/promises';
import { createSourceEventStream, execute, GraphQLError, Kind } from 'graphql';
import type {
  DocumentNode,
  ExecutionArgs,
  ExecutionResult,
  FieldNode,
  GraphQLSchema,
  OperationDefinitionNode,
} from 'graphql';
import type { Config } from '../../config/config';
import type { Authentication } from '../access/need';
import type { Authenticate, GraphqlContext, Origin, Services, TokenUse } from '../context';
import { SharedEvents } from '../events/shared-events';
import type { Logger } from '../log/logger';
import { DEFAULT_PAGE } from '../store/keyset';
import { Asker, Departure, judged } from './asker';
import { createGraphqlContext } from './context';
import { createErrorFormat, doorError } from './error-format';
import type { Outcome, SentError, WrittenAnswer } from './error-format';
import { JsonTooLarge, writeJson } from './json-writer';
import { LiveGroups } from './live-group';
import { LiveMember } from './live-member';
import { LiveResults } from './live-results';
import { declaredNeed, outlivesSession } from './needs';
import { questionOf, questionOfEvents, SharedResults } from './question';
import { readOperation } from './read-operation';
import type { OperationRequest } from './read-operation';
import { refusalOf, rootRefusal } from './root-refusal';
import { createTimekeeper } from './timekeeper';
import type { RunningWork } from './timekeeper';
import { validateOperation } from './validate-operation';
import type { Validated } from './validate-operation';

export interface GraphqlExecutorParts {
  readonly schema: GraphQLSchema;
  readonly config: Pick<Config, 'limits' | 'graphql'>;
  readonly authenticate: Authenticate;
  readonly services: Services;
  readonly log: Logger;
}

/** The caller of an operation, and how it learns that the client is gone. */
export interface Caller {
  readonly origin: Origin;
  readonly token: string | undefined;
  /** Default: `operation`. */
  readonly use?: TokenUse;
  /** Signals that the client is gone or has unsubscribed. */
  readonly departure: Departure;
  readonly setHeader?: (name: string, value: string) => void;
  /**
   * Calls the listener each time the session is read again. Returns a function that removes it. For
   * callers that stay connected.
   */
  readonly watchIdentity?: (listener: (authentication: Authentication) => void) => () => void;
  /**
   * Sends the text of a result at once, in UTF-8; returns false if the client reads too slowly. For
   * callers that may share results with others.
   */
  readonly tell?: (body: Buffer) => boolean;
  /** Called after the session is read, before anything is executed. */
  readonly onAuthenticated?: (authentication: Authentication) => Promise<void>;
}

/** An operation that may run, and its caller's session. */
export interface ValidOperation {
  readonly verdict: 'fit';
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly authentication: Authentication;
  readonly validated: Validated;
}

/**
 * `malformed`, `limit`: the operation is invalid or too large. `refused`: the caller has no
 * permission for any of its root fields, or the session could not be read.
 */
export type RejectedOperation =
  | { readonly verdict: 'malformed' | 'limit'; readonly outcome: Outcome }
  | { readonly verdict: 'refused'; readonly outcome: Outcome };

/**
 * Runs GraphQL operations for HTTP and WebSocket: reads the session, validates, checks permissions,
 * limits the time and formats errors.
 */
export interface GraphqlExecutor {
  /**
   * Reads the session and validates an operation. A caller with no permission for any of its root
   * fields is refused before its variables are read and the document is validated. Never rejects.
   */
  admit(request: OperationRequest, caller: Caller): Promise<ValidOperation | RejectedOperation>;
  /** Formats errors for the client. */
  refuse(errors: readonly Error[], requestId: string): SentError[];
  run(admitted: ValidOperation, request: OperationRequest, caller: Caller): Promise<Outcome>;
  /**
   * Writes an outcome as JSON, or an error in its place if it cannot be written or is too large.
   * Never rejects.
   */
  write(outcome: Outcome, requestId: string): Promise<WrittenAnswer>;
  /** Returns the results of a subscription, or an `Outcome` if it is refused. */
  subscribe(
    admitted: ValidOperation,
    request: OperationRequest,
    caller: Caller,
  ): Promise<LiveResults | Outcome>;
}

/**
 * For work that several callers share: never left. Its listeners are removed when the work ends.
 */
const NOBODY_LEAVES = new Departure();

export function createGraphqlExecutor({
  schema,
  config,
  authenticate,
  services,
  log,
}: GraphqlExecutorParts): GraphqlExecutor {
  const {
    limits,
    graphql: { introspection },
  } = config;
  const format = createErrorFormat(log);
  const keeper = createTimekeeper(limits.operationMs);
  const shared = new SharedResults();
  const looking = new Map<string, Promise<Authentication>>();
  const written = new WeakMap<Outcome, WrittenAnswer>();
  /** Results that must not be shared. */
  const forOne = new WeakSet<Outcome>();
  const texts = new WeakMap<Outcome, Promise<Buffer | null>>();
  const groups = new LiveGroups((made) => textOf(made));
  const defaultPage = Math.min(DEFAULT_PAGE, limits.page);

  const outcome = ({ data, errors }: ExecutionResult, requestId: string): Outcome => ({
    ...(data === undefined ? {} : { data }),
    ...(errors ? { errors: format(errors, requestId) } : {}),
  });
  const tooLong = (): ExecutionResult => ({
    data: null,
    errors: [doorError('UNAVAILABLE', `The operation took longer than ${limits.operationMs} ms.`)],
  });

  const argumentsOf = (
    { document, validated: { maxErrors, hideSuggestions } }: ValidOperation,
    { operationName, variables }: OperationRequest,
    contextValue: GraphqlContext,
    rootValue?: unknown,
  ): ExecutionArgs => ({
    schema,
    document,
    operationName,
    variableValues: variables,
    contextValue,
    rootValue,
    hideSuggestions,
    options: { maxCoercionErrors: maxErrors },
  });

  const contextOf = (
    caller: Caller,
    { origin, authentication }: Pick<Asker, 'origin' | 'authentication'>,
    running: RunningWork,
    beforeLook: () => void = () => undefined,
  ): GraphqlContext => {
    const look = (): Promise<Authentication> => {
      beforeLook();
      return lookAgain(caller);
    };
    // An `event`: the read before the operation already counted as use of the session.
    const authenticateNow = (): Authentication | Promise<Authentication> =>
      authenticate(caller.token, caller.origin, 'event');
    return createGraphqlContext({
      origin,
      authentication,
      services,
      running,
      defaultPage,
      lookAgain: look,
      authenticateNow,
      setHeader: caller.setHeader,
    });
  };

  /**
   * Returns an error if something fails before execution, such as the store while the session is
   * read.
   */
  const safely = async <T>({ requestId }: Origin, work: () => Promise<T>): Promise<T | Outcome> => {
    try {
      return await work();
    } catch (thrown) {
      const originalError = thrown instanceof Error ? thrown : new Error(String(thrown));
      return outcome(
        { errors: [new GraphQLError(originalError.message, { originalError })] },
        requestId,
      );
    }
  };

  const identify = async (caller: Caller): Promise<{ authentication: Authentication }> => {
    const authentication = await authenticate(caller.token, caller.origin, caller.use);
    await caller.onAuthenticated?.(authentication);
    return { authentication };
  };

  /**
   * Reads the session again: once for all callers with the same token that are given an event in
   * the same event loop iteration.
   */
  const lookAgain = (caller: Caller): Promise<Authentication> =>
    looking.get(caller.token ?? '') ?? lookAfresh(caller);
  const lookAfresh = ({ token, origin }: Caller): Promise<Authentication> => {
    const key = token ?? '';
    if (!looking.has(key)) setImmediate(() => looking.delete(key));
    const authentication = Promise.resolve(authenticate(token, origin, 'event'));
    looking.set(key, authentication);
    return authentication;
  };

  const unwritten = (error: unknown): Error => {
    if (error instanceof JsonTooLarge)
      return doorError(
        'QUERY_TOO_COMPLEX',
        `The answer has more than ${limits.answerBytes} bytes. Ask for less at a time.`,
      );
    return error instanceof Error ? error : new Error(String(error));
  };

  const write = async (outcome: Outcome, requestId: string): Promise<WrittenAnswer> => {
    const known = written.get(outcome);
    if (known) return known;
    try {
      const answer = { outcome, body: await writeJson(outcome, limits.answerBytes) };
      if (typeof answer.body === 'string') written.set(outcome, answer);
      return answer;
    } catch (error) {
      const instead = { errors: format([unwritten(error)], requestId) };
      return { outcome: instead, body: JSON.stringify(instead) };
    }
  };

  /**
   * The text of a shared result, written and encoded once. Null if the result must not be shared,
   * cannot be written, or is written in pieces.
   */
  const textOf = async (made: Outcome): Promise<Buffer | null> => {
    if (forOne.has(made)) return null;
    const text =
      texts.get(made) ??
      write(made, '').then(({ outcome: told, body }) =>
        told === made && typeof body === 'string' ? Buffer.from(body) : null,
      );
    texts.set(made, text);
    return text;
  };

  return {
    refuse: format,
    write,

    async admit(request, caller) {
      const { origin } = caller;
      const turnedAway = (
        verdict: RejectedOperation['verdict'],
        result: ExecutionResult,
      ): RejectedOperation => ({
        verdict,
        outcome: outcome(result, origin.requestId),
      });
      const read = readOperation(schema, request, limits);
      if (read.verdict !== 'read') return turnedAway(read.verdict, read);
      const identified = await safely(origin, () => identify(caller));
      if (!('authentication' in identified)) return { verdict: 'refused', outcome: identified };
      const { authentication } = identified;
      const refusal = rootRefusal(schema, read, authentication);
      if (refusal) return turnedAway('refused', refusal);
      const validated = validateOperation(schema, read, request, limits, { introspection });
      if ('verdict' in validated) return turnedAway(validated.verdict, validated);
      if (validated.isLarge) await nextIteration();
      return {
        verdict: 'fit',
        document: read.document,
        operation: read.operation,
        authentication,
        validated,
      };
    },

    run: (admitted, request, caller) =>
      safely(caller.origin, async () => {
        const result = await keeper.run(caller.departure, (running) =>
          execute(
            argumentsOf(
              admitted,
              request,
              contextOf(caller, { ...admitted, origin: caller.origin }, running),
            ),
          ),
        );
        return outcome(result ?? tooLong(), caller.origin.requestId);
      }),

    subscribe: (admitted, request, caller) =>
      safely(caller.origin, async () => {
        const { origin, departure } = caller;
        const { operation, authentication: asked } = admitted;
        const ended = new AbortController();
        const end = (): void => ended.abort();
        departure.onGone(end);
        ended.signal.addEventListener('abort', () => departure.offGone(end), { once: true });
        const source =
          (await keeper.run(
            departure,
            () =>
              createSourceEventStream(
                argumentsOf(
                  admitted,
                  request,
                  contextOf(caller, { origin, authentication: asked }, ended),
                ),
              ),
            (late) => {
              ended.abort();
              if (Symbol.asyncIterator in late) void late[Symbol.asyncIterator]().return?.();
            },
          )) ?? tooLong();
        if (!(Symbol.asyncIterator in source)) {
          ended.abort();
          return outcome(source, origin.requestId);
        }
        const root = rootField(schema, operation);
        const keepsIdentity = outlivesSession(root?.field.extensions);
        const question =
          source instanceof SharedEvents
            ? questionOfEvents(request, admitted.document, operation, origin)
            : questionOf(request, origin);
        const answer = (event: unknown, authentication: Authentication): Promise<Outcome> =>
          shared.take(event, question, authentication, async () => {
            const asker = new Asker(authentication, origin);
            // Goes on if the subscriber leaves: others may wait for the same result.
            const result = await keeper.run(NOBODY_LEAVES, (running) =>
              execute(
                argumentsOf(
                  admitted,
                  request,
                  contextOf(caller, asker, running, asker.reveal),
                  event,
                ),
              ),
            );
            const made = outcome(result ?? tooLong(), origin.requestId);
            if (asker.reach === 'nobody') forOne.add(made);
            return { outcome: made, reach: asker.reach };
          });
        const look = (): Promise<Authentication> => lookAgain(caller);
        const changing = (): Outcome =>
          outcome(
            {
              errors: [
                doorError(
                  'UNAVAILABLE',
                  'The rights to this changed again and again while it was made.',
                ),
              ],
            },
            origin.requestId,
          );
        const { token, tell } = caller;
        const results = new LiveResults(
          source instanceof SharedEvents && tell && !keepsIdentity
            ? new LiveMember(source, ended.signal, groups, {
                question,
                token,
                looks: { before: look, after: () => lookAfresh(caller) },
                answer,
                tell,
              })
            : source,
          ended,
          async (event) =>
            keepsIdentity
              ? answer(event, asked)
              : ((await judged({ before: look, after: look }, (authentication) =>
                  answer(event, authentication),
                )) ?? changing()),
          (error) => outcome({ errors: [error] }, origin.requestId),
          keepsIdentity,
        );
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

function rootField(
  schema: GraphQLSchema,
  { selectionSet }: OperationDefinitionNode,
): RootField | undefined {
  const fields = schema.getSubscriptionType()?.getFields();
  for (const node of selectionSet.selections) {
    const field = node.kind === Kind.FIELD ? fields?.[node.name.value] : undefined;
    if (node.kind === Kind.FIELD && field) return { node, field };
  }
  return undefined;
}

/**
 * Returns the error for a subscriber whose group has lost the permission, without waiting for the
 * next event. A need that depends on the owner of the record is checked by the guard of the field
 * at the next event.
 */
function lostRight(
  { node, field }: RootField,
  authentication: Authentication,
): GraphQLError | null {
  const need = declaredNeed(field.extensions)?.need;
  if (need === undefined || (typeof need === 'object' && 'own' in need)) return null;
  const refusal = refusalOf(need, authentication);
  return (
    refusal &&
    new GraphQLError(refusal.message, {
      nodes: [node],
      path: [node.alias?.value ?? node.name.value],
      originalError: refusal,
    })
  );
}
