import type { ErrorCode } from './codes';

/**
 * What kind of failure it is decides how a door answers: REST picks a status, GraphQL a `userErrors` entry or a top-level error.
 * `refused` is a broken rule of the domain; `malformed` is input that does not parse.
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
  | 'unavailable';

/** Where something stands in an input, in the words of the service: `['detail', 'name']`. Each door has a table that turns them into its own. */
export type InputPath = readonly (string | number)[];

/** One thing wrong with the input: the exact reason, its place, and a sentence for a person. */
export interface Problem {
  readonly code: ErrorCode;
  readonly path: InputPath;
  readonly message: string;
}

interface Particulars {
  readonly path?: InputPath;
  readonly problems?: readonly Problem[];
  readonly retryAfter?: number;
  readonly reason?: ErrorCode;
}

/** A failure the caller can act on. Anything else that is thrown is a fault: logged with its request id, answered as 500. */
export abstract class DomainError extends Error {
  abstract readonly kind: ErrorKind;
  /** The field of the input that caused it. Not called `path`: graphql-js takes an error with a `path` for one it has placed already. */
  readonly inputPath: InputPath;
  /** What the sentence of the whole (`The user was not created.`) is made of, where there are parts. */
  readonly problems: readonly Problem[];
  /** Seconds after which a retry makes sense. */
  readonly retryAfter?: number;
  /** The exact reason, where `code` is a wider one that installed clients know. */
  readonly reason: ErrorCode;
  /** What else speaks against the same input. A door that tells one thing at a time leaves it out. */
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

/** Failures a person can cure by other input. */
const CURABLE: ReadonlySet<ErrorKind> = new Set([
  'malformed',
  'not-found',
  'conflict',
  'refused',
  'unsupported-media',
]);

export const isCurable = (error: unknown): error is DomainError =>
  error instanceof DomainError && CURABLE.has(error.kind);

/** Everything that speaks against the input, each with its exact reason. */
export const reasonsOf = (error: DomainError): Problem[] =>
  [error, ...error.beside].flatMap(({ problems, reason, inputPath, message }) =>
    problems.length > 0 ? problems : [{ code: reason, path: inputPath, message }],
  );

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
  constructor(message = 'You are not allowed to do this.', code: ErrorCode = 'ACCESS_DENIED') {
    super(code, message);
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

/** The service cannot answer now: shutting down, store out of reach, queue full. */
export class Unavailable extends DomainError {
  readonly kind = 'unavailable';
  constructor(
    message = 'The service is not available now. Try again.',
    retryAfter = 5,
    code: 'SERVICE_UNAVAILABLE' | 'INPUT_QUEUE_FULL' = 'SERVICE_UNAVAILABLE',
  ) {
    super(code, message, { retryAfter });
  }
}
