import { CloseCode } from 'graphql-ws';
import type { Config } from '../../config/config';
import type { Authenticate } from '../context';
import { DomainError } from '../errors/errors';
import type { Dialect } from '../http/dialects/rest-dialects';
import type { Logger } from '../log/logger';
import type { ConnectionLimiter } from '../ws/connection-limiter';
import { CLOSE } from '../ws/socket';
import type { Socket, ProtocolHandler } from '../ws/socket';
import { findDestination } from '../http/dialects/destination';
import type { Envelope, Frame, Version } from './frame';
import { heartBeatMs, InvalidFrame, versionOf, VERSIONS, writeFrame } from './frame';
import { FrameReader } from './frame-reader';
import { Subscription } from './subscription';

interface StompParts {
  readonly config: Pick<Config, 'limits'>;
  readonly authenticate: Authenticate;
  readonly limiter: Pick<ConnectionLimiter, 'checkLimits'>;
  readonly log: Logger;
}

/** What the request that opened the socket says. */
interface StompClient {
  readonly dialect: Dialect;
  readonly scheduleId: number | null;
}

/** Time that an authenticated client has to send CONNECT, ms. */
const INIT_MS = 10_000;
/** Maximum characters of the id of a subscription or receipt. */
const MAX_ID_CHARACTERS = 256;

const badFrame = (message: string): InvalidFrame => new InvalidFrame(message, CloseCode.BadRequest);

/**
 * One client that uses STOMP. Its token comes with the upgrade request and is checked before any
 * message is handled.
 */
export class StompHandler implements ProtocolHandler {
  private version: Version | null = null;
  private readonly reader: FrameReader;
  private readonly subscriptions = new Map<string, Subscription>();
  private heartBeat: NodeJS.Timeout | undefined;
  private runSerially: (work: () => Promise<void>) => void = () => undefined;

  constructor(
    private readonly socket: Socket,
    private readonly envelope: Envelope,
    private readonly parts: StompParts,
    private readonly client: StompClient,
  ) {
    this.reader = new FrameReader(parts.config.limits.socketMessageBytes);
    socket.closeMessage = envelope.closeMessage;
    socket.onSessionRead((authentication) => {
      for (const subscription of this.subscriptions.values())
        subscription.recheckPermission(authentication);
    });
  }

  get subscriptionCount(): number {
    return this.subscriptions.size;
  }

  onMessage(message: Buffer): void {
    this.runSerially(() => this.read(message));
  }

  onInitTimeout(): void {
    this.socket.close(CloseCode.ConnectionInitialisationTimeout, 'CONNECT was not said in time.');
  }

  onDisconnected(): void {
    clearInterval(this.heartBeat);
    for (const subscription of this.subscriptions.values()) subscription.end();
    this.subscriptions.clear();
  }

  async untilSessionEndSent(): Promise<void> {
    await Promise.all(
      [...this.subscriptions.values()].map((subscription) => subscription.sendFarewell()),
    );
  }

  /** Authenticates the client, then handles its messages one after the other. */
  start(token: string | undefined): void {
    this.runSerially = this.socket.createSerialQueue(this.authenticate(token), (error) =>
      this.fail(error),
    );
  }

  private async authenticate(token: string | undefined): Promise<void> {
    const { socket, parts, envelope } = this;
    if (token === undefined) {
      socket.close(
        CloseCode.Unauthorized,
        'Sign in first: the token is the parameter `token` of the address.',
      );
      return;
    }
    const authentication = await parts.authenticate(token, socket.request);
    if (socket.cancelSignal.isCancelled) return;
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
    if (!parts.limiter.checkLimits(socket)) return;
    socket.startInitTimeout(INIT_MS);
    if (envelope.opening !== null) void socket.send(envelope.opening);
  }

  private async read(message: Buffer): Promise<void> {
    const pieces = this.envelope.unwrap(message);
    if (!pieces) throw badFrame('A message is a list of texts.');
    for (const piece of pieces) {
      for (const frame of this.reader.read(piece)) {
        if (this.socket.cancelSignal.isCancelled) return;
        await this.handle(frame);
      }
    }
  }

