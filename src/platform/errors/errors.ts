import { ERROR_CODE_MEANINGS } from './codes';
import type { ErrorCode } from './codes';

/**
 * Kind of a failure. Each API maps it: REST to a status, GraphQL to a `userErrors` entry or a
 * top-level error. `refused`: a domain rule is violated. `malformed`: the input does not parse.
 */
export type ErrorKind =
  | 'malformed'
  | 'unauthenticated'
  | 'expired'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'refused'
  | 'rate-limited'
  | 'too-large'
  | 'unsupported-media'
  | 'method-not-allowed'
  | 'unavailable'
  | 'storage-full';

/** Path in the input, in service terms: `['detail', 'name']`. Each API maps it to its own names. */
export type InputPath = readonly (string | number)[];

/** One problem of the input: code, path, and a message for users. */
export interface Problem {
  readonly code: ErrorCode;
  readonly path: InputPath;
  readonly message: string;
  /** Seconds to wait before a retry. */
  readonly retryAfter?: number;
}

interface Particulars {
  readonly path?: InputPath;
  readonly problems?: readonly Problem[];
  readonly retryAfter?: number;
  readonly reason?: ErrorCode;
}

/** An error the caller can act on. Other errors are logged with the request id, answered as 500. */
export abstract class DomainError extends Error {
  abstract readonly kind: ErrorKind;
  /** Path of the input field. Not `path`: graphql-js treats such errors as already located. */
  readonly inputPath: InputPath;
  /** Details, if the message is a summary such as `The user was not created.` */
  readonly problems: readonly Problem[];
  /** Seconds to wait before a retry. */
  readonly retryAfter?: number;
  /** Specific code, where `code` is a general one that existing clients know. */
  readonly reason: ErrorCode;
  /** Further errors of the same input. An API that reports only one error ignores them. */
  readonly beside: DomainError[] = [];

  constructor(
    readonly code: ErrorCode,
    message: string,
    more: Particulars = {},
  ) {
    super(message);
    this.name = new.target.name;
    this.inputPath = more.path ?? [];
    this.problems = more.problems ?? [];
    this.retryAfter = more.retryAfter;
    this.reason = more.reason ?? code;
  }
}

/** Errors that the user can fix by changing the input. */
const CURABLE: ReadonlySet<ErrorKind> = new Set([
  'malformed',
  'not-found',
  'conflict',
  'refused',
  'unsupported-media',
]);

export const isCurable = (error: unknown): error is DomainError =>
  error instanceof DomainError && CURABLE.has(error.kind);

/**
 * Errors that a GraphQL mutation reports in `userErrors`: those that other input fixes, and those
 * of an attempt to prove who the user is.
 */
export const isUserError = (error: unknown): error is DomainError =>
  isCurable(error) ||
  error instanceof WrongCredentials ||
  (error instanceof RateLimited && error.code === 'TOO_MANY_ATTEMPTS');

/** All problems of the input with their specific codes. */
export const reasonsOf = (error: DomainError): Problem[] =>
  [error, ...error.beside].flatMap(({ problems, reason, inputPath, message, retryAfter }) =>
    problems.length > 0 ? problems : [{ code: reason, path: inputPath, message, retryAfter }],
  );

/** Input that does not parse: wrong type, missing field, invalid JSON. */
export class BadInput extends DomainError {
  readonly kind = 'malformed';
}

/** The token is missing or invalid. */
export class Unauthenticated extends DomainError {
  readonly kind = 'unauthenticated';
  constructor(message = 'Sign in to use this operation.', more: Particulars = {}) {
    super('ACCESS_DENIED', message, more);
  }
}

/** A login failed. For REST as `Unauthenticated`; for GraphQL the caller's session is not concerned. */
export class WrongCredentials extends Unauthenticated {
  constructor(
    reason: 'CREDENTIALS_WRONG' | 'SECOND_FACTOR_INVALID' | 'LOGIN_ENDED',
    message: string,
    path: InputPath = [],
  ) {
    super(message, { reason, path });
  }
}

/** The token has expired. */
export class TokenExpired extends DomainError {
  readonly kind = 'expired';
  constructor(credential: 'session' | 'API token' = 'session') {
    super(
      'TOKEN_EXPIRED',
      credential === 'session'
        ? 'The session has expired. Sign in again.'
        : 'The API token has expired. Create another one.',
    );
  }
}

export class Forbidden extends DomainError {
  readonly kind = 'forbidden';
  constructor(message = 'You are not allowed to do this.', code: ErrorCode = 'ACCESS_DENIED') {
    super(code, message);
  }
}

export class NotFound extends DomainError {
  readonly kind = 'not-found';
}

/** Conflicts with the current state: name taken, newer version. */
export class Conflict extends DomainError {
  readonly kind = 'conflict';
}

/** A domain rule is violated. */
export class Refused extends DomainError {
  readonly kind = 'refused';
}

export class RateLimited extends DomainError {
  readonly kind = 'rate-limited';
  constructor(
    message: string,
    retryAfter: number,
    code: 'TOO_MANY_ATTEMPTS' | 'TOO_MANY_CALLS' = 'TOO_MANY_ATTEMPTS',
  ) {
    super(code, message, { retryAfter });
  }
}

export class TooLarge extends DomainError {
  readonly kind = 'too-large';
  constructor(
    message: string,
    code: 'PAYLOAD_TOO_LARGE' | 'INPUT_TOO_COMPLEX' = 'PAYLOAD_TOO_LARGE',
  ) {
    super(code, message);
  }
}

export class UnsupportedMediaType extends DomainError {
  readonly kind = 'unsupported-media';
  constructor(message: string) {
    super('UNSUPPORTED_MEDIA_TYPE', message);
  }
}

/** Temporarily unavailable: shutting down, store unreachable, queue full. */
export class Unavailable extends DomainError {
  readonly kind = 'unavailable';
  constructor(
    message = 'The service is not available now. Try again.',
    retryAfter = 5,
    code: 'SERVICE_UNAVAILABLE' | 'INPUT_QUEUE_FULL' | 'LDAP_UNAVAILABLE' = 'SERVICE_UNAVAILABLE',
  ) {
    super(code, message, { retryAfter });
  }
}

/** The disk is full. Nothing of the operation was stored. */
export class StorageFull extends DomainError {
  readonly kind = 'storage-full';
  constructor() {
    super('STORAGE_FULL', ERROR_CODE_MEANINGS.STORAGE_FULL);
  }
}
