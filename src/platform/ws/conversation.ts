import { CloseCode, MessageType, parseMessage } from 'graphql-ws';
import type { Message, SubscribeMessage } from 'graphql-ws';
import type { Config } from '../../config/config';
import type { Authenticate } from '../context';
import { doorError } from '../graphql/error-format';
import type { FrontDoor } from '../graphql/front-door';
import { countValues } from '../graphql/variables';
import { newRequestId } from '../http/request-id';
import type { Crowd } from './crowd';
import { SocketOperation } from './operation';
import { CLOSE } from './socket';
import type { Socket } from './socket';

export interface ConversationParts {
  readonly config: Pick<Config, 'limits'>;
  readonly authenticate: Authenticate;
  readonly front: FrontDoor;
  readonly crowd: Pick<Crowd, 'mayStay'>;
}

/** A client that connects has this long to say who it is, ms. */
const INIT_MS = 3_000;
const ACKNOWLEDGED = Buffer.from(JSON.stringify({ type: MessageType.ConnectionAck }));

/** One client speaking `graphql-transport-ws`: what it says comes in, and every operation goes through the front door. */
export class Conversation {
  private introduced = false;
  private acknowledged = false;
  private readonly operations = new Map<string, SocketOperation>();

  constructor(private readonly socket: Socket, private readonly parts: ConversationParts) {
    socket.expectIntroduction(INIT_MS, () => {
      if (parts.crowd.mayStay(socket)) socket.close(CloseCode.ConnectionInitialisationTimeout, 'Connection initialisation timeout');
    });
    socket.departure.onGone(() => this.end());
    socket.lastWords = async () => {
      await Promise.all([...this.operations.values()].map((operation) => operation.lastWords()));
    };
  }

  /** Takes one message. Rejects for faults of ours only. */
  async hear(text: string): Promise<void> {
    if (this.socket.departure.gone) return;
    const message = read(text);
    if (!message) {
      this.socket.close(CloseCode.BadRequest, 'Invalid message received');
      return;
    }
    if (message.type === MessageType.ConnectionInit) await this.greet(message.payload);
    else if (message.type === MessageType.Ping) this.pong(message.payload);
    else if (message.type === MessageType.Subscribe) await this.begin(message);
    else if (message.type === MessageType.Complete) this.operations.get(message.id)?.cancel();
    else if (message.type !== MessageType.Pong) this.socket.close(CloseCode.BadRequest, `Unexpected message of type ${message.type} received`);
  }

  private async greet(parameters: Readonly<Record<string, unknown>> | undefined): Promise<void> {
    const { socket, parts } = this;
    if (this.introduced) {
      socket.close(CloseCode.TooManyInitialisationRequests, 'Too many initialisation requests');
      return;
    }
    this.introduced = true;
    socket.introduced();
    const token = tokenIn(parameters) ?? socket.token;
    if (token !== undefined) {
      const authentication = await parts.authenticate(token, socket.origin);
      if (authentication.state !== 'signed-in') {
        socket.close(CLOSE.forbidden, authentication.state === 'expired' ? 'The token has expired.' : 'The token is not valid.');
        return;
      }
      socket.signIn(token, authentication);
    }
    if (!parts.crowd.mayStay(socket)) return;
    this.acknowledged = true;
    socket.gather();
    if (!socket.pass('', ACKNOWLEDGED, '')) void socket.send(ACKNOWLEDGED.toString());
  }

  private pong(payload: Readonly<Record<string, unknown>> | undefined): void {
    if (payload && typeof countValues(payload, 0, this.parts.config.limits) !== 'number') this.socket.close(CloseCode.BadRequest, 'Invalid message received');
    else void this.socket.send(JSON.stringify({ type: MessageType.Pong, ...(payload ? { payload } : {}) }));
  }

  private async begin({ id, payload }: SubscribeMessage): Promise<void> {
    const { socket, operations, parts: { front, config: { limits } } } = this;
    if (!this.acknowledged) {
      socket.close(CloseCode.Unauthorized, 'Unauthorized');
      return;
    }
    if (operations.has(id)) {
      socket.close(CloseCode.SubscriberAlreadyExists, `Subscriber for ${id} already exists`);
      return;
    }
    const operation = new SocketOperation(id, socket, front);
    if (operations.size >= limits.socketOperations) {
      const error = doorError('RATE_LIMITED', `A socket may have ${limits.socketOperations} operations at once.`);
      await operation.refuse({ errors: front.refuse([error], newRequestId()) });
      return;
    }
    operations.set(id, operation);
    // Its name is free again before its client hears that it is complete.
    await operation.run(payload, () => {
      if (operations.get(id) === operation) operations.delete(id);
    });
  }

  private end(): void {
    for (const operation of this.operations.values()) operation.cancel();
  }
}

function read(text: string): Message | null {
  try {
    return parseMessage(text);
  } catch {
    return null;
  }
}

/** `{ Authorization: 'Bearer …' }` in any case, or `{ token: '…' }`. */
function tokenIn(parameters: Readonly<Record<string, unknown>> | undefined): string | undefined {
  for (const [name, value] of Object.entries(parameters ?? {})) {
    if (typeof value !== 'string' || value === '') continue;
    if (name.toLowerCase() === 'authorization') return value.replace(/^Bearer +/i, '');
    if (name === 'token') return value;
  }
  return undefined;
}
