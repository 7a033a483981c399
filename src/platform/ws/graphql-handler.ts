import { CloseCode, MessageType, parseMessage } from 'graphql-ws';
import type { Message, SubscribeMessage } from 'graphql-ws';
import type { Config } from '../../config/config';
import type { Authentication } from '../access/need';
import type { Authenticate } from '../context';
import { apiError } from '../graphql/operations/error-format';
import type { GraphqlExecutor } from '../graphql/operations/executor';
import { sizeOfVariables } from '../graphql/operations/variables-size';
import { newRequestId } from '../http/origin';
import type { Logger } from '../log/logger';
import { asTask, shareOfUser } from '../event-loop';
import type { ConnectionLimiter } from './connection-limiter';
import type { Observers } from './operation-watch';
import { SocketOperation } from './socket-operation';
import { CLOSE } from './socket';
import type { Socket, ProtocolHandler } from './socket';

interface HandlerParts extends Observers {
  readonly config: Pick<Config, 'limits'>;
  readonly authenticate: Authenticate;
  readonly executor: GraphqlExecutor;
  readonly limiter: Pick<ConnectionLimiter, 'checkLimits'>;
  readonly log: Logger;
}

/** Time that a client has to send `connection_init`, ms. */
const INIT_MS = 3_000;
const ACKNOWLEDGED = JSON.stringify({ type: MessageType.ConnectionAck });
/** Shared by all sockets without operations. */
const NO_OPERATIONS: ReadonlyMap<string, SocketOperation> = new Map();

/** One client that uses `graphql-transport-ws`. Runs its operations through `GraphqlExecutor`. */
export class GraphqlHandler implements ProtocolHandler {
  private isInitialised = false;
  private isAcknowledged = false;
  /** Created with the first operation: most sockets stay idle, and thousands are open. */
  private startedOperations: Map<string, SocketOperation> | undefined;

  constructor(
    private readonly socket: Socket,
    private readonly parts: HandlerParts,
  ) {
    socket.startInitTimeout(INIT_MS);
  }

  get subscriptionCount(): number {
    let count = 0;
    for (const { isSubscribed } of this.operations.values()) if (isSubscribed) count += 1;
    return count;
  }

  onMessage(message: Buffer): void {
    try {
      this.handle(message.toString())?.catch((error: unknown) => this.fail(error));
    } catch (error) {
      this.fail(error);
    }
  }

  onInitTimeout(): void {
    const {
      socket,
      parts: { limiter },
    } = this;
    if (limiter.checkLimits(socket))
      socket.close(CloseCode.ConnectionInitialisationTimeout, 'Connection initialisation timeout');
  }

  onDisconnected(): void {
    for (const operation of this.operations.values()) operation.cancel();
  }

  async untilSessionEndSent(): Promise<void> {
    await Promise.all(
      [...this.operations.values()].map((operation) => operation.untilSessionEndSent()),
    );
  }

  /**
   * Handles one message; returns a promise if there is work to wait for. Rejects only for internal
   * errors.
   */
  private handle(text: string): Promise<void> | undefined {
    if (this.socket.cancelSignal.isCancelled) return undefined;
    const message = read(text);
    if (message?.type === MessageType.ConnectionInit) return this.init(message.payload);
    if (message?.type === MessageType.Subscribe) return this.subscribe(message);
    if (message?.type === MessageType.Ping) this.pong(message.payload);
    else if (message?.type === MessageType.Complete) this.operations.get(message.id)?.cancel();
    else if (message?.type !== MessageType.Pong)
      this.socket.close(
        CloseCode.BadRequest,
        message
          ? `Unexpected message of type ${message.type} received`
          : 'Invalid message received',
      );
    return undefined;
  }

  private fail(error: unknown): void {
    const {
      socket,
      parts: { log },
    } = this;
    log.error(
      { err: error, requestId: socket.request.requestId },
      'a message of a socket could not be handled',
    );
    socket.close(CLOSE.fault, 'Something went wrong on our side.');
  }

  private init(
    parameters: Readonly<Record<string, unknown>> | undefined,
  ): Promise<void> | undefined {
    const { socket, parts } = this;
    if (this.isInitialised) {
      socket.close(CloseCode.TooManyInitialisationRequests, 'Too many initialisation requests');
      return undefined;
    }
    this.isInitialised = true;
    socket.clearInitTimeout();
    const token = tokenIn(parameters) ?? socket.token;
    const authentication = parts.authenticate(token, socket.request);
    if (authentication instanceof Promise)
      return authentication.then((read) => this.acknowledge(token, read));
    this.acknowledge(token, authentication);
    return undefined;
  }

  private acknowledge(token: string | undefined, authentication: Authentication): void {
    const { socket, parts } = this;
    if (token !== undefined) {
      if (authentication.state !== 'signed-in') {
        socket.close(
          CLOSE.forbidden,
          authentication.state === 'expired'
            ? `The ${authentication.credential} has expired.`
            : 'The token is not valid.',
        );
        return;
      }
      socket.signIn(token, authentication);
    }
    if (!parts.limiter.checkLimits(socket)) return;
    this.isAcknowledged = true;
    void socket.send(ACKNOWLEDGED);
  }

  private pong(payload: Readonly<Record<string, unknown>> | undefined): void {
    if (payload && 'code' in sizeOfVariables(payload, 0, this.parts.config.limits))
      this.socket.close(CloseCode.BadRequest, 'Invalid message received');
    else
      void this.socket.send(
        JSON.stringify({ type: MessageType.Pong, ...(payload ? { payload } : {}) }),
      );
  }

  private async subscribe({ id, payload }: SubscribeMessage): Promise<void> {
    const {
      socket,
      parts: {
        executor,
        config: { limits },
      },
    } = this;
    if (!this.isAcknowledged) {
      socket.close(CloseCode.Unauthorized, 'Unauthorized');
      return;
    }
    const operations = (this.startedOperations ??= new Map());
    if (operations.has(id)) {
      socket.close(CloseCode.SubscriberAlreadyExists, `Subscriber for ${id} already exists`);
      return;
    }
    const operation = new SocketOperation(id, socket, executor, this.parts);
    if (operations.size >= limits.socketOperations) {
      const error = apiError(
        'RATE_LIMITED',
        `A socket may have ${limits.socketOperations} operations at once.`,
      );
      await operation.sendErrors({ errors: executor.formatErrors([error], newRequestId()) });
      return;
    }
    operations.set(id, operation);
    // The id is freed before the client is sent `complete`, so that it can be used again at once.
    await asTask(
      socket.actor ? shareOfUser(socket.actor.userId) : `network ${socket.origin.network}`,
      () =>
        operation.run(payload, () => {
          if (operations.get(id) === operation) operations.delete(id);
        }),
    );
  }

  private get operations(): ReadonlyMap<string, SocketOperation> {
    return this.startedOperations ?? NO_OPERATIONS;
  }
}

function read(text: string): Message | null {
  try {
    return parseMessage(text);
  } catch {
    return null;
  }
}

/**
 * Reads the token from `{ Authorization: 'Bearer …' }`, with the name in any case, or from `{
 * token: '…' }`.
 */
function tokenIn(parameters: Readonly<Record<string, unknown>> | undefined): string | undefined {
  if (!parameters) return undefined;
  for (const name of Object.keys(parameters)) {
    const value = parameters[name];
    if (typeof value !== 'string' || value === '') continue;
    if (name.toLowerCase() === 'authorization') return value.replace(/^Bearer +/i, '');
    if (name === 'token') return value;
  }
  return undefined;
}
