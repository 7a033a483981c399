import { GraphQLError, OperationTypeNode } from 'graphql';
import Negotiator from 'negotiator';
import type { Config } from '../../config/config';
import { DomainError } from '../errors/errors';
import type { ErrorKind } from '../errors/errors';
import { mediaType, readJson } from '../http/body/json-body';
import { compressedAnswers, UNCOMPRESSED_BYTES } from '../http/compressed-answers';
import type { HttpHandler, HttpRequest, HttpResponse } from '../http/http-handler';
import { drainAfterAnswer, MethodNotAllowed } from '../http/send';
import { bearerToken, createOriginReader } from '../http/origin';
import type { OriginReader } from '../http/origin';
import { requestUrl } from '../http/request-url';
import { identifyRequest } from '../http/user-requests';
import { operationLabel } from '../metrics/operation-label';
import { createLargeBodies } from '../large-inputs';
import type { InputShare, LargeBodies } from '../large-inputs';
import { CancelSignal } from './operations/cancel-signal';
import type { Caller } from './operations/caller';
import { apiError, statusOf, statusOfAnswer } from './operations/error-format';
import type { Outcome, WrittenAnswer } from './operations/error-format';
import { GraphqlExecutor } from './operations/executor';
import type { GraphqlExecutorParts } from './operations/execution';
import { operationRequest, requirePreflight, sentInUrl } from './operation-request';
import type { HttpOperationRequest } from './operation-request';
import { readMultipartOperation } from './schema/upload';
import { setImmediate } from 'node:timers/promises';

const compress = compressedAnswers();

/**
 * Sends the body of an answer, compressed if that is worth it. One in pieces is sent at the client's pace, yielding the event loop
 * in between.
 */
