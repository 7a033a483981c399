import { OperationTypeNode } from 'graphql';
import { MessageType } from 'graphql-ws';
import type { SubscribePayload } from 'graphql-ws';
import { Departure } from '../graphql/asker';
import type { Caller, GraphqlExecutor } from '../graphql/executor';
import { LiveResults } from '../graphql/live-results';
import type { Outcome } from '../graphql/error-format';
import { newRequestId } from '../http/origin';
import type { Socket } from './socket';

/** Closes the message that `start` opens. */
const END = '}';

/** One operation of a socket, from its `subscribe` to its `complete`. */
export class SocketOperation {
  private readonly departure = new Departure();
  private readonly requestId = newRequestId();
  private results: LiveResults | null = null;

  /** Text before each result in a `next` message. */
  private readonly start: string;

  constructor(
    private readonly id: string,
    private readonly socket: Socket,
    private readonly executor: GraphqlExecutor,
  ) {
    this.start = `{"id":${JSON.stringify(id)},"type":"${MessageType.Next}","payload":`;
  }

  /** Called when the client completes the operation or disconnects. */
  cancel(): void {
    this.departure.leave();
  }

  /** If this subscription reports the end of the session: resolves when the report is sent. */
  async lastWords(): Promise<void> {
    if (this.results?.saysLastWords) await this.results.settled();
  }

  /**
   * Runs the operation to its end. `ended` is called before the client is sent `complete`. Rejects
   * only for internal errors.
   */
  async run(
    { query, variables, operationName }: SubscribePayload,
    ended: () => void,
  ): Promise<void> {
    const { executor, departure } = this;
    this.departure.onGone(ended);
    const request = { query, variables, operationName };
    const caller = this.caller();
    try {
      const admitted = await executor.admit(request, caller);
      if (departure.gone) return;
      if (admitted.verdict !== 'fit' && admitted.verdict !== 'refused') {
        ended();
        await this.refuse(admitted.outcome);
        return;
      }
      if (admitted.verdict === 'refused') await this.next(admitted.outcome);
      else if (admitted.operation.operation === OperationTypeNode.SUBSCRIPTION)
        await this.follow(await executor.subscribe(admitted, request, caller));
      else await this.next(await executor.run(admitted, request, caller));
      if (departure.gone) return;
      ended();
      void this.socket.send(JSON.stringify({ id: this.id, type: MessageType.Complete }));
    } finally {
      ended();
    }
  }

  /** Sends the errors of an operation that was not run. */
  async refuse({ errors }: Outcome): Promise<void> {
    await this.socket.send(
      JSON.stringify({ id: this.id, type: MessageType.Error, payload: errors }),
    );
  }

  private async follow(results: LiveResults | Outcome): Promise<void> {
    if (!(results instanceof LiveResults)) {
      await this.next(results);
      return;
    }
    this.results = results;
    for await (const outcome of results) await this.next(outcome);
  }

  private async next(outcome: Outcome): Promise<void> {
    const { body } = await this.executor.write(outcome, this.requestId);
    if (this.departure.gone) return;
    await this.socket.send(
      typeof body === 'string'
        ? this.start + body + END
        : Buffer.concat([Buffer.from(this.start), ...body, Buffer.from(END)]),
    );
  }

  /**
   * Sends a result that several subscribers share; returns false if the client reads too slowly.
   */
  private tell(body: Buffer): boolean {
    return this.departure.gone || this.socket.pass(this.start, body, END);
  }

  private caller(): Caller {
    const { socket, departure } = this;
    return {
      origin: { ...socket.origin, requestId: this.requestId },
      token: socket.token,
      departure,
      watchIdentity: (listener) => socket.watchIdentity(listener),
      tell: (body) => this.tell(body),
    };
  }
}
