import type { ErrorCode } from './codes';
import { DomainError } from './errors';
import type { ErrorKind, InputPath, Problem } from './errors';

/** A domain error as plain data, to send it between processes. */
export interface PlainError {
  readonly kind: ErrorKind;
  readonly code: ErrorCode;
  readonly message: string;
  readonly path: InputPath;
  readonly problems: readonly Problem[];
  readonly retryAfter?: number;
  readonly reason: ErrorCode;
  readonly beside: readonly PlainError[];
}

export const plainError = ({
  kind,
  code,
  message,
  inputPath: path,
  problems,
  retryAfter,
  reason,
  beside,
}: DomainError): PlainError => ({
  kind,
  code,
  message,
  path,
  problems,
  retryAfter,
  reason,
  beside: beside.map(plainError),
});

/** A domain error from another process: callers distinguish errors by `kind` and `code`. */
export class CarriedError extends DomainError {
  readonly kind: ErrorKind;

  constructor({ kind, code, message, beside, ...more }: PlainError) {
    super(code, message, more);
    this.kind = kind;
    this.beside.push(...beside.map((one) => new CarriedError(one)));
  }
}
