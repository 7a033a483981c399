import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Actor } from '../access/actor';
import type { Authentication } from '../access/need';
import type { Origin, RequestMarks } from '../context';
import { Departure } from '../graphql/asker';
import { leaveTogether } from './leave-together';
import { textFrame } from './text-frame';

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
const MOST_UNREAD_BYTES = 64 * 1024;
const SENT_AS = { binary: false } as const;
/**
 * Time that a client has to close, ms; then its connection is cut. A client that reads nothing
 * never sees the close frame.
 */
const CLOSING_MS = 2_000;

type SignedIn = Extract<Authentication, { readonly state: 'signed-in' }>;
/** Shared by all sockets that send no large message. */
const LEFT: Promise<void> = Promise.resolve();

/** The connection below the WebSocket. */
type Stream = Duplex & { readonly bytesRead: number };

/** The protocol of one client. */
export interface Speaker {
  hear(message: Buffer): void;
  /** Called if the client does not introduce itself in time. */
  silent(): void;
  /** Called when the client is gone: cancels its operations. */
  end(): void;
  /** Resolves when the client is notified of the end of its session, if it subscribed to that. */
  lastWords(): Promise<void>;
}

/**
 * Callbacks of sockets. One object for all of them, to save memory: thousands are open for hours.
 */
export interface SocketHouse {
  /** Called when the client is gone or its socket is being closed. */
  left(socket: Socket): void;
  closed(socket: Socket): void;
  failed(socket: Socket, error: Error): void;
}

/** A WebSocket with a reference to its `Socket`. */
type Connection = WebSocket & { client?: Socket };

// Shared by all connections: thousands are open for hours, and each would keep closures of its own.
const clientOf = (connection: WebSocket): Socket | undefined => (connection as Connection).client;
function onMessage(this: WebSocket, message: Buffer): void {
  clientOf(this)?.speaker?.hear(message);
}
function onClose(this: WebSocket): void {
  clientOf(this)?.onClosed();
}
function onError(this: WebSocket, error: Error): void {
  clientOf(this)?.onFailed(error);
}

/** One client: its connection, its token, and what ends with them. */
export class Socket {
  /** Valid after `signIn`; before that, what the upgrade request sent, unchecked. */
  token: string | undefined;
  actor: Actor | undefined;
  /** Id of the user whose limit this socket counts towards. */
  countsFor: number | undefined;
  /** Set when the protocol is known. */
  speaker: Speaker | undefined;
  /** Bytes received up to the last ping. */
  private heardOf = -1;
  /** Set by `close`: messages that still arrive may call it again. */
  private closing = false;
  /** Signals that the client is gone or its socket is being closed. */
  readonly departure = new Departure();
  /** Builds the last message before the socket is closed, in the client's protocol. */
  farewell: ((code: number, reason: string) => string) | undefined;
  /** Created with the first listener: most sockets have none. */
  private watchers: Set<(authentication: Authentication) => void> | undefined;
  /** When the token expires, and by when the client must introduce itself; monotonic clock, ms. */
  private expiresAt = Infinity;
  private introducesBy = Infinity;
  /** Resolves when the last large message is sent; and the bytes of the one that is being sent. */
  private large = LEFT;
  private largeBytes = 0;

