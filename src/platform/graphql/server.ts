import { HeaderMap } from '@apollo/server';
import type { ApolloServer, HTTPGraphQLResponse } from '@apollo/server';
import type { Request, RequestHandler, Response } from 'express';
import { GraphQLError } from 'graphql';
import type { Config } from '../../config/config';
import { DomainError } from '../errors/errors';
import type { ErrorKind } from '../errors/errors';
import { mediaType, readJson } from '../http/body/json-body';
import { drainAfterAnswer, MethodNotAllowed } from '../http/send';
import { bearerToken, createOriginReader } from '../http/origin';
import type { OriginReader } from '../http/origin';
import { requestUrl } from '../http/request-url';
import { identifyRequest } from '../http/user-requests';
import { operationLabel } from '../metrics/operation-label';
import { createLargeBodies } from '../large-inputs';
import type { InputShare, LargeBodies } from '../large-inputs';
import { createApollo } from './apollo';
import type { HttpOperation } from './apollo';
import { CancelSignal } from './operations/cancel-signal';
import type { Caller } from './operations/caller';
import { apiError, isGraphqlCode, statusOf } from './operations/error-format';
import { GraphqlExecutor } from './operations/executor';
import type { GraphqlExecutorParts } from './operations/execution';
import { readMultipartOperation } from './schema/upload';
import { setImmediate } from 'node:timers/promises';

/**
 * Sends the body of an answer. One in pieces is sent at the client's pace, yielding the event loop
 * in between.
 */
async function sendBody(
  response: Response,
  status: number,
  body: string | readonly Buffer[],
): Promise<void> {
  const pieces = typeof body === 'string' ? [Buffer.from(body)] : body;
  response.statusCode = status;
  response.setHeader('Cache-Control', 'no-store');
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  response.setHeader(
    'Content-Length',
    pieces.reduce((bytes, piece) => bytes + piece.length, 0),
  );
  response.vary('Authorization').vary('Accept');
  drainAfterAnswer(response.req, response);
  if (pieces.length === 1 || response.req.method === 'HEAD') {
    response.end(pieces[0]);
    return;
  }
  // One listener for all pieces: a compressed answer keeps listeners that are removed.
  let goOn = (): void => undefined;
  response.on('drain', () => goOn()).once('close', () => goOn());
  for (const piece of pieces) {
    const room = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    if (!response.write(piece) && !response.destroyed) await room;
    if (response.destroyed) return;
    await setImmediate();
  }
  response.end();
}

export const GRAPHQL_PATHS: ReadonlySet<string> = new Set(['/graphql', '/api/graphql']);

type GraphqlServerParts = GraphqlExecutorParts & {
  readonly config: Config;
  readonly largeBodies?: LargeBodies;
};

const METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS', 'POST'];
const RESPONSE_JSON = 'application/graphql-response+json';
const PLAIN_JSON = 'application/json';

/**
 * Returns the media type that the client prefers, plain JSON if it has no preference, or null if it
 * accepts neither. Clients may name the charset or leave it out.
 */
function answerType(request: Request): string | null {
  const offered = [PLAIN_JSON, RESPONSE_JSON].flatMap((type) => [type, `${type}; charset=utf-8`]);
  const accepted = request.accepts(offered);
  return accepted === false ? null : (accepted.split(';')[0] ?? null);
}

/** Errors that only HTTP has. */
const STATUS_OF_KIND: Readonly<Partial<Record<ErrorKind, number>>> = {
  'unsupported-media': 415,
  'method-not-allowed': 405,
};

/** GraphQL over HTTP. */
export class GraphqlServer {
  private readonly executor: GraphqlExecutor;
  private readonly apollo: ApolloServer<HttpOperation>;
  private readonly originOf: OriginReader;
  private readonly largeBodies: LargeBodies;

  constructor(private readonly parts: GraphqlServerParts) {
    const { schema, config, log, largeBodies = createLargeBodies() } = parts;
    this.executor = new GraphqlExecutor(parts);
    this.apollo = createApollo(schema, this.executor, config.graphql.introspection, log);
    this.originOf = createOriginReader(config);
    this.largeBodies = largeBodies;
  }

  /** Must be called before the first request. */
  start(): Promise<void> {
    return this.apollo.start();
  }

  stop(): Promise<void> {
    return this.apollo.stop();
  }

  /** Answers `/graphql` and `/api/graphql`; passes on all else, and browsers that want a page. */
  readonly handler: RequestHandler = (request, response, next) => {
    const { path } = requestUrl(request.originalUrl);
    if (
      !GRAPHQL_PATHS.has(path.length > 1 ? path.replace(/\/$/, '') : path) ||
      wantsPage(request)
    ) {
      next();
      return;
    }
    if (request.method === 'OPTIONS') {
      response.setHeader('Allow', METHODS.join(', '));
      response.status(204).end();
      return;
    }
    this.serve(request, response).catch(next);
  };

