import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { storedCollections } from '../catalog/collection';
import { StoreError } from '../errors';
import type { Log } from '../log';
import { countOf, metaKey, documentRange } from '../storage/keys';
import { Kv } from '../storage/kv';
import { fieldReader } from '../values/bson-elements';
import type { Doc } from '../values/values';
import { checkDataFile } from './data-file';
import { readOwnerInfo, removeOwner } from './owner';
import type { OwnerInfo } from './owner';

/** Version of the layout of keys and records. */
const FORMAT = 1;
const FORMAT_KEY = metaKey('format');

/** @throws StoreError written by a newer version */
export function ensureFormat(kv: Kv, dir: string): void {
  if (readFormat(kv, dir) === FORMAT) return;
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(FORMAT, 0);
  kv.writeNow((view) => view.put(FORMAT_KEY, bytes));
}

/** Returns `undefined` for a new directory. @throws StoreError written by a newer version */
function readFormat(kv: Kv, dir: string): number | undefined {
  const format = kv.committed.get(FORMAT_KEY)?.readUInt32BE(0);
  if (format !== undefined && format > FORMAT)
    throw new StoreError(
      'UnsupportedFormat',
      `data directory ${dir} has format ${format}, this version reads up to ${FORMAT}; install the version that wrote it`,
    );
  return format;
}

/**
 * Copies the committed state into `targetDir` (compacted) while writes continue, and verifies the
 * copy.
 * @returns number of documents copied
 * @throws StoreError the directory is not empty, or the copy cannot be read
 */
export async function backup(kv: Kv, targetDir: string): Promise<number> {
  if (existsSync(targetDir) && readdirSync(targetDir).length > 0)
    throw new StoreError('NamespaceExists', `the backup directory ${targetDir} is not empty`);
  mkdirSync(targetDir, { recursive: true, mode: 0o700 });
  await kv.copyTo(targetDir);
  chmodSync(join(targetDir, 'data.mdb'), 0o600);
  const copy = new Kv({ dir: targetDir, durability: 'full' });
  try {
    // The copy must not contain the owner record of the original.
    copy.writeNow(removeOwner);
    return readAllDocuments(copy);
  } finally {
    await copy.close();
    rmSync(join(targetDir, 'lock.mdb'), { force: true });
  }
}

/** See the function in index.ts. */
export async function backupDirectory(dir: string, targetDir: string): Promise<number> {
  if (!existsSync(join(dir, 'data.mdb')))
    throw new StoreError('NamespaceNotFound', `there is no embedded store in ${dir}`);
  checkDataFile(dir);
  const kv = new Kv({ dir, durability: 'full', readOnly: true });
  try {
    readFormat(kv, dir);
    return await backup(kv, targetDir);
  } finally {
    await kv.close();
  }
}

/**
 * Verifies a directory that was copied while in use, or whose process was killed: the file may mix
 * states from before and after a write.
 * @throws StoreError it cannot be read
 */
export function verifyCopy(kv: Kv, dir: string, log: Log): void {
  log(
    'warn',
    `${dir} is a copy of a directory that was in use and may be damaged. It is checked now. Make copies with \`npm run backup\`.`,
  );
  try {
    readAllDocuments(kv);
  } catch (error) {
    throw new StoreError(
      'DamagedData',
      `${dir} was copied while it was in use and is damaged; replace it with a backup`,
      { cause: String(error) },
    );
  }
}

/** Returns the number of documents. @throws StoreError a document is damaged */
function readAllDocuments({ committed }: Kv): number {
  let documents = 0;
  for (const { id } of storedCollections(committed)) {
    for (const { value } of committed.range(documentRange(id))) {
      if (value.length < 5 || value.readInt32LE(0) !== value.length)
        throw new StoreError('InternalError', 'a document cannot be read back');
      documents++;
    }
  }
  return documents;
}

/** Contents of a data directory, for diagnosis. */
export interface DirectoryContents {
  readonly format: number | undefined;
  readonly owner: OwnerInfo | undefined;
  readonly usedBytes: number;
  readonly fileBytes: number;
  /** Processes with an open read transaction, whose pages cannot be reused. */
  readonly readers: readonly number[];
  readonly collections: ReadonlyArray<{
    readonly name: string;
    readonly documents: number;
    /** Keys of completed indexes. */
    readonly indexes: readonly Doc[];
  }>;
  /** Yields some fields of all documents of a collection. */
  documents(collection: string, fields: readonly string[]): Iterable<Doc>;
}

/** See the function in index.ts. */
export async function inspectDirectory<T>(
  dir: string,
  inspect: (contents: DirectoryContents) => T,
): Promise<T> {
  checkDataFile(dir);
  const lock = join(dir, 'lock.mdb');
  const hadLock = existsSync(lock);
  const kv = new Kv({ dir, durability: 'full', readOnly: true });
  try {
    const format = readFormat(kv, dir);
    const collections = [...storedCollections(kv.committed)];
    return inspect({
      format,
      owner: readOwnerInfo(kv.committed, dir),
      ...kv.usage(),
      collections: collections.map(({ id, name, indexes }) => ({
        name,
        documents: countOf(kv.committed, id),
        indexes: indexes.map(({ key }) => Object.fromEntries(key)),
      })),
      *documents(name, fields) {
        const collection = collections.find((candidate) => candidate.name === name);
        if (collection === undefined) return;
        const read = fieldReader(fields);
        for (const { value } of kv.committed.range(documentRange(collection.id))) yield read(value);
      },
    });
  } finally {
    await kv.close();
    // As another user, do not leave a lock file that the service could not open.
    if (!hadLock) rmSync(lock, { force: true });
  }
}
