import type { ErrorRequestHandler, Request, Response } from 'express';
import type { ErrorCode } from '../errors/codes';
import { BadInput, DomainError, TooLarge, UnsupportedMediaType } from '../errors/errors';
import type { PathTable } from '../errors/findings';
import type { Logger } from '../log/logger';
import { storeFailure } from '../store/failure';
import { failureOf, faultOf } from './error-body';
import type { ErrorsAt, Failure } from './error-body';
import { drainAfterAnswer, MethodNotAllowed } from './send';
import type { OriginReader } from './origin';
import { requestUrl } from './request-url';

/** Errors of the HTTP libraries have a status; those below 500 are the client's. */
function asDomainError(error: unknown): DomainError | null {
  if (error instanceof DomainError) return error;
  const status = error instanceof Error && 'status' in error ? Number(error.status) : NaN;
  if (status === 413) return new TooLarge('The body is too large.');
  if (status === 415)
    return new UnsupportedMediaType(
      'The body has a content type or encoding that is not read here.',
    );
  if (status >= 400 && status < 500)
    return new BadInput('BAD_REQUEST', 'The request is malformed.');
  return null;
}

/** A client that disconnects is not an internal error. */
const isClientGone = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE'].includes(String(error.code));

function setErrorHeaders(response: Response, error: DomainError | null, status: number): void {
  response.set('Cache-Control', 'no-store').type('json').removeHeader('ETag');
  if (status === 401) response.set('WWW-Authenticate', 'Bearer');
  if (error?.retryAfter !== undefined)
    response.set('Retry-After', String(Math.ceil(error.retryAfter)));
  if (error instanceof MethodNotAllowed) response.set('Allow', error.allow.join(', '));
}

/**
 * Converts errors of all kinds to the error body of the dialect at their path. Internal errors are logged here,
 * once, with their stack.
 */
export function errorHandler(
  errorsAt: ErrorsAt,
  log: Logger,
  originOf: OriginReader,
): ErrorRequestHandler {
  const send = (
    request: Request,
    response: Response,
    error: DomainError | null,
    failure: Failure,
  ): void => {
    const { statuses } = response.locals as { statuses?: Partial<Record<ErrorCode, number>> };
    const { path } = requestUrl(request.originalUrl);
    const dialect = errorsAt(path, request);
    const status = dialect.status(failure, statuses);
    response.locals.code = failure.code;
    setErrorHeaders(response, error, status);
    drainAfterAnswer(request, response);
    response.status(status).json(dialect.body(failure, status, path, new Date()));
  };

  return (thrown: unknown, request, response, _next) => {
    const { requestId } = originOf(request);
    const unserved = storeFailure(thrown);
    if (unserved) log.error({ err: thrown, requestId, method: request.method }, 'the store failed');
    const error = unserved ?? asDomainError(thrown);
    if (!error && !(response.destroyed && isClientGone(thrown)))
      log.error({ err: thrown, requestId, method: request.method }, 'fault');
    if (response.headersSent || response.destroyed) {
      // The response has begun: all that is left is to cut the connection.
      response.destroy();
      return;
    }
    const { sentAs } = response.locals as { sentAs?: PathTable };
    send(request, response, error, error ? failureOf(error, sentAs) : faultOf(requestId));
  };
}
