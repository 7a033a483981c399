import { createSourceEventStream, GraphQLError, Kind } from 'graphql';
import type { FieldNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import type { Authentication } from '../../access/need';
import { SharedEvents } from '../../events/shared-events';
import type { Caller, PreparedOperation } from '../operations/caller';
import { CancelSignal } from '../operations/cancel-signal';
import { apiError } from '../operations/error-format';
import type { Outcome } from '../operations/error-format';
import type { Execution } from '../operations/execution';
import type { OperationRequest } from '../operations/documents';
import type { PlanResult } from '../plans/plans';
import { permissionErrorOf } from '../operations/root-permissions';
import { declaredNeed, survivesSessionEnd } from '../schema/needs';
import { FanOut, Subscriber } from './fan-out';
import type { ResultSink } from './fan-out';
import { eventKeyOf, operationKeyOf, SharedResult, SharedResults } from './shared-results';

/**
 * For work that several callers share: never cancelled. Its listeners are removed when the work
 * ends.
 */
const NEVER_CANCELLED = new CancelSignal();

/** Runs subscriptions: executes the operation for each event with the current session. */
export class SubscriptionExecutor {
  private readonly sharedResults = new SharedResults();
  private readonly fanOut = new FanOut();

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly execution: Execution,
  ) {}

  /** Starts to send the results of a subscription; returns an `Outcome` if it is refused. */
  async subscribe(
    prepared: PreparedOperation,
    request: OperationRequest,
    caller: Caller,
    sink: ResultSink,
  ): Promise<Subscriber | Outcome> {
    const { execution } = this;
    const { requestId } = caller.origin;
    const abort = abortWith(caller.cancelSignal);
    const source = await this.openSource(prepared, request, caller, abort);
    if (!(Symbol.asyncIterator in source)) {
      abort.abort();
      return execution.createOutcome(source, requestId);
    }
    const root = rootField(this.schema, prepared.operation);
    const operationKey =
      source instanceof SharedEvents
        ? eventKeyOf(request, prepared.document, prepared.operation, caller.origin)
        : operationKeyOf(request, caller.origin);
    const resultFor = (event: unknown, authentication: Authentication): Promise<SharedResult> =>
      this.sharedResults.get(event, operationKey, authentication, caller.origin, (tracked) =>
        execution.execute(prepared, request, caller, {
          origin: tracked.origin,
          authentication: tracked.authentication,
          // Goes on if the subscriber leaves: others may wait for the same result.
          cancelSignal: NEVER_CANCELLED,
          event,
          onSessionRead: tracked.preventSharing,
        }),
      );
    const reportsSessionEnd = survivesSessionEnd(root?.field.extensions);
    const subscriber = new Subscriber({
      source,
      abort,
      operationKey,
      token: caller.token,
      resultOf: reportsSessionEnd
        ? (event) => resultFor(event, prepared.authentication)
        : async (event) =>
            (await execution.sessions.produceForCurrent(caller, (authentication) =>
              resultFor(event, authentication),
            )) ?? new SharedResult(this.createUnsteadyOutcome(requestId), 'none'),
      formatError: (error) => execution.createOutcome({ errors: [error] }, requestId),
      sink,
      reportsSessionEnd,
    });
    if (root && !reportsSessionEnd)
      this.endOnLostPermission(subscriber, root, caller, abort.signal);
    void this.fanOut.serve(subscriber);
    return subscriber;
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

  private createUnsteadyOutcome(requestId: string): Outcome {
    const error = apiError(
      'UNAVAILABLE',
      'The rights to this changed again and again while it was made.',
    );
    return this.execution.createOutcome({ errors: [error] }, requestId);
  }

  private endOnLostPermission(
    subscriber: Subscriber,
    root: RootField,
    { origin, onSessionRead }: Caller,
    signal: AbortSignal,
  ): void {
    const stop = onSessionRead?.((authentication) => {
      const error = lostPermissionError(root, authentication);
      if (error)
        subscriber.end(
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
