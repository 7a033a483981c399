import { unsupported } from '../semantics/errors';
import type { StoreError } from '../semantics/errors';
import type { Command } from './context';
import {
  create,
  createIndexes,
  drop,
  dropDatabase,
  dropIndexes,
  listCollections,
  listDatabases,
  listIndexes,
} from './definition';
import { explain } from './explaining';
import { aggregate, count, find, getMore, killCursors } from './reading';
import {
  buildInfo,
  connectionStatus,
  getCmdLineOpts,
  getLog,
  getParameter,
  hostInfo,
  serverStatus,
} from './server';
import { abortTransaction, commitTransaction, endSessions, hello, ping } from './session';
import { collStats, dbStats, validate } from './statistics';
import { findAndModify, insert, remove, update } from './writing';

/** Supported commands. */
export const COMMANDS: ReadonlyMap<string, Command> = new Map(
  Object.entries({
    hello,
    isMaster: hello,
    ismaster: hello,
    ping,
    buildInfo,
    buildinfo: buildInfo,
    find,
    getMore,
    killCursors,
    aggregate,
    count,
    insert,
    update,
    delete: remove,
    findAndModify,
    findandmodify: findAndModify,
    create,
    drop,
    dropDatabase,
    createIndexes,
    dropIndexes,
    deleteIndexes: dropIndexes,
    listIndexes,
    listCollections,
    listDatabases,
    commitTransaction,
    abortTransaction,
    endSessions,
    explain,
    collStats,
    collstats: collStats,
    dbStats,
    dbstats: dbStats,
    validate,
    connectionStatus,
    serverStatus,
    hostInfo,
    getLog,
    getParameter,
    getCmdLineOpts,
  }),
);

/** MongoDB commands that are not supported, with the error code. Other names are unknown: 59. */
const REFUSED: ReadonlyMap<string, readonly [code: number, codeName: string]> = new Map(
  [
    'distinct',
    'mapReduce',
    'collMod',
    'renameCollection',
    'convertToCapped',
    'compact',
    'bulkWrite',
    'reIndex',
    'fsync',
    'profile',
    'createUser',
    'watch',
    'killOp',
    'currentOp',
  ].map((name) => [name, [115, 'CommandNotSupported']] as const),
);

export function refuseCommand(name: string): StoreError {
  const [code, codeName] = REFUSED.get(name) ?? [59, 'CommandNotFound'];
  return unsupported(`the command "${name}" is`, code, codeName);
}

/** Fields allowed in every command. */
export const GENERAL_OPTIONS: ReadonlySet<string> = new Set([
  '$db',
  'lsid',
  'txnNumber',
  'autocommit',
  'startTransaction',
  '$readPreference',
  '$clusterTime',
  'apiVersion',
  'apiStrict',
  'apiDeprecationErrors',
  'comment',
  'maxTimeMS',
  'readConcern',
  'writeConcern',
]);
