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
 * Copies the committed state into `targetDir` while writes go on, compacted, and reads the copy back.
 * @returns how many documents were copied
 * @throws StoreError when the directory holds files already, or the copy cannot be read
 */
export async function backup(kv: Kv, targetDir: string): Promise<number> {
  if (existsSync(targetDir) && readdirSync(targetDir).length > 0)
    throw new StoreError(48, 'NamespaceExists', `the backup directory ${targetDir} is not empty`);
  mkdirSync(targetDir, { recursive: true, mode: 0o700 });
  await kv.copyTo(targetDir);
  chmodSync(join(targetDir, 'data.mdb'), 0o600);
  const copy = new Kv({ dir: targetDir, durability: 'full' });
  try {
    // The copy is nobody's, whoever was writing the original.
    copy.writeNow(disown);
    return verify(copy);
  } finally {
    await copy.close();
    rmSync(join(targetDir, 'lock.mdb'), { force: true });
  }
}

/**
 * The same from outside: copies the data directory of a service that another process runs, or nobody. Nothing is written to it, and its
 * owner is not disturbed.
 * @throws StoreError when there is no store in `dir`, or a newer version wrote it; and as {@link backup} does
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
 * For a directory that was copied while a store was using it, or after its process was killed: nobody can say what of the file is from
 * before and what from after a write, so all of it is read before it is used.
 * @throws StoreError when it cannot be read
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

/** Every document must be whole in the copy, so that a bad one is found out now and not when it is needed. */
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
