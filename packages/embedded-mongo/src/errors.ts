/** MongoDB's error codes by name; the last ones are of this store. */
const CODES = {
  InternalError: 1,
  BadValue: 2,
  FailedToParse: 9,
  Unauthorized: 13,
  TypeMismatch: 14,
  Overflow: 15,
  InvalidLength: 16,
  ProtocolError: 17,
  IllegalOperation: 20,
  LockTimeout: 24,
  NamespaceNotFound: 26,
  IndexNotFound: 27,
  PathNotViable: 28,
  ConflictingUpdateOperators: 40,
  CursorNotFound: 43,
  NamespaceExists: 48,
  MaxTimeMSExpired: 50,
  DollarPrefixedFieldName: 52,
  InvalidIdField: 53,
  NotSingleValueField: 54,
  EmptyFieldName: 56,
  CommandNotFound: 59,
  ImmutableField: 66,
  CannotCreateIndex: 67,
  InvalidOptions: 72,
  InvalidNamespace: 73,
  UnknownReplWriteConcern: 79,
  IndexOptionsConflict: 85,
  IndexKeySpecsConflict: 86,
  ShutdownInProgress: 91,
  UnsatisfiableWriteConcern: 100,
  WriteConflict: 112,
  CommandNotSupported: 115,
  ConflictingOperationInProgress: 117,
  CommandFailed: 125,
  CannotIndexParallelArrays: 171,
  QueryPlanKilled: 175,
  InvalidIndexSpecificationOption: 197,
  TransactionTooOld: 225,
  NoSuchTransaction: 251,
  TransactionCommitted: 256,
  TransactionTooLarge: 257,
  OperationNotSupportedInTransaction: 263,
  IndexBuildAborted: 276,
  QueryExceededMemoryLimitNoDiskUseAllowed: 292,
  BSONObjectTooLarge: 10334,
  DuplicateKey: 11000,
  Interrupted: 11601,
  OutOfDiskSpace: 14031,
  KeyTooLong: 17280,
  UnsupportedFormat: 100001,
  DamagedData: 100002,
} as const;

type ErrorName = keyof typeof CODES;

const NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(CODES).map(([name, code]) => [code, name]),
);

/** An error for MongoDB clients. A number is the code of an error without a name. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: number;
  readonly codeName: string;

  constructor(
    error: ErrorName | number,
    message: string,
    /** Further fields of the reply, e.g. `keyPattern` of a duplicate key. */
    readonly extra?: Record<string, unknown>,
    /** Error labels the driver acts on, e.g. `TransientTransactionError`. */
    readonly labels?: readonly string[],
  ) {
    super(message);
    this.code = typeof error === 'number' ? error : CODES[error];
    this.codeName = NAMES.get(this.code) ?? `Location${this.code}`;
  }
}

/** Error for an unsupported feature of MongoDB. `feature` starts the sentence. */
export const unsupported = (
  feature: string,
  error: ErrorName = 'CommandNotSupported',
): StoreError =>
  new StoreError(
    error,
    `${feature} not supported by the embedded store; set MONGODB_URI to a MongoDB replica set`,
  );
