import { unsupported } from '../semantics/errors';
import type { StoreError } from '../semantics/errors';
import type { Command } from './context';
import { create, createIndexes, drop, dropDatabase, dropIndexes, listCollections, listDatabases, listIndexes } from './definition';
import { aggregate, count, find, getMore, killCursors } from './reading';
import { abortTransaction, buildInfo, commitTransaction, endSessions, hello, ping } from './session';
import { findAndModify, insert, remove, update } from './writing';

/** Every command the store knows. */
export const COMMANDS: ReadonlyMap<string, Command> = new Map(Object.entries({
  hello, isMaster: hello, ismaster: hello, ping, buildInfo, buildinfo: buildInfo,
  find, getMore, killCursors, aggregate, count,
  insert, update, delete: remove, findAndModify, findandmodify: findAndModify,
  create, drop, dropDatabase, createIndexes, dropIndexes, deleteIndexes: dropIndexes, listIndexes, listCollections, listDatabases,
  commitTransaction, abortTransaction, endSessions,
}));

/** Commands MongoDB has and this store refuses, with the code a client expects for them. Any other name is unknown: 59. */
const REFUSED: ReadonlyMap<string, readonly [code: number, codeName: string]> = new Map(
  ['distinct', 'mapReduce', 'collMod', 'renameCollection', 'convertToCapped', 'compact', 'validate', 'explain', 'bulkWrite', 'reIndex', 'fsync', 'profile', 'createUser', 'watch',
    'killOp', 'currentOp', 'dbStats', 'collStats', 'serverStatus'].map((name) => [name, [115, 'CommandNotSupported']] as const),
);

export function refuseCommand(name: string): StoreError {
  const [code, codeName] = REFUSED.get(name) ?? [59, 'CommandNotFound'];
  return unsupported(`the command "${name}" is`, code, codeName);
}

/** Fields every command may carry. */
export const GENERAL_OPTIONS: ReadonlySet<string> = new Set([
  '$db', 'lsid', 'txnNumber', 'autocommit', 'startTransaction', '$readPreference', '$clusterTime', 'apiVersion', 'apiStrict', 'apiDeprecationErrors',
  'comment', 'maxTimeMS', 'readConcern', 'writeConcern',
]);
