import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import type { Collection, Db, Document, MongoClientOptions } from 'mongodb';
import { openEmbeddedStore } from '@hypha/embedded-mongo';
import type { EmbeddedStore } from '@hypha/embedded-mongo';

/** A store in a temporary directory with a client. */
export interface StoreFixture {
  readonly dir: string;
  /** Log entries of the store: level, message, details as JSON. */
  readonly logged: readonly string[];
  readonly store: EmbeddedStore;
  readonly client: MongoClient;
  readonly db: Db;
  /** A new empty collection with a unique name. */
  collection<T extends Document = Document>(): Promise<Collection<T>>;
  /** Closes and reopens the store; `between` runs while it is closed. */
  reopened(between?: () => Promise<void>): Promise<StoreFixture>;
  readonly close: () => Promise<void>;
}

let collections = 0;

export async function storeFixture(
  options: MongoClientOptions = {},
  dir = mkdtempSync(join(tmpdir(), 'store-test-')),
): Promise<StoreFixture> {
  const logged: string[] = [];
  const store = await openEmbeddedStore({
    dir,
    placement: 'inline',
    durability: 'test',
    log: (level, message, detail) =>
      logged.push(`${level} ${message} ${JSON.stringify(detail ?? {})}`),
  });
  const client = await new MongoClient(store.uri, options).connect();
  const db = client.db();
  const shut = async (): Promise<void> => {
    await client.close();
    await store.close();
  };
  return {
    dir,
    logged,
    store,
    client,
    db,
    collection: (async (): Promise<Collection> =>
      db.createCollection(`c${++collections}`)) as StoreFixture['collection'],
    reopened: async (between) => {
      await shut();
      await between?.();
      return storeFixture(options, dir);
    },
    close: async () => {
      await shut();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
