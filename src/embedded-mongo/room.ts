import { statSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { StoreError } from './semantics/errors';

const MB = 1024 * 1024;
/** Growing writes are refused when less than this is left, so that deletes, which need pages too, still have room. */
const RESERVE = 64 * MB;
const LOOK_EVERY_MS = 1_000;

/**
 * Watches the space left for the data file, so that a full disk is met here and not inside the native library: its handling of a
 * failed write damages the memory of the process (it prints a message into a buffer that is too short).
 */
export class Room {
  private readonly file: string;
  private readonly reserve: number;
  private readonly lookAfter: number;
  private full = false;
  private lookedAt = -Infinity;
  private written = 0;

  /**
   * `quota`: the most the data may take, in bytes. `used`: bytes of pages in use; the rest of the file is free to be used again.
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

/** Errors of the native library; a StoreError may quote a document that says the same. */
export const isDiskError = (error: unknown): error is Error =>
  error instanceof Error &&
  !(error instanceof StoreError) &&
  /MDB_MAP_FULL|No space left|File too large|Input\/output error|Disk quota|\b(ENOSPC|EFBIG|EIO|EDQUOT|MDB_PANIC)\b/.test(
    error.message,
  );

/** The head of the file could not be written: the library does not use it again before it is opened anew. */
export const isFatal = (error: Error): boolean => error.message.includes('MDB_PANIC');
