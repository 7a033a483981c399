import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Actor } from '../access/actor';
import type { Authentication } from '../access/need';
import type { Origin, RequestMarks } from '../context';
import { Departure } from '../graphql/departure';
import { leaveTogether } from './leave-together';
import { textFrame } from './text-frame';

/** Codes we close with, beside those of the protocol. 4403: the session does not hold (any more). 4429: more sockets than are allowed. */
export const CLOSE = {
  goingAway: 1001,
  tooSlow: 1013,
  fault: 4500,
  forbidden: 4403,
  tooMany: 4429,
} as const;

/** Bytes that may wait for a client that reads slowly. */
const MAX_WAITING_BYTES = 1024 * 1024;
/** Beyond this a client is waited for before he is sent the next message of a subscription. */
const MOST_UNREAD_BYTES = 64 * 1024;
const SENT_AS = { binary: false } as const;
/** How long a client may take to close, ms; one that reads nothing never hears of it. */
const CLOSING_MS = 2_000;

/** A client as his token was read. */
type SignedIn = Extract<Authentication, { readonly state: 'signed-in' }>;
/** Nothing has to leave before what comes next. */
const LEFT: Promise<void> = Promise.resolve();

/** What reaches a client below the protocols of sockets. */
type Stream = Duplex & { readonly bytesRead: number };

/** Who speaks with a client, in his protocol. */
export interface Speaker {
  /** Takes a message. */
  hear(message: Buffer): void;
  /** The client did not introduce himself in time. */
  silent(): void;
  /** The client is gone: nobody waits any more for what he began. */
  end(): void;
  /** Resolves when the client has been told that his session was ended, if he wanted to know. */
  lastWords(): Promise<void>;
}

/** The door a socket came in by. One for all of them: thousands are open for hours, and what each has of its own is kept with it. */
export interface SocketHouse {
  /** The client is gone, or is being hung up on. */
  left(socket: Socket): void;
  /** His connection is closed. */
  closed(socket: Socket): void;
  failed(socket: Socket, error: Error): void;
}

/** The WebSocket of a client, which says whose it is. */
type Connection = WebSocket & { client?: Socket };

// One function for all connections: thousands are open for hours, and each of its own would be kept with it.
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

/** One client: his connection, his token, and what must end with them. */
export class Socket {
  /** Set once `connection_init` came with a token that holds. */
  token: string | undefined;
  actor: Actor | undefined;
  /** The user as one of whose sockets it is counted. */
  countsFor: number | undefined;
  /** Set when it is known what he speaks. */
  speaker: Speaker | undefined;
  /** What had come from him when he was asked the last time whether he is there. */
  private heardOf = -1;
  /** Closed by us: what still comes in may ask for it again. */
  private closing = false;
  /** Left when the client is gone. */
  readonly departure = new Departure();
  /** What is said to the client, in his protocol, before he is hung up on. */
  farewell: ((code: number, reason: string) => string) | undefined;
  /** Made by the first: most sockets only come. */
  private watchers: Set<(authentication: Authentication) => void> | undefined;
  /** When the token expires, and up to when the client has to introduce himself, by the monotonic clock, ms. */
  private expiresAt = Infinity;
  private introducesBy = Infinity;
  /** The last of the large messages on their way, and the bytes of the one that is being sent. */
  private large = LEFT;
  private largeBytes = 0;

  /**
   * @param stream what the connection reads from and writes to
   * @param request by which it was opened
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

  /** Where it was opened from. */
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

  /** Calls the listener when it is known afresh who this is; returns what stops that. */
  watchIdentity(listener: (authentication: Authentication) => void): () => void {
    const watchers = (this.watchers ??= new Set());
    watchers.add(listener);
    return () => void watchers.delete(listener);
  }

  /** Tells the listeners who this is now. */
  identify(authentication: Authentication): void {
    for (const watcher of [...(this.watchers ?? [])]) watcher(authentication);
  }

  /** Answers what does one thing after the other, from when `ready` has resolved; meanwhile the client is not read from. What fails goes to `fault`. */
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

  /** Resolves when the bytes have left, so that whoever sends one message after the other goes at the client's pace. */
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
   * Sends a message whose middle many are sent, without telling when it has left; false, and nothing is sent, when it is large or the client has let too
   * much wait. It goes past the library, which encodes each message anew and writes it in two parts: what is sent through that is never in pieces.
   */
  pass(before: string, body: Buffer, after: string): boolean {
    if (this.connection.readyState !== this.connection.OPEN) return true;
    if (this.connection.bufferedAmount > MOST_UNREAD_BYTES) return false;
    const frame = textFrame(before, body, after);
    if (frame) this.stream.write(frame);
    return frame !== null;
  }

  /** Sends a frame that many are sent as it is, together with what others are sent in this turn of the event loop, at its end. */
  passTogether(frame: Buffer): void {
    if (this.connection.readyState !== this.connection.OPEN) return;
    leaveTogether(this.stream);
    this.stream.write(frame);
  }

  /** One after the other, and not counted as what the client has let wait: it asked for that much. */
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

  /** Says why and hangs up; cuts the connection when the client does not answer in time. */
  close(code: number, reason: string): void {
    if (this.closing || this.connection.readyState === this.connection.CLOSED) return;
    this.closing = true;
    if (this.farewell) this.connection.send(this.farewell(code, reason), () => undefined);
    this.connection.close(code, reason.slice(0, 120));
    this.leave();
    const timer = setTimeout(() => this.connection.terminate(), CLOSING_MS).unref();
    this.connection.once('close', () => clearTimeout(timer));
  }

  /** To be called when the connection is closed. */
  onClosed(): void {
    this.leave();
    this.house.closed(this);
  }

  /** To be called when the connection fails; that it is closed is told as well. */
  onFailed(error: Error): void {
    this.house.failed(this, error);
  }

  private leave(): void {
    if (this.departure.gone) return;
    this.departure.leave();
    this.speaker?.end();
    this.house.left(this);
  }

  /** Gives the client so many ms to introduce himself. */
  expectIntroduction(ms: number): void {
    this.introducesBy = performance.now() + ms;
  }

  /** He has. */
  introduced(): void {
    this.introducesBy = Infinity;
  }

  /** Does what its times ask for, which have no timers of their own: sockets come in by the thousand. To be called with the monotonic clock, again and again. */
  look(now: number): void {
    if (this.closing) return;
    if (now >= this.expiresAt) this.close(CLOSE.forbidden, 'The token has expired.');
    else if (now >= this.introducesBy) this.speaker?.silent();
  }

  /** Looks whether the client is still there; cuts the connection of one of whom nothing came since the last time. */
  ping(): void {
    const { bytesRead } = this.stream;
    if (bytesRead === this.heardOf) {
      this.connection.terminate();
      return;
    }
    this.heardOf = bytesRead;
    this.connection.ping(() => undefined);
  }

  /** Remembers whose socket it is, and closes it when the token expires. */
  signIn(token: string, { actor, expiresAt }: SignedIn): void {
    this.token = token;
    this.actor = actor;
    this.expiresAt = performance.now() + expiresAt - Date.now();
  }
}
