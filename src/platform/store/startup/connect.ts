import { stat } from 'node:fs/promises';
import os from 'node:os';
import { join } from 'node:path';
import { openEmbeddedStore } from '@hypha/embedded-mongo';
import type { ChangeCounts, Space } from '@hypha/embedded-mongo';
import mongoose from 'mongoose';
import type { Connection, ConnectOptions } from 'mongoose';
import type { Config } from '../../../config/config';
import type { Logger } from '../../log/logger';
import { NECESSARY_COLLECTIONS, storageStateOf } from '../full-disk';
import { answeredCommand } from '../command';
import { CommitFeed } from '../commits/commit-feed';
import { Store } from '../store';
import { watchConnection } from './connection-watch';
import { ForeignProcess } from './foreign-process';

/** Where the embedded store runs and whether commits wait for the disk. Tests: inline, no sync. */
export interface EmbeddedPlacement {
  readonly placement: 'worker' | 'inline';
  readonly durability: 'full' | 'test';
  /** True for short-lived commands, which release the data directory soon. */
  readonly brief?: boolean;
}

export interface ConnectedStore {
  readonly store: Store;
  /** Rejects when the embedded store failed: its thread died or another process took over. */
  readonly failed: Promise<never>;
  /** Rejects when the database does not answer. */
  ping(): Promise<void>;
  /** Returns the size of the database on the disk, bytes. */
  readonly size: () => Promise<number>;
  /** Returns the free space as the embedded store knows it; null for a MongoDB. */
  readonly space: (() => Space) | null;
  close(): Promise<void>;
}

/** How long a start retries to connect to MongoDB, ms. */
const PATIENCE_MS = 10_000;
/**
 * Time without an answer of MongoDB after which its connection is closed, ms, unless `MONGODB_URI`
 * has another one. The driver repeats most operations once.
 */
const SILENCE_MS = 12_000;
/** How long a new connection is tried while the others do not answer, ms. */
const AGAIN_MS = 2_000;
const OWN_PATIENCE_MS = 5_000;

/**
 * Names of connections, by which the owner of an embedded store recognises services that want to
 * share it. An `appName` of `MONGODB_URI` follows after a colon.
 */
const SERVICE = 'hypha';
const COMMAND = 'hypha command';
const OWNER = 'hypha owner';

/** The file of the embedded store in the data directory. */
const DATA_FILE = 'data.mdb';

/** A store without a connection: enough to generate schemas, not to run queries. */
export const unconnectedStore = (): Store => new Store(mongoose.createConnection());

/**
 * Opens the embedded store in the data directory, or connects to the MongoDB at `MONGODB_URI`.
 * @throws Error with a message for the operator: directory in use, database unreachable, no replica
 *   set
 */
export async function connectStore(
  config: Pick<Config, 'data'>,
  log: Logger,
  embedded: EmbeddedPlacement,
): Promise<ConnectedStore> {
  if (config.data.mongodbUri !== null) {
    const connection = await connect(
      config.data.mongodbUri,
      PATIENCE_MS,
      'database of MONGODB_URI',
      {
        appName: nameOf(config.data.mongodbUri, embedded.brief === true ? COMMAND : SERVICE),
        ...unlessIn(config.data.mongodbUri, {
          socketTimeoutMS: SILENCE_MS,
          // What was acknowledged survives the loss of the primary, and is read by all processes.
          readConcernLevel: 'majority',
          w: 'majority',
        }),
      },
    );
    await requireAccess(connection);
    await requireTransactions(connection);
    const watch = watchConnection(connection, () => reachAgain(config.data.mongodbUri ?? ''));
    return connected(
      connection,
      {
        failed: watch.failed,
        close: () => Promise.resolve(watch.stop()),
        size: () => sizeOf(connection),
        space: null,
      },
      { isExclusive: false, changes: null },
    );
  }
  const server = await openEmbeddedStore({
    dir: config.data.dir,
    ...embedded,
    necessary: NECESSARY_COLLECTIONS,
    ...(!config.data.shareStore && {
      refusedClients: {
        application: SERVICE,
        reason: `The store of MONGODB_URI belongs to the running service with the pid ${process.pid} on ${os.hostname()}, which does not share it. Set HYPHA_SHARE_STORE=1 there and restart it, or use another database.`,
      },
    }),
    log: (level, message, detail) => log[level](detail ?? {}, message),
  });
  // Avoid an unhandled rejection until the caller subscribes to `failed`.
  server.failed.catch(() => undefined);
  try {
    return connected(
      await connect(server.uri, OWN_PATIENCE_MS, 'embedded store', { appName: OWNER }),
      { ...server, size: () => sizeOfFile(join(config.data.dir, DATA_FILE)) },
      { isExclusive: !config.data.shareStore, changes: server.changes },
    );
  } catch (error) {
    await server.close();
    throw error;
  }
}

