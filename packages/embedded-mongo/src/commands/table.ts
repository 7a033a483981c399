import { unsupported } from '../errors';
import type { StoreError } from '../errors';
import { catalogCommands } from './catalog';
import type { Command } from './context';
import { explain } from './explain';
import { readCommands } from './read';
import { serverCommands } from './server';
import { collStats, dbStats } from './statistics';
import { writeCommands } from './write';

/** Supported commands. */
export const COMMANDS: ReadonlyMap<string, Command> = new Map(
  Object.entries({
    ...serverCommands,
    ...readCommands,
    ...writeCommands,
    ...catalogCommands,
    explain,
    collStats,
    collstats: collStats,
    dbStats,
    dbstats: dbStats,
  }),
);

/** Commands of MongoDB that are not supported; all other names are unknown. */
const UNSUPPORTED_COMMANDS = new Set(
  `bulkWrite collMod compact convertToCapped createUser currentOp distinct fsync killOp mapReduce
   profile reIndex renameCollection serverStatus validate watch`.split(/\s+/),
);

export const unsupportedCommand = (name: string): StoreError =>
  unsupported(
    `the command "${name}" is`,
    UNSUPPORTED_COMMANDS.has(name) ? 'CommandNotSupported' : 'CommandNotFound',
  );

/** Fields allowed in every command. */
export const GENERAL_OPTIONS: ReadonlySet<string> = new Set(
  `$db lsid txnNumber autocommit startTransaction $readPreference $clusterTime apiVersion apiStrict
   apiDeprecationErrors comment maxTimeMS readConcern writeConcern`.split(/\s+/),
);
