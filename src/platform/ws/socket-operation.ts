import { OperationTypeNode } from 'graphql';
import type { OperationDefinitionNode } from 'graphql';
import { MessageType } from 'graphql-ws';
import type { SubscribePayload } from 'graphql-ws';
import { writeAnswer } from '../graphql/operations/answer-writer';
import { CancelSignal } from '../graphql/operations/cancel-signal';
import type { Caller } from '../graphql/operations/caller';
import type { GraphqlExecutor } from '../graphql/operations/executor';
import { SubscriptionResults } from '../graphql/subscriptions/subscription-results';
import type { Outcome } from '../graphql/operations/error-format';
import { newRequestId } from '../http/origin';
import { OperationWatch } from './operation-watch';
import type { Observers } from './operation-watch';
import type { Socket } from './socket';

/** Closes the message that `start` opens. */
const SUFFIX = '}';

/** One operation of a socket, from its `subscribe` to its `complete`. */
export class SocketOperation {
  private readonly cancelSignal = new CancelSignal();
  private readonly requestId = newRequestId();
  private results: SubscriptionResults | null = null;

  private readonly watch: OperationWatch;

  /** Text before each result in a `next` message. */
  private readonly prefix: string;

  constructor(
    private readonly id: string,
    private readonly socket: Socket,
    private readonly executor: GraphqlExecutor,
    observers: Observers,
  ) {
    this.watch = new OperationWatch(observers);
    this.prefix = `{"id":${JSON.stringify(id)},"type":"${MessageType.Next}","payload":`;
  }

  /** Whether it is a subscription that has begun. */
  get isSubscribed(): boolean {
    return this.results !== null;
  }

  /** Called when the client completes the operation or disconnects. */
  cancel(): void {
    this.cancelSignal.cancel();
  }

  /** If this subscription reports the end of the session: resolves when the report is sent. */
  async untilSessionEndSent(): Promise<void> {
    if (this.results?.reportsSessionEnd) await this.results.untilIdle();
  }

  /**
   * Runs the operation to its end. `ended` is called before the client is sent `complete`. Rejects
   * only for internal errors.
   */
  async run(
    { query, variables, operationName }: SubscribePayload,
    ended: () => void,
  ): Promise<void> {
    const { executor, cancelSignal } = this;
    this.cancelSignal.onCancel(ended);
    const request = { query, variables, operationName };
    const createCaller = this.caller();
    try {
      const prepared = await executor.prepare(request, createCaller);
      if (cancelSignal.isCancelled) return;
      if (prepared.verdict !== 'valid' && prepared.verdict !== 'refused') {
        ended();
        this.watch.ended(null, prepared.outcome);
        await this.sendErrors(prepared.outcome);
        return;
      }
      if (prepared.verdict === 'refused') await this.sendOnlyResult(null, prepared.outcome);
      else if (prepared.operation.operation === OperationTypeNode.SUBSCRIPTION)
        await this.sendResults(
          prepared.operation,
          await executor.subscribe(prepared, request, createCaller),
        );
      else
        await this.sendOnlyResult(
          prepared.operation,
          await executor.run(prepared, request, createCaller),
        );
      if (cancelSignal.isCancelled) return;
      ended();
      void this.socket.send(JSON.stringify({ id: this.id, type: MessageType.Complete }));
    } finally {
      ended();
    }
  }

  /** Sends the errors of an operation that was not run. */
  async sendErrors({ errors }: Outcome): Promise<void> {
    await this.socket.send(
      JSON.stringify({ id: this.id, type: MessageType.Error, payload: errors }),
    );
  }

  private sendOnlyResult(
    operation: OperationDefinitionNode | null,
    outcome: Outcome,
  ): Promise<void> {
    this.watch.ended(operation, outcome);
    return this.sendResult(outcome);
  }

  private async sendResults(
    operation: OperationDefinitionNode,
    results: SubscriptionResults | Outcome,
  ): Promise<void> {
    if (!(results instanceof SubscriptionResults)) {
      await this.sendOnlyResult(operation, results);
      return;
    }
    this.results = results;
    for await (const outcome of results) await this.sendResult(outcome);
  }

  private async sendResult(outcome: Outcome): Promise<void> {
    if (this.cancelSignal.isCancelled) return;
    await this.socket.send(this.prefix + writeAnswer(outcome) + SUFFIX);
  }

  /**
   * Sends a result that several subscribers share; returns false if the client reads too slowly.
   */
  private sendShared(body: Buffer): boolean {
    return this.cancelSignal.isCancelled || this.socket.trySendShared(this.prefix, body, SUFFIX);
  }

  private caller(): Caller {
    const { socket, cancelSignal, watch } = this;
    return {
      origin: { ...socket.origin, requestId: this.requestId, trace: watch.trace },
      token: socket.token,
      cancelSignal,
      onSessionRead: (listener) => socket.onSessionRead(listener),
      sendShared: (body) => this.sendShared(body),
    };
  }
}
