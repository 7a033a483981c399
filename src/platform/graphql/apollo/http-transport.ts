import { HeaderMap } from '@apollo/server';
import type { ApolloServer, BaseContext, HTTPGraphQLResponse } from '@apollo/server';
import { GraphQLError } from 'graphql';
import Negotiator from 'negotiator';
import type { Limits } from '../../../config/config';
import { BadInput, DomainError } from '../../errors/errors';
import type { ErrorKind } from '../../errors/errors';
import { mediaType, OPEN_BODY_BYTES, readJson } from '../../http/body/json-body';
import { compressedAnswers, UNCOMPRESSED_BYTES } from '../../http/compressed-answers';
import type { HttpRequest, HttpResponse } from '../../http/http-handler';
import { bearerToken } from '../../http/origin';
import type { OriginReader } from '../../http/origin';
import { requestUrl } from '../../http/request-url';
import { drainAfterAnswer, MethodNotAllowed } from '../../http/send';
import { identifyRequest } from '../../http/user-requests';
import type { InputShare, LargeInputs } from '../../large-inputs';
import type { Caller } from '../operations/caller';
import { CancelSignal } from '../operations/cancel-signal';
import { apiError, statusOf } from '../operations/error-format';
import type { SentError } from '../operations/error-format';
import { readMultipartOperation } from '../schema/upload';
import { PLAIN_JSON, PREFLIGHT_HEADERS, RESPONSE_JSON } from './exchange';
import type { Exchange } from './exchange';

const compress = compressedAnswers();

/** Up to this length a text is sent as it is; longer ones are encoded first, which is faster. */
const SHORT_CHARACTERS = 16 * 1024;

export const METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS', 'POST'];

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

/** Values of a GET that mean the same as missing ones. Apollo Server rejects them. */
const NULL_PARAMETERS = /([?&])(?:variables|extensions)=null(?=&|$)/g;

/** Errors that only HTTP has. */
const STATUS_OF_KIND: Readonly<Partial<Record<ErrorKind, number>>> = {
  'unsupported-media': 415,
  'method-not-allowed': 405,
};

interface TransportParts<Context extends BaseContext> {
  readonly apollo: ApolloServer<Context>;
  readonly createContext: (exchange: Exchange) => Context | Promise<Context>;
  readonly limits: Pick<Limits, 'jsonBytes' | 'uploadBytes'>;
  readonly largeInputs: LargeInputs;
  readonly originOf: OriginReader;
  /** Rejects if the token of a caller is not valid. */
  readonly requireSession: (caller: Caller) => Promise<void>;
  /** Returns which limit the text of a document exceeds, or null if it may be parsed. */
  readonly excessOf: (text: string) => string | null;
  readonly formatErrors: (errors: readonly Error[], requestId: string) => SentError[];
  /** Returns the text of an answer of Apollo Server. */
  readonly textOf: (answer: HTTPGraphQLResponse, exchange: Exchange) => string;
}

/**
 * Carries requests to an Apollo Server and its answers to clients, as
 * https://www.apollographql.com/docs/apollo-server/integrations/building-integrations describes.
 */
export class HttpTransport<Context extends BaseContext> {
  constructor(private readonly parts: TransportParts<Context>) {}

  /** Answers a request. Rejects only for internal errors. */
  async serve(request: HttpRequest, response: HttpResponse): Promise<void> {
    response.locals.api = 'graphql';
    const caller = this.createCaller(request, response);
    try {
      if (!METHODS.includes(request.method ?? '')) throw new MethodNotAllowed(METHODS);
      // Apollo Server would execute a mutation before it reports that the answer cannot be read.
      const type = answerType(request);
      if (type === null) {
        const error = apiError('BAD_REQUEST', `Answers are ${RESPONSE_JSON} or ${PLAIN_JSON}.`);
        this.sendRefusal(request, response, caller, error, 406);
        return;
      }
      const exchange: Exchange = { caller, mediaType: type };
      this.send(request, response, await this.execute(request, response, exchange), exchange);
    } catch (error) {
      if (!(error instanceof GraphQLError || error instanceof DomainError)) throw error;
      this.sendRefusal(request, response, caller, error);
    }
  }

  private async execute(
    request: HttpRequest,
    response: HttpResponse,
    exchange: Exchange,
  ): Promise<HTTPGraphQLResponse> {
    const { apollo, createContext, largeInputs, excessOf } = this.parts;
    // Disposed before the answer is sent, which takes as long as the client reads.
    using share = largeInputs.share();
    const { search } = requestUrl(request.originalUrl);
    const body =
      request.method === 'POST'
        ? await this.readBody(request, response, exchange.caller, share)
        : undefined;
    const excess = excessOf(textIn(body, search));
    if (excess !== null) throw apiError('QUERY_TOO_COMPLEX', excess);
    return await apollo.executeHTTPGraphQLRequest({
      httpGraphQLRequest: {
        method: request.method === 'HEAD' ? 'GET' : (request.method ?? ''),
        headers: headersOf(request, exchange),
        search: search.replace(NULL_PARAMETERS, '$1'),
        body,
      },
      context: async () => createContext(exchange),
    });
  }

