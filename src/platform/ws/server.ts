import type { IncomingMessage, Server as HttpServer } from 'node:http';
import type { Duplex } from 'node:stream';
import { CloseCode, GRAPHQL_TRANSPORT_WS_PROTOCOL, handleProtocols } from 'graphql-ws';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import type { Config } from '../../config/config';
import type { EventBus } from '../events/bus';
import { createGraphqlExecutor } from '../graphql/executor';
import type { GraphqlExecutorParts } from '../graphql/executor';
import { isAllowedOrigin } from '../http/allowed-origin';
import { answerRefusedUpgrade } from '../http/broken-request';
import type { ErrorDialect } from '../http/error-body';
import { bearerToken, createArrivalReader } from '../http/origin';
import { requestUrl, withoutPrefix } from '../http/request-url';
import { envelopeAt, socketToken } from '../stomp/addresses';
import { StompConversation } from '../stomp/conversation';
import type { Destination } from '../stomp/destination';
import { BARE, SOCKJS, stompProtocol } from '../stomp/frame';
import type { Envelope } from '../stomp/frame';
import { Conversation } from './conversation';
import { leaveTogether } from './leave-together';
import { watchSessions } from './session-watch';
import { Crowd } from './crowd';
import { CLOSE, Socket } from './socket';
import type { SocketHouse } from './socket';

const GRAPHQL_PATHS: ReadonlySet<string> = new Set(['/graphql', '/ws']);
/** Ping interval, ms. */
const PING_MS = 12_000;
/** Interval of the checks of the sockets' time limits, ms. */
const LOOK_MS = 500;

interface SocketDoor {
  /** Refuses new sockets, closes the open ones with 1001 and waits. May be called again. */
  stop(): Promise<void>;
}

interface SocketDoorParts extends GraphqlExecutorParts {
  readonly httpServer: HttpServer;
  readonly config: Config;
  readonly bus: EventBus;
  /** Error format of refused upgrades. */
  readonly errors: ErrorDialect;
  readonly destinations?: readonly Destination[];
}

/** A protocol, and how its sockets are opened. */
interface Language {
  readonly upgrades: WebSocketServer;
  readonly begin: (socket: Socket, request: IncomingMessage) => void;
}

/**
 * GraphQL over WebSocket, and STOMP for released clients, on the port of the HTTP server. The
 * limits on sockets apply to both together.
 */
export function createSocketDoor({
  httpServer,
  bus,
  errors,
  destinations = [],
  ...parts
}: SocketDoorParts): SocketDoor {
  const { config, authenticate, log } = parts;
  const arrivalOf = createArrivalReader(config);
  const executor = createGraphqlExecutor(parts);
  const sockets = new Set<Socket>();
  const crowd = new Crowd(config.limits);
  const house: SocketHouse = {
    left: (socket) => crowd.left(socket),
    closed: (socket) => void sockets.delete(socket),
    failed: ({ request: { requestId } }, error) =>
      log.debug({ err: error, requestId }, 'a socket failed'),
  };
  const upgradesTo = (
    handleProtocols: (protocols: Set<string>) => string | false,
  ): WebSocketServer =>
    new WebSocketServer({
      noServer: true,
      clientTracking: false,
      maxPayload: config.limits.socketMessageBytes,
      perMessageDeflate: false,
      handleProtocols,
    }).on('wsClientError', (_error, stream, request) =>
      answerRefusedUpgrade(
        errors,
        stream,
        request.method === 'GET' ? 400 : 405,
        requestUrl(request.url).path,
        arrivalOf(request).origin.address,
      ),
    );
  const watch = watchSessions({ bus, authenticate, log, sockets: () => sockets });
  const pings = setInterval(() => {
    for (const socket of sockets) socket.ping();
  }, PING_MS).unref();
  const looks = setInterval(() => {
    const now = performance.now();
    crowd.look(now);
    for (const socket of sockets) socket.look(now);
  }, LOOK_MS).unref();
  let stopping: Promise<void> | null = null;

  const conversing = { config, authenticate, executor, crowd, log };
  const graphql: Language = {
    upgrades: upgradesTo((protocols) => handleProtocols(protocols)),
    begin(socket, request) {
      // For clients that can set headers; a token in `connection_init` takes precedence.
      socket.token = bearerToken(request.headers);
      if (socket.protocol !== GRAPHQL_TRANSPORT_WS_PROTOCOL) {
        socket.close(CloseCode.SubprotocolNotAcceptable, 'Subprotocol not acceptable');
        return;
      }
      if (!crowd.welcome(socket)) return;
      socket.speaker = new Conversation(socket, conversing);
    },
  };
  const stompUpgrades = upgradesTo(stompProtocol);
  const stomp = (envelope: Envelope): Language => ({
    upgrades: stompUpgrades,
    begin(socket, request) {
      const conversation = new StompConversation(socket, envelope, {
        config,
        authenticate,
        crowd,
        destinations,
        log,
      });
      socket.speaker = conversation;
      if (crowd.welcome(socket)) conversation.begin(socketToken(request));
    },
  });
  const languages = { sockjs: stomp(SOCKJS), bare: stomp(BARE) };

  const languageAt = (path: string): Language | null => {
    if (GRAPHQL_PATHS.has(path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path))
      return graphql;
    const envelope = envelopeAt(path);
    return envelope === null ? null : languages[envelope];
  };

  const onUpgrade = (request: IncomingMessage, stream: Duplex, head: Buffer): void => {
    const { path } = requestUrl(withoutPrefix(request.url, config.server.pathPrefix));
    const { origin } = request.headers;
    const arrival = arrivalOf(request);
    const refuse = (status: 403 | 404 | 503): void =>
      answerRefusedUpgrade(errors, stream, status, path, arrival.origin.address);
    const language = languageAt(path);
    if (stopping) refuse(503);
    else if (!language) refuse(404);
    else if (
      origin !== undefined &&
      !isAllowedOrigin(config.cors.origins, origin, arrival.ownOrigin)
    )
      refuse(403);
    else open(language, request, head);
  };
  // Not inside `open`: listeners of the connection would keep its scope, and with it the request,
  // in memory for hours.
  const connected = (connection: WebSocket, request: IncomingMessage): Socket => {
    const socket = new Socket(connection, request.socket, arrivalOf(request), house);
    sockets.add(socket);
    return socket;
  };
  const open = (language: Language, request: IncomingMessage, head: Buffer): void => {
    leaveTogether(request.socket);
    language.upgrades.handleUpgrade(request, request.socket, head, (connection) =>
      language.begin(connected(connection, request), request),
    );
  };
  httpServer.on('upgrade', onUpgrade);

  const stop = async (): Promise<void> => {
    clearInterval(pings);
    clearInterval(looks);
    watch.stop();
    const closed = [...sockets].map((socket) => socket.closed());
    for (const socket of sockets) socket.close(CLOSE.goingAway, 'The service is stopping.');
    await Promise.all(closed);
    graphql.upgrades.close();
    stompUpgrades.close();
  };
  return { stop: () => (stopping ??= stop()) };
}
