import type { ErrorCode } from './codes';

/**
 * What kind of failure it is decides how a door answers: REST picks a status, GraphQL a `userErrors` entry or a top-level error.
 * `refused` is a broken rule of the domain; `malformed` is input that does not parse.
 */
export type ErrorKind =
  | 'malformed' | 'unauthenticated' | 'expired' | 'forbidden' | 'not-found' | 'conflict' | 'refused'
  | 'rate-limited' | 'too-large' | 'unsupported-media' | 'method-not-allowed' | 'unavailable';

/** One thing wrong with the input: the path of the field (`['userDetail', 'name']`) and a sentence for a person. */
export interface Problem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** A failure the caller can act on. Anything else that is thrown is a fault: logged with its request id, answered as 500. */
export abstract class DomainError extends Error {
  abstract readonly kind: ErrorKind;
  /** The field of the input that caused it. Not called `path`: graphql-js takes an error with a `path` for one it has placed already. */
  readonly inputPath: readonly (string | number)[];
  readonly problems: readonly Problem[];
  /** Seconds after which a retry makes sense. */
  readonly retryAfter?: number;

  constructor(readonly code: ErrorCode, message: string, more: { path?: readonly (string | number)[]; problems?: readonly Problem[]; retryAfter?: number } = {}) {
    super(message);
    this.name = new.target.name;
    this.inputPath = more.path ?? [];
    this.problems = more.problems ?? [];
    this.retryAfter = more.retryAfter;
  }
}

/** Input that does not parse: wrong type, missing field, bad JSON. */
export class BadInput extends DomainError {
  readonly kind = 'malformed';
}

/** No token, or one that is not valid. */
export class Unauthenticated extends DomainError {
  readonly kind = 'unauthenticated';
  constructor(message = 'Sign in to use this operation.') {
    super('ACCESS_DENIED', message);
  }
}

/** A token that was valid once. */
export class TokenExpired extends DomainError {
  readonly kind = 'expired';
  constructor(message = 'The session has expired. Sign in again.') {
    super('TOKEN_EXPIRED', message);
  }
}

/** Signed in, and not allowed. */
export class Forbidden extends DomainError {
  readonly kind = 'forbidden';
  constructor(message = 'You are not allowed to do this.') {
    super('ACCESS_DENIED', message);
  }
}

/** The thing named does not exist. */
export class NotFound extends DomainError {
  readonly kind = 'not-found';
}

/** Someone else was first: a taken unique name, a newer version. */
export class Conflict extends DomainError {
  readonly kind = 'conflict';
}

/** A rule of the domain says no. */
export class Refused extends DomainError {
  readonly kind = 'refused';
}

export class RateLimited extends DomainError {
  readonly kind = 'rate-limited';
  constructor(message: string, retryAfter: number) {
    super('TOO_MANY_ATTEMPTS', message, { retryAfter });
  }
}

export class TooLarge extends DomainError {
  readonly kind = 'too-large';
  constructor(message: string) {
    super('PAYLOAD_TOO_LARGE', message);
  }
}

export class UnsupportedMediaType extends DomainError {
  readonly kind = 'unsupported-media';
  constructor(message: string) {
    super('UNSUPPORTED_MEDIA_TYPE', message);
  }
}

/** The service cannot answer now: shutting down, store out of reach, queue full. */
export class Unavailable extends DomainError {
  readonly kind = 'unavailable';
  constructor(message = 'The service is not available now. Try again.', retryAfter = 5) {
    super('SERVICE_UNAVAILABLE', message, { retryAfter });
  }
}
