import type { Duplex } from 'node:stream';
import type { Actor } from '../access/actor';
import type { Authentication } from '../access/need';
import type { Origin, RequestMarks } from '../context';
import { CancelSignal } from '../graphql/operations/cancel-signal';
import { encodeTextFrame } from './text-frame';
import type { Transport } from './transport';

/**
 * Close codes of the service, in addition to those of the protocol. 4403: the session is not valid
 * (any more). 4429: too many sockets.
 */
export const CLOSE = {
  goingAway: 1001,
  tooSlow: 1013,
  fault: 4500,
  forbidden: 4403,
  tooMany: 4429,
} as const;

/**
 * Unsent bytes above which a slow client is disconnected. Messages above this size are sent one at
 * a time.
 */
const MAX_WAITING_BYTES = 1024 * 1024;
/** Unsent bytes above which `pass` sends nothing, so that its caller waits for the client. */
const MAX_UNREAD_BYTES = 64 * 1024;
/** Maximum bytes of a character of a string in UTF-8. */
const MAX_CHARACTER_BYTES = 3;
const TEXT = { binary: false } as const;
/**
 * Time that a client has to close, ms; then its connection is cut. A client that reads nothing
 * never sees the close frame.
 */
const CLOSE_TIMEOUT_MS = 2_000;

type SignedIn = Extract<Authentication, { readonly state: 'signed-in' }>;
/** Shared by all sockets that send no large message. */
const RESOLVED: Promise<void> = Promise.resolve();

/** The connection below the WebSocket. */
type Stream = Duplex & { readonly bytesRead: number };

/** The protocol of one client. */
export interface ProtocolHandler {
  /** Number of active subscriptions. */
  readonly subscriptionCount: number;
  onMessage(message: Buffer): void;
  /** Called if the client does not introduce itself in time. */
  onInitTimeout(): void;
  /** Called when the client is gone: cancels its operations. */
  onDisconnected(): void;
  /** Resolves when the client is notified of the end of its session, if it subscribed to that. */
  untilSessionEndSent(): Promise<void>;
}

/**
 * Callbacks of sockets. One object for all of them, to save memory: thousands are open for hours.
 */
export interface SocketListener {
  /** Called when the client is gone or its socket is being closed. */
  onDisconnected(socket: Socket): void;
  onClosed(socket: Socket): void;
  onFailed(socket: Socket, error: Error): void;
}

type Connection = Transport & { client?: Socket };

// Shared by all connections: thousands are open for hours, and each would keep closures of its own.
const clientOf = (connection: Transport): Socket | undefined => (connection as Connection).client;
function onMessage(this: Transport, message: Buffer): void {
  clientOf(this)?.handler?.onMessage(message);
}
function onClose(this: Transport): void {
  clientOf(this)?.onClosed();
}
function onError(this: Transport, error: Error): void {
  clientOf(this)?.onFailed(error);
}

/** One client: its connection, its token, and what ends with them. */
export class Socket {
  /** Valid after `signIn`; before that, what the upgrade request sent, unchecked. */
  token: string | undefined;
  actor: Actor | undefined;
  /** Id of the user whose limit this socket counts towards. */
  countedUserId: number | undefined;
  /** Set when the protocol is known. */
  handler: ProtocolHandler | undefined;
  /** Bytes received up to the last ping. */
  private bytesAtLastPing = -1;
  /** Set by `close`: messages that still arrive may call it again. */
  private isClosing = false;
  /** Signals that the client is gone or its socket is being closed. */
  readonly cancelSignal = new CancelSignal();
  /** Builds the last message before the socket is closed, in the client's protocol. */
  closeMessage: ((code: number, reason: string) => string) | undefined;
  /** Created with the first listener: most sockets have none. */
  private sessionListeners: Set<(authentication: Authentication) => void> | undefined;
  /** When the token expires, and by when the client must introduce itself; monotonic clock, ms. */
  private expiresAt = Infinity;
  private initDueAt = Infinity;
  /** Resolves when the last large message is sent; and the bytes of the one that is being sent. */
  private lastLargeSend = RESOLVED;
  private largeBytes = 0;

  /**
   * @param stream the connection below the WebSocket; null if the transport itself notices that its
   * client is gone
   * @param request the request that opened it
   */
  constructor(
    private readonly connection: Transport,
    private readonly stream: Stream | null,
    readonly request: RequestMarks & { readonly origin: Origin },
    private readonly listener: SocketListener,
  ) {
    (connection as Connection).client = this;
    connection.on('close', onClose);
    connection.on('error', onError);
    connection.on('message', onMessage);
  }

  get origin(): Origin {
    return this.request.origin;
  }

  get protocol(): string {
    return this.connection.protocol;
  }

  /** Resolves when the connection is closed. */
  closed(): Promise<void> {
    return new Promise((resolve) => {
      this.connection.once('close', () => resolve());
    });
  }

  /** Calls the listener each time the session is read again. Returns a function that removes it. */
  onSessionRead(listener: (authentication: Authentication) => void): () => void {
    const watchers = (this.sessionListeners ??= new Set());
    watchers.add(listener);
    return () => void watchers.delete(listener);
  }

