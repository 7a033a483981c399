import { createSourceEventStream, GraphQLError, Kind } from 'graphql';
import type { FieldNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import type { Authentication } from '../../access/need';
import { SharedEvents } from '../../events/shared-events';
import { SharedAnswers } from '../operations/answer-writer';
import type { Caller, PreparedOperation } from '../operations/caller';
import { CancelSignal } from '../operations/cancel-signal';
import { apiError } from '../operations/error-format';
import type { Outcome } from '../operations/error-format';
import type { Execution } from '../operations/execution';
import type { OperationRequest } from '../operations/documents';
import type { PlanResult } from '../plans/plans';
import { permissionErrorOf } from '../operations/root-permissions';
import { retryIfSessionChanged } from '../operations/session-reader';
import { declaredNeed, survivesSessionEnd } from '../schema/needs';
import { eventKeyOf, operationKeyOf, SharedResults } from './shared-results';
import { Subscriber, SubscriberGroups } from './subscriber-groups';
import type { SubscriberParts } from './subscriber-groups';
import { SubscriptionResults } from './subscription-results';
import { TrackedCaller } from './tracked-caller';

/**
 * For work that several callers share: never cancelled. Its listeners are removed when the work
 * ends.
 */
const NEVER_CANCELLED = new CancelSignal();

type ExecuteEvent = (event: unknown, authentication: Authentication) => Promise<Outcome>;

/** Runs subscriptions: executes the operation for each event with the current session. */
export class SubscriptionExecutor {
  private readonly sharedResults = new SharedResults();
  private readonly sharedAnswers = new SharedAnswers();
  private readonly groups = new SubscriberGroups((outcome) => this.sharedAnswers.write(outcome));

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly execution: Execution,
  ) {}

  /** Returns the results of a subscription, or an `Outcome` if it is refused. */
  async subscribe(
    prepared: PreparedOperation,
    request: OperationRequest,
    caller: Caller,
  ): Promise<SubscriptionResults | Outcome> {
    const { execution } = this;
    const { requestId } = caller.origin;
    const abort = abortWith(caller.cancelSignal);
    const source = await this.openSource(prepared, request, caller, abort);
    if (!(Symbol.asyncIterator in source)) {
      abort.abort();
      return execution.createOutcome(source, requestId);
    }
    const root = rootField(this.schema, prepared.operation);
    const isShared = source instanceof SharedEvents;
    const operationKey = isShared
      ? eventKeyOf(request, prepared.document, prepared.operation, caller.origin)
      : operationKeyOf(request, caller.origin);
    const executeEvent: ExecuteEvent = (event, authentication) =>
      this.executeEvent(prepared, request, caller, { event, authentication, operationKey });
    const formatError = (error: Error): Outcome =>
      execution.createOutcome({ errors: [error] }, requestId);
    if (survivesSessionEnd(root?.field.extensions))
      return new SubscriptionResults(
        source,
        abort,
        (event) => executeEvent(event, prepared.authentication),
        formatError,
        true,
      );
    const results = new SubscriptionResults(
      isShared && caller.sendShared
        ? this.createSubscriber(source, abort.signal, caller, {
            operationKey,
            execute: executeEvent,
            sendShared: caller.sendShared,
          })
        : source,
      abort,
      (event) => this.executeWithCurrentSession(event, caller, executeEvent),
      formatError,
    );
    if (root) this.endOnLostPermission(results, root, caller, abort.signal);
    return results;
  }

  /** Returns the events, or the errors of the operation. */
  private async openSource(
    prepared: PreparedOperation,
    request: OperationRequest,
    caller: Caller,
    abort: AbortController,
  ): Promise<AsyncIterable<unknown> | PlanResult> {
    const { execution } = this;
    const { origin, cancelSignal } = caller;
    const source = await execution.timeLimiter.run(
      cancelSignal,
      () =>
        createSourceEventStream(
          execution.createArguments(
            prepared,
            request,
            execution.createContext(caller, origin, prepared.authentication, abort),
          ),
        ),
      (late) => {
        abort.abort();
        if (Symbol.asyncIterator in late) void late[Symbol.asyncIterator]().return?.();
      },
    );
    if (source === null) return execution.createTimeoutResult();
    return Symbol.asyncIterator in source ? source : { errors: source.errors };
  }

  /** Executes the operation for one event, unless the result of another subscriber can be used. */
  private executeEvent(
    prepared: PreparedOperation,
    request: OperationRequest,
    caller: Caller,
    {
      event,
      authentication,
      operationKey,
    }: {
      readonly event: unknown;
      readonly authentication: Authentication;
      readonly operationKey: string;
    },
  ): Promise<Outcome> {
    return this.sharedResults.get(event, operationKey, authentication, async () => {
      const tracked = new TrackedCaller(authentication, caller.origin);
      // Goes on if the subscriber leaves: others may wait for the same result.
      const outcome = await this.execution.execute(prepared, request, caller, {
        origin: tracked.origin,
        authentication: tracked.authentication,
        cancelSignal: NEVER_CANCELLED,
        event,
        onSessionRead: tracked.preventSharing,
      });
      if (tracked.scope === 'none') this.sharedAnswers.preventSharing(outcome);
      return { outcome, scope: tracked.scope };
    });
  }

  private async executeWithCurrentSession(
    event: unknown,
    caller: Caller,
    executeEvent: ExecuteEvent,
  ): Promise<Outcome> {
    const read = (): Promise<Authentication> => this.execution.sessions.read(caller);
    const outcome = await retryIfSessionChanged({ before: read, after: read }, (authentication) =>
      executeEvent(event, authentication),
    );
    return (
      outcome ??
      this.execution.createOutcome(
        {
          errors: [
            apiError(
              'UNAVAILABLE',
              'The rights to this changed again and again while it was made.',
            ),
          ],
        },
        caller.origin.requestId,
      )
    );
  }

  /** Creates the source of a subscriber that shares results with equal subscribers. */
  private createSubscriber(
    source: SharedEvents<unknown>,
    signal: AbortSignal,
    caller: Caller,
    parts: Pick<SubscriberParts, 'operationKey' | 'execute' | 'sendShared'>,
  ): Subscriber {
    const { sessions } = this.execution;
    return new Subscriber(source, signal, this.groups, {
      ...parts,
      token: caller.token,
      sessionReads: {
        before: () => sessions.read(caller),
        after: () => sessions.readUncached(caller),
      },
    });
  }

  private endOnLostPermission(
    results: SubscriptionResults,
    root: RootField,
    { origin, onSessionRead }: Caller,
    signal: AbortSignal,
  ): void {
    const stop = onSessionRead?.((authentication) => {
      const error = lostPermissionError(root, authentication);
      if (error)
        results.end(
          this.execution.createOutcome({ data: null, errors: [error] }, origin.requestId),
        );
    });
    if (stop) signal.addEventListener('abort', stop, { once: true });
  }
}

/** Returns a controller that is aborted when the caller cancels. */
function abortWith(cancelSignal: CancelSignal): AbortController {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  cancelSignal.onCancel(abort);
  controller.signal.addEventListener('abort', () => cancelSignal.offCancel(abort), { once: true });
  return controller;
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
function lostPermissionError(
  { node, field }: RootField,
  authentication: Authentication,
): GraphQLError | null {
  const need = declaredNeed(field.extensions)?.need;
  if (need === undefined || (typeof need === 'object' && 'own' in need)) return null;
  const refusal = permissionErrorOf(need, authentication);
  return (
    refusal &&
    new GraphQLError(refusal.message, {
      nodes: [node],
      path: [node.alias?.value ?? node.name.value],
      originalError: refusal,
    })
  );
}
