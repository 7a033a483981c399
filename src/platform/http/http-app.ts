import express from 'express';
import type { RequestHandler } from 'express';
import type { Config } from '../../config/config';
import { BadInput, NotFound } from '../errors/errors';
import type { Logger } from '../log/logger';
import type { ErrorsAt } from './error-body';
import { errorHandler } from './error-handler';
import { createArrivalReader, createOriginReader, isHost } from './origin';
import type { ArrivalReader, OriginReader } from './origin';
import { requestUrl, withoutPrefix } from './request-url';
import type { HttpHandler, HttpRequest, HttpResponse } from './http-handler';
import type { NodeHandler } from './server';
import { shareByUser } from './user-requests';
import { maskAddress } from '../log/redact';
import { NO_METRICS, OTHER_OPERATION } from '../metrics/metrics';
import type { Api, Metrics } from '../metrics/metrics';
import { traceRequests } from './trace-requests';
import type { Tracing } from '../tracing/tracing';
import { compressedAnswers } from './compressed-answers';
import corsMiddleware from 'cors';
import type { CorsOptions } from 'cors';
import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';

/**
 * The security headers, the same for all responses. Scripts come from our own files only; inline styles are allowed because
 * GraphiQL and the API browser set some. Pages of other origins may read images and responses (CORS
 * decides which pages), so the resource policy is open. Headers that need TLS are sent if the
 * public URL is https.
 */
function securityHeaders(config: Pick<Config, 'server'>): Map<string, string> {
  const isHttps = config.server.publicUrl?.startsWith('https:') ?? false;
  const headers = new Map<string, string>();
  const collector: Pick<ServerResponse, 'setHeader' | 'removeHeader'> = {
    setHeader: (name, value) => {
      headers.set(name, String(value));
      return collector as ServerResponse;
    },
    removeHeader: () => undefined,
  };
  const set = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        workerSrc: ["'self'", 'blob:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    crossOriginOpenerPolicy: isHttps,
    originAgentCluster: isHttps,
    strictTransportSecurity: isHttps ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    xFrameOptions: { action: 'deny' },
  });
  set({} as IncomingMessage, collector as ServerResponse, () => undefined);
  return headers;
}

/** Request headers are not restricted: all that a preflight asks for are allowed. */
const ALLOWED: CorsOptions = {
  credentials: true,
  methods: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
  exposedHeaders:
    'Authorization, X-Request-Id, ETag, Location, Retry-After, Deprecation, Link, Preference-Applied',
  maxAge: 7200,
};

/** A CORS preflight. A plain OPTIONS is answered by the API. */
const isPreflight = ({ method, headers }: IncomingMessage): boolean =>
  method === 'OPTIONS' &&
  headers.origin !== undefined &&
  headers['access-control-request-method'] !== undefined;

/** CORS as configured. The origin is echoed, never `*`, because credentials are allowed. */
function cors(arrivalOf: ArrivalReader): HttpHandler {
  return corsMiddleware<IncomingMessage>((request, answer) => {
    const { origin } = request.headers;
    const isAllowed = origin !== undefined && arrivalOf(request).allows(origin);
    // A list, even an empty one, makes the library send `Vary: Origin`.
    answer(null, {
      ...(isAllowed ? ALLOWED : { methods: [] }),
      origin: isAllowed ? [origin] : [],
      preflightContinue: !isPreflight(request),
    });
  });
}

/**
 * Logs and counts each request, when its response is sent or its client gone: at info, probes at
 * debug. Never headers or bodies.
 */
function accessLog(
  log: Logger,
  originOf: OriginReader,
  metrics: Metrics,
): (request: HttpRequest, response: HttpResponse) => void {
  return (request, response) => {
    const startedAt = performance.now();
    const { requestId, clientRequestId, address } = originOf(request);
    const { path, search } = requestUrl(request.originalUrl);
    response.once('close', () => {
      const {
        userId,
        code,
        probe = false,
        deprecated = false,
        api = 'other',
        operation = OTHER_OPERATION,
      } = response.locals as {
        userId?: number;
        code?: string;
        probe?: boolean;
        deprecated?: boolean;
        api?: Api;
        operation?: string;
      };
      const ms = performance.now() - startedAt;
      metrics.requestEnded(api, operation, ms / 1_000);
      if (code !== undefined) metrics.errorSent(api, code);
      log[probe ? 'debug' : 'info'](
        {
          requestId,
          ...(clientRequestId !== null && { clientRequestId }),
          method: request.method,
          path: maskAddress(path, search),
          status: response.statusCode,
          ms: Math.round(ms * 10) / 10,
          address,
          ...(userId !== undefined && { userId }),
          ...(code !== undefined && { code }),
          ...(deprecated && { deprecated }),
          ...(!response.writableFinished && { aborted: true }),
        },
        'request',
      );
    });
  };
}

