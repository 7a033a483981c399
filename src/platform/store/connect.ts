import mongoose from 'mongoose';
import type { Connection } from 'mongoose';
import type { Config } from '../../config/config';
import { openEmbeddedStore } from '../../embedded-mongo';
import type { Logger } from '../log/logger';
import { Store } from './store';

/** Where the embedded store runs, and whether it waits for the disk. The service: a worker that does. Tests: inline and unsynced. */
export interface EmbeddedPlacement {
  readonly placement: 'worker' | 'inline';
  readonly durability: 'full' | 'test';
  /** For a command, which lets go of the data directory soon. */
  readonly brief?: boolean;
}

/** The database in use, and how to let go of it. */
export interface ConnectedStore {
  readonly store: Store;
  /** Rejects when the embedded store is gone for good: its thread died, or another process took the directory. */
  readonly failed: Promise<never>;
  /** Rejects when the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** How long a start tries to reach a MongoDB, again and again, ms. */
const PATIENCE_MS = 10_000;
const OWN_PATIENCE_MS = 5_000;

const NEVER = new Promise<never>(() => undefined);

/** A store that is not connected to anything: enough to describe the doors, not to use them. */
export const unconnectedStore = (): Store => new Store(mongoose.createConnection());

/**
 * Opens the embedded store in the data directory, or connects to the MongoDB of `MONGODB_URI`.
 * @throws Error with a sentence for the operator: directory in use, database out of reach, no replica set
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
    );
    await requireTransactions(connection);
    return connected(connection, { failed: NEVER, close: () => Promise.resolve() });
  }
  const server = await openEmbeddedStore({
    dir: config.data.dir,
    ...embedded,
    log: (level, message, detail) => log[level](detail ?? {}, message),
  });
  // Whoever waits for it hears of it later; until somebody does, it is no unhandled rejection.
  server.failed.catch(() => undefined);
  try {
    return connected(await connect(server.uri, OWN_PATIENCE_MS, 'embedded store'), server, true);
  } catch (error) {
    await server.close();
    throw error;
  }
}

/** @param what the operator knows it by */
async function connect(
  uri: string,
  serverSelectionTimeoutMS: number,
  what: string,
): Promise<Connection> {
  const connection = mongoose.createConnection(uri, {
    serverSelectionTimeoutMS,
    autoIndex: false,
    autoCreate: false,
    bufferCommands: false,
    enableUtf8Validation: false,
  });
  try {
    return await connection.asPromise();
  } catch (error) {
    await connection.destroy();
    throw new Error(
      `The ${what} has not answered for ${serverSelectionTimeoutMS / 1_000} seconds: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
}

/** Every change of ours is a transaction, which a lone MongoDB server refuses: better said at start than at the first save. */
async function requireTransactions(connection: Connection): Promise<void> {
  const hello = await connection.db?.command({ hello: 1 });
  if (hello?.setName !== undefined || hello?.msg === 'isdbgrid') return;
  await connection.close();
  throw new Error(
    'MONGODB_URI must name a replica set or a sharded cluster: a single MongoDB server has no transactions.',
  );
}

function connected(
  connection: Connection,
  server: { readonly failed: Promise<never>; close(): Promise<void> },
  isExclusive = false,
): ConnectedStore {
  return {
    store: new Store(connection, isExclusive),
    failed: server.failed,
    async ping() {
      await connection.db?.command({ ping: 1 }, { timeoutMS: 2_000 });
    },
    async close() {
      await connection.close();
      await server.close();
    },
  };
}