  private async serve(request: Request, response: Response): Promise<void> {
    response.locals.api = 'graphql';
    const operation: HttpOperation = {
      caller: this.createCaller(request, response),
      progress: {},
    };
    try {
      if (!METHODS.includes(request.method)) throw new MethodNotAllowed(METHODS);
      // Checked before anything runs: later it is too late to report that the answer cannot be
      // read.
      if (answerType(request) === null) {
        await this.sendNotAcceptable(response, operation.caller);
        return;
      }
      using share = this.largeBodies.open.share();
      const body = await this.readBody(request, response, share);
      const answer = await this.apollo.executeHTTPGraphQLRequest({
        httpGraphQLRequest: {
          method: request.method === 'HEAD' ? 'GET' : request.method,
          headers: headersOf(request),
          search: requestUrl(request.originalUrl).search,
          body,
        },
        context: () => Promise.resolve(operation),
      });
      // Released before sending, which takes as long as the client reads.
      share[Symbol.dispose]();
      await this.sendAnswer(response, answer, operation);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      await this.sendError(request, response, error, operation.caller);
    }
  }

  private createCaller(request: Request, response: Response): Caller {
    const cancelSignal = new CancelSignal();
    response.once('close', () => {
      if (!response.writableFinished) cancelSignal.cancel();
    });
    return {
      origin: this.originOf(request),
      token: bearerToken(request.headers),
      use: request.method === 'HEAD' ? 'event' : 'operation',
      cancelSignal,
      setHeader: (name, value) => {
        if (!response.headersSent) response.setHeader(name, value);
      },
      onAuthenticated: async (authentication) => {
        if (authentication.state === 'signed-in')
          await identifyRequest(response, authentication.actor.userId);
      },
    };
  }

  private async readBody(
    request: Request,
    response: Response,
    share: InputShare,
  ): Promise<unknown> {
    const { limits } = this.parts.config;
    const type = mediaType(request);
    if (request.method !== 'POST') return undefined;
    if (type === 'multipart/form-data') return readMultipartOperation(request, response, limits);
    // Apollo rejects other types, and with them plain forms (CSRF).
    return type === 'application/json' ? readJson(request, limits.jsonBytes, {}, share) : undefined;
  }

  private sendNotAcceptable(response: Response, { origin }: Caller): Promise<void> {
    const error = apiError('BAD_REQUEST', `Answers are ${RESPONSE_JSON} or ${PLAIN_JSON}.`);
    const errors = this.executor.formatErrors([error], origin.requestId);
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    return sendBody(response, 406, JSON.stringify({ errors }));
  }

  private sendAnswer(
    response: Response,
    { status = 200, headers, body }: HTTPGraphQLResponse,
    { caller, progress }: HttpOperation,
  ): Promise<void> {
    if (body.kind !== 'complete') throw new Error('Answers in parts are not offered.');
    for (const [name, value] of headers) response.setHeader(name, value);
    const plainJson = headers.get('content-type')?.startsWith('application/json') === true;
    response.locals.code = progress.answer?.outcome.errors?.[0]?.extensions.code;
    if (progress.prepared?.verdict === 'valid')
      response.locals.operation = operationLabel(progress.prepared.operation);
    return sendBody(
      response,
      progress.malformed && plainJson ? 200 : status,
      progress.answer?.body ?? this.addRequestId(body.string, caller),
    );
  }

  /** Adds the request id to errors that Apollo raises before there is an operation. */
  private addRequestId(text: string, { origin: { requestId } }: Caller): string {
    const { errors } = JSON.parse(text) as {
      errors: { message: string; extensions?: { code?: unknown } }[];
    };
    const known = errors.map(({ message, extensions }) =>
      apiError(isGraphqlCode(extensions?.code) ? extensions.code : 'BAD_REQUEST', message),
    );
    return JSON.stringify({ errors: this.executor.formatErrors(known, requestId) });
  }

  private sendError(
    request: Request,
    response: Response,
    error: DomainError,
    { origin: { requestId } }: Caller,
  ): Promise<void> {
    const refusal =
      error.kind === 'malformed' || STATUS_OF_KIND[error.kind] !== undefined
        ? apiError('BAD_REQUEST', error.message)
        : new GraphQLError(error.message, { originalError: error });
    const errors = this.executor.formatErrors([refusal], requestId);
    const status = STATUS_OF_KIND[error.kind] ?? statusOf(errors)?.status ?? 400;
    if (error.retryAfter !== undefined) response.setHeader('Retry-After', String(error.retryAfter));
    if (error instanceof MethodNotAllowed) response.setHeader('Allow', error.allow.join(', '));
    response.setHeader('Content-Type', `${answerType(request) ?? PLAIN_JSON}; charset=utf-8`);
    response.locals.code = errors[0]?.extensions.code;
    return sendBody(response, status, JSON.stringify({ errors }));
  }
}

/** True for a browser that wants a page, unless the URL contains a query. */
const wantsPage = (request: Request): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') &&
  request.headers.accept?.includes('text/html') === true &&
  !/[?&]query=/.test(requestUrl(request.originalUrl).search);

function headersOf(request: Request): HeaderMap {
  const headers = new HeaderMap();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  return headers;
}