  /**
   * @param stream the connection below the WebSocket
   * @param request the upgrade request
   */
  constructor(
    private readonly connection: WebSocket,
    private readonly stream: Stream,
    readonly request: RequestMarks & { readonly origin: Origin },
    private readonly house: SocketHouse,
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
  watchIdentity(listener: (authentication: Authentication) => void): () => void {
    const watchers = (this.watchers ??= new Set());
    watchers.add(listener);
    return () => void watchers.delete(listener);
  }

  identify(authentication: Authentication): void {
    for (const watcher of [...(this.watchers ?? [])]) watcher(authentication);
  }

  /**
   * Returns a function that runs work one after the other, from when `ready` has resolved. The
   * client is not read from while work is waiting. Errors go to `fault`.
   */
  inTurn(
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
        .then(() => (this.closing ? undefined : work()))
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
  async send(message: string | Buffer): Promise<void> {
    if (this.connection.readyState !== this.connection.OPEN) return;
    if (this.connection.bufferedAmount - this.largeBytes > MAX_WAITING_BYTES) {
      this.close(CLOSE.tooSlow, 'This client reads too slowly.');
      return;
    }
    if (message.length > MAX_WAITING_BYTES) await this.sendLarge(message);
    else await this.sent(message);
  }

  /**
   * Sends a message whose `body` is shared by many clients, without waiting. Returns false, and
   * sends nothing, if the message is large or the client has too much unsent.
   * Bypasses the library, which would encode each message again and write it in two parts. This is
   * safe because the library never fragments the messages of this class.
   */
  pass(before: string, body: Buffer, after: string): boolean {
    if (this.connection.readyState !== this.connection.OPEN) return true;
    if (this.connection.bufferedAmount > MOST_UNREAD_BYTES) return false;
    const frame = textFrame(before, body, after);
    if (frame) this.stream.write(frame);
    return frame !== null;
  }

  /**
   * Sends a shared frame at the end of this event loop iteration, together with those of other
   * clients.
   */
  passTogether(frame: Buffer): void {
    if (this.connection.readyState !== this.connection.OPEN) return;
    leaveTogether(this.stream);
    this.stream.write(frame);
  }

  /**
   * Sends one large message at a time. It does not count as unsent: the client requested that much.
   */
  private async sendLarge(message: string | Buffer): Promise<void> {
    const before = this.large;
    const sent = before.then(async () => {
      this.largeBytes = message.length;
      await this.sent(message);
      this.largeBytes = 0;
    });
    this.large = sent;
    await sent;
  }

  private sent(message: string | Buffer): Promise<void> {
    return new Promise((resolve) => {
      this.connection.send(message, SENT_AS, () => resolve());
    });
  }

  /** Sends the reason and closes; cuts the connection if the client does not close in time. */
  close(code: number, reason: string): void {
    if (this.closing || this.connection.readyState === this.connection.CLOSED) return;
    this.closing = true;
    if (this.farewell) this.connection.send(this.farewell(code, reason), () => undefined);
    this.connection.close(code, reason.slice(0, 120));
    this.leave();
    const timer = setTimeout(() => this.connection.terminate(), CLOSING_MS).unref();
    this.connection.once('close', () => clearTimeout(timer));
  }

  onClosed(): void {
    this.leave();
    this.house.closed(this);
  }

  /** Called when the connection fails; `onClosed` is called as well. */
  onFailed(error: Error): void {
    this.house.failed(this, error);
  }

  private leave(): void {
    if (this.departure.gone) return;
    this.departure.leave();
    this.speaker?.end();
    this.house.left(this);
  }

  /** Sets how long the client may take to introduce itself, ms. */
  expectIntroduction(ms: number): void {
    this.introducesBy = performance.now() + ms;
  }

  /** Ends the time limit of `expectIntroduction`. */
  introduced(): void {
    this.introducesBy = Infinity;
  }

  /**
   * Enforces the time limits. Called periodically with the monotonic clock, ms: thousands of
   * sockets share one timer.
   */
  look(now: number): void {
    if (this.closing) return;
    if (now >= this.expiresAt) this.close(CLOSE.forbidden, 'The token has expired.');
    else if (now >= this.introducesBy) this.speaker?.silent();
  }

  /** Pings the client; cuts the connection if nothing was received since the last ping. */
  ping(): void {
    const { bytesRead } = this.stream;
    if (bytesRead === this.heardOf) {
      this.connection.terminate();
      return;
    }
    this.heardOf = bytesRead;
    this.connection.ping(() => undefined);
  }

  /** Records the user, and when to close the socket because the token expires. */
  signIn(token: string, { actor, expiresAt }: SignedIn): void {
    this.token = token;
    this.actor = actor;
    this.expiresAt = performance.now() + expiresAt - Date.now();
  }
}
