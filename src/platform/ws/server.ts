import type { IncomingMessage, Server as HttpServer } from 'node:http';
import type { Duplex } from 'node:stream';
import { CloseCode, GRAPHQL_TRANSPORT_WS_PROTOCOL, handleProtocols } from 'graphql-ws';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import type { Config } from '../../config/config';
import type { EventBus } from '../events/bus';
import { createFrontDoor } from '../graphql/front-door';
import type { FrontDoorParts } from '../graphql/front-door';
import { isAllowedOrigin } from '../http/allowed-origin';
import { answerRefusedUpgrade } from '../http/broken-request';
import type { ErrorDialect } from '../http/error-body';
import { bearerToken, createArrivalReader } from '../http/origin';
import { requestUrl, withoutPrefix } from '../http/request-url';
import { envelopeAt, socketToken } from '../stomp/addresses';
import { StompConversation } from '../stomp/conversation';
import type { Destination } from '../stomp/destination';
import { BARE, SOCKJS } from '../stomp/envelope';
import type { Envelope } from '../stomp/envelope';
import { stompProtocol } from '../stomp/introduction';
import { Conversation } from './conversation';
import { leaveTogether } from './leave-together';
import { watchSessions } from './session-watch';
import { Crowd } from './crowd';
import { CLOSE, Socket } from './socket';
import type { SocketHouse } from './socket';

/** Where sockets for GraphQL are opened. */
const GRAPHQL_PATHS: ReadonlySet<string> = new Set(['/graphql', '/ws']);
/** How often a silent client is asked whether it is there, ms. */
const PING_MS = 12_000;
/** How often is looked whether the time of a socket is over, ms. */
const LOOK_MS = 500;

export interface SocketDoor {
  /** Refuses new sockets, closes the open ones with 1001 and waits for them. May be called again. */
  stop(): Promise<void>;
}

export interface SocketDoorParts extends FrontDoorParts {
  readonly httpServer: HttpServer;
  readonly config: Config;
  readonly bus: EventBus;
  /** How a refused upgrade is worded. */
  readonly errors: ErrorDialect;
  /** What is told over STOMP. */
  readonly destinations?: readonly Destination[];
}

/** What is spoken on a socket, and how one is opened for it. */
interface Language {
  readonly upgrades: WebSocketServer;
  readonly begin: (socket: Socket, request: IncomingMessage) => void;
}

/** GraphQL over WebSocket, and STOMP for the clients of the released lines, on the port of the HTTP server. Both count as the same sockets. */
export function createSocketDoor({
  httpServer,
  bus,
  errors,
  destinations = [],
  ...parts
}: SocketDoorParts): SocketDoor {
  const { config, authenticate, log } = parts;
  const arrivalOf = createArrivalReader(config);
  const front = createFrontDoor(parts);
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

  const conversing = { config, authenticate, front, crowd, log };
  const graphql: Language = {
    upgrades: upgradesTo((protocols) => handleProtocols(protocols)),
    begin(socket, request) {
      // Taken up at `connection_init`, which says it better; for clients that can set headers.
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
  // Apart from `open`: what listens to a connection keeps alive what is seen where it was made, and the request would stay for hours.
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
