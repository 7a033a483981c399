import { setImmediate as nextIteration } from 'node:timers/promises';
import type { GraphQLSchema } from 'graphql';
import { guard } from '../../access/need';
import { SubscriptionExecutor } from '../subscriptions/subscription-executor';
import type { ResultSink, Subscriber } from '../subscriptions/fan-out';
import type { Caller, PreparedOperation, RejectedOperation } from './caller';
import { Documents } from './documents';
import type { OperationRequest } from './documents';
import type { Outcome, SentError } from './error-format';
import { Execution } from './execution';
import type { GraphqlExecutorParts } from './execution';
import type { PlanResult } from '../plans/plans';
import { checkRootPermissions } from './root-permissions';
import { validateOperation } from './validate-operation';
import type { ValidationParts } from './validate-operation';

/**
 * Runs GraphQL operations for HTTP and WebSocket: reads the session, validates, checks permissions,
 * limits the time and formats errors.
 */
export class GraphqlExecutor {
  readonly schema: GraphQLSchema;
  /** The valid documents of the schema. */
  readonly documents: Documents;
  private readonly execution: Execution;
  private readonly subscriptions: SubscriptionExecutor;
  private readonly validation: ValidationParts;

  constructor(parts: GraphqlExecutorParts) {
    const { limits, graphql } = parts.config;
    this.schema = parts.schema;
    this.documents = new Documents(limits);
    this.execution = new Execution(parts);
    this.subscriptions = new SubscriptionExecutor(parts.schema, this.execution);
    this.validation = { schema: parts.schema, limits, introspection: graphql.introspection };
  }

  /**
   * Reads the session and validates an operation. A caller with no permission for any of its root
   * fields is refused before its variables are read and the document is validated. Never rejects.
   */
  async prepare(
    request: OperationRequest,
    caller: Caller,
  ): Promise<PreparedOperation | RejectedOperation> {
    const { schema, documents, execution, validation } = this;
    const { origin } = caller;
    const reject = (
      verdict: RejectedOperation['verdict'],
      result: PlanResult,
    ): RejectedOperation => ({
      verdict,
      outcome: execution.createOutcome(result, origin.requestId),
    });
    const read = documents.read(request);
    if (read.verdict !== 'read') return reject(read.verdict, read);
    const session = await execution.catchErrors(origin, () =>
      execution.sessions.readForOperation(caller),
    );
    if (!('authentication' in session)) return { verdict: 'refused', outcome: session };
    const { authentication } = session;
    const refusal = checkRootPermissions(schema, read, authentication);
    if (refusal) return reject('refused', refusal);
    const settings = validateOperation(validation, read, request);
    if ('verdict' in settings) return reject(settings.verdict, settings);
    if (!read.isKnown) documents.add(request, read, authentication.state === 'signed-in');
    if (settings.isLarge) await nextIteration();
    const { document, operation } = read;
    return { verdict: 'valid', document, operation, authentication, settings };
  }

  /**
   * Reads the session of a caller, which does not count as its use.
   * @throws Unauthenticated, TokenExpired
   */
  async requireSession(caller: Caller): Promise<void> {
    guard('authenticated', await this.execution.sessions.readNow(caller));
  }

  /** Formats errors for the client. */
  formatErrors(errors: readonly Error[], requestId: string): SentError[] {
    return this.execution.formatErrors(errors, requestId);
  }

  run(prepared: PreparedOperation, request: OperationRequest, caller: Caller): Promise<Outcome> {
    const { authentication } = prepared;
    const { origin, cancelSignal } = caller;
    return this.execution.catchErrors(origin, () =>
      this.execution.execute(prepared, request, caller, { origin, authentication, cancelSignal }),
    );
  }

  /** Starts to send the results of a subscription; returns an `Outcome` if it is refused. */
  subscribe(
    prepared: PreparedOperation,
    request: OperationRequest,
    caller: Caller,
    sink: ResultSink,
  ): Promise<Subscriber | Outcome> {
    return this.execution.catchErrors(caller.origin, () =>
      this.subscriptions.subscribe(prepared, request, caller, sink),
    );
  }
}
