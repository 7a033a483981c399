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

/** MongoDB error codes of temporary failures, with a message for the user. */
const NOT_NOW: ReadonlyMap<unknown, string> = new Map([
  [91, 'The database is stopping. Try again.'],
  [11600, 'The database is stopping. Try again.'],
  [10107, 'The database is changing its primary. Try again.'],
  [189, 'The database is changing its primary. Try again.'],
  [50, 'The database took too long to answer. Try again.'],
  [112, 'Too many changes of the same records at once. Try again.'],
]);

/** Codes of a full disk: of MongoDB, and of the file system for files next to the store. */
const FULL_DISK: ReadonlySet<unknown> = new Set([14031, 'ENOSPC', 'EDQUOT']);

/**
 * Converts an error that means that the database is unavailable or the disk full; returns null for
 * other errors.
 */
export function storeFailure(error: unknown): Unavailable | StorageFull | null {
  if (!(error instanceof Error)) return null;
  if (FULL_DISK.has((error as { code?: unknown }).code)) return new StorageFull();
  if (OUT_OF_REACH.has(error.name))
    return new Unavailable('The database does not answer. Try again.');
  const message = NOT_NOW.get((error as { code?: unknown }).code);
  return message !== undefined && error.name.startsWith('Mongo') ? new Unavailable(message) : null;
}