  private async handle(frame: Frame): Promise<void> {
    const { command, headers } = frame;
    if (command === 'CONNECT' || command === 'STOMP') {
      this.connect(frame);
      return;
    }
    if (this.version === null) throw badFrame('The first frame is CONNECT.');
    const receipt = headers.get('receipt');
    if (receipt !== undefined && receipt.length > MAX_ID_CHARACTERS)
      throw badFrame(`A receipt has ${MAX_ID_CHARACTERS} characters at most.`);
    try {
      if (command === 'SUBSCRIBE') await this.subscribe(frame);
      else if (command === 'UNSUBSCRIBE') this.unsubscribe(frame);
      // ACK and NACK have no effect: messages are never sent again.
      else if (command !== 'DISCONNECT' && command !== 'ACK' && command !== 'NACK')
        throw badFrame(`${command.slice(0, 20)} is not for clients of this service: they listen.`);
    } catch (error) {
      this.fail(error, receipt);
      return;
    }
    if (receipt !== undefined) void this.sendFrame('RECEIPT', { 'receipt-id': receipt });
    if (command === 'DISCONNECT') this.socket.close(1000, 'Goodbye.');
  }

  private connect({ headers }: Frame): void {
    if (this.version !== null) throw badFrame('CONNECT is said once.');
    const version = versionOf(headers);
    if (version === null) {
      void this.sendFrame('ERROR', {
        version: VERSIONS.join(','),
        message: 'No version that both sides speak.',
      });
      this.socket.close(CloseCode.BadRequest, 'No version that both sides speak.');
      return;
    }
    this.socket.clearInitTimeout();
    this.version = version;
    this.reader.version = version;
    const { sendMs, header } = heartBeatMs(headers);
    void this.sendFrame('CONNECTED', {
      version,
      'heart-beat': header,
      session: this.socket.request.requestId,
    });
    if (sendMs > 0 && !this.socket.cancelSignal.isCancelled)
      this.heartBeat = setInterval(
        () => void this.socket.send(this.envelope.wrap('\n')),
        sendMs,
      ).unref();
  }

  private async subscribe({ headers }: Frame): Promise<void> {
    const { socket, subscriptions, parts } = this;
    const destination = headers.get('destination');
    if (destination === undefined) throw badFrame('A subscription has a destination.');
    // In version 1.0 a subscription without an id is identified by its destination.
    const id = headers.get('id') ?? (this.version === '1.0' ? destination : '');
    if (id === '' || id.length > MAX_ID_CHARACTERS)
      throw badFrame(`A subscription has an id of 1 to ${MAX_ID_CHARACTERS} characters.`);
    if (subscriptions.has(id)) throw badFrame('There is a subscription with this id.');
    if (subscriptions.size >= parts.config.limits.socketOperations)
      throw badFrame(
        `A socket may have ${parts.config.limits.socketOperations} subscriptions at once.`,
      );
    const { dialect, scheduleId } = this.client;
    const subscription = new Subscription(
      id,
      destination,
      findDestination(dialect.destinations, destination),
      {
        about: { scheduleId, baseUrl: socket.origin.baseUrl + dialect.mount },
        readSession: () => parts.authenticate(socket.token, socket.request, 'event'),
        send: (more, body) => this.sendFrame('MESSAGE', more, body),
        fail: (error) => this.fail(error),
      },
    );
    const authentication = await parts.authenticate(socket.token, socket.request);
    if (socket.cancelSignal.isCancelled) return;
    subscriptions.set(id, subscription);
    subscription.recheckPermission(authentication);
  }

  private unsubscribe({ headers }: Frame): void {
    const id = headers.get('id') ?? headers.get('destination') ?? '';
    this.subscriptions.get(id)?.end();
    this.subscriptions.delete(id);
  }

  /** Sends an ERROR frame and closes the socket. */
  private fail(error: unknown, receipt?: string): void {
    const { socket } = this;
    if (socket.cancelSignal.isCancelled) return;
    const more: Readonly<Record<string, string>> =
      receipt === undefined ? {} : { 'receipt-id': receipt };
    if (error instanceof InvalidFrame) {
      void this.sendFrame('ERROR', { ...more, message: error.message });
      socket.close(error.closeCode, error.message);
    } else if (error instanceof DomainError) {
      void this.sendFrame(
        'ERROR',
        { ...more, message: error.code, 'content-type': 'text/plain;charset=utf-8' },
        error.message,
      );
      socket.close(CLOSE.fault, error.message);
    } else {
      this.parts.log.error(
        { err: error, requestId: socket.request.requestId },
        'a message of a socket could not be handled',
      );
      void this.sendFrame('ERROR', { ...more, message: 'INTERNAL_SERVER_ERROR' });
      socket.close(CLOSE.fault, 'Something went wrong on our side.');
    }
  }

  private async sendFrame(
    command: string,
    headers: Readonly<Record<string, string>>,
    body = '',
  ): Promise<void> {
    await this.socket.send(
      this.envelope.wrap(writeFrame(command, headers, this.version ?? '1.0', body)),
    );
  }
}
