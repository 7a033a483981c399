import type { IncomingMessage, Server as HttpServer } from 'node:http';
import type { Duplex } from 'node:stream';
import type { RequestHandler } from 'express';
import { CloseCode, GRAPHQL_TRANSPORT_WS_PROTOCOL, handleProtocols } from 'graphql-ws';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import type { Config } from '../../config/config';
import type { EventBus } from '../events/bus';
import type { Authenticate } from '../context';
import type { GraphqlExecutor } from '../graphql/operations/executor';
import type { Dialect } from '../http/dialects/rest-dialects';
import { answerRefusedUpgrade } from '../http/broken-request';
import { bearerToken, createArrivalReader } from '../http/origin';
import type { ArrivalReader } from '../http/origin';
import { requestUrl, withoutPrefix } from '../http/request-url';
import type { Logger } from '../log/logger';
import { XhrTransports } from '../sockjs/xhr-transports';
import { envelopeAt, socketClaims } from '../stomp/addresses';
import type { SocketClaims } from '../stomp/addresses';
import { StompHandler } from '../stomp/stomp-handler';
import { BARE, SOCKJS, stompProtocol } from '../stomp/frame';
import type { Envelope } from '../stomp/frame';
import { GraphqlHandler } from '../ws/graphql-handler';
import type { Observers } from '../ws/operation-watch';
import { SessionWatch } from '../ws/session-watch';
import type { Gauge } from '../metrics/metrics';
import { ConnectionLimiter } from '../ws/connection-limiter';
import { CLOSE, Socket } from '../ws/socket';
import type { SocketListener } from '../ws/socket';

const GRAPHQL_PATHS: ReadonlySet<string> = new Set(['/graphql', '/ws']);
/** Ping interval, ms. */
const PING_MS = 12_000;
/** Interval of the checks of the sockets' time limits, ms. */
const TIMEOUT_CHECK_MS = 500;

interface SocketServerParts extends Observers {
  readonly httpServer: HttpServer;
  readonly config: Config;
  readonly executor: GraphqlExecutor;
  readonly authenticate: Authenticate;
  readonly log: Logger;
  readonly bus: EventBus;
  /** Returns the dialect of the sockets at a path. */
  readonly dialectAt: (path: string, request?: IncomingMessage) => Dialect;
}

/** A protocol, and how its sockets are opened. */
interface SocketEndpoint {
  readonly webSockets: WebSocketServer;
  readonly accept: (socket: Socket, request: IncomingMessage, dialect: Dialect) => void;
}

type StartStomp = (socket: Socket, claims: SocketClaims, dialect: Dialect) => void;

/**
 * GraphQL over WebSocket, and STOMP for released clients, on the port of the HTTP server. The
 * limits on sockets apply to both together.
 */
export class SocketServer {
  /** Answers the XHR transports of SockJS. Its streams must not be compressed. */
  readonly handler: RequestHandler;
  private readonly sockets = new Set<Socket>();
  private readonly limiter: ConnectionLimiter;
  private readonly arrivalOf: ArrivalReader;
  private readonly listener: SocketListener;
  private readonly graphql: SocketEndpoint;
  private readonly stomp: Readonly<Record<'sockjs' | 'bare', SocketEndpoint>>;
  private readonly sessionWatch: SessionWatch;
  private readonly timers: readonly NodeJS.Timeout[];
  private stopping: Promise<void> | null = null;

  constructor(private readonly parts: SocketServerParts) {
    const { httpServer, config, authenticate, bus, log } = parts;
    this.limiter = new ConnectionLimiter(config.limits);
    this.arrivalOf = createArrivalReader(config);
    this.listener = {
      onDisconnected: (socket) => this.limiter.remove(socket),
      onClosed: (socket) => void this.sockets.delete(socket),
      onFailed: ({ request: { requestId } }, error) =>
        log.debug({ err: error, requestId }, 'a socket failed'),
    };
    this.graphql = this.createGraphqlEndpoint();
    const stompSockets = this.createWebSocketServer(stompProtocol);
    const overSockjs = this.createStomp(SOCKJS);
    this.stomp = {
      sockjs: stompEndpoint(stompSockets, overSockjs),
      bare: stompEndpoint(stompSockets, this.createStomp(BARE)),
    };
    this.handler = this.createXhrTransports(overSockjs).handle;
    this.sessionWatch = new SessionWatch({
      bus,
      authenticate,
      log,
      sockets: () => this.sockets,
    });
    this.timers = [
      setInterval(() => this.pingAll(), PING_MS).unref(),
      setInterval(() => this.enforceTimeouts(), TIMEOUT_CHECK_MS).unref(),
    ];
    for (const gauge of socketGauges(this.sockets)) parts.metrics?.addGauge(gauge);
    httpServer.on('upgrade', (request, stream, head) => this.onUpgrade(request, stream, head));
  }

  /** Refuses new sockets, closes the open ones with 1001 and waits. May be called again. */
  stop(): Promise<void> {
    return (this.stopping ??= this.closeAll());
  }

  private async closeAll(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    this.sessionWatch.stop();
    const closed = [...this.sockets].map((socket) => socket.closed());
    for (const socket of this.sockets) socket.close(CLOSE.goingAway, 'The service is stopping.');
    await Promise.all(closed);
    this.graphql.webSockets.close();
    this.stomp.sockjs.webSockets.close();
  }

