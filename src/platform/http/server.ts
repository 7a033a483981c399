import { createServer, IncomingMessage } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import { Server as Listener } from 'node:net';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { once } from 'node:events';
import {
  answerBrokenRequest,
  answerConnect,
  answerUnmetExpectation,
  refusalOf,
} from './broken-request';
import type { Refusal } from './broken-request';
import { documentedErrors } from './error-body';
import type { ErrorsAt } from './error-body';

/**
 * A request that can be upgraded to a WebSocket and to nothing else. (CONNECT is an upgrade for
 * Node; the server refuses it.) With a listener for upgrades, Node passes every request with an
 * `Upgrade` header to it, also those of clients that offer HTTP/2 (Java's does by default) and
 * would accept a plain response.
 */
class WebSocketUpgrades extends IncomingMessage {
  private isRequested: boolean | null = null;

  /** Cached, since Node reads `upgrade` three times. */
  private answer: boolean | undefined;

  get upgrade(): boolean {
    return (this.answer ??=
      this.isRequested === true &&
      (this.method === 'CONNECT' || this.headers.upgrade?.toLowerCase() === 'websocket'));
  }

  /** Set by Node's parser. */
  set upgrade(isRequested: boolean | null) {
    this.isRequested = isRequested;
    this.answer = undefined;
  }
}

export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Limits for slow senders: headers within 15 s, the whole request within 2 minutes, and 2 minutes
 * without a byte either way unless the service is working on the response.
 */
const TIMEOUTS = {
  headersTimeout: 15_000,
  requestTimeout: 120_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
};
const IDLE_TIMEOUT_MS = 120_000;
/**
 * Backlog of connections to accept. With Node's default of 511 the kernel resets the rest of a
 * flood.
 */
const BACKLOG = 4_096;
const MAX_HEADER_BYTES = 16 * 1024;
const STOP_DEADLINE_MS = 10_000;
const STOP_GRACE_MS = 250;

export interface HttpServerOptions {
  /** Called when a connection closes that was answered without the handler. */
  readonly onRefusal?: (refusal: Refusal) => void;
  /** Returns the address of the client. Default: the other end of the connection. */
  readonly addressOf?: (request: IncomingMessage) => string | null;
  /** Error format of responses without the handler. Default: as documented. */
  readonly errorsAt?: ErrorsAt;
  /** How long a client may neither send anything nor take what is sent to it, ms. */
  readonly idleTimeoutMs?: number;
}

/** An HTTP/1.1 server around a handler, with time-outs and a graceful stop. */
export class HttpServer {
  /** For the `upgrade` listener of the sockets. */
  readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private readonly responses = new Set<ServerResponse>();
  private readonly idleTimeoutMs: number;
  private stopping: Promise<void> | undefined;

  constructor(
    private readonly handler: NodeHandler,
    {
      onRefusal = () => undefined,
      addressOf = () => null,
      errorsAt = () => documentedErrors,
      idleTimeoutMs = IDLE_TIMEOUT_MS,
    }: HttpServerOptions = {},
  ) {
    this.idleTimeoutMs = idleTimeoutMs;
    // A missing Host is answered by the handler, with the same error body as everything else.
    this.server = createServer({
      ...TIMEOUTS,
      maxHeaderSize: MAX_HEADER_BYTES,
      requireHostHeader: false,
      IncomingMessage: WebSocketUpgrades,
    });
    this.trackConnections(onRefusal);
    this.server.on('request', (request, response) => this.onRequest(request, response));
    this.server.on('timeout', (socket: Socket) => this.onTimeout(socket));
    this.answerBrokenRequests(errorsAt);
    this.server.on('connect', (request, socket) =>
      answerConnect(errorsAt, request, socket, addressOf(request)),
    );
    this.server.on('checkExpectation', (request, response) =>
      answerUnmetExpectation(errorsAt, request, response, addressOf(request)),
    );
  }