  emitSessionRead(authentication: Authentication): void {
    for (const watcher of [...(this.sessionListeners ?? [])]) watcher(authentication);
  }

  /**
   * Returns a function that runs work one after the other, from when `ready` has resolved. The
   * client is not read from while work is waiting. Errors go to `fault`.
   */
  createSerialQueue(
    ready: Promise<void>,
    fault: (error: unknown) => void,
  ): (work: () => Promise<void>) => void {
    const { connection } = this;
    let waiting = 0;
    let last = Promise.resolve();
    const inTurn = (work: () => Promise<void>): void => {
      waiting += 1;
      connection.pause();
      last = last
        .then(() => (this.isClosing ? undefined : work()))
        .catch(fault)
        .finally(() => {
          waiting -= 1;
          if (waiting === 0) connection.resume();
        });
    };
    inTurn(() => ready);
    return inTurn;
  }

  /** Resolves when the bytes are sent, so that a caller that waits goes at the client's pace. */
  async send(message: string): Promise<void> {
    if (this.connection.readyState !== this.connection.OPEN) return;
    if (this.connection.bufferedAmount - this.largeBytes > MAX_WAITING_BYTES) {
      this.close(CLOSE.tooSlow, 'This client reads too slowly.');
      return;
    }
    // What is unsent is counted in bytes.
    const encoded =
      message.length * MAX_CHARACTER_BYTES > MAX_WAITING_BYTES ? Buffer.from(message) : null;
    if (encoded && encoded.length > MAX_WAITING_BYTES) await this.sendLarge(encoded);
    else await this.write(encoded ?? message);
  }

  /**
   * Sends a message whose `body` is shared by many clients, without waiting. Returns false, and
   * sends nothing, if the message is large or the client has too much unsent.
   * Bypasses the library, which would encode each message again and write it in two parts. This is
   * safe because the library never fragments the messages of this class.
   */
  trySendShared(before: string, body: Buffer, after: string): boolean {
    if (this.connection.readyState !== this.connection.OPEN) return true;
    if (this.stream === null || this.connection.bufferedAmount > MAX_UNREAD_BYTES) return false;
    const frame = encodeTextFrame(before, body, after);
    if (frame) this.stream.write(frame);
    return frame !== null;
  }

  /**
   * Sends one large message at a time. It does not count as unsent: the client requested that much.
   */
  private async sendLarge(message: Buffer): Promise<void> {
    const before = this.lastLargeSend;
    const sent = before.then(async () => {
      this.largeBytes = message.length;
      await this.write(message);
      this.largeBytes = 0;
    });
    this.lastLargeSend = sent;
    await sent;
  }

  private write(message: string | Buffer): Promise<void> {
    return new Promise((resolve) => {
      this.connection.send(message, TEXT, () => resolve());
    });
  }

  /** Sends the reason and closes; cuts the connection if the client does not close in time. */
  close(code: number, reason: string): void {
    if (this.isClosing || this.connection.readyState === this.connection.CLOSED) return;
    this.isClosing = true;
    if (this.closeMessage) this.connection.send(this.closeMessage(code, reason), () => undefined);
    this.connection.close(code, reason.slice(0, 120));
    this.cancel();
    const timer = setTimeout(() => this.connection.terminate(), CLOSE_TIMEOUT_MS).unref();
    this.connection.once('close', () => clearTimeout(timer));
  }

  onClosed(): void {
    this.cancel();
    this.listener.onClosed(this);
  }

  /** Called when the connection fails; `onClosed` is called as well. */
  onFailed(error: Error): void {
    this.listener.onFailed(this, error);
  }

  private cancel(): void {
    if (this.cancelSignal.isCancelled) return;
    this.cancelSignal.cancel();
    this.handler?.onDisconnected();
    this.listener.onDisconnected(this);
  }

  /** Sets how long the client may take to introduce itself, ms. */
  startInitTimeout(ms: number): void {
    this.initDueAt = performance.now() + ms;
  }

  /** Ends the time limit of `startInitTimeout`. */
  clearInitTimeout(): void {
    this.initDueAt = Infinity;
  }

  /**
   * Enforces the time limits. Called periodically with the monotonic clock, ms: thousands of
   * sockets share one timer.
   */
  enforceTimeouts(now: number): void {
    if (this.isClosing) return;
    if (now >= this.expiresAt) this.close(CLOSE.forbidden, 'The token has expired.');
    else if (now >= this.initDueAt) this.handler?.onInitTimeout();
  }

  /** Pings the client; cuts the connection if nothing was received since the last ping. */
  ping(): void {
    const bytesRead = this.stream?.bytesRead ?? null;
    if (bytesRead !== null && bytesRead === this.bytesAtLastPing) {
      this.connection.terminate();
      return;
    }
    this.bytesAtLastPing = bytesRead ?? -1;
    this.connection.ping(() => undefined);
  }

  /** Records the user, and when to close the socket because the token expires. */
  signIn(token: string, { actor, expiresAt }: SignedIn): void {
    this.token = token;
    this.actor = actor;
    this.expiresAt = performance.now() + expiresAt - Date.now();
  }
}