  private createGraphqlEndpoint(): SocketEndpoint {
    const { config, authenticate, executor, log, metrics, tracing } = this.parts;
    const { limiter } = this;
    const handlerParts = { config, authenticate, executor, limiter, log, metrics, tracing };
    return {
      webSockets: this.createWebSocketServer((protocols) => handleProtocols(protocols)),
      accept(socket, request) {
        // For clients that can set headers; a token in `connection_init` takes precedence.
        socket.token = bearerToken(request.headers);
        if (socket.protocol !== GRAPHQL_TRANSPORT_WS_PROTOCOL) {
          socket.close(CloseCode.SubprotocolNotAcceptable, 'Subprotocol not acceptable');
          return;
        }
        if (limiter.admit(socket)) socket.handler = new GraphqlHandler(socket, handlerParts);
      },
    };
  }

  private createStomp(envelope: Envelope): StartStomp {
    const { config, authenticate, log } = this.parts;
    const { limiter } = this;
    const handlerParts = { config, authenticate, limiter, log };
    return (socket, { token, scheduleId }, dialect) => {
      const handler = new StompHandler(socket, envelope, handlerParts, { dialect, scheduleId });
      socket.handler = handler;
      if (limiter.admit(socket)) handler.start(token);
    };
  }

  private createXhrTransports(start: StartStomp): XhrTransports {
    const { config, dialectAt } = this.parts;
    return new XhrTransports({
      config,
      dialectAt,
      arrivalOf: this.arrivalOf,
      isStopping: () => this.stopping !== null,
      open: (connection, request, claims, dialect) => {
        const arrival = this.arrivalOf(request);
        const socket = this.addSocket(new Socket(connection, null, arrival, this.listener));
        start(socket, claims, dialect);
        return socket;
      },
    });
  }

  private createWebSocketServer(
    selectProtocol: (protocols: Set<string>) => string | false,
  ): WebSocketServer {
    const { config, dialectAt } = this.parts;
    return new WebSocketServer({
      noServer: true,
      clientTracking: false,
      maxPayload: config.limits.socketMessageBytes,
      perMessageDeflate: false,
      handleProtocols: selectProtocol,
    }).on('wsClientError', (_error, stream, request) => {
      const { path } = requestUrl(request.url);
      const status = request.method === 'GET' ? 400 : 405;
      const { address } = this.arrivalOf(request).origin;
      answerRefusedUpgrade(dialectAt(path, request).errors, stream, status, path, address);
    });
  }

  private endpointAt(path: string): SocketEndpoint | null {
    if (GRAPHQL_PATHS.has(path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path))
      return this.graphql;
    const envelope = envelopeAt(path);
    return envelope === null ? null : this.stomp[envelope];
  }

  private onUpgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    const { config, dialectAt } = this.parts;
    const { path } = requestUrl(withoutPrefix(request.url, config.server.pathPrefix));
    const dialect = dialectAt(path, request);
    const { origin } = request.headers;
    const arrival = this.arrivalOf(request);
    const refuse = (status: 403 | 404 | 503): void =>
      answerRefusedUpgrade(dialect.errors, stream, status, path, arrival.origin.address);
    const endpoint = this.endpointAt(path.slice(dialect.mount.length));
    if (this.stopping) refuse(503);
    else if (!endpoint) refuse(404);
    else if (origin !== undefined && !arrival.allows(origin)) refuse(403);
    else this.open(endpoint, request, head, dialect);
  }

  private open(
    endpoint: SocketEndpoint,
    request: IncomingMessage,
    head: Buffer,
    dialect: Dialect,
  ): void {
    endpoint.webSockets.handleUpgrade(request, request.socket, head, (connection) =>
      endpoint.accept(this.createSocket(connection, request), request, dialect),
    );
  }

  // Not inside `open`: listeners of the connection would keep its scope, and with it the request,
  // in memory for hours.
  private createSocket(connection: WebSocket, request: IncomingMessage): Socket {
    return this.addSocket(
      new Socket(connection, request.socket, this.arrivalOf(request), this.listener),
    );
  }

  private addSocket(socket: Socket): Socket {
    this.sockets.add(socket);
    return socket;
  }

  private pingAll(): void {
    for (const socket of this.sockets) socket.ping();
  }

  private enforceTimeouts(): void {
    const now = performance.now();
    this.limiter.closeExpired(now);
    for (const socket of this.sockets) socket.enforceTimeouts(now);
  }
}

const stompEndpoint = (webSockets: WebSocketServer, start: StartStomp): SocketEndpoint => ({
  webSockets,
  accept: (socket, request, dialect) => start(socket, socketClaims(request), dialect),
});

/** Metrics of the open sockets. They are counted when they are read, so that sockets cost nothing. */
const socketGauges = (sockets: ReadonlySet<Socket>): readonly Gauge[] => [
  {
    name: 'hypha_sockets',
    help: 'Open sockets, by protocol.',
    labels: ['protocol'],
    read() {
      let stomp = 0;
      for (const { handler } of sockets) if (handler instanceof StompHandler) stomp += 1;
      return [
        { labels: { protocol: 'graphql' }, value: sockets.size - stomp },
        { labels: { protocol: 'stomp' }, value: stomp },
      ];
    },
  },
  {
    name: 'hypha_subscriptions',
    help: 'Active subscriptions of all sockets.',
    read() {
      let count = 0;
      for (const { handler } of sockets) count += handler?.subscriptionCount ?? 0;
      return [{ value: count }];
    },
  },
];
