import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
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
import type { ErrorDialect } from './error-body';
import { WebSocketUpgrades } from './websocket-upgrades';

export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => void;

export interface HttpServer {
  /** For the `upgrade` event of the sockets. */
  readonly server: Server;
  /** Resolves with the address when connections are accepted. Port 0 takes a free one. */
  listen(host: string, port: number): Promise<{ host: string; port: number }>;
  /**
   * Accepts nothing new, lets running requests finish, closes idle connections at once; what is still open after the deadline (ms)
   * is cut. May be called more than once. Upgraded sockets belong to whoever upgraded them: close those first.
   */
  stop(deadlineMs?: number): Promise<void>;
}

/** Slow senders are cut: headers within 15 s, the whole request within 2 minutes, 2 minutes without a byte either way, unless the service works on the answer. */
const TIMEOUTS = {
  headersTimeout: 15_000,
  requestTimeout: 120_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
};
const SILENCE_MS = 120_000;
/** Connections of a flood that wait to be accepted; Node's 511 would have the kernel reset the others. */
const CONNECTIONS_IN_LINE = 4_096;
const MAX_HEADER_BYTES = 16 * 1024;
const STOP_DEADLINE_MS = 10_000;
const SILENT_GRACE_MS = 250;

export interface HttpServerOptions {
  /** Hears of what was answered without the handler, when its connection is closed. */
  readonly onRefusal?: (refusal: Refusal) => void;
  /** Whose request this is; without it, the other end of the connection. */
  readonly addressOf?: (request: IncomingMessage) => string | null;
  /** How it words what it answers without the handler. Default: as documented. */
  readonly errors?: ErrorDialect;
  /** How long a client may send nothing, or take nothing of what waits for it, ms. */
  readonly silenceMs?: number;
}

/** An HTTP/1.1 server around a handler, with time-outs and a graceful stop. */
export function createHttpServer(
  handler: NodeHandler,
  {
    onRefusal = () => undefined,
    addressOf = () => null,
    errors = documentedErrors,
    silenceMs = SILENCE_MS,
  }: HttpServerOptions = {},
): HttpServer {
  // A missing Host is answered by the handler, with the same error body as everything else.
  const server = createServer({
    ...TIMEOUTS,
    maxHeaderSize: MAX_HEADER_BYTES,
    requireHostHeader: false,
    IncomingMessage: WebSocketUpgrades,
  });
  const sockets = new Set<Socket>();
  const running = new Set<ServerResponse>();
  let stopped: Promise<void> | undefined;

  // One function for all connections: thousands are open for hours, and each of its own would be kept with it.
  function onClosed(this: Socket): void {
    sockets.delete(this);
    const refusal = refusalOf(this);
    if (refusal) onRefusal(refusal);
  }
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', onClosed);
  });
  server.on('request', (request, response) => {
    // Not of the server: each connection would have a timer from its first moment, also the thousands that become WebSockets.
    request.socket.setTimeout(silenceMs);
    running.add(response);
    response.once('close', () => running.delete(response));
    if (stopped) response.setHeader('Connection', 'close');
    handler(request, response);
  });
  server.on('timeout', (socket: Socket) => {
    // Nothing waits for the client while the service works on the answer: long work may take minutes next to other long work.
    const isWorkedOn = [...running].some(
      ({ req, writableLength }) => req.socket === socket && req.complete && writableLength === 0,
    );
    if (isWorkedOn) socket.setTimeout(silenceMs);
    else socket.destroy();
  });
  const broken = new WeakSet<Duplex>();
  server.on('clientError', (error, socket) => {
    // The parser complains again with every portion that comes.
    if (broken.has(socket) || !socket.writable) return;
    broken.add(socket);
    afterAnswers(running, socket, () => answerBrokenRequest(errors, error, socket));
  });
  server.on('connect', (request, socket) =>
    answerConnect(errors, request, socket, addressOf(request)),
  );
  server.on('checkExpectation', (request, response) =>
    answerUnmetExpectation(errors, request, response, addressOf(request)),
  );

  const stop = async (deadlineMs: number): Promise<void> => {
    const closed = once(server, 'close');
    // Node's own close cuts idle connections too, from 26 on also those that sent no byte yet: what was sent before the stop may still be on its way.
    Listener.prototype.close.call(server);
    const silentOnes = (): Socket[] => [...sockets].filter(({ bytesRead }) => bytesRead === 0);
    const closeIdle = (): void => {
      if (silentOnes().length === 0) server.closeIdleConnections();
    };
    closeIdle();
    for (const response of running) {
      if (!response.headersSent) response.setHeader('Connection', 'close');
      else response.once('close', () => setImmediate(closeIdle));
    }
    const silent = setTimeout(() => {
      // Up to 24 they do not count as idle for Node.
      for (const socket of silentOnes()) socket.destroy();
      server.closeIdleConnections();
    }, SILENT_GRACE_MS);
    const deadline = setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, deadlineMs);
    await closed;
    clearTimeout(silent);
    clearTimeout(deadline);
    // Ends what Node does for a server besides listening.
    server.close();
  };

  return {
    server,
    async listen(host, port) {
      const listening = once(server, 'listening');
      server.listen({ port, host, backlog: CONNECTIONS_IN_LINE });
      await listening;
      const address = server.address();
      if (address === null || typeof address === 'string')
        throw new Error('The server listens on no address.');
      return { host: address.address, port: address.port };
    },
    async stop(deadlineMs = STOP_DEADLINE_MS) {
      if (!server.listening && !stopped) return;
      await (stopped ??= stop(deadlineMs));
    },
  };
}

/**
 * Runs `work` when everything that was asked before on a connection is answered: what follows it may be broken, the answers must not be. The
 * request whose body is broken is not waited for; one whose answer had begun is cut.
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
