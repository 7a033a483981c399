import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { StoreError } from './semantics/errors';

/** Where LMDB writes its mark into the first page, and what it is. */
const MARK = { at: 24, bytes: Buffer.from('dec0efbe', 'hex') } as const;
/** Two head pages and nothing else: the shortest file there is. */
const SHORTEST = 2 * 4_096;

/**
 * Looks at the beginning of the data file before the native library does, which ends the process when the file is not its own or has
 * been cut off. A file that is missing or empty is a new one.
 * @throws StoreError naming the file
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
