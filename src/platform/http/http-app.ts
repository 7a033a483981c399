import express from 'express';
import type { RequestHandler } from 'express';
import type { Config } from '../../config/config';
import { BadInput, NotFound } from '../errors/errors';
import type { Logger } from '../log/logger';
import { accessLog } from './access-log';
import { compressedAnswers } from './compressed-answers';
import { cors } from './cors';
import type { ErrorDialect } from './error-body';
import { errorHandler } from './error-handler';
import { createOriginReader, isHost } from './origin';
import type { OriginReader } from './origin';
import { requestUrl, withoutPrefix } from './request-url';
import type { RestApi } from './rest-api';
import { securityHeaders } from './security-headers';
import type { NodeHandler } from './server';
import { shareByUser } from './user-requests';

export interface HttpAppOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly rest: RestApi;
  /** How failures are worded. */
  readonly errors: ErrorDialect;
  /** After the REST operations, in this order: pages, GraphQL. Each calls `next` for what is not its own. */
  readonly handlers: readonly RequestHandler[];
}

/** Links are built from the Host header, so one that is no host is refused. HTTP/1.0 may leave it out. */
const requireHost: RequestHandler = (request, _response, next) => {
  const hosts = request.headersDistinct.host ?? [];
  if (hosts.length > 1 || (!isHost(request.headers.host) && !(request.headers.host === undefined && request.httpVersion === '1.0'))) {
    throw new BadInput('BAD_REQUEST', 'The Host header is missing, malformed or there twice.');
  }
  next();
};

const giveRequestId = (originOf: OriginReader): RequestHandler => (request, response, next) => {
  response.set('X-Request-Id', originOf(request).requestId);
  next();
};

/** The socket's own address, which its frontends know from `/config.json`, met with a plain request. */
const upgradeRequired: RequestHandler = (request, response, next) => {
  if (!/^\/ws\/?$/.test(requestUrl(request.originalUrl).path)) return next();
  response.locals.statuses = { BAD_REQUEST: 426 };
  response.set({ Upgrade: 'websocket', Connection: 'Upgrade' });
  throw new BadInput('BAD_REQUEST', 'This path opens a WebSocket: send the upgrade headers, and the subprotocol graphql-transport-ws.');
};

const nothingHere: RequestHandler = (request) => {
  throw new NotFound('NOT_FOUND', `There is nothing at ${requestUrl(request.originalUrl).path}.`);
};

/** Request ids, access log, security headers, CORS, the doors, and a JSON error body for whatever goes wrong. */
export function createHttpApp({ config, log, rest, errors, handlers }: HttpAppOptions): NodeHandler {
  const originOf = createOriginReader(config);
  const app = express();
  app.disable('x-powered-by');
  // Queries are parsed by whoever reads them.
  app.set('query parser', false);
  app.set('trust proxy', false);
  app.use(shareByUser(originOf), giveRequestId(originOf), accessLog(log, originOf), securityHeaders(config), cors(config, originOf), requireHost, compressedAnswers());
  app.use(rest.handle);
  for (const handler of handlers) app.use(handler);
  app.use(upgradeRequired, nothingHere);
  app.use(errorHandler(errors, log, originOf));
  return (request, response) => {
    const target = withoutPrefix(request.url, config.server.pathPrefix);
    request.url = target;
    // What has no path for express (`*`, `http://`) has one for us; the target itself stays in `originalUrl`.
    if (!target.startsWith('/')) {
      const { path, search } = requestUrl(target);
      Object.assign(request, { originalUrl: target, url: (path.startsWith('/') ? path : `/${path}`) + search });
    }
    app(request, response);
  };
}