interface HttpAppOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly rest: { readonly handle: RequestHandler };
  readonly errorsAt: ErrorsAt;
  /** The transports of SockJS, whose streams are not compressed. */
  readonly sockets?: RequestHandler;
  /** Called before Express. It compresses its own responses. */
  readonly graphql?: HttpHandler;
  readonly metrics?: Metrics;
  /** Null: requests are not traced. */
  readonly tracing?: Tracing | null;
  /**
   * Called after the REST routes. Each calls `next` for requests that are not its own.
   */
  readonly handlers: readonly RequestHandler[];
  /** Serves the files of a built client. Called before the REST routes. */
  readonly client?: RequestHandler;
}

/**
 * Links are built from the Host header, so an invalid one is rejected. HTTP/1.0 clients may omit
 * it.
 */
function requireHost({ headers, rawHeaders, httpVersion }: IncomingMessage): void {
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && /^host$/i.test(name));
  if (
    hosts.length > 1 ||
    (!isHost(headers.host) && !(headers.host === undefined && httpVersion === '1.0'))
  ) {
    throw new BadInput('BAD_REQUEST', 'The Host header is missing, malformed or there twice.');
  }
}

/** Answers a plain request to the WebSocket path, which frontends know from `/config.json`. */
const upgradeRequired: RequestHandler = (request, response, next) => {
  if (!/^\/ws\/?$/.test(requestUrl(request.originalUrl).path)) return next();
  response.locals.statuses = { BAD_REQUEST: 426 };
  response.set({ Upgrade: 'websocket', Connection: 'Upgrade' });
  throw new BadInput(
    'BAD_REQUEST',
    'This path opens a WebSocket: send the upgrade headers, and the subprotocol graphql-transport-ws.',
  );
};

const notFoundHandler: RequestHandler = (request) => {
  throw new NotFound('NOT_FOUND', `There is nothing at ${requestUrl(request.originalUrl).path}.`);
};

const passOn: HttpHandler = (_request, _response, next) => next();

/** What all requests have in common, then GraphQL: before Express, which costs as much as a small operation. */
function createEntrance({
  config,
  log,
  graphql = passOn,
  metrics = NO_METRICS,
  tracing = null,
}: HttpAppOptions): HttpHandler {
  const originOf = createOriginReader(config);
  const share = shareByUser(originOf);
  const logRequest = accessLog(log, originOf, metrics);
  const headers = securityHeaders(config);
  const checkOrigin = cors(createArrivalReader(config));
  const trace = tracing === null ? null : traceRequests(tracing);
  return (request, response, next) => {
    // First, since others read the request: its span is known from then on.
    trace?.(request, response);
    share(request, response, () => {
      response.setHeader('X-Request-Id', originOf(request).requestId);
      logRequest(request, response);
      response.setHeaders(headers);
      checkOrigin(request, response, () => {
        requireHost(request);
        graphql(request, response, next);
      });
    });
  };
}

/**
 * The HTTP application: request ids, access log, security headers, CORS, the APIs, and a JSON body
 * for every error.
 */
export function createHttpApp(options: HttpAppOptions): NodeHandler {
  const { config, log, rest, errorsAt, sockets = passOn, handlers, client } = options;
  const enter = createEntrance(options);
  const app = express();
  app.disable('x-powered-by');
  // The handlers parse queries themselves.
  app.set('query parser', false);
  app.set('trust proxy', false);
  app.use(failIfFailed, sockets, compressedAnswers());
  if (client !== undefined) app.use(client);
  app.use(rest.handle);
  for (const handler of handlers) app.use(handler);
  app.use(upgradeRequired, notFoundHandler);
  app.use(errorHandler(errorsAt, log, createOriginReader(config)));
  return (message, answer) => {
    const originalUrl = withoutPrefix(message.url, config.server.pathPrefix);
    const request: HttpRequest = Object.assign(message, { originalUrl });
    const response: HttpResponse = Object.assign(answer, { locals: {} });
    const goOn = (failure?: unknown): void => {
      response.locals.failure = failure;
      request.url = routedUrl(originalUrl);
      app(request, response);
    };
    try {
      enter(request, response, goOn);
    } catch (error) {
      goOn(error);
    }
  };
}

/** Hands the error of a handler before Express to the error handler. */
const failIfFailed: RequestHandler = (_request, response, next) => next(response.locals.failure);

/** Express finds no path in `*` or `http://`. */
function routedUrl(target: string): string {
  if (target.startsWith('/')) return target;
  const { path, search } = requestUrl(target);
  return (path.startsWith('/') ? path : `/${path}`) + search;
}
