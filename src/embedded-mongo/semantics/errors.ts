/** An error for MongoDB clients: the reply contains code and name. */
export class StoreError extends Error {
  override readonly name = 'StoreError';

  constructor(
    readonly code: number,
    readonly codeName: string,
    message: string,
    /** Further fields of the reply, e.g. `keyPattern` of a duplicate key. */
    readonly extra?: Record<string, unknown>,
    /** Error labels the driver acts on, e.g. `TransientTransactionError`. */
    readonly labels?: readonly string[],
  ) {
    super(message);
  }
}

/** Error for an unsupported feature of MongoDB. `what` starts the sentence. */
export const unsupported = (
  what: string,
  code = 115,
  codeName = 'CommandNotSupported',
): StoreError =>
  new StoreError(
    code,
    codeName,
    `${what} not supported by the embedded store; set MONGODB_URI to a MongoDB replica set`,
  );

export const badValue = (message: string): StoreError => new StoreError(2, 'BadValue', message);

export const failedToParse = (message: string): StoreError =>
  new StoreError(9, 'FailedToParse', message);

export const typeMismatch = (message: string): StoreError =>
  new StoreError(14, 'TypeMismatch', message);

export const pathNotViable = (message: string): StoreError =>
  new StoreError(28, 'PathNotViable', message);

export const conflictingUpdate = (path: string, at: string): StoreError =>
  new StoreError(
    40,
    'ConflictingUpdateOperators',
    `Updating the path '${path}' would create a conflict at '${at}'`,
  );

export const dollarPrefixed = (message: string): StoreError =>
  new StoreError(52, 'DollarPrefixedFieldName', message);

export const immutableField = (message: string): StoreError =>
  new StoreError(66, 'ImmutableField', message);

/** Numeric error codes of the aggregation and projection parsers; named `Location<code>`. */
export const located = (code: number, message: string): StoreError =>
  new StoreError(code, `Location${code}`, message);