  /** Resolves with the address when connections are accepted. Port 0 selects a free one. */
  async listen(host: string, port: number): Promise<{ host: string; port: number }> {
    const listening = once(this.server, 'listening');
    this.server.listen({ port, host, backlog: BACKLOG });
    await listening;
    const address = this.server.address();
    if (address === null || typeof address === 'string')
      throw new Error('The server listens on no address.');
    return { host: address.address, port: address.port };
  }

  /**
   * Accepts nothing new, lets running requests finish and closes idle connections at once; what is
   * still open after the deadline (ms) is cut. May be called more than once. Does not close
   * upgraded sockets: close those first.
   */
  async stop(deadlineMs = STOP_DEADLINE_MS): Promise<void> {
    if (!this.server.listening && !this.stopping) return;
    await (this.stopping ??= this.close(deadlineMs));
  }

  private trackConnections(onRefusal: (refusal: Refusal) => void): void {
    const { sockets } = this;
    // Shared by all connections: thousands are open for hours, and each would keep a closure of its
    // own.
    function onClosed(this: Socket): void {
      sockets.delete(this);
      const refusal = refusalOf(this);
      if (refusal) onRefusal(refusal);
    }
    this.server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.on('close', onClosed);
    });
  }

  private onRequest(request: IncomingMessage, response: ServerResponse): void {
    // Not set on the server, where every connection would have a timer from the start, also the
    // thousands that become WebSockets.
    request.socket.setTimeout(this.idleTimeoutMs);
    this.responses.add(response);
    response.once('close', () => this.responses.delete(response));
    if (this.stopping) response.setHeader('Connection', 'close');
    this.handler(request, response);
  }

  private onTimeout(socket: Socket): void {
    // The client is not slow while the service works on the response, which may take minutes next
    // to other long work.
    const isProcessing = [...this.responses].some(
      ({ req, writableLength }) => req.socket === socket && req.complete && writableLength === 0,
    );
    if (isProcessing) socket.setTimeout(this.idleTimeoutMs);
    else socket.destroy();
  }

  private answerBrokenRequests(errorsAt: ErrorsAt): void {
    const broken = new WeakSet<Duplex>();
    this.server.on('clientError', (error, socket) => {
      // The parser reports the error again for every chunk that arrives.
      if (broken.has(socket) || !socket.writable) return;
      broken.add(socket);
      afterAnswers(this.responses, socket, () => answerBrokenRequest(errorsAt, error, socket));
    });
  }

  private async close(deadlineMs: number): Promise<void> {
    const { server, sockets } = this;
    const closed = once(server, 'close');
    // `Server.close` of Node's HTTP also closes idle connections, since Node 26 even those that
    // have sent no byte: what the client sent before the stop may still be on its way.
    Listener.prototype.close.call(server);
    const findSilent = (): Socket[] => [...sockets].filter(({ bytesRead }) => bytesRead === 0);
    const closeIdle = (): void => {
      if (findSilent().length === 0) server.closeIdleConnections();
    };
    closeIdle();
    for (const response of this.responses) {
      if (!response.headersSent) response.setHeader('Connection', 'close');
      else response.once('close', () => setImmediate(closeIdle));
    }
    const grace = setTimeout(() => {
      // Node up to 24 does not count them as idle.
      for (const socket of findSilent()) socket.destroy();
      server.closeIdleConnections();
    }, STOP_GRACE_MS);
    const deadline = setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, deadlineMs);
    await closed;
    clearTimeout(grace);
    clearTimeout(deadline);
    // Ends what Node's HTTP server does besides listening.
    server.close();
  }
}

/**
 * Runs `work` when all earlier requests of a connection are answered, so that a broken request does
 * not harm their responses. The request whose body is broken is not waited for; if its response has
 * begun, the connection is cut.
 */
function afterAnswers(
  running: ReadonlySet<ServerResponse>,
  socket: Duplex,
  work: () => void,
): void {
  const open = [...running].filter(({ req }) => req.socket === socket);
  const waiting = open.find(({ req }) => req.complete);
  if (waiting) waiting.once('close', () => afterAnswers(running, socket, work));
  else if (open.some(({ headersSent }) => headersSent)) socket.destroy();
  else work();
}
