import { statSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { StoreError } from './semantics/errors';

const MB = 1024 * 1024;
/** Writes that need space are rejected below this, so that deletes, which also need pages, work. */
const RESERVE = 64 * MB;
const LOOK_EVERY_MS = 1_000;

/**
 * Checks free disk space, so that a full disk is detected before LMDB writes: its error handling
 * corrupts memory (it prints a message into a buffer that is too small).
 */
export class Room {
  private readonly file: string;
  private readonly reserve: number;
  private readonly lookAfter: number;
  private full = false;
  private lookedAt = -Infinity;
  private written = 0;

  /**
   * @param quota maximum data size in bytes
   * @param used returns the bytes of used pages; the rest of the file is reusable
   */
  constructor(
    private readonly dir: string,
    private readonly quota: number | undefined,
    private readonly used: () => number,
  ) {
    this.file = join(dir, 'data.mdb');
    this.reserve = quota === undefined ? RESERVE : Math.min(RESERVE, Math.floor(quota / 4));
    this.lookAfter = this.reserve / 16;
  }

  wrote(bytes: number): void {
    this.written += bytes;
  }

  isFull(): boolean {
    const now = performance.now();
    if (this.full || this.written > this.lookAfter || now - this.lookedAt > LOOK_EVERY_MS) {
      this.lookedAt = now;
      this.written = 0;
      this.full = this.left() < this.reserve;
    }
    return this.full;
  }

  private left(): number {
    const { bavail, bsize } = statfsSync(this.dir);
    const { size } = statSync(this.file);
    const growth =
      this.quota === undefined
        ? bavail * bsize
        : Math.min(bavail * bsize, Math.max(0, this.quota - size));
    return growth + Math.max(0, size - this.used());
  }
}

export const outOfSpace = (): StoreError =>
  new StoreError(
    14031,
    'OutOfDiskSpace',
    'the disk of the embedded store is full: only deletes are accepted until there is room again',
  );

export const writeRefused = (cause: string): StoreError =>
  new StoreError(
    14031,
    'OutOfDiskSpace',
    `the embedded store could not write to its disk (${cause}); nothing of this write was stored, try again later`,
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
