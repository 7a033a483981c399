import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import { LRUCache } from 'lru-cache';
import type { Config } from '../../config/config';
import { Forbidden, NotFound, TooLarge, Unavailable } from '../errors/errors';
import { readBytes } from '../http/body/json-body';
import type { Dialect } from '../http/dialects/rest-dialects';
import type { ArrivalReader } from '../http/origin';
import { requestUrl } from '../http/request-url';
import { socketClaims, xhrAt } from '../stomp/addresses';
import type { SocketClaims, XhrTransport } from '../stomp/addresses';
import type { Socket } from '../ws/socket';
import { XhrConnection } from './xhr-connection';

/** Closed sessions whose clients may still ask why, and for how long, ms. */
const CLOSED = { max: 1_000, ttl: 5_000, ttlAutopurge: true } as const;
const TOO_BIG = 1009;
const RECEIVED = { 'Content-Type': 'text/plain; charset=UTF-8' } as const;

interface XhrParts {
  readonly config: Pick<Config, 'limits'>;
  readonly arrivalOf: ArrivalReader;
  readonly dialectAt: (path: string, request?: IncomingMessage) => Dialect;
  readonly isStopping: () => boolean;
  /** Starts the protocol on a new connection. */
  readonly open: (
    connection: XhrConnection,
    request: IncomingMessage,
    claims: SocketClaims,
    dialect: Dialect,
  ) => Socket;
}

interface Session {
  readonly connection: XhrConnection;
  readonly socket: Socket;
}

/**
 * The fallbacks of SockJS over XHR: `xhr_streaming`, `xhr` and `xhr_send`. A session is known by the
 * name that its client chose and by its token, so that no client can reach the session of another.
 */
export class XhrTransports {
  private readonly sessions = new Map<string, Session>();
  private readonly closed = new LRUCache<string, Session>(CLOSED);

  constructor(private readonly parts: XhrParts) {}

  /** Passes on all other requests. */
  readonly handle: RequestHandler = (request, response, next) => {
    if (request.method !== 'POST') return next();
    const { path } = requestUrl(request.originalUrl);
    const dialect = this.parts.dialectAt(path, request);
    const endpoint = xhrAt(path.slice(dialect.mount.length));
    if (!endpoint) return next();
    this.requireAllowed(request, response);
    const claims = socketClaims(request);
    const key = JSON.stringify([dialect.mount, endpoint.session, claims.token ?? null]);
    return endpoint.transport === 'xhr_send'
      ? this.send(key, request, response)
      : this.receive(key, endpoint.transport, { request, response, claims, dialect });
  };

  /** As for the upgrade to a WebSocket: pages of other origins may not open sockets. */
  private requireAllowed(request: Request, response: Response): void {
    const { arrivalOf, isStopping } = this.parts;
    const { origin } = request.headers;
    response.locals.statuses = { ACCESS_DENIED: 403 };
    if (isStopping()) throw new Unavailable('The service is stopping.');
    if (origin !== undefined && !arrivalOf(request).allows(origin))
      throw new Forbidden('Pages of this origin may not open sockets.');
  }

  private receive(
    key: string,
    transport: Exclude<XhrTransport, 'xhr_send'>,
    {
      request,
      response,
      claims,
      dialect,
    }: {
      readonly request: Request;
      readonly response: Response;
      readonly claims: SocketClaims;
      readonly dialect: Dialect;
    },
  ): void {
    // Nothing in it is read.
    request.resume();
    const existing = this.sessions.get(key) ?? this.closed.get(key);
    const connection = existing?.connection ?? new XhrConnection();
    connection.receive(response, transport === 'xhr_streaming');
    if (existing) return;
    const socket = this.parts.open(connection, request, claims, dialect);
    const session = { connection, socket };
    this.sessions.set(key, session);
    const close = (): void => {
      this.sessions.delete(key);
      this.closed.set(key, session);
    };
    if (connection.readyState === connection.CLOSED) close();
    else connection.once('close', close);
  }

  private async send(key: string, request: Request, response: Response): Promise<void> {
    const session = this.sessions.get(key);
    if (!session) throw new NotFound('NOT_FOUND', 'There is no such session.');
    const { limits } = this.parts.config;
    try {
      const isDelivered = await session.connection.deliver(() =>
        readBytes(request, limits.socketMessageBytes),
      );
      if (!isDelivered) throw new NotFound('NOT_FOUND', 'There is no such session.');
    } catch (error) {
      if (error instanceof TooLarge) session.socket.close(TOO_BIG, error.message);
      throw error;
    }
    response.writeHead(204, RECEIVED).end();
  }
}