/** @param databaseName shown in error messages */
async function connect(
  uri: string,
  serverSelectionTimeoutMS: number,
  databaseName: string,
  options: ConnectOptions = {},
): Promise<Connection> {
  const connection = mongoose.createConnection(uri, {
    serverSelectionTimeoutMS,
    autoIndex: false,
    autoCreate: false,
    bufferCommands: false,
    enableUtf8Validation: false,
    // The driver imports it when it connects, which a bundle cannot, and then sends no `appName`.
    runtimeAdapters: { os },
    ...options,
  });
  try {
    return await connection.asPromise();
  } catch (error) {
    await connection.destroy();
    throw new Error(
      `The ${databaseName} has not answered for ${serverSelectionTimeoutMS / 1_000} seconds: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
}

const optionOf = (uri: string, name: string): string | null =>
  new URLSearchParams(uri.split('?')[1]).get(name);

/** Options that the URI does not have itself. */
const unlessIn = (uri: string, options: ConnectOptions): ConnectOptions =>
  Object.fromEntries(Object.entries(options).filter(([name]) => optionOf(uri, name) === null));

function nameOf(uri: string, name: string): string {
  const own = optionOf(uri, 'appName');
  return own === null ? name : `${name}: ${own}`;
}

/** @throws ForeignProcess the owner of an embedded store does not share it */
async function requireAccess(connection: Connection): Promise<void> {
  try {
    await connection.db?.command({ ping: 1 });
  } catch (error) {
    await connection.close();
    throw error instanceof mongoose.mongo.MongoServerError && error.codeName === 'Unauthorized'
      ? new ForeignProcess(error.message, { cause: error })
      : error;
  }
}

/** Rejects when a new connection does not reach the database either. */
async function reachAgain(uri: string): Promise<void> {
  const connection = await connect(uri, AGAIN_MS, 'database of MONGODB_URI', {
    appName: 'hypha connection watch',
  });
  try {
    await answeredCommand(connection, { ping: 1 });
  } finally {
    await connection.destroy();
  }
}

/** Fails at start instead of at the first save: a standalone MongoDB server has no transactions. */
async function requireTransactions(connection: Connection): Promise<void> {
  const hello = await connection.db?.command({ hello: 1 });
  if (hello?.setName !== undefined || hello?.msg === 'isdbgrid') return;
  await connection.close();
  throw new Error(
    'MONGODB_URI must name a replica set or a sharded cluster: a single MongoDB server has no transactions.',
  );
}

async function sizeOf(connection: Connection): Promise<number> {
  const { storageSize = 0, indexSize = 0 } = await answeredCommand(connection, { dbStats: 1 });
  return Number(storageSize) + Number(indexSize);
}

const sizeOfFile = async (path: string): Promise<number> => (await stat(path)).size;

function connected(
  connection: Connection,
  server: {
    readonly failed: Promise<never>;
    readonly size: () => Promise<number>;
    readonly space: (() => Space) | null;
    close(): Promise<void>;
  },
  {
    isExclusive,
    changes,
  }: { readonly isExclusive: boolean; readonly changes: ChangeCounts | null },
): ConnectedStore {
  const feed = isExclusive ? null : new CommitFeed(connection);
  return {
    store: new Store(connection, isExclusive, changes, storageStateOf(server.space), feed),
    failed: server.failed,
    size: server.size,
    space: server.space,
    async ping() {
      await answeredCommand(connection, { ping: 1 });
    },
    async close() {
      await feed?.stop();
      await connection.close();
      await server.close();
    },
  };
}