async function sendBody(
  request: HttpRequest,
  response: HttpResponse,
  status: number,
  body: string | readonly Buffer[],
): Promise<void> {
  const pieces = typeof body === 'string' ? [body] : body;
  const bytes = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
  if (bytes > UNCOMPRESSED_BYTES && request.headers['accept-encoding'] !== undefined)
    compress(request, response, () => undefined);
  response.statusCode = status;
  response.setHeader('Cache-Control', 'no-store');
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  response.setHeader('Content-Length', bytes);
  response.appendHeader('Vary', 'Authorization, Accept');
  drainAfterAnswer(request, response);
  if (pieces.length === 1 || request.method === 'HEAD') {
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
function answerType(request: HttpRequest): string | null {
  const { accept } = request.headers;
  if (accept === undefined || accept === '*/*' || accept === PLAIN_JSON) return PLAIN_JSON;
  const offered = [PLAIN_JSON, RESPONSE_JSON].flatMap((type) => [type, `${type}; charset=utf-8`]);
  const accepted = new Negotiator(request).mediaType(offered);
  return accepted?.split(';')[0] ?? null;
}

/** Errors that only HTTP has. */
const STATUS_OF_KIND: Readonly<Partial<Record<ErrorKind, number>>> = {
  'unsupported-media': 415,
  'method-not-allowed': 405,
};

/** An outcome, and what its status depends on. */
interface Answer {
  readonly outcome: Outcome;
  /**
   * Nothing was executed because the document or the variables are invalid: 400, or 200 for clients
   * that know only plain JSON.
   */
  readonly isMalformed: boolean;
  /** Names the operation in metrics; missing if it was not executed. */
  readonly label?: string;
}

/** GraphQL over HTTP, as https://graphql.github.io/graphql-over-http/draft/ describes it. */
export class GraphqlServer {
  private readonly executor: GraphqlExecutor;
  private readonly originOf: OriginReader;
  private readonly largeBodies: LargeBodies;

  constructor(private readonly parts: GraphqlServerParts) {
    const { config, largeBodies = createLargeBodies() } = parts;
    this.executor = new GraphqlExecutor(parts);
    this.originOf = createOriginReader(config);
    this.largeBodies = largeBodies;
  }

  /** Answers `/graphql` and `/api/graphql`; passes on all else, and browsers that want a page. */
  readonly handler: HttpHandler = (request, response, next) => {
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
      response.writeHead(204).end();
      return;
    }
    this.serve(request, response).catch(next);
  };

  private async serve(request: HttpRequest, response: HttpResponse): Promise<void> {
    response.locals.api = 'graphql';
    const caller = this.createCaller(request, response);
    try {
      if (!METHODS.includes(request.method ?? '')) throw new MethodNotAllowed(METHODS);
      // Checked before anything runs: later it is too late to report that the answer cannot be
      // read.
      const type = answerType(request);
      if (type === null) {
        await this.sendNotAcceptable(request, response, caller);
        return;
      }
      requirePreflight(request);
      using share = this.largeBodies.open.share();
      const sent =
        request.method === 'POST'
          ? await this.readBody(request, response, share)
          : await sentInUrl(request);
      const answer = await this.answer(operationRequest(sent), caller, request.method !== 'POST');
      const written = await this.executor.write(answer.outcome, caller.origin.requestId);
      // Released before sending, which takes as long as the client reads.
      share[Symbol.dispose]();
      await this.sendAnswer(request, response, { ...answer, ...written }, type);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      await this.sendError(request, response, error, caller);
    }
  }

  /** Executes an operation, if HTTP may carry it. */
  private async answer(
    request: HttpOperationRequest,
    caller: Caller,
    isReadOnly: boolean,
  ): Promise<Answer> {
    const { executor } = this;
    const { requestId } = caller.origin;
    const refuse = (error: GraphQLError, isMalformed = false): Answer => ({
      outcome: { errors: executor.formatErrors([error], requestId) },
      isMalformed,
    });
    if (request.isPersisted)
      // Clients recognise this message, and send the document from then on.
      return refuse(apiError('PERSISTED_QUERY_NOT_SUPPORTED', 'PersistedQueryNotSupported'), true);
    const prepared = await executor.prepare(request, caller);
    if (prepared.verdict !== 'valid')
      return { outcome: prepared.outcome, isMalformed: prepared.verdict === 'malformed' };
    const { operation } = prepared.operation;
    if (isReadOnly && operation !== OperationTypeNode.QUERY)
      throw new MethodNotAllowed(['POST'], 'GET is for queries.');
    if (operation === OperationTypeNode.SUBSCRIPTION)
      return refuse(
        apiError(
          'BAD_REQUEST',
          'Subscriptions go over a WebSocket with the subprotocol graphql-transport-ws.',
        ),
      );
    const outcome = await executor.run(prepared, request, caller);
    return {
      outcome,
      isMalformed:
        outcome.data === undefined && outcome.errors?.[0]?.extensions.code === 'BAD_USER_INPUT',
      label: operationLabel(prepared.operation),
    };
  }

  private createCaller(request: HttpRequest, response: HttpResponse): Caller {
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
    request: HttpRequest,
    response: HttpResponse,
    share: InputShare,
  ): Promise<unknown> {
    const { limits } = this.parts.config;
    const type = mediaType(request);
    if (type === 'multipart/form-data') return readMultipartOperation(request, response, limits);
    return type === 'application/json' ? readJson(request, limits.jsonBytes, {}, share) : undefined;
  }

  private sendNotAcceptable(
    request: HttpRequest,
    response: HttpResponse,
    { origin }: Caller,
  ): Promise<void> {
    const error = apiError('BAD_REQUEST', `Answers are ${RESPONSE_JSON} or ${PLAIN_JSON}.`);
    const errors = this.executor.formatErrors([error], origin.requestId);
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    return sendBody(request, response, 406, JSON.stringify({ errors }));
  }

  private sendAnswer(
    request: HttpRequest,
    response: HttpResponse,
    { outcome, body, isMalformed, label }: Answer & WrittenAnswer,
    type: string,
  ): Promise<void> {
    response.locals.code = outcome.errors?.[0]?.extensions.code;
    response.locals.operation = label;
    response.setHeader('Content-Type', `${type}; charset=utf-8`);
    const { status, retryAfter } = statusOfAnswer(outcome, isMalformed);
    if (retryAfter !== undefined) response.setHeader('Retry-After', String(retryAfter));
    return sendBody(request, response, isMalformed && type === PLAIN_JSON ? 200 : status, body);
  }

  private sendError(
    request: HttpRequest,
    response: HttpResponse,
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
    return sendBody(request, response, status, JSON.stringify({ errors }));
  }
}

/** True for a browser that wants a page, unless the URL contains a query. */
const wantsPage = (request: HttpRequest): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') &&
  request.headers.accept?.includes('text/html') === true &&
  !/[?&]query=/.test(requestUrl(request.originalUrl).search);
