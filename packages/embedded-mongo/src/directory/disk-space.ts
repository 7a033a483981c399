import { statSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { StoreError } from '../errors';

/** Writes that need space are rejected below this, so that deletes, which also need pages, work. */
const RESERVE_BYTES = 64 * 1024 * 1024;
const CHECK_INTERVAL_MS = 1_000;

/**
 * Checks free disk space, so that a full disk is detected before LMDB writes: its error handling
 * corrupts memory (it prints a message into a buffer that is too small).
 */
export class DiskSpace {
  private readonly file: string;
  private readonly reserve: number;
  private full = false;
  private checkedAt = -Infinity;
  private written = 0;

  /**
   * @param quota maximum data size in bytes
   * @param usedBytes returns the bytes of used pages; the rest of the file is reusable
   */
  constructor(
    private readonly dir: string,
    private readonly quota: number | undefined,
    private readonly usedBytes: () => number,
  ) {
    this.file = join(dir, 'data.mdb');
    this.reserve =
      quota === undefined ? RESERVE_BYTES : Math.min(RESERVE_BYTES, Math.floor(quota / 4));
  }

  recordWrite(bytes: number): void {
    this.written += bytes;
  }

  isFull(): boolean {
    const now = performance.now();
    if (this.full || this.written > this.reserve / 16 || now - this.checkedAt > CHECK_INTERVAL_MS) {
      this.checkedAt = now;
      this.written = 0;
      this.full = this.freeBytes() < this.reserve;
    }
    return this.full;
  }

  private freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.dir);
    const { size } = statSync(this.file);
    const growth = Math.min(bavail * bsize, Math.max(0, (this.quota ?? Infinity) - size));
    return growth + Math.max(0, size - this.usedBytes());
  }
}

export const diskFullError = (): StoreError =>
  new StoreError(
    'OutOfDiskSpace',
    'The disk of the embedded store is full. Only deletes are accepted until space is free.',
  );

export const writeFailedError = (cause: string): StoreError =>
  new StoreError(
    'OutOfDiskSpace',
    `The embedded store could not write to its disk (${cause}). Nothing of this write was stored; try again later.`,
  );

/** Errors of LMDB only: a StoreError may quote a document with the same text. */
export const isDiskError = (error: unknown): error is Error =>
  error instanceof Error &&
  !(error instanceof StoreError) &&
  /MDB_MAP_FULL|No space left|File too large|Input\/output error|Disk quota|\b(ENOSPC|EFBIG|EIO|EDQUOT|MDB_PANIC)\b/.test(
    error.message,
  );

/** The meta page could not be written; LMDB must be reopened. */
export const isFatal = (error: Error): boolean => error.message.includes('MDB_PANIC');
