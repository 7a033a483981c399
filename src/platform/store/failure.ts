import { mongo } from 'mongoose';
import { StorageFull, Unavailable } from '../errors/errors';

/** Names of driver errors that mean that the database cannot be reached. */
const OUT_OF_REACH = new Set([
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoServerSelectionError',
  'MongoPoolClearedError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
  'MongoOperationTimeoutError',
  'MongooseServerSelectionError',
]);

const NO_ANSWER = 'The database does not answer. Try again.';

export const noAnswer = (): Unavailable => new Unavailable(NO_ANSWER);

/** MongoDB error codes of temporary failures, by message for the user. */
const NOT_NOW: ReadonlyMap<unknown, string> = new Map(
  (
    [
      ['The database is stopping. Try again.', [91, 11600]],
      ['The database is changing its primary. Try again.', [189, 10107, 11602, 13435, 13436]],
      // Its members do not reach each other, or too few of them have the data.
      [NO_ANSWER, [6, 7, 89, 133, 134, 202, 9001]],
      ['The database took too long to answer. Try again.', [24, 50, 262]],
      ['Too many changes of the same records at once. Try again.', [112, 246, 251]],
    ] as const
  ).flatMap(([message, codes]) => codes.map((code) => [code, message] as const)),
);
/** Codes of the system for a connection that is gone. */
const CONNECTION_LOST: ReadonlySet<unknown> = new Set(['EPIPE', 'ECONNRESET', 'ECONNABORTED']);
/** Labels of errors that a driver may meet again, whatever their code. */
const TEMPORARY = [
  'TransientTransactionError',
  'UnknownTransactionCommitResult',
  'RetryableWriteError',
  'RetryableError',
] as const;

/** Codes of a full disk: of MongoDB, and of the file system for files next to the store. */
const FULL_DISK: ReadonlySet<unknown> = new Set([14031, 'ENOSPC', 'EDQUOT']);

/**
 * Converts an error that means that the database is unavailable or the disk full; returns null for
 * other errors. A bulk write has the error that ended it inside its own.
 */
export function storeFailure(error: unknown): Unavailable | StorageFull | null {
  if (!(error instanceof Error)) return null;
  const { code, errorResponse } = error as { code?: unknown; errorResponse?: unknown };
  if (FULL_DISK.has(code)) return new StorageFull();
  if (OUT_OF_REACH.has(error.name)) return noAnswer();
  if (!error.name.startsWith('Mongo')) return null;
  if (CONNECTION_LOST.has(code)) return noAnswer();
  const message = NOT_NOW.get(code);
  if (message !== undefined) return new Unavailable(message);
  const inner = storeFailure(errorResponse);
  if (inner !== null) return inner;
  const isTemporary =
    error instanceof mongo.MongoError && TEMPORARY.some((label) => error.hasErrorLabel(label));
  return isTemporary ? new Unavailable('The database is not available now. Try again.') : null;
}
