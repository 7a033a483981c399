import type { Config } from '../../config/config';
import { createUnconnectedDomain } from '../../domain';
import { createLogger } from '../../platform/log/logger';
import { scrub } from '../../platform/log/redact';
import { connectStore } from '../../platform/store/connect';
import { incompatibility, pendingMigrations } from '../../platform/store/migrations';
import { STORE_LAYOUT } from '../../store-layout';
import { findingsAbout } from './finding';
import type { Finding } from './finding';

const { well, odd, wrong } = findingsAbout('store');

type IndexKey = Readonly<Record<string, unknown>>;
type IndexesByCollection = ReadonlyMap<string, readonly IndexKey[]>;

/** Returns the indexes that this version creates at start, by collection. */
export async function expectedIndexes(): Promise<IndexesByCollection> {
  const { store, domain } = await createUnconnectedDomain();
  await domain.stop();
  const models = Object.values(store.connection.models);
  return new Map(
    models.map((model) => [
      model.collection.name,
      model.schema.indexes().map(([key]) => key as IndexKey),
    ]),
  );
}

/** Reports missing indexes, except of collections that do not exist yet. */
export function indexFindings(
  expected: IndexesByCollection,
  found: IndexesByCollection,
): Finding[] {
  const missing = [...expected].flatMap(([collection, keys]) => {
    const present = found.get(collection);
    if (present === undefined) return [];
    const names = new Set(present.map((key) => JSON.stringify(key)));
    return keys
      .filter((key) => !names.has(JSON.stringify(key)))
      .map((key) => `${collection} ${JSON.stringify(key)}`);
  });
  return missing.length === 0
    ? [well('No index is missing.')]
    : [odd(`Indexes are missing, which the next start makes: ${missing.join('; ')}`)];
}

/** Reports whether this version can use a store with these rows of `migrations`. */
export function migrationFindings(
  records: readonly { readonly _id: number; readonly name: string }[],
): Finding[] {
  const problem = incompatibility(records, STORE_LAYOUT);
  if (problem !== null) return [wrong(problem)];
  const pending = records.length === 0 ? [] : pendingMigrations(records, STORE_LAYOUT);
  if (pending.length === 0) return [well('No migration is pending.')];
  return [
    odd(
      `The next start runs migrations: ${pending.map(([number, { name }]) => `${number} (${name})`).join(', ')}`,
    ),
  ];
}

/** Checks the configured MongoDB: whether it responds, and its contents. */
export async function mongodbFindings(uri: string): Promise<Finding[]> {
  const data: Config['data'] = { dir: '', mongodbUri: uri };
  try {
    const connected = await connectStore({ data }, createLogger({ log: { level: 'silent' } }), {
      placement: 'worker',
      durability: 'full',
    });
    try {
      await connected.ping();
      const { connection } = connected.store;
      const seen = await connection
        .collection<{ _id: number; name: string }>('migrations')
        .find({}, { projection: { name: 1 } })
        .toArray();
      const collections = await connection.listCollections();
      const found = new Map<string, IndexKey[]>();
      for (const { name } of collections)
        found.set(
          name,
          (await connection.collection(name).indexes()).map(({ key }) => key as IndexKey),
        );
      return [
        well('The MongoDB of MONGODB_URI answers.'),
        ...migrationFindings(seen),
        ...indexFindings(await expectedIndexes(), found),
      ];
    } finally {
      await connected.close();
    }
  } catch (error) {
    return [wrong(scrub(error instanceof Error ? error.message : String(error)))];
  }
}
