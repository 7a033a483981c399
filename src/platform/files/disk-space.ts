import { statfsSync } from 'node:fs';
import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';

const LITTLE_BYTES = 1024 ** 3;
const TOO_LITTLE_BYTES = 128 * 1024 ** 2;

export interface DiskSpace {
  /** Bytes that this process may use. */
  readonly freeBytes: number;
  readonly totalBytes: number;
  /** `little`: below 1 GiB. `too-little`: below 128 MiB; writes may fail soon. */
  readonly level: 'enough' | 'little' | 'too-little';
}

const spaceOf = ({ bavail, blocks, bsize }: StatsFs): DiskSpace => {
  const freeBytes = bavail * bsize;
  return {
    freeBytes,
    totalBytes: blocks * bsize,
    level:
      freeBytes < TOO_LITTLE_BYTES ? 'too-little' : freeBytes < LITTLE_BYTES ? 'little' : 'enough',
  };
};

/** Returns the space of the disk that holds a directory. @throws Error of the file system */
export const readDiskSpace = async (dir: string): Promise<DiskSpace> => spaceOf(await statfs(dir));

/** Like `readDiskSpace`. */
export const readDiskSpaceSync = (dir: string): DiskSpace => spaceOf(statfsSync(dir));
