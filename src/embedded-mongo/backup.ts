import { BSON } from 'bson';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { open } from 'lmdb';
import { documentPrefix, metaKey } from './keys';
import type { Kv } from './kv';
import { StoreError } from './semantics/errors';

/**
 * Copies the committed state into `targetDir` while writes go on, compacted, and reads the copy back.
 * @throws StoreError when the directory holds files already, or the copy cannot be read.
 */
export async function backup(kv: Kv, targetDir: string): Promise<void> {
  if (existsSync(targetDir) && readdirSync(targetDir).length > 0) throw new StoreError(48, 'NamespaceExists', `the backup directory ${targetDir} is not empty`);
  mkdirSync(targetDir, { recursive: true, mode: 0o700 });
  await kv.copyTo(targetDir);
  chmodSync(join(targetDir, 'data.mdb'), 0o600);
  await verify(targetDir);
}

/** Every collection's record and document must be readable in the copy, so that it is found out now and not when it is needed. */
async function verify(dir: string): Promise<void> {
  const copy = open<Buffer, Buffer>({ path: dir, noSubdir: false, readOnly: true, keyEncoding: 'binary', encoding: 'binary', maxDbs: 1 });
  try {
    for (const { value } of copy.getRange({ start: metaKey('c/'), end: metaKey('c0') })) {
      const { id } = BSON.deserialize(value) as { id: number };
      for (const { value: document } of copy.getRange({ start: documentPrefix(id), end: documentPrefix(id + 1) })) requireWhole(document);
    }
  } finally {
    await copy.close();
    rmSync(join(dir, 'lock.mdb'), { force: true });
  }
}

function requireWhole(document: Buffer): void {
  if (document.length < 5 || document.readInt32LE(0) !== document.length) throw new StoreError(1, 'InternalError', 'the backup cannot be read back');
}
