import { BSON } from 'bson';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { requireDataFile } from './data-file';
import type { Log } from './dispatch';
import { requireKnownFormat } from './format';
import { afterPrefix, documentPrefix, metaKey } from './keys';
import { Kv } from './kv';
import { disown } from './owner';
import { StoreError } from './semantics/errors';

/**
 * Copies the committed state into `targetDir` (compacted) while writes continue, and verifies the
 * copy.
 * @returns number of documents copied
 * @throws StoreError the directory is not empty, or the copy cannot be read
 */
export async function backup(kv: Kv, targetDir: string): Promise<number> {
  if (existsSync(targetDir) && readdirSync(targetDir).length > 0)
    throw new StoreError(48, 'NamespaceExists', `the backup directory ${targetDir} is not empty`);
  mkdirSync(targetDir, { recursive: true, mode: 0o700 });
  await kv.copyTo(targetDir);
  chmodSync(join(targetDir, 'data.mdb'), 0o600);
  const copy = new Kv({ dir: targetDir, durability: 'full' });
  try {
    // The copy must not contain the owner record of the original.
    copy.writeNow(disown);
    return verify(copy);
  } finally {
    await copy.close();
    rmSync(join(targetDir, 'lock.mdb'), { force: true });
  }
}

/**
 * Backs up a data directory, whether or not another process uses it. Does not write to it and does
 * not disturb its owner.
 * @throws StoreError no store in `dir`, written by a newer version, or as {@link backup}
 */
export async function backupDirectory(dir: string, targetDir: string): Promise<number> {
  if (!existsSync(join(dir, 'data.mdb')))
    throw new StoreError(26, 'NamespaceNotFound', `there is no embedded store in ${dir}`);
  requireDataFile(dir);
  const kv = new Kv({ dir, durability: 'full', readOnly: true });
  try {
    requireKnownFormat(kv, dir);
    return await backup(kv, targetDir);
  } finally {
    await kv.close();
  }
}

/**
 * Verifies a directory that was copied while in use, or whose process was killed: the file may mix
 * states from before and after a write, so all of it is read before use.
 * @throws StoreError it cannot be read
 */
export function requireSoundCopy(kv: Kv, dir: string, log: Log): void {
  log(
    'warn',
    `${dir} is a copy of a directory that was in use, which may be torn; it is read through. Make copies with \`npm run backup\``,
  );
  try {
    verify(kv);
  } catch (error) {
    throw new StoreError(
      100_002,
      'DamagedData',
      `${dir} was copied while it was in use and is damaged; put a backup in its place`,
      { cause: String(error) },
    );
  }
}

/** Reads every document, to detect a damaged copy now. */
function verify(copy: Kv): number {
  const collections = metaKey('c/');
  let documents = 0;
  for (const { value } of copy.committed.range({
    start: collections,
    end: afterPrefix(collections),
  })) {
    const { id } = BSON.deserialize(value) as { id: number };
    const start = documentPrefix(id);
    for (const { value: document } of copy.committed.range({ start, end: afterPrefix(start) })) {
      requireWhole(document);
      documents++;
    }
  }
  return documents;
}

function requireWhole(document: Buffer): void {
  if (document.length < 5 || document.readInt32LE(0) !== document.length)
    throw new StoreError(1, 'InternalError', 'the backup cannot be read back');
}
