import { CloseCode, MessageType, parseMessage } from 'graphql-ws';
import type { Message, SubscribeMessage } from 'graphql-ws';
import type { Config } from '../../config/config';
import type { Authentication } from '../access/need';
import type { Authenticate } from '../context';
import { doorError } from '../graphql/error-format';
import type { GraphqlExecutor } from '../graphql/executor';
import { sizeOfVariables } from '../graphql/variables';
import { newRequestId } from '../http/origin';
import type { Logger } from '../log/logger';
import { asTask, shareOfUser } from '../event-loop';
import type { Crowd } from './crowd';
import { SocketOperation } from './operation';
import { CLOSE } from './socket';
import type { Socket, Speaker } from './socket';
import { textFrame } from './text-frame';

interface ConversationParts {
  readonly config: Pick<Config, 'limits'>;
  readonly authenticate: Authenticate;
  readonly executor: GraphqlExecutor;
  readonly crowd: Pick<Crowd, 'mayStay'>;
  readonly log: Logger;
}

/** Time that a client has to send `connection_init`, ms. */
const INIT_MS = 3_000;
const ACKNOWLEDGED = textFrame(
  JSON.stringify({ type: MessageType.ConnectionAck }),
  Buffer.alloc(0),
  '',
) as Buffer;
/** Shared by all sockets without operations. */
const NO_OPERATIONS: ReadonlyMap<string, SocketOperation> = new Map();

/** One client that uses `graphql-transport-ws`. Runs its operations through `GraphqlExecutor`. */
export class Conversation implements Speaker {
  private introduced = false;
  private acknowledged = false;
  /** Created with the first operation: most sockets stay idle, and thousands are open. */
  private begun: Map<string, SocketOperation> | undefined;

  constructor(
    private readonly socket: Socket,
    private readonly parts: ConversationParts,
  ) {
    socket.expectIntroduction(INIT_MS);
  }

  hear(message: Buffer): void {
    try {
      this.take(message.toString())?.catch((error: unknown) => this.fail(error));
    } catch (error) {
      this.fail(error);
    }
  }

  silent(): void {
    const {
      socket,
      parts: { crowd },
    } = this;
    if (crowd.mayStay(socket))
      socket.close(CloseCode.ConnectionInitialisationTimeout, 'Connection initialisation timeout');
  }

  end(): void {
    for (const operation of this.operations.values()) operation.cancel();
  }

  async lastWords(): Promise<void> {
    await Promise.all([...this.operations.values()].map((operation) => operation.lastWords()));
  }

  /**
   * Handles one message; returns a promise if there is work to wait for. Rejects only for internal
   * errors.
   */
  private take(text: string): Promise<void> | undefined {
    if (this.socket.departure.gone) return undefined;
    const message = read(text);
    if (message?.type === MessageType.ConnectionInit) return this.greet(message.payload);
    if (message?.type === MessageType.Subscribe) return this.begin(message);
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

  private greet(
    parameters: Readonly<Record<string, unknown>> | undefined,
  ): Promise<void> | undefined {
    const { socket, parts } = this;
    if (this.introduced) {
      socket.close(CloseCode.TooManyInitialisationRequests, 'Too many initialisation requests');
      return undefined;
    }
    this.introduced = true;
    socket.introduced();
    const token = tokenIn(parameters) ?? socket.token;
    const authentication = parts.authenticate(token, socket.request);
    if (authentication instanceof Promise)
      return authentication.then((read) => this.welcome(token, read));
    this.welcome(token, authentication);
    return undefined;
  }

  private welcome(token: string | undefined, authentication: Authentication): void {
    const { socket, parts } = this;
    if (token !== undefined) {
      if (authentication.state !== 'signed-in') {
        socket.close(
          CLOSE.forbidden,
          authentication.state === 'expired' ? 'The token has expired.' : 'The token is not valid.',
        );
        return;
      }
      socket.signIn(token, authentication);
    }
    if (!parts.crowd.mayStay(socket)) return;
    this.acknowledged = true;
    socket.passTogether(ACKNOWLEDGED);
  }

  private pong(payload: Readonly<Record<string, unknown>> | undefined): void {
    if (payload && 'code' in sizeOfVariables(payload, 0, this.parts.config.limits))
      this.socket.close(CloseCode.BadRequest, 'Invalid message received');
    else
      void this.socket.send(
        JSON.stringify({ type: MessageType.Pong, ...(payload ? { payload } : {}) }),
      );
  }

  private async begin({ id, payload }: SubscribeMessage): Promise<void> {
    const {
      socket,
      parts: {
        executor,
        config: { limits },
      },
    } = this;
    if (!this.acknowledged) {
      socket.close(CloseCode.Unauthorized, 'Unauthorized');
      return;
    }
    const operations = (this.begun ??= new Map());
    if (operations.has(id)) {
      socket.close(CloseCode.SubscriberAlreadyExists, `Subscriber for ${id} already exists`);
      return;
    }
    const operation = new SocketOperation(id, socket, executor);
    if (operations.size >= limits.socketOperations) {
      const error = doorError(
        'RATE_LIMITED',
        `A socket may have ${limits.socketOperations} operations at once.`,
      );
      await operation.refuse({ errors: executor.refuse([error], newRequestId()) });
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
    return this.begun ?? NO_OPERATIONS;
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
