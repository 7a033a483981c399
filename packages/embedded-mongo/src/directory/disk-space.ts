import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  rmSync,
  statSync,
  statfsSync,
  writeSync,
} from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { StoreError } from '../errors';
import type { SpaceLevel, SpaceReport } from './space-report';

const MB = 1024 * 1024;
/** Below this, only writes that free space and small necessary ones are accepted. */
const MAX_RESERVE_BYTES = 64 * MB;
/** Share of a small disk, or of a quota, that is reserved. */
const DISK_SHARE = 8;
const QUOTA_SHARE = 4;
/** Size of the file that is given up when other programs have filled the disk. */
const MAX_HELD_BYTES = 16 * MB;
const HELD_SHARE = 4;
/** Share of that file below which runs cannot be ended, so that deletes always have some space. */
const SCARCE_SHARE = 4;
/** After this share of the reserve was written, reusable pages are counted. */
const WRITTEN_SHARE = 16;
/** Below this, nothing is written: LMDB must not meet a full disk. */
const MIN_ROOM_BYTES = 256 * 1024;
const PAGE_BYTES = 4_096;
const REMOVALS_PER_PAGE = 8;
const PIECE_BYTES = 256 * 1024;

const RESERVE_FILE = 'reserve';

/**
 * Checks free disk space, so that a full disk is detected before LMDB writes: its error handling
 * corrupts memory (it prints a message into a buffer that is too small). Holds space in a file of
 * its own, which is given up when the disk is full, so that deletes still have some.
 */
export class DiskSpace {
  private readonly dataFile: string;
  private readonly reserveFile: string;
  private readonly reserve: number;
  private readonly held: number;
  /** Bytes that the current commit may still write. */
  private budget = Infinity;
  /** Bytes written since the reusable pages were counted. */
  private written = 0;
  private hasReleased = false;

  /**
   * @param quota maximum data size in bytes
   * @param usedBytes returns the bytes of used pages; the rest of the file is reusable
   */
  constructor(
    private readonly dir: string,
    private readonly quota: number | undefined,
    private readonly usedBytes: () => number,
    private readonly report: SpaceReport,
  ) {
    this.dataFile = join(dir, 'data.mdb');
    this.reserveFile = join(dir, RESERVE_FILE);
    const { blocks, bsize } = statfsSync(dir);
    const share =
      quota === undefined
        ? Math.floor((blocks * bsize) / DISK_SHARE)
        : Math.floor(quota / QUOTA_SHARE);
    this.reserve = Math.min(MAX_RESERVE_BYTES, share);
    this.held = Math.min(MAX_HELD_BYTES, Math.floor(this.reserve / HELD_SHARE));
  }

  /** Call before each commit: reads the free space, and gives up the held one if necessary. */
  check(): SpaceLevel {
    let { growth, size } = this.growth();
    if (growth < this.held / 2 && existsSync(this.reserveFile)) {
      rmSync(this.reserveFile, { force: true });
      ({ growth, size } = this.growth());
      this.hasReleased = true;
    }
    // Reusable pages are counted if it matters, and now and then: that frees those of dead readers.
    const isDue = this.written > this.reserve / WRITTEN_SHARE;
    if (isDue) this.written = 0;
    const room =
      growth >= this.reserve && !isDue ? growth : growth + Math.max(0, size - this.usedBytes());
    this.budget = room;
    const level = this.levelOf(room);
    this.report.write({ level });
    return level;
  }

  private levelOf(room: number): SpaceLevel {
    if (room < MIN_ROOM_BYTES) return 'exhausted';
    if (room < this.held / SCARCE_SHARE) return 'scarce';
    return room < this.reserve ? 'full' : 'enough';
  }

  /**
   * Returns how many bytes the data file should occupy now, since other programs could take the
   * space that was given up. Returns them once.
   */
  takeReleased(): number {
    if (!this.hasReleased) return 0;
    this.hasReleased = false;
    return Math.max(0, Math.min(this.held, this.growth().growth) - 2 * MIN_ROOM_BYTES);
  }

  /** Counts what the commit writes. @throws StoreError 14031 it would not fit */
  recordWrite(bytes: number): void {
    this.written += bytes;
    this.budget -= bytes + PAGE_BYTES / 2;
    if (this.budget < 0) throw diskFullError();
  }

  /**
   * Counts the page that a removal rewrites; mostly, other removals of the commit are in it too.
   * @throws StoreError 14031 it would not fit
   */
  recordRemoval(): void {
    this.budget -= PAGE_BYTES / REMOVALS_PER_PAGE;
    if (this.budget < 0) throw diskFullError();
  }

  /** Call after a check, from time to time: reports the sizes, and holds space again when there is enough. */
  maintain(holds: boolean): void {
    this.report.write({ usedBytes: this.usedBytes() });
    const mayHold = holds && this.quota === undefined && !this.isHeld();
    if (mayHold && this.growth().growth >= this.reserve + this.held) this.hold();
  }

  /** A process that was killed may have left a part of the file. */
  private isHeld(): boolean {
    return (statSync(this.reserveFile, { throwIfNoEntry: false })?.size ?? -1) >= this.held;
  }

  private hold(): void {
    let descriptor: number | undefined;
    try {
      descriptor = openSync(this.reserveFile, 'w', 0o600);
      // Random, since some file systems store no blocks for zeros.
      const piece = randomBytes(PIECE_BYTES);
      for (let written = 0; written < this.held; written += PIECE_BYTES)
        writeSync(descriptor, piece);
      fsyncSync(descriptor);
    } catch {
      rmSync(this.reserveFile, { force: true });
    } finally {
      if (descriptor !== undefined) closeSync(descriptor);
    }
  }

  private growth(): { growth: number; size: number } {
    const { bavail, bsize } = statfsSync(this.dir);
    const { size } = statSync(this.dataFile);
    return { growth: Math.min(bavail * bsize, Math.max(0, (this.quota ?? Infinity) - size)), size };
  }
}

/** @param isExhausted not even deletes are accepted */
export const diskFullError = (isExhausted = false): StoreError =>
  new StoreError(
    'OutOfDiskSpace',
    isExhausted
      ? 'The disk of the embedded store is full, and its reserve is used up. Make room on the disk.'
      : 'The disk of the embedded store is full. Only deletes and a few small writes are accepted until space is free.',
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
