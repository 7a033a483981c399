import { setImmediate as nextTurn } from 'node:timers/promises';
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
import { Asker } from './asker';
import { createGraphqlContext } from './context';
import { Departure } from './departure';
import { createErrorFormat, doorError } from './error-format';
import type { SentError } from './error-format';
import { judged } from './judged';
import { JsonTooLarge, writeJson } from './json-writer';
import { LiveGroups } from './live-groups';
import { LiveMember } from './live-member';
import { LiveResults } from './live-results';
import { declaredNeed, outlivesSession } from './needs';
import type { Outcome, WrittenAnswer } from './outcome';
import { questionOf, questionOfEvents } from './question';
import { readOperation } from './read-operation';
import type { OperationRequest } from './read-operation';
import { refusalOf, rootRefusal } from './root-refusal';
import { SharedResults } from './shared-results';
import { createTimekeeper } from './timekeeper';
import type { RunningWork } from './timekeeper';
import { validateOperation } from './validate-operation';
import type { Validated } from './validate-operation';

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
  /** Left when the client is gone or has unsubscribed. */
  readonly departure: Departure;
  readonly setHeader?: (name: string, value: string) => void;
  /** Calls the listener whenever it is known afresh who this is, until told to stop; for callers that stay. */
  readonly watchIdentity?: (listener: (authentication: Authentication) => void) => () => void;
  /** Passes on the text of a result at once, in UTF-8; false when the client reads too slowly for that. For callers that may be told together with others. */
  readonly tell?: (body: Buffer) => boolean;
  /** Called when the session was read, before anything is executed. */
  readonly onAuthenticated?: (authentication: Authentication) => Promise<void>;
}

/** An operation that may run, and who asked for it. */
export interface FitOperation {
  readonly verdict: 'fit';
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly authentication: Authentication;
  readonly validated: Validated;
}

/**
 * `malformed`, `limit`: there is something wrong with it. `refused`: this caller may ask for nothing of it, or it could not be found out
 * who he is.
 */
export type TurnedAway =
  | { readonly verdict: 'malformed' | 'limit'; readonly outcome: Outcome }
  | { readonly verdict: 'refused'; readonly outcome: Outcome };

/** What every GraphQL door does with an operation: find out who asks, check it, guard it, run it in time, word its errors. */
export interface FrontDoor {
  /**
   * Lets an operation in. Whoever may ask for none of it learns that from its parsed document: its variables are not looked at and it is
   * not validated. Never rejects.
   */
  admit(request: OperationRequest, caller: Caller): Promise<FitOperation | TurnedAway>;
  /** Errors as they are sent. */
  refuse(errors: readonly Error[], requestId: string): SentError[];
  run(admitted: FitOperation, request: OperationRequest, caller: Caller): Promise<Outcome>;
  /** The JSON of an answer; of an error instead, where it cannot be written or is too large. Never rejects. */
  write(outcome: Outcome, requestId: string): Promise<WrittenAnswer>;
  /** Results of a subscription until it ends; an `Outcome` when it was refused. */
  subscribe(
    admitted: FitOperation,
    request: OperationRequest,
    caller: Caller,
  ): Promise<LiveResults | Outcome>;
}

/** For work that is not one caller's. Its listeners come and go with the work. */
const NOBODY_LEAVES = new Departure();

export function createFrontDoor({
  schema,
  config,
  authenticate,
  services,
  log,
}: FrontDoorParts): FrontDoor {
  const {
    limits,
    graphql: { introspection },
  } = config;
  const format = createErrorFormat(log);
  const keeper = createTimekeeper(limits.operationMs);
  const shared = new SharedResults();
  const looking = new Map<string, Promise<Authentication>>();
  const written = new WeakMap<Outcome, WrittenAnswer>();
  /** Results that are good for nobody but whom they were made for. */
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
    { document, validated: { maxErrors, hideSuggestions } }: FitOperation,
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
    // The read before the operation has counted as use of the session.
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

  /** Answers with what went wrong before anything could be executed: a store that is away while the session is read. */
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

  /** Who this is now. Everybody who is given an event in one turn of the event loop with one token is looked at once. */
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

  /** The text of a result that many are told, written and encoded once; null: it is for one only, an error instead, or in pieces. */
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
      const turnedAway = (verdict: TurnedAway['verdict'], result: ExecutionResult): TurnedAway => ({
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
      if (validated.isLarge) await nextTurn();
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
            // Others may wait for this one when its own subscriber has gone.
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
 * What a subscriber is told whose group no longer allows what he watches, before any event comes. A need that depends on whose record it
 * is waits for the next event, which the guard of the field sees.
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