  private createCaller(request: HttpRequest, response: HttpResponse): Caller {
    const cancelSignal = new CancelSignal();
    response.once('close', () => {
      if (!response.writableFinished) cancelSignal.cancel();
    });
    return {
      origin: this.parts.originOf(request),
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
    caller: Caller,
    share: InputShare,
  ): Promise<unknown> {
    const { limits } = this.parts;
    const type = mediaType(request);
    if (type === 'multipart/form-data') {
      // Apollo Server checks this too, but after the file has arrived.
      if (!PREFLIGHT_HEADERS.some((name) => request.headers[name]))
        throw new BadInput(
          'BAD_REQUEST',
          `A multipart request needs the header \`${PREFLIGHT_HEADERS[0]}\`.`,
        );
      const jsonBytes = await this.jsonLimit(request, caller);
      return readMultipartOperation(request, response, { ...limits, jsonBytes });
    }
    if (type !== 'application/json') return undefined;
    return readJson(request, await this.jsonLimit(request, caller), {}, share);
  }

  /** @throws Unauthenticated, TokenExpired before a large body is read */
  private async jsonLimit({ headers }: HttpRequest, caller: Caller): Promise<number> {
    const { limits, requireSession } = this.parts;
    const isSmall = Number(headers['content-length'] ?? Infinity) <= OPEN_BODY_BYTES;
    if (caller.token === undefined || isSmall) return Math.min(OPEN_BODY_BYTES, limits.jsonBytes);
    await requireSession(caller);
    return limits.jsonBytes;
  }

  private send(
    request: HttpRequest,
    response: HttpResponse,
    answer: HTTPGraphQLResponse,
    exchange: Exchange,
  ): void {
    const text = this.parts.textOf(answer, exchange);
    response.locals.code = exchange.code;
    response.locals.operation = exchange.executed?.label;
    for (const [name, value] of answer.headers) response.setHeader(name, value);
    sendBody(request, response, answer.status ?? 200, text);
  }

  /** Sends the error of a request that did not reach Apollo Server. */
  private sendRefusal(
    request: HttpRequest,
    response: HttpResponse,
    { origin }: Caller,
    error: GraphQLError | DomainError,
    status = error instanceof DomainError ? STATUS_OF_KIND[error.kind] : undefined,
  ): void {
    const isOfHttp =
      error instanceof DomainError && (error.kind === 'malformed' || status !== undefined);
    const refusal = isOfHttp ? apiError('BAD_REQUEST', error.message) : error;
    const errors = this.parts.formatErrors([refusal], origin.requestId);
    const answer = statusOf(errors);
    response.locals.code = errors[0]?.extensions.code;
    if (answer?.retryAfter !== undefined)
      response.setHeader('Retry-After', String(answer.retryAfter));
    if (error instanceof MethodNotAllowed) response.setHeader('Allow', error.allow.join(', '));
    response.setHeader('Content-Type', `${answerType(request) ?? PLAIN_JSON}; charset=utf-8`);
    sendBody(request, response, status ?? answer?.status ?? 400, JSON.stringify({ errors }));
  }
}

/** Returns the document of a request; an empty text if it has none. */
function textIn(body: unknown, search: string): string {
  if (body === undefined) return new URLSearchParams(search).get('query') ?? '';
  const { query } = (body ?? {}) as { query?: unknown };
  return typeof query === 'string' ? query : '';
}

function headersOf({ headers }: HttpRequest, { mediaType }: Exchange): HeaderMap {
  const map = new HeaderMap();
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) map.set(name, typeof value === 'string' ? value : value.join(', '));
  }
  // So that Apollo Server chooses the same type, and no landing page of a plugin.
  return map.set('accept', mediaType);
}

/** Sends the body of an answer, compressed if that is worth it. */
function sendBody(
  request: HttpRequest,
  response: HttpResponse,
  status: number,
  text: string,
): void {
  // A short text is sent in one piece with the headers.
  const body = text.length > SHORT_CHARACTERS ? Buffer.from(text) : text;
  const bytes = Buffer.byteLength(body);
  if (bytes > UNCOMPRESSED_BYTES && request.headers['accept-encoding'] !== undefined)
    compress(request, response, () => undefined);
  response.statusCode = status;
  if (!response.hasHeader('Cache-Control')) response.setHeader('Cache-Control', 'no-store');
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  response.setHeader('Content-Length', bytes);
  response.appendHeader('Vary', 'Authorization, Accept');
  drainAfterAnswer(request, response);
  response.end(body);
}
