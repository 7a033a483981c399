import { OperationTypeNode } from 'graphql';
import type { OperationDefinitionNode } from 'graphql';
import { MessageType } from 'graphql-ws';
import type { SubscribePayload } from 'graphql-ws';
import { writeAnswer } from '../graphql/plans/text';
import { CancelSignal } from '../graphql/operations/cancel-signal';
import type { Caller } from '../graphql/operations/caller';
import type { GraphqlExecutor } from '../graphql/operations/executor';
import { Subscriber } from '../graphql/subscriptions/fan-out';
import type { ResultSink } from '../graphql/subscriptions/fan-out';
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
  private subscriber: Subscriber | null = null;
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
    return this.subscriber !== null;
  }

  /** Called when the client completes the operation or disconnects. */
  cancel(): void {
    this.cancelSignal.cancel();
  }

  /** If this subscription reports the end of the session: resolves when the report is sent. */
  async untilSessionEndSent(): Promise<void> {
    await this.subscriber?.untilSessionEndSent();
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
    const caller = this.caller();
    try {
      const prepared = await executor.prepare(request, caller);
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
          await executor.subscribe(prepared, request, caller, this.sink()),
        );
      else
        await this.sendOnlyResult(
          prepared.operation,
          await executor.run(prepared, request, caller),
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
    subscriber: Subscriber | Outcome,
  ): Promise<void> {
    if (!(subscriber instanceof Subscriber)) return this.sendOnlyResult(operation, subscriber);
    this.subscriber = subscriber;
    await subscriber.ended;
  }

  private async sendResult(outcome: Outcome): Promise<void> {
    if (this.cancelSignal.isCancelled) return;
    await this.socket.send(this.prefix + writeAnswer(outcome) + SUFFIX);
  }

  private sink(): ResultSink {
    const { socket, cancelSignal, prefix } = this;
    return {
      send: (outcome) => this.sendResult(outcome),
      trySend: (body) => cancelSignal.isCancelled || socket.trySendShared(prefix, body, SUFFIX),
    };
  }

  private caller(): Caller {
    const { socket, cancelSignal, watch } = this;
    return {
      origin: { ...socket.origin, requestId: this.requestId, trace: watch.trace },
      token: socket.token,
      cancelSignal,
      onSessionRead: (listener) => socket.onSessionRead(listener),
    };
  }
}
