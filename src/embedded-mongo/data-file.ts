import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { StoreError } from './semantics/errors';

/** Offset and value of LMDB's magic number in the first page. */
const MARK = { at: 24, bytes: Buffer.from('dec0efbe', 'hex') } as const;
/** Minimum file size: two meta pages. */
const SHORTEST = 2 * 4_096;

/**
 * Checks the start of the data file before LMDB opens it, which crashes the process on a foreign or
 * truncated file. A missing or empty file is a new store.
 * @throws StoreError with the name of the file
 */
export function requireDataFile(dir: string): void {
  const file = join(dir, 'data.mdb');
  if (!existsSync(file)) return;
  const { size } = statSync(file);
  if (size === 0) return;
  const head = Buffer.alloc(MARK.at + MARK.bytes.length);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, head, 0, head.length, 0);
  } finally {
    closeSync(descriptor);
  }
  if (size < SHORTEST || !head.subarray(MARK.at).equals(MARK.bytes)) {
    throw new StoreError(
      100_002,
      'DamagedData',
      `${file} is damaged or no data of the embedded store; put a backup in the place of ${dir}`,
    );
  }
}
