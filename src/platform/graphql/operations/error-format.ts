import { GraphQLError } from 'graphql';
import { DomainError } from '../../errors/errors';
import type { ErrorKind } from '../../errors/errors';
import type { Logger } from '../../log/logger';
import { storeFailure } from '../../store/failure';
import type { WrittenData } from '../plans/text';

/** An answer as it is sent. Without `data` nothing was executed. */
export interface Outcome {
  readonly data?: WrittenData | null;
  readonly errors?: readonly SentError[];
}

/**
 * Every `extensions.code` that clients can receive, except from plugins of the operator. The last ones, which Apollo Server also has,
 * are for requests that never became an operation.
 */
export const GRAPHQL_CODES = [
  'UNAUTHENTICATED',
  'TOKEN_EXPIRED',
  'FORBIDDEN',
  'NOT_FOUND',
  'BAD_USER_INPUT',
  'CONFLICT',
  'RATE_LIMITED',
  'PAYLOAD_TOO_LARGE',
  'QUERY_TOO_COMPLEX',
  'UNAVAILABLE',
  'INTERNAL_SERVER_ERROR',
  'BAD_REQUEST',
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'OPERATION_RESOLUTION_FAILURE',
  'PERSISTED_QUERY_NOT_FOUND',
] as const;
export type GraphqlCode = (typeof GRAPHQL_CODES)[number];

const CODE_OF_KIND: Readonly<Record<ErrorKind, GraphqlCode>> = {
  malformed: 'BAD_USER_INPUT',
  unauthenticated: 'UNAUTHENTICATED',
  expired: 'TOKEN_EXPIRED',
  forbidden: 'FORBIDDEN',
  'not-found': 'NOT_FOUND',
  conflict: 'CONFLICT',
  refused: 'BAD_USER_INPUT',
  'rate-limited': 'RATE_LIMITED',
  'too-large': 'PAYLOAD_TOO_LARGE',
  'unsupported-media': 'BAD_USER_INPUT',
  'method-not-allowed': 'BAD_REQUEST',
  unavailable: 'UNAVAILABLE',
  'storage-full': 'UNAVAILABLE',
};

/** HTTP status by code, for an answer without data. */
const STATUS_OF_CODE: Readonly<Partial<Record<GraphqlCode, number>>> = {
  UNAUTHENTICATED: 401,
  TOKEN_EXPIRED: 401,
  FORBIDDEN: 403,
  RATE_LIMITED: 429,
  PAYLOAD_TOO_LARGE: 413,
  QUERY_TOO_COMPLEX: 400,
  UNAVAILABLE: 503,
};

interface SentExtensions {
  readonly code: GraphqlCode;
  readonly requestId: string;
  /** The more specific code, as REST has it in `message`. */
  readonly reason?: string;
  /** Seconds after which a retry makes sense. */
  readonly retryAfter?: number;
}

/** An error as it is sent: the same over HTTP and WebSocket. Its cause is `originalError`, which is not sent. */
export class SentError extends GraphQLError {
  declare readonly extensions: SentExtensions & Record<string, unknown>;

  constructor(message: string, error: GraphQLError, extensions: SentExtensions) {
    const { path, nodes, source, positions, locations, originalError } = error;
    super(message, { path, originalError: originalError ?? error, extensions: { ...extensions } });
    // Copied: graphql-js would count the lines of the document again for each error.
    Object.assign(this, { nodes, source, positions, locations });
  }
}

/** An error that the API raises itself, before anything is executed. */
export function apiError(
  code: GraphqlCode,
  message: string,
  nodes?: GraphQLError['nodes'],
): GraphQLError {
  return new GraphQLError(message, { nodes, extensions: { code } });
}

/** Formats errors for the client. Internal errors are logged with the request id and masked. */
export function createErrorFormat(
  log: Logger,
): (errors: readonly Error[], requestId: string) => SentError[] {
  return (errors, requestId) =>
    errors.map((raw) => {
      // graphql-js does not wrap errors that look like its own.
      const error =
        raw instanceof GraphQLError ? raw : new GraphQLError(raw.message, { originalError: raw });
      const unserved = storeFailure(rootCause(error));
      if (unserved)
        log.error({ err: error.originalError, requestId, path: error.path }, 'the store failed');
      const description = describe(
        unserved ? new GraphQLError(unserved.message, { originalError: unserved }) : error,
      );
      if (description) return sent(error, description, requestId);
      log.error({ err: error.originalError ?? error, requestId, path: error.path }, 'fault');
      return sent(
        error,
        {
          code: 'INTERNAL_SERVER_ERROR',
          message: `Something went wrong on our side. Request ${requestId}.`,
        },
        requestId,
      );
    });
}

/**
 * Returns the status of an answer with these errors: of the first that has one. Returns null if
 * none has.
 */
export function statusOf(
  errors: readonly Pick<SentError, 'extensions'>[],
): { readonly status: number; readonly retryAfter?: number } | null {
  for (const {
    extensions: { code, retryAfter },
  } of errors) {
    const status = STATUS_OF_CODE[code];
    if (status !== undefined) return { status, retryAfter };
  }
  return null;
}

/**
 * The status of an answer. One with some data is a 200, with its errors next to the data; one
 * without data was not executed, because of an internal error or because the request is invalid.
 */
export function statusOfAnswer(
  { data, errors = [] }: Outcome,
  isMalformed: boolean,
): { readonly status: number; readonly retryAfter?: number } {
  const status = data?.hasValues ? null : statusOf(errors);
  if (status) return status;
  if (data !== undefined && !isMalformed) return { status: 200 };
  return { status: errors[0]?.extensions.code === 'INTERNAL_SERVER_ERROR' ? 500 : 400 };
}

interface ErrorDescription {
  readonly code: GraphqlCode;
  readonly message: string;
  readonly reason?: string;
  readonly retryAfter?: number;
}

function describe(error: GraphQLError): ErrorDescription | null {
  const cause = rootCause(error);
  if (cause instanceof DomainError) {
    return {
      code: CODE_OF_KIND[cause.kind],
      message: cause.message,
      reason: cause.reason,
      retryAfter: cause.retryAfter,
    };
  }
  const { code } = error.extensions;
  if (isGraphqlCode(code) && code !== 'INTERNAL_SERVER_ERROR')
    return { code, message: error.message };
  if (cause !== null && !(cause instanceof GraphQLError)) return null;
  return isAboutInput(error) ? { code: 'BAD_USER_INPUT', message: error.message } : null;
}

function rootCause(error: GraphQLError): Error | null {
  let cause: Error | null | undefined = error.originalError;
  while (cause instanceof GraphQLError && cause.originalError) cause = cause.originalError;
  return cause ?? null;
}

/** graphql-js gives errors in variables and arguments no code; only the message identifies them. */
const isAboutInput = (error: GraphQLError): boolean =>
  /^(Variable "\$|Argument "|Too many errors processing variables)/.test(error.message);

const isGraphqlCode = (code: unknown): code is GraphqlCode =>
  (GRAPHQL_CODES as readonly unknown[]).includes(code);

/**
 * graphql-js quotes what it rejects: an error must not contain a whole request of a megabyte, let
 * alone ten times.
 */
const MAX_MESSAGE = 1_000;

function sent(
  error: GraphQLError,
  { code, message, reason, retryAfter }: ErrorDescription,
  requestId: string,
): SentError {
  return new SentError(shortened(message), error, { code, requestId, reason, retryAfter });
}

export const shortened = (message: string): string =>
  message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)}…` : message;
