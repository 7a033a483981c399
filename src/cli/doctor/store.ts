import { inspectDirectory } from '@hypha/embedded-mongo';
import type { DirectoryContents } from '@hypha/embedded-mongo';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../output';
import { isOfDamagedStore, RESTORE_HINT } from '../../platform/control/running-service';
import { findingsAbout } from './checks';
import type { Finding } from './checks';
import type { Config } from '../../config/config';
import { createUnconnectedDomain } from '../../domain';
import { createLogger } from '../../platform/log/logger';
import { scrub } from '../../platform/log/redact';
import { connectStore } from '../../platform/store/startup/connect';
import { requireContent } from '../../platform/store/startup/data-directory';
import { IMPORT_COLLECTION, incompleteImport } from '../../platform/store/startup/import-mark';
import { incompatibility, pendingMigrations } from '../../platform/store/startup/migrations';
import { formatBytes } from '../../platform/text/bytes';
import { STORE_LAYOUT } from '../../store-layout';

const storeFinding = findingsAbout('store');

export interface StoreReport {
  readonly findings: readonly Finding[];
  /** Process id of the service that holds the store, if any. */
  readonly servicePid?: number;
}

/**
 * Checks an embedded store, in use or not: whether it is readable, which process holds it, and its
 * contents.
 */
export async function embeddedStoreFindings(dir: string): Promise<StoreReport> {
  if (!existsSync(join(dir, 'data.mdb')))
    return { findings: [storeFinding.ok('There is no store yet; the first start creates it.')] };
  const expected = await expectedIndexes();
  try {
    requireContent(dir);
    return await inspectDirectory(dir, (contents) => ({
      findings: [
        storeFinding.ok(
          `${formatBytes(contents.fileBytes)}, of which ${formatBytes(contents.usedBytes)} are in use; ${contents.collections.reduce((sum, { documents }) => sum + documents, 0)} documents in ${contents.collections.length} collections; format ${contents.format ?? '(empty store)'}`,
        ),
        ...ownerFindings(contents),
        ...readerFindings(contents),
        ...migrationFindings(
          [...contents.documents('migrations', ['_id', 'name'])].map(({ _id, name }) => ({
            _id: Number(_id),
            name: String(name),
          })),
        ),
        ...importFindings([...contents.documents(IMPORT_COLLECTION, ['file'])]),
        ...indexFindings(
          expected,
          new Map(contents.collections.map(({ name, indexes }) => [name, indexes])),
        ),
      ],
      servicePid:
        contents.owner?.state === 'alive' && !contents.owner.brief ? contents.owner.pid : undefined,
    }));
  } catch (error) {
    return {
      findings: [
        storeFinding.error(
          `The store cannot be read: ${messageOf(error)}${isOfDamagedStore(error) ? `. ${RESTORE_HINT}` : ''}`,
        ),
      ],
    };
  }
}

function ownerFindings({ owner }: DirectoryContents): Finding[] {
  if (owner === undefined) return [storeFinding.ok('No process uses it.')];
  if (owner.isCopy)
    return [
      storeFinding.warning(
        'It was copied while it was in use and may be inconsistent: the next start checks all of it. Make copies with `hypha backup`.',
      ),
    ];
  const { pid, since, state, brief } = owner;
  if (state === 'dead')
    return [
      storeFinding.warning(
        `Process ${pid}, which used it, was killed. No data is lost; the next start takes it over.`,
      ),
    ];
  if (state === 'unknown')
    return [
      storeFinding.warning(
        `Process ${pid} of another container or machine has used it since ${since.toISOString()}.`,
      ),
    ];
  return [
    storeFinding.ok(
      `${brief ? 'A command' : 'The service'} (pid ${pid}) has used it since ${since.toISOString()}.`,
    ),
  ];
}

function readerFindings({ readers }: DirectoryContents): Finding[] {
  const dead = [...new Set(readers)].filter((pid) => !existsSync(`/proc/${pid}`));
  return dead.length === 0 || process.platform !== 'linux'
    ? []
    : [
        storeFinding.warning(
          `Killed readers (pid ${dead.join(', ')}) are still registered; the service removes them with its next write.`,
        ),
      ];
}

type IndexKey = Readonly<Record<string, unknown>>;
type IndexesByCollection = ReadonlyMap<string, readonly IndexKey[]>;

/** Returns the indexes that this version creates at start, by collection. */
async function expectedIndexes(): Promise<IndexesByCollection> {
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
function indexFindings(expected: IndexesByCollection, actual: IndexesByCollection): Finding[] {
  const missing = [...expected].flatMap(([collection, keys]) => {
    const present = actual.get(collection);
    if (present === undefined) return [];
    const names = new Set(present.map((key) => JSON.stringify(key)));
    return keys
      .filter((key) => !names.has(JSON.stringify(key)))
      .map((key) => `${collection} ${JSON.stringify(key)}`);
  });
  return missing.length === 0
    ? [storeFinding.ok('No index is missing.')]
    : [
        storeFinding.warning(
          `Indexes are missing; the next start creates them: ${missing.join('; ')}`,
        ),
      ];
}

/** Reports whether this version can use a store with these rows of `migrations`. */
function migrationFindings(
  records: readonly { readonly _id: number; readonly name: string }[],
): Finding[] {
  const problem = incompatibility(records, STORE_LAYOUT);
  if (problem !== null) return [storeFinding.error(problem)];
  const pending = records.length === 0 ? [] : pendingMigrations(records, STORE_LAYOUT);
  if (pending.length === 0) return [storeFinding.ok('No migration is pending.')];
  return [
    storeFinding.warning(
      `The next start runs migrations: ${pending.map(([number, { name }]) => `${number} (${name})`).join(', ')}`,
    ),
  ];
}

/** Reports an import that was interrupted. */
const importFindings = (marks: readonly Readonly<Record<string, unknown>>[]): Finding[] =>
  marks.map(({ file }) => storeFinding.error(incompleteImport(String(file))));

/** Checks the configured MongoDB: whether it responds, and its contents. */
export async function mongodbFindings(uri: string): Promise<Finding[]> {
  const data: Config['data'] = { dir: '', mongodbUri: uri, shareStore: false };
  try {
    const connected = await connectStore({ data }, createLogger({ log: { level: 'silent' } }), {
      placement: 'worker',
      durability: 'full',
      brief: true,
    });
    try {
      await connected.ping();
      const { connection } = connected.store;
      const records = await connection
        .collection<{ _id: number; name: string }>('migrations')
        .find({}, { projection: { name: 1 } })
        .toArray();
      const collections = await connection.listCollections();
      const indexes = new Map<string, IndexKey[]>();
      for (const { name } of collections)
        indexes.set(
          name,
          (await connection.collection(name).indexes()).map(({ key }) => key as IndexKey),
        );
      return [
        storeFinding.ok('The MongoDB at MONGODB_URI responds.'),
        ...migrationFindings(records),
        ...importFindings(await connection.collection(IMPORT_COLLECTION).find({}).toArray()),
        ...indexFindings(await expectedIndexes(), indexes),
      ];
    } finally {
      await connected.close();
    }
  } catch (error) {
    return [storeFinding.error(scrub(error instanceof Error ? error.message : String(error)))];
  }
}
